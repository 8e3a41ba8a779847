package ofbeff

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
)

// measured returns a result with times from a formula: a message takes a latency and a time per byte, and a bit more in
// each further method, pattern and repetition.
func measured(t testing.TB, processes int, config beff.Config) *beff.Result {
	t.Helper()
	plan, err := beff.NewPlan(processes, config)
	require.NoError(t, err)
	const loops, latency, perByte = 10, 1e-6, 1e-10
	m := &beff.Measured{Samples: fixture.Samples(plan, func(s *beff.Sample) {
		p := plan.Patterns[s.Pattern]
		slower := 1 + 0.02*float64((s.Method+s.Length)%3) + 0.01*float64(s.Repetition) + 0.01*float64(s.Pattern%17)
		s.Loops = loops
		s.Seconds = loops * slower * (latency + perByte*float64(plan.Lengths[s.Length])) * float64(p.Messages) /
			float64(p.Processes)
		s.Min, s.Mean = s.Seconds, s.Seconds
	})}
	return beff.NewResult(plan, m, rating.Run{})
}

// wholeRun returns a whole rating of 64 processes.
func wholeRun(t testing.TB) *beff.Result {
	return measured(t, 64, beff.Config{Rules: beff.Rules2001, Memory: 4 << 30, Seed: 1})
}

// broken returns a result from which samples are missing, and which has nonsense in random places. Its indices are in
// range.
func broken(t testing.TB, random *rand.Rand) *beff.Result {
	r := measured(t, 2+random.IntN(9), beff.Config{Rules: beff.Rules2001, Memory: 512 << 10 << random.IntN(20), Seed: 1,
		Quick: random.IntN(3) == 0})
	pick := func(n int) bool { return random.IntN(n) == 0 }
	kept := r.Samples[:0]
	keep := []float64{0, 0.01, 0.3, 0.9, 1}[random.IntN(5)]
	for _, s := range r.Samples {
		if pick(200) {
			s.Seconds = fixture.HostileNumbers[random.IntN(len(fixture.HostileNumbers))]
		}
		if random.Float64() < keep {
			kept = append(kept, s)
		}
	}
	r.Samples = kept
	for i := range r.Patterns {
		if pick(6) {
			r.Patterns[i].Name = fixture.HostileNames[random.IntN(len(fixture.HostileNames))]
		}
	}
	for i := range r.Lengths {
		if pick(40) {
			r.Lengths[i] = []int64{0, -1, math.MaxInt64, 1, 3}[random.IntN(5)]
		}
	}
	if pick(4) {
		r.Methods[random.IntN(len(r.Methods))] = fixture.HostileNames[random.IntN(len(fixture.HostileNames))]
	}
	r.Derived = beff.Derive(r)
	return r
}
