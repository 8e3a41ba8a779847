package probe_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/rating"
)

// runsOf measures a kernel on 2 processes with a cost of a repetition by its bytes, and returns the loops of each run
// of its program.
func runsOf(t *testing.T, name string, wanted settings.Settings, cost func(bytes int64) float64) ([]int64,
	[]measured.Row) {
	t.Helper()
	var runs []int64
	s := &scripted.Engine{Processes: 2}
	s.Cost = func(x scripted.Step) float64 {
		if x.Messages == 0 {
			return 0
		}
		runs = append(runs, x.Loops.Timed)
		return cost(x.Bytes)
	}
	r := onScript(t, s, probe.Config{Selections: named(t, name), Settings: wanted, Directory: t.TempDir()})
	require.Len(t, r.Blocks, 1)
	return runs, r.Blocks[0].Rows
}

// The time for a row is 10 s ("-time option": SECS_PER_SAMPLE). By the dynamic policy one repetition is run first. Its
// time determines a run of about a second, of at most 1000 repetitions and MSGSPERSAMPLE. That run determines the
// number that fits: one, and as many more as fit into 10 s. Before the clock is read a tenth of them are run, but at
// least ten if there are that many.
func TestDynamicRepetitions(t *testing.T) {
	for _, c := range []struct {
		seconds float64 // of a repetition
		wanted  settings.Settings
		want    []int64
	}{
		{1e-5, settings.Settings{}, []int64{1, 1000, 1000}},
		{9e-4, settings.Settings{}, []int64{1, 1000, 1000}},
		{2e-3, settings.Settings{}, []int64{1, 500, 1000}},
		{1. / 64, settings.Settings{}, []int64{1, 64, 641}}, // before: no fewer than a tenth, 64
		{1. / 8, settings.Settings{}, []int64{1, 8, 10, 81}},
		{0.375, settings.Settings{}, []int64{1, 3, 10, 27}}, // 2.7 and 27.7
		{0.5, settings.Settings{}, []int64{1, 2, 10, 21}},
		{0.9, settings.Settings{}, []int64{1, 10, 12}},
		{1, settings.Settings{}, []int64{1, 10, 11}},
		{4, settings.Settings{}, []int64{1, 3, 3}},
		{20, settings.Settings{}, []int64{1, 1}},
		{1, settings.Settings{Repetitions: settings.Repetitions{SampleTime: 3}}, []int64{1, 4, 4}},
		{1e-3 / 2, settings.Settings{Repetitions: settings.Repetitions{SampleTime: 0.25}}, []int64{1, 1000, 501}},
		{1e-5, settings.Settings{Repetitions: settings.Repetitions{Max: 7}}, []int64{1, 7, 7}},
		{1. / 8, settings.Settings{Repetitions: settings.Repetitions{Max: 5}}, []int64{1, 5, 5}},
		{1.1e-8, settings.Settings{Repetitions: settings.Repetitions{SampleTime: 4e-6}}, []int64{1, 1000, 364}},
		{0.9e-8, settings.Settings{Repetitions: settings.Repetitions{SampleTime: 4e-6}},
			[]int64{1, 1000, 1000}}, // shorter than 10 ns: nothing is cut
	} {
		c.wanted.Rows.Lengths = []int64{64, 65, 66, 67} // the first row may take 30 s
		runs, rows := runsOf(t, "Sendrecv", c.wanted, func(int64) float64 { return c.seconds })
		require.Equal(t, c.want, runs[:len(c.want)], "%v", c)
		n := c.want[len(c.want)-1]
		require.Equal(t, n, rows[0].Repetitions)
		require.InEpsilon(t, c.seconds, rows[0].Derived[0].Max, 1e-6)
		require.InEpsilon(t, 2*64/c.seconds, rows[0].Derived[0].Bandwidth, 1e-6)
	}
}

// By the policy off there are MSGSPERSAMPLE repetitions, however long they take. Before them a tenth as many are run,
// but at least ten if there are that many.
func TestOffRepetitions(t *testing.T) {
	for most, want := range map[int64][]int64{0: {100, 1000}, 5: {5, 5}, 10: {10, 10}, 99: {10, 99}, 110: {11, 110}} {
		runs, _ := runsOf(t, "Sendrecv", settings.Settings{Rows: settings.Rows{Lengths: []int64{1 << 12}},
			Repetitions: settings.Repetitions{Policy: settings.Off,
				Max: most}},
			func(int64) float64 { return 1e-9 })
		require.Equal(t, want, runs)
	}
}

// "max(1, min(MSGSPERSAMPLE, OVERALL_VOL/X))", MSGSPERSAMPLE for X = 0; OVERALL_VOL is 40 MB.
func TestVolume(t *testing.T) {
	for _, c := range []struct{ bytes, volume, want int64 }{
		{0, 0, 1000}, {40 << 20 / 1000, 0, 1000}, {41 << 20 / 1000, 0, 975}, {1 << 20, 0, 40}, {100, 1000, 10},
		{1000, 1000, 1}, {101, 1000, 9}, {1001, 1000, 1}, {0, 1000, 1000},
	} {
		_, rows := runsOf(t, "Sendrecv", settings.Settings{Rows: settings.Rows{Lengths: []int64{c.bytes}},
			Repetitions: settings.Repetitions{Volume: c.volume}},
			func(int64) float64 { return 1e-9 })
		require.Equal(t, c.want, rows[0].Repetitions, "%+v", c)
	}
}

// Longer messages never have more repetitions than shorter ones, in any order of the lengths.
func TestRepetitionsOfLongerMessages(t *testing.T) {
	cost := map[int64]float64{8: 1e-6, 64: 1. / 8, 512: 1e-6}
	for _, c := range []struct{ lengths, want []int64 }{
		{[]int64{8, 64, 512}, []int64{1000, 81, 81}},
		{[]int64{512, 64, 8}, []int64{1000, 1000, 1000}},
		{[]int64{64, 8, 64, 512}, []int64{81, 1000, 81, 81}},
	} {
		_, rows := runsOf(t, "Sendrecv", settings.Settings{Rows: settings.Rows{Lengths: c.lengths},
			Repetitions: settings.Repetitions{SampleTime: 10}},
			func(bytes int64) float64 { return cost[bytes] })
		var got []int64
		for _, row := range rows[:min(len(rows), 3)] {
			if row.Missing == "" {
				got = append(got, row.Repetitions)
			}
		}
		require.Equal(t, c.want[:len(got)], got, "%v", c.lengths)
		require.GreaterOrEqual(t, len(got), 2)
	}
}

// A block may take 10 s for each of its lengths but the shortest. Repetitions of 1 s are run once, ten times and eleven
// times in each row, and once in the row that comes too late.
func TestPatience(t *testing.T) {
	second := func(int64) float64 { return 1 }
	for lengths, want := range map[int]int{
		1: 1, // the first row had used 1 of 10 s when it was checked
		2: 1, 3: 1, 4: 2, 5: 2,
		6: 3,  // 22 + 22 + 1 of 50 s
		0: 10, // 24 lengths from 0 to 4 MB, the longest in -msglog 2^22: 21 times 10 s, and 10 rows take 220 s
	} {
		var wanted settings.Settings
		for i := range lengths {
			wanted.Rows.Lengths = append(wanted.Rows.Lengths, 1<<i)
		}
		_, rows := runsOf(t, "Sendrecv", wanted, second)
		measured := 0
		for _, row := range rows {
			if row.Missing == "" {
				measured++
			} else {
				require.Equal(t, "time-out", row.Missing)
			}
		}
		require.Equal(t, want, measured, "%d lengths", lengths)
	}
}

// Files have 50 repetitions for reading, 16 MB in all, 10 if each write is completed, and no warm-up.
func TestRepetitionsOfFiles(t *testing.T) {
	for _, c := range []struct {
		name    string
		mode    settings.Mode
		bytes   int64
		seconds float64
		want    int64
	}{
		{"P_Read_Indv", settings.Plain, 1000, 1e-6, 50},
		{"P_Read_Indv", settings.Plain, 1 << 20, 1e-6, 16},
		{"P_Write_Indv", settings.Aggregate, 1000, 1e-6, 50},
		{"P_Write_Indv", settings.NonAggregate, 1000, 1e-6, 10},
		{"P_Write_Indv", settings.NonAggregate, 4 << 20, 1e-6, 4},
		{"P_IRead_Indv", settings.Plain, 1000, 1e-6, 10},
		{"P_Read_Indv", settings.Plain, 1000, 0.5, 21},
	} {
		s := &scripted.Engine{Processes: 2, Cost: func(scripted.Step) float64 { return c.seconds }}
		s.Cost = func(x scripted.Step) float64 {
			if x.Products > 0 {
				return float64(x.Products) * 1e-3
			}
			return c.seconds
		}
		r := onScript(t, s, probe.Config{Selections: named(t, c.name), Directory: t.TempDir(),
			Settings: settings.Settings{Rows: settings.Rows{Lengths: []int64{c.bytes}},
				Who: settings.Who{MinProcesses: 2}}})
		for _, b := range r.Blocks {
			if b.Mode == c.mode {
				require.Equal(t, c.want, b.Rows[0].Repetitions, "%+v", c)
			}
		}
	}
}

// The rows of kernels are 0 and lengths doubled from a byte or an element up to 4 MB, for files up to 16 MB, or the
// user's lengths, in whole elements.
func TestLengthsOfRows(t *testing.T) {
	doubled := func(first, last int64) []int64 {
		list := []int64{0}
		for l := first; l <= last; l *= 2 {
			list = append(list, l)
		}
		return list
	}
	mine := []int64{0, 1, 3, 4, 5, 9}
	for _, c := range []struct {
		name        string
		component   kernel.Component
		given, want []int64
	}{
		{"Bcast", kernel.MPI1, nil, doubled(1, 4<<20)},
		{"Allreduce", kernel.MPI1, nil, doubled(4, 4<<20)},
		{"P_Read_Indv", kernel.IO, nil, doubled(1, 16<<20)},
		{"Unidir_Put", kernel.EXT, nil, doubled(4, 4<<20)},
		{"Unidir_put", kernel.RMA, nil, doubled(1, 4<<20)},
		{"Bcast", kernel.MPI1, mine, mine},
		{"Allreduce", kernel.MPI1, mine, []int64{0, 4, 8, 12}},
		{"Barrier", kernel.MPI1, mine, []int64{0}},
		{"Fetch_and_op", kernel.RMA, mine, []int64{4}},
		{"Compare_and_swap", kernel.RMA, nil, []int64{4}},
	} {
		k, _, ok := suites.Find(c.component, c.name)
		require.True(t, ok)
		s := &scripted.Engine{Processes: 2}
		plan, err := probe.NewPlan(2, probe.On(s, probe.Config{Selections: []probe.Selection{{Kernel: k}},
			Directory: t.TempDir(),
			Settings: settings.Settings{Rows: settings.Rows{Lengths: c.given},
				Repetitions: settings.Repetitions{Max: 1, MaxNonAggr: 1, Policy: settings.Off},
				Who:         settings.Who{MinProcesses: 2}}}))
		require.NoError(t, err)
		m, err := plan.Measure(s, rating.Observer[measured.Outcome]{Now: s.Now})
		require.NoError(t, err)
		var got []int64
		for _, row := range m.Blocks[0].Rows {
			got = append(got, row.Bytes)
		}
		require.Equal(t, c.want, got, c.name)
		require.Equal(t, len(plan.Blocks)*len(c.want), plan.Rows())
	}
}

// If the last of 4 repetitions proves too little, further ones are checked: up to two with other roots for operations
// with a root, and one for other operations. The row has the largest number of checks on one process. Roots of a Bcast
// receive nothing to check, and in a Reduce only roots do.
func TestFurtherChecked(t *testing.T) {
	for _, c := range []struct {
		name      string
		processes int
		want      int64
	}{
		{"Bcast", 2, 1}, // roots 1, then 0
		{"Bcast", 3, 2}, // 0, then 1 and 2
		{"Bcast", 8, 3}, // 3, then 4 and 5
		{"Reduce", 2, 1}, {"Gather", 8, 1}, {"Exchange", 3, 2}, {"Sendrecv", 3, 1},
	} {
		r := onLocal(t, c.processes, probe.Config{Selections: named(t, c.name),
			Settings: settings.Settings{Rows: settings.Rows{Lengths: []int64{1000}},
				Repetitions: settings.Repetitions{Max: 4, Policy: settings.Off},
				Who:         settings.Who{MinProcesses: c.processes}}})
		row := r.Blocks[0].Rows[0]
		require.Zero(t, row.Defects)
		require.Equal(t, c.want, row.Checked, "%s on %d", c.name, c.processes)
	}
}
