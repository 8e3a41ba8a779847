package local_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
)

// collective adds a call with a place to send from and one to receive into.
func (s *step) collective(op mpi.Op, kind mpi.Type, send, recv int) {
	out, in := s.send(0, send, byte(s.me)), mpi.Span{}
	in, _ = s.recv(0, recv)
	s.Places[out.First].Type, s.Places[in.First].Type = kind, kind
	s.Call(mpi.Call{Op: op, Send: out, Recv: in})
}

// TestCollectiveMisfits checks calls that are right on each rank, but don't fit together. At least one rank must return
// an error, and none may hang.
func TestCollectiveMisfits(t *testing.T) {
	for _, c := range []struct {
		name string
		add  func(s *step)
		want string
	}{
		{"longer", func(s *step) { s.collective(mpi.Bcast, mpi.Byte, 8+s.me, 8+s.me) }, "MPI_Bcast failed on rank"},
		{"longer parts", func(s *step) { s.collective(mpi.Allgather, mpi.Byte, 8+s.me, 3*(8+s.me)) },
			"bytes from process"},
		{"longer at the root", func(s *step) { s.collective(mpi.Gather, mpi.Byte, 8+s.me, 3*(8+s.me)) },
			"MPI_Gather failed on rank"},
		{"longer sums", func(s *step) { s.collective(mpi.Allreduce, mpi.Int32, 8*(1+s.me), 8*(1+s.me)) },
			"MPI_Allreduce failed on rank"},
		{"shorter sums", func(s *step) { s.collective(mpi.Reduce, mpi.Int32, 8*(3-s.me), 8*(3-s.me)) },
			"MPI_Reduce failed on rank"},
		{"types", func(s *step) {
			s.collective(mpi.Allreduce, []mpi.Type{mpi.Int32, mpi.Float32, mpi.Float32}[s.me], 8, 8)
		}, "not of the same type"},
		{"calls", func(s *step) {
			s.collective([]mpi.Op{mpi.Reduce, mpi.Bcast, mpi.Reduce}[s.me], mpi.Int32, 8, 8)
		}, "has called MPI_"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := start(t, 3, func(s *step) error {
				c.add(s)
				return s.run(once)
			})
			require.ErrorContains(t, err, c.want)
			var failed *mpi.Error
			require.ErrorAs(t, err, &failed)
			require.Equal(t, 15, failed.Class)
		})
	}
}

// TestCollectiveCrowd runs far more ranks than cores, with results that are just too short, or just long enough, to be
// split.
func TestCollectiveCrowd(t *testing.T) {
	const n = 61
	ranks(t, n, func(s *step) {
		for _, count := range []int{1, 2049, 5000} {
			s.Places, s.Loop = nil, nil
			s.collective(mpi.Allreduce, mpi.Int32, 4*count, 4*count)
			result := s.Places[1].Space.(mpi.Buffer).Bytes()
			fill(s.Places[0].Space.(mpi.Buffer).Bytes(), 1)
			s.must(mpi.Loops{Untimed: 1, Timed: 5})
			require.True(t, all(result, n), "%d elements: %v", count, result[:4])
		}
	})
}

// TestCollectiveAllocations checks that a timed loop allocates nothing.
func TestCollectiveAllocations(t *testing.T) {
	if raced {
		t.Skip("it allocates as much without the race detector")
	}
	ranks(t, 1, func(s *step) {
		s.collective(mpi.Allgather, mpi.Float32, 800, 800)
		s.collective(mpi.Allreduce, mpi.Float32, 800, 800)
		s.collective(mpi.Alltoall, mpi.Float32, 800, 800)
		s.Call(mpi.Call{Op: mpi.Exploit, Times: 2})
		x, err := s.Compile(&s.Program)
		require.NoError(t, err)
		short := testing.AllocsPerRun(10, func() { s.ok(second(x.Run(once))) })
		long := testing.AllocsPerRun(10, func() { s.ok(second(x.Run(mpi.Loops{Timed: 100}))) })
		require.Equal(t, short, long)
	})
}

func second(_ mpi.Measurement, err error) error { return err }
