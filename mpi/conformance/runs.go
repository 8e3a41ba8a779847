package conformance

import (
	"fmt"
	"time"

	"github.com/effective-bandwidth/beff/mpi"
)

// methods holds functions that add the calls of b_eff's three methods to a program of n exchanges. Places 0 to n-1 are
// sent, places n to 2n-1 are received.
var methods = []struct {
	name  string
	calls func(program *mpi.Program, n int)
}{
	{"Sendrecv", sendrecvMethod},
	{"Alltoallv", alltoallvMethod},
	{"Isend", isendMethod},
}

func sendrecvMethod(program *mpi.Program, n int) {
	for i := range n {
		send, recv := mpi.One(i), mpi.One(n+i)
		program.Call(mpi.Call{Op: mpi.Walk, Send: send, Recv: recv}, mpi.Call{Op: mpi.Stamp, Send: send},
			mpi.Call{Op: mpi.Sendrecv, Send: send, Recv: recv}, mpi.Call{Op: mpi.Check, Recv: recv})
	}
}

func alltoallvMethod(program *mpi.Program, n int) {
	send, recv := mpi.Span{First: 0, Count: n}, mpi.Span{First: n, Count: n}
	program.Call(mpi.Call{Op: mpi.Walk, Send: send, Recv: recv}, mpi.Call{Op: mpi.Stamp, Send: send},
		mpi.Call{Op: mpi.Alltoallv, Send: send, Recv: recv}, mpi.Call{Op: mpi.Check, Recv: recv})
}

func isendMethod(program *mpi.Program, n int) {
	send, recv := mpi.Span{First: 0, Count: n}, mpi.Span{First: n, Count: n}
	program.Call(mpi.Call{Op: mpi.Walk, Send: send, Recv: recv}, mpi.Call{Op: mpi.Stamp, Send: send})
	for i := range n {
		program.Call(mpi.Call{Op: mpi.Irecv, Recv: mpi.One(n + i)})
	}
	for i := range n {
		program.Call(mpi.Call{Op: mpi.Isend, Send: mpi.One(i)})
	}
	program.Call(mpi.Call{Op: mpi.Waitall}, mpi.Call{Op: mpi.Check, Recv: recv})
}

// pattern returns b_eff's ring of all processes of c: each process exchanges with both neighbours, or with the only one
// if there are no more than two processes.
func pattern(c, start mpi.Comm, send, recv mpi.Buffer, length int64) *mpi.Program {
	left, right := neighbours(c)
	out, in := []int{left, right}, []int{right, left}
	if left == right {
		out, in = out[:1], in[:1]
	}
	program := &mpi.Program{Comm: c, Start: start}
	step := (length + 7) / 8 * 8
	marked := func(from, to int) mpi.Mark {
		m := mpi.Mark{Width: 1, Key: uint64(101*from + 7*to), PerLoop: 1}
		if length >= 8 {
			m.Width = 8
		}
		return m
	}
	for _, peer := range out {
		program.Place(mpi.Place{Space: send, Length: length, Step: step, Peer: peer, Mark: marked(c.Rank(), peer)})
	}
	for _, peer := range in {
		program.Place(mpi.Place{Space: recv, Length: length, Step: step, Peer: peer, Mark: marked(peer, c.Rank())})
	}
	return program
}

var patternLengths = []int64{1, 2, 8, 100, 5000, 100000}

// many returns a number of loops, the same on all processes: 300, or as many as take about 10 ms if that is less. Loops
// are slow if processes share cores and spin while they wait for each other.
func (p *process) many() (int64, error) {
	program := mpi.Program{Comm: p.world, Start: p.world}
	program.Call(mpi.Call{Op: mpi.Barrier})
	r, err := p.Compile(&program)
	if err != nil {
		return 0, fmt.Errorf("compile: %w", err)
	}
	defer r.Close()
	m, err := r.Run(mpi.Loops{Untimed: 5, Timed: 5})
	if err != nil {
		return 0, fmt.Errorf("run: %w", err)
	}
	longest := []float64{m.Seconds / 5}
	if err := p.world.Allreduce(longest, mpi.Max); err != nil {
		return 0, fmt.Errorf("allreduce: %w", err)
	}
	return int64(max(5, min(300, 0.01/max(longest[0], 1e-9)))), nil
}

// runPatterns runs the programs of b_eff with many loops.
func (p *process) runPatterns(c mpi.Comm, loops int64) error {
	for _, length := range patternLengths {
		send, err := p.NewBuffer(6 * (length + 16))
		if err != nil {
			return err
		}
		recv, err := p.NewBuffer(6 * (length + 16))
		if err != nil {
			return err
		}
		for _, method := range methods {
			program := pattern(c, p.world, send, recv, length)
			method.calls(program, len(program.Places)/2)
			many := min(loops, 2000000/length)
			if err := p.runProgram(program, mpi.Loops{Untimed: 1, Timed: many}, once,
				mpi.Loops{Untimed: 3, Timed: many}); err != nil {
				return fmt.Errorf("%s, %d bytes: %w", method.name, length, err)
			}
		}
		send.Free()
		recv.Free()
	}
	return nil
}

func patterns(p *process) error {
	loops, err := p.many()
	if err != nil {
		return err
	}
	return p.runPatterns(p.world, loops)
}

func patternsSplit(p *process) error {
	loops, err := p.many()
	if err != nil {
		return err
	}
	c, err := p.world.Split(p.rank%2, -p.rank)
	if err != nil {
		return err
	}
	if err := p.runPatterns(c, loops); err != nil {
		return err
	}
	return c.Free()
}

// patternsCart leaves one process out if there are at least two. That process runs empty programs, as processes outside
// of a pattern do.
func patternsCart(p *process) error {
	loops, err := p.many()
	if err != nil {
		return err
	}
	c, err := p.world.Cart([]int{max(1, p.size-1)}, []bool{true})
	if err != nil {
		return err
	}
	if c != nil {
		if err := p.runPatterns(c, loops); err != nil {
			return err
		}
		return c.Free()
	}
	for range len(patternLengths) * len(methods) {
		if err := p.runProgram(&mpi.Program{Start: p.world}, once, once, once); err != nil {
			return err
		}
	}
	return nil
}

// twoRunners has two open runners that count their loops separately and walk through the same memory.
func twoRunners(p *process) error {
	const length = 24
	send, err := p.NewBuffer(100)
	if err != nil {
		return err
	}
	defer send.Free()
	recv, err := p.NewBuffer(100)
	if err != nil {
		return err
	}
	defer recv.Free()
	var runners []mpi.Runner
	for _, method := range methods[1:] {
		program := pattern(p.world, p.world, send, recv, length)
		method.calls(program, len(program.Places)/2)
		r, err := p.Compile(program)
		if err != nil {
			return fmt.Errorf("compile: %w", err)
		}
		runners = append(runners, r)
	}
	for _, i := range []int{0, 1, 0, 0, 1} {
		if err := p.runRight(runners[i], mpi.Loops{Untimed: 2, Timed: 3}); err != nil {
			return err
		}
	}
	runners[0].Close()
	err = p.runRight(runners[1], mpi.Loops{Timed: 7})
	runners[1].Close()
	return err
}

// empty runs programs without calls, with and without a communicator and a barrier.
func empty(p *process) error {
	for _, program := range []mpi.Program{{}, {Start: p.world}, {Comm: p.world}, {Comm: p.world, Start: p.world}} {
		if err := p.runProgram(&program, once, mpi.Loops{Untimed: 1000, Timed: 1000}); err != nil {
			return err
		}
	}
	return nil
}

// start checks that a run waits for all processes of Start before its clock starts.
func start(p *process) error {
	r, err := p.Compile(&mpi.Program{Start: p.world})
	if err != nil {
		return fmt.Errorf("compile: %w", err)
	}
	defer r.Close()
	var m mpi.Measurement
	held, err := p.holds(p.world, func() (err error) {
		m, err = r.Run(once)
		return err
	})
	if err != nil {
		return err
	}
	p.plausible(m.Seconds, 0, held-late)
	return nil
}

// plausible checks a time against limits that hold even on the slowest machine, with a tolerance for differences
// between clocks.
func (p *process) plausible(seconds float64, least, most time.Duration) {
	const tolerance = 0.01
	if seconds < least.Seconds()*(1-tolerance) || seconds > most.Seconds()*(1+tolerance)+1e-3 {
		p.errorf("%v s instead of %v to %v", seconds, least, most)
	}
}

// seconds measures loops that are long enough for the coarsest clock.
func seconds(p *process) error {
	loops, err := p.many()
	if err != nil {
		return err
	}
	left, right := neighbours(p.world)
	b, err := p.NewBuffer(200000)
	if err != nil {
		return err
	}
	defer b.Free()
	program := mpi.Program{Comm: p.world, Start: p.world}
	send := program.Place(mpi.Place{Space: b, Length: 100000, Peer: right})
	recv := program.Place(mpi.Place{Space: b, Offset: 100000, Length: 100000, Peer: left})
	program.Call(mpi.Call{Op: mpi.Sendrecv, Send: mpi.One(send), Recv: mpi.One(recv)})
	r, err := p.Compile(&program)
	if err != nil {
		return fmt.Errorf("compile: %w", err)
	}
	defer r.Close()
	begin := time.Now()
	m, err := r.Run(mpi.Loops{Timed: loops})
	if err != nil {
		return fmt.Errorf("run: %w", err)
	}
	if m.Seconds <= 0 {
		p.errorf("%v s for %d loops", m.Seconds, loops)
	}
	p.plausible(m.Seconds, 0, time.Since(begin))
	return nil
}

// compute checks that timed loops are timed and untimed ones are not.
func compute(p *process) error {
	const work = 2 * time.Millisecond
	program := mpi.Program{Comm: p.world}
	program.Call(mpi.Call{Op: mpi.Compute, Seconds: work.Seconds()})
	r, err := p.Compile(&program)
	if err != nil {
		return fmt.Errorf("compile: %w", err)
	}
	defer r.Close()
	begin := time.Now()
	m, err := r.Run(mpi.Loops{Untimed: 10, Timed: 2})
	if err != nil {
		return fmt.Errorf("run: %w", err)
	}
	p.plausible(m.Seconds, 2*work, time.Since(begin)-10*work)
	return nil
}

func nop(p *process) error {
	program := mpi.Program{Comm: p.world}
	program.Call(mpi.Call{Op: mpi.Nop}, mpi.Call{Op: mpi.Nop})
	return p.runProgram(&program, once)
}
