package launch

import (
	"errors"
	"fmt"
	"strings"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi"
	"github.com/effective-bandwidth/beff/mpi/local"
)

// engine is a row of the table of engines that can measure.
type engine struct {
	name    string // in mpi.Kinds, which has the engine's properties
	missing error  // why this binary doesn't have it, and how to get one that has; nil: it does
	// start returns the start of the engine, or an error if the choice is not for it.
	start func(c Choice, cores int) (Start, error)
}

// engines has a row for each engine that can measure. A new engine needs its package, its row here and its row in
// mpi.Kinds. Auto takes the first one that fits.
var engines = []engine{
	{name: "libmpi", missing: missing(libmpi.Built), start: startMPI},
	{name: "local", start: startLocal},
}

// kind returns the engine's properties.
func (e *engine) kind() mpi.Kind { return mpi.Library{Engine: e.name}.Kind() }

// Auto is the value of --engine that leaves the choice to Choose.
const Auto = "auto"

// Engines returns the values of --engine. The first one is the default.
func Engines() []string {
	list := []string{Auto}
	for i := range engines {
		list = append(list, engines[i].kind().Flag)
	}
	return list
}

// Either returns Engines as a choice in words: "auto, mpi or local".
func Either() string {
	list := Engines()
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " or " + list[last]
}

// find returns the row that a value of --engine means under a launcher, which may be nil.
func find(flag string, l *Launcher) (*engine, error) {
	for i := range engines {
		kind := engines[i].kind()
		if kind.Flag == flag || flag == Auto && kind.Distributed == (l != nil) {
			return &engines[i], nil
		}
	}
	return nil, exit.Misuse("unknown engine %q: want %s", flag, Either())
}

// missing returns the error of a binary that was built without MPI.
func missing(built bool) error {
	if built {
		return nil
	}
	const how = "build it with `make build` where Open MPI or MPICH is installed (`make deps` installs them)"
	return fmt.Errorf("%w: %s", libmpi.ErrNotBuilt, how)
}

// startMPI starts MPI in the processes of a launcher.
func startMPI(c Choice, _ int) (Start, error) {
	if c.Ranks != 0 {
		return nil, fmt.Errorf("-n is for the embedded engine: with MPI the launcher sets the number of processes, "+
			"such as mpirun -n %d", c.Ranks)
	}
	return func(main func(mpi.Engine) error) error { return libmpi.RunThreaded(c.Threads, main) }, nil
}

// startLocal starts one rank per core if the user doesn't say how many, but never a single one: that would have nobody
// to talk to.
func startLocal(c Choice, cores int) (Start, error) {
	switch {
	case c.Threads != "":
		return nil, errors.New("thread levels are for MPI: the embedded engine has none, start it under mpirun")
	case c.Ranks > local.MaxRanks:
		return nil, fmt.Errorf("-n %d: the embedded engine has up to %d ranks", c.Ranks, local.MaxRanks)
	case c.Ranks == 0:
		c.Ranks = min(max(cores, 2), local.MaxRanks)
	}
	return func(main func(mpi.Engine) error) error { return local.Run(c.Ranks, main) }, nil
}
