package sim

import (
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/sim/model"
)

// A partitioned message is a message for each of its parts, in the order in which they are ready. So both processes
// must have the same number of parts. The standard only demands that their parts make the same whole.

// ended is the slot of a part that has been waited for.
const ended = -1

// expectParts begins to receive the parts of a message.
func (c *composer) expectParts(i int, x *mpi.Call) {
	for range x.Parts {
		c.parts[i] = append(c.parts[i], c.receive(x))
	}
}

// sendParts begins to send the parts that a call makes ready.
func (c *composer) sendParts(x *mpi.Call) {
	start := &c.calls[x.Of]
	place := &c.of.program.Places[start.Send.First]
	_, n := x.Ready()
	for range n {
		c.parts[x.Of] = append(c.parts[x.Of], c.message(model.Act{Kind: model.Send,
			Bytes: place.Length / int64(start.Parts), Tag: c.tag(start.Tag)}, place.Peer))
	}
}

func (c *composer) endParts(slots []int32) {
	for i, slot := range slots {
		if slot != ended {
			c.end(slot)
			slots[i] = ended
		}
	}
}

func (c *composer) wait(_ int, x *mpi.Call) {
	if c.calls[x.Of].Op.Parted() {
		c.endParts(c.parts[x.Of])
		return
	}
	c.end(c.requests[x.Of])
}
