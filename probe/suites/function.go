package suites

import (
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// longerCall returns an MPI call with a longer name than the kernel's, such as Reduce_local for Reduce or Ibcast for
// Bcast, if the function's name contains it, and otherwise "". The I is case-sensitive: MPIBcast doesn't contain
// Ibcast.
func longerCall(function, kernel string) string {
	for _, op := range mpi.Ops() {
		call, is := strings.CutPrefix(op.String(), "MPI_")
		low := strings.ToLower(call)
		if is && len(call) > len(kernel) && strings.Contains(low, strings.ToLower(kernel)) &&
			(strings.Contains(function, call) || strings.Contains(function, low)) {
			return op.String()
		}
	}
	return ""
}

// FunctionKernel returns a kernel that calls a user's function instead of MPI's. It is a copy of the kernel of IMB-MPI1
// with the longest name that the function's name contains (MPIBlib manual, 7.5, option -O).
func FunctionKernel(name string) (*kernel.Kernel, error) {
	var model *kernel.Kernel
	var names []string
	for _, k := range Kernels() {
		if k.Component != kernel.MPI1 || len(k.Builder.Ops) != 1 || !k.Builder.Ops[0].Replaceable() {
			continue
		}
		names = append(names, k.Name)
		if strings.Contains(strings.ToLower(name), strings.ToLower(k.Name)) && (model == nil ||
			len(k.Name) > len(model.Name)) {
			model = k
		}
	}
	if model == nil {
		return nil, fmt.Errorf("function %s: its name must contain the name of the call that it replaces: %s", name,
			strings.Join(names, ", "))
	}
	if longer := longerCall(name, model.Name); longer != "" {
		return nil, fmt.Errorf("function %s: it would be called with the arguments of %s, but its name contains "+
			"%s: give it another name", name, model.Builder.Ops[0], longer)
	}
	k, builder := *model, *model.Builder
	op := builder.Ops[0]
	k.Name, k.Component, k.Calls, k.Builder, k.Function = name, kernel.USER, name+" instead of "+op.String(),
		&builder, true
	k.Optional, k.Since2021 = false, false
	builder.Build = func(s *kernel.Setup) *kernel.Step {
		x := model.Builder.Build(s)
		x.Each = slices.Clone(x.Each)
		for i := range x.Each {
			if x.Each[i].Op == op {
				x.Each[i].Function = s.Options.Function
			}
		}
		return x
	}
	return &k, nil
}
