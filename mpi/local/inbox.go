package local

// inbox is the receiver's end of a pair.
type inbox struct {
	pair    *pair
	from    *rank
	taken   uint64 // number of messages taken out
	posted  posted // receives from this source that wait for a message
	early   earlyList
	watched bool // the inbox is in rank.watchedInboxes
	_       [line - 64]byte
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
		in.early.push(r.keep(c))
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
	q, before := in.posted.find(context, tag)
	if r.anySource.first != nil {
		if a, beforeA := r.anySource.find(context, tag); a != nil && (q == nil || a.order < q.order) {
			r.anySource.remove(a, beforeA)
			return a
		}
	}
	if q != nil {
		in.posted.remove(q, before)
	}
	return q
}
