package probe

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe/fabric"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/pairs"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/rating"
)

// row is a result with a row of PingPong: 4 repetitions of 8 s there and back.
func row() *Result {
	k, _, _ := suites.Find(kernel.MPI1, "PingPong")
	b := measured.Block{Component: kernel.MPI1, Kernel: "PingPong", Processes: 2}
	b.Rows = []measured.Row{{Bytes: 1000, Repetitions: 4, Samples: []measured.Sample{{Min: 8, Max: 8, Mean: 8}}}}
	b.Rows[0].Derived = measured.Derive(k, &b, &b.Rows[0])
	return &Result{Identity: rating.Identity{Benchmark: Benchmark, SchemaVersion: SchemaVersion}, Processes: 5,
		Complete: true,
		Blocks:   []measured.Block{b}}
}

// Check accepts results at its bounds, and names the first fault of results just beyond them.
func TestCheckBounds(t *testing.T) {
	for name, c := range map[string]struct {
		change func(r *Result, b *measured.Block, x *measured.Row)
		want   string // empty: nothing is wrong
	}{
		"nothing":        {func(*Result, *measured.Block, *measured.Row) {}, ""},
		"no figures":     {func(_ *Result, _ *measured.Block, x *measured.Row) { x.Derived = nil }, ""},
		"no process":     {func(r *Result, _ *measured.Block, _ *measured.Row) { r.Processes = 0 }, "processes is 0"},
		"most processes": {func(r *Result, _ *measured.Block, _ *measured.Row) { r.Processes = 1 << 26 }, ""},
		"more processes": {func(r *Result, _ *measured.Block, _ *measured.Row) { r.Processes = 1<<26 + 1 },
			"processes is 67108865"},
		"ended":           {func(r *Result, _ *measured.Block, _ *measured.Row) { r.Ended = "x" }, "it ended early by"},
		"all others wait": {func(_ *Result, b *measured.Block, _ *measured.Row) { b.Waiting = 3 }, ""},
		"more wait": {func(_ *Result, b *measured.Block, _ *measured.Row) { b.Waiting = 4 },
			"4 processes wait, 2 of 5 are active"},
		"fewer wait":  {func(_ *Result, b *measured.Block, _ *measured.Row) { b.Waiting = -1 }, "-1 processes wait"},
		"all active":  {func(r *Result, b *measured.Block, _ *measured.Row) { b.Processes = 5 }, ""},
		"more active": {func(r *Result, b *measured.Block, _ *measured.Row) { b.Processes = 6 }, "6 processes of 5"},
		"none active": {func(r *Result, b *measured.Block, _ *measured.Row) { b.Processes = 0 }, "0 processes of 5"},
		"two groups":  {func(_ *Result, b *measured.Block, _ *measured.Row) { b.Groups = [][]int{{0, 4}, {1, 2}} }, ""},
		"three groups": {func(_ *Result, b *measured.Block, _ *measured.Row) {
			b.Groups = [][]int{{0, 1}, {2, 3}, {4,
				0}}
		},
			"3 groups of 2"},
		"a group of three": {func(_ *Result, b *measured.Block, _ *measured.Row) { b.Groups = [][]int{{0, 1, 2}} },
			"a group of 3 processes, not 2"},
		"rank 5": {func(_ *Result, b *measured.Block, _ *measured.Row) { b.Groups = [][]int{{0, 5}} },
			"rank 5 is not one of 5"},
		"rank -1": {func(_ *Result, b *measured.Block, _ *measured.Row) { b.Groups = [][]int{{0, -1}} }, "rank -1"},
		"in two groups": {func(_ *Result, b *measured.Block, _ *measured.Row) { b.Groups = [][]int{{0, 1}, {1, 2}} },
			"rank 1 is not one"},
		"a window": {func(_ *Result, b *measured.Block, _ *measured.Row) { b.WindowSize = 1<<31 - 1 }, ""},
		"a larger window": {func(_ *Result, b *measured.Block, _ *measured.Row) { b.WindowSize = 1 << 31 },
			"windows of 2147483648 messages"},
		"more threads": {func(_ *Result, b *measured.Block, _ *measured.Row) { b.Threads = settings.MaxThreads + 1 },
			"4097 threads"},
		"a cut": {func(_ *Result, b *measured.Block, _ *measured.Row) {
			b.Cut, b.Groups, b.Rows = &pairs.Cut{Sets: []pairs.CutSet{{Side: 1}}, By: fabric.ByRank, Name: "halves"},
				[][]int{{0, 1}}, nil
		}, "a cut: true, in 1 groups, of a kernel of class single transfer"},
		"other mode": {func(_ *Result, b *measured.Block, _ *measured.Row) { b.Mode = settings.Aggregate },
			"PingPong has no mode"},
		"no bytes":       {func(_ *Result, _ *measured.Block, x *measured.Row) { x.Bytes, x.Derived = 0, nil }, ""},
		"negative bytes": {func(_ *Result, _ *measured.Block, x *measured.Row) { x.Bytes = -1 }, "a negative number"},
		"checked":        {func(_ *Result, _ *measured.Block, x *measured.Row) { x.Checked = -1 }, "a negative number"},
		"defects":        {func(_ *Result, _ *measured.Block, x *measured.Row) { x.Defects = -1 }, "a negative number"},
		"a repetition": {func(_ *Result, _ *measured.Block, x *measured.Row) { x.Repetitions, x.Derived = 1, nil },
			""},
		"no repetition": {func(_ *Result, _ *measured.Block, x *measured.Row) { x.Repetitions = 0 }, "no samples"},
		"no sample":     {func(_ *Result, _ *measured.Block, x *measured.Row) { x.Samples = nil }, "no samples"},
		"two samples": {func(_ *Result, _ *measured.Block, x *measured.Row) {
			x.Samples = append(x.Samples,
				x.Samples...)
		},
			"2 samples for 0 groups"},
		"missing": {func(_ *Result, _ *measured.Block,
			x *measured.Row) {
			*x = measured.Row{Missing: measured.TimeOut}
		}, ""},
		"missing and there": {func(_ *Result, _ *measured.Block, x *measured.Row) { x.Missing = measured.TimeOut },
			"but there are samples"},
		"missing somehow": {func(_ *Result, _ *measured.Block,
			x *measured.Row) {
			*x = measured.Row{Missing: "late"}
		}, `missing is "late"`},
		"min above max": {func(_ *Result, _ *measured.Block, x *measured.Row) { x.Samples[0].Min = 9 },
			"the smallest time is 9, the largest 8"},
		"back in time": {func(_ *Result, _ *measured.Block, x *measured.Row) { x.Samples[0].Mean = -1 }, "Mean is -1"},
	} {
		r := row()
		c.change(r, &r.Blocks[0], &r.Blocks[0].Rows[0])
		if c.want == "" {
			require.NoError(t, r.Check(), name)
		} else {
			require.ErrorContains(t, r.Check(), c.want, name)
		}
	}
}

// One process has no pairs, and so no times of them.
func TestNoPairs(t *testing.T) {
	r := row()
	none := pairs.PairSamples{Medians: [][]float64{{}}, Means: []float64{}, Deviations: []float64{}}
	r.Blocks[0] = measured.Block{Component: kernel.MPIB, Kernel: "Roundtrip_pairs", Processes: 1,
		Rows: []measured.Row{{Bytes: 8, Repetitions: 5, Pairs: &pairs.PairTimes{There: none}}}}
	require.ErrorContains(t, r.Check(), "times of pairs of 1 process")
}

// Kernels of a single process have blocks of one process, whatever the number of the job's processes is.
func TestSingleProcess(t *testing.T) {
	k, _, ok := suites.Find(kernel.IO, "S_Write_Indv")
	require.True(t, ok)
	plan, err := NewPlan(4, Config{Selections: []Selection{{Kernel: k}}, Directory: t.TempDir()})
	require.NoError(t, err)
	require.Len(t, plan.Blocks, 2) // aggregate or not
	for _, b := range plan.Blocks {
		require.Equal(t, 1, b.Processes)
	}
}

// The forecast knows for how long noise will be watched.
func TestForecastOfNoise(t *testing.T) {
	k, _, ok := suites.Find(kernel.Noise, "Detour")
	require.True(t, ok)
	plan, err := NewPlan(2, Config{Selections: []Selection{{Kernel: k}}})
	require.NoError(t, err)
	require.InDelta(t, float64(plan.Rows())*settings.Default.SampleTime, plan.forecast().left(0), 1e-9)
}
