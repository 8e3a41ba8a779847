package conformance

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
)

// The reference runs the programs of all processes one call after the other, on separate memory, without threads,
// protocols and clocks. An engine must leave the same bytes in memory.

// block is memory of one process.
type block struct {
	size int64
	kind mpi.Type // of its initial numbers; Byte for any bytes
	data []byte
	next int64 // position of the block's walk
}

// Size implements mpi.Space.
func (b *block) Size() int64 { return b.size }

// windowBlock is a process's block of memory in a window.
type windowBlock struct {
	*block           // of this process
	all     []*block // by rank
	kept    bool     // Allocate makes it
	freed   bool     // it is freed before the first turn
	created mpi.Window
}

// reference runs the scripts of all processes of a job.
type reference struct {
	processes []*referenceProcess
	pending   map[int]*collectiveCall // collective calls that some processes haven't reached, by number
	signals   map[signal]int          // number of signals sent and not received
}

// signal is the message from WinPost to WinStart, or from WinComplete to WinWait.
type signal struct {
	from, to int
	complete bool
}

// handshake sends a signal to the peer of a window's place, or receives one.
func (r *reference) handshake(a *referenceProcess, s step) done {
	peer := a.program.Places[s.Recv.First].Peer
	complete := s.Op == mpi.WinComplete || s.Op == mpi.WinWait
	if s.Op == mpi.WinPost || s.Op == mpi.WinComplete {
		r.signals[signal{a.rank, peer, complete}]++
		return always
	}
	want := signal{peer, a.rank, complete}
	return func() bool {
		if r.signals[want] == 0 {
			return false
		}
		r.signals[want]--
		return true
	}
}

// referenceProcess is one process of the reference.
type referenceProcess struct {
	*script
	program   *mpi.Program
	steps     []step                   // the remaining steps
	current   done                     // whether the first step is done, after it has begun
	open      map[int]done             // open requests, by the number of their calls
	unsent    map[int]*partitionedSend // partitioned messages, by the number of their calls
	at        map[*mpi.Program][]int64 // positions of places that walk
	loops     map[*mpi.Program]int64   // loops that have run
	collected int                      // number of collective calls that it has reached
	arrived   []sentMessage            // messages without a receive
	posted    []*postedReceive         // receives without a message
	seen      mpi.Measurement
}

// done reports whether a call has ended.
type done func() bool

func always() bool { return true }

// step is one call in one loop.
type step struct {
	*mpi.Call
	number int // in its section
	loop   int64
}

// sentMessage is a message that has been sent.
type sentMessage struct {
	from, tag int
	data      []byte
}

// postedReceive is a receive, which may wait for its message.
type postedReceive struct {
	into location
	tag  int
	done bool
}

// collectiveCall is a collective call, with the steps of the processes that have reached it, by rank.
type collectiveCall struct {
	steps map[int]step
	done  bool
}

// run runs a turn on all processes.
func (r *reference) run(t turn) {
	for _, a := range r.processes {
		a.begin(t)
	}
	for moved := true; moved; {
		moved = false
		for _, a := range r.processes {
			for len(a.steps) > 0 && r.proceed(a, a.steps[0]) {
				a.steps, a.current, moved = a.steps[1:], nil, true
			}
		}
	}
	for _, a := range r.processes {
		if len(a.steps) > 0 {
			panic(fmt.Sprintf("conformance: rank %d of a case's programs hangs in %v", a.rank, a.steps[0].Op))
		}
	}
}

// begin lists the steps of a turn.
func (a *referenceProcess) begin(t turn) {
	p := a.programs[t.program]
	if t.ends > 0 {
		t.Timed = t.ends
	}
	a.program, a.seen = p, mpi.Measurement{Loops: t.Timed}
	if a.at[p] == nil {
		a.at[p] = make([]int64, len(p.Places))
		for i, place := range p.Places {
			a.at[p][i] = place.Offset
		}
	}
	add := func(calls []mpi.Call, loop int64) {
		for i := range calls {
			a.steps = append(a.steps, step{&calls[i], i, loop})
		}
	}
	for _, n := range []int64{t.Untimed, t.Timed} {
		for i := range n {
			if i == 0 {
				add(p.Before, a.loops[p])
			}
			add(p.Loop, a.loops[p])
			if i == n-1 {
				add(p.After, a.loops[p])
			}
			a.loops[p]++
		}
	}
}

// proceed begins a step if it hasn't begun, and reports whether the process can continue with the next one.
func (r *reference) proceed(a *referenceProcess, s step) bool {
	if a.current == nil {
		a.current = r.start(a, s)
	}
	if s.Op.Starts() {
		a.open[s.number] = a.current
		return true
	}
	return a.current()
}

func (r *reference) start(a *referenceProcess, s step) done {
	switch family := s.Op.Family(); {
	case family == mpi.Own:
		a.doOwn(s)
	case s.Op == mpi.PsendInit:
		return a.beginPartitioned(s)
	case family == mpi.Partition:
		return r.part(a, s)
	case family == mpi.PointToPoint:
		return r.message(a, s)
	case s.Op == mpi.Wait:
		return a.open[s.Of]
	case s.Op == mpi.Test:
		return always
	case s.Op == mpi.Waitall:
		return func() bool {
			for _, d := range a.open {
				if !d() {
					return false
				}
			}
			return true
		}
	case slices.Contains([]mpi.Op{mpi.WinPost, mpi.WinStart, mpi.WinComplete, mpi.WinWait}, s.Op):
		return r.handshake(a, s)
	case family == mpi.OneSided:
		a.access(s)
	case s.Op.OnFile():
		return r.onFile(a, s)
	case family == mpi.Collective || family == mpi.NonblockingCollective,
		s.Op == mpi.WinFence || s.Op == mpi.WinCreate || s.Op == mpi.WinFree:
		return r.meet(a, s)
	}
	return always
}

// message begins the send and the receive of a call.
func (r *reference) message(a *referenceProcess, s step) done {
	var data []byte
	if s.Send.Count > 0 {
		data = a.location(s, s.Send.First).take()
	}
	ended := always
	if s.Recv.Count > 0 {
		p := &postedReceive{into: a.location(s, s.Recv.First), tag: s.matchTag()}
		a.posted = append(a.posted, p)
		a.match()
		ended = func() bool { return p.done }
	}
	if s.Send.Count > 0 {
		r.deliver(a, s, data)
	}
	return ended
}

// deliver gives a message of a call to the message's receiver.
func (r *reference) deliver(a *referenceProcess, s step, data []byte) {
	to := r.processes[a.program.Places[s.Send.First].Peer]
	to.arrived = append(to.arrived, sentMessage{a.rank, s.matchTag(), data})
	to.match()
}

// match gives each receive, in the order of posting, the first message that matches it (MPI 4.1, 3.5).
func (a *referenceProcess) match() {
	var left []*postedReceive
	for _, p := range a.posted {
		for i, m := range a.arrived {
			if p.tag == m.tag && (p.into.Peer == m.from || p.into.Peer == mpi.AnySource) {
				p.into.put(m.data)
				a.arrived = append(a.arrived[:i:i], a.arrived[i+1:]...)
				p.done = true
				break
			}
		}
		if !p.done {
			left = append(left, p)
		}
	}
	a.posted = left
}

// meet makes a process reach a collective call. The last process carries it out for all.
func (r *reference) meet(a *referenceProcess, s step) done {
	m := r.pending[a.collected]
	if m == nil {
		m = &collectiveCall{steps: map[int]step{}}
		r.pending[a.collected] = m
	}
	m.steps[a.rank] = s
	if len(m.steps) == len(r.processes) {
		r.collective(m.steps)
		m.done = true
		delete(r.pending, a.collected)
	}
	a.collected++
	return func() bool { return m.done }
}

// collective moves the parts of a collective call between all processes, or combines them.
func (r *reference) collective(steps map[int]step) {
	call, size := steps[0], len(r.processes)
	if call.Op.Reads() || call.Op.Writes() {
		r.ordered(steps)
	}
	gives, gets := call.Op.Parts()
	if gives == mpi.No {
		return
	}
	atRoot, toRoot := call.Op.AtRoot()
	inSend, inRecv, _ := call.Op.InPlace()
	root := call.Root
	if call.Rotate {
		root = int((int64(root) + call.loop) % int64(size))
	}
	type arrival struct {
		into location
		data []byte
	}
	var all []arrival
	for to, b := range r.processes {
		var result []byte
		for from, a := range r.processes {
			stays := from == to && atRoot && (gets == gives || call.InPlace && inRecv)
			if atRoot && from != root || toRoot && to != root || stays {
				continue
			}
			if call.Op == mpi.Scan && from > to || call.Op == mpi.Exscan && from >= to {
				continue
			}
			side, parts, peer := steps[from].Send, gives, to
			if call.InPlace && inSend && (!toRoot || from == root) {
				side, parts = steps[from].Recv, gets
				if gives == mpi.Whole {
					peer = from
				}
			}
			given, sends := a.part(steps[from], side, parts, peer)
			into, receives := b.part(steps[to], steps[to].Recv, gets, from)
			switch {
			case !sends || !receives:
			case !call.Op.Reduces():
				all = append(all, arrival{into, given.take()})
			case result == nil:
				result = given.take()
			default:
				arithmetic[into.Type].combine(call.Reduce, result, given.take())
			}
		}
		if result != nil {
			into, _ := b.part(steps[to], steps[to].Recv, gets, to)
			all = append(all, arrival{into, result})
		}
	}
	for _, x := range all {
		x.into.put(x.data)
	}
}

// part returns the part of one side of a collective call for a peer, if there is one.
func (a *referenceProcess) part(s step, side mpi.Span, parts mpi.Parts, peer int) (part location, ok bool) {
	switch parts {
	case mpi.Whole:
		return a.location(s, side.First), true
	case mpi.Equal:
		part = a.location(s, side.First)
		part.Length /= int64(a.size)
		part.Offset += int64(peer) * part.Length * part.Form.Stride()
		return part, true
	}
	for i := range side.Count {
		if part = a.location(s, side.First+i); part.Peer == peer {
			return part, true
		}
	}
	return location{}, false
}

// access carries out a one-sided call.
func (a *referenceProcess) access(s step) {
	target, memory := a.location(s, s.Recv.First), make([]location, s.Send.Count)
	for i := range memory {
		memory[i] = a.location(s, s.Send.First+i)
	}
	before, origin := target.take(), memory[0].take()
	switch s.Op {
	case mpi.Put, mpi.Rput:
		target.put(origin)
	case mpi.Get, mpi.Rget:
		memory[0].put(before)
	case mpi.CompareAndSwap:
		if bytes.Equal(before, memory[1].take()) {
			target.put(origin)
		}
		memory[2].put(before)
	default:
		after := bytes.Clone(before)
		arithmetic[target.Type].combine(s.Reduce, after, origin)
		target.put(after)
		if s.Op != mpi.Accumulate {
			memory[1].put(before)
		}
	}
}

// doOwn carries out a call without communication.
func (a *referenceProcess) doOwn(s step) {
	for i := range s.Send.Count {
		place := a.location(s, s.Send.First+i)
		data := place.take()
		switch s.Op {
		case mpi.Walk:
			a.walk(s.Send.First + i)
		case mpi.Stamp:
			stamp(data, place.Mark, s.loop)
			place.put(data)
		case mpi.TouchSend:
			for at := 0; at < len(data); at += mpi.Line {
				data[at] = byte(s.Tag)
			}
			place.put(data)
		case mpi.Copy:
			a.location(s, s.Recv.First).put(data)
		case mpi.Combine:
			into := a.location(s, s.Recv.First)
			result := into.take()
			arithmetic[into.Type].combine(s.Reduce, result, data)
			into.put(result)
		case mpi.Compare:
			a.compare(s, data)
		}
	}
	for i := s.Recv.First; i < s.Recv.First+s.Recv.Count; i++ {
		switch s.Op {
		case mpi.Walk:
			a.walk(i)
		case mpi.Check:
			place := a.location(s, i)
			a.check(place.take(), place.Mark, mpi.Mismatch{Place: i, Loop: s.loop})
		}
	}
}

// walk moves a place that walks to the next position of its space.
func (a *referenceProcess) walk(i int) {
	place := a.program.Places[i]
	if place.Step == 0 {
		return
	}
	b := place.Space.(*block)
	if b.next+place.Length > b.size {
		b.next = 0
	}
	a.at[a.program][i] = b.next
	b.next += place.Step
}

// location is a place at its current position.
type location struct {
	mpi.Place
	data []byte // of its space
}

// location returns place i at its position in a step. A place that advances has done so once for each earlier loop.
func (a *referenceProcess) location(s step, i int) location {
	x := location{Place: a.program.Places[i]}
	end := x.Space.Size() - x.Extent()
	first := x.Offset
	x.Offset = a.at[a.program][i]
	for range s.loop {
		if x.Advance == 0 {
			break
		}
		if x.Offset += x.Advance; x.Offset > end || x.Offset < 0 {
			x.Offset = first % x.Advance
		}
	}
	switch space := x.Space.(type) {
	case *block:
		x.data = space.data
	case *windowBlock:
		x.data = space.all[x.Peer].data
	}
	return x
}

// runs calls do with each run of bytes of the place, in the order of the message.
func (x location) runs(do func(run []byte)) {
	data := x.data[x.Offset:]
	switch unit := x.Type.Size(); {
	case len(x.Pieces) > 0:
		for _, piece := range x.Pieces {
			do(data[piece.Offset:][:piece.Length])
		}
	case x.Form.Stride() == 1:
		do(data[:x.Length])
	default:
		for at := int64(0); at < x.Length; at += unit {
			do(data[at*x.Form.Stride():][:unit])
		}
	}
}

// take returns the place's bytes.
func (x location) take() []byte {
	message := make([]byte, 0, x.Length)
	x.runs(func(run []byte) { message = append(message, run...) })
	return message
}

// put writes a message into the place, which may be longer.
func (x location) put(message []byte) {
	x.runs(func(run []byte) { message = message[copy(run, message):] })
}
