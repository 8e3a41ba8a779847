// Package scripted is an engine that moves no data. A function returns the time by which each run advances a fake
// clock. With this engine, tests run whole ratings in milliseconds, exact to the last digit.
package scripted

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/effective-bandwidth/beff/mpi"
)

// Engine is the engine of rank 0 of a job without other processes. It moves, stamps and checks nothing. Cost returns
// the time by which a run advances a fake clock. Collective calls act as if all processes passed the same data as rank
// 0. It supports every call. The fields are set before the first use. Nil fields have no effect.
type Engine struct {
	// Processes is the size of the world.
	Processes int
	// Cost returns the seconds of one loop. It is called again for a program's calls before and after its loops, if
	// there are any (Step.Calls). It may return another value each time.
	Cost func(Step) float64
	// Each returns the seconds of one loop of a run that keeps each loop's time: one number for each lap, then one for
	// the time after the last lap. Loops are counted over the run. Cost isn't called for these loops.
	Each func(s Step, loop int64) []float64
	// Stall returns the seconds that a loop with a counted lap takes in addition to its cost.
	Stall func(s Step, loop int64) float64
	// Skew returns the value that process rank of the communicator passes to an Allreduce in which rank 0 passes value.
	Skew func(rank int, value float64) float64
	// Gathered returns the data that process rank passes to a Gather in which rank 0 passes mine.
	Gathered func(rank int, mine []byte) []byte
	// Fail returns the wrong mark that a run finds, or the error with which it ends.
	Fail func(Step) (*mpi.Mismatch, error)
	// Files returns the seconds of a method of an engine, a file or a window, named by its call, such as
	// "MPI_File_open", "MPI_File_sync" or "MPI_Win_create". If it is nil, they take no time.
	Files func(call string) float64
	// Members returns how many of a communicator's size processes pass this color to Split. If it is nil, all do.
	Members func(color, size int) int
	// Resolution is the step of the clock in seconds. The time of a run is rounded down to a whole number of steps,
	// which may be 0. If Resolution is 0, a run of n timed loops takes exactly n times its cost.
	Resolution float64
	// Apart is true if each process has its own clock.
	Apart bool

	elapsed float64 // seconds on the fake clock
	runs    int
	code    int
	aborted bool
	left    int // buffers and communicators
}

var (
	_ mpi.Engine  = (*Engine)(nil)
	_ mpi.Files   = (*Engine)(nil)
	_ mpi.Windows = (*Engine)(nil)
)

// Step describes one run for Cost. It counts the work of rank 0 in one loop, or in the calls before or after the loops.
type Step struct {
	Program *mpi.Program
	Calls   []mpi.Call // of the program's section that the step describes
	Size    int        // processes of the program's communicator, 0 if it has none
	// Method is the first call that communicates, or Nop. Single calls of Send and Recv count as Sendrecv, and Irecv as
	// Isend.
	Method   mpi.Op
	Messages int   // messages sent: one for each place of a call, one for a file or one-sided call
	Bytes    int64 // sent, moved from or to a file, or at the target of a one-sided call
	Products int64 // of Exploit
	Loops    mpi.Loops
	Run      int // counted over all programs of the engine, from 0
}

// Linear returns the cost in a network in which messages follow each other, and a message of n bytes takes latency +
// n/bandwidth seconds.
func Linear(latency, bandwidth float64) func(Step) float64 {
	return func(s Step) float64 { return float64(s.Messages)*latency + float64(s.Bytes)/bandwidth }
}

// works lists the calls without communication that take time. The others only stamp, check and read the clock.
var works = []mpi.Op{mpi.Exploit, mpi.Compute, mpi.Copy, mpi.Combine}

// PerCall returns the cost of a program whose calls follow each other and take the seconds that call returns. It leaves
// out calls that only stamp and check.
func PerCall(call func(s Step, c mpi.Call) float64) func(Step) float64 {
	return func(s Step) (seconds float64) {
		for _, c := range s.Calls {
			if c.Op.Family() != mpi.Own || slices.Contains(works, c.Op) {
				seconds += call(s, c)
			}
		}
		return seconds
	}
}

// Now returns the time of the fake wall clock: January 1, 2001, plus the time of all loops, including untimed ones.
func (s *Engine) Now() time.Time {
	begin := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
	return begin.Add(time.Duration(math.Round(s.elapsed * 1e9)))
}

// Advance advances the fake wall clock while nothing is measured.
func (s *Engine) Advance(seconds float64) { s.elapsed += seconds }

// Aborted reports whether Abort was called, and returns the code of the first call.
func (s *Engine) Aborted() (code int, ok bool) { return s.code, s.aborted }

// Left returns the number of buffers and communicators that were made and not freed.
func (s *Engine) Left() int { return s.left }

// World returns the communicator of all processes, in which this one has rank 0.
func (s *Engine) World() mpi.Comm {
	return &mpi.SoloComm{Processes: s.Processes, Err: s.err, Passes: s.Skew, Sends: s.Gathered, Members: s.Members,
		Count: func(more int) { s.left += more }}
}

// Library returns the same on all machines.
func (s *Engine) Library() mpi.Library {
	return mpi.Library{Engine: "scripted", Library: "Scripted MPI", Version: "1.0", Standard: "4.1",
		Stated: mpi.EngineKind{Simulated: true}}
}

// Clock returns the properties of the fake clock.
func (s *Engine) Clock() mpi.Clock { return mpi.Clock{Global: !s.Apart, Resolution: s.Resolution} }

// Host returns the same on all machines.
func (s *Engine) Host() string { return "scripted-host" }

// Supports reports true for all calls.
func (s *Engine) Supports(mpi.Op) bool { return true }

// NewBuffer returns memory that is allocated when Bytes is first called.
func (s *Engine) NewBuffer(size int64) (mpi.Buffer, error) {
	if size < 0 {
		return nil, fmt.Errorf("new buffer: %d bytes", size)
	}
	s.left++
	return &buffer{s: s, size: size}, s.err()
}

// Compile checks a program.
func (s *Engine) Compile(p *mpi.Program) (mpi.Runner, error) {
	if err := mpi.CheckSupport(s, p); err != nil {
		return nil, err
	}
	r := &runner{s: s, loop: newStep(p, p.Loop)}
	for _, calls := range [][]mpi.Call{p.Before, p.After} {
		if len(calls) > 0 {
			r.around = append(r.around, newStep(p, calls))
		}
	}
	return r, s.err()
}

// Collect does nothing.
func (s *Engine) Collect() error { return s.err() }

// Abort makes all later calls fail.
func (s *Engine) Abort(code int) {
	if !s.aborted {
		s.code, s.aborted = code, true
	}
}

func (s *Engine) err() error {
	if s.aborted {
		return mpi.ErrAborted
	}
	return nil
}

// methodOf is the Step.Method for calls whose method is another call.
var methodOf = map[mpi.Op]mpi.Op{mpi.Send: mpi.Sendrecv, mpi.Ssend: mpi.Sendrecv, mpi.Rsend: mpi.Sendrecv,
	mpi.Notify: mpi.Sendrecv, mpi.SendrecvEach: mpi.Sendrecv, mpi.RecvEach: mpi.Isend,
	mpi.Recv: mpi.Sendrecv, mpi.Irecv: mpi.Isend}

// newStep describes a section of a program.
func newStep(p *mpi.Program, calls []mpi.Call) Step {
	s := Step{Program: p, Calls: calls}
	if p.Comm != nil {
		s.Size = p.Comm.Size()
	}
	for _, c := range calls {
		if c.Op == mpi.Exploit {
			s.Products += c.Times
		}
		if c.Op.Family() == mpi.Own {
			continue
		}
		if s.Method == mpi.Nop {
			s.Method = c.Op
			if m, ok := methodOf[c.Op]; ok {
				s.Method = m
			}
		}
		if c.Op.Family() == mpi.OneSided {
			c.Send = c.Recv // only one place in memory counts, which is as long as the message
		}
		times := 1
		if c.Op == mpi.SendrecvEach {
			times = s.Size - 1
		}
		for _, place := range p.Places[c.Send.First : c.Send.First+c.Send.Count] {
			s.Messages += times
			s.Bytes += int64(times) * place.Length
		}
	}
	return s
}

type runner struct {
	s      *Engine
	loop   Step
	around []Step // of the calls before and after the loops
	closed bool
}

var _ mpi.Runner = (*runner)(nil)

func (r *runner) Run(n mpi.Loops) (mpi.Measurement, error) {
	switch {
	case r.s.aborted:
		return mpi.Measurement{}, mpi.ErrAborted
	case r.closed:
		return mpi.Measurement{}, errors.New("run: the program was closed")
	}
	if err := n.Validate(); err != nil {
		return mpi.Measurement{}, err
	}
	step := r.loop
	step.Loops, step.Run = n, r.s.runs
	r.s.runs++
	around := 0.0
	for _, x := range r.around {
		x.Loops, x.Run = step.Loops, step.Run
		around += r.s.cost(x)
	}
	return r.s.run(step, around)
}

func (r *runner) Close() { r.closed = true }

// cost returns the seconds of a step.
func (s *Engine) cost(step Step) float64 {
	if s.Cost == nil {
		return 0
	}
	return s.Cost(step)
}

// run advances the clock by the cost of a step and of the calls around the loops, unless the step fails.
func (s *Engine) run(step Step, around float64) (m mpi.Measurement, err error) {
	if s.Fail != nil {
		if m.Mismatch, err = s.Fail(step); err != nil {
			return mpi.Measurement{}, err
		}
	}
	if m.Mismatch != nil {
		m.Wrong = 1
	}
	if s.Each != nil && step.Loops.Each {
		s.runEach(step, around, &m)
		return m, nil
	}
	cost := s.cost(step)
	if n := step.Loops.Untimed; n > 0 {
		s.elapsed += cost*float64(n) + around
	}
	m.Begin = s.elapsed
	m.Loops = timed(step.Loops, cost)
	whole := cost*float64(m.Loops) + around
	s.elapsed += whole
	m.Seconds = s.read(whole)
	m.Laps = lapsOf(step.Program, cost, m.Loops)
	s.tally(step, cost, &m)
	if step.Loops.Blocks {
		m.Blocks, m.PerBlock = mpi.BlocksOf(m.Loops, func(loop int64) float64 { return s.read(cost * float64(loop+1)) })
	}
	if step.Loops.Each {
		m.Each = s.each(cost, m.Loops)
		for i, lap := range m.Laps {
			m.Laps[i].Each = s.each(lap.Last, m.Loops)
		}
	}
	return m, nil
}

// tally fills in the tallies of laps with Counts. All loops took the same time, plus the time that Stall returns.
func (s *Engine) tally(step Step, cost float64, m *mpi.Measurement) {
	for _, c := range step.Program.Loop {
		if !c.Counts {
			continue
		}
		l := &m.Laps[c.Root]
		l.Tally = mpi.NewTally()
		if s.Stall == nil {
			l.Tally.Add(cost, m.Loops, cost, 0)
			continue
		}
		late := 0.0
		for loop := range m.Loops {
			more := s.Stall(step, loop)
			late += more
			l.Tally.Add(cost+more, 1, cost*float64(loop+1)+late, loop)
		}
		l.Seconds, m.Seconds, s.elapsed = l.Seconds+late, m.Seconds+late, s.elapsed+late
	}
}

// runEach runs loops whose times Each returns. Untimed loops take as long as the first one.
func (s *Engine) runEach(step Step, around float64, m *mpi.Measurement) {
	total := func(list []float64) (sum float64) {
		for _, t := range list {
			sum += t
		}
		return sum
	}
	if step.Loops.Untimed > 0 {
		s.elapsed += float64(step.Loops.Untimed) * total(s.Each(step, 0))
	}
	m.Begin, m.Loops, m.Laps = s.elapsed, step.Loops.Timed, lapsOf(step.Program, 0, 0)
	for loop := range m.Loops {
		list := s.Each(step, loop)
		for i := range m.Laps {
			l := &m.Laps[i]
			l.Last = list[i]
			l.Seconds += l.Last
			l.Each = append(l.Each, l.Last)
		}
		m.Each = append(m.Each, total(list))
	}
	m.Seconds = total(m.Each) + around
	s.elapsed += m.Seconds
}

// read returns a time rounded down to whole steps of the clock.
func (s *Engine) read(seconds float64) float64 {
	if s.Resolution == 0 {
		return seconds
	}
	// 1e-9 keeps a whole number of steps, although the division rounds.
	return math.Floor(seconds/s.Resolution+1e-9) * s.Resolution
}

// each returns the clock's times of loops that all have the same cost.
func (s *Engine) each(cost float64, loops int64) []float64 {
	list := make([]float64, loops)
	for i := range list {
		list[i] = s.read(cost*float64(i+1)) - s.read(cost*float64(i))
	}
	return list
}

// timed returns the number of loops that a stop rule allows, if all have the same cost.
func timed(l mpi.Loops, cost float64) int64 {
	if l.Budget == 0 {
		return l.Timed
	}
	// After n loops, More reports whether n+1 loops fit in the budget with the work that they cause later.
	n := int64(math.Floor(l.Budget / (cost + l.Deferred)))
	return min(max(n, 1), l.Timed)
}

// lapsOf returns laps with the whole time of the loops in the first lap that ends after a call that communicates.
func lapsOf(p *mpi.Program, cost float64, loops int64) []mpi.LapTime {
	var list []mpi.LapTime
	works, given := false, false
	for i, c := range p.Calls() {
		works = works || c.Op.Family() != mpi.Own && i >= len(p.Before)
		if c.Op != mpi.Lap {
			continue
		}
		for len(list) <= c.Root {
			list = append(list, mpi.LapTime{})
		}
		if works && !given {
			given, list[c.Root] = true, mpi.LapTime{Seconds: cost * float64(loops), Last: cost}
		}
	}
	return list
}
