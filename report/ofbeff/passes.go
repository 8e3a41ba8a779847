package ofbeff

import (
	"fmt"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
)

// aboutPasses returns sentences about the ratings of passes.
func aboutPasses(r *beff.Result) string {
	text := "Each pass is a complete rating. b_eff and all other figures are geometric means over the passes."
	if n := len(r.Derived.Passes); n < r.Passes {
		text += fmt.Sprintf(" %d of %d passes were measured completely, and only these count.", n, r.Passes)
	}
	return text
}

// passesTable returns the table of the ratings of passes.
func passesTable(r *beff.Result) *document.Table {
	t := &document.Table{ID: "averages-passes", Caption: aboutPasses(r) + " Each interval is within one pass.",
		Columns: document.Heads("pass", "b_eff [MB/s]", "interval [± %]")}
	for i, p := range r.Derived.Passes {
		part := p.BEffInterval.RelativeHalfWidth(p.BEff)
		t.Add(fmt.Sprint(i+1), parts.BandwidthWithin(p.BEff, part), parts.HalfWidth(part))
	}
	return t
}
