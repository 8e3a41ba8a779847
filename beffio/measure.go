package beffio

import (
	"errors"
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
)

// Measured is the outcome of a measurement on process 0. On other processes it is meaningless.
type Measured struct {
	Samples     []Sample
	Files       []FileSample
	Errors      []DataError
	Hints       []HintsInForce
	WallSeconds float64 // from the first barrier to the end of the last measurement
}

// maxErrors is the number of patterns whose first wrong chunks are all recorded.
const maxErrors = 20

// measurer is the state of one process while it measures.
type measurer struct {
	rating.Process[Measured]
	plan  *Plan
	files mpi.Files
	out   *Measured

	earlier  earlier      // outcome of earlier parts of the run
	estimate rating.Value // b_eff_io by the rounds so far, on process 0
	longest  float64      // seconds of the longest round so far

	written int64 // bytes written by this process

	self    mpi.Comm   // only this process
	comms   []mpi.Comm // communicator of each partition; nil if this process is outside
	buffers [2]mpi.Buffer
	seed    uint64     // seed of the data in the first buffer
	shifted []mpi.Comm // communicators for reading in a cold run
	filled  mpi.Buffer // memory that a cold run keeps, or nil
	pass    pass
}

// pass holds the state of a pass over the access methods.
type pass struct {
	schedule *schedule // only on process 0
	origin   float64   // beginning of the schedule, in seconds since the run began
	round    int       // number of the round of an adaptive run
	number   int       // number of the pass over the read access
	readPass
	restoring map[int]int64 // calls of each pattern that is written once more, or nil
	layout    [][]layout    // by partition and row
	segment   []int64       // by partition
	fill      []int64
}

// layout is the position of a pattern's data in a file, and this process's part of them.
type layout struct {
	start       int64
	repetitions int64  // planned by the initial write; all processes begin the next pattern after them
	mine        int64  // last made by this process
	by          Access // access that wrote them
}

// Measure makes all measurements of the plan that earlier parts of the run lack. All processes of e call it, and their
// number must be the plan's. Process 0 gets all samples so far, even with an error. All processes get an
// *mpi.AgreedError alike (a file call that failed, rating.ErrStopped). Any other error leaves the other processes
// waiting, so the job must be aborted. Wrong data are recorded in the result, and return no error.
func (p *Plan) Measure(e mpi.Engine, watch rating.Observer[Measured]) (*Measured, error) {
	m := &measurer{Process: rating.NewProcess(e, watch), plan: p, out: &Measured{}}
	m.resume(watch.Earlier)
	files, ok := e.(mpi.Files)
	if !ok || !e.Supports(mpi.FileWrite) {
		return m.out, &mpi.AgreedError{Err: fmt.Errorf("the engine %s has no files", e.Library().Engine)}
	}
	m.files = files
	if err := m.Begin(p.Processes, m.setUp); err != nil {
		return m.out, err
	}
	err := m.run()
	m.out.WallSeconds = m.earlier.WallSeconds + m.Seconds()
	buffers := m.buffers[:]
	if m.filled != nil {
		buffers = append(buffers, m.filled)
	}
	return m.out, m.Release(err, slices.Concat(m.comms, m.shifted, []mpi.Comm{m.self}), buffers)
}

// setUp makes the communicators and buffers.
func (m *measurer) setUp() (err error) {
	for i := range m.buffers {
		if m.buffers[i], err = m.Engine.NewBuffer(m.plan.BufferSize()); err != nil {
			return err
		}
	}
	rank := m.World.Rank()
	m.seed = uint64(rank)
	scramble(m.buffers[0].Bytes(), m.seed)
	if m.self, err = m.World.Split(rank, 0); err != nil {
		return err
	}
	for _, n := range m.plan.Partitions {
		color := 0
		if rank >= n {
			color = -1
		}
		c, err := m.World.Split(color, rank)
		if err != nil {
			return err
		}
		m.comms = append(m.comms, c)
	}
	return errors.Join(m.readers(), m.fill())
}

// run measures all rounds of an adaptive run, or the only round of another run.
func (m *measurer) run() error {
	for round := m.earlier.rounds; ; round++ {
		begin := m.Seconds()
		if more, err := m.anotherRound(round); err != nil || !more {
			return err
		}
		if err := m.round(round, begin); err != nil {
			return err
		}
		m.longest = max(m.longest, m.Seconds()-begin)
	}
}

// round goes through access methods and partitions. It begins at this time in seconds since the run began.
func (m *measurer) round(number int, begin float64) error {
	partitions, n := m.plan.every(), len(m.plan.Partitions)
	s := newSchedule(m.plan, m.plan.items(partitions...))
	if m.earlier.whole != nil {
		if m.resumed(s); len(s.items) == 0 {
			return nil
		}
	}
	m.pass = pass{schedule: s, round: number, layout: make([][]layout, n), segment: make([]int64, n),
		fill: make([]int64, n)}
	if number > 0 {
		m.pass.origin = begin
	}
	for i := range m.pass.layout {
		m.pass.layout[i] = make([]layout, len(m.plan.Rows))
	}
	for _, a := range []Access{Write, Rewrite} {
		if err := m.access(a, partitions); err != nil {
			return err
		}
	}
	for ; !m.pass.Last; m.pass.number++ {
		var err error
		m.pass.readPass, err = job.Decide(m.World,
			func() (readPass, error) { return s.readPass(m.pass.number, m.Seconds()-m.pass.origin), nil })
		if err != nil {
			return err
		}
		if err := m.access(Read, partitions); err != nil {
			return err
		}
	}
	return nil
}

func (m *measurer) access(a Access, partitions []int) error {
	for _, n := range partitions {
		err := error(nil)
		task := m.task(a, n)
		switch {
		case task == skips:
			continue
		case m.comms[n] != nil && task == restores:
			err = m.restore(n)
		case m.comms[n] != nil:
			err = m.partition(a, n)
		default:
			processes := m.plan.Partitions[n]
			m.Idle(func() string { return fmt.Sprintf("waiting for the %s of %s", a, rating.Processes(processes)) })
		}
		if err := m.agreeOutside(err); err != nil {
			return err
		}
		if err := m.Engine.Collect(); err != nil {
			return err
		}
	}
	return nil
}

// agreeOutside brings a partition's agreed error to the processes outside, and lets them stop the run.
func (m *measurer) agreeOutside(err error) error {
	if err != nil && !mpi.Agreed(err) {
		return err
	}
	if stopped := m.Stopped(err); stopped != nil {
		return stopped
	}
	return job.Do(m.World, func() error { return err })
}

// agree returns the error of any process of a partition on all of them, with the place where it happened.
func (m *measurer) agree(c mpi.Comm, where string, err error) error {
	if err != nil {
		err = fmt.Errorf("%s: %w", where, err)
	}
	return m.Agree(c, err)
}

// partition measures all types that an access method measures.
func (m *measurer) partition(a Access, n int) error {
	m.expect(a, n)
	for _, t := range Types() {
		if !m.plan.measures(a, t) {
			continue
		}
		if t == patterns.Segmented && a == Write {
			m.pass.segment[n], m.pass.fill[n] = m.plan.segment(
				func(number int) int64 { return m.pass.layout[n][number].repetitions })
		}
		if err := m.fileType(a, n, t, a == Read && m.pass.Bare); err != nil {
			return err
		}
	}
	return nil
}
