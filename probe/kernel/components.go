package kernel

// Component is a group of kernels: one of IMB's executables, which has the kernels of a chapter of MPI, or one of ours.
// The table of suites says what else is known of it.
type Component string

// The components that methods treat by themselves: IMB's by its names, then ours.
const (
	MPI1 Component = "MPI1"
	EXT  Component = "EXT"
	IO   Component = "IO"
	NBC  Component = "NBC"
	RMA  Component = "RMA"
	MPI4 Component = "MPI4" // of today's IMB, not in the user's guide
	P2P  Component = "P2P"  // of today's IMB, not in the user's guide
	MT   Component = "MT"   // the same, of threads
	MPIB Component = "MPIB" // MPIBlib's algorithms, by their names without this prefix
	PGAS Component = "PGAS" // the tests of the PGAS Microbenchmark Suite
	OSU  Component = "OSU"  // the tests of the OSU micro-benchmarks
	// Meta has calls on files and directories by their paths, by mdtest's method.
	Meta Component = "META"
	// New has calls that no other suite measures: those of MPI 4.0, and neighbourhoods.
	New Component = "NEW"
	// Noise has what is taken from processes that don't communicate.
	Noise Component = "NOISE"
	// Guidelines has the guidelines that a library should keep.
	Guidelines Component = "GUIDELINES"
	// Load has victims and congestors, after GPCNeT.
	Load Component = "LOAD"
	// Cut has messages across cuts of the machine.
	Cut  Component = "CUT"
	USER Component = "USER" // users' functions, and kernels that a caller of the Go API makes
)

// Overlaps reports whether the component's kernels are collective calls, by themselves and beside computing.
func (c Component) Overlaps() bool { return c == NBC || c == MPI4 }

// Files reports whether the component's kernels work on files.
func (c Component) Files() bool { return c == IO || c == Meta }
