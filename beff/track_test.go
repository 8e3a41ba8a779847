package beff

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// The fit tells what patterns, levels and noise differ by, and finds the patterns and their best of three, whether
// patterns differ or not.
func TestTrack(t *testing.T) {
	const all, rings, rounds, each, machines = 36, 6, 30, 6, 40
	for _, want := range []variances{{0, 0, 4e-4}, {1e-2, 0, 4e-4}, {0, 1e-3, 4e-4}, {1e-2, 1e-3, 4e-4}} {
		r := rand.New(rand.NewPCG(1, 2))
		var got variances
		var wrong, off float64
		for range machines {
			pattern := make([]float64, all)
			for p := range pattern {
				pattern[p] = math.Sqrt(want.ofPatterns) * r.NormFloat64()
			}
			visits := []visit{}
			add := func(p, round int, level, noise float64) {
				visits = append(visits, visit{pattern: p, random: p >= rings, round: round, short: round == 0,
					log: pattern[p] + level + noise*r.NormFloat64()})
			}
			for p := range all {
				add(p, 0, -0.2, 3*math.Sqrt(want.ofNoise))
			}
			for round := 1; round <= rounds; round++ {
				level := math.Sqrt(want.ofLevels) * r.NormFloat64()
				for _, p := range r.Perm(all)[:each] {
					add(p, round, level, math.Sqrt(want.ofNoise))
				}
			}
			c := course{seconds: make([]float64, rounds), third: make([]int, rounds)}
			for round := range rounds {
				c.seconds[round], c.third[round] = 1, repetitions*round/rounds
			}
			track := c.track(all, 1, visits)
			got.ofPatterns += track.ofPatterns / machines
			got.ofLevels += track.ofLevels / machines
			got.ofNoise += track.ofNoise / machines
			const bestOfThree = 0.8463 // expected, of normal values of deviation 1
			best := bestOfThree * math.Sqrt(want.ofNoise+want.ofLevels)
			for p, log := range track.pattern {
				wrong += (log - pattern[p] - best) * (log - pattern[p] - best) / all / machines
				off += (log - pattern[p] - best) / all / machines
			}
		}
		require.InDelta(t, want.ofNoise, got.ofNoise, 0.15*want.ofNoise, "%+v", want)
		require.InDelta(t, want.ofLevels, got.ofLevels, 0.15*want.ofLevels+0.1*want.ofNoise, "%+v", want)
		require.InDelta(t, want.ofPatterns, got.ofPatterns, 0.15*want.ofPatterns+0.1*want.ofNoise, "%+v", want)
		require.InDelta(t, 0, off, 0.003, "%+v", want)
		require.Less(t, wrong, want.ofNoise, "%+v", want)
	}
}
