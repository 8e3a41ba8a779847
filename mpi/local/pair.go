package local

import (
	"sync"
	"sync/atomic"
)

const (
	// depth is how many cells a queue has. With 4 a window of 16 messages of 1 byte took 2.0 µs, with 8 1.5, with 16
	// 1.1; but a rank may have a hundred queues.
	depth  = 8
	inline = 16 // bytes that a cell carries itself
)

// cell is one message in a queue. The sender fills it and sets turn last; the receiver then owns it until it says in
// pair.taken that it has taken the message. It is one line of 64 bytes, so that a short message costs one fetch.
type cell struct {
	turn    atomic.Uint32 // number of the message that is in the cell, from 1 on
	context uint32        // communicator
	tag     int
	data    []byte         // the message: in store, in a block of the sender, or in the sender's buffer
	read    *atomic.Uint64 // if in the sender's buffer: to be increased once data has been read
	store   [inline]byte
}

// pair is the queue of messages from one rank to another: a ring with one writer and one reader.
type pair struct {
	cells [depth]cell
	taken atomic.Uint64 // messages that the receiver has taken out
	_     [line - 8]byte
}

// arena makes pairs, many at once: objects of more than 32 kB start at a page, so that cells don't straddle lines.
type arena struct {
	mu   sync.Mutex
	left []pair
}

func (a *arena) pair() *pair {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.left) == 0 {
		a.left = make([]pair, 64)
	}
	p := &a.left[0]
	a.left = a.left[1:]
	return p
}
