package probe

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/rating"
)

// Measured is the outcome of a measurement on process 0. On other processes it is meaningless.
type Measured struct {
	CPU         CPU
	Factors     []float64 // of the processes; nil: all are 1
	Clock       *Clock    // nil: there are no series
	Notes       []rating.Warning
	Blocks      []Block
	WallSeconds float64 // from the first barrier to the end of the last row
}

// measurer is the state of one process while it measures.
type measurer struct {
	rating.Process[Measured]
	plan     *Plan
	out      *Measured
	turn     float64       // seconds of one Exploit; 0: not calibrated
	looped   time.Duration // time of the block's loops so far, untimed ones too
	paused   time.Duration // looped at the last pause
	ahead    *forecast     // of process 0, if somebody looks at its progress
	rowBegan float64       // seconds
	// Factors of the processes; nil: all are 1.
	factors []float64
	earlier Measured // of earlier parts of the run
}

// Measure makes all measurements of the plan that earlier parts of the run lack. All processes of e call it, and their
// number must be the plan's. On process 0 it returns all rows so far even if there is an error. An *mpi.AgreedError is
// returned by all processes alike (rating.ErrStopped, a file that can't be written). Any other error leaves the others
// waiting, so the job must be aborted. Wrong data are no error: Row.Defects counts them.
//
// The observer's Keep is also called at the beginning of the run, with the calibration, and at the beginning of a
// block.
func (p *Plan) Measure(e mpi.Engine, watch rating.Observer[Measured]) (*Measured, error) {
	m := &measurer{Process: rating.NewProcess(e, watch), plan: p, out: &Measured{}}
	m.resume(watch.Earlier)
	if m.First() {
		m.ahead = p.forecast()
	}
	if err := m.Begin(p.Processes, func() error { return nil }); err != nil {
		return m.out, err
	}
	if err := m.calibrate(); err != nil {
		return m.out, fmt.Errorf("measure: %w", err)
	}
	if err := m.findFactors(); err != nil {
		return m.out, fmt.Errorf("measure: %w", err)
	}
	if err := m.readClock(); err != nil {
		return m.out, fmt.Errorf("measure: %w", err)
	}
	m.keep()
	for i := range p.Blocks {
		if err := m.block(&p.Blocks[i], i); err != nil {
			return m.out, err
		}
	}
	m.keep()
	return m.out, nil
}

// keep passes the rows so far to the observer: a copy, because blocks grow.
func (m *measurer) keep() {
	m.out.WallSeconds = m.earlier.WallSeconds + m.Seconds()
	kept := *m.out
	kept.Blocks = slices.Clone(m.out.Blocks)
	m.Keep(kept)
}

// table is a block under way.
type table struct {
	kernel  *kernel.Kernel
	block   *Block // of process 0: the result's
	number  int    // of the block in the plan
	comm    mpi.Comm
	all     mpi.Comm // of all groups, of kernels that meet all processes
	group   int      // of this process; -1: it waits
	groups  [][]int
	barrier float64 // seconds of a barrier on this process, of timing root
	history history
	// prepared is true if the file that stays for all rows has been made.
	prepared bool
	missing  *Row // the row that ended the block: all later rows are missing, too
}

// block measures a numbered block, a kernel on one number of processes, without the rows that earlier parts of the run
// have measured.
func (m *measurer) block(b *Block, number int) (err error) {
	k, ok := m.plan.kernel(b)
	if !ok {
		return fmt.Errorf("measure: no kernel %s %s", b.Component, b.Kernel)
	}
	block, lacking := m.begun(b, k)
	if _, adaptive := m.plan.Settings.refinement(k); len(lacking) == 0 && !adaptive {
		return nil
	}
	t := &table{kernel: k, block: block, number: number, groups: m.plan.groups(k, b.Processes, b.Multi)}
	m.looped = 0
	m.paused = 0
	t.take(block.Rows)
	m.keep()
	if err := m.join(t); err != nil {
		return err
	}
	if err = m.timeBarriers(t); err == nil {
		err = m.rows(t, lacking)
	}
	if t.comm != nil && (err == nil || mpi.Agreed(err)) {
		err = errors.Join(err, t.comm.Free())
		if t.all != m.World {
			err = errors.Join(err, t.all.Free())
		}
	}
	return err
}

// join makes the group's communicator, in which the ranks are in the group's order.
func (m *measurer) join(t *table) (err error) {
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
	t.all = m.World
	measuring := 0
	for _, ranks := range t.groups {
		measuring += len(ranks)
	}
	if t.kernel.Component == kernel.PGAS && measuring < m.World.Size() {
		t.all, err = m.World.Split(min(color, 0), key)
	}
	return err
}

// rows measures the planned rows of a block that are lacking, and then those whose lengths depend on others.
func (m *measurer) rows(t *table, lacking []int) error {
	for {
		bytes, stride, more, err := m.nextLength(t, &lacking)
		if err != nil || !more {
			return err
		}
		m.rowBegan = m.Seconds()
		m.progress(t, t.doing(bytes), 0)
		m.pauseAround(t.kernel)
		row, err := m.row(t, bytes, stride)
		if err != nil {
			return fmt.Errorf("%s, %s, %d bytes: %w", t.block.Kernel, processes(t.block.Processes), bytes, err)
		}
		m.pauseAround(t.kernel)
		m.pause()
		if m.World.Rank() == 0 {
			m.tookRow(t)
			m.plan.Settings.derive(t.kernel, t.block, &row)
			t.block.Rows = append(t.block.Rows, row)
		}
		m.keep()
		if err := m.Engine.Collect(); err != nil {
			return err
		}
		if err := m.Stopped(nil); err != nil {
			return err
		}
	}
}

// processes returns a number of processes in words.
func processes(n int) string {
	return rating.Processes(n)
}

// Rows returns the number of rows of all blocks of the plan.
func (p *Plan) Rows() int {
	n := 0
	for _, b := range p.Blocks {
		if k, ok := p.kernel(&b); ok {
			n += len(p.lengths(k))
		}
	}
	return n
}
