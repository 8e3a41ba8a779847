package local_test

import (
	"errors"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
)

func TestRunRanks(t *testing.T) {
	for _, n := range []int{-1, 0, local.MaxRanks + 1} {
		err := local.Run(n, func(mpi.Engine) error { t.Error("called"); return nil })
		require.ErrorContains(t, err, "run: ")
	}
	for _, n := range []int{1, 2, 3, 7, 64} {
		var sum atomic.Int64
		ranks(t, n, func(s *step) {
			require.Equal(t, n, s.size)
			sum.Add(int64(s.me))
		})
		require.Equal(t, int64(n*(n-1)/2), sum.Load())
	}
}

func TestLibrary(t *testing.T) {
	ranks(t, 1, func(s *step) {
		l := s.Library()
		require.Equal(t, "local", l.Engine)
		require.Equal(t, "beff embedded engine", l.Library)
		require.Contains(t, l.Version, runtime.Version())
		require.Empty(t, l.Standard)
		require.NotEmpty(t, s.Host())
	})
}

// waits holds the calls in which a rank may wait when another rank fails.
var waits = []struct {
	name string
	wait func(s *step) error
}{
	{"Barrier", func(s *step) error { return s.World().Barrier() }},
	{"Bcast", func(s *step) error { return s.World().Bcast(make([]byte, 8), 0) }},
	{"Allreduce", func(s *step) error { return s.World().Allreduce(make([]float64, 8), mpi.Max) }},
	{"Gather", func(s *step) error { return s.World().Gather(make([]byte, 8), make([]byte, 24), 0) }},
	{"Split", func(s *step) error { _, err := s.World().Split(0, 0); return err }},
	{"Cart", func(s *step) error { _, err := s.World().Cart([]int{3}, []bool{true}); return err }},
	{"Collect", func(s *step) error { return s.Collect() }},
	{"Start", func(s *step) error { return s.run(once) }},
	{"program with Barrier", func(s *step) error { s.Start = nil; s.barrier(); return s.run(once) }},
	{"Recv", func(s *step) error { s.Start = nil; s.blockingRecv(2, 0, 8); return s.run(once) }},
	{"Recv from any source", func(s *step) error {
		s.Start = nil
		s.blockingRecv(mpi.AnySource, 0,
			8)
		return s.run(once)
	}},
	{"Send", func(s *step) error { s.Start = nil; s.blockingSend(2, 0, 8000, 0); return s.run(once) }},
	{"Send, queue full", func(s *step) error {
		s.Start = nil
		s.blockingSend(2, 0, 8,
			0)
		return s.run(mpi.Loops{Timed: 1e9})
	}},
	{"Waitall", func(s *step) error {
		s.Start = nil
		s.isend(2, 0, 8000, 0)
		s.irecv(2, 0, 8000)
		s.waitall()
		return s.run(once)
	}},
	{"Alltoallv", func(s *step) error {
		s.Start = nil
		in, _ := s.recv(2, 8000)
		s.Call(mpi.Call{Op: mpi.Alltoallv, Send: s.send(2, 8000, 0), Recv: in})
		return s.run(once)
	}},
	{"Decide", func(s *step) error {
		s.Start = nil
		s.Call(mpi.Call{Op: mpi.Decide, Root: 2})
		return s.run(once)
	}},
	{"Allgather", func(s *step) error {
		s.Start = nil
		in, _ := s.recv(0, 24)
		s.Call(mpi.Call{Op: mpi.Allgather, Send: s.send(0, 8, 0), Recv: in})
		return s.run(once)
	}},
	{"Exploit", func(s *step) error {
		s.Start = nil
		s.Call(mpi.Call{Op: mpi.Exploit, Times: 1e15})
		return s.run(once)
	}},
	{"OpenFile", func(s *step) error {
		_, err := s.Engine.(mpi.Files).OpenFile(s.World(), "/dev/null", mpi.ReadOnly, nil)
		return err
	}},
	{"Compute", func(s *step) error {
		s.Start = nil
		s.Call(mpi.Call{Op: mpi.Compute, Seconds: 1e9})
		return s.run(once)
	}},
}

// TestFailure checks that the failure of a rank ends the waiting calls of the others, and all their later calls, with
// mpi.ErrAborted.
func TestFailure(t *testing.T) {
	failed := errors.New("failed")
	for _, w := range waits {
		err := start(t, 3, func(s *step) error {
			if s.me == 2 {
				time.Sleep(5 * time.Millisecond)
				return failed
			}
			require.ErrorIs(t, w.wait(s), mpi.ErrAborted, w.name)
			require.ErrorIs(t, s.World().Barrier(), mpi.ErrAborted)
			_, err := s.NewBuffer(1)
			require.ErrorIs(t, err, mpi.ErrAborted)
			_, err = s.Compile(&mpi.Program{})
			require.ErrorIs(t, err, mpi.ErrAborted)
			return mpi.ErrAborted
		})
		require.Equal(t, failed, err, w.name)
	}
}

func TestPanic(t *testing.T) {
	err := start(t, 3, func(s *step) error {
		if s.me == 1 {
			panic("no luck")
		}
		return s.World().Barrier()
	})
	require.ErrorContains(t, err, "rank 1: panic: no luck")
}

func TestGoexit(t *testing.T) {
	err := start(t, 3, func(s *step) error {
		if s.me == 1 {
			runtime.Goexit()
		}
		return s.World().Barrier()
	})
	require.ErrorContains(t, err, "rank 1: ended")
}

func TestAbort(t *testing.T) {
	err := start(t, 3, func(s *step) error {
		if s.me == 1 {
			s.Abort(7)
			require.ErrorIs(t, s.World().Barrier(), mpi.ErrAborted)
			return nil
		}
		return s.World().Barrier()
	})
	require.ErrorIs(t, err, mpi.ErrAborted)
	require.ErrorContains(t, err, "rank 1 ended the job with code 7")
}

// TestAgreedError checks that ranks that all return the same error are not aborted and finish.
func TestAgreedError(t *testing.T) {
	agreed := &mpi.AgreedError{Err: errors.New("wrong input")}
	var ended atomic.Int64
	err := start(t, 5, func(s *step) error {
		if s.me > 0 {
			time.Sleep(time.Millisecond)
			part, err := s.World().Split(min(0, s.me-1), 0)
			_ = part
			require.NoError(t, err)
		} else {
			_, err := s.World().Split(-1, 0)
			require.NoError(t, err)
		}
		ended.Add(1)
		return agreed
	})
	require.Equal(t, agreed, err)
	require.Equal(t, int64(5), ended.Load())
}

var garbage []byte // a global one is on the heap

// TestCollector checks that the garbage collector is off while ranks run, that Collect collects if there is garbage,
// and that the previous setting is back afterwards.
func TestCollector(t *testing.T) {
	before := debug.SetGCPercent(77)
	defer debug.SetGCPercent(before)
	ranks(t, 2, func(s *step) {
		require.NoError(t, s.World().Barrier())
		if s.me == 0 {
			require.Equal(t, -1, debug.SetGCPercent(-1))
			var was, is runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&was)
			require.NoError(t, s.Collect())
			runtime.ReadMemStats(&is)
			require.Equal(t, was.NumGC, is.NumGC, "there is no garbage")
			garbage = make([]byte, 4<<20)
			garbage = nil
			require.NoError(t, s.Collect())
			runtime.ReadMemStats(&is)
			require.Equal(t, was.NumGC+1, is.NumGC)
			return
		}
		require.NoError(t, s.Collect())
		require.NoError(t, s.Collect())
	})
	require.Equal(t, 77, debug.SetGCPercent(77))
}

// TestFreed checks that the memory of a buffer is free after Free, Close and Collect, although its messages were not
// copied into a queue.
func TestFreed(t *testing.T) {
	var gone atomic.Int64
	ranks(t, 2, func(s *step) {
		in, data := s.recv(1-s.me, 1<<20)
		runtime.AddCleanup(&data[0], func(int) { gone.Add(1) }, 0)
		s.Call(mpi.Call{Op: mpi.Sendrecv, Send: s.send(1-s.me, 1<<20, 1), Recv: in})
		runtime.AddCleanup(&s.Places[1].Space.(mpi.Buffer).Bytes()[0], func(int) { gone.Add(1) }, 0)
		s.must(mpi.Loops{Timed: 7})
		s.Program = mpi.Program{}
		require.NoError(t, s.Collect())
	})
	require.Eventually(t, func() bool { return gone.Load() == 4 }, 5*time.Second, time.Millisecond)
}

// TestSupports checks that the engine runs every call of the vocabulary.
func TestSupports(t *testing.T) {
	ranks(t, 1, func(s *step) {
		for _, op := range mpi.Ops() {
			require.True(t, s.Supports(op), op)
		}
		require.False(t, s.Supports(mpi.Op(len(mpi.Ops()))))
	})
}
