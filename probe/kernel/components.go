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
	P2P  Component = "P2P"  // of today's IMB, not in the user's guide
	MPIB Component = "MPIB" // MPIBlib's algorithms, by their names without this prefix
	PGAS Component = "PGAS" // the tests of the PGAS Microbenchmark Suite
	OSU  Component = "OSU"  // the tests of the OSU micro-benchmarks
	// Noise has what is taken from processes that don't communicate.
	Noise Component = "NOISE"
	// Guidelines has the guidelines that a library should keep.
	Guidelines Component = "GUIDELINES"
	USER       Component = "USER" // users' program files
)

// Files reports whether the component's kernels work on files.
func (c Component) Files() bool { return c == IO }
