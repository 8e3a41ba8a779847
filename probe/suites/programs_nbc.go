package suites

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// overlapped returns the kernels of each collective call with and without overlapping computation. forSuite sets the
// fields of a kernel that depend on the suite, and returns the call and a text to show after it.
func overlapped(forSuite func(c collective, k *kernel.Kernel) (call mpi.Op, suffix string)) (list []kernel.Kernel) {
	for _, pure := range []bool{false, true} {
		for _, c := range append(slices.Clone(collectives), barrier) {
			k := kernel.Kernel{Class: kernel.Overlap, Type: c.kind, Rooted: c.movement.rooted}
			call, suffix := forSuite(c, &k)
			ops := []mpi.Op{call, mpi.Wait, mpi.Exploit}
			k.Calls = fmt.Sprintf("%v%s, computing, MPI_Wait", call, suffix)
			if pure {
				k.Name, k.Class, k.Optional, k.ShiftsRoot, ops = k.Name+"_pure", kernel.Collective, true, false, ops[:2]
				k.Calls = fmt.Sprintf("%v%s, MPI_Wait", call, suffix)
				if c.blocking == mpi.Barrier {
					k.Class = kernel.Sync
				}
			}
			k.Builder = c.builder(ops, startAndWait)
			list = append(list, k)
		}
	}
	return list
}

// nbcKernels returns the kernels of IMB-NBC (guide, "IMB-NBC Benchmarks").
func nbcKernels() []kernel.Kernel {
	return kernel.Table(kernel.NBC, overlapped(func(c collective, k *kernel.Kernel) (mpi.Op, string) {
		k.Name, k.ShiftsRoot = nonblockingName(c.name), c.name == "Reduce"
		return c.starting, ""
	}), nil)
}

// mpi4Kernels returns the kernels of IMB-MPI4 2021.11, which make persistent calls.
func mpi4Kernels() []kernel.Kernel {
	list := overlapped(func(c collective, k *kernel.Kernel) (mpi.Op, string) {
		k.Name, k.Optional = c.name+"_persist", c.name == "Allgather"
		return mpi.InitOf(c.blocking), "; MPI_Start"
	})
	for _, k := range list {
		k.Builder.Processes.FixedRoot, k.Builder.Data.Packed = true, true
	}
	return kernel.Table(kernel.MPI4, list, nil)
}

// barrier is the barrier as a collective.
var barrier = collective{name: "Barrier", blocking: mpi.Barrier, starting: mpi.Ibarrier}

// nonblockingName returns Ibcast for Bcast.
func nonblockingName(name string) string { return "I" + string(name[0]+'a'-'A') + name[1:] }
