package conformance

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"github.com/effective-bandwidth/beff/mpi"
)

// period is the number of bytes after which the data of fill repeat. It is a prime, so that no library's segments or
// lines are a multiple of it.
const period = 65521

// fill writes the content of a message, which depends on both ranks and the number of the message.
func fill(data []byte, from, to, number int) {
	var seed [32]byte
	binary.LittleEndian.PutUint64(seed[0:], uint64(from))
	binary.LittleEndian.PutUint64(seed[8:], uint64(to))
	binary.LittleEndian.PutUint64(seed[16:], uint64(number))
	n := min(len(data), period)
	rand.NewChaCha8(seed).Read(data[:n])
	for n < len(data) {
		n += copy(data[n:], data[:n])
	}
}

// gap is the number of bytes between places. These bytes must never change.
const gap = 8

// exchange is a program of messages with known contents. All places are in one buffer, and the whole buffer is compared
// afterwards.
type exchange struct {
	p        *process
	program  mpi.Program
	messages []message // by place
	size     int64
}

type message struct {
	from, to, number int
	length           int64
	received         bool
	pieces           []mpi.Piece // of its place, which may be longer than the message
}

// exchange returns an empty program of a process on a communicator.
func (p *process) exchange(c mpi.Comm) *exchange {
	return &exchange{p: p, program: mpi.Program{Comm: c, Start: c}, size: gap}
}

// send adds the place of a message to peer.
func (x *exchange) send(peer int, length int64, number int) mpi.Span {
	return x.place(peer, message{from: x.program.Comm.Rank(), to: peer, number: number, length: length})
}

// recv adds the place for a message from peer.
func (x *exchange) recv(peer int, length int64, number int) mpi.Span {
	return x.place(peer, message{from: peer, to: x.program.Comm.Rank(), number: number, length: length, received: true})
}

func (x *exchange) place(peer int, m message) mpi.Span {
	x.messages = append(x.messages, m)
	place := mpi.Place{Offset: x.size, Length: m.length, Peer: peer, Pieces: m.pieces}
	if m.pieces != nil {
		place.Length = total(m.pieces)
	}
	x.size += place.Extent() + gap
	return mpi.One(x.program.Place(place))
}

// call adds a call.
func (x *exchange) call(c mpi.Call) { x.program.Call(c) }

// latest returns the span of the n places added last.
func (x *exchange) latest(n int) mpi.Span { return mpi.Span{First: len(x.messages) - n, Count: n} }

// image returns the content of the buffer before or after the exchange.
func (x *exchange) image(after bool) []byte {
	data := make([]byte, x.size)
	for i, m := range x.messages {
		if after || !m.received {
			content := make([]byte, m.length)
			fill(content, m.from, m.to, m.number)
			scatter(data[x.program.Places[i].Offset:], m.pieces, content)
		}
	}
	return data
}

// run runs the program for each of loops, with the memory restored each time, and compares all bytes.
func (x *exchange) run(loops ...mpi.Loops) error {
	b, err := x.p.NewBuffer(x.size)
	if err != nil {
		return err
	}
	defer b.Free()
	for i := range x.program.Places {
		x.program.Places[i].Space = b
	}
	r, err := x.p.Compile(&x.program)
	if err != nil {
		return fmt.Errorf("compile: %w", err)
	}
	defer r.Close()
	before, after := x.image(false), x.image(true)
	for _, n := range loops {
		copy(b.Bytes(), before)
		if err := x.p.runRight(r, n); err != nil {
			return err
		}
		if !bytes.Equal(b.Bytes(), after) {
			x.explain(b.Bytes(), after)
		}
	}
	return nil
}

// explain records the first wrong byte and the message that contains it.
func (x *exchange) explain(found, want []byte) {
	at := int64(0)
	for found[at] == want[at] {
		at++
	}
	for i, m := range x.messages {
		begin := x.program.Places[i].Offset
		switch {
		case at < begin:
			x.p.errorf("byte %d before place %d was overwritten", begin-at, i)
			return
		case at < begin+x.program.Places[i].Extent():
			x.p.errorf("message %d from %d to %d, %d bytes: byte %d is wrong", m.number, m.from, m.to, m.length,
				at-begin)
			return
		}
	}
	x.p.errorf("byte %d behind the last place was overwritten", at)
}
