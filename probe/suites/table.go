package suites

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/effective-bandwidth/beff/probe/guidelines"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/method"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// Suite is a component: its kernels, and how they are measured.
type Suite struct {
	Component kernel.Component
	Title     string // the name that it is known by: IMB-MPI1, MPIBlib
	Origin    string // the work that its kernels come from
	Part      string // the name that IMB's text has for it
	kernels   func() []kernel.Kernel
	// Method measures the kernels unless the settings name another one.
	Method method.Method
	// adapts returns a method as the suite changes it, whichever it is; nil: it takes all as they are.
	adapts func(method.Method) method.Method
}

const ofIMB = "the Intel MPI Benchmarks"

// suites has a row for each suite: IMB's in the guide's order, then ours. Components, methods, the table of kernels and
// the words of the schema follow from it.
var suites = []Suite{
	{kernel.MPI1, "IMB-MPI1", ofIMB, "MPI-1", mpi1Kernels, method.Guide(), nil},
	{kernel.EXT, "IMB-EXT", ofIMB, "MPI-2", extKernels, method.Guide(), nil},
	{kernel.IO, "IMB-IO", ofIMB, "MPI-IO", ioKernels, method.Guide(), nil},
	{kernel.NBC, "IMB-NBC", ofIMB, "MPI-NBC", nbcKernels, method.Guide(), nil},
	{kernel.RMA, "IMB-RMA", ofIMB, "MPI-RMA", rmaKernels, method.Guide(), nil},
	{kernel.MPI4, "IMB-MPI4", ofIMB, "MPI-4", mpi4Kernels, method.Guide(), nil},
	{kernel.MPIB, "MPIBlib", "MPIBlib", "MPIBlib", mpiblibKernels, method.Guide(), nil},
	{kernel.PGAS, "PGAS", "the PGAS Microbenchmark Suite", "PGAS", pgasKernels, method.Guide(),
		method.Method.OfPGAS},
	{kernel.P2P, "IMB-P2P", ofIMB, "P2P", p2pKernels, method.Guide(), nil},
	{kernel.MT, "IMB-MT", ofIMB, "MT", mtKernels, method.Today(), method.Method.OfThreads},
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

// Group returns the name that selects all kernels of the suite: imb-mpi1, mpiblib.
func (s *Suite) Group() string { return strings.ToLower(s.Title) }

// Of returns the suite of a component, an empty one of an unknown component.
func Of(c kernel.Component) *Suite {
	for i := range suites {
		if suites[i].Component == c {
			return &suites[i]
		}
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

// Words returns the names that documents may have in the table's place: those of all components and of all methods.
func Words() (components, methods []string) {
	for _, s := range suites {
		components = append(components, string(s.Component))
	}
	for _, m := range Methods() {
		methods = append(methods, string(m.Name))
	}
	return components, methods
}

// Methods returns the methods that a user chooses by name: the suites' own, and that of IMB 2021.11.
func Methods() []method.Method {
	list := []method.Method{method.Guide(), method.Today()}
	for _, s := range suites {
		if !slices.ContainsFunc(list, func(m method.Method) bool { return m.Name == s.Method.Name }) {
			list = append(list, s.Method)
		}
	}
	return list
}

// MethodOf returns the method that settings name for the kernels of a component, or else that of its suite.
func MethodOf(s *settings.Settings, c kernel.Component) method.Method {
	all := Methods()
	if i := slices.IndexFunc(all, func(m method.Method) bool { return m.Name == s.Method }); i >= 0 {
		return all[i]
	}
	return Of(c).Method
}

// MethodsOf returns the titles of the methods that settings name for the kernels of components, each once. Without any
// these are IMB's.
func MethodsOf(s *settings.Settings, of []kernel.Component) string {
	if len(of) == 0 {
		of = []kernel.Component{kernel.MPI1}
	}
	var titles []string
	for _, c := range of {
		if title := MethodOf(s, c).Title; !slices.Contains(titles, title) {
			titles = append(titles, title)
		}
	}
	return strings.Join(titles, ", ")
}

// Title returns the name that a component is known by.
func Title(c kernel.Component) string { return Of(c).Title }

// Check returns an error if no run on a number of processes can have the settings.
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
	if suite.adapts != nil {
		m = suite.adapts(m)
	}
	return m.For(k, s)
}

// Kernels returns the table of kernels, in the order of the suites. It is made when it is first asked for: most
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

// Find returns the kernel of a component and a name in any case, with or without "Multi-". multi reports whether the
// name has that prefix. Without a component it is the first of all: some kernels of IMB-EXT and IMB-RMA have names that
// differ only in the case of a letter.
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

// Algorithms returns the kernels that do the work of a kernel of IMB-MPI1, and of that kernel's name.
func Algorithms(operation string) (list []*kernel.Kernel) {
	for _, k := range Kernels() {
		if k.Algorithm != nil && strings.EqualFold(k.Algorithm.Operation, operation) {
			list = append(list, k)
		}
	}
	return list
}
