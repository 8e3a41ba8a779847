package suites

import (
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/p2p"
)

// Kernels is the table of kernels, in the order of IMB's guide, then the algorithms, PGAS, IMB-P2P and OSU. A further suite
// is a list of rows here.
var Kernels = slices.Concat(imbKernels, mpiblibKernels, pgasKernels, p2p.Kernels, osuKernels)

// Find returns the kernel of a name in any case, with or without "Multi-". multi reports whether the name has that
// prefix.
func Find(name string) (k *kernel.Kernel, multi, found bool) {
	return find(name, func(*kernel.Kernel) bool { return true })
}

// FindIn is Find among the kernels of a component. Some kernels of IMB-EXT and IMB-RMA have names that differ only in
// the case of a letter.
func FindIn(c kernel.Component, name string) (k *kernel.Kernel, multi, found bool) {
	return find(name, func(k *kernel.Kernel) bool { return k.Component == c })
}

// find is Find among the kernels that are in.
func find(name string, in func(*kernel.Kernel) bool) (k *kernel.Kernel, multi, found bool) {
	const prefix = "multi-"
	if len(name) > len(prefix) && strings.EqualFold(name[:len(prefix)], prefix) {
		name, multi = name[len(prefix):], true
	}
	for i := range Kernels {
		if k := &Kernels[i]; in(k) && strings.EqualFold(k.Name, name) {
			return k, multi, true
		}
	}
	return nil, multi, false
}

// Algorithms returns the kernels that do the work of a kernel of IMB-MPI1, and of that kernel's name.
func Algorithms(operation string) (list []*kernel.Kernel) {
	for i := range Kernels {
		k := &Kernels[i]
		if k.Algorithm != nil && strings.EqualFold(k.Algorithm.Operation, operation) {
			list = append(list, k)
		}
	}
	return list
}
