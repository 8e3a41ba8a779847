package ofbeffio

import (
	"fmt"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// within describes the interval of b_eff_io within the run.
func within(r *beffio.Result) string {
	d := &r.Derived
	switch {
	case d.BEffIOInterval != nil:
		return r.Estimate().String() + " (within this run)"
	case r.Within > 0:
		return fmt.Sprintf("(interval not known: %s, but three are needed)", words.Count(len(r.Rounds()), "round"))
	}
	return "(interval not known: it can't be derived from the times of calls; three runs give one)"
}

// inSameDigits returns another rating with as many digits as b_eff_io has.
func inSameDigits(r *beffio.Result, x float64) string {
	number, unit := words.ValueAndUnit(r.Estimate().Of(x))
	return number + " " + unit
}

// intervalsSection returns a table of the known intervals within the run.
func intervalsSection(r *beffio.Result) document.Section {
	t := &document.Table{ID: "intervals", Caption: "95 % intervals within the run, computed from blocks of " +
		"neighbouring calls. The ratings follow the rules of the run.",
		Columns: document.Heads("processes []", "figure", "bandwidth [MB/s]", "interval [± %]")}
	add := func(processes int, name string, x float64, in *rating.Interval) {
		if in != nil {
			t.Add(parts.Number(float64(processes), 0), name, parts.BandwidthWithin(x, in.Part(x)),
				parts.HalfWidth(in.Part(x)))
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
		add(r.Derived.Processes, "read, from the passes", read, in)
	}
	return parts.Section("intervals-section", "How sure the figures are", t)
}

// readKeys writes the second interval of reading.
func readKeys(k parts.Keys, r *beffio.Result) {
	if r.Derived.ReadInterval == nil {
		return
	}
	read := rating.Value{Value: r.Derived.Partitions[r.Rated()].Access(beffio.Read).Bandwidth,
		Within: r.Derived.ReadInterval}
	k.Mbps("read_passes_low", read.Ends().Low)
	k.Mbps("read_passes_high", read.Ends().High)
}
