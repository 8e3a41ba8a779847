package suites

import (
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// mpi1Kernels returns the kernels of IMB-MPI1 (guide, "MPI-1 Benchmarks"), including the kernels that release 2021.11
// adds.
func mpi1Kernels() []kernel.Kernel {
	return kernel.Table(kernel.MPI1, []kernel.Kernel{
		{Name: "PingPong", Class: kernel.Single, Calls: "MPI_Send, MPI_Recv", Moved: 1, Divisor: 2, Active: 2},
		{Name: "PingPongSpecificSource", Class: kernel.Single, Calls: "MPI_Send, MPI_Recv", Moved: 1, Divisor: 2,
			Active: 2, Optional: true},
		{Name: "PingPongAnySource", Class: kernel.Single, Calls: "MPI_Send, MPI_Recv", Moved: 1, Divisor: 2, Active: 2,
			Optional: true},
		{Name: "PingPing", Class: kernel.Single, Calls: "MPI_Isend, MPI_Recv, MPI_Wait", Moved: 1, Active: 2},
		{Name: "PingPingSpecificSource", Class: kernel.Single, Calls: "MPI_Isend, MPI_Recv, MPI_Wait", Moved: 1,
			Active: 2, Optional: true},
		{Name: "PingPingAnySource", Class: kernel.Single, Calls: "MPI_Isend, MPI_Recv, MPI_Wait", Moved: 1, Active: 2,
			Optional: true},
		{Name: "Sendrecv", Class: kernel.Parallel, Calls: "MPI_Sendrecv", Moved: 2, MinProcesses: 2},
		{Name: "Exchange", Class: kernel.Parallel, Calls: "2 MPI_Isend, 2 MPI_Recv, MPI_Waitall", Moved: 4,
			MinProcesses: 2},
		{Name: "Allreduce", Class: kernel.Collective, Calls: "MPI_Allreduce", Type: mpi.Float32},
		{Name: "Reduce", Class: kernel.Collective, Calls: "MPI_Reduce", Type: mpi.Float32, Rooted: true},
		{Name: "Reduce_local", Class: kernel.Collective, Calls: "MPI_Reduce_local", Type: mpi.Float32, Since2021: true},
		{Name: "Reduce_scatter", Class: kernel.Collective, Calls: "MPI_Reduce_scatter", Type: mpi.Float32},
		{Name: "Reduce_scatter_block", Class: kernel.Collective, Calls: "MPI_Reduce_scatter_block", Type: mpi.Float32,
			Since2021: true},
		{Name: "Allgather", Class: kernel.Collective, Calls: "MPI_Allgather"},
		{Name: "Allgatherv", Class: kernel.Collective, Calls: "MPI_Allgatherv"},
		{Name: "Gather", Class: kernel.Collective, Calls: "MPI_Gather", Rooted: true},
		{Name: "Gatherv", Class: kernel.Collective, Calls: "MPI_Gatherv", Rooted: true},
		{Name: "Scatter", Class: kernel.Collective, Calls: "MPI_Scatter", Rooted: true},
		{Name: "Scatterv", Class: kernel.Collective, Calls: "MPI_Scatterv", Rooted: true},
		{Name: "Alltoall", Class: kernel.Collective, Calls: "MPI_Alltoall"},
		{Name: "Alltoallv", Class: kernel.Collective, Calls: "MPI_Alltoallv"},
		{Name: "Bcast", Class: kernel.Collective, Calls: "MPI_Bcast", Rooted: true},
		{Name: "Barrier", Class: kernel.Sync, Calls: "MPI_Barrier"},
		{Name: "Uniband", Class: kernel.Rate, Calls: "256 MPI_Isend one way, MPI_Waitall, an answer", Moved: 1,
			MinProcesses: 2, Optional: true},
		{Name: "Biband", Class: kernel.Rate, Calls: "256 MPI_Isend each way, MPI_Waitall, an answer", Moved: 2,
			MinProcesses: 2, Optional: true},
	}, mpi1Builders())
}
