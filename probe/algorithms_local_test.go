package probe_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
)

// Every algorithm brings the right data on 1 to 9 processes, with other roots, too.
func TestLocalAlgorithms(t *testing.T) {
	for _, processes := range upTo(9, 2, 5) {
		rightData(t, processes, probe.Config{Selections: all(kernel.MPIB, false), Settings: settings.Settings{
			Rows: settings.Rows{Lengths: []int64{0, 4, 70000}}, Repetitions: settings.Repetitions{Max: 2,
				Policy: settings.Off}, Who: settings.Who{MinProcesses: processes}}})
	}
}

// Blocks of different lengths have the right data, in the library's kernels, too, with factors of each origin and with
// each way in which processes learn the counts.
func TestLocalFactors(t *testing.T) {
	for i, factors := range []string{"random:3", "speed", "a file"} {
		c := probe.Config{Settings: settings.Settings{Rows: settings.Rows{Lengths: []int64{1, 100, 70000}},
			Repetitions: settings.Repetitions{Max: 2, Policy: settings.Off},
			Who:         settings.Who{MinProcesses: 5}, Blocks: settings.Blocks{Factors: factors,
				Counts: settings.CountsWays[i]},
			Memory: settings.Memory{CacheSize: 1 << 14}},
			Factors: []float64{0, 2, 0.3, 1.7, 1, 99}}
		for _, k := range append(suites.Algorithms("Scatterv"), suites.Algorithms("Gatherv")...) {
			c.Selections = append(c.Selections, probe.Selection{Kernel: k})
		}
		c.Selections = append(c.Selections, named(t, "Scatterv", "Gatherv")...)
		if factors == "a file" {
			c.Factors[5] = 3
		}
		r := onLocal(t, 5, c)
		require.Len(t, r.Factors, 5)
		sum := 0.0
		for _, f := range r.Factors {
			sum += f
		}
		require.InDelta(t, 5, sum, 1e-9)
		for _, b := range r.Blocks {
			require.Equal(t, b.Component == kernel.MPI1, b.FixedRoot)
			for _, row := range b.Rows {
				require.Zero(t, row.Defects, "%s: %+v", b.Kernel, row)
				require.Positive(t, row.Checked)
			}
		}
	}
}
