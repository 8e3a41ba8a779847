package suites

import (
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// alltoallw is the call that takes a type and a displacement for each process. IMB has no kernel for it.
var alltoallw = collective{"Alltoallw", mpi.Alltoallw, mpi.Ialltoallw, mpi.Byte,
	movement{memory: allToAll, places: vectorPlaces(true, true), wants: fromAll(1)}}

// osuPersistent returns the tests of persistent requests, which are made once for each length and started in each
// repetition.
func osuPersistent() []kernel.Kernel {
	list := []kernel.Kernel{
		{Name: "osu_latency_persistent", Class: kernel.Averaged,
			Calls: "MPI_Send_init, MPI_Recv_init; MPI_Start, MPI_Wait", Moved: 1, Divisor: 2, Active: 2,
			Builder: &kernel.Builder{Ops: []mpi.Op{mpi.SendInit, mpi.RecvInit, mpi.Wait}, Build: persistentPingPong,
				Data: kernel.Data{Packed: true}}},
		{Name: "osu_bw_persistent", Class: kernel.Stream, Moved: 1, Active: 2,
			Builder: osuWindow(persistentWindow, false, 0),
			Calls:   "64 MPI_Send_init; MPI_Startall one way, MPI_Waitall, an answer"},
		{Name: "osu_bibw_persistent", Class: kernel.Stream, Moved: 2, Active: 2,
			Builder: osuWindow(persistentWindow, true, 0),
			Calls:   "64 MPI_Send_init; MPI_Startall each way, MPI_Waitall"},
	}
	for _, c := range osuMovements() {
		if c.blocking == mpi.ReduceScatterBlock {
			continue // OSU doesn't have it
		}
		call := mpi.InitOf(c.blocking)
		k := kernel.Kernel{Name: "osu_" + strings.ToLower(c.name) + "_persistent", Class: kernel.Averaged, Type: c.kind,
			MinProcesses: 2, Calls: fmt.Sprintf("%v; MPI_Start, MPI_Wait", call)}
		k.Builder = c.builder([]mpi.Op{call, mpi.Wait}, startAndWait)
		if c.blocking != mpi.Barrier {
			k.Builder.Barriers = 1
		}
		k.Builder.Processes.FixedRoot, k.Builder.Data.Packed = true, true
		list = append(list, k)
	}
	return kernel.Table(kernel.OSU, list, nil)
}

// persistentPingPong sends a message back and forth between two processes, by persistent requests.
func persistentPingPong(s *kernel.Setup) *kernel.Step {
	x := pairedPingPong(s)
	var each []mpi.Call
	for _, c := range x.Each {
		c.Op = map[mpi.Op]mpi.Op{mpi.Send: mpi.SendInit, mpi.Recv: mpi.RecvInit}[c.Op]
		each = append(each, c, mpi.Call{Op: mpi.Wait, Of: len(each)})
	}
	x.Each = each
	return x
}

// neighbourCall is a neighbourhood call in its two forms.
type neighbourCall struct {
	name               string
	blocking, starting mpi.Op
}

var neighbourCalls = []neighbourCall{
	{"allgather", mpi.NeighborAllgather, mpi.IneighborAllgather},
	{"allgatherv", mpi.NeighborAllgatherv, mpi.IneighborAllgatherv},
	{"alltoall", mpi.NeighborAlltoall, mpi.IneighborAlltoall},
	{"alltoallv", mpi.NeighborAlltoallv, mpi.IneighborAlltoallv},
	{"alltoallw", mpi.NeighborAlltoallw, mpi.IneighborAlltoallw},
}

// osuNeighbours returns the tests of neighbourhood calls: blocking ones, and nonblocking ones that overlap with
// computing.
func osuNeighbours() []kernel.Kernel {
	var blocking, starting []kernel.Kernel
	for _, c := range neighbourCalls {
		blocking = append(blocking, kernel.Kernel{Name: "osu_neighbor_" + c.name, Class: kernel.Averaged,
			MinProcesses: 2, Calls: c.blocking.String(),
			Builder: osuNeighbourBuilder([]mpi.Op{c.blocking}, blockingCall)})
		k := kernel.Kernel{Name: "osu_ineighbor_" + c.name, Class: kernel.OverlapParts, MinProcesses: 2,
			Calls:   fmt.Sprintf("%v, computing, MPI_Wait", c.starting),
			Builder: osuNeighbourBuilder([]mpi.Op{c.starting, mpi.Wait}, startComputeWait)}
		k.Builder.MoreOps = osuTests
		starting = append(starting, k)
	}
	return kernel.Table(kernel.OSU, append(blocking, starting...), nil)
}

// osuNeighbourBuilder returns the builder of a neighbourhood call. The call sends the same data to all neighbours, or
// separate data to each.
func osuNeighbourBuilder(ops []mpi.Op, calls func(s *kernel.Setup, c mpi.Call) []mpi.Call) *kernel.Builder {
	_, same := ops[0].Blocks()
	return &kernel.Builder{Ops: ops, Processes: kernel.Processes{Neighbours: true}, Barriers: 1, Data: kernel.Data{
		Packed: true, Sizes: func(s *kernel.Setup) (send, recv int64) {
			n := maxNeighbours(s) * s.Bytes
			if same {
				return s.Bytes, n
			}
			return n, n
		}},
		Build: func(s *kernel.Setup) *kernel.Step {
			x, g := &kernel.Step{}, s.Options.OSU.Graph()
			from, to := g.Of(s.Rank(), s.Size())
			x.Each = calls(s, addNeighbourPlaces(s, x, ops[0], from, to))
			for i, peer := range from {
				x.Wants = append(x.Wants, s.Want(&s.Recv, int64(i)*s.Bytes, s.Bytes, peer, partOf(s, &g, peer, same)))
			}
			return x
		}}
}

// maxNeighbours returns the largest number of neighbours that any process has on either side.
func maxNeighbours(s *kernel.Setup) int64 {
	most, g := 1, s.Options.OSU.Graph()
	for rank := range s.Size() {
		from, to := g.Of(rank, s.Size())
		most = max(most, len(from), len(to))
		if g.Dimensions > 0 {
			break // all processes have the same number
		}
	}
	return int64(most)
}

// osuStart returns the tests of the start of MPI. Both record the time of MPI_Init on each process.
func osuStart() []kernel.Kernel {
	builder := &kernel.Builder{StartUp: true, Data: kernel.Data{Sizes: nothing}, Rows: kernel.NoLength,
		Build: stepOf()}
	return kernel.Table(kernel.OSU, []kernel.Kernel{
		{Name: "osu_init", Class: kernel.Averaged, Calls: "MPI_Init", Builder: builder},
		{Name: "osu_hello", Class: kernel.Averaged, Calls: "MPI_Init, MPI_Comm_rank, MPI_Comm_size", Builder: builder},
	}, nil)
}

// windowCalls are the calls that send and receive the messages of a window.
type windowCalls struct{ send, recv mpi.Op }

var usualWindow, persistentWindow = windowCalls{mpi.Isend, mpi.Irecv}, windowCalls{mpi.SendInit, mpi.RecvInit}

// osuWindow returns the builder of a window of messages, one way or both ways, with barriers before each repetition.
func osuWindow(c windowCalls, twoWay bool, barriers int) *kernel.Builder {
	return &kernel.Builder{Ops: []mpi.Op{c.send, c.recv, mpi.Waitall, mpi.Send, mpi.Recv},
		Build: osuWindowStep(c, twoWay),
		Data:  kernel.Data{Sizes: osuWindowMemory, Packed: c == persistentWindow}, Barriers: barriers}
}

// osuMovements returns the collective calls as OSU makes them, with one-byte numbers in reductions.
func osuMovements() (list []collective) {
	for _, c := range slices.Concat([]collective{barrier, scatterBlock, alltoallw}, collectives) {
		if c.kind != mpi.Byte {
			c.kind = mpi.Int8
		}
		if c.blocking == mpi.ReduceScatterBlock {
			c.movement = movement{memory: osuBlockMemory, places: wholePlaces, wants: sumOfOSUBlock}
		}
		list = append(list, c)
	}
	return list
}
