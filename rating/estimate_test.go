package rating_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
)

// The words about a figure's error, and its number of digits, follow from its interval.
func TestEstimate(t *testing.T) {
	const x = 4.72e9
	sides := func(below, above float64) rating.Estimate {
		return rating.Estimate{Value: x, Within: &rating.Interval{Low: x * (1 - below), High: x * (1 + above)}}
	}
	model := sides(0, 0)
	model.Model = true
	for _, c := range []struct {
		d      rating.Estimate
		kind   rating.Kind
		text   string
		digits int
	}{
		{rating.Estimate{Value: x}, rating.NotKnown, "± not known", 3},
		{model, rating.OfModel, "computed by a model", 4},
		{rating.Estimate{Value: x, Model: true}, rating.OfModel, "computed by a model", 4},
		{sides(0, 0), rating.Even, "± less than 0.1 %", 4},
		{sides(0.0004, 0.0004), rating.Even, "± less than 0.1 %", 4},
		{sides(0.004, 0.004), rating.Even, "± 0.4 %", 4},
		{sides(0.01, 0.01), rating.Even, "± 1 %", 3},
		{sides(0.019, 0.0191), rating.Even, "± 1.9 %", 3},
		{sides(0.12, 0.13), rating.Even, "± 13 %", 2},
		{sides(0.25, 0.249), rating.Even, "± 25 %", 2},
		{sides(0.1, 0.14), rating.Uneven, "-10 to +14 %", 2},
		{sides(0.14, 0), rating.Uneven, "-14 to +0 %", 2},
		{sides(0.26, 0.26), rating.VeryNoisy, "± 26 %", 2},
		{sides(0.18, 0.53), rating.VeryNoisy, "-18 to +53 %", 2},
		{sides(0.5, 9), rating.VeryNoisy, "-50 to +900 %", 2},
	} {
		require.Equal(t, c.kind, c.d.Kind(), c.text)
		require.Equal(t, c.text, c.d.String())
		require.Equal(t, c.digits, c.d.Digits(), c.text)
		half := c.d.Over(2)
		require.Equal(t, c.text, half.String(), "the error of a part is the same")
	}
	require.Equal(t, 3, rating.SignificantDigits(5.372976e9, 0.03), "a digit may be off by half of the distance")
	require.Equal(t, 2, rating.SignificantDigits(5.372976e9, 0.12))
}

// Two figures differ if their distance is more than their combined intervals, in either order.
func TestCompare(t *testing.T) {
	of := func(value, half float64) rating.Estimate {
		return rating.Estimate{Value: value, Within: rating.Around(value, half, rating.ByPasses)}
	}
	runs := func(value, half float64, n int) rating.Estimate {
		d := of(value, half)
		d.Runs = n
		return d
	}
	for name, c := range map[string]struct {
		a, b         rating.Estimate
		apart, known bool
	}{
		"beyond root of squares": {of(1, 0.03), of(math.Exp(0.0501), 0.04), true, true},
		"within it":              {of(1, 0.03), of(math.Exp(0.0499), 0.04), false, true},
		"noisy":                  {of(1, 0.03), of(1.1, 0.3), false, true},
		"not known":              {of(1, 0.03), rating.Estimate{Value: 1.1}, true, false},
		"not known, and near":    {rating.Estimate{Value: 1}, rating.Estimate{Value: 1.01}, false, false},
		"models": {rating.Estimate{Value: 1, Model: true}, rating.Estimate{Value: 1.001, Model: true}, true,
			true},
		"model and measured":     {rating.Estimate{Value: 1, Model: true}, of(1.1, 0.01), true, false},
		"several runs are surer": {runs(1, 0.05, 5), runs(math.Exp(0.0675), 0.05, 5), true, true},
		"a run and several":      {of(1, 0.001), runs(1.02, 0.02, 3), false, true},
	} {
		for _, pair := range [][2]rating.Estimate{{c.a, c.b}, {c.b, c.a}} {
			got := rating.Compare(pair[0], pair[1])
			require.Equal(t, c.apart, got.Differ(), name)
			require.Equal(t, c.known, got.Known(), name)
		}
	}
}

// Distinct agrees with the order of a comparison for all numbers of runs, near the limit and far from it.
func TestDistinct(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 4))
	spread := func() rating.Spread {
		s := rating.Spread{Value: math.Exp(r.NormFloat64() / 20), Deviation: 0.01 * math.Exp(r.NormFloat64()),
			Runs: r.IntN(80), Model: r.IntN(10) == 0}
		switch s.Degrees = rating.Normal; {
		case s.Model || r.IntN(10) == 0:
			s.Degrees, s.Deviation = 0, 0
		case s.Runs >= rating.MinRuns:
			s.Degrees = s.Runs - 1
		}
		if r.IntN(10) == 0 {
			s.Deviation = 0
		}
		if r.IntN(20) == 0 {
			s.Value = 1
		}
		return s
	}
	counts := map[bool]int{}
	for range 3000 {
		a, b := spread(), spread()
		order := rating.CompareSpreads(a, b).Order()
		want := order == rating.Larger || order == rating.Smaller
		if a.Model && b.Model {
			want = a.Value != b.Value
		}
		require.Equal(t, want, rating.Distinct(a, b), "%+v %+v", a, b)
		counts[want]++
	}
	require.Greater(t, min(counts[true], counts[false]), 500)
}
