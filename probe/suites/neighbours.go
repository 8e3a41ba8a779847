package suites

import (
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// topologies lists the neighbourhoods of kernels by the suffixes of their names.
var topologies = []struct {
	name string
	kernel.Topology
}{
	{"cart2d", kernel.Topology{Dimensions: 2, Cart: true}},
	{"cart3d", kernel.Topology{Dimensions: 3, Cart: true}},
	{"graph2d", kernel.Topology{Dimensions: 2}},
	{"graph3d", kernel.Topology{Dimensions: 3}},
	{"box2d", kernel.Topology{Dimensions: 2, Corners: true}},
	{"box3d", kernel.Topology{Dimensions: 3, Corners: true}},
	{"random", kernel.Topology{Degree: 4}},
}

// neighbourKernels returns the kernels of neighbourhood collectives. Blocking alltoalls run by default; nonblocking and
// persistent alltoalls and blocking allgathers run if they are named.
func neighbourKernels() (list []kernel.Kernel) {
	for t := range lists.Elements(topologies) {
		add := func(op mpi.Op, optional bool) {
			calls := op.String()
			switch {
			case op.Persistent():
				calls += "; MPI_Start, MPI_Wait"
			case op.Starts():
				calls += ", MPI_Wait"
			}
			list = append(list, kernel.Kernel{Name: strings.TrimPrefix(op.String(), "MPI_") + "_" + t.name,
				Class: kernel.Compared, Optional: optional, MinProcesses: 2,
				Calls:   fmt.Sprintf("%s; compared with MPI_Irecv, MPI_Isend, MPI_Waitall", calls),
				Builder: neighbourBuilder(op, &t.Topology)})
		}
		add(mpi.NeighborAlltoall, false)
		add(mpi.IneighborAlltoall, true)
		add(mpi.NeighborAlltoallInit, true)
		add(mpi.NeighborAllgather, true)
	}
	return list
}

// neighbourBuilder returns the builder that compares a neighbourhood call to messages between the same neighbours. The
// messages arrive in separate memory.
func neighbourBuilder(op mpi.Op, t *kernel.Topology) *kernel.Builder {
	_, same := op.Blocks()
	ops := []mpi.Op{op, mpi.Isend, mpi.Irecv, mpi.Waitall, mpi.Barrier}
	if op.Starts() {
		ops = append(ops, mpi.Wait)
	}
	return &kernel.Builder{Ops: ops, Processes: kernel.Processes{Topology: t}, Data: kernel.Data{Packed: true,
		Sizes: func(s *kernel.Setup) (send, recv int64) {
			n := int64(t.MaxNeighbours(s.Size())) * s.Bytes
			if same {
				return s.Bytes, 2 * n
			}
			return n, 2 * n
		}},
		Build: func(s *kernel.Setup) *kernel.Step {
			x, half := &kernel.Step{}, int64(t.MaxNeighbours(s.Size()))*s.Bytes
			from, to := t.Of(s.Rank(), s.Size())
			call := addNeighbourPlaces(s, x, op, from, to)
			for i, peer := range from {
				if peer == patterns.None {
					continue
				}
				at := half + int64(i)*s.Bytes
				x.Receive(mpi.Irecv, s.In(&s.Recv, at, s.Bytes, peer))
				part := partOf(s, t, peer, same)
				x.Wants = append(x.Wants, s.Want(&s.Recv, int64(i)*s.Bytes, s.Bytes, peer, part),
					s.Want(&s.Recv, at, s.Bytes, peer, part))
			}
			for i, peer := range to {
				if peer != patterns.None {
					x.Call(mpi.Call{Op: mpi.Isend, Send: mpi.One(i), Tag: kernel.Tag})
				}
			}
			x.Waitall()
			return compareToUsual(x, call)
		}}
}

// addNeighbourPlaces adds the places of a neighbourhood call to a step, and returns the call.
func addNeighbourPlaces(s *kernel.Setup, x *kernel.Step, op mpi.Op, from, to []int) mpi.Call {
	_, same := op.Blocks()
	for i, peer := range to {
		if same {
			i = 0
		}
		x.Place(s.In(&s.Send, int64(i)*s.Bytes, s.Bytes, peerOf(peer)))
	}
	for i, peer := range from {
		x.Place(s.In(&s.Recv, int64(i)*s.Bytes, s.Bytes, peerOf(peer)))
	}
	return mpi.Call{Op: op, Send: mpi.Span{Count: len(to)}, Recv: mpi.Span{First: len(to), Count: len(from)}}
}

// partOf returns the offset in a neighbour's send area of the data for this process: 0 if all processes receive the
// same data.
func partOf(s *kernel.Setup, graph interface {
	Of(rank, size int) (from, to []int)
}, peer int, same bool) int64 {
	if same {
		return 0
	}
	_, theirs := graph.Of(peer, s.Size())
	return int64(slices.Index(theirs, s.Rank())) * s.Bytes
}

// peerOf returns the peer of a place for a neighbour.
func peerOf(rank int) int {
	if rank == patterns.None {
		return mpi.Nobody
	}
	return rank
}

// compareToUsual takes a step that holds the usual way of an operation, and appends the calls that replace it. Each of
// the two gets a split time and is followed by a barrier that doesn't count. A single nonblocking call gets its
// MPI_Wait. A step without calls has no usual way and no split time for it.
func compareToUsual(x *kernel.Step, calls ...mpi.Call) *kernel.Step {
	lap := func(number int) mpi.Call { return mpi.Call{Op: mpi.Lap, Root: number} }
	pause := []mpi.Call{{Op: mpi.Barrier}, lap(kernel.Between)}
	if len(x.Each) > 0 {
		x.Each = slices.Concat(x.Each, []mpi.Call{lap(kernel.InUsual)}, pause)
	}
	if len(calls) == 1 && calls[0].Op.Starts() {
		calls = append(calls, mpi.Call{Op: mpi.Wait, Of: len(x.Each)})
	}
	x.Each = append(x.Each, calls...)
	x.Each = slices.Concat(x.Each, []mpi.Call{lap(kernel.Called)}, pause)
	return x
}
