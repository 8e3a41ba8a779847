package mpi

// EngineKind holds the properties that an engine has on every machine. Reports, warnings and criteria depend on these,
// not on the engine's name.
type EngineKind struct {
	// True if the ranks share one process, so that its memory is measured and no library or network.
	Embedded bool `json:"embedded,omitempty"`
	// True if the times come from a model.
	Simulated bool `json:"simulated,omitempty"`
	// True if a launcher starts the processes. They may be on many hosts, and each ends by itself.
	Distributed bool `json:"distributed,omitempty"`
	// True if the calls that are measured are OpenSHMEM's.
	SHMEM bool `json:"shmem,omitempty"`
}

// unstated holds the properties, by name, of the two engines whose results don't state them.
var unstated = map[string]EngineKind{
	"libmpi": {Distributed: true},
	"local":  {Embedded: true},
}

// Kind returns the properties of the engine, whether the result states them or not.
func (l Library) Kind() EngineKind {
	if k, ok := unstated[l.Engine]; ok {
		return k
	}
	return l.Stated
}
