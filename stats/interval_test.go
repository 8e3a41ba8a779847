package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMean has a known answer for the rule of MPIBlib's manual: two-sided, n-1 degrees of freedom.
func TestMean(t *testing.T) {
	mean, in := Mean([]float64{10, 12, 11, 10, 12}, 0.95)
	require.Equal(t, 11.0, mean)
	require.InDelta(t, 1.241664, in.High-mean, 1e-6)
	require.InDelta(t, 1.241664, mean-in.Low, 1e-6)
	_, one := Mean([]float64{10, 12, 11, 10, 12}, 0.90) // the release's quantile: one-sided 0.95
	require.InDelta(t, 0.953391, one.High-mean, 1e-6)

	mean, in = Mean([]float64{7, 7, 7, 7, 7}, 0.95)
	require.Equal(t, Interval{7, 7, true}, in)
	require.Equal(t, 7.0, mean)
	mean, in = Mean([]float64{1, 2}, 0.95)
	require.Equal(t, 1.5, mean)
	require.False(t, in.Known, "two values have no interval")
	mean, _ = Mean(nil, 0.95)
	require.True(t, math.IsNaN(mean))
}

// Student's quantiles of (1+0.95)/2, from tables.
func TestStudent(t *testing.T) {
	for n, q := range map[int]float64{3: 4.302653, 5: 2.776445, 11: 2.228139, 31: 2.042272, 1001: 1.962339} {
		list := make([]float64, n)
		for i := range list {
			list[i] = float64(i)
		}
		mean, in := Mean(list, 0.95)
		require.InDelta(t, q, (in.High-mean)*math.Sqrt(float64(n))/Deviation(list), 1e-5, "%d", n)
	}
}

// With very many values the quantile is the normal distribution's, even far out in the tail, where gonum returns 57.
func TestStudentFarOut(t *testing.T) {
	list := make([]float64, 48_001)
	for i := range list {
		list[i] = float64(i)
	}
	mean, in := Mean(list, 1-2*3.8e-8)
	require.InDelta(t, 5.375, (in.High-mean)*math.Sqrt(float64(len(list)))/Deviation(list), 0.005)
}

// The ranks of the median's interval: none below 6 values, the ends for 6 to 8, the second for 9 to 11 (tables of the
// sign test at 0.05).
func TestMedian(t *testing.T) {
	for n, k := range map[int]int{0: 0, 1: 0, 5: 0, 6: 1, 8: 1, 9: 2, 11: 2, 12: 3, 15: 4, 17: 5, 20: 6, 25: 8, 50: 18,
		100: 40, 1000: 469} {
		require.Equal(t, k, medianRank(n, 0.95), "%d", n)
	}
	require.Equal(t, 1, medianRank(8, 0.99), "2/256")
	require.Equal(t, 0, medianRank(7, 0.99), "2/128")
	median, in := Median([]float64{1, 2, 3, 4, 5, 6, 7, 8, 9}, 0.95)
	require.Equal(t, 5.0, median)
	require.Equal(t, Interval{2, 8, true}, in)
	median, in = Median([]float64{1, 2, 3, 4}, 0.95)
	require.Equal(t, 2.5, median)
	require.Equal(t, Interval{}, in)
}

// The expected quantiles are NumPy's.
func TestQuantile(t *testing.T) {
	list := []float64{1, 2, 4, 8}
	for p, want := range map[float64]float64{0: 1, 0.25: 1.75, 0.5: 3, 0.9: 6.8, 0.99: 7.88, 1: 8} {
		require.InDelta(t, want, Quantile(list, p), 1e-12, "%v", p)
	}
	require.Equal(t, 3.0, Quantile([]float64{3}, 0.9))
	require.True(t, math.IsNaN(Quantile(nil, 0.5)))
}

func TestOutliers(t *testing.T) {
	// The quartiles are 3 and 7, so that the limits are -3 and 13.
	count, rest := Outliers([]float64{1, 2, 3, 4, 5, 6, 7, 8, 13.1})
	require.Equal(t, 1, count)
	require.Equal(t, 4.5, rest)
	count, _ = Outliers([]float64{1, 2, 3, 4, 5, 6, 7, 8, 12.9})
	require.Zero(t, count)
	count, rest = Outliers([]float64{0, 10, 10, 10, 10, 10, 30})
	require.Equal(t, 2, count, "on both sides, of values without a spread")
	require.Equal(t, 10.0, rest)
}

// If values are c times as large, their means, intervals and outliers are, too.
func TestScale(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		n, c := 3+random.IntN(30), math.Exp2(float64(random.IntN(40)-20))
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i] = random.ExpFloat64()
			y[i] = c * x[i]
		}
		mx, ix := Mean(x, 0.95)
		my, iy := Mean(y, 0.95)
		require.Equal(t, c*mx, my)
		require.InEpsilon(t, c*(ix.High-mx), iy.High-my, 1e-9)
		cx, rx := Outliers(Sorted(x))
		cy, ry := Outliers(Sorted(y))
		require.Equal(t, cx, cy)
		require.Equal(t, c*rx, ry)
	}
}
