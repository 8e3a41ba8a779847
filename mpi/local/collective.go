package local

import (
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
)

// A collective call is two meetings: at the first one all members' places are known, and each member then copies
// straight from and to the memory of others; after the second one nobody touches it any more. There is no tree: a core
// reads from the memory of all others as well as from one's.

// move is one member's part of the work between the meetings: the bytes of one member or process that fit into no place
// are an error.
type move func(w work) error

// work is a collective call as one member sees it.
type work struct {
	*record
	me, root int
	members  []shown
}

// collective is the call that does the work of move.
func collective(do move) func(*runner, *record) error {
	return func(x *runner, rec *record) error {
		c := rec.comm
		c.group.shown[c.number].record = rec
		if err := c.meet(); err != nil {
			return err
		}
		w := work{record: rec, me: c.number, root: rec.call.RootIn(x.loop, c.Size()), members: c.group.shown}
		refused := w.agreed()
		if refused == nil {
			refused = do(w)
		}
		if err := c.meet(); err != nil || refused == nil {
			return err
		}
		return c.fail(rec.op.String(), errTruncate, refused.Error())
	}
}

// common is what the record of a collective call, or of Exploit, has beside its places.
type common struct {
	call      mpi.Call
	exploited *exploited
}

// agreed says whether all members are in the same call.
func (w *work) agreed() error {
	for i := range w.members {
		if op := w.members[i].op; op != w.op {
			return fmt.Errorf("process %d has called %v", i, op)
		}
	}
	return nil
}

// portion is the bytes of a side that are of process i.
func portion(side []*place, parts mpi.Parts, i, size int) []byte {
	switch parts {
	case mpi.Vector:
		return side[i].data
	case mpi.Equal:
		n := len(side[0].data) / size
		return side[0].data[i*n:][:n]
	default:
		return side[0].data
	}
}

// sent is what member i has for process to.
func (w *work) sent(i, to int) []byte {
	rec, size := w.members[i].record, len(w.members)
	parts, _ := rec.op.Parts()
	return portion(rec.from, parts, to, size)
}

// place is where member i takes what comes from a process.
func (w *work) place(i, from int) []byte {
	rec, size := w.members[i].record, len(w.members)
	_, parts := rec.op.Parts()
	return portion(rec.into, parts, from, size)
}

// pass is the copy from one member to another.
func (w *work) pass(from, to int) error {
	data, place := w.sent(from, to), w.place(to, from)
	if len(data) != len(place) {
		return fmt.Errorf("%d bytes from process %d, a place of %d on process %d", len(data), from, len(place), to)
	}
	copy(place, data)
	return nil
}

// fromRoot is Bcast, in which the root gets nothing, and Scatter.
func fromRoot(w work) error {
	if w.op == mpi.Bcast && w.me == w.root {
		return nil
	}
	return w.pass(w.root, w.me)
}

// toRoot lets each member copy to the root's memory, so that all cores work.
func toRoot(w work) error { return w.pass(w.me, w.root) }

// fromAll begins with the next member, so that not all read from one.
func fromAll(w work) error {
	size := len(w.members)
	for i := range size {
		if err := w.pass((w.me+1+i)%size, w.me); err != nil {
			return err
		}
	}
	return nil
}
