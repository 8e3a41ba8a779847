package probe

import (
	"errors"
	"fmt"
	"time"

	"github.com/effective-bandwidth/beff/mpi"
)

// ErrStopped is why a measurement ended early on request.
var ErrStopped = errors.New("stopped before the end")

// Measured is what a measurement gives to process 0; on other processes it means nothing.
type Measured struct {
	CPU         CPU
	Blocks      []Block
	WallSeconds float64 // from the first barrier to the end of the last row
}

// Observer is how the outside follows a measurement. All functions may be nil.
type Observer struct {
	Now func() time.Time // the wall clock; nil: time.Now
	// asked on every process after each row; true on any of them ends the run with ErrStopped on all
	Stop     func() bool
	Begin    func(CPU)              // called on process 0 before the first block, with the calibration
	Block    func(b *Block)         // called on process 0 when a block begins
	Row      func(b *Block, r *Row) // called on process 0 when a row is there, with its figures; it is in b.Rows
	Progress func(Progress)         // called on process 0 before each row
	Keep     func(*Measured)        // called on process 0 after each row, with all there is until then
}

// Progress is how far a measurement is.
type Progress struct {
	Block   Block // the one under way
	Bytes   int64 // of the row that begins
	Done    int   // rows
	Rows    int   // of all blocks
	Elapsed time.Duration
	Left    time.Duration // a guess: rows take the same time
}

// measurer is the state of one process while it measures.
type measurer struct {
	plan   *Plan
	engine mpi.Engine
	world  mpi.Comm
	watch  Observer
	begin  time.Time
	out    *Measured
	turn   float64       // seconds of one Exploit; 0: not calibrated
	looped time.Duration // that the block's loops have taken so far, timed ones and others
	done   int
}

// Measure measures everything in the plan. It is called by all processes of e, whose number must be the plan's. On
// process 0 the result holds what was measured, also when there is an error. An *mpi.AgreedError is returned by all
// processes alike (ErrStopped, a file that can't be written); any other error leaves the others waiting, and the job
// must be aborted. Wrong data are no error: Row.Defects counts them.
func (p *Plan) Measure(e mpi.Engine, watch Observer) (*Measured, error) {
	if watch.Now == nil {
		watch.Now = time.Now
	}
	m := &measurer{plan: p, engine: e, world: e.World(), watch: watch, out: &Measured{}}
	if m.world.Size() != p.Processes {
		return m.out, fmt.Errorf("measure: plan for %d processes, job of %d", p.Processes, m.world.Size())
	}
	if err := e.Collect(); err != nil {
		return m.out, err
	}
	if err := m.world.Barrier(); err != nil {
		return m.out, err
	}
	m.begin = watch.Now()
	if err := m.calibrate(); err != nil {
		return m.out, fmt.Errorf("measure: %w", err)
	}
	if watch.Begin != nil && m.world.Rank() == 0 {
		watch.Begin(m.out.CPU)
	}
	for i := range p.Blocks {
		if err := m.block(p.Blocks[i]); err != nil {
			return m.out, err
		}
	}
	m.keep()
	return m.out, nil
}

// keep shows the outside what there is.
func (m *measurer) keep() {
	m.out.WallSeconds = m.watch.Now().Sub(m.begin).Seconds()
	if m.watch.Keep != nil && m.world.Rank() == 0 {
		m.watch.Keep(m.out)
	}
}

// table is a block under way.
type table struct {
	kernel  *Kernel
	block   *Block // of process 0: the result's
	comm    mpi.Comm
	group   int // of this process; -1: it waits
	groups  [][]int
	history history
	missing *Row // what ended the block: all rows that follow are missing, too
}

// block measures a kernel on one number of processes.
func (m *measurer) block(b Block) (err error) {
	k, _, ok := FindIn(b.Component, b.Kernel)
	if !ok {
		return fmt.Errorf("measure: no kernel %s %s", b.Component, b.Kernel)
	}
	m.out.Blocks = append(m.out.Blocks, b)
	t := &table{kernel: k, block: &m.out.Blocks[len(m.out.Blocks)-1], groups: m.plan.groups(b.Processes, b.Multi)}
	m.looped = 0
	t.block.Rows = []Row{}
	if m.watch.Block != nil && m.world.Rank() == 0 {
		m.watch.Block(t.block)
	}
	if err := m.join(t); err != nil {
		return err
	}
	err = m.rows(t)
	if agreed := (*mpi.AgreedError)(nil); t.comm != nil && (err == nil || errors.As(err, &agreed)) {
		err = errors.Join(err, t.comm.Free())
	}
	return err
}

// join makes the group's communicator, in which the ranks are in the group's order.
func (m *measurer) join(t *table) (err error) {
	color, key := -1, 0
	for g, ranks := range t.groups {
		for i, rank := range ranks {
			if rank == m.world.Rank() {
				color, key = g, i
			}
		}
	}
	t.group = color
	t.comm, err = m.world.Split(color, key)
	return err
}

// rows measures all lengths of a block.
func (m *measurer) rows(t *table) error {
	for _, bytes := range m.plan.lengths(t.kernel) {
		m.progress(t, bytes)
		row, err := m.row(t, bytes)
		if err != nil {
			return fmt.Errorf("%s, %s, %d bytes: %w", t.block.Kernel, processes(t.block.Processes), bytes, err)
		}
		m.done++
		if m.world.Rank() == 0 {
			row.Derived = Derive(t.kernel, t.block, &row)
			t.block.Rows = append(t.block.Rows, row)
			if m.watch.Row != nil {
				m.watch.Row(t.block, &t.block.Rows[len(t.block.Rows)-1])
			}
		}
		m.keep()
		if err := m.engine.Collect(); err != nil {
			return err
		}
		if err := m.stopped(); err != nil {
			return err
		}
	}
	return nil
}

// processes says how many there are.
func processes(n int) string {
	if n == 1 {
		return "1 process"
	}
	return fmt.Sprintf("%d processes", n)
}

// stopped asks all processes whether one of them is to end the run.
func (m *measurer) stopped() error {
	stop, err := m.any(m.watch.Stop != nil && m.watch.Stop())
	if err == nil && stop {
		return &mpi.AgreedError{Err: ErrStopped}
	}
	return err
}

// any says whether a process of the world says yes.
func (m *measurer) any(yes bool) (bool, error) {
	v := []float64{0}
	if yes {
		v[0] = 1
	}
	err := m.world.Allreduce(v, mpi.Max)
	return v[0] > 0, err
}

// most is the largest of all processes' values.
func (m *measurer) most(value float64) (float64, error) {
	v := []float64{value}
	err := m.world.Allreduce(v, mpi.Max)
	return v[0], err
}

func (m *measurer) progress(t *table, bytes int64) {
	if m.watch.Progress == nil || m.world.Rank() != 0 {
		return
	}
	p := Progress{Block: *t.block, Bytes: bytes, Done: m.done, Rows: m.plan.Rows(), Elapsed: m.watch.Now().Sub(m.begin)}
	if p.Done > 0 {
		p.Left = p.Elapsed / time.Duration(p.Done) * time.Duration(p.Rows-p.Done)
	}
	m.watch.Progress(p)
}

// Rows is how many rows all blocks of the plan will have together.
func (p *Plan) Rows() int {
	n := 0
	for _, b := range p.Blocks {
		if k, _, ok := FindIn(b.Component, b.Kernel); ok {
			n += len(p.lengths(k))
		}
	}
	return n
}
