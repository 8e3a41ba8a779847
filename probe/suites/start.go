package suites

import (
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// startKernels returns the kernels of the start of MPI, by MPI_Init and by sessions. Each needs a separate job, because
// MPI starts only once in a process.
func startKernels() []kernel.Kernel {
	recipe := func(sessions bool) *kernel.Recipe {
		return &kernel.Recipe{StartUp: true, Sessions: sessions, Data: kernel.Data{Sizes: nothing},
			Rows: kernel.NoLength, Build: stepOf()}
	}
	return []kernel.Kernel{
		{Name: "Init", Class: kernel.Sync, Optional: true, Calls: "MPI_Init", Recipe: recipe(false)},
		{Name: "Session", Class: kernel.Opened, Optional: true, Recipe: recipe(true),
			Calls: "MPI_Session_init, MPI_Group_from_session_pset, MPI_Comm_create_from_group, MPI_Barrier"},
	}
}
