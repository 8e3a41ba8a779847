package probe

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/method"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/rating"
)

// run is the state of one process while it measures a plan.
type run struct {
	*method.Measurer
	plan     *Plan
	ahead    *forecast        // on process 0, if an observer wants its progress
	rowBegan float64          // seconds
	over     map[string]bool  // kernels of a pass that a row without figures has ended
	earlier  measured.Outcome // of earlier parts of the run
}

// openBlock is a block that is being measured.
type openBlock struct {
	*method.Table
	kernel *kernel.Kernel
	block  *measured.Block // the result's block on process 0
	number int             // of the block in the plan
}

// Measure makes all measurements of the plan that earlier parts of the run lack. All processes of e call it, and their
// number must be the plan's. On process 0 it returns all rows so far even if there is an error. All processes return
// the same error if it is an *mpi.AgreedError (rating.ErrStopped, a file that can't be written). Any other error leaves
// the others waiting, so the job must be aborted. Wrong data are not an error: Row.Defects counts them.
//
// The observer's Keep is also called at the beginning of the run, with the calibration, and at the beginning of a
// block.
func (p *Plan) Measure(e mpi.Engine, watch rating.Observer[measured.Outcome]) (*measured.Outcome, error) {
	m := &run{plan: p, Measurer: &method.Measurer{Process: rating.NewProcess(e, watch), Settings: &p.Settings,
		Way: p.way, Given: p.Factors, Directory: p.Directory, Fits: p.fits,
		Compute: cmp.Or(p.Settings.Compute, suites.MethodOf(&p.Settings, kernel.IO).Compute),
		Out:     &measured.Outcome{}, Library: p.Library, Congestor: suites.Congestor}, over: map[string]bool{}}
	m.resume(watch.Earlier)
	if m.First() {
		m.ahead = p.forecast()
	}
	if err := m.Begin(p.Processes, func() error { return nil }); err != nil {
		return m.Out, err
	}
	if err := m.Prepare(p.kernels()); err != nil {
		return m.Out, fmt.Errorf("measure: %w", err)
	}
	m.keep()
	for i := range p.Blocks {
		if err := m.measureBlock(&p.Blocks[i], i); err != nil {
			return m.Out, err
		}
	}
	m.keep()
	m.Finish()
	return m.Out, nil
}

// keep passes the rows so far to the observer, as a copy because blocks grow.
func (m *run) keep() {
	m.Out.WallSeconds = m.earlier.WallSeconds + m.Seconds()
	kept := *m.Out
	kept.Blocks = slices.Clone(m.Out.Blocks)
	m.Keep(kept)
}

// measureBlock measures the rows of a block that earlier parts of the run lack. number is its index in the plan.
func (m *run) measureBlock(b *measured.Block, number int) (err error) {
	k, ok := m.plan.kernel(b)
	if !ok {
		return fmt.Errorf("measure: no kernel %s %s", b.Component, b.Kernel)
	}
	if m.over[kernelKey(b)] {
		return nil
	}
	block, lacking := m.resultBlock(b, k)
	if m.ends(k, b, block.Rows...) {
		return nil
	}
	if _, adaptive := measured.Refinement(m.Settings, k); len(lacking) == 0 && !adaptive {
		return nil
	}
	m.keep()
	x := &openBlock{kernel: k, block: block, number: number}
	report := func(doing string, part float64) { m.progress(x, doing, part) }
	if x.Table, err = m.Open(k, block, m.plan.groupsOf(k, b), report); err != nil {
		return err
	}
	if err = m.measureRows(x, lacking); err == nil || mpi.Agreed(err) {
		err = errors.Join(err, m.Close(x.Table))
	}
	return err
}

// groupsOf returns the groups of a block, which are part of it unless there is one group of the first ranks.
func (p *Plan) groupsOf(k *kernel.Kernel, b *measured.Block) [][]int {
	if b.Split > 0 || b.Groups != nil {
		return b.Groups
	}
	return p.groups(k, b.Processes, b.Multi)
}

// measureRows measures the planned rows that a block lacks, and then the rows whose lengths depend on others' times.
func (m *run) measureRows(t *openBlock, lacking []int) error {
	for {
		bytes, along, more, err := m.nextLength(t, &lacking)
		if err != nil || !more {
			return err
		}
		m.rowBegan = m.Seconds()
		m.progress(t, fmt.Sprintf("%s, %s, %s", t.block.Name(), rating.Processes(t.block.Processes),
			rating.Bytes(bytes)), 0)
		row, err := m.Measure(t.Table, bytes, along)
		if err != nil {
			return fmt.Errorf("%s, %s, %d bytes: %w", t.block.Kernel, rating.Processes(t.block.Processes), bytes, err)
		}
		if m.World.Rank() == 0 {
			m.tookRow(t)
			row.Derive(m.Settings, t.kernel, t.block)
			t.block.Rows = append(t.block.Rows, row)
		}
		m.keep()
		if err := m.Engine.Collect(); err != nil {
			return err
		}
		if err := m.Stopped(nil); err != nil || m.ends(t.kernel, t.block, row) {
			return err
		}
	}
}

// ends reports whether one of the rows of a block ends its kernel, and records it: no later row of the kernel is
// measured in this pass.
func (m *run) ends(k *kernel.Kernel, b *measured.Block, rows ...measured.Row) bool {
	if slices.ContainsFunc(rows, func(row measured.Row) bool { return m.Way(k).EndedBy(&row) }) {
		m.over[kernelKey(b)] = true
		return true
	}
	return false
}

// kernelKey returns the key of a kernel's blocks in a pass.
func kernelKey(b *measured.Block) string { return fmt.Sprint(b.Component, " ", b.Name(), " ", b.Pass) }

// Rows returns the number of rows of all blocks of the plan.
func (p *Plan) Rows() int {
	n := 0
	for _, b := range p.Blocks {
		if k, ok := p.kernel(&b); ok {
			n += len(p.way(k).Lengths())
		}
	}
	return n
}

// kernels returns the kernels of all blocks.
func (p *Plan) kernels() (list []*kernel.Kernel) {
	for i := range p.Blocks {
		if k, ok := p.kernel(&p.Blocks[i]); ok {
			list = append(list, k)
		}
	}
	return list
}
