package probing

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/report/words"
)

// Select returns the kernels with the given names, in their order (with c, those of include first) and without
// duplicates. Without names it takes c's default list (IMB-MPI1's if c is empty). It adds the kernels of include and
// removes those of exclude. A name names a kernel, in upper or lower case and optionally with the prefix Multi-, or a
// component, such as imb-mpi1. If several components have a kernel of this name, c decides. If c is empty, Select
// prefers the component whose kernel has exactly this spelling, and then a component to which other names belong. If
// several components are left, the user must name the component: ext:Accumulate.
func Select(c kernel.Component, names, include, exclude []string) ([]probe.Selection, error) {
	if len(names) == 0 {
		names = []string{suites.Of(c).Group()}
		if c == "" {
			names = []string{suites.Of(kernel.MPI1).Group()}
		}
	}
	names, include, exclude = lists.Unique(names), lists.Unique(include), lists.Unique(exclude)
	in := scope{component: c}
	in.addComponents(names, include)
	first, then := names, include
	if c != "" { // IMB's executables run the included ones first
		first, then = include, names
	}
	wanted, err := in.selectAll(slices.Concat(first, then))
	if err != nil {
		return nil, err
	}
	unwanted, err := in.selectAll(exclude)
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

// scope holds the components in which names are looked up.
type scope struct {
	component kernel.Component
	named     []kernel.Component // components to which unambiguous names belong
}

// addComponents adds the components to which unambiguous names belong.
func (in *scope) addComponents(lists ...[]string) {
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

func (in *scope) selectAll(names []string) ([]probe.Selection, error) {
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
		whole := len(kernels) > 1 // the name of a component: kernels that can't run are left out
		for _, k := range kernels {
			all = append(all, probe.Selection{Kernel: k, Multi: multi, Named: !whole})
		}
	}
	return all, nil
}

// candidates returns the kernels that a name may mean, or for the name of a component its default list. A kernel with
// exactly this spelling is the only candidate if no other has it.
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
		whole := strings.EqualFold(name, suites.Of(k.Component).Group()) && k.RunsByDefault(in.method())
		if (component == "" || component == k.Component) && (whole || strings.EqualFold(name, k.Name)) {
			found = append(found, k)
		}
	}
	if component == "" { // without a prefix, PingPong means IMB-MPI1's, and not the one that is written p2p:PingPong
		found = preferred(found, func(k *kernel.Kernel) bool { return k.Component != kernel.P2P })
	}
	exact := preferred(found, func(k *kernel.Kernel) bool { return k.Name == name })
	if len(exact) == 1 {
		found = exact
	}
	return found, multi
}

// preferred returns the kernels that prefer accepts, or all if it accepts none.
func preferred(kernels []*kernel.Kernel, prefer func(*kernel.Kernel) bool) []*kernel.Kernel {
	rest := lists.Where(kernels, prefer)
	if len(rest) == 0 {
		return kernels
	}
	return rest
}

// unknown returns the error for an unknown name, with the other components that have it.
func (in *scope) unknown(name string) error {
	if in.component != "" {
		if elsewhere, _ := (&scope{}).candidates(name); len(elsewhere) > 0 {
			return fmt.Errorf("benchmark %q is not in %s but in %s", name, suites.Title(in.component),
				components(elsewhere, suites.Title, " and "))
		}
	}
	return fmt.Errorf("unknown benchmark %q%s `beff probe list` shows all", name,
		cmp.Or(words.DidYouMean(name, allNames()), ":"))
}

// components returns the components of kernels without duplicates, each formatted by write, joined by between.
func components(kernels []*kernel.Kernel, write func(kernel.Component) string, between string) string {
	all := lists.Each(kernels, func(k *kernel.Kernel) string { return write(k.Component) })
	return strings.Join(lists.Unique(all), between)
}

// method returns the method whose default list counts: the one of IMB's executables or of beff probe.
func (in *scope) method() settings.MethodName {
	if in.component == "" {
		return settings.ByGuide
	}
	return settings.ByIMB2021
}

// Names returns the names of a component's kernels, or of all kernels if c is empty.
func Names(c kernel.Component) []string {
	return namesOf(func(k *kernel.Kernel) bool { return c == "" || k.Component == c })
}

// namesOf returns the names of some kernels.
func namesOf(are func(*kernel.Kernel) bool) []string {
	return lists.Each(lists.Where(suites.Kernels(), are), func(k *kernel.Kernel) string { return k.Name })
}

// allNames returns the names of all kernels and of all groups of kernels.
func allNames() []string {
	return append(Names(""), lists.Each(suites.Components(), func(c kernel.Component) string {
		return suites.Of(c).Group()
	})...)
}
