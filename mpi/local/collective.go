package local

import (
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
)

// A collective call consists of two meetings. After the first one the places of all members are known, and each member
// copies directly from and to the memory of others. After the second one no member touches the memory of others. There
// is no tree, because a core reads from the memory of all other members as fast as from the memory of one.

// move does one member's part of the work between the meetings. It returns an error if bytes and their place differ in
// size.
type move func(w work) error

// work is a collective call as one member sees it.
type work struct {
	*record
	me, root int
	members  []memberCall
}

// moves has a row for each blocking collective call that moves data, except calls that consist of messages
// (mpi.Op.PerPeer).
// The nonblocking and persistent forms use the same row.
var moves = map[mpi.Op]move{
	mpi.Bcast:              fromRoot,
	mpi.Gather:             toRoot,
	mpi.Gatherv:            toRoot,
	mpi.Scatter:            fromRoot,
	mpi.Scatterv:           fromRoot,
	mpi.Allgather:          fromAll,
	mpi.Allgatherv:         fromAll,
	mpi.Alltoall:           alltoall,
	mpi.Reduce:             reduceToRoot,
	mpi.ReduceScatter:      reduceScatter,
	mpi.ReduceScatterBlock: reduceScatter,
	mpi.Allreduce:          reduceToAll,
	mpi.Scan:               scan,
	mpi.Exscan:             exscan,
}

// collective makes a blocking collective call.
func collective(x *runner, rec *record) error {
	c := rec.comm
	c.group.calls[c.number].record = rec
	if err := c.meet(); err != nil {
		return err
	}
	w := work{record: rec, me: c.number, root: rec.call.RootIn(x.loop, c.Size()), members: c.group.calls}
	refused := w.run()
	if err := c.meet(); err != nil || refused == nil {
		return err
	}
	return c.fail(rec.op.String(), errTruncate, refused.Error())
}

// common holds parameters that only collective calls, partitioned messages, Exploit, and StopOnSignal have.
type common struct {
	call         mpi.Call
	move         move      // nil: a barrier
	given, taken mpi.Parts // how the places to send and to receive divide up
	exploited    *exploited
	scratch      []byte // for a reduction in place
	unready      int    // parts of a message that the calls compiled so far don't make ready
	gap          int    // bytes of the gap after each element: the element's size, or 0
	signalState  *signalState
}

// run does one member's part.
func (w *work) run() error {
	if err := w.checkAgreement(); err != nil {
		return err
	}
	return w.move(*w)
}

// checkAgreement returns an error unless all members are in the same call.
func (w *work) checkAgreement() error {
	for i := range w.members {
		m := &w.members[i]
		if m.op != w.op {
			return fmt.Errorf("process %d has called %v", i, m.op)
		}
		if m.call.InPlace != w.call.InPlace {
			return fmt.Errorf("process %d calls it in place: %v", i, m.call.InPlace)
		}
		if m.gap != w.gap {
			return fmt.Errorf("process %d has elements with other gaps", i)
		}
	}
	return nil
}

// portion returns the part of a call's send or receive side that belongs to process i.
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

// sent returns the bytes that member i sends to process to. A member in place sends from the memory in which it
// receives: its own part of the data of all, or the part in which it receives from process to.
func (w *work) sent(i, to int) []byte {
	rec, size := w.members[i].record, len(w.members)
	if send, _ := w.inPlace(i); send {
		if rec.given == mpi.Whole {
			to = i
		}
		return portion(rec.into, rec.taken, to, size)
	}
	return portion(rec.from, rec.given, to, size)
}

// inPlace reports whether member i's call ignores its send side or its receive side because the call is in place.
func (w *work) inPlace(i int) (send, recv bool) {
	if !w.members[i].call.InPlace {
		return false, false
	}
	send, recv, atRoot := w.op.InPlace()
	here := !atRoot || i == w.root
	return send && here, recv && here
}

// place returns the memory in which member i receives the bytes of process from.
func (w *work) place(i, from int) []byte {
	rec := w.members[i].record
	return portion(rec.into, rec.taken, from, len(w.members))
}

// pass copies the bytes from one member to another.
func (w *work) pass(from, to int) error {
	if from == to {
		if send, recv := w.inPlace(to); send || recv {
			return nil
		}
	}
	data, place := w.sent(from, to), w.place(to, from)
	if len(data) != len(place) {
		return fmt.Errorf("%d bytes from process %d, a place of %d on process %d", len(data), from, len(place), to)
	}
	w.copy(place, data)
	return nil
}

// copy copies elements. Gaps between them stay as they are.
func (w *work) copy(into, from []byte) {
	if w.gap == 0 {
		copy(into, from)
		return
	}
	strided(into, 2*w.gap, from, 2*w.gap, w.gap, len(into)/(2*w.gap))
}

// fromRoot does Scatter and Bcast. In Bcast the root receives nothing.
func fromRoot(w work) error {
	if w.op.Blocking() == mpi.Bcast && w.me == w.root {
		return nil
	}
	return w.pass(w.root, w.me)
}

// toRoot does Gather. Each member copies its own part into the root's memory, so that all cores take part.
func toRoot(w work) error { return w.pass(w.me, w.root) }

// fromAll copies from all members. It begins with the next member, so that the members don't all read from the same
// one.
func fromAll(w work) error {
	size := len(w.members)
	for i := range size {
		if err := w.pass((w.me+1+i)%size, w.me); err != nil {
			return err
		}
	}
	return nil
}

// alltoall is fromAll, unless the call is in place; then each pair of members swaps its parts.
func alltoall(w work) error {
	if !w.call.InPlace {
		return fromAll(w)
	}
	for i := range w.members {
		if even := (i+w.me)%2 == 0; i == w.me || even != (w.me < i) {
			continue // the other member of the pair swaps
		}
		mine, theirs := w.sent(w.me, i), w.sent(i, w.me)
		if len(mine) != len(theirs) {
			return fmt.Errorf("%d bytes from process %d, a place of %d on process %d", len(theirs), i, len(mine), w.me)
		}
		swap(mine, theirs)
	}
	return nil
}

// swap exchanges the contents of two slices of the same length.
func swap(a, b []byte) {
	var store [1024]byte
	for len(a) > 0 {
		n := copy(store[:], a)
		copy(a, b[:n])
		copy(b, store[:n])
		a, b = a[n:], b[n:]
	}
}
