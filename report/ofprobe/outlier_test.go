package ofprobe_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
)

// Collective operations of 0 bytes do nothing, and take no time: that is no sign of noise. A slow row of 0 bytes is,
// and a fast one of 1 byte is odd.
func TestOutliersOfNothing(t *testing.T) {
	for _, c := range []struct {
		row    int
		factor float64
		far    bool
	}{{0, 0.01, false}, {0, 100, true}, {1, 0.01, true}, {1, 100, true}, {0, 1, false}} {
		p := fixture.ProbeCluster()
		b := p.Add(kernel.MPI1, "Allreduce", settings.Plain, 2, 1)
		k, _, _ := suites.Find(kernel.MPI1, "Allreduce")
		require.Zero(t, b.Rows[0].Bytes)
		row := &b.Rows[c.row]
		for i := range row.Samples {
			s := &row.Samples[i]
			s.Min, s.Max, s.Mean = c.factor*s.Min, c.factor*s.Max, c.factor*s.Mean
		}
		row.Derived = measured.Derive(k, b, row)
		require.Equal(t, c.far, measured.Outliers(k, b)[c.row] != 0, "%+v", c)
	}
}
