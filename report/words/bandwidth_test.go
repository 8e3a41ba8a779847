package words

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
)

// A rating has as many digits as its interval justifies, and the ends of the interval have no more.
func TestRated(t *testing.T) {
	for _, c := range []struct {
		x, part      float64
		want, within string
	}{
		{5372.976e6, 0.03, "5.37 GB/s", "5.21 to 5.53 GB/s"}, {5372.976e6, 0.004, "5.37 GB/s", "5.35 to 5.39 GB/s"},
		{5372.976e6, 0.12, "5.4 GB/s", "4.7 to 6.0 GB/s"}, {5372.976e6, 0.3, "5.4 GB/s", "3.8 to 7.0 GB/s"},
		{5372.976e6, 0, "5.373 GB/s", "5.373 to 5.373 GB/s"}, {375724.959e6, 0.02, "376 GB/s", "368 to 383 GB/s"},
		{5372.976e6, math.NaN(), "5.37 GB/s", ""}, {999.96e6, 0.1, "1.00 GB/s", "0.90 to 1.10 GB/s"},
		{123.456, 0.5, "120 B/s", "62 to 185 B/s"}, {1.5e18, 0.1, "1500 PB/s", "1350 to 1650 PB/s"},
		{0, math.NaN(), "- B/s", ""},
	} {
		d := rating.Estimate{Value: c.x}
		if !math.IsNaN(c.part) {
			d.Within = &rating.Interval{Low: c.x * (1 - c.part), High: c.x * (1 + c.part)}
		}
		number, unit := ValueAndUnit(d)
		require.Equal(t, c.want, number+" "+unit, "%v ± %v", c.x, c.part)
		require.Equal(t, c.within, Range(d))
	}
}

func TestSoFar(t *testing.T) {
	require.Empty(t, EstimateSoFar(rating.Value{}))
	require.Equal(t, "5.37 GB/s; ", EstimateSoFar(rating.Value{Value: 5372.976e6}), "quick passes have no interval")
	require.Equal(t, "5.37 GB/s ± 3 %; ", EstimateSoFar(rating.Value{Value: 5372.976e6,
		Within: &rating.Interval{Low: 5372.976e6 * 0.97, High: 5372.976e6 * 1.03}}))
}

// The ends of an interval that is too wide to be useful are replaced by words, and are left out for scripts.
func TestWideInterval(t *testing.T) {
	wild := rating.Value{Value: 607e6, Within: &rating.Interval{Low: 1e-27, High: 3e38}}
	require.Equal(t, "610 MB/s (± more than 1000 %)", WithRange(wild.Estimate()))
	require.True(t, math.IsNaN(wild.Ends().Low) && math.IsNaN(wild.Ends().High))
	require.Equal(t, "more than 1000", rating.Percent(1e31))
}
