package probe_test

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/fault"
	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/rating"
)

// short returns settings with a few repetitions for each row.
func short() settings.Settings {
	return settings.Settings{Rows: settings.Rows{Lengths: []int64{0, 4, 1000, 70000}},
		Repetitions: settings.Repetitions{Max: 7, MaxNonAggr: 3, SampleTime: 20}}
}

// upTo returns the numbers of processes from 1 to most; with -short, as under the race detector of make test, only few.
func upTo(most int, few ...int) (list []int) {
	if testing.Short() {
		return few
	}
	for n := 1; n <= most; n++ {
		list = append(list, n)
	}
	return list
}

// all returns every kernel of a component, optional ones too.
func all(c kernel.Component, multi bool) (list []probe.Selection) {
	for _, k := range suites.Kernels() {
		if k.Component == c {
			list = append(list, probe.Selection{Kernel: k, Multi: multi})
		}
	}
	return list
}

func named(t *testing.T, names ...string) (list []probe.Selection) {
	for _, name := range names {
		k, multi, ok := suites.Find("", name)
		require.True(t, ok, name)
		list = append(list, probe.Selection{Kernel: k, Multi: multi, Named: true})
	}
	return list
}

func onScript(t *testing.T, s *scripted.Engine, c probe.Config) *probe.Result {
	t.Helper()
	plan, err := probe.NewPlan(s.Processes, probe.On(s, c))
	require.NoError(t, err)
	m, err := plan.Measure(s, rating.Observer[measured.Outcome]{Now: s.Now})
	require.NoError(t, err)
	r := probe.NewResult(plan, m, probe.Run{Run: rating.Run{Err: err}})
	require.NoError(t, r.Check())
	return r
}

// onLocal measures on goroutines, with faults if there are any.
func onLocal(t *testing.T, processes int, c probe.Config, faults ...fault.Fault) *probe.Result {
	t.Helper()
	var result *probe.Result
	var once sync.Mutex
	err := local.Run(processes, func(e mpi.Engine) error {
		plan, err := probe.NewPlan(processes, probe.On(e, c))
		if err != nil {
			return err
		}
		if len(faults) > 0 {
			e = fault.Inject(e, faults...)
		}
		m, err := plan.Measure(e, rating.Observer[measured.Outcome]{})
		if e.World().Rank() == 0 {
			once.Lock()
			defer once.Unlock()
			result = probe.NewResult(plan, m, probe.Run{Run: rating.Run{Err: err}})
		}
		return err
	})
	require.NoError(t, err)
	require.NoError(t, result.Check())
	return result
}

// calls is no engine. It supports the calls that a function reports.
type calls func(mpi.Op) bool

func (c calls) Supports(op mpi.Op) bool { return c(op) }

func (c calls) Library() mpi.Library { return mpi.Library{Library: "Old MPI"} }

// IMB-MPI1's kernels bring the right data on 1 to 5 processes.
func TestLocal(t *testing.T) {
	for _, processes := range upTo(5, 2, 4) {
		rightData(t, processes, probe.Config{Selections: all(kernel.MPI1, processes == 4), Settings: short()})
	}
}

// Off the cache, messages advance through more memory, and are checked at their last position.
func TestLocalOffCache(t *testing.T) {
	c := probe.Config{Selections: all(kernel.MPI1, false), Settings: short()}
	c.Settings.Memory.CacheSize = 1 << 16
	rightData(t, 3, c)
}

// The kernels of files are slow, so they have their own test.
func TestLocalFiles(t *testing.T) {
	for processes := 1; processes <= 3; processes++ {
		c := probe.Config{Selections: all(kernel.IO, processes == 3), Settings: short(), Directory: t.TempDir()}
		c.Settings.Compute = 1e-4
		c.Settings.Rows.Lengths, c.Settings.Repetitions.Max, c.Settings.Repetitions.MaxNonAggr = []int64{0, 3,
			1000}, 3, 2
		c.Settings.Repetitions.Policy = settings.Off
		rightData(t, processes, c)
		left, err := os.ReadDir(c.Directory)
		require.NoError(t, err)
		require.Empty(t, left, "files are removed")
	}
}

// rightData measures, and requires that all data are checked and right.
func rightData(t *testing.T, processes int, c probe.Config) {
	t.Helper()
	for _, b := range onLocal(t, processes, c).Blocks {
		for _, row := range b.Rows {
			require.Zero(t, row.Defects, "%s on %d: %+v", b.Kernel, processes, row)
			require.Empty(t, row.Missing)
			if row.Bytes > 0 && b.Processes > 1 { // a single process has nothing to receive
				require.Positive(t, row.Checked, "%s on %d: %+v", b.Kernel, b.Processes, row)
			}
		}
	}
}

// A kernel that can't run is left out. If it was named, that is an error.
func TestSkipped(t *testing.T) {
	no := func(op mpi.Op) bool { return !op.OnWindow() && !op.OnFile() }
	k, _, _ := suites.Find(kernel.EXT, "Unidir_Put")
	ping, _, _ := suites.Find("", "PingPong")
	list := []probe.Selection{{Kernel: k}, {Kernel: ping}}
	plan, err := probe.NewPlan(2, probe.On(calls(no), probe.Config{Selections: list}))
	require.NoError(t, err)
	require.Len(t, plan.Blocks, 1)
	require.Equal(t, []string{"Unidir_Put needs one-sided communication (MPI_Put), which Old MPI doesn't have"},
		plan.Skipped)
	list[0].Named = true
	_, err = probe.NewPlan(2, probe.On(calls(no), probe.Config{Selections: list}))
	require.ErrorContains(t, err, "Unidir_Put needs one-sided communication")
	_, err = probe.NewPlan(1, probe.On(calls(no), probe.Config{Selections: list[1:]}))
	require.ErrorContains(t, err, "needs at least 2 processes")
}

// By IMB 2021.11 a kernel that needs more processes is left out even if it was named. Plan.Refused has its place.
func TestRefused(t *testing.T) {
	config := probe.Config{Selections: named(t, "PingPong", "Barrier", "Sendrecv", "PingPing"),
		Settings: settings.Settings{Who: settings.Who{MinProcesses: 1}, IMB: settings.IMB{Method: settings.ByIMB2021}}}
	for i := range config.Selections {
		config.Selections[i].Named = true
	}
	plan, err := probe.NewPlan(1, config)
	require.NoError(t, err)
	require.Equal(t, []probe.Refused{{Kernel: "PingPong", Component: kernel.MPI1, Before: "Barrier"},
		{Kernel: "Sendrecv", Component: kernel.MPI1}, {Kernel: "PingPing", Component: kernel.MPI1}}, plan.Refused)
	config.Selections = config.Selections[:1]
	_, err = probe.NewPlan(1, config)
	require.ErrorContains(t, err, "nothing to measure: PingPong needs at least 2 processes")
}

// Blocks have the guide's numbers of active processes, groups and waiting processes (guide, "-npmin Option", "-map PxQ
// Option").
func TestBlocks(t *testing.T) {
	counts := func(p *probe.Plan) (list []int) {
		for _, b := range p.Blocks {
			list = append(list, b.Processes)
		}
		return list
	}
	plan, err := probe.NewPlan(11, probe.Config{Selections: named(t, "Sendrecv")})
	require.NoError(t, err)
	require.Equal(t, []int{2, 4, 8, 11}, counts(plan))
	require.Equal(t, 9, plan.Blocks[0].Waiting)

	plan, err = probe.NewPlan(11, probe.Config{Selections: named(t, "Sendrecv"),
		Settings: settings.Settings{Who: settings.Who{MinProcesses: 5}}})
	require.NoError(t, err)
	require.Equal(t, []int{5, 10, 11}, counts(plan))

	plan, err = probe.NewPlan(6, probe.Config{Selections: named(t, "Multi-PingPong"),
		Settings: settings.Settings{Who: settings.Who{Map: []int{3, 2}}}})
	require.NoError(t, err)
	require.Equal(t, [][]int{{0, 3}, {1, 4}, {2, 5}}, plan.Blocks[0].Groups)
	require.Zero(t, plan.Blocks[0].Waiting)
}

// On a network of known times the figures are exact.
func TestFigures(t *testing.T) {
	const perCall = 1.0 / 1024 // seconds, a power of two: sums are exact
	s := &scripted.Engine{Processes: 2, Cost: scripted.PerCall(
		func(scripted.Step, mpi.Call) float64 { return perCall })}
	for _, c := range []struct {
		name        string
		repetitions int64
		time        float64
		bandwidth   float64
	}{
		{"PingPong", 8, perCall, 4096 / perCall},
		{"PingPing", 8, 3 * perCall, 4096 / (3 * perCall)},
		{"Sendrecv", 8, perCall, 2 * 4096 / perCall},
		{"Exchange", 8, 5 * perCall, 4 * 4096 / (5 * perCall)},
		{"Allgather", 8, perCall, 0},
	} {
		r := onScript(t, s, probe.Config{
			Selections: named(t, c.name), Settings: settings.Settings{Rows: settings.Rows{Lengths: []int64{4096}},
				Repetitions: settings.Repetitions{Max: 8,
					Policy: settings.Off}},
		})
		require.Len(t, r.Blocks, 1)
		require.Len(t, r.Blocks[0].Rows, 1)
		row := r.Blocks[0].Rows[0]
		require.Equal(t, c.repetitions, row.Repetitions)
		require.InEpsilon(t, c.time, row.Derived[0].Max, 1e-9, c.name)
		require.InDelta(t, c.bandwidth, row.Derived[0].Bandwidth, 1e-3, c.name)
	}
}

// A row that would take longer than its time has fewer repetitions. Longer messages never have more. After the time of
// all rows there are no more figures.
func TestTimeOut(t *testing.T) {
	s := &scripted.Engine{Processes: 2, Cost: func(x scripted.Step) float64 { return float64(x.Bytes) }}
	r := onScript(t, s, probe.Config{
		Selections: named(t, "Sendrecv"), Settings: settings.Settings{Rows: settings.Rows{Lengths: []int64{1, 2, 5,
			100, 200}},
			Repetitions: settings.Repetitions{SampleTime: 10}},
	})
	rows := r.Blocks[0].Rows
	require.Len(t, rows, 5)
	require.Equal(t, []int64{11, 6}, []int64{rows[0].Repetitions, rows[1].Repetitions})
	for _, row := range rows[2:] {
		require.Equal(t, "time-out", row.Missing)
		require.Empty(t, row.Samples)
	}
}

// By IMB 2021.11 a block has the time of all its rows by the clock, and with a list of lengths at least the time of the
// default lengths. A row that comes too late ends its kernel: further lengths, modes and numbers of processes are left
// out, and the next kernel runs.
func TestTimeOutOfIMB2021(t *testing.T) {
	s := &scripted.Engine{Processes: 4, Cost: func(x scripted.Step) float64 { return 5 * float64(x.Bytes) }}
	c := probe.Config{Selections: named(t, "Sendrecv", "PingPing"), Settings: settings.Settings{
		Rows: settings.Rows{Lengths: []int64{1, 2, 5}, Log: []int{0, 2}}, Repetitions: settings.Repetitions{Max: 2,
			SampleTime: 10},
		IMB: settings.IMB{Method: settings.ByIMB2021}}}
	r := onScript(t, s, c)
	require.Len(t, r.Blocks, 2)
	require.Equal(t, []string{"Sendrecv", "PingPing"}, []string{r.Blocks[0].Kernel, r.Blocks[1].Kernel})
	rows := r.Blocks[0].Rows
	require.Len(t, rows, 3)
	require.Equal(t, []string{"", "", "time-out"}, []string{rows[0].Missing, rows[1].Missing, rows[2].Missing})
	require.Contains(t, rows[2].Detail, "Time limit (secs_per_sample * msg_sizes_list_len) is over")

	plan, err := probe.NewPlan(s.Processes, probe.On(s, c)) // the rest of a resumed run
	require.NoError(t, err)
	m, err := plan.Measure(s, rating.Observer[measured.Outcome]{Now: s.Now})
	require.NoError(t, err)
	again, err := plan.Measure(s, rating.Observer[measured.Outcome]{Now: s.Now, Earlier: m})
	require.NoError(t, err)
	require.Equal(t, m.Blocks, again.Blocks)

	c.Settings.Rows.Log = nil // a list of lengths: 21 times 10 s
	r = onScript(t, s, c)
	require.Len(t, r.Blocks, 3)
	require.Len(t, r.Blocks[0].Rows, 3)
	require.Empty(t, r.Blocks[0].Rows[2].Missing)
}

// Rows that need more memory than allowed have no figures, others have.
func TestOutOfMemory(t *testing.T) {
	c := probe.Config{Selections: named(t, "Alltoall"), Settings: short()}
	c.Settings.Memory.Limit = 8000
	rows := onLocal(t, 2, c).Blocks[0].Rows
	require.Equal(t, []string{"", "", "", "out-of-mem."},
		[]string{rows[0].Missing, rows[1].Missing, rows[2].Missing, rows[3].Missing})
	require.Contains(t, rows[3].Detail, "needed X=")
}

// A row that needs more memory than the machine has is not tried, even if the settings allow it. One of three processes
// waits, and leaves its memory to the others.
func TestMachineMemory(t *testing.T) {
	c := probe.Config{Selections: named(t, "PingPong", "Alltoall"), Settings: short(), Share: 3000,
		Hosts: [][]int{{0, 1, 2}}}
	c.Settings.Rows.Lengths, c.Settings.Who.MinProcesses = []int64{1000, 2000, 3000}, 3
	blocks := onLocal(t, 3, c).Blocks
	require.Equal(t, []string{"", "", "out-of-mem."},
		[]string{blocks[0].Rows[0].Missing, blocks[0].Rows[1].Missing, blocks[0].Rows[2].Missing})
	require.Equal(t, "out-of-mem.", blocks[1].Rows[0].Missing)
	require.Contains(t, blocks[1].Rows[0].Detail, "needed X=")
}

// A process that gets one wrong byte has one defect.
func TestWrongByte(t *testing.T) {
	c := probe.Config{Selections: named(t, "Sendrecv"), Settings: short()}
	c.Settings.Rows.Lengths = []int64{1000}
	row := onLocal(t, 2, c, fault.WrongDelivery(1, mpi.Sendrecv)).Blocks[0].Rows[0]
	require.EqualValues(t, 1, row.Defects)
	require.EqualValues(t, 1, row.Difference)
	require.EqualValues(t, 1, row.Checked)
}

// All processes return the error of any one of them, because process 0 reports for the job.
func TestFailureElsewhere(t *testing.T) {
	for _, name := range []string{"P_Write_Priv", "P_Read_Priv"} {
		for rank := range 2 {
			var texts [2]string
			require.Error(t, local.Run(2, func(e mpi.Engine) error {
				c := probe.Config{Selections: named(t, name), Settings: short(), Directory: t.TempDir()}
				c.Settings.Who.MinProcesses, c.Settings.Rows.Lengths = 2, []int64{1000}
				plan, err := probe.NewPlan(2, probe.On(e, c))
				if err != nil {
					return err
				}
				_, err = plan.Measure(fault.Inject(e, fault.NoSpace(rank, func() bool { return true })),
					rating.Observer[measured.Outcome]{})
				texts[e.World().Rank()] = fmt.Sprint(err)
				return err
			}))
			require.Contains(t, texts[0], "no space left on device", "%s, rank %d", name, rank)
			require.Equal(t, texts[0], texts[1], "%s, rank %d", name, rank)
		}
	}
}

func TestMapNeedsAllProcesses(t *testing.T) {
	c := probe.Config{Selections: named(t, "Bcast"), Settings: short()}
	c.Settings.Who.Map = []int{3, 2}
	_, err := probe.NewPlan(4, c)
	require.ErrorContains(t, err, "map 3x2: want P and Q with P times Q = 4 processes")
}

// A run that is stopped keeps its rows.
func TestStop(t *testing.T) {
	s := &scripted.Engine{Processes: 2, Cost: scripted.Linear(1e-6, 1e9)}
	plan, err := probe.NewPlan(2, probe.On(s, probe.Config{Selections: named(t, "PingPong", "Bcast")}))
	require.NoError(t, err)
	rows := 0
	m, err := plan.Measure(s, rating.Observer[measured.Outcome]{
		Now: s.Now, Keep: func(m measured.Outcome) { rows = rowsOf(m) }, Stop: func() bool { return rows == 3 },
	})
	require.ErrorIs(t, err, rating.ErrStopped)
	r := probe.NewResult(plan, m, probe.Run{Run: rating.Run{Err: err}})
	require.NoError(t, r.Check())
	require.False(t, r.Complete)
	require.Len(t, r.Blocks, 1)
	require.Len(t, r.Blocks[0].Rows, 3)
}

// failing is an engine that can't compile long messages on one process.
type failing struct {
	mpi.Engine
	rank int
	err  error
}

func (e failing) Compile(p *mpi.Program) (mpi.Runner, error) {
	for _, place := range p.Places {
		if e.World().Rank() == e.rank && place.Length == 2000 {
			return nil, e.err
		}
	}
	return e.Engine.Compile(p)
}

// If one process can't express a message, the row has no figures, and the run continues. Any other failure ends the run
// on all processes, and none waits.
func TestCompileFailsOnOneProcess(t *testing.T) {
	other := errors.New("no types left")
	for _, failure := range []error{mpi.ErrOverflow, other} {
		c := probe.Config{Selections: named(t, "Sendrecv"), Settings: short()}
		c.Settings.Rows.Lengths = []int64{1000, 2000, 3000}
		require.NoError(t, local.Run(3, func(e mpi.Engine) error {
			plan, err := probe.NewPlan(3, probe.On(e, c))
			require.NoError(t, err)
			m, err := plan.Measure(failing{e, 1, failure}, rating.Observer[measured.Outcome]{})
			if failure == other {
				agreed := (*mpi.AgreedError)(nil)
				require.ErrorAs(t, err, &agreed)
				require.Equal(t, e.World().Rank() == 1, errors.Is(err, other))
				return nil
			}
			if e.World().Rank() == 0 {
				rows := m.Blocks[0].Rows
				require.Equal(t, []string{"", "int-overflow", ""},
					[]string{rows[0].Missing, rows[1].Missing, rows[2].Missing})
			}
			return err
		}))
	}
}

// rowsOf returns the number of measured rows.
func rowsOf(m measured.Outcome) (n int) {
	for _, b := range m.Blocks {
		n += len(b.Rows)
	}
	return n
}
