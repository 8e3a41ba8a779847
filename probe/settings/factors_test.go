package settings

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCheckFactors(t *testing.T) {
	require.NoError(t, CheckFactors([]float64{0, 1, 2}, 3))
	require.NoError(t, CheckFactors([]float64{1, 1, -1, math.Inf(1), 1e300}, 2), "no process has the further factors")
	require.EqualError(t, CheckFactors([]float64{9, 9, 0, 0, 0, 0}, 2), "the mean of the factors is 9: want at most 4")
	require.EqualError(t, CheckFactors([]float64{0, 1}, 3), "2 factors for 3 processes")
	require.EqualError(t, CheckFactors([]float64{0, -1}, 2), "factor 1 is -1: want a number of at least 0")
	require.EqualError(t, CheckFactors([]float64{9, 9}, 2), "the mean of the factors is 9: want at most 4")
	for factors, want := range map[string]string{
		"": "", "speed": "", "random:0": "", "a/file": "", "random:x": "want the name of a file, speed or random:SEED",
	} {
		err := (&Settings{Blocks: Blocks{Factors: factors}}).Check()
		if want == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, want)
	}
}
