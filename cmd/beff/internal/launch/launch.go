// Package launch finds out how this process was started, and chooses the engine that fits from its table of engines.
package launch

import (
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/internal/input"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/mpi/libmpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
	"github.com/effective-bandwidth/beff/mpi/plugins"
	"github.com/effective-bandwidth/beff/report/words"
)

// Launcher is the program that started this process as one of several.
type Launcher struct {
	Name string
	Size int // 0: not known
	Rank int
	// Families are the families of the plug-ins that fit (plugin.OpenMPI and so on), the likeliest first. It is nil if
	// any may fit.
	Families []string
}

// Names of launchers that aren't started by mpirun.
const (
	mvapich = "MVAPICH's mpirun_rsh"
	flux    = "Flux"
	slurm   = "Slurm's srun"
)

// launchers are recognized by the variables that they set. Open MPI and MPICH come first: in a Slurm job their
// processes see Slurm's variables, too. Any unknown launcher that supports PMIx comes last; its size isn't known. The
// families of Slurm and Flux follow from the interface that they offer.
var launchers = []struct {
	name, size, rank string
	// a size of 1 means that there is no launcher: the shell of an interactive job has such variables
	alone    bool
	families []string
}{
	{"Open MPI's mpirun", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", false, byOpenMPI},
	{"MPICH's mpirun", "PMI_SIZE", "PMI_RANK", false, byPMI},
	{mvapich, "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK", false, byPMI},
	{flux, "FLUX_JOB_SIZE", "FLUX_TASK_RANK", false, nil},
	{"PALS", "", "PALS_RANKID", false, byPMI},
	{slurm, "SLURM_STEP_NUM_TASKS", "SLURM_PROCID", true, nil},
	{"a PMIx launcher", "", "PMIX_RANK", false, nil},
}

// onNode lists variables that hold a process's number on its node.
var onNode = []string{"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "MV2_COMM_WORLD_LOCAL_RANK", "PALS_LOCAL_RANKID",
	"FLUX_TASK_LOCAL_ID", "SLURM_LOCALID"}

// The families of libraries whose processes find each other by an interface. MPICH can be built for PMIx.
var (
	byOpenMPI = []string{plugin.OpenMPI, plugin.Standard}
	byPMI     = []string{plugin.MPICH, plugin.Standard}
	byPMIx    = []string{plugin.OpenMPI, plugin.Standard, plugin.MPICH}
)

// Find returns the launcher according to getenv's variables, nil if there is none.
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
		if l.size == "PMI_SIZE" && getenv("MPI_LOCALNRANKS") == "" && getenv("SLURM_STEP_NUM_TASKS") == getenv(l.size) {
			l.name = slurm // srun --mpi=pmi2: Hydra sets the former
		}
		if l.families == nil && getenv("PMIX_RANK") != "" {
			l.families = byPMIx
		}
		return &Launcher{l.name, size, rank, l.families}
	}
	return nil
}

// Leads reports whether this process is the first one on its node, and isn't rank 0, according to getenv's variables.
func (l *Launcher) Leads(getenv func(string) string) bool {
	return l.Rank > 0 && slices.ContainsFunc(onNode, func(name string) bool { return getenv(name) == "0" })
}

// Allocation is a job of several tasks whose launcher did not start this process.
type Allocation struct {
	Name         string // of the batch system
	Tasks, Nodes int    // Nodes is 0 if it isn't known
	Start        string // the command that starts the tasks
}

// allocations are recognized by the variables of a job's first shell.
var allocations = []struct{ name, tasks, nodes, start string }{
	{"Slurm", "SLURM_NTASKS", "SLURM_NNODES", "srun"},
	{"LSF", "LSB_DJOB_NUMPROC", "", "mpirun"},
	{"PBS", "PBS_NP", "PBS_NUM_NODES", "mpirun"},
}

// maxNodeFile is the largest file of nodes in bytes: names of a million processes.
const maxNodeFile = 64 << 20

// FindAllocation returns the allocation of more than one task according to getenv's variables, nil if there is none.
// OpenPBS has no variable with a number: its file of nodes has a line for each process.
func FindAllocation(getenv func(string) string) *Allocation {
	for _, a := range allocations {
		if tasks, err := strconv.Atoi(getenv(a.tasks)); err == nil && tasks > 1 {
			nodes, _ := strconv.Atoi(getenv(a.nodes)) // 0 if it isn't known
			return &Allocation{a.name, tasks, nodes, a.start}
		}
	}
	text, _ := input.ReadAll(getenv("PBS_NODEFILE"), maxNodeFile)
	if hosts := strings.Fields(string(text)); len(hosts) > 1 {
		slices.Sort(hosts)
		return &Allocation{"PBS", len(hosts), len(slices.Compact(hosts)), "mpirun"}
	}
	return nil
}

// Usual returns the launcher for a command that is yet to be started: the batch job's launcher, or otherwise mpirun,
// unless there is only srun.
func Usual(getenv func(string) string) string {
	if a := FindAllocation(getenv); a != nil {
		return a.Start
	}
	if _, err := exec.LookPath("mpirun"); err != nil {
		if _, err := exec.LookPath("srun"); err == nil {
			return "srun"
		}
	}
	return "mpirun"
}

// String returns the allocation in words.
func (a *Allocation) String() string {
	text := fmt.Sprintf("this is a job of %d tasks", a.Tasks)
	if a.Nodes > 0 {
		text += " on " + words.Count(a.Nodes, "node")
	}
	return text + " (" + a.Name + ")"
}

// Speaks reports whether this process prints for the user. Without a launcher it always does.
func (l *Launcher) Speaks() bool { return l == nil || l.Rank == 0 }

// String describes how this process was started.
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

// Choice holds the user's flags.
type Choice struct {
	Engine string // one of Engines
	// Within is the allocation to which this process belongs without a launcher, nil if there is none.
	Within *Allocation
	Ranks  int // number of ranks of the embedded engine (0: not given)
	// DryRun is set if nothing is measured. With Ranks it plans for any machine.
	DryRun bool
	// MPI is the name of a plug-in, or the path of a library. If it is empty, Preferred applies, which is only for MPI,
	// and then the plug-in that fits the launcher.
	MPI, Preferred string
	// Wrong is the error in the variables by which MPIs are found, nil if there is none.
	Wrong error
	// Threads is the level of thread support that MPI is asked for, one of mpi.ThreadLevels, or empty for MPI_Init.
	Threads string
	// Sessions are opened before MPI_Init.
	Sessions bool
	// Device is the device whose memory messages use, or none for the host's.
	Device libmpi.DeviceChoice
	// Simulation holds the flags for the engine sim.
	Simulation Simulation
	// Plugins returns the plug-ins of this machine.
	Plugins func() []plugins.Plugin
	Say     func(line string) // reports to the user which of several plug-ins was chosen
}

// Choose picks the engine. Its errors explain what to do. No choice ever turns the processes of a launcher into runs of
// one rank. A wrong choice has the exit code of a wrong command line, a missing plug-in doesn't.
func Choose(l *Launcher, c Choice, cores int) (Start, error) {
	e, err := find(c.Engine, l)
	if err != nil {
		return nil, err
	}
	elsewhere := c.DryRun && c.Ranks > 0
	if a := c.Within; a != nil && l == nil && c.Engine == Auto && !e.kind.Distributed && !elsewhere {
		return nil, exit.Misuse("%v, but beff was started without a launcher and would rate the embedded engine "+
			"on this "+
			"node: start it as %s beff …, or give --engine local", a, a.Start)
	}
	if !e.kind.Distributed && l != nil && l.Size != 1 {
		return nil, exit.Misuse("%v, but --engine %s would run a separate rating in each process: start it "+
			"without the launcher, with -n P", l, e.flag)
	}
	if err := e.checkFlags(c); err != nil {
		return nil, err
	}
	return e.start(l, c, cores)
}

// CheckTogether returns an error if the processes that the launcher started don't find each other.
func CheckTogether(l *Launcher, e mpi.Engine) error {
	alone := l == nil || l.Size < 2 && l.Rank == 0 // some launchers don't give the size
	if alone || e.World().Size() > 1 || !e.Library().Kind().Distributed {
		return nil
	}
	return fmt.Errorf("%v, but each finds %d in its %s %s: use that MPI's mpirun, choose another plug-in by --mpi "+
		"(beff mpi list shows them), or under Slurm try srun --mpi=pmix or --mpi=pmi2",
		l, e.World().Size(), e.Library().Library, e.Library().Version)
}

// CheckBuilds returns an error on all processes if one of them is another build than rank 0's, whose command line and
// checks apply to all: an old program on a node's own disk would measure something else.
func CheckBuilds(e mpi.Engine, build string) error {
	first, err := job.Decide(e.World(), func() (string, error) { return build, nil })
	if err == nil && build != first {
		err = fmt.Errorf("rank %d on %s is %s, rank 0 is %s: install one of them on all nodes", e.World().Rank(),
			e.Host(), build, first)
	}
	return job.Agree(e.World(), err)
}
