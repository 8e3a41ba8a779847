package kernel

import (
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
)

// Step holds the calls of one process in a row. A repetition is Opening, Each and Completion. If all transfers are
// completed together, as in aggregate mode, Opening comes once before the repetitions, and Completion once after them.
type Step struct {
	Comm         mpi.Comm // of the calls; nil means the group
	Places       []mpi.Place
	Enter, Leave []mpi.Call // before and after the timed part
	Each         []mpi.Call // the transfers
	Opening      []mpi.Call // before the transfers that Completion completes
	Completion   []mpi.Call
	Proof        []mpi.Call // after a run that is checked
	Audit        func(s *Setup, move Mover) (defects int64, err error)
	Cycle        int64      // number of repetitions in one Each; 0 means one
	AfterLoops   []mpi.Call // after all loops, within the time
	Silent       bool       // the process's time doesn't count, because it waits for others
	Wants        []Want
	Moves        int64 // bytes that a repetition of a congestor sends or fetches
}

// Place adds a place to the step and returns its span.
func (x *Step) Place(p mpi.Place) mpi.Span {
	x.Places = append(x.Places, p)
	return mpi.One(len(x.Places) - 1)
}

// Call adds a call to a repetition and returns its index.
func (x *Step) Call(c mpi.Call) int {
	x.Each = append(x.Each, c)
	return len(x.Each) - 1
}

// Send adds a call that sends from a place.
func (x *Step) Send(op mpi.Op, from mpi.Place) int {
	return x.Call(mpi.Call{Op: op, Send: x.Place(from), Tag: Tag})
}

// Receive adds a call that receives into a place.
func (x *Step) Receive(op mpi.Op, into mpi.Place) int {
	return x.Call(mpi.Call{Op: op, Recv: x.Place(into), Tag: Tag})
}

// Waitall adds the completion of all requests, if there is one.
func (x *Step) Waitall() {
	if slices.ContainsFunc(x.Each, func(c mpi.Call) bool { return c.Op.Starts() }) {
		x.Call(mpi.Call{Op: mpi.Waitall})
	}
}

// CopyOwn adds the copy of the process's own block from the send to the receive area.
func (x *Step) CopyOwn(from, to mpi.Place) {
	x.Call(mpi.Call{Op: mpi.Copy, Send: x.Place(from), Recv: x.Place(to)})
}

// Tag is the tag of all messages, as in IMB.
const Tag = 1
