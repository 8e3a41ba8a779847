package local_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
)

// sizes holds lengths around the limits of a cell, of a block and of memmove's plain stores.
var sizes = []int{0, 1, 16, 17, 256, 257, 4097, 65536, 1<<20 - 1, 1 << 20, 3234251}

func TestSendrecvRing(t *testing.T) {
	for _, n := range []int{1, 2, 3, 5, 8} {
		for _, length := range sizes {
			ranks(t, n, func(s *step) {
				in, data := s.recv((s.me+1)%n, length)
				s.Call(mpi.Call{Op: mpi.Sendrecv, Send: s.send((s.me+n-1)%n, length, byte(s.me+1)), Recv: in})
				s.must(mpi.Loops{Untimed: 1, Timed: 3})
				require.True(t, all(data, byte((s.me+1)%n+1)), "%d bytes on rank %d of %d", length, s.me, n)
			})
		}
	}
}

// TestSendRecvChain passes messages on from rank to rank.
func TestSendRecvChain(t *testing.T) {
	for _, length := range sizes {
		ranks(t, 5, func(s *step) {
			if s.me > 0 {
				s.blockingRecv(s.me-1, 0, length)
			}
			if s.me < s.size-1 {
				s.blockingSend(s.me+1, 0, length, 1)
			}
			s.must(mpi.Loops{Timed: 10})
		})
	}
}

// TestTags receives more messages than a queue holds, in the reverse order of sending.
func TestTags(t *testing.T) {
	const count = 40
	for _, length := range []int{1, 100, 5000} {
		ranks(t, 2, func(s *step) {
			var got [][]byte
			for tag := range count {
				if s.me == 0 {
					s.isend(1, tag, length, byte(tag+1))
				} else {
					got = append(got, s.blockingRecv(0, count-1-tag, length))
				}
			}
			s.waitall()
			s.must(mpi.Loops{Timed: 3})
			for i, data := range got {
				require.True(t, all(data, byte(count-i)), "tag %d, %d bytes", count-1-i, length)
			}
		})
	}
}

// TestOrder sends messages of all kinds in turn with one tag: none may overtake another.
func TestOrder(t *testing.T) {
	const count = 60
	turn := func(i int) int { return []int{100000, 1, 300, 60}[i%4] }
	for _, late := range []bool{false, true} {
		ranks(t, 2, func(s *step) {
			var got [][]byte
			for i := range count {
				if s.me == 0 {
					s.isend(1, 5, turn(i), byte(i+1))
				} else {
					got = append(got, s.irecv(0, 5, turn(i)))
				}
			}
			if s.me == 0 && late {
				s.blockingSend(1, 6, 1, 1)
			}
			if s.me == 1 && late { // all messages come early: they are sent before the one with tag 6
				last := s.Loop
				s.Loop = nil
				s.blockingRecv(0, 6, 1)
				s.Call(last...)
			}
			s.waitall()
			s.must(mpi.Loops{Timed: 3})
			for i, data := range got {
				require.True(t, all(data, byte(i+1)), "message %d", i)
			}
		})
	}
}

// TestPosted matches receives in the order of posting, whether they name a source or not.
func TestPosted(t *testing.T) {
	ranks(t, 2, func(s *step) {
		if s.me == 0 {
			s.barrier()
			for i := range 4 {
				s.isend(1, 0, 8, byte(i))
			}
			s.waitall()
			s.must(mpi.Loops{Timed: 5})
			return
		}
		got := [][]byte{s.irecv(mpi.AnySource, 0, 8), s.irecv(0, 0, 8), s.irecv(mpi.AnySource, 0, 8), s.irecv(0, 0, 8)}
		s.barrier()
		s.waitall()
		s.must(mpi.Loops{Timed: 5})
		for i, data := range got {
			require.True(t, all(data, byte(i)), "receive %d", i)
		}
	})
}

// TestAnySource receives messages from all ranks with Recv, Irecv and Sendrecv.
func TestAnySource(t *testing.T) {
	for _, length := range []int{1, 300, 20000} {
		ranks(t, 7, func(s *step) {
			var got [][]byte
			s.isend(0, 1, length, byte(s.me))
			for i := range s.size {
				switch {
				case s.me != 0:
				case i%2 == 0:
					got = append(got, s.irecv(mpi.AnySource, 1, length))
				default:
					got = append(got, s.blockingRecv(mpi.AnySource, 1, length))
				}
			}
			in, data := s.recv(mpi.AnySource, length)
			s.Call(mpi.Call{Op: mpi.Sendrecv, Tag: 2, Send: s.send((s.me+1)%s.size, length, byte(s.me)), Recv: in})
			s.waitall()
			s.barrier() // otherwise this loop may take a message of the next one
			s.must(mpi.Loops{Timed: 5})
			require.True(t, all(data, byte((s.me+s.size-1)%s.size)))
			var from []int
			for _, data := range got {
				require.True(t, all(data, data[0]))
				from = append(from, int(data[0]))
			}
			slices.Sort(from)
			for i, rank := range from {
				require.Equal(t, i, rank)
			}
		})
	}
}

// TestAnySourceOfCommunicator checks that a receive from any source doesn't take a message on another communicator.
func TestAnySourceOfCommunicator(t *testing.T) {
	ranks(t, 3, func(s *step) {
		other, err := s.World().Split(0, -s.me)
		require.NoError(t, err)
		if s.me > 0 {
			s.blockingSend(0, 0, 8, byte(s.me))
			s.must(once)
			s.Program = mpi.Program{Comm: other, Start: s.World()}
			s.blockingSend(2, 0, 8, byte(10+s.me))
			s.must(once)
			return
		}
		world := [][]byte{s.blockingRecv(1, 0, 8), s.blockingRecv(2, 0, 8)}
		s.must(once)
		s.Program = mpi.Program{Comm: other, Start: s.World()}
		// Rank 0 is rank 2 of other, 1 is 1, and 2 is 0.
		second := [][]byte{s.blockingRecv(mpi.AnySource, 0, 8), s.blockingRecv(mpi.AnySource, 0, 8)}
		s.must(once)
		require.True(t, all(world[0], 1) && all(world[1], 2))
		require.Equal(t, 23, int(second[0][0])+int(second[1][0]))
	})
}

// TestShorter checks that a message may be shorter than its place.
func TestShorter(t *testing.T) {
	for _, length := range sizes {
		ranks(t, 2, func(s *step) {
			if s.me == 0 {
				s.blockingSend(1, 0, length, 3)
				s.must(once)
				return
			}
			data := s.blockingRecv(0, 0, length+9)
			s.must(once)
			require.True(t, all(data[:length], 3) && all(data[length:], 0))
		})
	}
}

func TestTruncation(t *testing.T) {
	for _, length := range []int{9, 100, 600, 100000} {
		for _, posted := range []bool{false, true} {
			err := start(t, 2, func(s *step) error {
				call, data := "MPI_Recv", []byte(nil)
				switch {
				case s.me == 0:
					s.isend(1, 0, length, 3)
					s.waitall()
					return s.run(once)
				case posted:
					call, data = "MPI_Waitall", s.irecv(0, 0, 8)
					s.waitall()
				default:
					data = s.blockingRecv(0, 0, 8)
				}
				err := s.run(once)
				require.Equal(t, &mpi.Error{
					Call: call, Rank: 1, Class: 15, Text: fmt.Sprintf("message of %d bytes for a place of 8", length),
				}, err)
				require.Len(t, data, 8)
				return err
			})
			var failed *mpi.Error
			require.ErrorAs(t, err, &failed)
		}
	}
}

// TestSelf sends more messages from a rank to itself than a queue holds.
func TestSelf(t *testing.T) {
	for _, length := range sizes {
		ranks(t, 1, func(s *step) {
			var got [][]byte
			for i := range 10 {
				got = append(got, s.irecv(0, i, length))
			}
			for i := range 10 {
				s.blockingSend(0, 9-i, length, byte(9-i))
			}
			s.waitall()
			s.must(mpi.Loops{Timed: 3})
			for i, data := range got {
				require.True(t, all(data, byte(i)))
			}
		})
	}
}

// TestProgressInBarrier checks that a rank in a barrier makes progress with its open requests.
func TestProgressInBarrier(t *testing.T) {
	for _, length := range []int{1, 600, 100000} {
		ranks(t, 2, func(s *step) {
			if s.me == 0 {
				for i := range 20 {
					s.isend(1, i, length, 1)
				}
				s.irecv(1, 99, length)
				s.barrier()
			} else {
				for i := range 20 {
					s.blockingRecv(0, i, length)
				}
				s.blockingSend(0, 99, length, 1)
				s.barrier()
			}
			s.waitall()
			s.must(mpi.Loops{Timed: 10})
		})
	}
}

// TestWait completes requests one by one, in the reverse order of their beginning.
func TestWait(t *testing.T) {
	ranks(t, 3, func(s *step) {
		var got [][]byte
		for i := range 6 {
			got = append(got, s.irecv((s.me+1)%3, i, 1000*i))
			s.isend((s.me+2)%3, i, 1000*i, byte(i))
		}
		for i := range s.Loop {
			s.Call(mpi.Call{Op: mpi.Wait, Of: len(got)*2 - 1 - i})
		}
		s.must(mpi.Loops{Untimed: 1, Timed: 4})
		for i, data := range got {
			require.True(t, all(data, byte(i)))
		}
	})
}

// TestAlltoallv sends from each rank to some others, with places of length 0 that the other side doesn't have.
func TestAlltoallv(t *testing.T) {
	for _, n := range []int{1, 2, 5, 7} {
		for _, length := range []int{1, 300, 70000} {
			ranks(t, n, func(s *step) {
				var to, from, lengths []int
				for d := range (n + 1) / 2 {
					to, from, lengths = append(to, (s.me+d)%n), append(from, (s.me+n-d)%n), append(lengths, length*d)
				}
				send, out := s.vector(to, lengths)
				fill(out, byte(s.me+1))
				recv, in := s.vector(from[1:], lengths[1:])
				s.Call(mpi.Call{Op: mpi.Alltoallv, Send: send, Recv: recv})
				s.must(mpi.Loops{Untimed: 1, Timed: 5})
				for i, from := range from[1:] {
					require.True(t, all(in[:lengths[i+1]], byte(from+1)))
					in = in[lengths[i+1]:]
				}
			})
		}
	}
}
