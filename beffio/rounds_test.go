package beffio

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/rating"
)

// adaptive returns a configuration of rounds of 0.2 s.
func adaptive(change func(*Config)) Config {
	return small(func(c *Config) {
		c.Partitions, c.Duration, c.Within, c.AtMost = []int{2}, 200*time.Millisecond, 0.9, 60*time.Second
		change(c)
	})
}

// Rounds are measured until the interval is narrow. Each has new files, which it removes, and its own figures. The
// run's figures are the geometric means of these.
func TestRounds(t *testing.T) {
	r := measuredOn(t, t.TempDir(), adaptive(func(*Config) {}))
	n := len(r.Derived.Rounds)
	require.GreaterOrEqual(t, n, rating.MinPasses)
	require.LessOrEqual(t, r.Derived.BEffIOInterval.RelativeHalfWidth(r.Derived.BEffIO), 0.9)
	product := 1.0
	for _, one := range r.Rounds() {
		require.Len(t, one.Samples, len(r.Samples)/n)
		product *= one.Derived.BEffIO
	}
	require.InEpsilon(t, math.Pow(product, 1/float64(n)), r.Derived.BEffIO, 1e-9)
	require.InEpsilon(t, r.Derived.Paper, r.Derived.BEffIO, 1e-12)
	for _, s := range r.Samples {
		require.Nil(t, s.Blocks)
		require.Zero(t, s.Pass)
	}
}

// A run that can't reach its interval ends in time, with whole rounds.
func TestRoundsEnd(t *testing.T) {
	plan, err := NewPlan(2, adaptive(func(c *Config) { c.Within, c.AtMost = 1e-6, 2*time.Second }))
	require.NoError(t, err)
	e := &scripted.Engine{Processes: 2, Members: func(_, size int) int { return size }}
	e.Cost = func(s scripted.Step) float64 { return float64(s.Bytes) * (1 + float64(s.Run%7)/100) / 1e9 }
	m, err := measureIn(plan, "nowhere", e, observer{Now: e.Now})
	require.NoError(t, err)
	r := NewResult(plan, m, Run{})
	samples, files := r.perRound()
	require.Zero(t, len(r.Samples)%samples)
	require.Zero(t, len(r.Files)%files)
	require.Greater(t, len(r.Derived.Rounds), rating.MinPasses)
	require.LessOrEqual(t, r.WallSeconds, plan.AtMost.Seconds())
	require.True(t, slices.ContainsFunc(r.Warnings, func(w rating.Warning) bool { return w.Code == "within" }))
}

// Only the whole rounds of a run are kept, and a resumed run continues after them.
func TestRoundsResume(t *testing.T) {
	plan, err := NewPlan(2, adaptive(func(c *Config) { c.AtMost = 30 * time.Second }))
	require.NoError(t, err)
	r := &Result{Partitions: plan.Partitions, Patterns: make([]Pattern, len(plan.Rows))}
	for i, row := range plan.Rows {
		r.Patterns[i] = Pattern{Number: i, Type: row.Type}
	}
	perRound, _ := r.perRound()
	kept, err := measurePart(t, plan, nil, perRound+3)
	require.ErrorIs(t, err, rating.ErrStopped)
	plan.Trim(kept)
	require.Equal(t, perRound, len(kept.Samples))
	got, err := measurePart(t, plan, kept, 1<<30)
	require.NoError(t, err)
	require.Equal(t, kept.Samples, got.Samples[:perRound])
	require.GreaterOrEqual(t, rounds(got.Samples), rating.MinPasses)
}

// NewPlan refuses settings that no adaptive run can have, and fills in the defaults.
func TestAdaptiveSettings(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"can't keep":        func(c *Config) { c.Keep = true },
		"isn't adaptive":    func(c *Config) { c.Quick = true },
		"too short":         func(c *Config) { c.AtMost = 500 * time.Millisecond },
		"between 0 and 100": func(c *Config) { c.Within = 1.5 },
	} {
		_, err := NewPlan(2, adaptive(change))
		require.ErrorContains(t, err, name)
	}
	plan, err := NewPlan(4, small(func(c *Config) { c.Partitions, c.Duration, c.Within = []int{1, 4}, 0, 0.05 }))
	require.NoError(t, err)
	require.Equal(t, []time.Duration{30 * time.Second, 10 * time.Minute, 10 * time.Minute},
		[]time.Duration{plan.Duration, plan.AtMost, plan.Longest()})
}
