package kernel

// Component is a group of kernels: one of IMB's executables, which has the kernels of a chapter of MPI, or one of
// beff's own. Further properties are in the table of suites.
type Component string

// The components that methods distinguish: IMB's by its names, then beff's own.
const (
	MPI1 Component = "MPI1"
	EXT  Component = "EXT"
	IO   Component = "IO"
	NBC  Component = "NBC"
	RMA  Component = "RMA"
	MPI4 Component = "MPI4" // of IMB 2021.11, not in the user's guide
	P2P  Component = "P2P"  // of IMB 2021.11, not in the user's guide
	MT   Component = "MT"   // of threads; of IMB 2021.11, not in the user's guide
	MPIB Component = "MPIB" // MPIBlib's algorithms, by their names without this prefix
	PGAS Component = "PGAS" // the tests of the PGAS Microbenchmark Suite
	OSU  Component = "OSU"  // the tests of the OSU micro-benchmarks
	// Meta has calls on files and directories by their paths, by mdtest's method.
	Meta Component = "META"
	// New has the calls of MPI 4.0 and of neighbourhoods that no other suite measures.
	New Component = "NEW"
	// Noise measures how much time other activity takes from processes that don't communicate.
	Noise Component = "NOISE"
	// Guidelines has the guidelines that a library should keep.
	Guidelines Component = "GUIDELINES"
	// Load has victims and congestors, after GPCNeT.
	Load Component = "LOAD"
	// Cut has messages across cuts of the machine.
	Cut  Component = "CUT"
	USER Component = "USER" // users' functions, and kernels that a caller of the Go API makes
)

// Overlaps reports whether the component's kernels are collective calls, measured by themselves and while computing.
func (c Component) Overlaps() bool { return c == NBC || c == MPI4 }

// Files reports whether the component's kernels work on files.
func (c Component) Files() bool { return c == IO || c == Meta }
