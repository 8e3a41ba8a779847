package conformance

import (
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/mpi"
)

// blockingMovements are all blocking calls that change no data.
var blockingMovements = []movement{
	{op: mpi.Bcast, fromRoot: true},
	{op: mpi.Gather, toRoot: true},
	{op: mpi.Gatherv, toRoot: true, vector: true},
	{op: mpi.Scatter, fromRoot: true, personal: true},
	{op: mpi.Scatterv, fromRoot: true, personal: true, vector: true},
	{op: mpi.Allgather},
	{op: mpi.Allgatherv, vector: true},
	{op: mpi.Alltoall, personal: true},
}

var blockingReductions = []reducing{
	{op: mpi.Reduce, toRoot: true},
	{op: mpi.ReduceScatter, scatter: true},
	{op: mpi.Allreduce},
}

// collectiveOps are the calls of both tables.
func collectiveOps() []mpi.Op {
	var ops []mpi.Op
	for _, m := range blockingMovements {
		ops = append(ops, m.op)
	}
	for _, m := range blockingReductions {
		ops = append(ops, m.op)
	}
	return ops
}

func collectives(p *process) error {
	return p.onHalves(func(c mpi.Comm) error { return p.runMovements(c, blockingMovements) })
}

// collectiveReduce tries all operations on all types, some of them with long messages, and some on communicators that
// aren't all processes.
func collectiveReduce(p *process) error {
	var all []numeric
	for _, kind := range []mpi.Type{mpi.Int32, mpi.Int64, mpi.Float32, mpi.Float64} {
		for _, op := range []mpi.Reduction{mpi.Sum, mpi.Max, mpi.Min} {
			all = append(all, numeric{kind, op})
		}
	}
	short, long := nonblockingUnits[:len(nonblockingUnits)-1], nonblockingUnits[len(nonblockingUnits)-1:]
	if err := p.runReductions(p.world, blockingReductions, all, short); err != nil {
		return err
	}
	return p.onHalves(func(c mpi.Comm) error {
		units := long
		if c != p.world {
			units = short
		}
		return p.runReductions(c, blockingReductions, reductionTypes, units)
	})
}

// collectiveWalk moves places on between the calls, in both directions of time: a call that kept the first place would
// bring old marks.
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
	// What process a sends to process b carries 1000·a + b, plus the loop's number times a million.
	program := mpi.Program{Comm: p.world, Start: p.world}
	sent := mpi.Mark{Width: 8, Key: uint64(1000 * p.rank), PerLoop: 1e6, Chunk: chunk, PerChunk: 1}
	received := mpi.Mark{Width: 8, Key: uint64(p.rank), PerLoop: 1e6, Chunk: chunk, PerChunk: 1000}
	send := mpi.One(program.Place(mpi.Place{Space: b, Length: length, Step: length + 8, Mark: sent}))
	recv := mpi.One(program.Place(mpi.Place{Space: in, Length: length, Step: length, Mark: received}))
	program.Call(mpi.Call{Op: mpi.Walk, Send: send, Recv: recv}, mpi.Call{Op: mpi.Stamp, Send: send},
		mpi.Call{Op: mpi.Alltoall, Send: send, Recv: recv}, mpi.Call{Op: mpi.Check, Recv: recv})
	return p.runProgram(&program, once, mpi.Loops{Untimed: 3, Timed: 20})
}

// misfits are collective calls whose sides can't be of the same call, as one process sees.
var misfits = []struct {
	op        mpi.Op
	send      int64 // bytes of the place to send from
	sendEach  int64 // more of them for each process
	recv      int64 // likewise, to receive into
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

// collectiveRefused compiles what can't be right, with a rotating root so that all processes see it.
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

// vectorsRefused leaves a gap in what ReduceScatter sends, and a process out of what Gatherv and Allgatherv bring.
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

// exploit takes time, and more of it for more products.
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
