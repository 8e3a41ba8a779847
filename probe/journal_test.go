package probe_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
)

// part measures the rows that an earlier part lacks, until there are end rows. It returns the content of a journal of
// both parts.
func part(t *testing.T, c probe.Config, earlier *measured.Outcome, end int) (journal *measured.Outcome, err error) {
	journal = &measured.Outcome{}
	before := measured.Outcome{}
	if earlier != nil {
		before = *earlier
		journal.Add(*earlier)
	}
	write := func(m *measured.Outcome) {
		news, changed := m.Since(&before)
		if !changed {
			return
		}
		text, err := json.Marshal(news)
		require.NoError(t, err)
		var read measured.Outcome
		require.NoError(t, json.Unmarshal(text, &read))
		journal.Add(read)
		before = *m
	}
	err = local.Run(2, func(e mpi.Engine) error {
		plan, err := probe.NewPlan(2, probe.On(e, c))
		if err != nil {
			return err
		}
		n := 0
		m, err := plan.Measure(e, rating.Observer[measured.Outcome]{Earlier: earlier,
			Stop: func() bool { return n >= end }, Keep: func(m measured.Outcome) { n = rowsOf(m); write(&m) }})
		if e.World().Rank() == 0 {
			write(m)
			plan.Trim(journal)
		}
		return err
	})
	return journal, err
}

// A resumed probe continues with the row after the last one, in the middle of a block or at its end, and then has all
// rows.
func TestResume(t *testing.T) {
	c := probe.Config{Selections: named(t, "PingPong", "Exchange", "Barrier"),
		Settings: settings.Settings{Rows: settings.Rows{Lengths: []int64{0, 4, 64}},
			Repetitions: settings.Repetitions{Max: 3, SampleTime: 0.01}}}
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

// Only rows that a journal has lost are measured again: a row in the middle of a block or at its end, or a whole block,
// also of kernels whose rows have the same length. The result has all rows in the order of the plan.
func TestResumeLost(t *testing.T) {
	lengths := settings.Settings{Rows: settings.Rows{Lengths: []int64{0, 4, 64}},
		Repetitions: settings.Repetitions{Max: 3, SampleTime: 0.01}}
	strides := settings.Settings{Repetitions: settings.Repetitions{Max: 3, Policy: settings.Off},
		OneSided: settings.OneSided{Count: 10}}
	barriers := settings.Settings{Rows: settings.Rows{Lengths: []int64{4, 64}},
		Series: settings.Series{Timing: settings.ByRoot,
			Precision: &settings.Precision{Relative: 0.5, Confidence: 0.95, Min: 3, Max: 5, Inner: 1,
				Statistic: settings.ByMean}}}
	lost := func(block int, rows ...int) func(*measured.Outcome) {
		return func(m *measured.Outcome) {
			for i, row := range rows {
				m.Blocks[block].Rows = slices.Delete(m.Blocks[block].Rows, row-i, row-i+1)
			}
		}
	}
	for name, c := range map[string]struct {
		config probe.Config
		lose   func(*measured.Outcome)
	}{
		"in the middle": {probe.Config{Selections: named(t, "PingPong", "Exchange"), Settings: lengths}, lost(0, 1)},
		"at the end":    {probe.Config{Selections: named(t, "PingPong", "Exchange"), Settings: lengths}, lost(0, 1, 2)},
		"a block": {probe.Config{Selections: named(t, "PingPong", "Exchange", "Barrier"), Settings: lengths},
			func(m *measured.Outcome) { m.Blocks = slices.Delete(m.Blocks, 1, 2) }},
		"strides":  {probe.Config{Selections: ofPGAS(t, "Strided_put_target"), Settings: strides}, lost(0, 1, 4)},
		"barriers": {probe.Config{Selections: named(t, "Bcast"), Settings: barriers}, lost(0, 0)},
	} {
		t.Run(name, func(t *testing.T) {
			whole, err := part(t, c.config, nil, 1<<30)
			require.NoError(t, err)
			want := clone(whole)
			c.lose(whole)
			got, err := part(t, c.config, whole, 1<<30)
			require.NoError(t, err)
			require.Len(t, got.Blocks, len(want.Blocks))
			for i, b := range got.Blocks {
				require.Equal(t, want.Blocks[i].Kernel, b.Kernel)
				require.Equal(t, len(want.Blocks[i].Barriers), len(b.Barriers))
				require.Len(t, b.Rows, len(want.Blocks[i].Rows))
				for j, row := range b.Rows {
					w := want.Blocks[i].Rows[j]
					require.Equal(t, [2]int64{w.Bytes, w.Stride}, [2]int64{row.Bytes, row.Stride})
				}
			}
			for _, b := range whole.Blocks {
				i := slices.IndexFunc(got.Blocks, func(x measured.Block) bool { return x.Kernel == b.Kernel })
				for _, row := range b.Rows {
					require.Contains(t, got.Blocks[i].Rows, row)
				}
				require.Equal(t, b.Barriers, got.Blocks[i].Barriers)
			}
		})
	}
}

func clone(m *measured.Outcome) *measured.Outcome {
	c := *m
	c.Blocks = slices.Clone(m.Blocks)
	for i := range c.Blocks {
		c.Blocks[i].Rows = slices.Clone(m.Blocks[i].Rows)
	}
	return &c
}

// If a probe is complete, nothing is measured again, and its rows and notes remain at every time.
func TestResumeWhole(t *testing.T) {
	c := probe.Config{Selections: named(t, "PingPong"),
		Settings: settings.Settings{Rows: settings.Rows{Lengths: []int64{0, 4}},
			Repetitions: settings.Repetitions{Max: 3,
				SampleTime: 0.01}}}
	whole, err := part(t, c, nil, 1<<30)
	require.NoError(t, err)
	whole.Notes = []rating.Warning{{Code: "note", Text: "of the matching"}}
	require.NoError(t, local.Run(2, func(e mpi.Engine) error {
		plan, err := probe.NewPlan(2, probe.On(e, c))
		require.NoError(t, err)
		rank := e.World().Rank()
		m, err := plan.Measure(e, rating.Observer[measured.Outcome]{Earlier: whole, Keep: func(m measured.Outcome) {
			require.Equal(t, 2, rowsOf(m), "at every time")
		}})
		if rank == 0 {
			require.Equal(t, whole.Blocks, m.Blocks)
			require.Equal(t, whole.Notes, m.Notes)
		}
		return err
	}))
}
