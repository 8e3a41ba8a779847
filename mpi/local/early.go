package local

import (
	"slices"
	"sync/atomic"
)

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
