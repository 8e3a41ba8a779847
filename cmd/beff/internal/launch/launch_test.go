package launch

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/mpi/plugins"
)

// The variables that launchers set for one of their processes, as far as they matter here.
var (
	openMPI = map[string]string{"OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_RANK": "2", "OMPI_UNIVERSE_SIZE": "8",
		"PMIX_RANK": "2"}
	hydra = map[string]string{"PMI_SIZE": "3", "PMI_RANK": "0", "PMI_FD": "9", "MPI_LOCALNRANKS": "3"}
	srun  = map[string]string{"SLURM_JOB_ID": "1", "SLURM_NTASKS": "16", "SLURM_STEP_NUM_TASKS": "16",
		"SLURM_PROCID": "15", "SLURM_STEP_ID": "0"}
	// The shell of salloc or srun --pty, and a batch script, are steps of one task in a job of many.
	shell = map[string]string{"SLURM_JOB_ID": "1", "SLURM_NTASKS": "16", "SLURM_STEP_NUM_TASKS": "1",
		"SLURM_PROCID": "0"}
	batch = map[string]string{"SLURM_JOB_ID": "1", "SLURM_NTASKS": "16", "SLURM_PROCID": "0"}
)

func join(list ...map[string]string) map[string]string {
	all := map[string]string{}
	for _, m := range list {
		for k, v := range m {
			all[k] = v
		}
	}
	return all
}

func TestFind(t *testing.T) {
	for name, c := range map[string]struct {
		env  map[string]string
		want *Launcher
	}{
		"none":     {nil, nil},
		"Open MPI": {openMPI, &Launcher{"Open MPI's mpirun", 4, 2, byOpenMPI}},
		"Hydra":    {hydra, &Launcher{"MPICH's mpirun", 3, 0, byPMI}},
		"srun":     {srun, &Launcher{"Slurm's srun", 16, 15, nil}},
		"srun --mpi=pmix": {join(srun, map[string]string{"PMIX_RANK": "15"}),
			&Launcher{"Slurm's srun", 16, 15, byPMIx}},
		"shell of a job":            {shell, nil},
		"batch script":              {batch, nil},
		"Open MPI in a job":         {join(srun, openMPI), &Launcher{"Open MPI's mpirun", 4, 2, byOpenMPI}},
		"Open MPI in a job's shell": {join(shell, openMPI), &Launcher{"Open MPI's mpirun", 4, 2, byOpenMPI}},
		"Hydra in a batch script":   {join(batch, hydra), &Launcher{"MPICH's mpirun", 3, 0, byPMI}},
		"srun that speaks PMI-2": {join(srun, map[string]string{"PMI_SIZE": "16", "PMI_RANK": "15"}),
			&Launcher{"Slurm's srun", 16, 15, byPMI}},
		"one process, Open MPI": {map[string]string{"OMPI_COMM_WORLD_SIZE": "1", "OMPI_COMM_WORLD_RANK": "0"},
			&Launcher{"Open MPI's mpirun", 1, 0, byOpenMPI}},
		"one process, Hydra": {map[string]string{"PMI_SIZE": "1", "PMI_RANK": "0"},
			&Launcher{"MPICH's mpirun", 1, 0, byPMI}},
		"MVAPICH": {map[string]string{"MV2_COMM_WORLD_SIZE": "8", "MV2_COMM_WORLD_RANK": "7"},
			&Launcher{"MVAPICH's mpirun_rsh", 8, 7, byPMI}},
		"Flux": {map[string]string{"FLUX_JOB_SIZE": "8", "FLUX_TASK_RANK": "1"},
			&Launcher{"Flux", 8, 1, nil}},
		"PALS":                      {map[string]string{"PALS_RANKID": "3"}, &Launcher{"PALS", 0, 3, byPMI}},
		"unknown, with PMIx":        {map[string]string{"PMIX_RANK": "5"}, &Launcher{"a PMIx launcher", 0, 5, byPMIx}},
		"shell of a job, with PMIx": {join(shell, map[string]string{"PMIX_RANK": "0"}), nil},
		"no rank":                   {map[string]string{"OMPI_COMM_WORLD_SIZE": "4"}, nil},
		"no size":                   {map[string]string{"PMI_RANK": "0"}, nil},
		"no numbers":                {map[string]string{"PMI_SIZE": "many", "PMI_RANK": "0"}, nil},
		"broken Open MPI, whole Hydra": {join(hydra, map[string]string{"OMPI_COMM_WORLD_SIZE": ""}),
			&Launcher{"MPICH's mpirun", 3, 0, byPMI}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, Find(func(key string) string { return c.env[key] }))
		})
	}
}

func TestSpeaks(t *testing.T) {
	require.True(t, (*Launcher)(nil).Speaks())
	require.True(t, (&Launcher{Size: 4, Rank: 0}).Speaks())
	require.False(t, (&Launcher{Size: 4, Rank: 1}).Speaks())

	for rank, number := range map[int]string{0: "0", 1: "1", 2: ""} {
		require.False(t, (&Launcher{Rank: rank}).Leads(func(string) string { return number }))
	}
	require.True(t, (&Launcher{Rank: 4}).Leads(func(name string) string {
		return map[string]string{"MPI_LOCALRANKID": "0"}[name]
	}))
}

func TestLauncherString(t *testing.T) {
	require.Equal(t, "started as 1 process by x", (&Launcher{Name: "x", Size: 1}).String())
	require.Equal(t, "started as 2 processes by x", (&Launcher{Name: "x", Size: 2}).String())
}

// outcome is the outcome of Choose: an engine, or the text of its error.
type outcome struct {
	local bool // the embedded engine
	ranks int  // of it
	err   string
	code  int // the exit code of err
}

func TestChoose(t *testing.T) {
	const cores = 3
	four, one := &Launcher{Name: "mpirun", Size: 4}, &Launcher{Name: "mpirun", Size: 1}
	launcherSets := outcome{err: "-n is for the embedded engine: with MPI the launcher sets the number of " +
		"processes, such as mpirun -n 5", code: exit.Usage}
	none := outcome{err: "no MPI is found: name its library by --mpi PATH, or run beff mpi add", code: exit.Failed}
	other := outcome{err: "started as 4 processes by mpirun, but none of the MPIs that are found fits it " +
		"(mpich): name its library by --mpi PATH, or run beff mpi add with its mpicc", code: exit.Failed}
	separate := outcome{err: "started as 4 processes by mpirun, but --engine local would run a separate rating in " +
		"each process: start it without the launcher, with -n P", code: exit.Usage}
	noPlugin := outcome{err: "--mpi is for MPI", code: exit.Usage}
	unknown := outcome{err: "no plug-in intel: there are: mpich", code: exit.Usage}
	four.Families = byOpenMPI
	for _, c := range []struct {
		launcher *Launcher
		engine   string
		ranks    int
		mpi      string
		plugins  []plugins.Plugin
		want     outcome
	}{
		{nil, "auto", 0, "", nil, outcome{local: true, ranks: cores}},
		{nil, "auto", 5, "", nil, outcome{local: true, ranks: 5}},
		{nil, "auto", 0, "mpich", mpich, noPlugin},
		{nil, "local", 0, "", mpich, outcome{local: true, ranks: cores}},
		{nil, "local", 5, "", nil, outcome{local: true, ranks: 5}},
		{nil, "local", local.MaxRanks + 1, "", nil, outcome{err: "-n 16385: the embedded engine has up to 16384 " +
			"ranks: start more with mpirun or srun", code: exit.Usage}},
		{nil, "quantum", 0, "", nil, outcome{err: `unknown engine "quantum": want ` + Either(), code: exit.Usage}},
		{nil, "mpi", 0, "", mpich, outcome{}}, // an unknown launcher may have started it
		{nil, "mpi", 0, "", nil, none},
		{nil, "mpi", 5, "", mpich, launcherSets},
		{four, "auto", 0, "", open, outcome{}},
		{four, "auto", 0, "", mpich, other},
		{four, "auto", 0, "mpich", mpich, outcome{}},
		{four, "auto", 0, "intel", mpich, unknown},
		{four, "auto", 5, "", open, launcherSets},
		{four, "local", 0, "", open, separate},
		{four, "local", 5, "", open, separate},
		{four, "mpi", 0, "", open, outcome{}},
		{four, "mpi", 5, "", open, launcherSets},
		{one, "auto", 0, "", open, outcome{}},
		{one, "local", 0, "", open, outcome{local: true, ranks: cores}}, // it may have several ranks
		{one, "local", 5, "", open, outcome{local: true, ranks: 5}},
		{one, "mpi", 0, "", open, outcome{}},
	} {
		t.Run(fmt.Sprintf("%v %s %d %s %d", c.launcher != nil, c.engine, c.ranks, c.mpi, len(c.plugins)),
			func(t *testing.T) {
				start, err := Choose(c.launcher, Choice{Engine: c.engine, Ranks: c.ranks, MPI: c.mpi,
					Plugins: func() []plugins.Plugin { return c.plugins }}, cores)
				if c.want.err != "" {
					require.ErrorContains(t, err, c.want.err)
					require.Equal(t, c.want.code, exit.Code(err))
					require.Nil(t, start)
					return
				}
				require.NoError(t, err)
				require.NotNil(t, start)
				if c.want.local {
					require.Equal(t, c.want.ranks, count(t, start))
				}
			})
	}
}

// The embedded engine has no thread levels.
func TestChooseThreads(t *testing.T) {
	const cores = 3
	for _, engine := range []string{"auto", "local"} {
		_, err := Choose(nil, Choice{Engine: engine, Threads: "multiple"}, cores)
		require.ErrorContains(t, err, "thread levels are for MPI")
		require.Equal(t, exit.Usage, exit.Code(err))
	}
}

// Each engine has a flag, and states the kind of its row.
func TestEngines(t *testing.T) {
	require.Equal(t, []string{Auto, "mpi", "local"}, Engines()[:3], "Auto takes the first one that fits")
	for _, e := range engines {
		if e.kind.Distributed {
			continue // it needs a launcher
		}
		c := Choice{Engine: e.flag, Ranks: 2}
		if e.kind.Simulated {
			c.Simulation.Machine = "t3e"
		}
		start, err := Choose(nil, c, 1)
		require.NoError(t, err)
		require.NoError(t, start(func(running mpi.Engine) error {
			require.Equal(t, e.kind, running.Library().Kind(), e.flag)
			return nil
		}))
	}
}

// count starts an engine and counts its ranks.
func count(t *testing.T, start Start) int {
	var n atomic.Int64
	require.NoError(t, start(func(e mpi.Engine) error {
		n.Add(1)
		require.Equal(t, "local", e.Library().Engine)
		return e.World().Barrier()
	}))
	return int(n.Load())
}

// One core has two ranks; a machine of more cores than the engine has ranks still starts.
func TestChooseByCores(t *testing.T) {
	for cores, want := range map[int]int{0: 2, 1: 2, 2: 2, 7: 7} {
		start, err := Choose(nil, Choice{Engine: "auto"}, cores)
		require.NoError(t, err)
		require.Equal(t, want, count(t, start))
	}
	_, err := Choose(nil, Choice{Engine: "auto"}, local.MaxRanks+1)
	require.NoError(t, err)
}

// found is an engine with a given number of processes.
type found struct {
	mpi.Engine
	size int
	name string
}

func (j found) World() mpi.Comm { return world{size: j.size} }
func (j found) Library() mpi.Library {
	return mpi.Library{Engine: j.name, Library: "Open MPI", Version: "4.1.4"}
}

type world struct {
	mpi.Comm
	size int
}

func (w world) Size() int { return w.size }

func TestCheckTogether(t *testing.T) {
	l := &Launcher{Name: "MPICH's mpirun", Size: 4, Rank: 3}
	require.NoError(t, CheckTogether(nil, found{size: 1, name: "libmpi"}))
	require.NoError(t, CheckTogether(l, found{size: 4, name: "libmpi"}))
	require.NoError(t, CheckTogether(&Launcher{Name: "mpirun", Size: 1}, found{size: 5, name: "local"}))
	pmix := &Launcher{Name: "a PMIx launcher"}
	require.NoError(t, CheckTogether(pmix, found{size: 1, name: "libmpi"}))
	pmix.Rank = 1
	require.ErrorContains(t, CheckTogether(pmix, found{size: 1, name: "libmpi"}), "each finds 1 in its Open MPI 4.1.4")
	require.EqualError(t, CheckTogether(l, found{size: 1, name: "libmpi"}),
		"started as 4 processes by MPICH's mpirun, but each finds 1 in its Open MPI 4.1.4: use that MPI's mpirun, "+
			"choose another plug-in by --mpi (beff mpi list shows them), or under Slurm try srun --mpi=pmix or "+
			"--mpi=pmi2")
}

// All processes notice an old program on one node, and the error names the node.
func TestCheckBuilds(t *testing.T) {
	for _, builds := range [][]string{{"beff 1", "beff 1", "beff 1"}, {"beff 1", "beff 1", "beff 2"}} {
		require.NoError(t, local.Run(len(builds), func(e mpi.Engine) error {
			err := CheckBuilds(e, builds[e.World().Rank()])
			if builds[2] == "beff 1" {
				return err
			}
			var agreed *mpi.AgreedError
			if !errors.As(err, &agreed) || !strings.Contains(err.Error(), "is beff 2, rank 0 is beff 1: install one") {
				return fmt.Errorf("rank %d: %v", e.World().Rank(), err)
			}
			return nil
		}))
	}
}

// Of two processes the one with messages in the host's memory has no device. In larger jobs its side depends on the
// kernel. Cray MPICH needs the driver in every process.
func TestDeviceless(t *testing.T) {
	none, cray := map[string]string{}, map[string]string{"MPICH_GPU_SUPPORT_ENABLED": "1"}
	for _, x := range []struct {
		buffers    string
		size, rank int
		env        map[string]string
		want       bool
	}{
		{"cuda,host", 2, 0, none, false},
		{"cuda,host", 2, 1, none, true},
		{"host,rocm", 2, 0, none, true},
		{"host,rocm", 2, 0, cray, false},
		{"cuda,host", 4, 3, none, false},
		{"cuda,host", 0, 1, none, false},
		{"cuda", 2, 1, none, false},
	} {
		m, err := mpi.ParseMessageMemory(x.buffers)
		require.NoError(t, err)
		c := deviceOf(&Launcher{Size: x.size, Rank: x.rank}, libmpi.DeviceChoice{MessageMemory: m},
			func(name string) string { return x.env[name] })
		require.Equal(t, x.want, c.Deviceless, x)
	}
}
