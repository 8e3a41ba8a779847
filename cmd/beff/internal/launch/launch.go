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
	Name string
	Size int // 0: not known
	Rank int
}

// launchers are known by what they put into the environment. Open MPI and MPICH come first: inside of a Slurm job their
// processes see Slurm's variables too. Any that speaks PMIx and isn't known otherwise comes last; it doesn't tell the
// size.
var launchers = []struct {
	name, size, rank string
	// a size of 1 means that there is no launcher: the shell of an interactive job looks like that
	alone bool
}{
	{"Open MPI's mpirun", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", false},
	{"MPICH's mpirun", "PMI_SIZE", "PMI_RANK", false},
	{"MVAPICH's mpirun_rsh", "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK", false},
	{"Flux", "FLUX_JOB_SIZE", "FLUX_TASK_RANK", false},
	{"Slurm's srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID", true},
	{"a PMIx launcher", "", "PMIX_RANK", false},
}

// Find returns the launcher that getenv tells of, nil if there is none.
func Find(getenv func(string) string) *Launcher {
	for _, l := range launchers {
		rank, err := strconv.Atoi(getenv(l.rank))
		if err != nil {
			continue
		}
		size := 0
		if l.size != "" {
			if size, err = strconv.Atoi(getenv(l.size)); err != nil {
				continue
			}
		}
		if l.alone && size == 1 {
			return nil
		}
		return &Launcher{l.name, size, rank}
	}
	return nil
}

// Speaks says whether this process is the one that talks to the user: without a launcher always.
func (l *Launcher) Speaks() bool { return l == nil || l.Rank == 0 }

// String says how this process was started.
func (l *Launcher) String() string {
	switch l.Size {
	case 0:
		return "started by " + l.Name
	case 1:
		return "started as 1 process by " + l.Name
	}
	return fmt.Sprintf("started as %d processes by %s", l.Size, l.Name)
}

// Start runs main on every rank of an engine.
type Start func(main func(mpi.Engine) error) error

// Choice is what the user asked for.
type Choice struct {
	Engine string // auto, mpi or local
	Ranks  int    // of the embedded engine; 0: not given
	// Threads is the level of thread support that MPI is asked for, of mpi.ThreadLevels; empty: MPI_Init.
	Threads string
}

const howToBuild = "build it with `make build` where Open MPI or MPICH is installed (`make deps` installs them)"

// Choose picks the engine. Its errors say what to do; no choice ever makes one-rank runs of the processes of a
// launcher.
func Choose(l *Launcher, c Choice, cores int) (Start, error) {
	switch {
	case c.Engine == "local" && l != nil && l.Size != 1:
		return nil, fmt.Errorf("%v, but --engine local would run a separate rating in each process: start it "+
			"without the launcher, with -n P", l)
	case c.Threads != "" && (c.Engine == "local" || c.Engine == "auto" && l == nil):
		return nil, fmt.Errorf("thread levels are for MPI: the embedded engine has none, start it under mpirun")
	case c.Engine == "local" || c.Engine == "auto" && l == nil:
		return startLocal(c.Ranks, cores)
	case !libmpi.Built && l != nil:
		return nil, fmt.Errorf("%v, but %w: %s", l, libmpi.ErrNotBuilt, howToBuild)
	case !libmpi.Built:
		return nil, fmt.Errorf("%w: %s", libmpi.ErrNotBuilt, howToBuild)
	case c.Ranks != 0:
		return nil, fmt.Errorf("-n is for the embedded engine: with MPI the launcher sets the number of processes, "+
			"such as mpirun -n %d", c.Ranks)
	}
	return func(main func(mpi.Engine) error) error { return libmpi.RunThreaded(c.Threads, main) }, nil
}

// startLocal starts one rank per core if the user doesn't say how many, but never a single one: that would have nobody
// to talk to.
func startLocal(ranks, cores int) (Start, error) {
	if ranks > local.MaxRanks {
		return nil, fmt.Errorf("-n %d: the embedded engine has up to %d ranks", ranks, local.MaxRanks)
	}
	if ranks == 0 {
		ranks = min(max(cores, 2), local.MaxRanks)
	}
	return func(main func(mpi.Engine) error) error { return local.Run(ranks, main) }, nil
}

// CheckTogether returns an error if the processes that the launcher started don't find each other.
func CheckTogether(l *Launcher, e mpi.Engine) error {
	if l == nil || l.Size < 2 || e.World().Size() > 1 || !e.Library().Kind().Distributed {
		return nil
	}
	return fmt.Errorf("%v, but each finds %d in its %s %s: use the mpirun of the MPI that beff was built with, "+
		"build beff with this one's mpicc (make build MPI=…), or under Slurm try srun --mpi=pmix or --mpi=pmi2",
		l, e.World().Size(), e.Library().Library, e.Library().Version)
}
