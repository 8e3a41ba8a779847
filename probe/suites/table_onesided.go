package suites

import (
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// extKernels returns the kernels of IMB-EXT (guide, "IMB-EXT Benchmarks"). They use active target communication,
// completed by MPI_Win_fence. IMB also runs Window and Accumulate on one process. beff doesn't, because Open MPI 4.1
// can't create a window there.
func extKernels() []kernel.Kernel {
	return kernel.Table(kernel.EXT, []kernel.Kernel{
		{Name: "Window", Class: kernel.Collective,
			Calls: "MPI_Win_create, MPI_Win_fence, MPI_Put, MPI_Win_fence, MPI_Win_free", MinProcesses: 2},
		{Name: "Unidir_Get", Class: kernel.Single, Calls: "MPI_Get, MPI_Win_fence", Moved: 1, Active: 2,
			Modes: settings.BothModes},
		{Name: "Unidir_Put", Class: kernel.Single, Calls: "MPI_Put, MPI_Win_fence", Moved: 1, Active: 2,
			Modes: settings.BothModes},
		{Name: "Bidir_Get", Class: kernel.Single, Calls: "MPI_Get, MPI_Win_fence", Moved: 1, Active: 2,
			Modes: settings.BothModes},
		{Name: "Bidir_Put", Class: kernel.Single, Calls: "MPI_Put, MPI_Win_fence", Moved: 1, Active: 2,
			Modes: settings.BothModes},
		{Name: "Accumulate", Class: kernel.Collective, Calls: "MPI_Accumulate, MPI_Win_fence", Type: mpi.Float32,
			MinProcesses: 2, Modes: settings.BothModes},
	}, activeTarget)
}

// rmaKernels returns the kernels of IMB-RMA (guide, "IMB-RMA Benchmarks"). They use passive target communication within
// one MPI_Win_lock or MPI_Win_lock_all. For its parallel kernels the guide shows only times ("Output"), as for
// collective kernels, so they have the class Collective here.
func rmaKernels() []kernel.Kernel {
	return kernel.Table(kernel.RMA, []kernel.Kernel{
		{Name: "Unidir_put", Class: kernel.Single, Calls: "MPI_Put, MPI_Win_flush", Moved: 1, Active: 2,
			Modes: settings.BothModes},
		{Name: "Unidir_get", Class: kernel.Single, Calls: "MPI_Get, MPI_Win_flush", Moved: 1, Active: 2,
			Modes: settings.BothModes},
		{Name: "Bidir_put", Class: kernel.Single, Calls: "MPI_Put, MPI_Win_flush", Moved: 1, Active: 2,
			Modes: settings.BothModes},
		{Name: "Bidir_get", Class: kernel.Single, Calls: "MPI_Get, MPI_Win_flush", Moved: 1, Active: 2,
			Modes: settings.BothModes},
		{Name: "One_put_all", Class: kernel.Multiple, Calls: "MPI_Put to each other process, MPI_Win_flush_all",
			Moved: 1, MinProcesses: 2},
		{Name: "One_get_all", Class: kernel.Multiple, Calls: "MPI_Get from each other process, MPI_Win_flush_all",
			Moved: 1, MinProcesses: 2},
		{Name: "All_put_all", Class: kernel.Collective, Calls: "MPI_Put to each other process, MPI_Win_flush_all",
			MinProcesses: 2},
		{Name: "All_get_all", Class: kernel.Collective, Calls: "MPI_Get from each other process, MPI_Win_flush_all",
			MinProcesses: 2},
		{Name: "Put_local", Class: kernel.Single, Calls: "MPI_Put, MPI_Win_flush_local", Moved: 1, Active: 2,
			Modes: settings.BothModes},
		{Name: "Put_all_local", Class: kernel.Multiple,
			Calls: "MPI_Put to each other process, MPI_Win_flush_local_all", Moved: 1, MinProcesses: 2},
		{Name: "Exchange_put", Class: kernel.Collective, Calls: "2 MPI_Put, 2 MPI_Win_flush", MinProcesses: 2},
		{Name: "Exchange_get", Class: kernel.Collective, Calls: "2 MPI_Get, 2 MPI_Win_flush", MinProcesses: 2},
		{Name: "Accumulate", Class: kernel.Single, Calls: "MPI_Accumulate, MPI_Win_flush", Type: mpi.Float32,
			Moved: 1, Active: 2, Modes: settings.BothModes},
		{Name: "Get_accumulate", Class: kernel.Single, Calls: "MPI_Get_accumulate, MPI_Win_flush", Type: mpi.Float32,
			Moved: 1, Active: 2, Modes: settings.BothModes},
		{Name: "Fetch_and_op", Class: kernel.Single, Calls: "MPI_Fetch_and_op, MPI_Win_flush", Type: mpi.Float32,
			Moved: 1, Active: 2, Modes: settings.BothModes},
		{Name: "Compare_and_swap", Class: kernel.Single, Calls: "MPI_Compare_and_swap, MPI_Win_flush",
			Type: mpi.Int32, Moved: 1, Active: 2, Modes: settings.BothModes},
		{Name: "Truly_passive_put", Class: kernel.Passive, Calls: "MPI_Put, MPI_Win_flush", Active: 2},
		{Name: "Get_local", Class: kernel.Single, Calls: "MPI_Get, MPI_Win_flush_local", Moved: 1, Active: 2,
			Modes: settings.BothModes, Optional: true},
		{Name: "Get_all_local", Class: kernel.Multiple, Moved: 1, MinProcesses: 2, Optional: true,
			Calls: "MPI_Get from each other process, MPI_Win_flush_local_all"},
	}, passiveTarget)
}
