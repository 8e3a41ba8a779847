package probe_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/rating"
)

// part measures what an earlier part lacks, until so many rows are there. It returns what a journal of its news keeps.
func part(t *testing.T, c probe.Config, earlier *probe.Measured, end int) (kept *probe.Measured, err error) {
	kept = &probe.Measured{}
	before := probe.Measured{}
	if earlier != nil {
		before = *earlier
		kept.Add(*earlier)
	}
	write := func(m *probe.Measured) {
		news, some := m.Since(&before)
		if !some {
			return
		}
		text, err := json.Marshal(news)
		require.NoError(t, err)
		var read probe.Measured
		require.NoError(t, json.Unmarshal(text, &read))
		kept.Add(read)
		before = *m
	}
	err = local.Run(2, func(e mpi.Engine) error {
		plan, err := probe.NewPlan(2, c, e.Supports, e.Library())
		if err != nil {
			return err
		}
		n := 0
		m, err := plan.Measure(e, rating.Observer[probe.Measured]{Earlier: earlier,
			Stop: func() bool { return n >= end }, Keep: func(m probe.Measured) { n = rowsOf(m); write(&m) }})
		if e.World().Rank() == 0 {
			write(m)
			plan.Trim(kept)
		}
		return err
	})
	return kept, err
}

// A probe goes on with the row behind the last one, in the middle of a block or at its end, and has all rows then.
func TestResume(t *testing.T) {
	c := probe.Config{Selections: named(t, "PingPong", "Exchange", "Barrier"),
		Settings: probe.Settings{Lengths: []int64{0, 4, 64}, MsgsPer: 3, SampleTime: 0.01}}
	for _, end := range []int{1, 3, 4, 6, 7} {
		first, err := part(t, c, nil, end)
		if end < 7 {
			require.ErrorIs(t, err, rating.ErrStopped)
		}
		require.Equal(t, end, rowsOf(*first))
		got, err := part(t, c, first, 1<<30)
		require.NoError(t, err)
		require.Equal(t, 7, rowsOf(*got))
		for i, b := range first.Blocks {
			require.Equal(t, b.Rows, got.Blocks[i].Rows[:len(b.Rows)], "%d", end)
		}
		require.GreaterOrEqual(t, got.WallSeconds, first.WallSeconds)
	}
}

// Rows behind lost ones can't be gone on with.
func TestTrim(t *testing.T) {
	c := probe.Config{Selections: named(t, "PingPong", "Exchange"),
		Settings: probe.Settings{Lengths: []int64{0, 4, 64}, MsgsPer: 3, SampleTime: 0.01}}
	for _, lost := range []func(*probe.Measured){
		func(m *probe.Measured) { m.Blocks[0].Rows = append(m.Blocks[0].Rows[:1:1], m.Blocks[0].Rows[2:]...) },
		func(m *probe.Measured) { m.Blocks[0].Rows = m.Blocks[0].Rows[:1] },
	} {
		whole, err := part(t, c, nil, 1<<30)
		require.NoError(t, err)
		lost(whole)
		require.NoError(t, local.Run(2, func(e mpi.Engine) error {
			plan, err := probe.NewPlan(2, c, e.Supports, e.Library())
			if err == nil && e.World().Rank() == 0 {
				plan.Trim(whole)
			}
			return err
		}))
		require.Len(t, whole.Blocks, 1)
		require.Len(t, whole.Blocks[0].Rows, 1)
		whole, err = part(t, c, nil, 1<<30)
		require.NoError(t, err)
		whole.Blocks = whole.Blocks[1:]
		require.NoError(t, local.Run(2, func(e mpi.Engine) error {
			plan, err := probe.NewPlan(2, c, e.Supports, e.Library())
			if err == nil && e.World().Rank() == 0 {
				plan.Trim(whole)
			}
			return err
		}))
		require.Empty(t, whole.Blocks, "a whole block is lost")
	}
}
