package ofbeff

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/report/chart"
)

// Measured results are dots, simulated ones lines.
func TestOverlayOfModels(t *testing.T) {
	of := func(kind mpi.EngineKind) *beff.Result {
		r := &beff.Result{Processes: 2, Lengths: []int64{1, 1024}}
		r.Engine = mpi.Library{Engine: "x", Stated: kind}
		r.Derived.PerLength = []float64{1e6, 1e9}
		return r
	}
	measured, simulated := of(mpi.EngineKind{}), of(mpi.EngineKind{Simulated: true})
	for _, c := range []struct {
		rs   []*beff.Result
		dots []bool
	}{
		{[]*beff.Result{measured, simulated, measured}, []bool{true, false, true}},
		{[]*beff.Result{measured, measured}, []bool{false, false}},
		{[]*beff.Result{simulated, simulated}, []bool{false, false}},
	} {
		f := Overlay([]string{"a", "b", "c"}, c.rs, nil)[0]
		var dots []bool
		for _, l := range f.Drawing.(*chart.Chart).Layers {
			if curve, is := l.(chart.Curve); is {
				dots = append(dots, curve.Dots)
			}
		}
		require.Equal(t, c.dots, dots)
		if c.dots[0] {
			require.Contains(t, f.Caption, "Dots are measured, lines simulated.")
		} else {
			require.NotContains(t, f.Caption, "Dots")
		}
	}
}
