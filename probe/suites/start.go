package suites

import (
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// startKernels returns the kernels of the start of MPI, by MPI_Init and by sessions. Each needs a separate job, because
// MPI starts only once in a process.
func startKernels() []kernel.Kernel {
	builder := func(sessions bool) *kernel.Builder {
		return &kernel.Builder{StartUp: true, Sessions: sessions, Data: kernel.Data{Sizes: nothing},
			Rows: kernel.NoLength, Build: stepOf()}
	}
	return []kernel.Kernel{
		{Name: "Init", Class: kernel.Sync, Optional: true, Calls: "MPI_Init", Builder: builder(false)},
		{Name: "Session", Class: kernel.StartingMPI, Optional: true, Builder: builder(true),
			Calls: "MPI_Session_init, MPI_Group_from_session_pset, MPI_Comm_create_from_group, MPI_Barrier"},
	}
}
