package beff

import (
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
)

// side is what one process needs to take part in a pattern.
type side struct {
	comm      mpi.Comm // the pattern's communicator; nil if the process is outside of it
	exchanges []patterns.Exchange
	send      mpi.Buffer
	recv      mpi.Buffer
}

// takesPart says whether the process sends or receives anything.
func (s side) takesPart() bool { return len(s.exchanges) > 0 }

// Odd factors, so that the marks of neighbouring senders, exchanges, measurements and loops differ in their lowest byte.
const (
	senderFactor   = 151
	exchangeFactor = 59
	runFactor      = 199
	loopFactor     = 7
)

// mark is what the first and last byte of a message carry. Sender and receiver compute it alike.
func mark(sender, exchange int, run uint64) mpi.Mark {
	return mpi.Mark{Width: 1, Key: uint64(sender)*senderFactor + uint64(exchange)*exchangeFactor + run*runFactor, PerLoop: loopFactor}
}

// step is one loop of a pattern for one process: its messages of that length by a method. run numbers the measurements.
func (s side) step(method Method, length int64, run uint64) *mpi.Program {
	if s.comm == nil || method != Alltoallv && !s.takesPart() {
		return &mpi.Program{}
	}
	p := &mpi.Program{Comm: s.comm}
	place := func(space mpi.Buffer, peer, sender, exchange int) {
		const word = 8
		p.Place(mpi.Place{
			Space: space, Length: length, Step: (length + word - 1) / word * word, Peer: peer, Mark: mark(sender, exchange, run),
		})
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
	if sends.Count+recvs.Count > 0 {
		p.Call(mpi.Call{Op: mpi.Walk, Send: sends, Recv: recvs})
	}
	steps[method](p, s.exchanges, sends, recvs)
	return p
}

// steps write down the calls of each method, for places that are all the sends, then all the receives, in the order of the exchanges.
var steps = [methodCount]func(p *mpi.Program, exchanges []patterns.Exchange, sends, recvs mpi.Span){
	Sendrecv:    stepSendrecv,
	Alltoallv:   stepAlltoallv,
	Nonblocking: stepNonblocking,
}

// stepSendrecv does one exchange after the other; a plain Send or Recv where one side is missing.
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

// stepAlltoallv does all exchanges in one call, in which a process without any takes part, too.
func stepAlltoallv(p *mpi.Program, _ []patterns.Exchange, sends, recvs mpi.Span) {
	marked(p, sends, recvs, mpi.Call{Op: mpi.Alltoallv, Send: sends, Recv: recvs})
}

// stepNonblocking starts all exchanges and waits for them once.
func stepNonblocking(p *mpi.Program, exchanges []patterns.Exchange, sends, recvs mpi.Span) {
	send, recv := sends.First, recvs.First
	var calls []mpi.Call
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
	marked(p, sends, recvs, append(calls, mpi.Call{Op: mpi.Waitall})...)
}

// marked puts the stamps before the calls and their check behind them.
func marked(p *mpi.Program, sends, recvs mpi.Span, calls ...mpi.Call) {
	if sends.Count > 0 {
		p.Call(mpi.Call{Op: mpi.Stamp, Send: sends})
	}
	p.Call(calls...)
	if recvs.Count > 0 {
		p.Call(mpi.Call{Op: mpi.Check, Recv: recvs})
	}
}
