package kernel

import (
	"slices"
	"strings"
)

// Component is a group of kernels: one of IMB's executables, which has the kernels of a chapter of MPI, or one of ours.
type Component string

// The components by IMB's names, then ours.
const (
	MPI1 Component = "MPI1"
	EXT  Component = "EXT"
	IO   Component = "IO"
	NBC  Component = "NBC"
	RMA  Component = "RMA"
	P2P  Component = "P2P"  // of today's IMB, not in the user's guide
	MPIB Component = "MPIB" // MPIBlib's algorithms, by their names without this prefix
	PGAS Component = "PGAS" // the tests of the PGAS Microbenchmark Suite
	OSU  Component = "OSU"  // the tests of the OSU micro-benchmarks
	USER Component = "USER" // users' program files
)

// suite is what is said of a component: the name that it is known by, the work that its kernels come from, and the name
// of the part that IMB's text has.
type suite struct {
	of                  Component
	title, origin, part string
}

// suites has a row for each component, IMB's in the guide's order.
var suites = []suite{
	{MPI1, "IMB-MPI1", ofIMB, "MPI-1"},
	{EXT, "IMB-EXT", ofIMB, "MPI-2"},
	{IO, "IMB-IO", ofIMB, "MPI-IO"},
	{NBC, "IMB-NBC", ofIMB, "MPI-NBC"},
	{RMA, "IMB-RMA", ofIMB, "MPI-RMA"},
	{P2P, "IMB-P2P", ofIMB, "P2P"},
	{MPIB, "MPIBlib", "MPIBlib", "MPIBlib"},
	{PGAS, "PGAS", "the PGAS Microbenchmark Suite", "PGAS"},
	{OSU, "OSU", "the OSU micro-benchmarks", "OSU"},
	{USER, "user's program", "the user", "user's"},
}

const ofIMB = "the Intel MPI Benchmarks"

// suite returns the component's row, an empty one of an unknown component.
func (c Component) suite() suite {
	i := slices.IndexFunc(suites, func(s suite) bool { return s.of == c })
	if i < 0 {
		return suite{title: string(c)}
	}
	return suites[i]
}

// Components returns all components that have kernels in the table, IMB's in the guide's order.
func Components() (list []Component) {
	for _, s := range suites {
		if s.of != USER {
			list = append(list, s.of)
		}
	}
	return list
}

// Title returns the name that a component is known by: IMB-MPI1, MPIBlib.
func (c Component) Title() string { return c.suite().title }

// Origin returns the name of the work that a component's kernels come from.
func (c Component) Origin() string { return c.suite().origin }

// Part returns the name that IMB's text has for the component.
func (c Component) Part() string { return c.suite().part }

// Group returns the name that selects all kernels of a component: imb-mpi1, mpiblib.
func (c Component) Group() string { return strings.ToLower(c.Title()) }

// Files reports whether the component's kernels work on files.
func (c Component) Files() bool { return c == IO }
