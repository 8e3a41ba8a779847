package method

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRandomFactors(t *testing.T) {
	sum := 0.0
	for _, f := range randomFactors(100, 7) {
		require.Positive(t, f)
		sum += f
	}
	require.InDelta(t, 100, sum, 1e-9)
	require.Equal(t, randomFactors(5, 1), randomFactors(5, 1))
	require.NotEqual(t, randomFactors(5, 1), randomFactors(5, 2))
	require.Equal(t, []float64{0.5, 1.5}, scaled([]float64{1, 3}))
}
