package mpi

// Kind holds the properties that an engine has on every machine. Results carry the engine's name alone
// (Library.Engine), so that one table serves documents of any age.
type Kind struct {
	Name string // in results
	Flag string // on the command line
	// Embedded is true if the ranks are of one process, so that its memory is measured and no library or network.
	Embedded bool
	// Simulated is true if the times come from a model.
	Simulated bool
	// Distributed is true if a launcher starts the processes. They may be on many hosts, and each ends for itself.
	Distributed bool
	// Progress says how nonblocking collective calls go on while a process computes. It is empty where the library
	// decides.
	Progress string
}

// Kinds has a row for each engine.
var Kinds = []Kind{
	{Name: "libmpi", Flag: "mpi", Distributed: true},
	{Name: "local", Flag: "local", Embedded: true,
		Progress: "by a helper of the communicator, if a core is free: processes that compute on all cores overlap nothing"},
	{Name: "scripted", Simulated: true}, // for tests
}

// Kind returns the engine's row of Kinds, or a row with its name alone if there is none.
func (l Library) Kind() Kind {
	for _, k := range Kinds {
		if k.Name == l.Engine {
			return k
		}
	}
	return Kind{Name: l.Engine}
}
