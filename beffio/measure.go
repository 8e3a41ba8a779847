package beffio

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
)

// Measured is the outcome of a measurement on process 0. On other processes it is meaningless.
type Measured struct {
	Samples      []Sample
	Files        []FileSample
	Errors       []DataError
	PilotErrors  []DataError
	PilotWrong   int64 // chunks
	Hints        []HintsInForce
	WallSeconds  float64 // from the first barrier to the end of the last measurement
	PilotSeconds float64 // of that
}

// pilotPart is the part of T that the pilot's time-driven patterns share.
const pilotPart = 0.04

// longestPilot is the part of T after which the pilot leaves out the types that it has not measured.
const longestPilot = 0.08

// short returns the plan of the pilot. Its long chunks are shorter, because many of them would take much of T.
func (p *Plan) short() *Plan {
	const longest = 8 << 20
	s := *p
	s.MPart = min(p.MPart, longest)
	s.Rows = patterns.IO(s.MPart)
	return &s
}

// mostErrors is the number of wrong chunks that are kept in full.
const mostErrors = 20

// measurer is the state of one process while it measures.
type measurer struct {
	rating.Process[Measured]
	plan  *Plan
	files mpi.Files
	out   *Measured // nil in the pilot
	all   *Measured

	earlier earlier // parts of the run

	written int64 // bytes, by this process

	self    mpi.Comm   // this process
	comms   []mpi.Comm // of the partitions; nil: this process is outside
	buffers [2]mpi.Buffer
	pass    pass
}

// pass holds the state that the pilot and the run itself don't share.
type pass struct {
	schedule *schedule // of process 0
	origin   float64   // beginning of the schedule, in seconds since the run's begin
	prefix   string    // of the files
	kept     bool      // the last access method leaves the files
	number   int       // of the pass over the read access
	readPass
	restoring map[int]int64 // calls of each pattern that is written once more; nil: none is
	laid      [][]laid      // by partition and row
	segment   []int64       // by partition
	fill      []int64
}

// laid is the position of a pattern's data in a file, and this process' part of them.
type laid struct {
	start       int64
	repetitions int64  // planned by the initial write; the next pattern begins behind them on all processes
	mine        int64  // last made by this process
	by          Access // access that wrote them
}

// Measure makes all measurements of the plan that earlier parts of the run lack. All processes of e call it, and their
// number must be the plan's. On process 0 it returns all samples so far even if there is an error. An *mpi.AgreedError
// is returned by all processes alike (a file call that failed, rating.ErrStopped). Any other error leaves the others
// waiting, so the job must be aborted. Wrong data are no error here, but in the result.
func (p *Plan) Measure(e mpi.Engine, watch rating.Observer[Measured]) (*Measured, error) {
	m := &measurer{Process: rating.NewProcess(e, watch), plan: p, all: &Measured{}}
	m.resume(watch.Earlier)
	files, ok := e.(mpi.Files)
	if !ok || !e.Supports(mpi.FileWrite) {
		return m.all, &mpi.AgreedError{Err: fmt.Errorf("the engine %s has no files", e.Library().Engine)}
	}
	m.files = files
	if err := m.Begin(p.Processes, m.setUp); err != nil {
		return m.all, err
	}
	err := m.runAll()
	m.all.WallSeconds = m.earlier.WallSeconds + m.Seconds()
	return m.all, m.Release(err, append(m.comms, m.self), m.buffers[:])
}

// setUp makes the communicators and buffers.
func (m *measurer) setUp() (err error) {
	for i := range m.buffers {
		if m.buffers[i], err = m.Engine.NewBuffer(m.plan.BufferSize()); err != nil {
			return err
		}
	}
	rank := m.World.Rank()
	scramble(m.buffers[0].Bytes(), uint64(rank))
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
	return nil
}

// runAll makes the pilot run and the run itself.
func (m *measurer) runAll() error {
	plan, every := m.plan, m.plan.every()
	s := newSchedule(plan, plan.items(every...))
	if m.earlier.whole != nil {
		m.out = m.all
		if m.resumed(s); len(s.items) == 0 {
			return nil
		}
		m.out = nil
	}
	m.plan = plan.short()
	largest := slices.Index(plan.Partitions, slices.Max(plan.Partitions))
	pilot := newSchedule(m.plan, m.plan.items(largest))
	pilot.pilot, pilot.seconds = true, plan.Duration.Seconds()*pilotPart/float64(plan.units())
	if err := m.run(pilot, "pilot", []int{largest}); err != nil {
		return fmt.Errorf("pilot run: %w", err)
	}
	m.plan, m.out, m.all.PilotSeconds = plan, m.all, m.earlier.PilotSeconds+m.Seconds()
	s.learn(pilot)
	if !s.resumed {
		s.seconds = m.plan.Duration.Seconds() - m.Seconds()
	}
	return m.run(s, "data", every)
}

// run goes through access methods and partitions.
func (m *measurer) run(s *schedule, prefix string, partitions []int) error {
	rows, n := len(m.plan.Rows), len(m.plan.Partitions)
	m.pass = pass{schedule: s, origin: m.Seconds(), prefix: prefix, laid: make([][]laid, n), segment: make([]int64, n),
		fill: make([]int64, n)}
	m.pass.kept, m.written = m.plan.Keep && prefix == "data", 0
	for i := range m.pass.laid {
		m.pass.laid[i] = make([]laid, rows)
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
		if err := m.everyone(err); err != nil {
			return err
		}
		if err := m.Engine.Collect(); err != nil {
			return err
		}
	}
	return nil
}

// everyone brings the error of a partition, which all its processes share, to the processes outside, and lets those
// stop the run.
func (m *measurer) everyone(err error) error {
	if err != nil && !mpi.Agreed(err) {
		return err
	}
	if stopped := m.Stopped(err); stopped != nil {
		return stopped
	}
	_, told := job.Decide(m.World, func() (struct{}, error) { return struct{}{}, err })
	return told
}

// agree returns the error of any process of a partition on all of them, with the place where it happened.
func (m *measurer) agree(c mpi.Comm, where string, err error) error {
	if err != nil {
		err = fmt.Errorf("%s: %w", where, err)
	}
	return job.Agree(c, err)
}

// partition measures all types that an access method measures.
func (m *measurer) partition(a Access, n int) error {
	for _, t := range Types() {
		if !m.plan.measures(a, t) {
			continue
		}
		work, err := m.workOn(a, n, t)
		if err != nil {
			return err
		}
		if work == leftOut {
			continue
		}
		if t == patterns.Segmented && a == Write {
			m.pass.segment[n], m.pass.fill[n] = m.plan.segment(
				func(number int) int64 { return m.pass.laid[n][number].repetitions })
		}
		if err := m.fileType(a, n, t, work == removed || a == Read && m.pass.Bare); err != nil {
			return err
		}
	}
	return nil
}

// work is what an access method does with a type's file.
type work int

const (
	measured work = iota
	removed       // opened and closed, which removes it
	leftOut
)

// workOn returns the work on a type. All types are measured, except in a pilot that has taken long enough. It leaves
// out the remaining types, and accesses to files that were not written. But it removes the files that it has written,
// because the run itself may fill the disk up to its limit again.
func (m *measurer) workOn(a Access, n int, t patterns.IOType) (work, error) {
	if m.out != nil {
		return measured, nil
	}
	rows := m.plan.rows(t)
	return job.Decide(m.comms[n], func() (work, error) {
		long := m.Seconds() > longestPilot*m.plan.Duration.Seconds()
		written := m.pass.laid[n][rows[0].Number].mine > 0
		if !long && (a == Write || written) || a == Write && t == patterns.Scatter {
			return measured, nil
		}
		m.pass.schedule.skip(len(rows))
		if a == Read && written {
			return removed, nil
		}
		return leftOut, nil
	})
}
