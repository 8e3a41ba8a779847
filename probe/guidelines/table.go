package guidelines

import (
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// guideline is a row: a call that should not take longer than its mock-up.
type guideline struct {
	name, calls  string
	call, mockUp side
}

// collectiveGuidelines are the guidelines of calls that could be made of other calls (PGMPI's list, and PGMPITuneLib's
// mock-ups).
var collectiveGuidelines = []guideline{
	{"Gather_vs_Allgather", "Gather ≤ Allgather", gather.single(once), allgather.single(once)},
	{"Gather_vs_Reduce", "Gather ≤ Reduce", gather.single(once), reduce.single(perProcess)},
	{"Allgather_vs_Alltoall", "Allgather ≤ Alltoall", allgather.single(once), alltoall.single(once)},
	{"Allgather_vs_Allreduce", "Allgather ≤ Allreduce", allgather.single(once), allreduce.single(perProcess)},
	{"Scatter_vs_Bcast", "Scatter ≤ Bcast", scatter.single(once), bcast.single(perProcess)},
	{"Reduce_vs_Allreduce", "Reduce ≤ Allreduce", reduce.single(once), allreduce.single(once)},
	{"Reduce_scatter_vs_Allreduce", "Reduce_scatter ≤ Allreduce", reduceScatter.single(once),
		allreduce.single(perProcess)},

	{"Bcast_vs_Scatter_and_Allgather", "Bcast ≤ Scatter + Allgather", bcast.single(once),
		inBlocks(scatter, allgather, wholeOfRoot)},
	{"Allgather_vs_Gather_and_Bcast", "Allgather ≤ Gather + Bcast", allgather.single(once), gatherBcast},
	{"Allreduce_vs_Reduce_and_Bcast", "Allreduce ≤ Reduce + Bcast", allreduce.single(once), reduceBcast},
	{"Allreduce_vs_Reduce_scatter_block_and_Allgather", "Allreduce ≤ Reduce_scatter_block + Allgather",
		allreduce.single(once), inBlocks(scatterBlock, allgather, sumOfAll)},
	{"Reduce_vs_Reduce_scatter_block_and_Gather", "Reduce ≤ Reduce_scatter_block + Gather",
		reduce.single(once), inBlocks(scatterBlock, gather, sumAtRoot)},
	{"Reduce_scatter_block_vs_Reduce_and_Scatter", "Reduce_scatter_block ≤ Reduce + Scatter",
		scatterBlock.single(once), reduceThen(scatter)},
	{"Reduce_scatter_vs_Reduce_and_Scatterv", "Reduce_scatter ≤ Reduce + Scatterv",
		reduceScatter.single(once), reduceThen(scatterv)},
	{"Scan_vs_Exscan_and_Reduce_local", "Scan ≤ Exscan + Reduce_local", scan.single(once), exscanThenOwn},

	{"Allgather_vs_Allgatherv", "Allgather ≤ Allgatherv", allgather.single(once),
		allgatherv.single(once)},
	{"Gather_vs_Gatherv", "Gather ≤ Gatherv", gather.single(once), gatherv.single(once)},
	{"Scatter_vs_Scatterv", "Scatter ≤ Scatterv", scatter.single(once), scatterv.single(once)},
	{"Alltoall_vs_Alltoallv", "Alltoall ≤ Alltoallv", alltoall.single(once), alltoallv.single(once)},
	{"Reduce_scatter_block_vs_Reduce_scatter", "Reduce_scatter_block ≤ Reduce_scatter",
		scatterBlock.single(once), reduceScatter.single(once)},
	{"Bcast_vs_Allgatherv", "Bcast ≤ Allgatherv", bcast.single(once), bcastByAllgatherv},
	{"Reduce_vs_Reduce_scatter_and_Gatherv", "Reduce ≤ Reduce_scatter + Gatherv", reduce.single(once),
		inBlocks(reduceScatter, gatherv, sumAtRoot)},
	{"Allreduce_vs_Reduce_scatter_and_Allgatherv", "Allreduce ≤ Reduce_scatter + Allgatherv",
		allreduce.single(once), inBlocks(reduceScatter, allgatherv, sumOfAll)},
}

// pairGuidelines are the guidelines of messages between two processes.
var pairGuidelines = []guideline{
	{"Send_vs_Isend", "Send ≤ Isend + Wait", pingPong(mpi.Send), pingPong(mpi.Isend, mpi.Wait)},
	{"Send_vs_Ssend", "Send ≤ Ssend", pingPong(mpi.Send), pingPong(mpi.Ssend)},
	{"Rsend_vs_Send", "Rsend ≤ Send", answered(mpi.Rsend), answered(mpi.Send)},
	{"Persistent_Send_vs_Send", "Start + Wait of Send_init ≤ Send", persistentPingPong, pingPong(mpi.Send)},
	{"Send_vs_copies", "Send of a vector type ≤ copies of its blocks + Send", vector(false), vector(true)},
}

// ringGuidelines are the guidelines of a ring of at least three processes, with b_eff's three methods.
var ringGuidelines = []guideline{
	{"Neighbor_alltoall_vs_Isend", "Neighbor_alltoall ≤ Isend, Irecv + Waitall", exchange(mpi.NeighborAlltoall),
		nonblockingExchange},
	{"b_eff_alltoallv_vs_nonblocking", "b_eff's Alltoallv ≤ its nonblocking exchange", exchange(mpi.Alltoallv),
		nonblockingExchange},
	{"b_eff_nonblocking_vs_Sendrecv", "b_eff's nonblocking exchange ≤ its Sendrecv", nonblockingExchange,
		sendrecvExchange},
}

// fileGuidelines are the guidelines of file access: under false for writing, under true for reading. A collective call
// takes no longer than separate calls of all processes, and one call no longer than four.
var fileGuidelines = map[bool][]guideline{
	false: {
		{"File_write_at_all_vs_File_write_at", "File_write_at_all ≤ File_write_at", writing(mpi.FileWriteAtAll, 1),
			writing(mpi.FileWriteAt, 1)},
		{"File_write_at_vs_four", "File_write_at of n ≤ 4 File_write_at of n/4", writing(mpi.FileWriteAt, 1),
			writing(mpi.FileWriteAt, 4)},
	},
	true: {
		{"File_read_at_all_vs_File_read_at", "File_read_at_all ≤ File_read_at", reading(mpi.FileReadAtAll, 1),
			reading(mpi.FileReadAt, 1)},
		{"File_read_at_vs_four", "File_read_at of n ≤ 4 File_read_at of n/4", reading(mpi.FileReadAt, 1),
			reading(mpi.FileReadAt, 4)},
	},
}

// Kernels returns a kernel for each guideline. Kernels that access files run only if the user names them.
func Kernels() (list []kernel.Kernel) {
	add := func(rows []guideline, least, active int) {
		for _, g := range rows {
			list = append(list, g.kernel(least, active))
		}
	}
	add(collectiveGuidelines, 2, 0)
	add(callGuidelines(), 2, 0)
	add(pairGuidelines, 2, 2)
	add([]guideline{{"Sendrecv_vs_Isend_and_Recv", "Sendrecv ≤ Isend + Recv + Wait", shift, shiftInParts}}, 2, 0)
	add(ringGuidelines, 3, 0)
	add([]guideline{{"Allgather_vs_circulant", "Allgather ≤ Sendrecv on a circulant graph", allgather.single(once),
		circulant}}, 2, 0)
	for _, c := range []collective{bcast, reduce, allreduce, allgather, alltoall} {
		add([]guideline{{c.name + "_vs_reversed", c.name + " ≤ " + c.name + " of the processes in reverse order",
			c.single(once), c.reversed}}, 2, 0)
		list[len(list)-1].Builder.Processes.Reverses = true
	}
	for _, g := range []guideline{
		{"Barrier_vs_Allreduce", "Barrier ≤ Allreduce of one element", barrier.single(once), allreduceElement},
		{"Barrier_vs_circulant", "Barrier ≤ Sendrecv on a circulant graph", barrier.single(once), circulantBarrier},
	} {
		add([]guideline{g}, 2, 0)
		list[len(list)-1].Builder.Rows = kernel.NoLength
	}
	for _, reads := range []bool{false, true} {
		for _, g := range fileGuidelines[reads] {
			add([]guideline{g}, 2, 0)
			k := &list[len(list)-1]
			k.Optional, k.Builder.File = true, fileUse(reads)
		}
	}
	return kernel.Table(kernel.Guidelines, list, nil)
}

// callGuidelines returns the guidelines of single calls: more data take no less time (monotony), one call takes no
// longer than two with half of the data each (split-robustness), the blocking form no longer than the nonblocking one,
// and the persistent form no longer than the blocking one.
func callGuidelines() (list []guideline) {
	calls := []collective{bcast, reduce, allreduce, gather, scatter, allgather, alltoall}
	for _, c := range calls {
		list = append(list, guideline{c.name + "_vs_twice_as_long", c.name + " of n ≤ " + c.name + " of 2 n",
			c.single(once), c.single(twice)})
	}
	for _, c := range calls {
		list = append(list, guideline{c.name + "_vs_two_halves", c.name + " of n ≤ 2 " + c.name + " of n/2",
			c.single(once), c.split})
	}
	for _, c := range calls {
		list = append(list, guideline{c.name + "_vs_I" + strings.ToLower(c.name), c.name + " ≤ I" +
			strings.ToLower(c.name) + " + Wait", c.single(once), c.started(c.nonblocking)})
	}
	for _, c := range calls {
		list = append(list, guideline{"Persistent_" + c.name + "_vs_" + c.name, "Start + Wait of " + c.name +
			"_init ≤ " + c.name, c.started(mpi.InitOf(c.op)), c.single(once)})
	}
	return list
}

// kernel returns the row as a kernel that needs at least a number of processes. If active isn't 0, only that many
// processes are active.
func (g guideline) kernel(least, active int) kernel.Kernel {
	sides := []side{g.call, g.mockUp}
	k := kernel.Kernel{Name: g.name, Class: kernel.CallAndMockUp, Calls: g.calls, Active: active, MinProcesses: least}
	k.Builder = &kernel.Builder{Ops: opsOf(sides, least), Processes: kernel.Processes{FixedRoot: true},
		Data: kernel.Data{Packed: true,
			Sizes: func(s *kernel.Setup) (send, recv int64) {
				for _, of := range sides {
					b := newSideBuilder(s)
					b.sizesOnly = true
					of(b)
					send, recv = max(send, b.sendBytes), max(recv, b.recvBytes)
				}
				return send, recv
			}},
		Build: func(s *kernel.Setup) *kernel.Step {
			if s.Run.MockUp {
				x := buildSide(g.mockUp, s)
				x.Comm = s.Run.Reversed
				return x
			}
			return buildSide(g.call, s)
		}}
	if k.Builder.Reduces() {
		k.Type = mpi.Float32
	}
	return k
}

// opsOf returns the calls that the first two ranks make on any side, because further ranks make no other calls.
func opsOf(sides []side, processes int) (list []mpi.Op) {
	for rank := range int64(2) {
		for _, of := range sides {
			b := newSideBuilder(&kernel.Setup{Kernel: &kernel.Kernel{Builder: &kernel.Builder{}}, Ranks: processes})
			b.rank = rank
			of(b)
			calls := slices.Concat(b.step.Each, b.step.Proof)
			list = append(list, lists.Each(calls, func(c mpi.Call) mpi.Op { return c.Op })...)
		}
	}
	return lists.Unique(list)
}
