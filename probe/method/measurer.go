package method

import (
	"errors"
	"slices"
	"time"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
)

// Measurer measures the rows of a run on one process.
type Measurer struct {
	rating.Process[measured.Outcome]
	Settings  *settings.Settings
	Way       func(*kernel.Kernel) Way // how a kernel is measured
	Given     []float64                // factors in the file that Settings.Factors names
	Directory string                   // of files
	Compute   float64                  // seconds of computing during a nonblocking file call
	Fits      func(needs []Need) bool  // reports whether the hosts have this memory
	Out       *measured.Outcome
	// Congestor returns the kernel of a pattern of congestors.
	Congestor func(name string) *kernel.Kernel
	// Library returns the path of a user's library, or the reason why it can't be loaded. If nil, the name is the path.
	Library func(name string) (string, error)

	functions mpi.Functions        // of a user's library; nil if there is none
	trees     map[int64]*treeItems // trees of kernels of metadata, by the length of the files

	product float64       // seconds of one Exploit; 0 if not calibrated
	looped  time.Duration // time of the block's loops so far, including untimed ones
	paused  time.Duration // looped at the last pause
}

// Table is a block that is being measured.
type Table struct {
	kernel  *kernel.Kernel
	way     Way
	block   *measured.Block                  // on process 0, the result's
	report  func(doing string, part float64) // called when a part of a row is done
	comm    mpi.Comm
	threads []mpi.Comm // of each thread of this process, in kernels of threads; threads may share one
	all     mpi.Comm   // of all groups, for kernels in which all processes meet
	group   int        // of this process; -1 if it waits
	groups  [][]int
	barrier float64 // seconds of a barrier on this process, for the timing root
	history history
	// prepared is set once the file for all rows has been made.
	prepared bool
	began    time.Time
	missing  *measured.Row // the row that ended the block; all later rows are missing, too
}

// Prepare measures and loads everything that rows of the kernels need: the machine's speed of computing, the factors of
// the processes, users' functions, and the cost of reading the clock. Finish ends their use.
func (m *Measurer) Prepare(kernels []*kernel.Kernel) error {
	if err := m.calibrate(kernels); err != nil {
		return err
	}
	if err := m.hintWindows(kernels); err != nil {
		return err
	}
	if err := m.findFactors(); err != nil {
		return err
	}
	if err := m.loadFunctions(); err != nil {
		return err
	}
	return m.measureClock(kernels)
}

// hintWindows gives the settings' hints to all windows that are made later, if a kernel has windows. If the engine
// takes no hints for windows, it adds a note.
func (m *Measurer) hintWindows(kernels []*kernel.Kernel) error {
	if len(m.Settings.Hints) == 0 || !slices.ContainsFunc(kernels, func(k *kernel.Kernel) bool {
		return k.Builder.Access.Window != kernel.NoSide
	}) {
		return nil
	}
	if e, ok := m.Engine.(mpi.WindowHinter); ok {
		return m.Agree(m.World, e.HintWindows(m.Settings.Hints))
	}
	if m.First() {
		m.Out.Notes = append(m.Out.Notes, rating.Warning{Code: "hints", Text: m.Engine.Library().Library +
			" takes no hints for windows", Remedy: "leave --hints out"})
	}
	return nil
}

// Open begins a block on groups of the world's ranks. Earlier parts of the run may already have measured some of its
// rows. report is called when a part of a row is done. All processes of the world call it.
func (m *Measurer) Open(k *kernel.Kernel, b *measured.Block, groups [][]int, report func(string, float64)) (*Table,
	error) {
	t := &Table{kernel: k, way: m.Way(k), block: b, groups: groups, report: report, began: m.Now()}
	m.looped, m.paused = 0, 0
	t.resume(b.Rows)
	if err := m.joinGroup(t); err != nil {
		return nil, err
	}
	if err := m.joinThreads(t); err != nil {
		return nil, err
	}
	return t, m.timeBarriers(t)
}

// Close frees everything that Open has made.
func (m *Measurer) Close(t *Table) error {
	if t.comm == nil {
		return nil
	}
	var err error
	for _, c := range t.threads {
		if c != t.comm {
			err = errors.Join(err, c.Free())
		}
	}
	err = errors.Join(err, t.comm.Free())
	if t.all != m.World {
		err = errors.Join(err, t.all.Free())
	}
	return err
}

// Measure measures a row of a block, with the pauses around it. All processes of the world call it.
func (m *Measurer) Measure(t *Table, bytes, along int64) (measured.Row, error) {
	m.pauseAround(t.kernel)
	row, err := m.measureRow(t, bytes, along)
	if err == nil {
		m.pauseAround(t.kernel)
		m.pause()
	}
	return row, err
}

// Ended reports whether a row has ended the block, so that all later rows are missing.
func (t *Table) Ended() bool { return t.missing != nil }

// EndedBy reports whether a row ends its kernel, so that no later row of any of its blocks is measured.
func (w Way) EndedBy(row *measured.Row) bool { return w.stops && row.Missing != "" }

// joinGroup makes the group's communicator, whose ranks are in the group's order.
func (m *Measurer) joinGroup(t *Table) (err error) {
	color, key := -1, 0
	for g, ranks := range t.groups {
		for i, rank := range ranks {
			if rank == m.World.Rank() {
				color, key = g, i
			}
		}
	}
	t.group = color
	if t.comm, err = m.World.Split(color, key); err != nil {
		return err
	}
	if err := t.arrangeOnGrid(); err != nil {
		return err
	}
	t.all = m.World
	active := lists.SumOf(t.groups, func(ranks []int) int { return len(ranks) })
	if t.kernel.Component == kernel.PGAS && active < m.World.Size() {
		t.all, err = m.World.Split(min(color, 0), key)
	}
	return err
}

// arrangeOnGrid arranges the processes of a group in the grid of their neighbourhood. The library may reorder the
// ranks.
func (t *Table) arrangeOnGrid() (err error) {
	top := t.kernel.Builder.Processes.Topology
	if top == nil || !top.Cart || t.comm == nil {
		return nil
	}
	sides, before := top.Sides(t.comm.Size()), t.comm
	if t.comm, err = before.Cart(sides, patterns.Cyclic(sides)); err != nil {
		return err
	}
	return before.Free()
}

// resume takes over rows of an earlier part of the run.
func (t *Table) resume(rows []measured.Row) {
	for i, row := range rows {
		if row.Missing == measured.TimeOut {
			t.missing = &rows[i]
		}
		if row.Repetitions > 0 {
			t.history = append(t.history, struct{ bytes, repetitions int64 }{row.Bytes, row.Repetitions})
		}
	}
}

// pauseAround waits before or after a row of IMB-P2P.
func (m *Measurer) pauseAround(k *kernel.Kernel) {
	if k.Component == kernel.P2P {
		time.Sleep(time.Duration(m.Settings.PauseAround * float64(time.Second)))
	}
}

// pause waits after a row if the settings have a pause, for that pause or for a tenth of the time of the loops since
// the last one, whichever is longer.
func (m *Measurer) pause() {
	if least := m.Settings.Pause; least > 0 {
		time.Sleep(max(time.Duration(least*float64(time.Second)), (m.looped-m.paused)/10))
		m.paused = m.looped
	}
}
