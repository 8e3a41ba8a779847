package beffio

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/rating"
)

// measurePart measures a plan after an earlier part of the run, until there are end samples. It returns the measurement
// that a journal of its news restores.
func measurePart(t *testing.T, plan *Plan, earlier *Measured, end int) (kept *Measured, err error) {
	dir := t.TempDir()
	before := Measured{}
	kept = &Measured{}
	if earlier != nil {
		before = *earlier
		kept.Add(*earlier)
	}
	write := func(m *Measured) {
		news, _ := m.Since(&before)
		text, err := json.Marshal(news)
		require.NoError(t, err)
		var read Measured
		require.NoError(t, json.Unmarshal(text, &read))
		kept.Add(read)
		before = *m
	}
	err = local.Run(plan.Processes, func(e mpi.Engine) error {
		n := 0
		m, err := measureIn(plan, dir, e, observer{Earlier: earlier, Stop: func() bool { return n >= end },
			Keep: func(m Measured) { n = len(m.Samples); write(&m) }})
		if e.World().Rank() == 0 {
			write(m)
		}
		return err
	})
	if err == nil {
		require.Empty(t, filesIn(t, dir), "files are deleted when the read access closes them")
	}
	return kept, err
}

// A run resumes after the last whole access method of a partition. Files that are still needed are written once more.
// The result is whole with valid data, and nothing kept is measured again.
func TestResume(t *testing.T) {
	plan, err := NewPlan(2, small(func(c *Config) {
		c.Partitions, c.Duration, c.RewriteAll = []int{1, 2}, 200*time.Millisecond, true
	}))
	require.NoError(t, err)
	perUnit := len(plan.Rows)
	ends := []int{1, perUnit - 1, perUnit, perUnit + 3, 3*perUnit + 5, 5 * perUnit}
	if testing.Short() {
		ends = []int{perUnit + 3}
	}
	for _, end := range ends {
		kept, err := measurePart(t, plan, nil, end)
		require.ErrorIs(t, err, rating.ErrStopped)
		require.GreaterOrEqual(t, len(kept.Samples), end)
		plan.Trim(kept)
		require.Zero(t, len(kept.Samples)%perUnit, "whole units are left")
		got, err := measurePart(t, plan, kept, 1<<30)
		require.NoError(t, err)
		require.Equal(t, kept.Samples, got.Samples[:len(kept.Samples)], "%d", end)
		require.Greater(t, got.WallSeconds, kept.WallSeconds)
		for _, s := range got.Samples {
			require.Zero(t, s.Errors, "%+v", s)
		}
		r := NewResult(plan, got, Run{Run: rating.Run{Joined: []rating.Join{{Samples: len(kept.Samples)}}}})
		r.Benchmark, r.SchemaVersion = Benchmark, SchemaVersion
		require.NoError(t, r.Check(), "%d", end)
		require.Positive(t, r.Derived.BEffIO)

		again, err := measurePart(t, plan, got, 1<<30)
		require.NoError(t, err)
		require.Equal(t, got.Samples, again.Samples, "nothing is missing")
	}
}

// A later part of a run has the items that earlier parts lack, with the same shares of T.
func TestResumedTime(t *testing.T) {
	plan, err := NewPlan(2, small(func(c *Config) { c.Partitions = []int{1, 2} }))
	require.NoError(t, err)
	m := &measurer{plan: plan, out: &Measured{}}
	m.resume(&Measured{})
	for n := range plan.Partitions {
		for _, a := range []Access{Write, Rewrite} {
			m.earlier.whole[unit{n, a, 0}] = true
		}
	}
	s := newSchedule(plan, plan.items(0, 1))
	m.resumed(s)
	require.True(t, slices.Equal([]Access{Read}, slices.Collect(maps.Keys(func() map[Access]bool {
		seen := map[Access]bool{}
		for _, it := range s.items {
			seen[it.access] = true
		}
		return seen
	}()))))
	require.Equal(t, len(s.items), s.reads)
	require.InEpsilon(t, plan.Duration.Seconds()/2/float64(plan.units()), s.unit, 1e-12)
	require.Equal(t, restores, m.task(Write, 0))
	require.Equal(t, skips, m.task(Rewrite, 1))
	require.Equal(t, measures, m.task(Read, 1))
}
