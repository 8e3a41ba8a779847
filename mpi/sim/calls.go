package sim

import (
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/sim/model"
)

// composer turns the calls of a section into the model's acts.
type composer struct {
	play       *play
	members    []int32 // ranks in the world
	rank, size int     // of this process in the communicator, and of the communicator
	number     uint64  // of the communicator
	loop       int64
	acts       []model.Act
	slots      int32           // used so far
	calls      []mpi.Call      // of the section
	requests   map[int]int32   // slot of each call that opened a request
	parts      map[int][]int32 // slots of the parts of each call that started a partitioned message
	round      uint64          // of collective calls so far
}

// section returns the acts of a section in a loop.
func (x *play) section(calls []mpi.Call, loop int64) []model.Act {
	c := &composer{play: x, loop: loop, calls: calls, requests: map[int]int32{}, parts: map[int][]int32{}}
	if on, ok := x.program.Comm.(*handle); ok {
		c.members, c.rank, c.size, c.number = on.group.ranks, on.Rank(), on.Size(), on.group.number
	}
	for i := range calls {
		call := &calls[i]
		switch {
		case call.Op == mpi.Compute:
			c.acts = append(c.acts, model.Act{Kind: model.Work, Seconds: call.Seconds})
		case call.Op == mpi.Exploit:
			c.acts = append(c.acts, model.Act{Kind: model.Work, Seconds: float64(call.Times) * product})
		case call.Op == mpi.Lap:
			c.acts = append(c.acts, model.Act{Kind: model.Lap, Lap: call.Root})
		case messages[call.Op] != nil:
			messages[call.Op](c, i, call)
		case call.Op.Family() == mpi.Collective && collectives[call.Op.Blocking()] != nil:
			c.round++
			collectives[call.Op.Blocking()](c, call)
		case call.Op.Family() == mpi.NonblockingCollective:
			c.startNonblocking(i, call)
		case accesses[call.Op] != nil:
			accesses[call.Op](c, i, call)
		case windowCalls[call.Op] != nil:
			windowCalls[call.Op](c, call)
		}
	}
	return c.acts
}

// product is the seconds for a product of a 100×100 matrix and a vector, by a processor with 100 Gflop/s. It only sets
// the granularity of computing, because kernels that compute during communication do so for as long as the
// communication took.
const product = 2e-7

// startNonblocking begins a nonblocking collective call, which does the same as its blocking form while the following
// calls proceed.
func (c *composer) startNonblocking(i int, call *mpi.Call) {
	c.round++
	inner := *c
	inner.acts, inner.slots = nil, 0
	collectives[call.Op.Blocking()](&inner, call)
	c.requests[i] = c.slots
	c.acts = append(c.acts, model.Act{Kind: model.Aside, Slot: c.slots, Acts: inner.acts})
	c.slots++
}

var messages = map[mpi.Op]func(c *composer, i int, call *mpi.Call){
	mpi.Send:            func(c *composer, _ int, x *mpi.Call) { c.await(c.send(x, false)) },
	mpi.Rsend:           func(c *composer, _ int, x *mpi.Call) { c.await(c.send(x, false)) },
	mpi.Ssend:           func(c *composer, _ int, x *mpi.Call) { c.await(c.send(x, true)) },
	mpi.Recv:            func(c *composer, _ int, x *mpi.Call) { c.await(c.receive(x)) },
	mpi.Sendrecv:        func(c *composer, _ int, x *mpi.Call) { c.await(c.send(x, false), c.receive(x)) },
	mpi.SendrecvReplace: func(c *composer, _ int, x *mpi.Call) { c.await(c.send(x, false), c.receive(x)) },
	mpi.Notify:          func(c *composer, _ int, x *mpi.Call) { c.await(c.send(x, false), c.receive(x)) },
	mpi.Isend:           func(c *composer, i int, x *mpi.Call) { c.requests[i] = c.send(x, false) },
	mpi.Irecv:           func(c *composer, i int, x *mpi.Call) { c.requests[i] = c.receive(x) },
	mpi.SendInit:        func(c *composer, i int, x *mpi.Call) { c.requests[i] = c.send(x, false) },
	mpi.RecvInit:        func(c *composer, i int, x *mpi.Call) { c.requests[i] = c.receive(x) },
	mpi.SendLarge:       func(c *composer, _ int, x *mpi.Call) { c.await(c.send(x, false)) },
	mpi.RecvLarge:       func(c *composer, _ int, x *mpi.Call) { c.await(c.receive(x)) },
	mpi.PsendInit:       func(*composer, int, *mpi.Call) {},
	mpi.PrecvInit:       (*composer).expectParts,
	mpi.Pready:          func(c *composer, _ int, x *mpi.Call) { c.sendParts(x) },
	mpi.PreadyRange:     func(c *composer, _ int, x *mpi.Call) { c.sendParts(x) },
	mpi.Parrived:        func(c *composer, _ int, x *mpi.Call) { c.awaitParts(c.parts[x.Of][x.Part:][:1]) },
	mpi.Wait:            (*composer).wait,
	mpi.Waitall: func(c *composer, _ int, _ *mpi.Call) {
		c.acts = append(c.acts, model.Act{Kind: model.WaitAll})
	},
}

// send begins to send the message of a call, and returns its slot.
func (c *composer) send(x *mpi.Call, waits bool) int32 {
	place := &c.play.program.Places[x.Send.First]
	return c.message(model.Act{Kind: model.Send, Bytes: place.Length, Tag: c.tag(x.Tag), Waits: waits}, place.Peer)
}

// receive begins to receive the message of a call, and returns its slot.
func (c *composer) receive(x *mpi.Call) int32 {
	return c.message(model.Act{Kind: model.Receive, Tag: c.tag(x.Tag)}, c.play.program.Places[x.Recv.First].Peer)
}

// tag returns a tag of a communicator's messages.
func (c *composer) tag(tag int) uint64 { return c.number<<33 | uint64(uint32(tag)) }

// message adds an act with another process, and returns its slot.
func (c *composer) message(a model.Act, peer int) int32 {
	a.Peer = model.Anyone
	if peer != mpi.AnySource {
		a.Peer = c.members[peer]
	}
	a.Slot = c.slots
	c.slots++
	c.acts = append(c.acts, a)
	return a.Slot
}

// await waits for the messages in slots.
func (c *composer) await(slots ...int32) {
	for _, s := range slots {
		c.acts = append(c.acts, model.Act{Kind: model.Wait, Slot: s})
	}
}

// A partitioned message is modelled as a message for each of its parts, in the order in which they are ready. So both
// processes must have the same number of parts, though the standard only demands the same bytes (MPI 4.1, 4.2).

// awaited is the slot of a part that a call has waited for.
const awaited = -1

// expectParts begins to receive the parts of the message of call i.
func (c *composer) expectParts(i int, x *mpi.Call) {
	for range x.Parts {
		c.parts[i] = append(c.parts[i], c.receive(x))
	}
}

// sendParts begins to send the parts that a call makes ready.
func (c *composer) sendParts(x *mpi.Call) {
	start := &c.calls[x.Of]
	place := &c.play.program.Places[start.Send.First]
	_, n := x.Ready()
	for range n {
		c.parts[x.Of] = append(c.parts[x.Of], c.message(model.Act{Kind: model.Send,
			Bytes: place.Length / int64(start.Parts), Tag: c.tag(start.Tag)}, place.Peer))
	}
}

// awaitParts waits for the parts in slots, and marks them as awaited.
func (c *composer) awaitParts(slots []int32) {
	for i, slot := range slots {
		if slot != awaited {
			c.await(slot)
			slots[i] = awaited
		}
	}
}

// wait waits for the request of a call, or for all parts of a partitioned message.
func (c *composer) wait(_ int, x *mpi.Call) {
	if c.calls[x.Of].Op.Partitioned() {
		c.awaitParts(c.parts[x.Of])
		return
	}
	c.await(c.requests[x.Of])
}
