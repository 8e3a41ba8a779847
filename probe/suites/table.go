package suites

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe/guidelines"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/method"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// Suite is a component with its kernels and how they are measured.
type Suite struct {
	Component kernel.Component
	Title     string // the usual name, such as IMB-MPI1 or MPIBlib
	Origin    string // the work that its kernels come from
	Part      string // the name in IMB's text
	kernels   func() []kernel.Kernel
	// Method measures the kernels unless the settings name another one.
	Method method.Method
	// adapt returns a method with the changes of the suite. If nil, the suite changes nothing.
	adapt func(method.Method) method.Method
}

const ofIMB = "the Intel MPI Benchmarks"

// suites has a row for each suite. Components, methods, the table of kernels, and the names that documents may contain
// follow from it.
var suites = []Suite{
	{kernel.MPI1, "IMB-MPI1", ofIMB, "MPI-1", mpi1Kernels, method.Guide(), nil},
	{kernel.EXT, "IMB-EXT", ofIMB, "MPI-2", extKernels, method.Guide(), nil},
	{kernel.IO, "IMB-IO", ofIMB, "MPI-IO", ioKernels, method.Guide(), nil},
	{kernel.NBC, "IMB-NBC", ofIMB, "MPI-NBC", nbcKernels, method.Guide(), nil},
	{kernel.RMA, "IMB-RMA", ofIMB, "MPI-RMA", rmaKernels, method.Guide(), nil},
	{kernel.MPI4, "IMB-MPI4", ofIMB, "MPI-4", mpi4Kernels, method.Guide(), nil},
	{kernel.MPIB, "MPIBlib", "MPIBlib", "MPIBlib", mpiblibKernels, method.Guide(), nil},
	{kernel.PGAS, "PGAS", "the PGAS Microbenchmark Suite", "PGAS", pgasKernels, method.Guide(),
		method.Method.ForPGAS},
	{kernel.P2P, "IMB-P2P", ofIMB, "P2P", p2pKernels, method.Guide(), nil},
	{kernel.MT, "IMB-MT", ofIMB, "MT", mtKernels, method.IMB2021(), method.Method.ForThreads},
	{kernel.OSU, "OSU", "the OSU micro-benchmarks", "OSU", osuKernels, method.OSU(), nil},
	{kernel.New, "new-calls", "the MPI standard 4.0", "new calls", newKernels, method.Guide(), nil},
	{kernel.Meta, "metadata", "mdtest", "metadata", metadataKernels, method.MDTest(), nil},
	{kernel.Noise, "noise", "the literature on noise of operating systems", "noise", noiseKernels, method.Guide(),
		nil},
	{kernel.Guidelines, "guidelines", "the literature on performance guidelines", "guidelines", guidelines.Kernels,
		method.Guidelines(), nil},
	{kernel.Load, "load", "GPCNeT", "load", loadKernels, method.Load(), nil},
	{kernel.Cut, "cut", "the literature on bisections (LinkTest, dgnettest)", "cut", cutKernels, method.Guide(), nil},
	{kernel.USER, "user's function", "the user", "user's", nil, method.Guide(), nil},
}

// Group returns the name that selects all kernels of the suite, such as imb-mpi1 or mpiblib.
func (s *Suite) Group() string { return strings.ToLower(s.Title) }

// Of returns the suite of a component, or an empty suite if the component is unknown.
func Of(c kernel.Component) *Suite {
	if s := lists.Find(suites, func(s *Suite) bool { return s.Component == c }); s != nil {
		return s
	}
	return &Suite{Component: c, Title: string(c), Method: method.Guide()}
}

// Components returns all components that have kernels in the table.
func Components() (list []kernel.Component) {
	for _, s := range suites {
		if s.kernels != nil {
			list = append(list, s.Component)
		}
	}
	return list
}

// Words returns the names of components and of methods that documents may contain.
func Words() (components, methods []string) {
	return lists.Each(suites, func(s Suite) string { return string(s.Component) }),
		lists.Each(Methods(), func(m method.Method) string { return string(m.Name) })
}

// Methods returns the methods that a user can choose by name: IMB 2021.11's method and the suites' methods.
func Methods() []method.Method {
	list := []method.Method{method.Guide(), method.IMB2021()}
	for _, s := range suites {
		if !slices.ContainsFunc(list, func(m method.Method) bool { return m.Name == s.Method.Name }) {
			list = append(list, s.Method)
		}
	}
	return list
}

// MethodOf returns the method that settings name for the kernels of a component. By default it is the suite's.
func MethodOf(s *settings.Settings, c kernel.Component) method.Method {
	all := Methods()
	if i := slices.IndexFunc(all, func(m method.Method) bool { return m.Name == s.Method }); i >= 0 {
		return all[i]
	}
	return Of(c).Method
}

// MethodsOf returns the titles of the methods that settings name for the kernels of components, without duplicates. If
// there are no components, it is IMB-MPI1's.
func MethodsOf(s *settings.Settings, of []kernel.Component) string {
	if len(of) == 0 {
		of = []kernel.Component{kernel.MPI1}
	}
	titles := lists.Each(of, func(c kernel.Component) string { return MethodOf(s, c).Title })
	return strings.Join(lists.Unique(titles), ", ")
}

// Title returns the usual name of a component.
func Title(c kernel.Component) string { return Of(c).Title }

// Check returns an error if no run on the given number of processes can have the settings.
func Check(s *settings.Settings, processes int) error {
	m := MethodOf(s, kernel.MPI1)
	if _, names := Words(); s.Method != "" && m.Name != s.Method {
		return fmt.Errorf("unknown method %q: want %s", s.Method, strings.Join(names, " or "))
	}
	return m.Check(s, processes)
}

// Way returns how a kernel is measured with settings.
func Way(s *settings.Settings, k *kernel.Kernel) method.Way {
	suite, m := Of(k.Component), MethodOf(s, k.Component)
	if suite.adapt != nil {
		m = suite.adapt(m)
	}
	return m.For(k, s)
}

// Kernels returns the table of kernels, in the order of the suites. The table is made by the first call, because most
// commands measure nothing.
var Kernels = sync.OnceValue(func() (list []*kernel.Kernel) {
	for _, s := range suites {
		if s.kernels == nil {
			continue
		}
		for _, k := range s.kernels() {
			list = append(list, &k)
		}
	}
	return list
})

// Find returns the kernel of a component by its name in any case, with or without the prefix "Multi-". multi reports
// whether the name has the prefix. If the component is empty, Find returns the first match in any component. That may
// be the wrong one: some names of IMB-EXT and IMB-RMA differ only in case.
func Find(c kernel.Component, name string) (k *kernel.Kernel, multi, found bool) {
	const prefix = "multi-"
	if len(name) > len(prefix) && strings.EqualFold(name[:len(prefix)], prefix) {
		name, multi = name[len(prefix):], true
	}
	for _, k := range Kernels() {
		if (c == "" || k.Component == c) && strings.EqualFold(k.Name, name) {
			return k, multi, true
		}
	}
	return nil, multi, false
}

// Algorithms returns the kernels that implement the named operation of IMB-MPI1.
func Algorithms(operation string) []*kernel.Kernel {
	return lists.Where(Kernels(), func(k *kernel.Kernel) bool {
		return k.Algorithm != nil && strings.EqualFold(k.Algorithm.Operation, operation)
	})
}
