package probe

// Selection is a kernel that is to be run.
type Selection struct {
	Kernel *Kernel
	Multi  bool
}

// Config is what a run is asked to do.
type Config struct {
	Selections []Selection
	Settings   Settings
	Directory  string // where the files of IMB-IO's kernels go: it exists, and is this run's own
}
