package probe

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/suites"
)

func TestRelayedProcesses(t *testing.T) {
	k, _, _ := suites.FindIn(kernel.MPIB, "Relayed")
	counts := func(processes, relays int) []int {
		p := Plan{Config: Config{Settings: Settings{Relays: relays}}, Processes: processes}
		return p.counts(k)
	}
	require.Equal(t, []int{3}, counts(3, 0))
	require.Equal(t, []int{4}, counts(9, 0))
	require.Equal(t, []int{7}, counts(9, 5))
	all := func(mpi.Op) bool { return true }
	_, err := NewPlan(6, Config{Selections: []Selection{{Kernel: k, Named: true}}, Settings: Settings{Relays: 5}}, all,
		mpi.Library{})
	require.EqualError(t, err, "Relayed needs at least 7 processes, this job has 6: start it with -n 7 or more")
}

func TestRandomFactors(t *testing.T) {
	sum := 0.0
	for _, f := range randomFactors(100, 7) {
		require.Positive(t, f)
		sum += f
	}
	require.InDelta(t, 100, sum, 1e-9)
	require.Equal(t, randomFactors(5, 1), randomFactors(5, 1))
	require.NotEqual(t, randomFactors(5, 1), randomFactors(5, 2))
	require.Equal(t, []float64{0.5, 1.5}, scaled([]float64{1, 3}))
}

func TestCheckFactors(t *testing.T) {
	require.NoError(t, CheckFactors([]float64{0, 1, 2}, 3))
	require.NoError(t, CheckFactors([]float64{1, 1, -1, math.Inf(1), 1e300}, 2), "further factors are nobody's")
	require.EqualError(t, CheckFactors([]float64{9, 9, 0, 0, 0, 0}, 2), "the mean of the factors is 9: want at most 4")
	require.EqualError(t, CheckFactors([]float64{0, 1}, 3), "2 factors for 3 processes")
	require.EqualError(t, CheckFactors([]float64{0, -1}, 2), "factor 1 is -1: want a number from 0 on")
	require.EqualError(t, CheckFactors([]float64{9, 9}, 2), "the mean of the factors is 9: want at most 4")
	for factors, want := range map[string]string{
		"": "", "speed": "", "random:0": "", "a/file": "", "random:x": "want the name of a file, speed or random:SEED",
	} {
		err := (&Settings{Factors: factors}).Check()
		if want == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, want)
	}
	k, _, _ := suites.FindIn(kernel.MPI1, "Scatter")
	_, err := NewPlan(2, Config{Selections: []Selection{{Kernel: k}}, Settings: Settings{Factors: "speed"}},
		func(mpi.Op) bool { return true }, mpi.Library{})
	require.ErrorContains(t, err, "factors are for kernels with blocks of different lengths")
}
