// Package scripted is an engine that moves nothing: a function says what each run costs, and a fake clock goes on by
// that. Whole ratings are tested with it, exact to the last digit, in milliseconds.
package scripted

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/effective-bandwidth/beff/mpi"
)

// Engine is the engine of rank 0 of a job whose other processes exist only in arithmetic. Nothing is moved, stamped
// or checked: Cost says what a run takes, and a fake clock goes on by that. Collective calls act as if all processes
// passed what rank 0 passes. It supports every call. The fields are set before the first use; those that are nil have
// no effect.
type Engine struct {
	// Processes is the size of the world.
	Processes int
	// Cost returns the seconds of one loop, and is asked again for a program's calls before and after its loops, if
	// there are any (Step.Calls). It may count, or draw, to be different each time.
	Cost func(Step) float64
	// Skew returns what another process passes to an Allreduce where rank 0 passes value; rank counts in the
	// communicator.
	Skew func(rank int, value float64) float64
	// Fail returns the wrong mark that a run finds, or the error that it ends with.
	Fail func(Step) (*mpi.Mismatch, error)
	// Files returns the seconds of a method of an open file or a window, such as "MPI_File_sync" and "MPI_Win_create",
	// and "MPI_File_open". Nil: no time.
	Files func(call string) float64
	// Members returns how many of a communicator's size processes pass the same color to Split; all, if it is nil.
	Members func(color, size int) int
	// Resolution is the step of the clock in seconds: a run takes a whole number of steps, rounded down, perhaps 0.
	// With 0 a run of n timed loops takes exactly n times its cost.
	Resolution float64

	elapsed float64 // seconds on the fake clock
	runs    int
	code    int
	aborted bool
}

var (
	_ mpi.Engine  = (*Engine)(nil)
	_ mpi.Files   = (*Engine)(nil)
	_ mpi.Windows = (*Engine)(nil)
)

// Step is what one run does, as a Cost sees it. Counts are those of one loop of rank 0, or of the calls around loops.
type Step struct {
	Program *mpi.Program
	Calls   []mpi.Call // of the section of the program that it is about
	Size    int        // processes of the program's communicator, 0 if it has none
	// Sendrecv, also for Send and Recv alone; Isend, also for Irecv alone; else the first call that communicates, or
	// Nop
	Method   mpi.Op
	Messages int   // that are sent: a place of a call is one, a file or one-sided call too
	Bytes    int64 // that are sent, moved from or to a file, or are at the target of a one-sided call
	Products int64 // of Exploit
	Loops    mpi.Loops
	Run      int // counted over all programs of the engine, from 0
}

// Linear is the cost of a network where a message of n bytes takes latency + n/bandwidth seconds, one message after the
// other.
func Linear(latency, bandwidth float64) func(Step) float64 {
	return func(s Step) float64 { return float64(s.Messages)*latency + float64(s.Bytes)/bandwidth }
}

// PerCall is the cost of a program whose calls take what call says each, one after the other. The calls that only stamp
// and check are not asked for.
func PerCall(call func(s Step, c mpi.Call) float64) func(Step) float64 {
	return func(s Step) (seconds float64) {
		for _, c := range s.Calls {
			if c.Op.Family() != mpi.Own || c.Op == mpi.Exploit || c.Op == mpi.Compute {
				seconds += call(s, c)
			}
		}
		return seconds
	}
}

// Now is the fake wall clock: all loops that were run, untimed ones too, since the first of January 2001.
func (s *Engine) Now() time.Time {
	begin := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
	return begin.Add(time.Duration(math.Round(s.elapsed * 1e9)))
}

// Advance lets the fake wall clock go on while nothing is measured.
func (s *Engine) Advance(seconds float64) { s.elapsed += seconds }

// Aborted says whether Abort was called, and with which code first.
func (s *Engine) Aborted() (code int, ok bool) { return s.code, s.aborted }

// World has the rank 0.
func (s *Engine) World() mpi.Comm { return &comm{s, s.Processes} }

// Library is the same on all machines.
func (s *Engine) Library() mpi.Library {
	return mpi.Library{Engine: "scripted", Library: "Scripted MPI", Version: "1.0", Standard: "4.1"}
}

// Clock is one that all processes read.
func (s *Engine) Clock() mpi.Clock { return mpi.Clock{Global: true, Resolution: s.Resolution} }

// Host is the same on all machines.
func (s *Engine) Host() string { return "scripted-host" }

// Supports is true for all calls.
func (s *Engine) Supports(mpi.Op) bool { return true }

// NewBuffer gives memory that is there only if it is looked at.
func (s *Engine) NewBuffer(size int64) (mpi.Buffer, error) {
	if size < 0 {
		return nil, fmt.Errorf("new buffer: %d bytes", size)
	}
	return &buffer{size: size}, s.err()
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

// methodOf says under which call a program with op is known.
var methodOf = map[mpi.Op]mpi.Op{mpi.Send: mpi.Sendrecv, mpi.Recv: mpi.Sendrecv, mpi.Irecv: mpi.Isend}

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
			c.Send = c.Recv // of several places in memory, one is as long as the message
		}
		for _, place := range p.Places[c.Send.First : c.Send.First+c.Send.Count] {
			s.Messages++
			s.Bytes += place.Length
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

// cost of a step, seconds.
func (s *Engine) cost(step Step) float64 {
	if s.Cost == nil {
		return 0
	}
	return s.Cost(step)
}

// run lets the clock go on by a step's cost and that of the calls around the loops, unless the step fails.
func (s *Engine) run(step Step, around float64) (m mpi.Measurement, err error) {
	if s.Fail != nil {
		if m.Mismatch, err = s.Fail(step); err != nil {
			return mpi.Measurement{}, err
		}
	}
	if m.Mismatch != nil {
		m.Wrong = 1
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
	if step.Loops.Each {
		m.Each = s.each(cost, m.Loops)
		for i, lap := range m.Laps {
			m.Laps[i].Each = s.each(lap.Last, m.Loops)
		}
	}
	return m, nil
}

// read is a time by the clock.
func (s *Engine) read(seconds float64) float64 {
	if s.Resolution == 0 {
		return seconds
	}
	// A whole number of steps stays one although the division is not exact.
	return math.Floor(seconds/s.Resolution+1e-9) * s.Resolution
}

// each are the times of loops that cost so much.
func (s *Engine) each(cost float64, loops int64) []float64 {
	list := make([]float64, loops)
	for i := range list {
		list[i] = s.read(cost*float64(i+1)) - s.read(cost*float64(i))
	}
	return list
}

// timed is how many loops a stop rule allows that cost so much each.
func timed(l mpi.Loops, cost float64) int64 {
	if l.Budget == 0 {
		return l.Timed
	}
	// More says of n loops whether n+1 fit; that is the same as n+1 loops with all they leave for later in the budget.
	n := int64(math.Floor(l.Budget / (cost + l.Later)))
	return min(max(n, 1), l.Timed)
}

// lapsOf has all time in the lap that ends with the first call that isn't the process' own.
func lapsOf(p *mpi.Program, cost float64, loops int64) []mpi.LapTime {
	var list []mpi.LapTime
	works, given := false, false
	for _, c := range p.Calls() {
		works = works || c.Op.Family() != mpi.Own
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

// file is a file that nothing is in.
type file struct{ s *Engine }

var _ mpi.File = (*file)(nil)

// OpenFile takes its time, and fails never.
func (s *Engine) OpenFile(mpi.Comm, string, mpi.FileMode, []mpi.Hint) (mpi.File, error) {
	f := &file{s}
	return f, f.call("MPI_File_open")
}

func (f *file) call(name string) error { return f.s.spend(name) }

// spend lets the clock go on by the time of a method.
func (s *Engine) spend(name string) error {
	if s.Files != nil {
		s.elapsed += s.Files(name)
	}
	return s.err()
}

func (f *file) Size() int64                        { return mpi.FileSize }
func (f *file) SetView(mpi.View, []mpi.Hint) error { return f.call("MPI_File_set_view") }
func (f *file) SetHints([]mpi.Hint) error          { return f.call("MPI_File_set_info") }
func (f *file) Sync() error                        { return f.call("MPI_File_sync") }
func (f *file) Close() error                       { return f.call("MPI_File_close") }
func (f *file) Length() (int64, error)             { return mpi.FileSize, f.s.err() }
func (f *file) Hints() ([]mpi.Hint, error)         { return nil, f.s.err() }

// window is a window that nobody reaches into.
type window struct {
	s     *Engine
	size  int64
	there bool
}

var _ mpi.Window = (*window)(nil)

// NewWindow takes its time, and fails never. All processes' windows are as large as that of rank 0.
func (s *Engine) NewWindow(_ mpi.Comm, b mpi.Buffer) (mpi.Window, error) {
	w := &window{s: s}
	if b != nil {
		w.size = b.Size()
	}
	return w, w.Create()
}

func (w *window) Size() int64 { return w.size }

func (w *window) Create() error {
	w.there = true
	return w.s.spend("MPI_Win_create")
}

func (w *window) Free() error {
	w.there = false
	return w.s.spend("MPI_Win_free")
}

func (w *window) Close() error {
	if !w.there {
		return w.s.err()
	}
	return w.Free()
}

// buffer is made when it is looked at: b_eff's buffers are large.
type buffer struct {
	size int64
	data []byte
}

var _ mpi.Buffer = (*buffer)(nil)

func (b *buffer) Size() int64 { return b.size }

func (b *buffer) Bytes() []byte {
	if b.data == nil {
		b.data = make([]byte, b.size)
	}
	return b.data
}

func (b *buffer) Free() { b.data = nil }

// comm is a communicator in which this process has the rank 0.
type comm struct {
	s    *Engine
	size int
}

var _ mpi.Comm = (*comm)(nil)

func (c *comm) Rank() int      { return 0 }
func (c *comm) Size() int      { return c.size }
func (c *comm) Barrier() error { return c.s.err() }
func (c *comm) Free() error    { return c.s.err() }

func (c *comm) Bcast([]byte, int) error { return c.s.err() }

func (c *comm) Allreduce(values []float64, op mpi.Reduction) error {
	for i, mine := range values {
		for rank := 1; rank < c.size; rank++ {
			value := mine
			if c.s.Skew != nil {
				value = c.s.Skew(rank, mine)
			}
			switch op {
			case mpi.Sum:
				values[i] += value
			case mpi.Max:
				values[i] = max(values[i], value)
			case mpi.Min:
				values[i] = min(values[i], value)
			}
		}
	}
	return c.s.err()
}

func (c *comm) Gather(send, recv []byte, root int) error {
	if root != 0 {
		return c.s.err()
	}
	if len(recv) != c.size*len(send) {
		return fmt.Errorf("gather: %d bytes for %d times %d", len(recv), c.size, len(send))
	}
	for rank := range c.size {
		copy(recv[rank*len(send):], send)
	}
	return c.s.err()
}

func (c *comm) Split(color, _ int) (mpi.Comm, error) {
	switch {
	case color < 0:
		return nil, c.s.err()
	case c.s.Members == nil:
		return &comm{c.s, c.size}, c.s.err()
	}
	return &comm{c.s, c.s.Members(color, c.size)}, c.s.err()
}

func (c *comm) Cart(dims []int, periodic []bool) (mpi.Comm, error) {
	size := 1
	for _, d := range dims {
		size *= d
	}
	if size < 1 || size > c.size || len(periodic) != len(dims) {
		return nil, fmt.Errorf("cart: %v, periodic %v, of %d processes", dims, periodic, c.size)
	}
	return &comm{c.s, size}, c.s.err()
}
