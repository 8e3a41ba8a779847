package suites

import (
	"cmp"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// p2pKernels returns the kernels of IMB-P2P 2021.11, which the user's guide 4.0 doesn't describe. They run on all
// processes. Each process writes to all cache lines of a message before it sends the message, and reads all cache lines
// of a message that it has received. A process's time is divided by the number of its messages. The reported time is
// the mean over all processes.
func p2pKernels() []kernel.Kernel {
	list := []kernel.Kernel{
		{Name: "PingPong", Calls: "MPI_Send, MPI_Recv of pairs", Moved: 0.5, Divisor: 2},
		{Name: "PingPing", Calls: "MPI_Irecv, MPI_Send, MPI_Wait of pairs"},
		{Name: "Unirandom", Calls: "MPI_Send, MPI_Recv of as many random pairs as processes, one after the other"},
		{Name: "Birandom", Calls: "MPI_Irecv, MPI_Send, MPI_Wait of as many random pairs as processes", Divisor: 2},
		{Name: "Corandom", Calls: "MPI_Irecv, MPI_Send, MPI_Wait around a random ring"},
		{Name: "Stencil2D", Calls: "4 MPI_Irecv, 4 MPI_Isend, MPI_Waitall", Divisor: 4, MinProcesses: 4},
		{Name: "Stencil3D", Calls: "6 MPI_Irecv, 6 MPI_Isend, MPI_Waitall", Divisor: 6, MinProcesses: 8},
		{Name: "SendRecv_Replace", Calls: "MPI_Sendrecv_replace around the ring"},
	}
	for k := range lists.Elements(list) {
		k.Class, k.MinProcesses = kernel.Traffic, max(k.MinProcesses, 2)
		k.Moved = cmp.Or(k.Moved, 1)
	}
	return kernel.Table(kernel.P2P, list, p2pBuilders())
}
