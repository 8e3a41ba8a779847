package ofbeffio

import (
	"fmt"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// intervalText describes the interval of b_eff_io within the run, or the reason why it isn't known.
func intervalText(r *beffio.Result) string {
	d := &r.Derived
	switch {
	case d.BEffIOInterval != nil:
		return r.Estimate().String() + " (within this run)"
	case r.Within > 0:
		return fmt.Sprintf("(interval not known: %s, but three are needed)", words.Count(len(r.Rounds()), "round"))
	}
	return "(interval not known: the times of the calls don't determine it; three runs do)"
}

// roundedLikeRating returns a bandwidth, given in bytes per second, as text with as many significant digits as
// b_eff_io.
func roundedLikeRating(r *beffio.Result, x float64) string {
	number, unit := words.ValueAndUnit(r.Estimate().ScaledTo(x))
	return number + " " + unit
}

// intervalsSection returns a table of the intervals of b_eff_io and of each access method within a single run.
func intervalsSection(r *beffio.Result) document.Section {
	t := &document.Table{ID: "intervals", Caption: "Intervals within the run (95 %), by blocks of neighbouring " +
		"calls. Ratings follow the rules of the run.",
		Columns: document.Heads("processes []", "figure", "bandwidth [MB/s]", "interval [± %]")}
	add := func(processes int, name string, x float64, in *rating.Interval) {
		if in != nil {
			t.Add(parts.Number(float64(processes), 0), name, parts.BandwidthWithin(x, in.RelativeHalfWidth(x)),
				parts.HalfWidth(in.RelativeHalfWidth(x)))
		}
	}
	for _, p := range r.Derived.Partitions {
		add(p.Processes, beffio.Benchmark, p.Rating(r.Rules), p.Interval)
		for _, m := range p.Accesses {
			add(p.Processes, string(m.Access), m.Bandwidth, m.Interval)
		}
	}
	if in := r.Derived.ReadInterval; in != nil {
		read := r.Derived.Partitions[r.Rated()].Access(beffio.Read).Bandwidth
		add(r.Derived.Processes, "read, by passes over the files", read, in)
	}
	return parts.Section("intervals-section", "Confidence intervals", t)
}

// readKeys writes the interval of the read bandwidth that follows from the passes over the files, if it is known.
func readKeys(k parts.Keys, r *beffio.Result) {
	if r.Derived.ReadInterval == nil {
		return
	}
	read := rating.Value{Value: r.Derived.Partitions[r.Rated()].Access(beffio.Read).Bandwidth,
		Within: r.Derived.ReadInterval}
	k.Mbps("read_passes_low", read.Ends().Low)
	k.Mbps("read_passes_high", read.Ends().High)
}
