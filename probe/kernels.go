package probe

import (
	"strings"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/programfile"
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
	MPIB Component = "MPIB" // MPIBlib's algorithms, by their names without this prefix
	PGAS Component = "PGAS" // the tests of the PGAS Microbenchmark Suite
	USER Component = "USER" // users' program files
	P2P  Component = "P2P"  // of today's IMB, not in the user's guide
)

// Components returns all components that have kernels in the table, IMB's in the guide's order.
func Components() []Component { return []Component{MPI1, EXT, IO, NBC, RMA, P2P, MPIB, PGAS} }

// Title returns the name that a component is known by: IMB-MPI1, MPIBlib.
func (c Component) Title() string {
	switch c {
	case MPIB:
		return "MPIBlib"
	case PGAS:
		return "PGAS"
	case USER:
		return "user's program"
	}
	return "IMB-" + string(c)
}

// Origin returns the name of the work that a component's kernels come from.
func (c Component) Origin() string {
	switch c {
	case MPIB:
		return "MPIBlib"
	case PGAS:
		return "the PGAS Microbenchmark Suite"
	case USER:
		return "the user"
	}
	return "the Intel MPI Benchmarks"
}

// Group returns the name that selects all kernels of a component: imb-mpi1, mpiblib.
func (c Component) Group() string { return strings.ToLower(c.Title()) }

// Files reports whether the component's kernels work on files.
func (c Component) Files() bool { return c == IO }

// Mode sets whether each transfer is completed by itself or all together (guide, "MPI-2 Benchmark Modes").
type Mode string

// The modes; kernels without a choice have Plain.
const (
	Plain        Mode = ""
	Aggregate    Mode = "aggregate"
	NonAggregate Mode = "non-aggregate"
)

// Kernel is a row of the table: a kernel's calls and the meaning of its figures.
type Kernel struct {
	Name      string // as IMB prints it
	Component Component
	Class     Class
	Calls     string   // of one repetition, by the standard's names
	Type      mpi.Type // of the data: Byte, or Float32 for reductions
	// Moved is the factor of the length in the bandwidth: bandwidth = Moved·length/time. With 0 there is no bandwidth.
	// For Multiple transfers it is the factor of one partner, and the bandwidth is multiplied by processes-1.
	Moved float64
	// Halves is 2 if half the time of a repetition is reported (PingPong), the number of transfers of a repetition if
	// the time of one is (Random_put), else 1.
	Halves int
	// Active is the largest number of processes in a group; 0: all.
	Active int
	// Least is the smallest number of processes.
	Least int
	Modes []Mode
	// Rooted is true if one process is the root, which rotates.
	Rooted bool
	// Turns is true if today's IMB changes the root beside computing, whatever -root_shift says.
	Turns     bool
	Algorithm *Algorithm // nil: the kernel is no algorithm of ours
	// Optional kernels are left out unless they are named (guide: "excluded by default").
	Optional bool
	// Today is true if the guide doesn't have the kernel, but today's IMB runs it by default.
	Today bool

	program *programfile.File // nil: the kernel is in the table
}

// NoLength reports whether the kernel moves no data. Then it has a single row, without a length.
func (k *Kernel) NoLength() bool { return k.recipe().rows == noLength }

// Find returns the kernel of a name in any case, with or without "Multi-". multi reports whether the name has that
// prefix.
func Find(name string) (k *Kernel, multi, found bool) {
	const prefix = "multi-"
	if len(name) > len(prefix) && strings.EqualFold(name[:len(prefix)], prefix) {
		name, multi = name[len(prefix):], true
	}
	for i := range Kernels {
		if strings.EqualFold(Kernels[i].Name, name) {
			return &Kernels[i], multi, true
		}
	}
	return nil, multi, false
}

// FindIn is Find among the kernels of a component. Some kernels of IMB-EXT and IMB-RMA have names that differ only in
// the case of a letter.
func FindIn(c Component, name string) (k *Kernel, multi, found bool) {
	const prefix = "multi-"
	if len(name) > len(prefix) && strings.EqualFold(name[:len(prefix)], prefix) {
		name, multi = name[len(prefix):], true
	}
	for i := range Kernels {
		if Kernels[i].Component == c && strings.EqualFold(Kernels[i].Name, name) {
			return &Kernels[i], multi, true
		}
	}
	return nil, multi, false
}
