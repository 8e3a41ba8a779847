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

// mpi4Kernels returns the kernels of IMB-MPI4 of version 2021.11: each persistent collective call beside computing, and
// by itself.
func mpi4Kernels() []kernel.Kernel {
	var list []kernel.Kernel
	for _, pure := range []bool{false, true} {
		for _, c := range append(slices.Clone(collectives), barriers) {
			call := mpi.InitOf(c.blocking)
			k := kernel.Kernel{Name: c.name + "_persist", Class: kernel.Overlap, Type: c.kind,
				Rooted: c.movement.rooted, Optional: c.name == "Allgather",
				Calls: fmt.Sprintf("%v; MPI_Start, computing, MPI_Wait", call)}
			ops := []mpi.Op{call, mpi.Wait, mpi.Exploit}
			if pure {
				k.Name, k.Class, k.Optional, ops = k.Name+"_pure", kernel.Collective, true, ops[:2]
				k.Calls = fmt.Sprintf("%v; MPI_Start, MPI_Wait", call)
			}
			k.Recipe = c.recipe(ops, startAndWait)
			if c.blocking == mpi.Barrier {
				k.Recipe = &kernel.Recipe{Ops: ops, Memory: nothing, Rows: kernel.NoLength,
					Build: func(s *kernel.Scene) *kernel.Step {
						return &kernel.Step{Each: startAndWait(s, mpi.Call{Op: mpi.BarrierInit})}
					}}
				if pure {
					k.Class = kernel.Sync
				}
			}
			k.Recipe.FixedRoot, k.Recipe.Packed = true, true
			list = append(list, k)
		}
	}
	return kernel.With(kernel.MPI4, list, nil)
}

// barriers is the barrier among the collective calls.
var barriers = collective{name: "Barrier", blocking: mpi.Barrier, starting: mpi.Ibarrier}

// nonblockingName returns Ibcast for Bcast.
func nonblockingName(name string) string { return "I" + string(name[0]+'a'-'A') + name[1:] }

func ibarrier(s *kernel.Scene) *kernel.Step {
	return &kernel.Step{Each: startAndWait(s, mpi.Call{Op: mpi.Ibarrier})}
}
