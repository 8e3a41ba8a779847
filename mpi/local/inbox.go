package local

import "slices"

// inbox is the receiver's end of a pair.
type inbox struct {
	pair    *pair
	from    *rank
	taken   uint64     // number of messages taken out
	posted  []*receive // from this source, in the order of posting, that wait for a message
	early   []*early   // in the order of arrival
	watched bool       // the inbox is in rank.watchedInboxes
	_       [line - 80]byte
}

// poll takes one message out of the queue and reports whether there was one. The message goes to the receive that it
// matches, or to the early messages.
func (r *rank) poll(in *inbox) bool {
	c := &in.pair.cells[in.taken%depth]
	if c.turn.Load() != uint32(in.taken+1) {
		return false
	}
	if q := r.match(in, c.context, c.tag); q != nil {
		q.take(c.data)
	} else {
		in.early = append(in.early, r.keep(c))
		c.read = nil
	}
	if c.read != nil {
		c.read.Add(1)
	}
	in.taken++
	in.pair.taken.Store(in.taken)
	in.from.wake()
	return true
}

// match returns the receive that a message matches and removes it from its list, or returns nil. If several match, it
// takes the receive that was posted first (MPI 4.1, 3.5).
func (r *rank) match(in *inbox, context uint32, tag int) *receive {
	matches := func(q *receive) bool { return q.tag == tag && q.context == context }
	list, at := &in.posted, slices.IndexFunc(in.posted, matches)
	if i := slices.IndexFunc(r.anySource, matches); i >= 0 && (at < 0 || r.anySource[i].order < in.posted[at].order) {
		list, at = &r.anySource, i
	}
	if at < 0 {
		return nil
	}
	q := (*list)[at]
	*list = slices.Delete(*list, at, at+1)
	return q
}
