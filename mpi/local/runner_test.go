package local_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
)

// TestWalk checks the position of each loop's message. The walk continues from run to run and from program to program.
func TestWalk(t *testing.T) {
	ranks(t, 1, func(s *step) {
		b, err := s.NewBuffer(100)
		require.NoError(t, err)
		still, err := s.NewBuffer(40)
		require.NoError(t, err)
		program := func(length, step int64, key uint64) mpi.Runner {
			p := mpi.Program{Comm: s.World()}
			moving := p.Place(mpi.Place{Space: b, Offset: 50, Length: length, Step: step,
				Mark: mpi.Mark{Width: 1, Key: key, PerLoop: 1}})
			p.Place(mpi.Place{Space: still, Offset: 9, Length: 3, Mark: mpi.Mark{Width: 1, Key: key}})
			p.Call(mpi.Call{Op: mpi.Walk, Send: mpi.Span{First: moving, Count: 2}},
				mpi.Call{Op: mpi.Stamp, Send: mpi.Span{First: 0, Count: 2}})
			x, err := s.Compile(&p)
			require.NoError(t, err)
			return x
		}
		first, second := program(30, 32, 1), program(10, 16, 11)
		places := func(x mpi.Runner, n mpi.Loops) map[int]byte {
			clear(b.Bytes())
			_, err := x.Run(n)
			require.NoError(t, err)
			found := map[int]byte{}
			for i, v := range b.Bytes() {
				if v > 0 && v < 100 {
					found[i] = v
				}
			}
			return found
		}
		require.Equal(t, map[int]byte{0: 1, 32: 2}, places(first, mpi.Loops{Untimed: 1, Timed: 1}))
		require.Equal(t, map[int]byte{64: 11, 80: 12}, places(second, mpi.Loops{Timed: 2}))
		require.Equal(t, map[int]byte{0: 3}, places(first, once))
		require.Equal(t, map[int]byte{32: 13}, places(second, once))
		require.Equal(t, byte(11), still.Bytes()[9])
		require.Equal(t, ^byte(11), still.Bytes()[11])
	})
}

// TestMismatch corrupts one of three marks in turn.
func TestMismatch(t *testing.T) {
	mark := mpi.Mark{Width: 8, Key: 1000, PerLoop: 10, Chunk: 24, PerChunk: 1}
	for _, c := range []struct {
		wrong int // byte
		want  mpi.Mismatch
	}{
		{24, mpi.Mismatch{Chunk: 1, Expected: 1021, Found: 1020}},
		{40, mpi.Mismatch{Chunk: 1, AtEnd: true, Expected: ^uint64(1021), Found: ^uint64(1021) ^ 1}},
		{48, mpi.Mismatch{Chunk: 2, Expected: 1022, Found: 1023}},
	} {
		ranks(t, 1, func(s *step) {
			b, err := s.NewBuffer(72)
			require.NoError(t, err)
			place := s.Place(mpi.Place{Space: b, Length: 72, Mark: mark})
			s.Call(mpi.Call{Op: mpi.Stamp, Send: mpi.One(place)})
			stamp, err := s.Compile(&s.Program)
			require.NoError(t, err)
			s.Loop = []mpi.Call{{Op: mpi.Check, Recv: mpi.One(place)}}
			check, err := s.Compile(&s.Program)
			require.NoError(t, err)
			for range 2 {
				_, err = stamp.Run(once)
				require.NoError(t, err)
				m, err := check.Run(once)
				require.NoError(t, err)
				require.Nil(t, m.Mismatch)
			}
			_, err = stamp.Run(once)
			require.NoError(t, err)
			b.Bytes()[c.wrong] ^= 1
			m, err := check.Run(once)
			require.NoError(t, err)
			c.want.Loop = 2
			require.Equal(t, &c.want, m.Mismatch)
		})
	}
}

// TestMismatchOfMessage checks the mismatch of a message between ranks with different keys.
func TestMismatchOfMessage(t *testing.T) {
	ranks(t, 2, func(s *step) {
		b, err := s.NewBuffer(100)
		require.NoError(t, err)
		out := mpi.One(s.Place(mpi.Place{Space: b, Length: 20, Peer: 1 - s.me,
			Mark: mpi.Mark{Width: 1, Key: uint64(s.me)}}))
		in := mpi.One(s.Place(mpi.Place{Space: b, Offset: 50, Length: 20, Peer: 1 - s.me,
			Mark: mpi.Mark{Width: 1, Key: 1}}))
		s.Call(mpi.Call{Op: mpi.Stamp, Send: out}, mpi.Call{Op: mpi.Sendrecv, Send: out, Recv: in},
			mpi.Call{Op: mpi.Check, Recv: in})
		x, err := s.Compile(&s.Program)
		require.NoError(t, err)
		for run := range int64(3) {
			m, err := x.Run(mpi.Loops{Untimed: 1, Timed: 1})
			require.NoError(t, err)
			if s.me == 0 {
				require.Nil(t, m.Mismatch)
			} else {
				require.Equal(t, &mpi.Mismatch{Rank: 1, Place: 1, Loop: 2 * run, Expected: 1}, m.Mismatch)
			}
		}
	})
}

func TestLoops(t *testing.T) {
	ranks(t, 1, func(s *step) {
		x, err := s.Compile(&mpi.Program{})
		require.NoError(t, err)
		for _, n := range []mpi.Loops{{}, {Untimed: 1}, {Timed: -1}, {Untimed: -1, Timed: 1}} {
			_, err := x.Run(n)
			require.Error(t, err)
		}
		_, err = x.Run(once)
		require.NoError(t, err)
	})
}

func TestCompute(t *testing.T) {
	ranks(t, 2, func(s *step) {
		s.Call(mpi.Call{Op: mpi.Compute, Seconds: 2e-3}, mpi.Call{Op: mpi.Nop})
		x, err := s.Compile(&s.Program)
		require.NoError(t, err)
		begin := time.Now()
		m, err := x.Run(mpi.Loops{Untimed: 1, Timed: 2})
		require.NoError(t, err)
		require.GreaterOrEqual(t, m.Seconds, 4e-3)
		require.GreaterOrEqual(t, time.Since(begin).Seconds(), 6e-3)
	})
}

func TestRefused(t *testing.T) {
	ranks(t, 2, func(s *step) {
		b, err := s.NewBuffer(8)
		require.NoError(t, err)
		w := s.World()
		one := mpi.Span{Count: 1}
		any := []mpi.Place{{Space: b, Length: 8, Peer: mpi.AnySource}}
		for _, p := range []mpi.Program{
			{Comm: w, Places: []mpi.Place{{Space: b, Length: 9}}},
			{Comm: w, Places: []mpi.Place{{Space: foreign{}, Length: 8}}},
			{Comm: w, Places: []mpi.Place{{Space: b, Length: 8}},
				Loop: []mpi.Call{{Op: mpi.Send, Send: one, Tag: -1}}},
			{Comm: w, Places: any, Loop: []mpi.Call{{Op: mpi.Send, Send: one}}},
			{Comm: w, Places: any, Loop: []mpi.Call{{Op: mpi.Sendrecv, Send: one, Recv: one}}},
			{Comm: w, Places: any, Loop: []mpi.Call{{Op: mpi.Alltoallv, Recv: one}}},
			{Comm: other{w}},
			{Start: other{w}},
		} {
			_, err := s.Compile(&p)
			require.ErrorContains(t, err, "compile: ")
		}
	})
}

type foreign struct{}

func (foreign) Size() int64 { return 100 }

type other struct{ mpi.Comm }

// TestAllocations checks that a step that has run before allocates nothing.
func TestAllocations(t *testing.T) {
	if raced {
		t.Skip("it allocates as much without the race detector")
	}
	for _, length := range []int{1, 100, 100000} {
		ranks(t, 2, func(s *step) {
			peer := 1 - s.me
			in, _ := s.recv(peer, length)
			out := s.send(peer, length, 1)
			s.Call(mpi.Call{Op: mpi.Sendrecv, Send: out, Recv: in}, mpi.Call{Op: mpi.Alltoallv, Send: out, Recv: in})
			s.irecv(mpi.AnySource, 1, length)
			s.isend(peer, 1, length, 1)
			s.waitall()
			s.barrier()
			x, err := s.Compile(&s.Program)
			require.NoError(t, err)
			_, err = x.Run(mpi.Loops{Timed: 100})
			require.NoError(t, err)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err = x.Run(mpi.Loops{Timed: 200})
			require.NoError(t, err)
			runtime.ReadMemStats(&after)
			require.Less(t, after.Mallocs-before.Mallocs, uint64(50), "%d bytes", length)
		})
	}
}
