package local

const (
	// eager is the longest message that the sender copies into a block, bytes. Between two cores a block helps short
	// messages only: an exchange of 64 bytes took 150 ns and one of 1024 bytes 370, where reading from the sender's
	// buffer took 257 and 280.
	eager  = 256
	blocks = 8 // of one rank
)

// pool holds the blocks that a rank's eager messages travel in. They are used in turn; the one to be used next is free
// once the receiver has taken its last message out of the queue. If it has not, the message is read from the sender's
// buffer as a long one is: so memory is bounded, and nobody has to give a block back.
type pool struct {
	memory []byte // allocated on first use
	last   [blocks]use
	next   int
}

// use is the last message in a block: its number in the queue.
type use struct {
	out    *outbox
	number uint64
}

// block is where to put the next message of o, of n bytes; nil if it is too long or all blocks are in use.
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
