package settings

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
)

// With quantiles, series have as many repetitions as the outermost quantile needs, and may have more than lists can
// hold.
func TestQuantiles(t *testing.T) {
	s := Settings{Series: Series{Quantiles: []float64{50, 99, 99.9}}}
	require.NoError(t, s.Check())
	require.True(t, s.InSeries())
	require.EqualValues(t, 10_000, s.Rule().Min, "ten beyond the outermost one")
	require.EqualValues(t, 10_000, s.Rule().Max)
	require.Equal(t, ByMedian, s.Rule().Statistic)
	s.Series.Quantiles = []float64{0.1, 50}
	require.EqualValues(t, 10_000, s.Rule().Min)
	s.Series.Precision = &Precision{Relative: 0.1, Confidence: 0.95, Min: 5, Max: 1e9, Inner: 1, Statistic: ByMean}
	require.NoError(t, s.Check(), "10^9 repetitions are counted")
	require.EqualValues(t, 1e9, s.Rule().Max)
	for _, wrong := range [][]float64{{0}, {100}, {-1}, {50, 50}, {99, 50}, make([]float64, rating.MaxQuantiles+1),
		{99.99999999999}} {
		require.Error(t, (&Settings{Series: Series{Quantiles: wrong}}).Check(), "%v", wrong)
	}
	require.ErrorContains(t, (&Settings{Series: Series{Quantiles: []float64{99.9999999}}}).Check(),
		"a series counts at most")
}
