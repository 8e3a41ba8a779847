package words

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
)

// A rating has the digits that its interval bears, and no others.
func TestRated(t *testing.T) {
	for _, c := range []struct {
		x, part float64
		want    string
	}{
		{5372.976e6, 0.03, "5.37 GB/s"}, {5372.976e6, 0.004, "5.373 GB/s"}, {5372.976e6, 0.12, "5.37 GB/s"},
		{5372.976e6, 0.3, "5.4 GB/s"}, {5372.976e6, 3, "5.4 GB/s"}, {5372.976e6, 1e-9, "5.373 GB/s"},
		{5372.976e6, 0, "5.373 GB/s"}, {5372.976e6, math.NaN(), "5.37 GB/s"}, {375724.959e6, 0.02, "375.7 GB/s"},
		{999.96e6, 0.1, "1000 MB/s"}, {123.456, 0.5, "123 B/s"}, {1.5e18, 0.1, "1500 PB/s"}, {0, 0.1, "- B/s"},
	} {
		number, unit := Rated(c.x, c.part)
		require.Equal(t, c.want, number+" "+unit, "%v ± %v", c.x, c.part)
	}
}

func TestWithin(t *testing.T) {
	for want, part := range map[string]float64{"± 3 %": 0.03, "± 3.2 %": 0.032, "± 12 %": 0.123, "± 0.4 %": 0.0042,
		"± 0 %": 0, "± 99 %": 0.994, "± 100 %": 0.999, "± 140 %": 1.4, "": math.NaN()} {
		require.Equal(t, want, Within(part))
	}
}

func TestSoFar(t *testing.T) {
	require.Empty(t, SoFar(rating.Value{}))
	require.Equal(t, "5.37 GB/s; ", SoFar(rating.Value{Value: 5372.976e6}), "quick passes have no interval")
	require.Equal(t, "5.37 GB/s ± 3 %; ", SoFar(rating.Value{Value: 5372.976e6,
		Within: &rating.Interval{Low: 5372.976e6 * 0.97, High: 5372.976e6 * 1.03}}))
}
