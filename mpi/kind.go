package mpi

// Kind is what is true of an engine on every machine. Results carry the engine's name alone (Library.Engine), so that
// documents of any age are read by the same table.
type Kind struct {
	Name string // as results have it
	Flag string // as the command line has it
	// Embedded: the ranks are of one process, so that its memory is measured and no library or network.
	Embedded bool
	// Simulated: the times come from a model.
	Simulated bool
	// Distributed: a launcher starts the processes, which may be on many hosts and end each for itself.
	Distributed bool
}

// Kinds has a row for each engine.
var Kinds = []Kind{
	{Name: "libmpi", Flag: "mpi", Distributed: true},
	{Name: "local", Flag: "local", Embedded: true},
	{Name: "scripted", Simulated: true}, // of tests
}

// Kind returns the row of the engine, or one with its name alone if there is none.
func (l Library) Kind() Kind {
	for _, k := range Kinds {
		if k.Name == l.Engine {
			return k
		}
	}
	return Kind{Name: l.Engine}
}
