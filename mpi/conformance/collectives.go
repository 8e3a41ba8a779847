package conformance

import (
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/mpi"
)

// collectiveOps returns the calls of a family in the tables.
func collectiveOps(f mpi.Family) []mpi.Op {
	var ops []mpi.Op
	for _, m := range movementsOf(f) {
		ops = append(ops, m.op)
	}
	for _, m := range reductionsOf(f) {
		ops = append(ops, m.op)
	}
	barrier, _ := variant(mpi.Barrier, f)
	return append(ops, barrier)
}

// collectives tests the blocking calls that move blocks.
func collectives(p *process) error {
	return p.onHalves(func(c mpi.Comm) error { return p.runMovements(c, movementsOf(mpi.Collective)) })
}

// nonblocking tests the nonblocking calls that move blocks.
func nonblocking(p *process) error {
	return p.onHalves(func(c mpi.Comm) error { return p.runMovements(c, movementsOf(mpi.NonblockingCollective)) })
}

// collectiveReduce tests all operations on all types, some of them with long messages, and some on communicators of a
// part of the processes.
func collectiveReduce(p *process) error {
	var all []numeric
	blocking := reductionsOf(mpi.Collective)
	for _, kind := range []mpi.Type{mpi.Int32, mpi.Int64, mpi.Float32, mpi.Float64} {
		for _, op := range []mpi.Reduction{mpi.Sum, mpi.Max, mpi.Min} {
			all = append(all, numeric{kind, op})
		}
	}
	short, long := blockUnits[:len(blockUnits)-1], blockUnits[len(blockUnits)-1:]
	if err := p.runReductions(p.world, blocking, all, short); err != nil {
		return err
	}
	return p.onHalves(func(c mpi.Comm) error {
		units := long
		if c != p.world {
			units = short
		}
		return p.runReductions(c, blocking, reductionTypes, units)
	})
}

// nonblockingReduce tests the calls that combine elements.
func nonblockingReduce(p *process) error {
	return p.runReductions(p.world, reductionsOf(mpi.NonblockingCollective), reductionTypes, blockUnits)
}

// collectiveWalk moves places on between the calls. A call that kept the first place would transfer old marks.
func collectiveWalk(p *process) error {
	const chunk = 24
	length := int64(chunk * p.size)
	b, err := p.NewBuffer(5*length + 8)
	if err != nil {
		return err
	}
	defer b.Free()
	in, err := p.NewBuffer(3*length + 8)
	if err != nil {
		return err
	}
	defer in.Free()
	// The mark of a message from process a to process b is 1000·a + b, plus the loop's number times a million.
	program := mpi.Program{Comm: p.world, Start: p.world}
	sent := mpi.Mark{Width: 8, Key: uint64(1000 * p.rank), PerLoop: 1e6, Chunk: chunk, PerChunk: 1}
	received := mpi.Mark{Width: 8, Key: uint64(p.rank), PerLoop: 1e6, Chunk: chunk, PerChunk: 1000}
	send := mpi.One(program.Place(mpi.Place{Space: b, Length: length, Step: length + 8, Mark: sent}))
	recv := mpi.One(program.Place(mpi.Place{Space: in, Length: length, Step: length, Mark: received}))
	program.Call(mpi.Call{Op: mpi.Walk, Send: send, Recv: recv}, mpi.Call{Op: mpi.Stamp, Send: send},
		mpi.Call{Op: mpi.Alltoall, Send: send, Recv: recv}, mpi.Call{Op: mpi.Check, Recv: recv})
	return p.runProgram(&program, once, mpi.Loops{Untimed: 3, Timed: 20})
}

// misfits holds collective calls whose send and receive sides don't fit together, as each process can see.
var misfits = []struct {
	op        mpi.Op
	send      int64 // bytes of the place to send from
	sendEach  int64 // additional bytes for each process
	recv      int64 // the same for the place to receive into
	recvEach  int64
	sent, got mpi.Type
}{
	{op: mpi.Allgather, send: 8, recv: 8, recvEach: 8},
	{op: mpi.Gather, send: 8, recv: 1, recvEach: 8},
	{op: mpi.Scatter, send: 1, sendEach: 8, recv: 8},
	{op: mpi.Alltoall, sendEach: 8, recv: 1, recvEach: 8},
	{op: mpi.Alltoall, sendEach: 8, recvEach: 16},
	{op: mpi.Bcast, send: 8, recv: 16},
	{op: mpi.Reduce, send: 8, recv: 16, sent: mpi.Float32, got: mpi.Float32},
	{op: mpi.Reduce, send: 8, recv: 8},
	{op: mpi.Allreduce, send: 8, recv: 8},
	{op: mpi.Allreduce, send: 8, recv: 8, sent: mpi.Float32, got: mpi.Int32},
	{op: mpi.Allreduce, send: 8, recv: 16, sent: mpi.Float64, got: mpi.Float64},
}

// collectiveRefused compiles calls that can't be right. The root rotates, so that all processes can see the error.
func collectiveRefused(p *process) error {
	b, err := p.NewBuffer(int64(64 * (p.size + 1)))
	if err != nil {
		return err
	}
	defer b.Free()
	n := int64(p.size)
	for _, c := range misfits {
		program := &mpi.Program{Comm: p.world}
		program.Place(mpi.Place{Space: b, Length: c.send + c.sendEach*n, Type: c.sent})
		program.Place(mpi.Place{Space: b, Offset: 32 * n, Length: c.recv + c.recvEach*n, Type: c.got})
		rooted := c.op == mpi.Bcast || c.op == mpi.Gather || c.op == mpi.Scatter || c.op == mpi.Reduce
		program.Call(mpi.Call{Op: c.op, Send: mpi.One(0), Recv: mpi.One(1), Rotate: rooted})
		p.mustRefuse(program, fmt.Sprintf("%+v", c))
	}
	return p.vectorsRefused(b)
}

// vectorsRefused leaves a gap in the data that ReduceScatter sends, and a process out of Gatherv and Allgatherv.
func (p *process) vectorsRefused(b mpi.Buffer) error {
	program := &mpi.Program{Comm: p.world}
	for i := range p.size {
		program.Place(mpi.Place{Space: b, Offset: int64(16 * i), Length: 8, Peer: i, Type: mpi.Float32})
	}
	all := mpi.Span{First: 0, Count: p.size}
	own := mpi.One(program.Place(mpi.Place{Space: b, Offset: int64(16 * p.size), Length: 8, Peer: p.rank,
		Type: mpi.Float32}))
	if p.size == 1 {
		return nil
	}
	for _, c := range []mpi.Call{
		{Op: mpi.ReduceScatter, Send: all, Recv: own},
		{Op: mpi.Gatherv, Send: own, Recv: mpi.Span{First: 1, Count: p.size - 1}, Rotate: true},
		{Op: mpi.Allgatherv, Send: own, Recv: mpi.Span{First: 1, Count: p.size - 1}},
		{Op: mpi.Scatterv, Send: mpi.Span{First: 1, Count: p.size - 1}, Recv: own, Rotate: true},
	} {
		q := *program
		q.Loop = []mpi.Call{c}
		p.mustRefuse(&q, fmt.Sprintf("%+v", c))
	}
	return nil
}

func (p *process) mustRefuse(program *mpi.Program, what string) {
	if r, err := p.Compile(program); err == nil {
		p.errorf("%s: was not refused", what)
		r.Close()
	}
}

// exploit checks that Exploit takes more time for more products.
func exploit(p *process) error {
	var seconds []float64
	for _, times := range []int64{0, 50, 1000} {
		program := mpi.Program{Comm: p.world, Start: p.world}
		program.Call(mpi.Call{Op: mpi.Exploit, Times: times})
		r, err := p.Compile(&program)
		if err != nil {
			return fmt.Errorf("compile: %w", err)
		}
		least := math.Inf(1)
		for range 3 {
			m, err := r.Run(once)
			if err != nil {
				return fmt.Errorf("run: %w", err)
			}
			least = min(least, m.Seconds)
		}
		r.Close()
		seconds = append(seconds, least)
	}
	if !(seconds[0] < seconds[1] && seconds[1] < seconds[2]) {
		p.errorf("0, 50 and 1000 products take %v s", seconds)
	}
	return nil
}
