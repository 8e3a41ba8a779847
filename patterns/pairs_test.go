package patterns

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// The rounds of 2 to 5 processes, written by hand.
func TestCircle(t *testing.T) {
	for processes, want := range map[int][][]Pair{
		2: {{{0, 1}}},
		3: {{{1, 2}}, {{0, 2}}, {{0, 1}}},
		4: {{{0, 3}, {1, 2}}, {{0, 2}, {1, 3}}, {{0, 1}, {2, 3}}},
		5: {{{1, 4}, {2, 3}}, {{0, 2}, {3, 4}}, {{0, 4}, {1, 3}}, {{0, 1}, {2, 4}}, {{0, 3}, {1, 2}}},
	} {
		r, err := AllPairs(processes)
		require.NoError(t, err)
		var got [][]Pair
		for k := range r.Count {
			got = append(got, r.Of(k))
		}
		require.Equal(t, want, got, "%d processes", processes)
	}
}

// requireDisjoint checks that no rank is twice in a round, and no pair twice in all rounds. It returns the number of
// pairs of each rank.
func requireDisjoint(t *testing.T, r Rounds) []int {
	t.Helper()
	degree, seen := make([]int, r.Processes), map[Pair]bool{}
	for k := range r.Count {
		busy := map[int]bool{}
		require.NotEmpty(t, r.Of(k), "round %d of %d", k, r.Count)
		for _, p := range r.Of(k) {
			require.True(t, 0 <= p.I && p.I < p.J && p.J < r.Processes, "%v of %d", p, r.Processes)
			require.False(t, busy[p.I] || busy[p.J] || seen[p], "%v in round %d of %d", p, k, r.Processes)
			busy[p.I], busy[p.J], seen[p] = true, true, true
			degree[p.I]++
			degree[p.J]++
		}
	}
	require.Len(t, seen, r.Pairs)
	return degree
}

// All pairs come once, in the least number of rounds, and their indices count from 0.
func TestAllPairs(t *testing.T) {
	for processes := 2; processes <= 33; processes++ {
		r, err := AllPairs(processes)
		require.NoError(t, err)
		require.Equal(t, processes-1+processes%2, r.Count)
		for _, n := range requireDisjoint(t, r) {
			require.Equal(t, processes-1, n)
		}
		for i, p := range r.All() {
			require.Equal(t, i, p.Index(processes), "%v of %d", p, processes)
		}
	}
}

func TestRingPairs(t *testing.T) {
	for processes := 2; processes <= 33; processes++ {
		r, err := RingPairs(processes)
		require.NoError(t, err)
		require.LessOrEqual(t, r.Count, 3)
		for rank, n := range requireDisjoint(t, r) {
			require.Equal(t, min(2, processes-1), n, "rank %d of %d", rank, processes)
		}
		for _, p := range r.All() {
			require.True(t, p.J == p.I+1 || p.I == 0 && p.J == processes-1, "%v of %d", p, processes)
		}
	}
}

// Sampled pairs depend on the seed, and all ranks are in about as many.
func TestSampledPairs(t *testing.T) {
	for _, c := range []struct{ processes, n int }{
		{2, 1}, {3, 1}, {3, 3}, {7, 20}, {8, 1}, {8, 4}, {8, 5}, {8, 28}, {33, 100}, {4096, 3 * 4096},
	} {
		r, err := SampledPairs(c.processes, c.n, 1)
		require.NoError(t, err)
		low, high := math.MaxInt, 0
		for _, n := range requireDisjoint(t, r) {
			low, high = min(low, n), max(high, n)
		}
		require.Equal(t, c.n, r.Pairs)
		require.LessOrEqual(t, high-low, 1+c.processes%2, "%+v", c)
		again, err := SampledPairs(c.processes, c.n, 1)
		require.NoError(t, err)
		require.Equal(t, r.All(), again.All())
	}
	one, err := SampledPairs(64, 64, 1)
	require.NoError(t, err)
	other, err := SampledPairs(64, 64, 2)
	require.NoError(t, err)
	require.NotEqual(t, one.All(), other.All())
}

func TestPairsErrors(t *testing.T) {
	for _, err := range []error{
		errOf(AllPairs(1)), errOf(AllPairs(math.MaxInt32 + 1)), errOf(RingPairs(1)), errOf(SampledPairs(1, 1, 1)),
		errOf(SampledPairs(4, 0, 1)), errOf(SampledPairs(4, 7, 1)),
	} {
		require.ErrorContains(t, err, "pairs: ")
	}
}

func errOf(_ Rounds, err error) error { return err }
