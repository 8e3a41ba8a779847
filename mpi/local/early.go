package local

import "sync/atomic"

// early is a message that arrived before its receive was posted, and that was taken out of the queue to make later
// messages accessible.
type early struct {
	context uint32
	tag     int
	data    []byte
	read    *atomic.Uint64 // see cell.read
	store   []byte         // memory of data, unless data is in the sender's buffer
	next    *early
}

// keep returns a copy of the message in a cell, so that the cell and the sender's block can be used again. A message in
// the sender's buffer stays there.
func (r *rank) keep(c *cell) *early {
	m := r.spare
	if m == nil {
		m = &early{}
	} else {
		r.spare = m.next
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
	m := in.early.remove(q.context, q.tag)
	if m == nil {
		return false
	}
	q.take(m.data)
	if m.read != nil {
		m.read.Add(1)
		in.from.wake()
	}
	m.data, m.read = nil, nil
	m.next, r.spare = r.spare, m
	return true
}

// earlyList is a list of messages in order of arrival.
type earlyList struct{ first, last *early }

func (l *earlyList) push(m *early) {
	m.next = nil
	if l.first == nil {
		l.first = m
	} else {
		l.last.next = m
	}
	l.last = m
}

// remove removes the first message with the given context and tag from the list and returns it, or nil if there is
// none.
func (l *earlyList) remove(context uint32, tag int) *early {
	var before *early
	m := l.first
	for m != nil && (m.tag != tag || m.context != context) {
		before, m = m, m.next
	}
	switch {
	case m == nil:
		return nil
	case before == nil:
		l.first = m.next
	default:
		before.next = m.next
	}
	if l.last == m {
		l.last = before
	}
	return m
}
