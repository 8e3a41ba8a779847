package method

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
)

// measureRow measures one length. All processes of the world take part; processes outside of the groups wait.
func (m *Measurer) measureRow(t *Table, bytes, along int64) (measured.Row, error) {
	row := measured.NewRow(t.kernel, bytes, along)
	if t.missing != nil {
		row.Missing, row.Detail = t.missing.Missing, t.missing.Detail
		return row, nil
	}
	s := &kernel.Setup{Kernel: t.kernel, Mode: t.block.ProgramMode(), Bytes: bytes, AxisValue: along, Comm: t.comm,
		World: t.all, Ranks: t.block.Processes, PerNode: t.block.PerNode, Options: m.options(t, bytes),
		Rules: t.way.rules(), Played: m.Engine.Library().Kind().Simulated}
	m.announce(t, bytes)
	selected := t.way.MaxRepetitions(t.block, bytes)
	s.LayOut(t.way.cache(t.way), cmp.Or(m.Settings.Memory.CacheLine, settings.Default.CacheLine), selected)
	m.addThreads(t, s)
	needed := s.Memory()
	if t.way.count.fixed {
		needed = max(s.Send.Length, s.Recv.Length) * int64(len(s.Owners()))
	}
	folds := ""
	if t.kernel.Builder.Data.Folds {
		folds = ", or --option fold=2MiB"
	}
	if lack := m.missingMemory([]Need{{needed, t.groups}}, folds); lack != "" {
		row.Missing, row.Detail = measured.OutOfMemory, lack
		return row, nil
	}
	enough, err := m.allocate(s)
	if err != nil {
		return row, err
	}
	if !enough {
		where := cmp.Or(m.Settings.Memory.Place(), "the system")
		row.Missing, row.Detail = measured.OutOfMemory, where+" can't give that much to all processes"
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

func (m *Measurer) options(t *Table, bytes int64) kernel.Options {
	o := kernel.Options{IMB: &m.Settings.IMB, One: t.kernel.OneSided(m.Settings), OSU: m.Settings.OSU,
		Meta: m.Settings.Metadata, Threading: m.Settings.Threading, Factors: m.factorsOf(t),
		RootStays: t.block.FixedRoot || t.kernel.Builder.Processes.FixedRoot,
		Fragments: cmp.Or(m.Settings.Blocks.Fragments, settings.Default.Fragments), Counts: m.Settings.Blocks.Counts,
		Function: m.functionOf(t.kernel), Delay: t.block.Delay}
	if _, folds := m.Engine.(mpi.Folder); folds && t.kernel.Builder.Data.Folds && bytes > m.Settings.Rows.Fold {
		o.Fold = m.Settings.Rows.Fold
	}
	return o
}

// announce informs the observer that this process begins a row, or waits for the processes that measure it.
func (m *Measurer) announce(t *Table, bytes int64) {
	name, ranks := t.block.Name(), t.block.Processes
	where := func() string { return fmt.Sprintf("%s on %s, %d bytes", name, rating.Processes(ranks), bytes) }
	if t.comm == nil {
		m.Idle(where)
		return
	}
	m.Enter(0, where)
}

// measureLoop measures a row as one loop between two readings of the clock. It determines the number of repetitions,
// measures, checks, and collects the samples.
func (m *Measurer) measureLoop(t *Table, s *kernel.Setup, row *measured.Row, selected int64) error {
	n, before, err := m.repetitions(t, s, selected)
	if err != nil {
		return err
	}
	if late, err := m.late(t, row); late || err != nil {
		return err
	}
	switch warm := t.way.warmUp(s.Bytes, n); {
	case t.way.count.fixed:
		s.Run.Untimed, row.WarmUp = warm, warm
	case before < warm:
		if _, err := m.run(s, warm, nil); err != nil {
			return err
		}
	}
	row.Repetitions = n
	mine, err := m.measurePhases(s, n)
	if err != nil {
		return err
	}
	if err := m.Agree(m.World, s.Results.Failure); err != nil {
		return err
	}
	return m.gather(t, row, mine)
}

// late reports whether the block's loops have taken too long for another row, and if so marks the row as missing.
func (m *Measurer) late(t *Table, row *measured.Row) (bool, error) {
	if t.way.count.fixed {
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

// repetitions returns the number n of repetitions by the policy. To estimate their time it runs one repetition, and
// then some more, whose number is before.
func (m *Measurer) repetitions(t *Table, s *kernel.Setup, selected int64) (n, before int64, err error) {
	if !t.way.estimates() {
		return selected, 0, nil
	}
	before = 1
	seconds, err := m.slowest(s, before)
	if err != nil {
		return 0, 0, err
	}
	if more := trial(t.kernel, selected, seconds); more > 1 {
		before = more
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
func (m *Measurer) slowest(s *kernel.Setup, n int64) (float64, error) {
	own, err := m.run(s, n, nil)
	if err != nil {
		return 0, err
	}
	return m.Most(max(own, 0) / float64(n))
}

// setUp fills the send area of a row and makes its window.
func (m *Measurer) setUp(s *kernel.Setup) error {
	if s.Comm == nil {
		return nil
	}
	if s.Allocates() {
		if err := m.openWindow(s); err != nil {
			return err
		}
		return m.inOwnWindow(s, func() error { s.Prepare(); return nil })
	}
	if mpi.MovesData(m.Engine) {
		for _, c := range s.Owners() {
			c.Prepare()
		}
	}
	return m.openWindow(s)
}

// openWindow makes the window of kernels that have one. Programs of the kernel Window make it themselves, so it is
// freed again.
func (m *Measurer) openWindow(s *kernel.Setup) (err error) {
	r := s.Kernel.Builder
	windows, ok := m.Engine.(mpi.Windows)
	switch {
	case r.Access.Window == kernel.NoSide:
		return nil
	case !ok:
		return fmt.Errorf("%s has no one-sided communication", m.Engine.Library().Library)
	case s.Allocates():
		a := s.Exposed()
		s.Window, a.Buffer, err = windows.Allocate(s.Comm, a.Size())
	case s.Options.One.Window == settings.Attached:
		attaching, ok := m.Engine.(mpi.Attaching)
		if !ok {
			return fmt.Errorf("%s has no dynamic windows", m.Engine.Library().Library)
		}
		s.Window, err = attaching.Attach(s.Comm, s.Exposed().Buffer)
	default:
		s.Window, err = windows.NewWindow(s.Comm, s.Exposed().Buffer)
	}
	if err == nil && r.Access.MakesWindow {
		err = s.Window.Free()
	}
	return err
}

func (m *Measurer) tearDown(s *kernel.Setup) error {
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

// run runs n repetitions and returns this process's seconds for all of them, or -1 if its time doesn't count. If r
// isn't nil, the receive area is renewed before, and the errors in it are then added to r.
func (m *Measurer) run(s *kernel.Setup, n int64, r *reading) (seconds float64, err error) {
	if n == 0 {
		return -1, nil
	}
	if s.Run.Single {
		s.Run.Untimed = 0
	}
	s.Run.Repetitions = n + s.Run.Untimed
	o, err := m.open(s, r != nil)
	if err != nil || s.Comm == nil {
		return -1, err
	}
	if r != nil && n > 1 {
		o.calm()
	}
	x := o.steps[0]
	got, err := o.run(mpi.Loops{Untimed: s.Run.Untimed, Timed: n / max(x.Cycle, 1)})
	if err != nil {
		return 0, err
	}
	s.Results.Used += n + s.Run.Untimed
	s.Results.Laps = got.Laps
	if err = o.close(r); x.Silent {
		return -1, err
	}
	return s.Counted(got), err
}
