package beff_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
)

const blocks = 3 * 21 // of a run: a length in a repetition each

// turning returns a machine without noise that is slower by a part, and by seconds for each message, from one block to
// another.
func turning(part, seconds float64, slow ...[2]float64) kind {
	return kind{noise: func(*rand.Rand) float64 { return 1 },
		begin: func(_ *rand.Rand, run float64) func(float64) (float64, float64) {
			return func(now float64) (float64, float64) {
				for _, s := range slow {
					if at := now/run*blocks + 1e-3; at >= s[0] && at < s[1] {
						return simulatedLatency + seconds/(1+part), 1 + part
					}
				}
				return simulatedLatency, 1
			}
		}}
}

// Where states last for many blocks, the true b_eff may be 7/8 of what it loses in the worse one above the run's, and
// 8/27 below, even if most lengths have seen one state alone.
func TestIntervalByStates(t *testing.T) {
	s := newSimulation(t)
	above := func(k kind) (float64, rating.Method) {
		r, _ := s.run(&k, rand.New(rand.NewPCG(1, 1)))
		in := r.Derived.BEffInterval
		if above := math.Log(in.High / r.Derived.BEff); in.Method == rating.ByStates {
			require.InEpsilon(t, 8./27*8/7*above, math.Log(r.Derived.BEff/in.Low), 1e-9)
		}
		return math.Log(in.High / r.Derived.BEff), in.Method
	}
	const factor = 7. / 8

	h, method := above(turning(0.2, 0, [2]float64{0, 9}, [2]float64{28, 38}))
	require.Equal(t, rating.ByStates, method)
	require.InEpsilon(t, factor*math.Log(1.2), h, 1e-6)

	// A third of the lengths shows it, the short ones: the longer ones take as much longer for each message.
	k := turning(0, 0.23e-6, [2]float64{0, 7})
	h, method = above(k)
	require.Equal(t, rating.ByStates, method)
	always, _ := s.run(&kind{noise: k.noise, begin: turning(0, 0.23e-6, [2]float64{0, blocks}).begin}, nil)
	never, _ := s.run(&kind{noise: k.noise, begin: calm}, nil)
	require.InEpsilon(t, factor*math.Log(never.Derived.BEff/always.Derived.BEff), h, 0.1)

	h, _ = above(turning(0.2, 0, [2]float64{30.5, 31.5}))
	require.Less(t, h, 0.05, "a single disturbance is no state")
	h, method = above(turning(0.04, 0, [2]float64{0, 9}, [2]float64{28, 38}))
	require.NotEqual(t, rating.ByStates, method, "nobody sees 4 %, which changes b_eff by less")
	require.Less(t, h, 0.1)
}
