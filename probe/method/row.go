package method

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
)

// row measures one length. All processes of the world take part. Processes outside of the groups wait.
func (m *Measurer) row(t *Table, bytes, along int64) (measured.Row, error) {
	row := measured.RowOf(t.kernel, bytes, along)
	if t.missing != nil {
		row.Missing, row.Detail = t.missing.Missing, t.missing.Detail
		return row, nil
	}
	s := &kernel.Scene{Kernel: t.kernel, Mode: t.block.ProgramMode(), Bytes: bytes, Along: along, Comm: t.comm,
		World: t.all, Ranks: t.block.Processes, Delay: t.block.Delay, PerNode: t.block.PerNode,
		Settings: &m.Settings.Today, Rules: t.way.rules(),
		RootStays: t.block.FixedRoot || t.kernel.Recipe.FixedRoot, Factors: m.factorsOf(t),
		Counts: m.Settings.Counts, Micro: m.Settings.Micro(), Played: m.Engine.Library().Kind().Simulated,
		Fragments: cmp.Or(m.Settings.Fragments, settings.Default.Fragments), Function: m.functionOf(t.kernel),
		Threading: m.Settings.Threads(), Meta: m.Settings.Meta()}
	if _, folds := m.Engine.(mpi.Folder); folds && t.kernel.Recipe.Folds && bytes > m.Settings.Fold {
		s.Fold = m.Settings.Fold
	}
	m.begin(t, bytes)
	selected := t.way.Most(t.block, bytes)
	s.One = t.kernel.OneSided(m.Settings)
	s.LayOut(t.way.cache(t.way), cmp.Or(m.Settings.CacheLine, settings.Default.CacheLine), selected)
	m.crew(t, s)
	needed := s.Memory()
	if t.way.fixed {
		needed = max(s.Send.Length, s.Recv.Length) * int64(len(s.Owners()))
	}
	folds := ""
	if t.kernel.Recipe.Folds {
		folds = ", or --option fold=2MiB"
	}
	if lack := m.lack(needed, needs{}.of(needed, t.groups...), folds); lack != "" {
		row.Missing, row.Detail = measured.OutOfMemory, lack
		return row, nil
	}
	enough, err := m.allocate(s)
	if err != nil {
		return row, err
	}
	if !enough {
		row.Missing, row.Detail = measured.OutOfMemory, "the system doesn't give that much to all processes"
		return row, nil
	}
	if err := m.setUp(s); err != nil {
		return row, err
	}
	if err := m.openFiles(t, s, selected); err != nil {
		return row, err
	}
	if err = t.way.row(m, t, s, &row, selected); err == nil && row.Missing == "" {
		row.Pages, err = m.pages(s)
	}
	if errors.Is(err, mpi.ErrOverflow) {
		err, row.Missing, row.Detail = nil, measured.IntOverflow, "a count or an offset is more than 2^31-1"
	}
	if err == nil || mpi.Agreed(err) {
		err = errors.Join(err, m.tearDown(s))
	}
	return row, err
}

// begin tells the observer that this process begins a row, or waits for those that measure it.
func (m *Measurer) begin(t *Table, bytes int64) {
	name, ranks := t.block.Name(), t.block.Processes
	where := func() string { return fmt.Sprintf("%s on %s, %d bytes", name, rating.Processes(ranks), bytes) }
	if t.comm == nil {
		m.Idle(where)
		return
	}
	m.Enter(0, where)
}

// fill measures a row as one loop between two readings of the clock: it finds the number of repetitions, measures,
// checks, and collects the samples.
func (m *Measurer) fill(t *Table, s *kernel.Scene, row *measured.Row, selected int64) error {
	n, before, err := m.repetitions(t, s, selected)
	if err != nil {
		return err
	}
	if late, err := m.late(t, row); late || err != nil {
		return err
	}
	switch warm := t.way.warmUp(t.way, s.Bytes, n); {
	case t.way.fixed:
		s.Untimed, row.WarmUp = warm, warm
	case before < warm:
		if _, err := m.run(s, warm, nil); err != nil {
			return err
		}
	}
	row.Repetitions = n
	mine, err := m.loops(s, n)
	if err != nil {
		return err
	}
	if err := m.Agree(m.World, s.Failure); err != nil {
		return err
	}
	return m.gather(t, row, mine)
}

// late reports whether the block's loops have taken too long for another row, and writes that into the row.
func (m *Measurer) late(t *Table, row *measured.Row) (bool, error) {
	if t.way.fixed {
		return false, nil
	}
	took := m.looped
	if t.way.stops {
		took = m.Now().Sub(t.began)
	}
	late, err := m.Any(m.World.Rank() == 0 && took.Seconds() > t.way.patience())
	switch {
	case !late:
		return false, err
	case t.way.stops: // in IMB's words
		row.Detail = "Time limit (secs_per_sample * msg_sizes_list_len) is over; use \"-time X\" or " +
			"SECS_PER_SAMPLE=X (IMB_settings.h) to increase time limit."
	default:
		row.Detail = fmt.Sprintf("the block's loops have taken more than %.6g s: allow more by \"-time X\"",
			t.way.patience())
	}
	row.Missing, t.missing = measured.TimeOut, row
	return true, err
}

// repetitions returns the number n of repetitions by the policy. To estimate their time it runs one repetition, then
// some more. before is the number of these.
func (m *Measurer) repetitions(t *Table, s *kernel.Scene, selected int64) (n, before int64, err error) {
	if !t.way.estimates() {
		return selected, 0, nil
	}
	before = 1
	seconds, err := m.slowest(s, before)
	if err != nil {
		return 0, 0, err
	}
	if some := trial(t.kernel, selected, seconds); some > 1 {
		before = some
		if seconds, err = m.slowest(s, before); err != nil {
			return 0, 0, err
		}
	}
	fitting := fitting(m.Settings, selected, seconds)
	if t.kernel.Axis() != nil { // the same length may take much longer with another stride
		return min(selected, fitting), before, nil
	}
	return t.history.settle(s.Bytes, selected, fitting), before, nil
}

// slowest runs n repetitions and returns the seconds of one of them on the slowest process.
func (m *Measurer) slowest(s *kernel.Scene, n int64) (float64, error) {
	own, err := m.run(s, n, nil)
	if err != nil {
		return 0, err
	}
	return m.Most(max(own, 0) / float64(n))
}

// setUp fills the send area of a row and makes its window.
func (m *Measurer) setUp(s *kernel.Scene) error {
	if s.Comm == nil {
		return nil
	}
	if s.Allocates() {
		if err := m.openWindow(s); err != nil {
			return err
		}
		return m.inOwnWindow(s, func() error { s.Prepare(); return nil })
	}
	if mpi.Moves(m.Engine) {
		for _, c := range s.Owners() {
			c.Prepare()
		}
	}
	return m.openWindow(s)
}

// openWindow makes the window of kernels that have one. The programs of the kernel Window make it themselves, so for
// them it is freed again.
func (m *Measurer) openWindow(s *kernel.Scene) (err error) {
	r := s.Kernel.Recipe
	windows, ok := m.Engine.(mpi.Windows)
	switch {
	case r.Window == kernel.NoSide:
		return nil
	case !ok:
		return fmt.Errorf("%s has no one-sided communication", m.Engine.Library().Library)
	case s.Allocates():
		a := s.Exposed()
		s.Window, a.Buffer, err = windows.Allocate(s.Comm, a.Size())
	case s.One.Window == settings.Attached:
		attaching, ok := m.Engine.(mpi.Attaching)
		if !ok {
			return fmt.Errorf("%s has no dynamic windows", m.Engine.Library().Library)
		}
		s.Window, err = attaching.Attach(s.Comm, s.Exposed().Buffer)
	default:
		s.Window, err = windows.NewWindow(s.Comm, s.Exposed().Buffer)
	}
	if err == nil && r.MakesWindow {
		err = s.Window.Free()
	}
	return err
}

func (m *Measurer) tearDown(s *kernel.Scene) error {
	if s.Comm == nil {
		return nil
	}
	if s.Window != nil {
		if err := s.Window.Close(); err != nil {
			return err
		}
	}
	if err := m.closeFiles(s); err != nil {
		return err
	}
	return free(s)
}

// run runs n repetitions and returns this process' seconds for all of them, or -1 if its time doesn't count. If check
// is given, the receive area is renewed before, and check is called with the step afterwards.
func (m *Measurer) run(s *kernel.Scene, n int64, check func(x *kernel.Step) error) (seconds float64, err error) {
	if n == 0 {
		return -1, nil
	}
	if s.Single {
		s.Untimed = 0
	}
	s.Repetitions = n + s.Untimed
	x, runner, err := m.ready(s, check != nil)
	if err != nil || s.Comm == nil {
		return -1, err
	}
	if check != nil && n > 1 {
		calm(runner)
	}
	begin := m.Now()
	got, err := runner.Run(mpi.Loops{Untimed: s.Untimed, Timed: n / max(x.Cycle, 1)})
	m.looped += m.Now().Sub(begin)
	if err != nil {
		return 0, err // the program stays open, because its requests may be
	}
	runner.Close()
	s.Used += n + s.Untimed
	s.Laps = got.Laps
	if got.Failure != nil && s.Failure == nil {
		s.Failure = got.Failure
	}
	err = m.leave(s, x, check)
	if x.Silent {
		return -1, err
	}
	return s.Counted(got), err
}

// ready makes a row's program and everything that it needs, and meets the other processes of the world. If its data
// will be checked, the receive area is renewed.
func (m *Measurer) ready(s *kernel.Scene, checked bool) (x *kernel.Step, runner mpi.Runner, err error) {
	if err := m.rewindAll(s); err != nil {
		return nil, nil, err
	}
	if x, runner, err = m.compile(s); err != nil {
		return nil, nil, err
	}
	if s.Comm != nil {
		if checked {
			if err := m.renew(s, x, runner); err != nil {
				return nil, nil, err
			}
		}
		if err := m.execute(s.Outside(x, x.Enter)); err != nil {
			return nil, nil, err
		}
	}
	// All but one of IMB's barriers (N_BARR). The last one is the program's, right before its clock.
	for range cmp.Or(m.Settings.Barriers, settings.Default.Barriers) - 1 {
		err = errors.Join(err, m.World.Barrier())
	}
	return x, runner, err
}

// renew renews the receive area of a row, behind a first start of its persistent calls: libraries were wrong from the
// second one on.
func (m *Measurer) renew(s *kernel.Scene, x *kernel.Step, runner mpi.Runner) error {
	if slices.ContainsFunc(x.Each, startsAgain) {
		if _, err := runner.Run(mpi.Loops{Timed: 1}); err != nil {
			return err
		}
	}
	return m.inOwnWindow(s, s.Renew)
}

// startsAgain reports whether a call starts the same collective operation in each repetition.
func startsAgain(c mpi.Call) bool {
	return c.Op.Persistent() && c.Op.Family() == mpi.NonblockingCollective
}

// leave makes a step's last calls and checks its data, if check is given.
func (m *Measurer) leave(s *kernel.Scene, x *kernel.Step, check func(x *kernel.Step) error) error {
	err := m.execute(s.Outside(x, x.Leave))
	if err == nil && check != nil {
		err = m.proven(s, x, check)
	}
	return err
}

// calm makes a measured program wait for a quiet core first, if the engine can do that. Loops of IMB are short, those
// of the other benchmarks are not.
func calm(r mpi.Runner) {
	if c, ok := r.(mpi.Calmer); ok {
		c.Calm()
	}
}

// calmly is Execute on a quiet core.
func (m *Measurer) calmly(p *mpi.Program, n mpi.Loops) (got mpi.Measurement, err error) {
	runner, err := m.Engine.Compile(p)
	if err != nil {
		return got, err
	}
	calm(runner)
	if got, err = runner.Run(n); err == nil {
		runner.Close()
	}
	return got, err
}

// rewindAll is rewind on all processes of groups, which all return the same error.
func (m *Measurer) rewindAll(s *kernel.Scene) (err error) {
	if s.Files == nil {
		return nil
	}
	if s.Comm != nil {
		err = m.rewind(s)
	}
	return m.Agree(m.World, err)
}

// proven brings the data to check into memory, and checks them.
func (m *Measurer) proven(s *kernel.Scene, x *kernel.Step, check func(x *kernel.Step) error) error {
	if err := m.execute(s.Outside(x, x.Proof)); err != nil {
		return err
	}
	return m.inOwnWindow(s, func() error { return check(x) })
}

// compile returns this process' step and its timed program.
func (m *Measurer) compile(s *kernel.Scene) (x *kernel.Step, runner mpi.Runner, err error) {
	if s.Comm != nil {
		x = s.Kernel.Recipe.Build(s)
	}
	runner, err = m.compileStep(s, x)
	return x, runner, err
}

// compileStep returns this process' timed program of a step. A message that the library can't express is an error on
// all processes, so that the run goes on.
func (m *Measurer) compileStep(s *kernel.Scene, x *kernel.Step) (runner mpi.Runner, err error) {
	if s.Comm != nil {
		if err = x.Err; err == nil {
			runner, err = m.Engine.Compile(s.Program(x))
		}
	}
	if err := m.compiled(err); err != nil {
		if runner != nil {
			runner.Close() // another process has none
		}
		return nil, err
	}
	return runner, nil
}

// compiled returns the error of the lowest rank that could not compile. If all errors are overflows, it is
// mpi.ErrOverflow itself, and the run continues.
func (m *Measurer) compiled(err error) error {
	const overflow, failure = 1, 2
	mine := 0.0
	switch {
	case errors.Is(err, mpi.ErrOverflow):
		mine = overflow
	case err != nil:
		mine = failure
	}
	worst, comm := m.Most(mine)
	switch {
	case comm != nil:
		return comm
	case worst == 0:
		return nil
	case worst == overflow:
		return &mpi.AgreedError{Err: mpi.ErrOverflow}
	case mine < worst:
		err = nil // others have a worse error
	}
	return m.Agree(m.World, err)
}

// execute runs calls that aren't timed, once.
func (m *Measurer) execute(p *mpi.Program) error {
	if p == nil {
		return nil
	}
	_, err := m.Execute(p, mpi.Loops{Timed: 1})
	return err
}

// inOwnWindow calls do at a time when this process may load from its window and store to it.
func (m *Measurer) inOwnWindow(s *kernel.Scene, do func() error) error {
	if !s.Kernel.Recipe.TouchesWindow() {
		return do()
	}
	own := func(op mpi.Op) error {
		return m.execute(&mpi.Program{Comm: s.Comm, Places: []mpi.Place{s.At(s.Rank(), 0, 0)},
			Loop: []mpi.Call{{Op: op, Recv: mpi.One(0)}}})
	}
	if err := own(mpi.WinLock); err != nil {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	return own(mpi.WinUnlock)
}
