package local

import "sync/atomic"

// early is a message that came before the receive that it matches was posted, with others behind it in the queue that
// were wanted.
type early struct {
	context uint32
	tag     int
	data    []byte
	read    *atomic.Uint64 // as in cell
	store   []byte         // memory of data, unless it lies in the sender's buffer
	next    *early
}

// keep makes a copy of a cell, so that the cell and the sender's block are free again.
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

// resume gives the first early message of a source that q matches to q, if there is one.
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

// earlies is a list of messages in the order in which they came.
type earlies struct{ first, last *early }

func (l *earlies) push(m *early) {
	m.next = nil
	if l.first == nil {
		l.first = m
	} else {
		l.last.next = m
	}
	l.last = m
}

// remove takes the first message with the given context and tag out of the list; nil if there is none.
func (l *earlies) remove(context uint32, tag int) *early {
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
