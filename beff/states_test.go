package beff_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
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

// Where states last for many blocks, the true b_eff may be lower by half of what the worse state costs, and higher by
// what the lengths have lost whose repetitions agree, if they agree because all of them met the worse state.
func TestIntervalByStates(t *testing.T) {
	s := newSimulation(t, 1, false)
	rate := func(k kind) *beff.Result {
		r, _ := s.run(&k, rand.New(rand.NewPCG(1, 1)))
		return r
	}
	sides := func(r *beff.Result) (below, above float64, method rating.Method) {
		in := r.Derived.BEffInterval
		return math.Log(r.Derived.BEff / in.Low), math.Log(in.High / r.Derived.BEff), in.Method
	}
	never := rate(kind{begin: calm, noise: turning(0, 0).noise}).Derived.BEff

	// Lengths 0 to 16 have met both.
	two := [][2]float64{{0, 9}, {28, 38}}
	below, above, method := sides(rate(turning(0.2, 0, two...)))
	require.Equal(t, rating.ByStates, method)
	require.InEpsilon(t, math.Log(1.2)/2, below, 1e-6)
	require.Less(t, above, math.Log(1.2))

	// The others were in the worse state in all repetitions, and the interval ends at what they have lost.
	const last = 17
	lost := rate(turning(0.2, 0, append(two, [2]float64{last, 21}, [2]float64{21 + last, 42},
		[2]float64{42 + last, 63})...))
	below, above, method = sides(lost)
	require.Equal(t, rating.ByStates, method)
	require.InEpsilon(t, math.Log(1.2)/2, below, 1e-6)
	require.InEpsilon(t, math.Log(never/lost.Derived.BEff), above, 1e-6)

	// All lengths have met both: nothing is lost. Half of the interval by repetitions is left above.
	all := rate(turning(0.2, 0, [2]float64{0, 21}))
	below, above, _ = sides(all)
	require.InEpsilon(t, math.Log(1.2)/2, below, 1e-6)
	require.Less(t, above, below)
	require.InEpsilon(t, never, all.Derived.BEff, 1e-9)

	// Half of the lengths show it, the short ones: the longer ones take as much longer for each message.
	k := turning(0, 0.23e-6, [2]float64{0, 11})
	below, _, method = sides(rate(k))
	require.Equal(t, rating.ByStates, method)
	always := rate(turning(0, 0.23e-6, [2]float64{0, blocks})).Derived.BEff
	require.InEpsilon(t, math.Log(never/always)/2, below, 0.25)
	require.Greater(t, below, math.Log(never/always)/2*0.99)

	const most = 0.05
	for why, k := range map[string]kind{
		"a single disturbance":   turning(0.2, 0, [2]float64{30.6, 32.4}),
		"one that costs much":    turning(1.5, 0, [2]float64{30.6, 32.4}),
		"less than 2 %":          turning(0.015, 0, two...),
		"less than half a block": turning(0.2, 0, [2]float64{5, 5.4}, [2]float64{15, 15.4}, [2]float64{30, 30.4}),
	} {
		below, above, method = sides(rate(k))
		require.NotEqual(t, rating.ByStates, method, why)
		require.Less(t, max(below, above), most, why)
	}
}

// Lengths that a state has changed less than their noise explains show none.
func TestStatesInNoise(t *testing.T) {
	s := newSimulation(t, 1, false)
	for seed := range uint64(5) {
		k := turning(0.04, 0, [2]float64{0, 9}, [2]float64{28, 38})
		k.noise = normal(0.15)
		r, _ := s.run(&k, rand.New(rand.NewPCG(seed, 1)))
		require.NotEqual(t, rating.ByStates, r.Derived.BEffInterval.Method)
		k.noise = normal(0.02)
		r, _ = s.run(&k, rand.New(rand.NewPCG(seed, 1)))
		require.Equal(t, rating.ByStates, r.Derived.BEffInterval.Method)
	}
}

// The sign of states says what b_eff would be in the worst state that lengths have met, be it a few of them, where the
// interval doesn't count it. Two lengths may be a disturbance of a second.
func TestSignOfStates(t *testing.T) {
	for why, c := range map[string]struct {
		kind  kind
		lower float64
		quiet bool
	}{
		"never":            {turning(0, 0), 0, true},
		"many lengths":     {turning(0.2, 0, [2]float64{0, 9}), 1 - 1/1.2, false},
		"three":            {turning(0.2, 0, [2]float64{24, 27}), 1 - 1/1.2, false},
		"three, a little":  {turning(0.05, 0, [2]float64{24, 27}), 1 - 1/1.05, true},
		"two":              {turning(0.2, 0, [2]float64{24, 26}), 0, true},
		"always":           {turning(0.2, 0, [2]float64{0, blocks}), 0, true},
		"parts of a block": {turning(0.2, 0, [2]float64{5, 5.4}, [2]float64{15, 15.4}, [2]float64{30, 30.4}), 0, true},
	} {
		r, _ := newSimulation(t, 1, false).run(&c.kind, rand.New(rand.NewPCG(1, 1)))
		sign := r.Signs[slices.IndexFunc(r.Signs, func(x rating.Sign) bool { return x.Name == "states" })]
		require.InDelta(t, c.lower, sign.Value, 1e-6, why)
		require.Equal(t, c.quiet, sign.Quiet, why)
	}
}
