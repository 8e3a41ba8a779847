package suites

import (
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// largeLengths are the default lengths of kernels of large counts in bytes. The short ones show the cost of the wider
// count type; the last one is the first even length that an int can't count.
var largeLengths = []int64{8, 4096, 1 << 20, math.MaxInt32 + 2}

// largeCollectives maps calls to their forms with large counts. Reductions use one-byte numbers, so they have as many
// elements as bytes.
var largeCollectives = map[mpi.Op]mpi.Op{mpi.Bcast: mpi.BcastLarge, mpi.Allreduce: mpi.AllreduceLarge,
	mpi.Alltoallv: mpi.AlltoallvLarge}

// largeKernels returns the kernels that compare calls with large counts to calls with int counts.
func largeKernels() []kernel.Kernel {
	list := []kernel.Kernel{{Name: "PingPong_c", Class: kernel.Compared, Moved: 1, Divisor: 2, Active: 2,
		Calls: "MPI_Send_c, MPI_Recv_c; compared with MPI_Send, MPI_Recv",
		Builder: &kernel.Builder{Ops: []mpi.Op{mpi.Send, mpi.Recv, mpi.SendLarge, mpi.RecvLarge, mpi.Barrier},
			Lengths: largeLengths, Data: kernel.Data{Packed: true, Folds: true}, Build: largePingPong}}}
	for _, c := range collectives {
		large, has := largeCollectives[c.blocking]
		if !has {
			continue
		}
		if c.kind != mpi.Byte {
			c.kind = mpi.Int8
		}
		r := c.builder([]mpi.Op{large, c.blocking, mpi.Barrier}, func(s *kernel.Setup, call mpi.Call) []mpi.Call {
			x, usual := &kernel.Step{}, call
			if usual.Op = c.blocking; countable(s) {
				x.Each = append(x.Each, usual)
			}
			return compareToUsual(x, call).Each
		})
		r.Lengths, r.Data.Packed, r.Processes.FixedRoot = largeLengths, true, true
		r.Data.Folds = c.blocking == mpi.Bcast
		list = append(list, kernel.Kernel{Name: c.name + "_c", Class: kernel.Compared, Type: c.kind, MinProcesses: 2,
			Builder: r, Calls: fmt.Sprintf("%v; compared with %v", large, c.blocking)})
	}
	return append(list, largeFile(false), largeFile(true))
}

// countable reports whether an int can count all data that a collective call of a row moves. A long broadcast of bytes
// uses a derived type instead.
func countable(s *kernel.Setup) bool {
	return s.Bytes <= math.MaxInt32 && (s.Kernel.Builder.Ops[0] != mpi.AlltoallvLarge || s.All() <= math.MaxInt32) ||
		s.Kernel.Builder.Ops[0] == mpi.BcastLarge
}

// largePingPong sends a message back and forth, first with int counts and then with large ones.
func largePingPong(s *kernel.Setup) *kernel.Step {
	peer := s.Partner()
	x := &kernel.Step{Wants: []kernel.Want{s.Want(&s.Recv, 0, s.Bytes, peer, 0)}}
	out, in := x.Place(s.In(&s.Send, 0, s.Bytes, peer)), x.Place(s.In(&s.Recv, 0, s.Bytes, peer))
	both := func(send, recv mpi.Op) []mpi.Call {
		calls := []mpi.Call{{Op: send, Send: out, Tag: kernel.Tag}, {Op: recv, Recv: in, Tag: kernel.Tag}}
		if s.Rank() > 0 {
			calls[0], calls[1] = calls[1], calls[0]
		}
		return calls
	}
	x.Each = both(mpi.Send, mpi.Recv)
	return compareToUsual(x, both(mpi.SendLarge, mpi.RecvLarge)...)
}
