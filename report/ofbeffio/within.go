package ofbeffio

import (
	"fmt"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// within returns the interval of b_eff_io within the run in words, or why it isn't known.
func within(r *beffio.Result) string {
	d := &r.Derived
	switch {
	case d.BEffIOInterval != nil:
		return r.Doubt().String() + " (within this run)"
	case d.NotKnown != nil:
		return fmt.Sprintf("(interval not known: %v; three runs give one)", d.NotKnown)
	case r.Within > 0:
		return fmt.Sprintf("(interval not known: %s; three give one)", words.Count(len(r.Rounds()), "round"))
	}
	return "(interval not known: no times of calls were kept; three runs give one)"
}

// bearing returns another rating with the digits that b_eff_io bears.
func bearing(r *beffio.Result, x float64) string {
	number, unit := words.Rated(r.Doubt().Of(x))
	return number + " " + unit
}

// intervalsSection returns a table of the intervals within the run; without rows if no times of calls were kept.
func intervalsSection(r *beffio.Result) document.Section {
	t := &document.Table{ID: "intervals", Caption: "Intervals within the run (95 %), by blocks of neighbouring " +
		"calls. The ratings are by the rules of the run.",
		Columns: document.Heads("processes []", "figure", "bandwidth [MB/s]", "interval [± %]", "why it isn't known")}
	add := func(processes int, name string, x float64, in *rating.Interval, not *beffio.NotKnown) {
		if in == nil && not == nil {
			return
		}
		why := ""
		if not != nil {
			why = not.String()
		}
		t.Add(parts.Number(float64(processes), 0), name, parts.Bandwidth(x), parts.Number(100*in.Part(x), 1), why)
	}
	for _, p := range r.Derived.Partitions {
		add(p.Processes, beffio.Benchmark, p.Rating(r.Rules), p.Interval, p.NotKnown)
		for _, m := range p.Accesses {
			add(p.Processes, string(m.Access), m.Bandwidth, m.Interval, m.NotKnown)
		}
	}
	if in := r.Derived.ReadInterval; in != nil {
		read := r.Derived.Partitions[r.Rated()].Access(beffio.Read).Bandwidth
		add(r.Derived.Processes, "read, by the passes", read, in, nil)
	}
	return parts.Section("intervals-section", "How sure the figures are", t)
}

// unknownKeys writes why the intervals of the rating and of the rated partition's access methods aren't known, and the
// second interval of reading.
func unknownKeys(k parts.Keys, r *beffio.Result) {
	why := func(key string, not *beffio.NotKnown) {
		if not != nil {
			k.Text(key+"_interval_not_known", string(not.Reason))
		}
	}
	why(beffio.Benchmark, r.Derived.NotKnown)
	if n := r.Rated(); n >= 0 {
		for _, m := range r.Derived.Partitions[n].Accesses {
			why(string(m.Access), m.NotKnown)
		}
	}
	if in := r.Derived.ReadInterval; in != nil {
		k.Mbps("read_passes_low", in.Low)
		k.Mbps("read_passes_high", in.High)
	}
}
