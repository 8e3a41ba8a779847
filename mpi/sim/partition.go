package sim

import (
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/sim/model"
)

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
