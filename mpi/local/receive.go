package local

import (
	"slices"
	"sync/atomic"
)

// receive is a message from another rank. It is made once for a call of a program and used in each loop.
type receive struct {
	place   *place
	in      *inbox // nil for any source
	context uint32
	tag     int
	data    []byte // place.data when the call begins
	order   uint64 // number of the posting on this rank
	done    bool
	length  int // of the message, which may be longer than data
	_       [line - 80]byte
}

// met reports whether the message has been received.
func (q *receive) met() bool { return q.done }

// take copies the message into the receive's place, in one piece. From 1 MiB Go's copy bypasses the caches, and two
// cores copied 25 GB/s out of each other's buffers. In pieces of 4 kB to 1 MiB they copied 18 GB/s.
func (q *receive) take(data []byte) {
	q.length = len(data)
	if l := q.place.layout; l != nil {
		l.scatter(q.data, data)
	} else {
		copy(q.data, data)
	}
	q.done = true
}

// post begins a receive. If a matching message came early, it completes the receive; otherwise it adds it to a list.
func (r *rank) post(q *receive) {
	q.data, q.done = q.place.data, false
	if q.in == nil {
		r.postAny(q)
		return
	}
	in := q.in
	if r.resume(in, q) {
		return
	}
	r.posts++
	q.order = r.posts
	in.posted = append(in.posted, q)
	if !in.watched {
		in.watched = true
		r.watchedInboxes = append(r.watchedInboxes, in)
	}
}

// postAny begins a receive from any source.
func (r *rank) postAny(q *receive) {
	for _, in := range r.everyInbox() {
		if r.resume(in, q) {
			return
		}
	}
	r.posts++
	q.order = r.posts
	r.anySource = append(r.anySource, q)
}

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

// match removes the receive that a message matches from its list and returns it, or returns nil. If several receives
// match, it takes the one that was posted first (MPI 4.1, 3.5).
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

// early is a message that arrived before its receive was posted, and that was taken out of the queue to make later
// messages accessible.
type early struct {
	context uint32
	tag     int
	data    []byte
	read    *atomic.Uint64 // see cell.read
	store   []byte         // memory of data, unless data is in the sender's buffer
}

// keep returns a copy of the message in a cell, so that the cell and the sender's block can be used again. A message in
// the sender's buffer stays there.
func (r *rank) keep(c *cell) *early {
	m := &early{}
	if last := len(r.spare) - 1; last >= 0 {
		m, r.spare = r.spare[last], r.spare[:last]
	}
	m.context, m.tag, m.data, m.read = c.context, c.tag, c.data, c.read
	if c.read == nil {
		m.store = append(m.store[:0], c.data...)
		m.data = m.store
	}
	return m
}

// resume completes q with the first early message from in that matches, and reports whether there is one.
func (r *rank) resume(in *inbox, q *receive) bool {
	at := slices.IndexFunc(in.early, func(m *early) bool { return m.tag == q.tag && m.context == q.context })
	if at < 0 {
		return false
	}
	m := in.early[at]
	in.early = slices.Delete(in.early, at, at+1)
	q.take(m.data)
	if m.read != nil {
		m.read.Add(1)
		in.from.wake()
	}
	m.data, m.read = nil, nil
	r.spare = append(r.spare, m)
	return true
}
