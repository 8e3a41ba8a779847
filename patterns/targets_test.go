package patterns

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRandomTargetsGolden keeps the first draws as they are, so that runs of different releases can be compared.
func TestRandomTargetsGolden(t *testing.T) {
	require.Equal(t, "[{3 616} {3 796} {0 41} {1 449} {0 183} {1 444} {3 121} {1 783}]",
		fmt.Sprint(RandomTargets(1, 2, 4, 1000, 8, false)))
	require.Equal(t, "[{3 616} {3 796} {0 41} {1 449} {0 183} {2 444} {3 121} {1 783}]",
		fmt.Sprint(RandomTargets(1, 2, 4, 1000, 8, true)))
}

// TestRandomTargetsAreEven draws a million times. Each process and each quarter of the slots is drawn about equally
// often (within 5 σ), no slot is beyond the last one, and the process itself is drawn only if self is true.
func TestRandomTargetsAreEven(t *testing.T) {
	const processes, slots, draws, me = 7, 64, 1_000_000, 3
	for _, self := range []bool{false, true} {
		byProcess, byQuarter := map[int]float64{}, map[int]float64{}
		for _, x := range RandomTargets(1, me, processes, slots, draws, self) {
			require.True(t, x.Process >= 0 && x.Process < processes && x.Slot >= 0 && x.Slot < slots, "%v", x)
			byProcess[x.Process]++
			byQuarter[x.Slot*4/slots]++
		}
		others := processes
		if !self {
			others--
			require.Zero(t, byProcess[me])
			delete(byProcess, me)
		}
		require.Len(t, byProcess, others)
		for _, counts := range []map[int]float64{byProcess, byQuarter} {
			p := 1 / float64(len(counts))
			for x, n := range counts {
				require.InDelta(t, draws*p, n, 5*math.Sqrt(draws*p*(1-p)), "%d, self %t", x, self)
			}
		}
	}
	require.NotEqual(t, RandomTargets(1, 0, 9, 50, 20, true), RandomTargets(2, 0, 9, 50, 20, true), "the seed counts")
	require.NotEqual(t, RandomTargets(1, 0, 9, 50, 20, true), RandomTargets(1, 1, 9, 50, 20, true), "the rank counts")
}

// TestDisjointTargets checks that no slot is drawn twice. With as many draws as slots all slots are drawn.
func TestDisjointTargets(t *testing.T) {
	for _, c := range [][3]int{{1, 1, 1}, {2, 1, 1}, {3, 5, 5}, {4, 1024, 256}, {5, 30, 30}, {16, 7, 7}, {6, 9, 4}} {
		processes, slots, draws := c[0], c[1], c[2]
		seen := map[Target]bool{}
		for rank := range processes {
			for _, x := range DisjointTargets(rank, processes, slots, draws) {
				require.True(t, x.Process < processes && x.Slot < slots, "%v of %v", x, c)
				require.False(t, seen[x], "%v of %v", x, c)
				seen[x] = true
			}
		}
		require.Len(t, seen, processes*draws)
	}
}

// TestDisjointTargetsOfLargeJob compares draws of a large job with the permutation computed by math/big.
func TestDisjointTargetsOfLargeJob(t *testing.T) {
	const processes, slots, draws = 1 << 20, 1<<22 - 3, 256
	all := big.NewInt(processes * slots)
	at := func(i int64) *big.Int {
		x := DisjointTargets(int(i%processes), processes, slots, draws)[i/processes]
		return big.NewInt(int64(x.Slot)*processes + int64(x.Process))
	}
	step := new(big.Int).Sub(at(1), at(0))
	for i := int64(1); i < processes*draws; i = 3*i + 1 {
		want := new(big.Int).Mul(step, big.NewInt(i))
		require.Equal(t, want.Add(want, at(0)).Mod(want, all), at(i), "draw %d", i)
	}
}
