package probe

import (
	"strings"

	"github.com/effective-bandwidth/beff/mpi"
)

// Component is one of IMB's executables: the kernels of a chapter of MPI.
type Component string

// The components, as IMB names them.
const (
	MPI1 Component = "MPI1"
	EXT  Component = "EXT"
	IO   Component = "IO"
	NBC  Component = "NBC"
	RMA  Component = "RMA"
)

// Components lists all in the guide's order.
func Components() []Component { return []Component{MPI1, EXT, IO, NBC, RMA} }

// Files reports whether the component's kernels work on files.
func (c Component) Files() bool { return c == IO }

// Mode says whether the completion of transfers is assured after each of them or after all (guide, "MPI-2 Benchmark
// Modes").
type Mode string

// The modes; kernels without a choice have Plain.
const (
	Plain        Mode = ""
	Aggregate    Mode = "aggregate"
	NonAggregate Mode = "non-aggregate"
)

// Kernel is a row of the table: what is called and what its figures mean.
type Kernel struct {
	Name      string // as IMB prints it
	Component Component
	Class     Class
	Calls     string   // what one repetition does, in the standard's names
	Type      mpi.Type // of the data: Byte, or Float32 for reductions
	// Moved is how often the length counts in the bandwidth: bandwidth = Moved·length/time; 0: there is none. Of
	// Multiple transfers it is that of one partner, and the bandwidth that times processes-1.
	Moved float64
	// Halves is 2 where half the time of a repetition is reported (PingPong), else 1.
	Halves int
	// Active is how many processes take part in a group at most; 0: all.
	Active int
	// Least is how many processes it needs.
	Least int
	Modes []Mode
	// Rooted says that one process is the root, which goes round robin.
	Rooted bool
	// Optional kernels are left out unless they are named (guide: "excluded by default").
	Optional bool
}

// NoLength reports whether nothing is moved: such a kernel has a single row, without a length.
func (k *Kernel) NoLength() bool { return k.recipe().rows == noLength }

// Find returns the kernel of a name, whatever its case, with or without "Multi-"; multi says which.
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

// FindIn is Find among the kernels of a component: IMB-EXT and IMB-RMA have kernels of the same name but for the case
// of a letter.
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
