package local

import (
	"slices"
	"sync/atomic"
)

// outbox is the sender's end of a pair.
type outbox struct {
	pair    *pair
	to      *rank
	sent    uint64  // number of messages put in
	taken   uint64  // pair.taken when it was last read
	waiting []*send // sends that found the queue full, in their order
	_       [line - 56]byte
}

// send is a message to another rank. It is made once for a call of a program and used in each loop.
type send struct {
	place   *place
	out     *outbox
	context uint32
	tag     int
	meets   bool   // complete only after the receive has begun (MPI 4.1, 3.4)
	waits   bool   // in out.waiting
	data    []byte // place.data when the call begins, or packed
	packed  []byte // memory for the pieces of a place; nil if it is one run
	lent    uint64 // how often data were left for the receiver to read in place

	_    [line - 96]byte
	read atomic.Uint64 // how often the receiver has read data in place
	_    [line - 8]byte
}

// met reports whether data has been copied or read, and may be overwritten.
func (s *send) met() bool { return !s.waits && s.read.Load() == s.lent }

// start sends a message or, if the queue is full, leaves the sending to progress.
func (r *rank) start(s *send) {
	s.data = s.place.data
	if s.packed != nil {
		s.data = s.place.pack(s.packed)
	}
	o := s.out
	if len(o.waiting) == 0 && o.room() {
		r.put(s)
		return
	}
	if len(o.waiting) == 0 {
		r.fullOutboxes = append(r.fullOutboxes, o)
	}
	s.waits = true
	o.waiting = append(o.waiting, s)
}

// room reports whether the queue has room for a message. It reads pair.taken only if necessary, because the receiver
// writes that cache line.
func (o *outbox) room() bool { return o.sent-o.taken < depth || o.sent-o.look() < depth }

// look returns the number of messages that the receiver has taken out.
func (o *outbox) look() uint64 {
	o.taken = o.pair.taken.Load()
	return o.taken
}

// put puts a message into the queue, which must have room.
func (r *rank) put(s *send) {
	o := s.out
	c := &o.pair.cells[o.sent%depth]
	o.sent++
	c.context, c.tag, c.read = s.context, s.tag, nil
	if n := len(s.data); s.meets {
		s.lend(c)
	} else if n <= inline {
		c.data = c.store[:copy(c.store[:], s.data)]
	} else if block := r.pool.block(n, o); block != nil {
		c.data = block[:copy(block, s.data)]
	} else {
		s.lend(c)
	}
	c.turn.Store(uint32(o.sent))
	o.to.wake()
}

// lend lets the receiver read the message from the sender's buffer.
func (s *send) lend(c *cell) {
	c.data, c.read = s.data, &s.read
	s.lent++
}

// forget drops the references to data in the cells of messages that have been taken.
func (o *outbox) forget() {
	for n := max(o.sent, depth) - depth; n < o.look(); n++ {
		c := &o.pair.cells[n%depth]
		c.data, c.read = nil, nil
	}
}

// push puts waiting messages into the queue while there is room, and reports whether it has moved any.
func (r *rank) push(o *outbox) (moved bool) {
	n := 0
	for ; n < len(o.waiting) && o.room(); n++ {
		o.waiting[n].waits = false
		r.put(o.waiting[n])
	}
	o.waiting = slices.Delete(o.waiting, 0, n)
	return n > 0
}

const (
	// eager is the longest message in bytes that the sender copies into a block. Between two cores a block only helps
	// short messages: with blocks an exchange of 64 bytes took 150 ns and one of 1024 bytes 370 ns, without them 257
	// and 280 ns.
	eager  = 256
	blocks = 8 // number of blocks of one rank
)

// pool holds the blocks for a rank's eager messages. They are used in turn. A block is free again when the receiver has
// taken its last message out of the queue. If the next block is not free, the receiver reads the message from the
// sender's buffer, like a long one. So memory is bounded, and the receiver doesn't have to return blocks.
type pool struct {
	memory []byte // allocated on first use
	last   [blocks]use
	next   int
}

// use identifies the last message in a block by its queue and its number there.
type use struct {
	out    *outbox
	number uint64
}

// block returns memory for the next message of o, of n bytes, or nil if the message is too long or the next block is in
// use.
func (p *pool) block(n int, o *outbox) []byte {
	if n > eager {
		return nil
	}
	last := &p.last[p.next]
	if last.out != nil && last.out.taken < last.number && last.out.look() < last.number {
		return nil
	}
	if p.memory == nil {
		p.memory = make([]byte, blocks*eager)
	}
	b := p.memory[p.next*eager:][:n]
	*last = use{o, o.sent}
	p.next = (p.next + 1) % blocks
	return b
}
