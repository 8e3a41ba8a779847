package beff

import (
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
)

// side holds one process's part in a pattern.
type side struct {
	comm      mpi.Comm // the pattern's communicator, or nil if the process isn't in it
	exchanges []patterns.Exchange
	send      mpi.Buffer
	recv      mpi.Buffer
	traffic   *mpi.Traffic // messages of all processes
}

// trafficOf returns the messages of all processes in a pattern. The round of a message is the index of its exchange.
func trafficOf(p patterns.Pattern) *mpi.Traffic {
	return &mpi.Traffic{Each: func(yield func(round, from, to int)) {
		p.Each(func(rank int, list []patterns.Exchange) {
			for i, x := range list {
				if x.Dest != patterns.None {
					yield(i, rank, x.Dest)
				}
			}
		})
	}}
}

// takesPart reports whether the process sends or receives anything.
func (s side) takesPart() bool { return len(s.exchanges) > 0 }

// Odd factors, so that the marks of neighboring senders, exchanges, measurements and loops differ in their lowest byte.
const (
	senderFactor   = 151
	exchangeFactor = 59
	runFactor      = 199
	loopFactor     = 7
)

const (
	wide = 8 // bytes of a mark if the message has room for two
	word = 8 // the walk's steps are multiples of this
)

// mark returns the mark of a message: its first and last 8 bytes or, if it is shorter than 16 bytes, one byte at each
// end as in release 3.6. A one-byte mark repeats every 256 loops. By then the walk may have returned to the same place,
// where an earlier message could be taken for one that was not delivered. Sender and receiver compute the same mark.
func mark(length int64, sender, exchange int, run uint64) mpi.Mark {
	m := mpi.Mark{Width: 1, Key: uint64(sender)*senderFactor + uint64(exchange)*exchangeFactor + run*runFactor,
		PerLoop: loopFactor}
	if length >= 2*wide {
		m.Width = wide
	}
	return m
}

// stepOf returns the walk's step for a message, its length rounded up to a multiple of 8.
func stepOf(length int64) int64 { return (length + word - 1) / word * word }

// rewinds reports whether walks must restart before messages of a length, in buffers of this size. Otherwise a walk
// simply continues from length to length, as in release 3.6. Messages of a loop that don't fit before the buffer's end
// are placed at its start. There they would overlap the loop's first messages, unless the buffer has room for one
// message more. Without that room the walk must start at a multiple of their length.
func rewinds(size, length int64) bool { return size < (maxMessages+1)*stepOf(length) }

// rewind returns a program that restarts the walks of buffers for messages of another length. A place as long as the
// buffer is always at the buffer's start. The walk continues one step after the start.
func rewind(world mpi.Comm, length int64, buffers ...mpi.Buffer) *mpi.Program {
	p := &mpi.Program{Comm: world}
	for _, b := range buffers {
		p.Place(mpi.Place{Space: b, Length: b.Size(), Step: stepOf(length)})
	}
	p.Call(mpi.Call{Op: mpi.Walk, Send: mpi.Span{Count: len(buffers)}})
	return p
}

// step returns one loop of a pattern for one process, by a method and of a length. run numbers the measurements.
func (s side) step(method Method, length int64, run uint64) *mpi.Program {
	if s.comm == nil || method != Alltoallv && method != Neighbour && !s.takesPart() {
		return &mpi.Program{}
	}
	n := len(s.exchanges)
	p := &mpi.Program{Comm: s.comm, Places: make([]mpi.Place, 0, 2*n), Loop: make([]mpi.Call, 0, 4+3*n),
		Traffic: s.traffic, Staged: method == Staged}
	place := func(space mpi.Buffer, peer, sender, exchange int) {
		x := mpi.Place{Space: space, Length: length, Step: stepOf(length), Peer: peer,
			Mark: mark(length, sender, exchange, run)}
		if method == Persistent { // no two messages of a loop are in the same place
			x.Step, x.Offset = 0, int64(len(p.Places)%maxMessages)*stepOf(length)
		}
		p.Place(x)
	}
	var sends, recvs mpi.Span
	for i, x := range s.exchanges {
		if x.Dest != patterns.None {
			place(s.send, x.Dest, s.comm.Rank(), i)
			sends.Count++
		}
	}
	recvs.First = sends.Count
	for i, x := range s.exchanges {
		if x.Source != patterns.None {
			place(s.recv, x.Source, x.Source, i)
			recvs.Count++
		}
	}
	if sends.Count+recvs.Count > 0 && method != Persistent {
		p.Call(mpi.Call{Op: mpi.Walk, Send: sends, Recv: recvs})
	}
	steps[method](p, s.exchanges, sends, recvs)
	return p
}

// steps holds the functions that add the calls of each method. The places hold all sends, then all receives, in the
// order of the exchanges.
var steps = [allMethods]func(p *mpi.Program, exchanges []patterns.Exchange, sends, recvs mpi.Span){
	Sendrecv:    stepSendrecv,
	Alltoallv:   stepAlltoallv,
	Nonblocking: stepNonblocking,
	Neighbour:   stepNeighbour,
	Persistent:  stepPersistent,
	Staged:      stepNonblocking,
}

// stepSendrecv makes one exchange after the other, with a plain Send or Recv if one side is missing.
func stepSendrecv(p *mpi.Program, exchanges []patterns.Exchange, sends, recvs mpi.Span) {
	send, recv := sends.First, recvs.First
	for i, x := range exchanges {
		c := mpi.Call{Tag: i}
		if x.Dest != patterns.None {
			c.Op, c.Send = mpi.Send, mpi.One(send)
			send++
			p.Call(mpi.Call{Op: mpi.Stamp, Send: c.Send})
		}
		if x.Source != patterns.None {
			c.Recv = mpi.One(recv)
			recv++
			if c.Op == mpi.Send {
				c.Op = mpi.Sendrecv
			} else {
				c.Op = mpi.Recv
			}
		}
		p.Call(c)
		if c.Recv.Count > 0 {
			p.Call(mpi.Call{Op: mpi.Check, Recv: c.Recv})
		}
	}
}

// stepAlltoallv makes all exchanges in one call. Processes without exchanges call it too.
func stepAlltoallv(p *mpi.Program, _ []patterns.Exchange, sends, recvs mpi.Span) {
	addMarked(p, sends, recvs, mpi.Call{Op: mpi.Alltoallv, Send: sends, Recv: recvs})
}

// stepNonblocking starts all exchanges and waits for them once.
func stepNonblocking(p *mpi.Program, exchanges []patterns.Exchange, sends, recvs mpi.Span) {
	send, recv := sends.First, recvs.First
	calls := make([]mpi.Call, 0, 2*len(exchanges)+1)
	for i, x := range exchanges {
		if x.Source != patterns.None {
			calls = append(calls, mpi.Call{Op: mpi.Irecv, Tag: i, Recv: mpi.One(recv)})
			recv++
		}
		if x.Dest != patterns.None {
			calls = append(calls, mpi.Call{Op: mpi.Isend, Tag: i, Send: mpi.One(send)})
			send++
		}
	}
	addMarked(p, sends, recvs, append(calls, mpi.Call{Op: mpi.Waitall})...)
}

// stepNeighbour makes all exchanges in one call among neighbours. Processes without exchanges call it too.
func stepNeighbour(p *mpi.Program, _ []patterns.Exchange, sends, recvs mpi.Span) {
	addMarked(p, sends, recvs, mpi.Call{Op: mpi.NeighborAlltoallv, Send: sends, Recv: recvs})
}

// stepPersistent starts all receives, then all sends, and waits for them once.
func stepPersistent(p *mpi.Program, exchanges []patterns.Exchange, sends, recvs mpi.Span) {
	send, recv := sends.First, recvs.First
	var in, out []mpi.Call
	for i, x := range exchanges {
		if x.Source != patterns.None {
			in = append(in, mpi.Call{Op: mpi.RecvInit, Tag: i, Recv: mpi.One(recv)})
			recv++
		}
		if x.Dest != patterns.None {
			out = append(out, mpi.Call{Op: mpi.SendInit, Tag: i, Send: mpi.One(send)})
			send++
		}
	}
	addMarked(p, sends, recvs, append(append(in, out...), mpi.Call{Op: mpi.Waitall})...)
}

// addMarked adds the stamps before the calls and the check after them.
func addMarked(p *mpi.Program, sends, recvs mpi.Span, calls ...mpi.Call) {
	if sends.Count > 0 {
		p.Call(mpi.Call{Op: mpi.Stamp, Send: sends})
	}
	p.Call(calls...)
	if recvs.Count > 0 {
		p.Call(mpi.Call{Op: mpi.Check, Recv: recvs})
	}
}
