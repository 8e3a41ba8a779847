package suites

import (
	"fmt"
	"maps"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// mpi1Recipes returns the recipes of IMB-MPI1.
func mpi1Recipes() map[string]*kernel.Recipe {
	all := map[string]*kernel.Recipe{}
	maps.Copy(all, mpi1)
	maps.Copy(all, todaysKernels)
	for _, c := range append([]collective{scatterBlock}, collectives...) {
		all[c.name] = c.recipe([]mpi.Op{c.blocking}, blockingCall)
	}
	return all
}

// nbcKernels returns the kernels of IMB-NBC (guide, "IMB-NBC Benchmarks"): each collective call beside computing, and
// by itself.
func nbcKernels() []kernel.Kernel {
	var list []kernel.Kernel
	for _, pure := range []bool{false, true} {
		for _, c := range append(slices.Clone(collectives), barriers) {
			k := kernel.Kernel{Name: nonblockingName(c.name), Class: kernel.Overlap, Type: c.kind,
				Rooted: c.movement.rooted, ShiftsRoot: c.name == "Reduce", Calls: fmt.Sprintf("%v, computing, MPI_Wait",
					c.starting)}
			ops := []mpi.Op{c.starting, mpi.Wait, mpi.Exploit}
			if pure {
				k.Name, k.Class, k.Optional, k.ShiftsRoot, ops = k.Name+"_pure", kernel.Collective, true, false, ops[:2]
				k.Calls = fmt.Sprintf("%v, MPI_Wait", c.starting)
			}
			k.Recipe = c.recipe(ops, startAndWait)
			if c.starting == mpi.Ibarrier {
				k.Recipe = &kernel.Recipe{Ops: ops, Build: ibarrier, Memory: nothing, Rows: kernel.NoLength}
				if pure {
					k.Class = kernel.Sync
				}
			}
			list = append(list, k)
		}
	}
	return kernel.With(kernel.NBC, list, nil)
}

// barriers is the barrier among the collective calls.
var barriers = collective{name: "Barrier", blocking: mpi.Barrier, starting: mpi.Ibarrier}

// nonblockingName returns Ibcast for Bcast.
func nonblockingName(name string) string { return "I" + string(name[0]+'a'-'A') + name[1:] }

func ibarrier(s *kernel.Scene) *kernel.Step {
	return &kernel.Step{Each: startAndWait(s, mpi.Call{Op: mpi.Ibarrier})}
}
