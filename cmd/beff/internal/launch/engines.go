package launch

import (
	"errors"
	"os"
	"slices"
	"strconv"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/host"
	"github.com/effective-bandwidth/beff/internal/input"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
	"github.com/effective-bandwidth/beff/mpi/libshmem"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/mpi/plugins"
	"github.com/effective-bandwidth/beff/mpi/sim"
	"github.com/effective-bandwidth/beff/report/words"
)

// engine is a row of the table engines.
type engine struct {
	flag string         // value of --engine
	kind mpi.EngineKind // that the engine has in its Library
	name string         // in errors
	cure string         // for flags that only apply to MPI
	// start returns the start of the engine for the processes of a launcher, which may be nil, or an error if the
	// choice doesn't allow this engine.
	start func(l *Launcher, c Choice, cores int) (Start, error)
}

// engines has a row for each engine that can measure. A new engine needs its package, and a row here. Auto takes the
// first one that fits.
var engines = []engine{
	{flag: "mpi", kind: mpi.Library{Engine: "libmpi"}.Kind(), start: startMPI},
	{flag: "local", kind: mpi.Library{Engine: "local"}.Kind(), name: "the embedded engine",
		cure: ", start it under mpirun", start: startLocal},
	{flag: libshmem.Name, kind: libshmem.Kind, name: "OpenSHMEM", start: startSHMEM},
	{flag: "sim", kind: sim.Kind, name: "a simulated machine", start: startSim},
}

// Auto is the value of --engine that leaves the choice to Choose.
const Auto = "auto"

// Engines returns the values of --engine. The first one is the default.
func Engines() []string {
	list := []string{Auto}
	list = append(list, lists.Each(engines, func(x engine) string { return x.flag })...)
	return list
}

// Either returns Engines as a choice in words: "auto, mpi, local or openshmem".
func Either() string { return words.Joined(Engines(), "or") }

// find returns the row for a value of --engine under a launcher, which may be nil.
func find(flag string, l *Launcher) (*engine, error) {
	for e := range lists.Elements(engines) {
		if e.flag == flag || flag == Auto && e.kind.Distributed == (l != nil) {
			return e, nil
		}
	}
	return nil, exit.Misuse("unknown engine %q: want %s", flag, Either())
}

// startMPI starts MPI in the processes of a launcher, by the plug-in that fits.
func startMPI(l *Launcher, c Choice, _ int) (Start, error) {
	if c.Wrong != nil {
		return nil, exit.With(exit.Usage, c.Wrong)
	}
	plugin, err := pick(l, c, lists.Where(c.Plugins(), func(p plugins.Plugin) bool {
		return p.Family != plugin.OpenSHMEM
	}))
	if err != nil {
		return nil, err
	}
	if doubt := startDoubt("/", plugin.Family, os.Getenv); doubt != "" && c.Say != nil {
		c.Say(doubt)
	}
	return func(main func(mpi.Engine) error) error {
		err := libmpi.RunWith(plugin.Files, libmpi.Options{Threads: c.Threads, Processors: host.CPUs().List(),
			Sessions: c.Sessions, Device: deviceOf(l, c.Device, os.Getenv)}, main)
		if load := (*libmpi.LoadError)(nil); errors.As(err, &load) {
			return exit.With(exit.Usage, err)
		}
		return err
	}, nil
}

// deviceOf completes the choice of a device by this process's number on its node, and by the places of devices. Of two
// processes the one with messages in the host's memory has no device, unless Cray MPICH demands one.
func deviceOf(l *Launcher, c libmpi.DeviceChoice, getenv func(string) string) libmpi.DeviceChoice {
	c.Deviceless = l != nil && l.Size == 2 && c.Side(l.Rank > 0) == mpi.Host &&
		getenv("MPICH_GPU_SUPPORT_ENABLED") != "1"
	if at := slices.IndexFunc(onNode, func(name string) bool { return getenv(name) != "" }); at >= 0 {
		c.Local, _ = strconv.Atoi(getenv(onNode[at])) // launchers set numbers
	}
	c.Locate = func(pci string) (int, bool) { return host.NearPCI("/", pci) }
	c.Trusted = input.Trusted
	return c
}

// checkFlags returns an error if flags of a choice are for another engine.
func (e *engine) checkFlags(c Choice) error {
	_, misnamed := c.Device.Numbers()
	switch simulates := c.Simulation.Machine != "" || len(c.Simulation.Set) > 0; {
	case misnamed != nil:
		return exit.With(exit.Usage, misnamed)
	case e.kind.Distributed && c.Ranks != 0:
		return exit.Misuse("-n is for the embedded engine: with MPI the launcher sets the number of processes, such "+
			"as mpirun -n %d", c.Ranks)
	case !e.kind.Distributed && c.MPI != "":
		return exit.Misuse("--mpi is for MPI: %s has no plug-in%s", e.name, e.cure)
	case c.Device.Staged && !c.Device.Stages() || c.Device.Buffers == "" && c.Device.Of != "":
		return exit.Misuse("--staged and --device are for a device's memory: add --buffers cuda, rocm or " +
			"level_zero, or for pairs cuda,host")
	case e.flag != "mpi" && c.Device.Buffers != "":
		return exit.Misuse("--buffers is for MPI: %s only has buffers in the host's memory%s", e.name, e.cure)
	case e.flag != "mpi" && c.Threads != "":
		return exit.Misuse("thread levels are for MPI: %s has none%s", e.name, e.cure)
	case !e.kind.Simulated && simulates:
		return exit.Misuse("--machine and --set are for --engine sim: others measure the machine that they run on")
	}
	return nil
}

// startSHMEM uses the plug-in for OpenSHMEM, whose processes any launcher of its MPI starts.
func startSHMEM(l *Launcher, c Choice, _ int) (Start, error) {
	list := lists.Where(c.Plugins(), func(p plugins.Plugin) bool { return p.Family == plugin.OpenSHMEM })
	if len(list) == 0 {
		return nil, errors.New("there is no plug-in of OpenSHMEM: run beff mpi add --mpicc oshcc")
	}
	if l != nil {
		unbound := *l
		unbound.Families = nil
		l = &unbound
	}
	plugin, err := pick(l, c, list)
	if err != nil {
		return nil, err
	}
	return func(main func(mpi.Engine) error) error { return libshmem.Run(plugin.Files, main) }, nil
}

// startLocal starts one rank per core if the user doesn't give a number, but at least two, because a single one would
// have no partner. A dry run for a given number starts one rank, which plans for all.
func startLocal(_ *Launcher, c Choice, cores int) (Start, error) {
	switch {
	case c.DryRun && c.Ranks > 0:
		return func(main func(mpi.Engine) error) error { return local.Plan(c.Ranks, main) }, nil
	case c.Ranks > local.MaxRanks:
		return nil, exit.Misuse("-n %d: the embedded engine has up to %d ranks: start more with mpirun or srun",
			c.Ranks, local.MaxRanks)
	case c.Ranks == 0:
		c.Ranks = min(max(cores, 2), local.MaxRanks)
	}
	return func(main func(mpi.Engine) error) error { return local.Run(c.Ranks, main) }, nil
}
