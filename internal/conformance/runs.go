package conformance

import (
	"time"

	"github.com/effective-bandwidth/beff/mpi"
)

// methods holds functions that add the calls of b_eff's three methods to a program of n exchanges. They send places 0
// to n-1 and receive places n to 2n-1.
var methods = []func(x *script, n int){sendrecvMethod, alltoallvMethod, isendMethod}

func sendrecvMethod(x *script, n int) {
	for i := range n {
		send, recv := mpi.One(i), mpi.One(n+i)
		x.Call(mpi.Call{Op: mpi.Walk, Send: send, Recv: recv}, mpi.Call{Op: mpi.Stamp, Send: send},
			mpi.Call{Op: mpi.Sendrecv, Send: send, Recv: recv}, mpi.Call{Op: mpi.Check, Recv: recv})
	}
}

func alltoallvMethod(x *script, n int) {
	send, recv := mpi.Span{First: 0, Count: n}, mpi.Span{First: n, Count: n}
	x.Call(mpi.Call{Op: mpi.Walk, Send: send, Recv: recv}, mpi.Call{Op: mpi.Stamp, Send: send},
		mpi.Call{Op: mpi.Alltoallv, Send: send, Recv: recv}, mpi.Call{Op: mpi.Check, Recv: recv})
}

func isendMethod(x *script, n int) {
	send, recv := mpi.Span{First: 0, Count: n}, mpi.Span{First: n, Count: n}
	x.Call(mpi.Call{Op: mpi.Walk, Send: send, Recv: recv}, mpi.Call{Op: mpi.Stamp, Send: send})
	for i := range n {
		x.Call(mpi.Call{Op: mpi.Irecv, Recv: mpi.One(n + i)})
	}
	for i := range n {
		x.Call(mpi.Call{Op: mpi.Isend, Send: mpi.One(i)})
	}
	x.Call(mpi.Call{Op: mpi.Waitall}, mpi.Call{Op: mpi.Check, Recv: recv})
}

// ring adds b_eff's ring of all processes by a method. Each process exchanges messages with both neighbours, or with
// its only neighbour if there are at most two processes.
func (x *script) ring(send, recv *block, length int64, method func(x *script, n int)) {
	out, in := []int{x.left, x.right}, []int{x.right, x.left}
	if x.left == x.right {
		out, in = out[:1], in[:1]
	}
	place := mpi.Place{Length: length, Step: (length + 7) / 8 * 8}
	marked := func(from, to int) mpi.Mark {
		m := mpi.Mark{Width: 1, Key: uint64(101*from + 7*to), PerLoop: 1}
		if length >= 8 {
			m.Width = 8
		}
		return m
	}
	for _, peer := range out {
		place.Space, place.Peer, place.Mark = send, peer, marked(x.rank, peer)
		x.put(place)
	}
	for _, peer := range in {
		place.Space, place.Peer, place.Mark = recv, peer, marked(peer, x.rank)
		x.put(place)
	}
	method(x, len(out))
}

// many returns the same number of loops on all processes: 100, or fewer if 100 barriers take more than 10 ms. Loops are
// slow if processes share cores and spin while they wait for each other.
func (p *process) many() int64 {
	program := mpi.Program{Comm: p.world, Start: p.world}
	program.Call(mpi.Call{Op: mpi.Barrier})
	m := p.run(p.compile(&program), mpi.Loops{Untimed: 5, Timed: 5})
	longest := []float64{m.Seconds / 5}
	p.must(p.world.Allreduce(longest, mpi.Max))
	return int64(max(5, min(100, 0.01/max(longest[0], 1e-9))))
}

// patterns returns scripts of b_eff's rings, one for each length, with all methods.
func patterns(loops int64) (list []func(x *script)) {
	for _, length := range []int64{1, 2, 8, 100, 5000, 100000} {
		list = append(list, func(x *script) {
			send, recv := x.memory(6*(length+16)), x.memory(6*(length+16))
			many := min(loops, 1000000/length)
			for i, method := range methods {
				if i > 0 {
					x.begin()
				}
				x.ring(send, recv, length, method)
				x.run(mpi.Loops{Untimed: 1, Timed: many}, once, mpi.Loops{Untimed: 3, Timed: many})
			}
		})
	}
	return list
}

// rings runs the patterns on groups. Then it leaves out one process if there are at least two. That process runs empty
// programs, like processes outside of a pattern.
func rings(p *process) {
	loops := p.many()
	for _, build := range patterns(loops) {
		onAllGroups(build)(p)
	}
	c, err := p.world.Cart([]int{max(1, p.size-1)}, []bool{true})
	p.must(err)
	p.start = p.world
	defer func() { p.start = nil }()
	for _, build := range patterns(loops) {
		p.play(c, build)
		for range len(newScript(0, 1, build).turns) {
			if c == nil {
				p.runProgram(&mpi.Program{Start: p.world}, once)
			}
		}
	}
	if c != nil {
		p.must(c.Free())
	}
}

// twoRunners runs two programs in turn that count their loops separately and walk through the same memory.
func twoRunners(x *script) {
	send, recv := x.memory(100), x.memory(100)
	x.ring(send, recv, 24, alltoallvMethod)
	x.begin()
	x.ring(send, recv, 24, isendMethod)
	for _, i := range []int{0, 1, 0, 0, 1} {
		x.turns = append(x.turns, turn{program: i, Loops: mpi.Loops{Untimed: 2, Timed: 3}})
	}
}

// empty runs programs without calls, with and without a communicator and a barrier.
func empty(p *process) {
	for _, program := range []mpi.Program{{}, {Start: p.world}, {Comm: p.world}, {Comm: p.world, Start: p.world}} {
		p.runProgram(&program, once, mpi.Loops{Untimed: 1000, Timed: 1000})
	}
}

// start checks that a run waits for all processes of Start before its clock starts.
func start(p *process) {
	r := p.compile(&mpi.Program{Start: p.world})
	var m mpi.Measurement
	held := p.holds(p.world, func() { m = p.run(r, once) })
	p.plausible(m.Seconds, 0, held-late)
}

// plausible checks a time against limits that hold even on the slowest machine, with a tolerance for different clocks.
func (p *process) plausible(seconds float64, least, most time.Duration) {
	const tolerance = 0.01
	if seconds < least.Seconds()*(1-tolerance) || seconds > most.Seconds()*(1+tolerance)+1e-3 {
		p.errorf("%v s instead of %v to %v", seconds, least, most)
	}
}

// seconds measures loops that are long enough for the coarsest clock.
func seconds(p *process) {
	loops := p.many()
	left, right := (p.rank+p.size-1)%p.size, (p.rank+1)%p.size
	b := p.buffer(200000)
	program := mpi.Program{Comm: p.world, Start: p.world}
	send := program.Place(mpi.Place{Space: b, Length: 100000, Peer: right})
	recv := program.Place(mpi.Place{Space: b, Offset: 100000, Length: 100000, Peer: left})
	program.Call(mpi.Call{Op: mpi.Sendrecv, Send: mpi.One(send), Recv: mpi.One(recv)})
	r := p.compile(&program)
	begin := time.Now()
	m := p.run(r, mpi.Loops{Timed: loops})
	if m.Seconds <= 0 {
		p.errorf("%v s for %d loops", m.Seconds, loops)
	}
	p.plausible(m.Seconds, 0, time.Since(begin))
}

// compute checks that only timed loops are timed.
func compute(p *process) {
	const work = 2 * time.Millisecond
	program := mpi.Program{Comm: p.world}
	program.Call(mpi.Call{Op: mpi.Compute, Seconds: work.Seconds()})
	r := p.compile(&program)
	begin := time.Now()
	m := p.run(r, mpi.Loops{Untimed: 10, Timed: 2})
	p.plausible(m.Seconds, 2*work, time.Since(begin)-10*work)
}

func nop(p *process) {
	program := mpi.Program{Comm: p.world}
	program.Call(mpi.Call{Op: mpi.Nop}, mpi.Call{Op: mpi.Nop})
	p.runProgram(&program, once)
}
