package suites

import (
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/probe/kernel"
)

// FunctionKernel returns the kernel of a user's function: that of IMB-MPI1 whose name its own contains, the longest
// one (MPIBlib manual, 7.5, option -O). The function is called in the place of MPI's.
func FunctionKernel(name string) (*kernel.Kernel, error) {
	var like *kernel.Kernel
	var names []string
	for i := range Kernels {
		k := &Kernels[i]
		if k.Component != kernel.MPI1 || len(k.Recipe.Ops) != 1 || !k.Recipe.Ops[0].Replaceable() {
			continue
		}
		names = append(names, k.Name)
		if strings.Contains(strings.ToLower(name), strings.ToLower(k.Name)) && (like == nil ||
			len(k.Name) > len(like.Name)) {
			like = k
		}
	}
	if like == nil {
		return nil, fmt.Errorf("function %s: its name must contain that of the call that it stands for: %s", name,
			strings.Join(names, ", "))
	}
	k, recipe := *like, *like.Recipe
	op := recipe.Ops[0]
	k.Name, k.Component, k.Calls, k.Recipe, k.Function = name, kernel.USER, name+" in the place of "+op.String(),
		&recipe, true
	k.Optional, k.Today = false, false
	recipe.Build = func(s *kernel.Scene) *kernel.Step {
		x := like.Recipe.Build(s)
		x.Each = slices.Clone(x.Each)
		for i := range x.Each {
			if x.Each[i].Op == op {
				x.Each[i].Function = s.Function
			}
		}
		return x
	}
	return &k, nil
}
