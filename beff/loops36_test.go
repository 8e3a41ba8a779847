package beff

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Release 3.6 estimates the time of the last two lengths from the fastest pattern of a method. It assumes that patterns
// take up to 4 times as long, and multiplies by 6 patterns, 3 repetitions, 2 methods, and the two lengths, which are
// twice and four times as long. 6·3·2·4·(2+4) = 864 loops of 69.44 ms take 60 s.
func TestEstimateOf36(t *testing.T) {
	for fastest, long := range map[float64]bool{0.0694: false, 0.0695: true} {
		plan, err := NewPlan(4, Config{Rules: Rules36, Memory: 1 << 27, Patterns: []string{"ring"},
			Methods: []string{"sendrecv", "alltoallv"}})
		require.NoError(t, err)
		r := newLoops36(plan)
		r.clear()
		r.count = []int64{10, 20}
		for pattern := range plan.Patterns {
			slower := float64(1 + (pattern+3)%6)
			require.True(t, r.accept(index{pattern: pattern, method: 0}, 10, 10*fastest*slower))
			require.True(t, r.accept(index{pattern: pattern, method: 1}, 20, 20*fastest*0.9*slower))
		}
		require.InEpsilon(t, 10*fastest*(1+2+3+4+5+6), r.sum[0], 1e-12)
		require.Equal(t, long, r.lastTwoTooLong(2))
		require.InEpsilon(t, fastest*4, r.perLoop[0][0], 1e-12, "seconds of one loop")
		r.chooseOnlyMethods()
		require.Equal(t, []int{1, 1, 1, 1, 1, 1}, r.onlyMethod)
		require.False(t, r.accept(index{}, 10, 0))
		require.EqualValues(t, 20, r.loops(index{method: 1}), "repeated with twice the loops, because the time is 0")
		require.Zero(t, r.loops(index{method: 0}), "only the fastest")
		require.True(t, r.accept(index{method: 1}, 20, 1e-12))
		require.EqualValues(t, 20, r.loops(index{method: 1}))
		r.count[1] = 7
		require.EqualValues(t, 7, r.loops(index{method: 1}))
	}
	r := newLoops36(&Plan{})
	r.clear()
	require.False(t, r.lastTwoTooLong(2))
}
