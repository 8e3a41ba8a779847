package local_test

import (
	"errors"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
)

// once is one timed loop.
var once = mpi.Loops{Timed: 1}

// step is the program of one rank, to which methods add calls. A failure of require ends the rank and all others.
type step struct {
	t *testing.T
	mpi.Engine
	me, size int
	mpi.Program
}

// start runs main on n ranks, each with an empty program, and returns Run's error.
func start(t *testing.T, n int, main func(s *step) error) error {
	return local.Run(n, func(e mpi.Engine) error {
		w := e.World()
		return main(&step{t: t, Engine: e, me: w.Rank(), size: w.Size(), Program: mpi.Program{Comm: w, Start: w}})
	})
}

// ranks calls start for a main that must not fail.
func ranks(t *testing.T, n int, main func(s *step)) {
	require.NoError(t, start(t, n, func(s *step) error { main(s); return nil }))
}

// send adds the place of a message to peer, filled with value.
func (s *step) send(peer, length int, value byte) mpi.Span {
	place, data := s.place(peer, length)
	fill(data, value)
	return place
}

// recv adds the place of a message from peer.
func (s *step) recv(peer, length int) (mpi.Span, []byte) { return s.place(peer, length) }

func (s *step) place(peer, length int) (mpi.Span, []byte) {
	return s.vector([]int{peer}, []int{length})
}

// vector adds consecutive places, one for each peer.
func (s *step) vector(peers, lengths []int) (mpi.Span, []byte) {
	size := int64(0)
	for _, n := range lengths {
		size += int64(n)
	}
	b, err := s.NewBuffer(size)
	s.ok(err)
	span := mpi.Span{First: len(s.Places), Count: len(peers)}
	at := int64(0)
	for i, n := range lengths {
		s.Place(mpi.Place{Space: b, Offset: at, Length: int64(n), Peer: peers[i]})
		at += int64(n)
	}
	return span, b.Bytes()
}

// isend and the following methods each add one call.
func (s *step) isend(peer, tag, length int, value byte) {
	s.Call(mpi.Call{Op: mpi.Isend, Tag: tag, Send: s.send(peer, length, value)})
}

func (s *step) blockingSend(peer, tag, length int, value byte) {
	s.Call(mpi.Call{Op: mpi.Send, Tag: tag, Send: s.send(peer, length, value)})
}

func (s *step) irecv(peer, tag, length int) []byte {
	place, data := s.recv(peer, length)
	s.Call(mpi.Call{Op: mpi.Irecv, Tag: tag, Recv: place})
	return data
}

func (s *step) blockingRecv(peer, tag, length int) []byte {
	place, data := s.recv(peer, length)
	s.Call(mpi.Call{Op: mpi.Recv, Tag: tag, Recv: place})
	return data
}

func (s *step) waitall() { s.Call(mpi.Call{Op: mpi.Waitall}) }

func (s *step) barrier() { s.Call(mpi.Call{Op: mpi.Barrier}) }

// run compiles the program and runs it once for each of loops.
func (s *step) run(loops ...mpi.Loops) error {
	x, err := s.Compile(&s.Program)
	if err != nil {
		return err
	}
	defer x.Close()
	for _, n := range loops {
		m, err := x.Run(n)
		if err != nil {
			return err
		}
		require.Nil(s.t, m.Mismatch)
		require.Positive(s.t, m.Seconds)
	}
	return nil
}

// must calls run for a program that must not fail.
func (s *step) must(loops ...mpi.Loops) { s.ok(s.run(loops...)) }

// ok ends the rank if there is an error. It reports the error unless it is another rank's.
func (s *step) ok(err error) {
	if errors.Is(err, mpi.ErrAborted) {
		runtime.Goexit()
	}
	require.NoError(s.t, err)
}

func fill(data []byte, value byte) {
	for i := range data {
		data[i] = value
	}
}

// all reports whether all bytes of data are value.
func all(data []byte, value byte) bool {
	for _, b := range data {
		if b != value {
			return false
		}
	}
	return true
}
