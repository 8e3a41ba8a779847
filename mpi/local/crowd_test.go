package local_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
)

// TestCrowd runs one step of each method in a ring of many more ranks than cores.
func TestCrowd(t *testing.T) {
	counts := []int{64, 1024, 4096}
	switch {
	case raced:
		counts = []int{64, 300}
	case testing.Short(): // 4096 ranks take 1 GB
		counts = counts[:2]
	}
	for _, n := range counts {
		for _, length := range []int{1, 64 << 10} {
			t.Run(fmt.Sprintf("%d ranks, %d bytes", n, length), func(t *testing.T) {
				ranks(t, n, func(s *step) { s.crowd(length) })
			})
		}
	}
}

// crowd sends to the left and to the right with Sendrecv, with nonblocking calls and with one vector call.
func (s *step) crowd(length int) {
	left, right := (s.me+s.size-1)%s.size, (s.me+1)%s.size
	both, lengths := []int{left, right}, []int{length, length}
	out, data := s.vector(both, lengths)
	fill(data, byte(s.me))
	in, data := s.vector(both, lengths)
	toLeft, toRight, fromLeft, fromRight := mpi.One(out.First), mpi.One(out.First+1), mpi.One(in.First),
		mpi.One(in.First+1)
	s.Call(
		mpi.Call{Op: mpi.Sendrecv, Send: toLeft, Recv: fromRight},
		mpi.Call{Op: mpi.Sendrecv, Send: toRight, Recv: fromLeft},
		mpi.Call{Op: mpi.Irecv, Recv: fromLeft},
		mpi.Call{Op: mpi.Irecv, Recv: fromRight},
		mpi.Call{Op: mpi.Isend, Send: toLeft},
		mpi.Call{Op: mpi.Isend, Send: toRight},
		mpi.Call{Op: mpi.Waitall},
		mpi.Call{Op: mpi.Alltoallv, Send: out, Recv: in},
	)
	s.must(mpi.Loops{Untimed: 1, Timed: 3})
	require.True(s.t, all(data[:length], byte(left)) && all(data[length:], byte(right)))
	sum := []float64{1}
	s.ok(s.World().Allreduce(sum, mpi.Sum))
	require.Equal(s.t, float64(s.size), sum[0])
}

// TestPeers gives each of many ranks 80 peers, as many as the patterns of a rating need. Queues must stay small.
func TestPeers(t *testing.T) {
	n := 1024
	if raced {
		n = 100
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	ranks(t, n, func(s *step) {
		b, err := s.NewBuffer(1)
		require.NoError(t, err)
		var send, recv mpi.Span
		for send.Count < 80 {
			s.Place(mpi.Place{Space: b, Length: 1, Peer: (s.me + 1 + send.Count) % n})
			send.Count++
		}
		recv.First = send.Count
		for recv.Count < 80 {
			s.Place(mpi.Place{Space: b, Length: 1, Peer: (s.me + n - 1 - recv.Count) % n})
			recv.Count++
		}
		s.Call(mpi.Call{Op: mpi.Alltoallv, Send: send, Recv: recv})
		s.must(mpi.Loops{Timed: 2})
		require.NoError(t, s.Collect())
		if s.me == 0 {
			runtime.ReadMemStats(&after)
		}
		require.NoError(t, s.World().Barrier())
	})
	t.Logf("%d bytes per pair", (after.HeapAlloc-before.HeapAlloc)/uint64(80*n))
	require.Less(t, after.HeapAlloc-before.HeapAlloc, uint64(80*n)*2048)
}

// BenchmarkCrowd measures the ring with more ranks than cores.
func BenchmarkCrowd(b *testing.B) {
	for _, n := range []int{4, 64, 1024} {
		for _, length := range []int64{1, 64 << 10} {
			b.Run(fmt.Sprintf("%d/%d", n, length), func(b *testing.B) {
				run(b, n, int64(n)*length, func(e mpi.Engine) (mpi.Runner,
					error) {
					return ring(e, 1<<20, length, mpi.Sendrecv)
				})
			})
		}
	}
}
