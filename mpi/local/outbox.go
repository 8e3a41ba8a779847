package local

import "sync/atomic"

// outbox is the sender's end of a pair.
type outbox struct {
	pair    *pair
	to      *rank
	sent    uint64 // messages put in
	taken   uint64 // what pair.taken was when last looked at
	waiting sends  // found the queue full, in order
	_       [line - 48]byte
}

// send is one message on its way out, made once for a call of a program and used in each loop.
type send struct {
	place   *place
	out     *outbox
	context uint32
	tag     int
	data    []byte // place.data when the call began
	waits   bool   // in out.waiting
	lent    uint64 // how often the receiver was to read from data itself
	next    *send

	_    [line - 80]byte
	read atomic.Uint64 // how often it has done so
	_    [line - 8]byte
}

// met says that the message may be overwritten: it is buffered or has been read.
func (s *send) met() bool { return !s.waits && s.read.Load() == s.lent }

// start sends a message, or leaves it to progress if there is no room for it now.
func (r *rank) start(s *send) {
	s.data = s.place.data
	o := s.out
	if o.waiting.first == nil && o.room() {
		r.put(s)
		return
	}
	if o.waiting.first == nil {
		r.stalled = append(r.stalled, o)
	}
	s.waits = true
	o.waiting.push(s)
}

// room says whether the queue takes a message. It looks at the receiver's side only when it has to: that line is the
// receiver's.
func (o *outbox) room() bool { return o.sent-o.taken < depth || o.sent-o.look() < depth }

// look is how many messages the receiver has taken out.
func (o *outbox) look() uint64 {
	o.taken = o.pair.taken.Load()
	return o.taken
}

// put puts a message into the queue, which has room.
func (r *rank) put(s *send) {
	o := s.out
	c := &o.pair.cells[o.sent%depth]
	o.sent++
	c.context, c.tag, c.read = s.context, s.tag, nil
	if n := len(s.data); n <= inline {
		c.data = c.store[:copy(c.store[:], s.data)]
	} else if block := r.pool.block(n, o); block != nil {
		c.data = block[:copy(block, s.data)]
	} else {
		c.data, c.read = s.data, &s.read
		s.lent++
	}
	c.turn.Store(uint32(o.sent))
	o.to.wake()
}

// forget drops what the cells of messages that have been taken refer to.
func (o *outbox) forget() {
	for n := max(o.sent, depth) - depth; n < o.look(); n++ {
		c := &o.pair.cells[n%depth]
		c.data, c.read = nil, nil
	}
}

// push puts messages that had to wait into the queue, and says whether there were any that it took.
func (r *rank) push(o *outbox) (moved bool) {
	for o.waiting.first != nil && o.room() {
		s := o.waiting.pop()
		s.waits = false
		r.put(s)
		moved = true
	}
	return moved
}

// sends is a list in the order of the calls.
type sends struct{ first, last *send }

func (l *sends) push(s *send) {
	s.next = nil
	if l.first == nil {
		l.first = s
	} else {
		l.last.next = s
	}
	l.last = s
}

func (l *sends) pop() *send {
	s := l.first
	l.first = s.next
	return s
}
