package rating

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNarrow checks when passes are enough.
func TestNarrow(t *testing.T) {
	figure := func(part float64) Value { return Value{100, Around(100, math.Log(1+part), ByPasses)} }
	require.True(t, Narrow(0.05, 3, figure(0.04)))
	require.False(t, Narrow(0.05, 2, figure(0.04)), "two passes have no interval")
	require.False(t, Narrow(0.05, 9, figure(0.06)))
	require.False(t, Narrow(0.05, 9, Value{Value: 100}))
	require.True(t, Narrow(0.05, 1, Value{}), "there will be no figure")
}

// TestPassesFor compares the expected number of passes with the number that runs with normal noise need.
func TestPassesFor(t *testing.T) {
	require.Equal(t, 4, PassesFor(0.5, 4, 100, Value{100, Around(100, math.Log(1.4), ByPasses)}))
	require.Equal(t, 100, PassesFor(1e-9, 4, 100, Value{100, Around(100, math.Log(1.4), ByPasses)}))
	r := rand.New(rand.NewPCG(1, 2))
	const sigma, within = 0.05, 0.03
	right, expectations, needed := 0, 0., 0.
	const runs = 2000
	for range runs {
		var list []float64
		var v Value
		for expected := 0; ; {
			list = append(list, 100*math.Exp(sigma*r.NormFloat64()))
			if v.Value, v.Within = GeometricMean(list); len(list) == 5 {
				expected = PassesFor(within, 5, 1000, v)
				expectations += float64(expected) / runs
			}
			if len(list) >= 5 && Narrow(within, len(list), v) {
				break
			}
		}
		needed += float64(len(list)) / runs
		if v.Within.Low <= 100 && 100 <= v.Within.High {
			right++
		}
	}
	require.InEpsilon(t, needed, expectations, 0.3)
	require.Greater(t, float64(right)/runs, 0.88) // less than 95 %, as runs end when the interval is narrow
}
