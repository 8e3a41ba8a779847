package suites

import (
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// noiseKernels returns the kernels that measure how much processor time the system takes from busy processes. Package
// noise has a method for each of them.
func noiseKernels() []kernel.Kernel {
	repeat := func(call mpi.Call) *kernel.Builder {
		return &kernel.Builder{Ops: []mpi.Op{call.Op}, Rows: kernel.NoLength, Build: func(*kernel.Setup) *kernel.Step {
			return &kernel.Step{Each: []mpi.Call{call}}
		}}
	}
	work := mpi.Call{Op: mpi.Exploit, Times: 1}
	return kernel.Table(kernel.Noise, []kernel.Kernel{
		{Name: "FWQ", Class: kernel.Detours, Calls: "equal pieces of work, each timed (fixed work quanta)",
			Builder: repeat(work)},
		{Name: "FTQ", Class: kernel.Detours, Calls: "as many readings of the clock as fit into 0.1 ms (fixed " +
			"time quanta)", Builder: repeat(mpi.Call{Op: mpi.Nop})},
		{Name: "Detour", Class: kernel.Detours, Calls: "consecutive readings of the clock (selfish detour)",
			Builder: repeat(mpi.Call{Op: mpi.Nop})},
	}, nil)
}
