package report

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ofbeff"
	"github.com/effective-bandwidth/beff/report/ofbeffio"
	"github.com/effective-bandwidth/beff/report/ofprobe"
)

// Common converts results of each of beff's benchmarks to the form that all programs share. They pass that form's
// check, and keep their figures.
func TestCommon(t *testing.T) {
	tables := func(r *foreign.Result) map[string]foreign.Table {
		r.Imported = "ours"
		require.NoError(t, r.Check())
		list := map[string]foreign.Table{}
		for _, x := range r.Tables {
			list[x.Test+" of "+x.Columns[0].Name] = x
		}
		return list
	}
	for name, r := range fixture.Results() {
		list := tables(ofbeff.Report{Result: r}.Common())
		if r.Derived.BEff == 0 {
			continue
		}
		require.Equal(t, r.Derived.BEff, list["b_eff of bandwidth"].Rows[0].Values[0], name)
		shortest := list["rings of time"].Rows[0].Values[0] / float64(r.Lengths[0])
		require.InEpsilon(t, r.Derived.LatencyRings, shortest, 1e-9, name)
		rings, randoms := list["rings of time"].Rows, list["randoms of time"].Rows
		mean := math.Sqrt(rings[len(rings)-1].Values[1] * randoms[len(randoms)-1].Values[1])
		require.InEpsilon(t, r.Derived.AtLmax, mean*float64(r.Processes), 1e-9, name)
	}
	for name, r := range fixture.IOResults() {
		c := ofbeffio.Report{Result: r}.Common()
		tables(c)
		for _, x := range c.Tables {
			mean := x.Operation == foreign.Write || x.Operation == foreign.Rewrite || x.Operation == foreign.Read
			require.Equal(t, x.Way == foreign.WeightedTypes, mean, name)
		}
	}
	for name, r := range fixture.Probed() {
		tables(ofprobe.Report{Result: r}.Common())
		require.NotEmpty(t, name)
	}
}
