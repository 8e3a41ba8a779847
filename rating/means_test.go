package rating

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Figures at any depth become their geometric means. Other values are the first run's.
func TestMeans(t *testing.T) {
	type part struct {
		Name  string
		Value float64
	}
	type figures struct {
		Value, Missing float64
		Count          int
		List           []part
		Uneven         []float64
		In             *Interval
	}
	a := figures{1, 0, 3, []part{{"a", 2}, {"b", 5}}, []float64{1}, &Interval{}}
	b := figures{4, 1, 4, []part{{"c", 8}, {"d", 5}}, []float64{1, 2}, &Interval{}}
	mean := Means([]figures{a, b})
	require.InEpsilon(t, 2, mean.Value, 1e-12)
	require.InEpsilon(t, 4, mean.List[0].Value, 1e-12)
	require.InEpsilon(t, 5, mean.List[1].Value, 1e-12)
	mean.Value, mean.List = 0, nil
	require.Equal(t, figures{Count: 3}, mean)
}
