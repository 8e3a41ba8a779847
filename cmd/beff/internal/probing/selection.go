package probing

import (
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/report/words"
)

// Select returns the kernels with the given names, in their order and each once. Without names it takes c's default
// list (IMB-MPI1's if c is empty). It adds those of include and removes those of exclude. A name is that of a kernel in
// upper or lower case, optionally with the prefix Multi-, or that of a whole component (imb-mpi1). If several
// components have a kernel of that name, the component is c. If c is empty, it is the one that has exactly this
// spelling, else one that other names belong to. If several are left, the user must name it: ext:Accumulate.
func Select(c kernel.Component, names, include, exclude []string) ([]probe.Selection, error) {
	if len(names) == 0 {
		names = []string{suites.Of(c).Group()}
		if c == "" {
			names = []string{suites.Of(kernel.MPI1).Group()}
		}
	}
	names, include, exclude = once(names), once(include), once(exclude)
	in := scope{component: c}
	in.look(names, include)
	first, then := names, include
	if c != "" { // IMB's executables run the included ones first
		first, then = include, names
	}
	wanted, err := in.all(slices.Concat(first, then))
	if err != nil {
		return nil, err
	}
	unwanted, err := in.all(exclude)
	if err != nil {
		return nil, err
	}
	var all []probe.Selection
	for _, s := range wanted {
		same := func(o probe.Selection) bool { return o.Kernel == s.Kernel && o.Multi == s.Multi }
		if !slices.ContainsFunc(unwanted, same) && !slices.ContainsFunc(all, same) {
			all = append(all, s)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("nothing is left to measure: all benchmarks are excluded")
	}
	return all, nil
}

// once returns names each once, in their order: a file may name a kernel thousands of times.
func once(names []string) (list []string) {
	seen := map[string]bool{}
	for _, name := range names {
		if !seen[name] {
			seen[name], list = true, append(list, name)
		}
	}
	return list
}

// scope holds the components in which names are looked up.
type scope struct {
	component kernel.Component
	named     []kernel.Component // those that unambiguous names belong to
}

// look adds the components that unambiguous names belong to.
func (in *scope) look(lists ...[]string) {
	for _, name := range slices.Concat(lists...) {
		found, _ := in.candidates(name)
		for _, k := range found {
			if k.Component == found[0].Component && !slices.Contains(in.named, k.Component) && sameComponent(found) {
				in.named = append(in.named, k.Component)
			}
		}
	}
}

func sameComponent(kernels []*kernel.Kernel) bool {
	return !slices.ContainsFunc(kernels, func(k *kernel.Kernel) bool { return k.Component != kernels[0].Component })
}

func (in *scope) all(names []string) ([]probe.Selection, error) {
	var all []probe.Selection
	for _, name := range names {
		kernels, multi := in.candidates(name)
		if len(kernels) > 0 && !sameComponent(kernels) {
			kernels = preferred(kernels, func(k *kernel.Kernel) bool { return slices.Contains(in.named, k.Component) })
		}
		switch {
		case len(kernels) == 0:
			return nil, in.unknown(name)
		case !sameComponent(kernels):
			prefixed := func(c kernel.Component) string {
				return strings.ToLower(string(c)) + ":" + kernels[0].Name
			}
			return nil, fmt.Errorf("benchmark %q is in %s: write %s", name,
				components(kernels, suites.Title, " and "), components(kernels, prefixed, " or "))
		}
		whole := len(kernels) > 1 // a component: kernels that can't run are left out
		for _, k := range kernels {
			all = append(all, probe.Selection{Kernel: k, Multi: multi, Named: !whole})
		}
	}
	return all, nil
}

// candidates returns the kernels that a name may mean; for the name of a component its default list. If exactly one
// kernel has exactly this spelling it is the only candidate.
func (in *scope) candidates(name string) (found []*kernel.Kernel, multi bool) {
	component := in.component
	if before, after, ok := strings.Cut(name, ":"); ok {
		component, name = kernel.Component(strings.ToUpper(before)), after
		if component == kernel.OSU { // osu:latency
			name = "osu_" + strings.TrimPrefix(after, "osu_")
		}
		if in.component != "" && in.component != component || !slices.Contains(suites.Components(), component) {
			return nil, false
		}
	}
	const prefix = "multi-"
	if len(name) > len(prefix) && strings.EqualFold(name[:len(prefix)], prefix) {
		name, multi = name[len(prefix):], true
	}
	for _, k := range suites.Kernels() {
		whole := strings.EqualFold(name, suites.Of(k.Component).Group()) && k.Default(in.method())
		if (component == "" || component == k.Component) && (whole || strings.EqualFold(name, k.Name)) {
			found = append(found, k)
		}
	}
	if component == "" { // PingPong and PingPing are IMB-MPI1's, unless p2p: stands before them
		found = preferred(found, func(k *kernel.Kernel) bool { return k.Component != kernel.P2P })
	}
	exact := preferred(found, func(k *kernel.Kernel) bool { return k.Name == name })
	if len(exact) == 1 {
		found = exact
	}
	return found, multi
}

// preferred returns the kernels that are preferred, or all if none is.
func preferred(kernels []*kernel.Kernel, prefer func(*kernel.Kernel) bool) []*kernel.Kernel {
	rest := slices.DeleteFunc(slices.Clone(kernels), func(k *kernel.Kernel) bool { return !prefer(k) })
	if len(rest) == 0 {
		return kernels
	}
	return rest
}

// unknown returns the error for an unknown name, which names the other components that have it.
func (in *scope) unknown(name string) error {
	if in.component != "" {
		if elsewhere, _ := (&scope{}).candidates(name); len(elsewhere) > 0 {
			return fmt.Errorf("benchmark %q is not in %s but in %s", name, suites.Title(in.component),
				components(elsewhere, suites.Title, " and "))
		}
	}
	meant := words.Meant(name, known())
	if meant == "" {
		meant = ":"
	}
	return fmt.Errorf("unknown benchmark %q%s `beff probe list` shows all", name, meant)
}

// components returns the components of kernels, each once and written by a function, joined by between.
func components(kernels []*kernel.Kernel, write func(kernel.Component) string, between string) string {
	var all []string
	for _, k := range kernels {
		if text := write(k.Component); !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return strings.Join(all, between)
}

// method returns the method whose default list counts: that of IMB's executables, or that of beff probe.
func (in *scope) method() settings.MethodName {
	if in.component == "" {
		return settings.ByGuide
	}
	return settings.ByToday
}

// Names returns the names of a component's kernels, or of all.
func Names(c kernel.Component) (list []string) {
	for _, k := range suites.Kernels() {
		if c == "" || k.Component == c {
			list = append(list, k.Name)
		}
	}
	return list
}

// known returns the names of all kernels, and of the groups of them.
func known() []string {
	list := Names("")
	for _, c := range suites.Components() {
		list = append(list, suites.Of(c).Group())
	}
	return list
}
