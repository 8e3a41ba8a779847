package beff_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/rating"
)

// journaled measures a plan after an earlier part of the run, until there are end samples. It returns the measurement,
// and what a journal of its news restores.
func journaled(t *testing.T, plan *beff.Plan, earlier *beff.Measured, end int) (whole, kept *beff.Measured) {
	s := &scripted.Engine{Processes: plan.Processes, Cost: scripted.Linear(1e-6, 1e9)}
	before := beff.Measured{}
	kept = &beff.Measured{}
	if earlier != nil {
		before = *earlier
		kept.Add(*earlier)
	}
	n, calls := 0, 0
	write := func(m beff.Measured) {
		news, some := m.Since(&before)
		require.True(t, some || len(m.Samples) == len(before.Samples))
		text, err := json.Marshal(news)
		require.NoError(t, err)
		var read beff.Measured
		require.NoError(t, json.Unmarshal(text, &read))
		kept.Add(read)
		before = m
	}
	whole, err := plan.Measure(s, rating.Observer[beff.Measured]{Earlier: earlier, Now: s.Now,
		Stop: func() bool { return n >= end },
		Keep: func(m beff.Measured) {
			if n = len(m.Samples); calls%7 == 0 { // don't record the news of every sample
				write(m)
			}
			calls++
		}})
	if end < plan.Measurements() {
		require.ErrorIs(t, err, rating.ErrStopped)
	} else {
		require.NoError(t, err)
	}
	write(*whole)
	return whole, kept
}

// A journal holds the whole measurement. A resumed run ends with the same samples as one that never stopped, and
// measures none twice.
func TestResume(t *testing.T) {
	for _, rules := range []beff.Rules{beff.Rules2001, beff.Rules36} {
		c := config(rules)
		c.Patterns = []string{"ring", "ping-pong"}
		plan, err := beff.NewPlan(4, c)
		require.NoError(t, err)
		all := plan.Measurements()
		want, kept := journaled(t, plan, nil, all)
		require.Equal(t, want, kept)
		length := all / len(plan.Lengths) / plan.Repetitions
		for _, end := range []int{1, length - 1, length, length + 5, all / 2, all - 1} {
			first, kept := journaled(t, plan, nil, end)
			require.Equal(t, first, kept, "%s, %d", rules, end)
			second, kept := journaled(t, plan, kept, min(end+length, all))
			require.Equal(t, second, kept)
			got, kept := journaled(t, plan, kept, all)
			require.Equal(t, got, kept)
			require.Len(t, got.Samples, len(want.Samples))
			for i, s := range got.Samples {
				w := want.Samples[i]
				require.Equal(t, [4]int{w.Repetition, w.Length, w.Pattern, w.Method},
					[4]int{s.Repetition, s.Length, s.Pattern, s.Method})
				require.InEpsilon(t, w.Seconds/float64(w.Loops), s.Seconds/float64(s.Loops), 1e-9)
				require.Equal(t, w.Loops, s.Loops, "%s, %d: %+v", rules, end, s)
			}
			require.GreaterOrEqual(t, got.WallSeconds, second.WallSeconds, "the sum of the parts")
			require.GreaterOrEqual(t, got.LoopSeconds, second.LoopSeconds)
		}
		// after a whole run nothing is left to measure
		again, _ := journaled(t, plan, want, all)
		require.Equal(t, want.Samples, again.Samples)
		require.Equal(t, want.LoopSeconds, again.LoopSeconds)
	}
}

// A journal that has lost records restores all others, each once.
func TestLostNews(t *testing.T) {
	plan, err := beff.NewPlan(4, beff.Config{Rules: beff.Rules2001, Memory: gib, Patterns: []string{"ring"}})
	require.NoError(t, err)
	m, _ := journaled(t, plan, nil, plan.Measurements())
	var kept, before beff.Measured
	for n := 10; n <= len(m.Samples); n += 10 {
		now := beff.Measured{Samples: m.Samples[:n]}
		news, _ := now.Since(&before)
		if n%30 != 0 {
			kept.Add(news)
		}
		before = now
	}
	seen := map[[4]int]bool{}
	for _, s := range kept.Samples {
		at := [4]int{s.Repetition, s.Length, s.Pattern, s.Method}
		require.False(t, seen[at])
		seen[at] = true
	}
	require.InDelta(t, len(m.Samples)*2/3, len(kept.Samples), 10)
}

// An adaptive run resumes the pass in which it was stopped, and its interval becomes as narrow as without the stop.
func TestResumeAdaptive(t *testing.T) {
	c := beff.Config{Rules: beff.Rules2001, Memory: gib, Seed: 1, Within: 0.05}
	plan, err := beff.NewPlan(4, c)
	require.NoError(t, err)
	machine := func() *scripted.Engine {
		r := rand.New(rand.NewPCG(1, 2))
		return &scripted.Engine{Processes: 4, Cost: func(s scripted.Step) float64 {
			return scripted.Linear(1e-6, 1e9)(s) * (1 + 0.1*r.Float64())
		}}
	}
	s := machine()
	want, err := plan.Measure(s, rating.Observer[beff.Measured]{Now: s.Now})
	require.NoError(t, err)
	for _, end := range []int{10, len(want.Samples) / 2, len(want.Samples) - 1} {
		s, n := machine(), 0
		first, err := plan.Measure(s, rating.Observer[beff.Measured]{Now: s.Now, Stop: func() bool { return n >= end },
			Keep: func(m beff.Measured) { n = len(m.Samples) }})
		require.ErrorIs(t, err, rating.ErrStopped)
		got, err := plan.Measure(s, rating.Observer[beff.Measured]{Now: s.Now, Earlier: first})
		require.NoError(t, err)
		require.Equal(t, first.Samples, got.Samples[:len(first.Samples)])
		seen := map[[5]int]bool{}
		for _, x := range got.Samples {
			at := [5]int{x.Pass, x.Repetition, x.Length, x.Pattern, x.Method}
			require.False(t, seen[at], "no sample is measured twice")
			seen[at] = true
		}
		require.InEpsilon(t, len(want.Samples), len(got.Samples), 0.5, "%d", end)
	}
}

// Samples passed to Keep don't change until its next call has returned. They are not copied for each length, because a
// run of many passes would copy for longer than it measures.
func TestKeptSamples(t *testing.T) {
	c := config(beff.Rules2001)
	c.Patterns, c.Passes = []string{"ring", "ping-pong"}, 20
	plan, err := beff.NewPlan(4, c)
	require.NoError(t, err)
	s := &scripted.Engine{Processes: plan.Processes, Cost: scripted.Linear(1e-6, 1e9)}
	var last, copied []beff.Sample
	lists := map[*beff.Sample]bool{}
	m, err := plan.Measure(s, rating.Observer[beff.Measured]{Now: s.Now, Keep: func(m beff.Measured) {
		if !slices.Equal(copied, last) {
			require.Equal(t, copied, last)
		}
		const checked = 100 // samples, of at least two lengths
		last = m.Samples[max(0, len(m.Samples)-checked):]
		copied = append(copied[:0], last...)
		lists[&m.Samples[0]] = true
	}})
	require.NoError(t, err)
	for _, x := range m.Samples {
		require.Positive(t, x.Mean)
	}
	require.Less(t, len(lists), len(plan.Lengths)*plan.Repetitions*c.Passes/10)
}
