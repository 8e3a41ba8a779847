package sim

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/sim/model"
)

// TestRanksAlgorithms compares collective calls with closed forms, around the lengths where MPICH changes the
// algorithm. A step takes 2 o + L = 4 µs, and its bytes take time at 1 GB/s.
func TestRanksAlgorithms(t *testing.T) {
	const kib = 1 << 10
	for _, c := range []struct {
		op        mpi.Op
		processes int
		bytes     int64   // of a block, or of a broadcast
		steps     float64 // of a loop
		moved     float64 // bytes of all steps of a process
	}{
		{mpi.ReduceScatter, 8, 1000, 3, 7 * 1000}, // halves
		{mpi.ReduceScatter, 64, 8, 6, 63 * 8},
		{mpi.ReduceScatter, 8, 64*kib - 8, 3, 7 * (64*kib - 8)},
		{mpi.ReduceScatter, 8, 64 * kib, 7, 7 * 64 * kib}, // by pairs
		{mpi.ReduceScatterBlock, 8, 1000, 3, 7 * 1000},
		{mpi.ReduceScatterBlock, 8, 64 * kib, 7, 7 * 64 * kib},
		{mpi.Allgather, 8, 1000, 3, 7 * 1000}, // doubles
		{mpi.Allgather, 8, 64*kib - 8, 3, 7 * (64*kib - 8)},
		{mpi.Allgather, 8, 64 * kib, 7, 7 * 64 * kib}, // around
		{mpi.Allgather, 5, 1000, 3, 4 * 1000},         // Bruck's
		{mpi.Allgather, 5, 16 * kib, 4, 4 * 16 * kib}, // around
		{mpi.Allgatherv, 8, 1000, 3, 7 * 1000},
		{mpi.Allgatherv, 8, 64 * kib, 7, 7 * 64 * kib},
		{mpi.Allgatherv, 5, 1000, 3, 4 * 1000},
		{mpi.Allgatherv, 5, 16 * kib, 4, 4 * 16 * kib},
		{mpi.Alltoall, 8, 256, 3, 3 * 4 * 256}, // combines
		{mpi.Alltoall, 8, 32*kib + 8, 7, 7 * (32*kib + 8)},
	} {
		t.Run(fmt.Sprintf("%v of %d on %d", c.op, c.bytes, c.processes), func(t *testing.T) {
			onRanks(t, c.processes, func(e mpi.Engine) error {
				p, err := collectiveOf(e, e.World(), c.op, c.bytes)
				if err != nil {
					return err
				}
				m, err := measure(e, p, mpi.Loops{Timed: 100})
				require.InEpsilon(t, 100*(c.steps*4e-6+c.moved*1e-9), m.Seconds, 1e-9)
				return err
			})
		})
	}
}

// TestRanksBcast counts the sends of a broadcast's root and of the process after it: a tree for short data, a tree of
// parts and then pairs or a ring for long ones.
func TestRanksBcast(t *testing.T) {
	for _, c := range []struct {
		processes int
		bytes     int64
		root      int64 // sends
		next      int64
	}{
		{8, 12<<10 - 8, 3, 0}, {8, 12 << 10, 3 + 3, 3}, {8, 512<<10 - 8, 3 + 3, 3}, {8, 512 << 10, 3 + 7, 7},
		{4, 512 << 10, 2, 0}, {12, 12 << 10, 4 + 11, 11}, {64, 12 << 10, 6 + 6, 6}, {64, 512 << 10, 6 + 63, 63},
	} {
		sent := sends(t, mpi.Bcast, c.processes, func(int) int64 { return c.bytes })
		require.Equal(t, []int64{c.root, c.next}, []int64{sent[c.processes-1].messages, sent[0].messages}, "%+v", c)
	}
}

// TestRanksBlocks counts the messages and bytes that processes send and receive if blocks differ. In an allgather each
// process receives the blocks of all others. In a reduce-scatter each process sends the parts of all others, in few
// messages if they are short. A process that first passes its data to a neighbour sends all parts.
func TestRanksBlocks(t *testing.T) {
	for processes := 1; processes <= 17; processes++ {
		for _, unit := range []int64{8, 800, 8000, 80000} {
			block := func(peer int) int64 { return unit * int64(1+peer%3) }
			all := int64(0)
			for peer := range processes {
				all += block(peer)
			}
			for peer, x := range sends(t, mpi.Allgatherv, processes, block) {
				require.Equal(t, all-block(peer), x.received, "allgather: %d of %d, %d bytes", peer, processes, unit)
			}
			whole, steps := 1, int64(0)
			for ; 2*whole <= processes; whole *= 2 {
				steps++
			}
			for me, x := range sends(t, mpi.ReduceScatter, processes, block) {
				want := counted{messages: int64(processes - 1), bytes: all - block(me)}
				if all < 512<<10 {
					switch passes := me < 2*(processes-whole); {
					case passes && me%2 == 0:
						want = counted{messages: 1, bytes: all}
					case passes:
						want.messages = steps + 1
					default:
						want.messages = steps
					}
				}
				x.received = 0
				require.Equal(t, want, x, "sums: %d of %d, %d bytes", me, processes, unit)
			}
		}
	}
}

// counted holds a process's messages and bytes in a loop.
type counted struct{ messages, bytes, received int64 }

// sends returns the messages of each process in a collective call whose blocks have the given lengths.
func sends(t *testing.T, op mpi.Op, processes int, block func(peer int) int64) []counted {
	acts, list := make([][]model.Act, processes), make([]counted, processes)
	onRanks(t, processes, func(e mpi.Engine) error {
		p, err := collectiveOf(e, e.World(), op, 8)
		if err != nil {
			return err
		}
		for i := range p.Places {
			p.Places[i].Offset, p.Places[i].Length = 0, block(p.Places[i].Peer)
		}
		acts[e.World().Rank()] = (&play{r: e.(*Rank), program: p}).section(p.Loop, 0)
		return nil
	})
	for me := range acts {
		for _, a := range acts[me] {
			if a.Kind == model.Send {
				list[me].messages++
				list[me].bytes += a.Bytes
				list[a.Peer].received += a.Bytes
			}
		}
	}
	return list
}
