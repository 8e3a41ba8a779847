package versus

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/report/document"
)

// The logarithmic mean (x - y)/(ln x - ln y) of 4 and 1 is 3/ln 4. That of equal numbers is that number. It is between
// the geometric and the arithmetic mean.
func TestLogMean(t *testing.T) {
	require.InEpsilon(t, 3/math.Log(4), LogMean(4, 1), 1e-15)
	require.InEpsilon(t, 3/math.Log(4), LogMean(1, 4), 1e-15)
	require.InEpsilon(t, 6/math.Log(4), LogMean(8, 2), 1e-15)
	require.InEpsilon(t, math.E-1, LogMean(math.E, 1), 1e-15)
	require.InEpsilon(t, 7., LogMean(7, 7), 1e-15)
	for _, d := range []float64{1e-15, 1e-12, 1e-9, 1e-7, 1e-6, 1e-3, 0.5} {
		mean := LogMean(3*(1+d), 3)
		require.GreaterOrEqual(t, mean, 3*math.Sqrt(1+d)*(1-1e-9))
		require.LessOrEqual(t, mean, 3*(1+d/2)*(1+1e-9))
		require.InEpsilon(t, 3*(1+d/2-d*d/12+d*d*d/24), mean, 1e-8+d*d*d*d/30, "its series, %v", d)
	}
}

func TestRanked(t *testing.T) {
	list := Ranked(map[string]float64{"c": 0.1, "a": -0.4, "b": 0.7, "d": -0.1}, 0.3)
	require.Len(t, list, 4)
	for i, want := range []Part{{"b", 0.7, 7. / 3}, {"a", -0.4, -4. / 3}, {"c", 0.1, 1. / 3}, {"d", -0.1, -1. / 3}} {
		require.Equal(t, want.Name, list[i].Name, "the largest first, then by name")
		require.Equal(t, want.Log, list[i].Log)
		require.InEpsilon(t, want.Share, list[i].Share, 1e-12)
	}
	require.True(t, math.IsNaN(Ranked(map[string]float64{"a": 1, "b": -1}, 0)[0].Share), "parts of nothing")
	require.InEpsilon(t, 1e6, Ranked(map[string]float64{"a": 1}, 1e-6)[0].Share, 1e-12)
	require.InEpsilon(t, 1e6, -Ranked(map[string]float64{"a": 1}, -1e-6)[0].Share, 1e-12)
}

func TestGeometricMean(t *testing.T) {
	require.Zero(t, GeometricMean(nil))
	require.InEpsilon(t, 4., GeometricMean([]float64{2, 8}), 1e-15)
	require.InEpsilon(t, 1., GeometricMean([]float64{0.25, 2, 2}), 1e-15)
}

// A difference is larger than the spread if the interval and the ratio are on the same side of 1.
func TestLargerThanSpread(t *testing.T) {
	for _, c := range []struct {
		second, low, high float64
		known, want       bool
	}{
		{1.2, 1.1, 1.3, true, true}, {1.2, 1.1, 1.3, false, false}, {1.2, 1, 1.3, true, false},
		{1.2, 0.9, 1.3, true, false}, {0.8, 0.7, 0.9, true, true}, {0.8, 0.7, 1, true, false},
		{0.8, 1.1, 1.2, true, false}, {1.2, 0.8, 0.9, true, false}, {1, 1.1, 1.2, true, false},
		{1, 0.8, 0.9, true, false},
	} {
		d := Difference{First: 10, Second: 10 * c.second, Interval: Interval{c.low, c.high, c.known}}
		require.InEpsilon(t, c.second, d.Ratio(), 1e-15)
		require.Equal(t, c.want, d.LargerThanSpread(), "%+v", c)
	}
}

// A difference is measured if both results have a bandwidth.
func TestMeasured(t *testing.T) {
	for _, none := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		require.False(t, Difference{First: none, Second: 0.5}.Measured(), "%v", none)
		require.False(t, Difference{First: 0.5, Second: none}.Measured(), "%v", none)
	}
	require.True(t, Difference{First: 0.5, Second: 1e12}.Measured())
}

// Each of the others has its ratio.
func TestMade(t *testing.T) {
	d := new(document.Document)
	require.Equal(t, &Comparison{d, []float64{2, 6}},
		Made(d, []float64{1, 3}, func(x float64) float64 { return 2 * x }))
}

// If one result doesn't vary, the degrees of freedom are those of the other. Student's t at 97.5 % is 4.302653 with 2
// degrees and 12.706205 with 1. The logarithms 0, 1, 2 have the variance 1, the logarithms 0, 1 have 1/2.
func TestWelchOfOneThatVaries(t *testing.T) {
	three, two, same := []float64{1, math.E, math.E * math.E}, []float64{1, math.E}, []float64{1, 1, 1, 1, 1}
	for _, c := range []struct {
		a, b         []float64
		middle, half float64
	}{
		{three, same, -1, 4.302653 * math.Sqrt(1./3)},
		{same, three, 1, 4.302653 * math.Sqrt(1./3)},
		{two, same, -0.5, 12.706205 * math.Sqrt(1./4)},
		{same, two, 0.5, 12.706205 * math.Sqrt(1./4)},
	} {
		i := Welch(c.a, c.b)
		require.True(t, i.Known)
		require.InDelta(t, c.middle-c.half, math.Log(i.Low), 1e-5)
		require.InDelta(t, c.middle+c.half, math.Log(i.High), 1e-5)
	}
	for _, wrong := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		require.False(t, Welch(three, []float64{1, 2, wrong}).Known)
		require.False(t, Welch([]float64{1, 2, wrong}, three).Known)
	}
}
