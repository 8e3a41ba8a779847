package probe

import (
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
)

// step holds the work of one process in a row: its calls before the timed part, in each repetition, to complete one or
// all of them, and after the timed part.
type step struct {
	comm         mpi.Comm // of the calls; nil: the group's
	places       []mpi.Place
	enter, leave []mpi.Call // before and after the timed part
	each         []mpi.Call
	opening      []mpi.Call // before the transfers that a completion completes
	completion   []mpi.Call
	proof        []mpi.Call // after a run that is checked
	audit        func(s *scene, move mover) (defects int64, err error)
	cycle        int64      // repetitions that each has; 0: one
	behind       []mpi.Call // behind all loops, within the time
	err          error      // the step can't be made
	silent       bool       // the process' time doesn't count, because it waits for others
	wants        []want
}

// place adds a place to the step and returns its span.
func (x *step) place(p mpi.Place) mpi.Span {
	x.places = append(x.places, p)
	return mpi.One(len(x.places) - 1)
}

// call adds a call to a repetition and returns its index.
func (x *step) call(c mpi.Call) int {
	x.each = append(x.each, c)
	return len(x.each) - 1
}

// send adds a call that sends from a place.
func (x *step) send(op mpi.Op, from mpi.Place) int {
	return x.call(mpi.Call{Op: op, Send: x.place(from), Tag: tag})
}

// receive adds a call that receives into a place.
func (x *step) receive(op mpi.Op, into mpi.Place) int {
	return x.call(mpi.Call{Op: op, Recv: x.place(into), Tag: tag})
}

// waitall adds the completion of all requests, if there is one.
func (x *step) waitall() {
	if slices.ContainsFunc(x.each, func(c mpi.Call) bool { return c.Op.Starts() }) {
		x.call(mpi.Call{Op: mpi.Waitall})
	}
}

// copyOwn adds the copy of the process' own block from the send to the receive area.
func (x *step) copyOwn(from, to mpi.Place) {
	x.call(mpi.Call{Op: mpi.Copy, Send: x.place(from), Recv: x.place(to)})
}

// tag is the tag of all messages, as in IMB.
const tag = 1
