package stats

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// By hand: 2/3 of the squares 1, 0, 1; blocks add up, and their degrees of freedom are Satterthwaite's.
func TestJackknife(t *testing.T) {
	for _, c := range []struct {
		without           [][]float64
		variance, freedom float64
	}{
		{nil, 0, 0},
		{[][]float64{{5}}, 0, 0},
		{[][]float64{{5, 5, 5}}, 0, 0},
		{[][]float64{{1, 2, 3}}, 4. / 3, 2},
		{[][]float64{{1, 2, 3}, {7}}, 4. / 3, 2},
		{[][]float64{{1, 2, 3}, {3, 2, 1}}, 8. / 3, 4},
		{[][]float64{{0, 2}, {1, 1}}, 1, 1},
		{[][]float64{{0, 2}, {1, 2, 3}}, 7. / 3, (49. / 9) / (1 + 8./9)},
	} {
		variance, freedom := Jackknife(c.without)
		require.InDelta(t, c.variance, variance, 1e-12, "%v", c.without)
		require.InDelta(t, c.freedom, freedom, 1e-12, "%v", c.without)
	}
}

// Blocks that rank all repetitions alike: the statistic of Friedman is 2 for each, with two degrees of freedom, and
// that of neighbours a normal value of the root of twice the pairs.
func TestTestsOfRanks(t *testing.T) {
	require.Equal(t, []float64{0, -1, 1}, Ranks([]float64{5, 3, 9}))
	require.Equal(t, []float64{-0.5, -0.5, 1}, Ranks([]float64{3, 3, 9}))
	same, turned := []float64{-1, 0, 1}, []float64{1, 0, -1}
	require.InDelta(t, math.Exp(-5), Friedman([][]float64{same, same, same, same, same}), 1e-12)
	require.InDelta(t, math.Exp(-0.2), Friedman([][]float64{same, turned, same, turned, same}), 1e-12)
	require.InDelta(t, 1, Friedman([][]float64{same, turned}), 1e-12)
	require.EqualValues(t, 1, Friedman(nil))
	require.EqualValues(t, 1, Friedman([][]float64{{0}}))
	require.EqualValues(t, 1, Friedman([][]float64{{0, 0, 0}}))

	require.InDelta(t, 0.002339, Neighbours([][]float64{same, same, same, same, same}), 1e-6, "2.828 deviations")
	require.InDelta(t, 1-0.002339, Neighbours([][]float64{same, turned, same, turned, same}), 1e-6)
	require.EqualValues(t, 1, Neighbours([][]float64{same}))
	require.EqualValues(t, 1, Neighbours(nil))
}

// Three draws of three repetitions hit the one that is better in 19 of 27 cases, a pair alone in 6.
func TestResampled(t *testing.T) {
	largest := func(values ...float64) float64 {
		return Resampled(len(values), func(drawn []bool) float64 {
			best := math.Inf(-1)
			for i, in := range drawn {
				if in {
					best = max(best, values[i])
				}
			}
			return best
		})
	}
	require.InDelta(t, 19./27*8/27, largest(0, 0, 1), 1e-12)
	require.True(t, math.IsNaN(largest(make([]float64, 60)...)), "2^60 sets")
	require.InDelta(t, 26./27/27, largest(1, 0, 1), 1e-12, "one of three is worse: all draws hit it in 1 of 27 cases")
	require.InDelta(t, 3./16, largest(0, 1), 1e-12)
	require.InDelta(t, 0, largest(2, 2, 2, 2), 1e-12)
	for n, want := range map[int][]float64{3: {1, 6, 6}, 4: {1, 14, 36, 24}} {
		for k, ways := range want {
			require.InDelta(t, ways, onto(n, k+1), 1e-9, "%d draws of %d", n, k+1)
		}
	}
}

// Quantiles of tables: F of 2 and 10 degrees of freedom exceeds 4.1028 in 5 % of the cases, chi-square of 2 over 2
// exceeds 2.9957.
func TestFisher(t *testing.T) {
	require.InDelta(t, 0.05, Fisher(4.1028, 2, 10), 1e-5)
	require.InDelta(t, 0.05, Fisher(2.9957, 2, math.Inf(1)), 1e-5)
	require.InDelta(t, 0.05, Fisher(3.8415, 1, math.Inf(1)), 1e-5)
	require.Zero(t, Fisher(math.Inf(1), 2, math.Inf(1)))
	require.InDelta(t, 1, Fisher(0, 2, math.Inf(1)), 1e-12)
}
