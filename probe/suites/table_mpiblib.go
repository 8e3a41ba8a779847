package suites

import (
	"maps"

	"github.com/effective-bandwidth/beff/probe/kernel"
)

// mpiblibKernels returns the kernels of MPIBlib: its measurements of single operations and of pairs, then its
// algorithms.
func mpiblibKernels() []kernel.Kernel {
	builders := map[string]*kernel.Builder{}
	for _, list := range []map[string]*kernel.Builder{ackBuilders, pairBuilders, sendVariants, algorithmBuilders()} {
		maps.Copy(builders, list)
	}
	return kernel.Table(kernel.MPIB, append([]kernel.Kernel{
		// MPIBlib: manual, 7.1 "Operation-specific benchmarks".
		{Name: "Bcast_ack", Class: kernel.Acked,
			Calls: "MPI_Bcast, and an empty message to the root, for each other process in turn", MinProcesses: 2},

		// MPIBlib: manual, 7.3, a collective operation without data.
		{Name: "Comm_dup", Class: kernel.Sync, Calls: "MPI_Comm_dup, MPI_Comm_free"},

		// MPIBlib: manual, 7.7 "Point-to-point benchmarks".
		{Name: "Roundtrip", Class: kernel.Single, Calls: "MPI_Send, MPI_Recv: the whole round trip", Moved: 2,
			Active: 2},
		{Name: "Roundtrip_pairs", Class: kernel.Pairs, Calls: "MPI_Send, MPI_Recv of each pair: the whole round trip",
			Moved: 2, MinProcesses: 2},
		{Name: "Oneway_pairs", Class: kernel.Pairs, Moved: window, MinProcesses: 2,
			Calls: "16 MPI_Isend one way, an empty answer, of each pair in both directions"},

		// MPIBlib: manual, 4.6 to 4.8, 7.10.
		{Name: "PingPong_rsend", Class: kernel.Single, Calls: "MPI_Irecv, an empty MPI_Send, MPI_Rsend, MPI_Wait",
			Moved: 1, Divisor: 2, Active: 2},
		{Name: "Relayed", Class: kernel.Single, Calls: "a piece by MPI_Isend, and one through each further process",
			Moved: 1, MinProcesses: 3},
		{Name: "Fragments", Class: kernel.Single, Calls: "several MPI_Isend, MPI_Waitall, an empty answer", Moved: 1,
			Active: 2},
		{Name: "Fragments_threads", Class: kernel.Single, Calls: "MPI_Send of a piece by each thread, an empty answer",
			Moved: 1, Active: 2, Optional: true},
	}, algorithmKernels()...), builders)
}
