package method

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
)

// TestSamples makes samples of three processes' readings: the minimum, maximum and mean of the times that count, the
// three times of the process whose overlapped communication took longest (guide, "Measuring Communication and
// Computation Overlap"), and the longest of each of the two times of Truly_passive_put.
func TestSamples(t *testing.T) {
	readings := []times{
		{Seconds: 4, Overlapped: 5, Compute: 2},
		{Seconds: 1, Overlapped: 7, Compute: 3},
		{Seconds: -1, Overlapped: 6, Compute: 9},
		{Seconds: 2.5, Overlapped: 3, Compute: 8},
	}
	for class, want := range map[kernel.Class]measured.Sample{
		kernel.Parallel: {Min: 1, Max: 4, Mean: 2.5},
		kernel.Overlap:  {Pure: 1, Overlapped: 7, Compute: 3},
		kernel.Passive:  {Pure: 4, Passive: 7},
	} {
		require.Equal(t, want, classMeasurements[class].sample(totalsOf(readings)), class)
	}
	require.Equal(t, measured.Sample{Min: 1.000000000001, Max: 1.000000000001, Mean: 1.000000000001},
		classMeasurements[kernel.Single].sample(totalsOf([]times{{Seconds: 1.0000000000012}})), "to 1e-12 s")
}

// Reductions over the processes give the totals of all of their times. Processes that wait don't count.
func TestReducedTotals(t *testing.T) {
	readings := []times{{Seconds: 9, Overlapped: 9}, {Seconds: 4, Overlapped: 5, Compute: 2, Parts: [5]float64{4: 3}},
		{Seconds: -1, Overlapped: 7}, {Seconds: 2, Overlapped: 7, Parts: [5]float64{6}}}
	groups := [][]int{{3, 1}, {2}}
	want := totalsOf([]times{readings[3], readings[1], readings[2]})
	want.each, want.slowest = nil, readings[2] // of equal ones the lowest rank
	require.Equal(t, 2.0, want.count)
	require.NoError(t, local.Run(len(readings), func(e mpi.Engine) error {
		m := &Measurer{}
		m.World = e.World()
		got, err := m.reduced(&Table{groups: groups, group: []int{-1, 0, 1, 0}[e.World().Rank()]},
			readings[e.World().Rank()])
		require.Equal(t, want, got)
		require.False(t, math.IsInf(got.least, 0))
		return err
	}))
}
