// Package launch finds out how this process was started, and chooses the engine that fits.
package launch

import (
	"fmt"
	"strconv"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi"
	"github.com/effective-bandwidth/beff/mpi/local"
)

// Launcher is what started this process as one of several.
type Launcher struct {
	Name       string
	Size, Rank int
}

// launchers are known by what they put into the environment. Open MPI and MPICH come first: inside of a Slurm job their processes see
// Slurm's variables too.
var launchers = []struct {
	name, size, rank string
	alone            bool // a size of 1 means that there is no launcher: the shell of an interactive job looks like that
}{
	{"Open MPI's mpirun", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", false},
	{"MPICH's mpirun", "PMI_SIZE", "PMI_RANK", false},
	{"Slurm's srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID", true},
}

// Find returns the launcher that getenv tells of, nil if there is none.
func Find(getenv func(string) string) *Launcher {
	for _, l := range launchers {
		size, err := strconv.Atoi(getenv(l.size))
		rank, err2 := strconv.Atoi(getenv(l.rank))
		if err != nil || err2 != nil || l.alone && size == 1 {
			continue
		}
		return &Launcher{l.name, size, rank}
	}
	return nil
}

// Speaks says whether this process is the one that talks to the user: without a launcher always.
func (l *Launcher) Speaks() bool { return l == nil || l.Rank == 0 }

// Start runs main on every rank of an engine.
type Start func(main func(mpi.Engine) error) error

// Choice is what the user asked for.
type Choice struct {
	Engine string // auto, mpi or local
	Ranks  int    // of the embedded engine; 0: not given
}

const howToBuild = "build it with `make build` where Open MPI or MPICH is installed (`make deps` installs them)"

// Choose picks the engine. Its errors say what to do; no choice ever makes one-rank runs of the processes of a launcher.
func Choose(l *Launcher, c Choice, cores int) (Start, error) {
	switch {
	case c.Engine == "local" && l != nil && l.Size > 1:
		return nil, fmt.Errorf("started as %d processes by %s, but --engine local would run %d separate ratings: start it without the launcher, with -n %d", l.Size, l.Name, l.Size, l.Size)
	case c.Engine == "local" || c.Engine == "auto" && l == nil:
		n := c.Ranks
		if n == 0 {
			n = cores
		}
		return func(main func(mpi.Engine) error) error { return local.Run(n, main) }, nil
	case !libmpi.Built && l != nil:
		return nil, fmt.Errorf("started as %d processes by %s, but %w: %s", l.Size, l.Name, libmpi.ErrNotBuilt, howToBuild)
	case !libmpi.Built:
		return nil, fmt.Errorf("%w: %s", libmpi.ErrNotBuilt, howToBuild)
	case l == nil:
		return nil, fmt.Errorf("--engine mpi needs a launcher: start it with mpirun -n P or srun -n P")
	case c.Ranks != 0:
		return nil, fmt.Errorf("-n is for the embedded engine: under %s the launcher sets the number of processes", l.Name)
	}
	return libmpi.Run, nil
}

// CheckTogether returns an error if the processes that the launcher started don't find each other.
func CheckTogether(l *Launcher, e mpi.Engine) error {
	if l == nil || l.Size == e.World().Size() || e.Library().Engine == "local" {
		return nil
	}
	return fmt.Errorf("started as %d processes by %s, but each finds %d in its %s %s: use the mpirun of the MPI that beff was built with, or build beff with this one's mpicc (make build MPI=…)",
		l.Size, l.Name, e.World().Size(), e.Library().Library, e.Library().Version)
}
