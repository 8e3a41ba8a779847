package drawn

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
)

// Measured returns a result by a formula: a message takes a latency and a time per byte, and each method, pattern and
// repetition a bit more than the one before.
func Measured(t testing.TB, processes int, config beff.Config) *beff.Result {
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

// Whole returns a whole rating of 64 processes.
func Whole(t testing.TB) *beff.Result {
	return Measured(t, 64, beff.Config{Rules: beff.Rules2001, Memory: 4 << 30, Seed: 1})
}

// HostileNames are names that a stranger's file may have.
var HostileNames = []string{
	"", " ", "\x00\x01\x7f", "a\nb\tc", "</text><script>alert(1)</script>", `"&'<>`, "\xff\xfe\xc0", "\u202egnp.exe",
	strings.Repeat("very long name ", 4000),
	"e\u0301\u0301\u0301\u0301", "😀😀😀", "日本語のシステム", strings.Repeat("W", 300), "<!--", "]]>", "%s%d%!n", "\u2028\u2029",
	"../../etc/passwd",
}

// HostileNumbers are numbers that a broken clock or a stranger's file may have.
var HostileNumbers = []float64{0, -1, math.NaN(), math.Inf(1), math.Inf(-1), 1e-308, math.MaxFloat64,
	math.SmallestNonzeroFloat64, 1, 1e-9}

// Broken returns a result with random holes and nonsense in it, whose indices are in range.
func Broken(t testing.TB, random *rand.Rand) *beff.Result {
	r := Measured(t, 2+random.IntN(9), beff.Config{Rules: beff.Rules2001, Memory: 512 << 10 << random.IntN(20), Seed: 1,
		Quick: random.IntN(3) == 0})
	pick := func(n int) bool { return random.IntN(n) == 0 }
	kept := r.Samples[:0]
	keep := []float64{0, 0.01, 0.3, 0.9, 1}[random.IntN(5)]
	for _, s := range r.Samples {
		if pick(200) {
			s.Seconds = HostileNumbers[random.IntN(len(HostileNumbers))]
		}
		if random.Float64() < keep {
			kept = append(kept, s)
		}
	}
	r.Samples = kept
	for i := range r.Patterns {
		if pick(6) {
			r.Patterns[i].Name = HostileNames[random.IntN(len(HostileNames))]
		}
	}
	for i := range r.Lengths {
		if pick(40) {
			r.Lengths[i] = []int64{0, -1, math.MaxInt64, 1, 3}[random.IntN(5)]
		}
	}
	if pick(4) {
		r.Methods[random.IntN(len(r.Methods))] = HostileNames[random.IntN(len(HostileNames))]
	}
	r.Derived = beff.Derive(r)
	return r
}
