package local_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
)

func TestAllreduce(t *testing.T) {
	for _, n := range []int{1, 2, 3, 5, 16} {
		ranks(t, n, func(s *step) {
			for range 20 {
				v := []float64{float64(s.me), -float64(s.me)}
				require.NoError(t, s.World().Allreduce(v, mpi.Sum))
				require.Equal(t, []float64{float64(n * (n - 1) / 2), -float64(n * (n - 1) / 2)}, v)
				v = []float64{float64(s.me)}
				require.NoError(t, s.World().Allreduce(v, mpi.Max))
				require.Equal(t, []float64{float64(n - 1)}, v)
				require.NoError(t, s.World().Allreduce(v, mpi.Min))
				require.Equal(t, []float64{float64(n - 1)}, v)
			}
		})
	}
}

func TestBcastGather(t *testing.T) {
	for _, n := range []int{1, 2, 3, 7} {
		ranks(t, n, func(s *step) {
			for root := range n {
				data := []byte{byte(s.me), byte(s.me + 100)}
				require.NoError(t, s.World().Bcast(data, root))
				require.Equal(t, []byte{byte(root), byte(root + 100)}, data)
				var recv []byte
				if s.me == root {
					recv = make([]byte, 2*n)
				}
				require.NoError(t, s.World().Gather([]byte{byte(s.me), byte(root)}, recv, root))
				for i := range len(recv) / 2 {
					require.Equal(t, []byte{byte(i), byte(root)}, recv[2*i:2*i+2])
				}
			}
		})
	}
}

// TestCommErrors checks calls that differ between the processes, or that are wrong on all of them.
func TestCommErrors(t *testing.T) {
	class := func(err error) int {
		var failed *mpi.Error
		require.ErrorAs(t, err, &failed)
		return failed.Class
	}
	ranks(t, 3, func(s *step) {
		w := s.World()
		require.Equal(t, 8, class(w.Bcast(nil, 3)))
		require.Equal(t, 8, class(w.Gather(nil, nil, -1)))
		_, err := w.Cart([]int{2, 2}, []bool{true, true})
		require.Equal(t, 12, class(err))
		_, err = w.Cart([]int{0}, []bool{true})
		require.Equal(t, 12, class(err))
		_, err = w.Cart([]int{2}, nil)
		require.Equal(t, 13, class(err))
		if err := w.Bcast(make([]byte, 8+s.me), 0); s.me == 0 {
			require.NoError(t, err)
		} else {
			require.Equal(t, 15, class(err))
		}
		require.Equal(t, 15, class(w.Allreduce(make([]float64, 1+s.me), mpi.Sum)))
		if err := w.Gather(make([]byte, 4), make([]byte, 11), 0); s.me == 0 {
			require.Equal(t, 15, class(err))
		} else {
			require.NoError(t, err)
		}
		c, err := w.Split(0, 0)
		require.NoError(t, err)
		require.NoError(t, c.Free())
		require.Equal(t, 5, class(c.Barrier()))
		require.NoError(t, w.Free())
		require.NoError(t, w.Barrier())
	})
}

func TestSplit(t *testing.T) {
	ranks(t, 7, func(s *step) {
		c, err := s.World().Split(s.me%3-1, -s.me)
		require.NoError(t, err)
		if s.me%3 == 0 {
			require.True(t, c == nil)
			require.NoError(t, s.World().Barrier())
			return
		}
		members := map[int][]byte{1: {4, 1}, 2: {5, 2}}[s.me%3]
		all := make([]byte, c.Size())
		require.NoError(t, c.Gather([]byte{byte(s.me)}, all, 0))
		require.NoError(t, c.Bcast(all, 0))
		require.Equal(t, members, all)
		require.Equal(t, byte(s.me), all[c.Rank()])
		require.NoError(t, s.World().Barrier())
	})
}

// TestSplitMessages checks that ranks in places are ranks in the program's communicator.
func TestSplitMessages(t *testing.T) {
	ranks(t, 6, func(s *step) {
		c, err := s.World().Split(s.me%2, -s.me)
		require.NoError(t, err)
		s.Comm = c
		in, data := s.recv((c.Rank()+1)%3, 100)
		s.Call(mpi.Call{Op: mpi.Sendrecv, Send: s.send((c.Rank()+2)%3, 100, byte(s.me)), Recv: in})
		s.must(mpi.Loops{Timed: 3})
		require.True(t, all(data, byte((s.me+4)%6)), "rank %d got %d", s.me, data[0])
	})
}

func TestCart(t *testing.T) {
	for _, dims := range [][]int{{1}, {7}, {3, 2}, {2, 1, 3}, {}} {
		size := 1
		for _, d := range dims {
			size *= d
		}
		ranks(t, 7, func(s *step) {
			c, err := s.World().Cart(dims, make([]bool, len(dims)))
			require.NoError(t, err)
			if s.me >= size {
				require.True(t, c == nil)
				return
			}
			require.Equal(t, size, c.Size())
			require.Equal(t, s.me, c.Rank())
			require.NoError(t, c.Barrier())
		})
	}
}
