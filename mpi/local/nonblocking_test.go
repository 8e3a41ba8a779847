package local_test

import (
	"fmt"
	"testing"

	"github.com/effective-bandwidth/beff/mpi"
)

// TestNonblockingMix keeps several calls open while the ranks compute, and completes them in another order than they
// were started. There are enough loops to reuse all ongoing calls. Marks that differ in each loop show data that are
// lost, late or of another call.
func TestNonblockingMix(t *testing.T) {
	for _, n := range []int{1, 2, 3, 61} {
		for _, length := range []int64{8, 200, 70000} {
			t.Run(fmt.Sprintf("%d ranks, %d bytes", n, length), func(t *testing.T) {
				ranks(t, n, func(s *step) {
					s.mix(length)
					s.must(mpi.Loops{Timed: 40}, mpi.Loops{Untimed: 3, Timed: 30})
				})
			})
		}
	}
}

// marked adds a place whose mark names the sender.
func (s *step) marked(length int64, peer, sender int) mpi.Span {
	b, err := s.NewBuffer(length)
	s.ok(err)
	return mpi.One(s.Place(mpi.Place{Space: b, Length: length, Peer: peer,
		Mark: mpi.Mark{Width: 8, Key: uint64(sender) * 1000, PerLoop: 1}}))
}

// mix makes the program of TestNonblockingMix: an exchange around a ring, a broadcast from rank 0, a sum and a barrier.
func (s *step) mix(length int64) {
	const ring, bcast, barrier, sum = 1, 2, 3, 4 // numbers of the calls
	to, from := (s.me+1)%s.size, (s.me+s.size-1)%s.size
	out, all := s.marked(length, to, s.me), s.marked(length, 0, 0)
	in, fromRoot := s.marked(length, from, from), s.marked(length, 0, 0)
	ones := s.send(0, 800, 0)
	total, _ := s.recv(0, 800)
	s.Places[ones.First].Type, s.Places[total.First].Type = mpi.Int32, mpi.Int32
	s.Call(
		mpi.Call{Op: mpi.Stamp, Send: out},
		mpi.Call{Op: mpi.Ialltoallv, Send: out, Recv: in},
		mpi.Call{Op: mpi.Ibcast, Send: all, Recv: fromRoot},
		mpi.Call{Op: mpi.Ibarrier},
		mpi.Call{Op: mpi.Iallreduce, Send: ones, Recv: total},
		mpi.Call{Op: mpi.Compute, Seconds: float64(s.me%2) * 20e-6},
		mpi.Call{Op: mpi.Wait, Of: sum},
		mpi.Call{Op: mpi.Exploit, Times: 1},
		mpi.Call{Op: mpi.Wait, Of: ring},
		mpi.Call{Op: mpi.Check, Recv: in},
		mpi.Call{Op: mpi.Wait, Of: barrier},
		mpi.Call{Op: mpi.Wait, Of: bcast},
	)
	if s.me > 0 {
		s.Call(mpi.Call{Op: mpi.Check, Recv: fromRoot})
		return
	}
	s.Loop[0].Send.Count = 2
}
