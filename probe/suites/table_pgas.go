package suites

import (
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// pgasKernels returns the kernels of the PGAS Microbenchmark Suite (its README, "Description of tests") over MPI's
// one-sided calls, within one MPI_Win_lock_all. Kernels of two processes run on all pairs at the same time. The lower
// rank of a pair is the origin; in two-way kernels both are. Times and bandwidths refer to one origin.
func pgasKernels() []kernel.Kernel {
	list := []kernel.Kernel{
		{Name: "Sync_barrier", Class: kernel.Sync, Calls: "MPI_Barrier of all"},
		{Name: "Sync_p2p", Calls: "MPI_Sendrecv of 0 bytes", Active: 2},
		{Name: "Put_get", Calls: "MPI_Put, MPI_Win_flush, MPI_Get, MPI_Win_flush", Active: 2},
		{Name: "Put_put_barrier", Calls: "MPI_Put of each in turn, MPI_Win_flush, MPI_Barrier of all", Active: 2},
		{Name: "Put_put_p2p", Calls: "MPI_Put of each in turn, MPI_Win_flush, MPI_Sendrecv of 0 bytes", Active: 2},
		{Name: "Get_get_barrier", Calls: "MPI_Get of each in turn, MPI_Win_flush, MPI_Barrier of all", Active: 2},
		{Name: "Get_get_p2p", Calls: "MPI_Get of each in turn, MPI_Win_flush, MPI_Sendrecv of 0 bytes", Active: 2},
		{Name: "Put_oneway", Calls: "MPI_Put, completion", Moved: 1, Active: 2},
		{Name: "Get_oneway", Calls: "MPI_Get, completion", Moved: 1, Active: 2},
		{Name: "Put_twoway", Calls: "MPI_Put of both, completion", Moved: 1, Active: 2},
		{Name: "Get_twoway", Calls: "MPI_Get of both, completion", Moved: 1, Active: 2},
	}
	for _, call := range []string{"put", "get"} {
		for _, side := range []string{"target", "origin", "both"} {
			for _, way := range []string{"", "_twoway"} {
				list = append(list, kernel.Kernel{Name: "Strided_" + call + "_" + side + way, Moved: 1, Active: 2,
					Calls: stridedCalls[call] + " of blocks with a stride on " + sidesInWords[side] +
						waysInWords[way] + ", completion"})
			}
		}
	}
	list = append(list,
		kernel.Kernel{Name: "Random_put", Calls: "256 MPI_Put to random processes and places, completion", Moved: 1,
			Divisor: randomDraws},
		kernel.Kernel{Name: "Random_get", Calls: "256 MPI_Get from random processes and places, completion", Moved: 1,
			Divisor: randomDraws},
		kernel.Kernel{Name: "Reduction", Class: kernel.Collective, Calls: "MPI_Allreduce", Type: mpi.Int32},
		kernel.Kernel{Name: "Reduction_in_place", Class: kernel.Collective,
			Calls: "MPI_Allreduce with MPI_IN_PLACE, of zeros",
			Type:  mpi.Int32},
	)
	for k := range lists.Elements(list) {
		if k.Class == "" {
			k.Class, k.MinProcesses = kernel.Partners, 2
		}
	}
	return kernel.Table(kernel.PGAS, list, pgasBuilders())
}

// Texts for the calls of the strided kernels.
var (
	stridedCalls = map[string]string{"put": "MPI_Put", "get": "MPI_Get"}
	sidesInWords = map[string]string{"target": "the target's side", "origin": "the origin's side",
		"both": "both sides"}
	waysInWords = map[string]string{"": "", "_twoway": ", both ways"}
)
