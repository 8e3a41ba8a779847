package doctor

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/rivo/uniseg"
	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/launch"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
)

var errUnwritable = errors.New("only a test")

// cluster is a visit to two nodes of four ranks each over an adapter.
func cluster() *Facts {
	f := &Facts{
		launcher: &launch.Launcher{Name: "Slurm's srun", Size: 8},
		library:  mpi.Library{Engine: "libmpi", Library: "MPICH", Version: "5.0.2", Standard: "5.0"},
		layout: &job.Layout{Memory: 8 << 30, Total: 64 << 30, Ranks: [][]int{{0, 1, 2, 3}, {4, 5, 6, 7}},
			Placement: []job.Placement{{Host: "a", Ranks: "0-3", Processes: 4, Processors: 4},
				{Host: "b", Ranks: "4-7", Processes: 4, Processors: 4}}},
		env: &rating.Environment{Job: rating.Job{System: "Slurm", ID: "7"},
			MPI:       rating.LoadedMPI{Interface: "standard ABI", File: "/opt/mpich/lib/libmpi_abi.so.1"},
			Libraries: []string{"/usr/lib/libfabric.so.1 (libfabric 2.1)", "/usr/lib/libc.so.6"},
			Variables: []rating.Variable{{Name: "FI_PROVIDER", Value: "verbs"}, {Name: "BEFF_MPI", Value: "abi"}},
			Nodes: []rating.NodeKind{{Ranks: "0-7", NodeFacts: rating.NodeFacts{
				Network: []string{"mlx5_0 port 1: InfiniBand, 200 Gb/s"}}}},
			Conditions: &rating.Conditions{ShmFree: 8 << 30,
				Devices: []string{"/dev/infiniband/uverbs0", "/dev/xpmem"}}},
		load:      &rating.Load{Host: "a", Processors: 4},
		directory: beffio.FileSystem{Directory: "/scratch", Type: "lustre", Free: 1 << 40, Size: 2 << 40},
	}
	for rank := range 8 {
		f.env.Bindings = append(f.env.Bindings, rating.Binding{Ranks: string(rune('0' + rank)),
			CPUs: string(rune('0' + rank%4))})
	}
	return f
}

func written(t *testing.T, f *Facts) string {
	var b bytes.Buffer
	require.NoError(t, f.Write(&b))
	return b.String()
}

// A quiet site has a row for each question and nothing else.
func TestDoctor(t *testing.T) {
	require.Equal(t, `beff 0.1.0: the conditions of a run here
launcher   Slurm's srun: 8 processes on 2 hosts, Slurm job 7
library    MPICH 5.0.2 (MPI 5.0) by the interface standard ABI:
           /opt/mpich/lib/libmpi_abi.so.1
fabric     libfabric 2.1 is loaded; FI_PROVIDER=verbs; /dev/infiniband/uverbs0;
           details with MPIR_CVAR_DEBUG_SUMMARY=1
network    mlx5_0 port 1: InfiniBand, 200 Gb/s
binding    ranks 0 on 0, 1 on 1, 2 on 2, 3 on 3, 4 on 0, 5 on 1, 6 on 2, 7 on 3
in a node  shared memory; CMA is allowed (process_vm_readv); /dev/xpmem;
           /dev/shm has 8 GiB free
memory     8 GiB a process, by the node's memory; b_eff's longest message is 64
           MiB
scratch    /scratch: lustre, 1 TiB free of 2 TiB, seen by all nodes
load       other programs 0.00 of 4 processors, steal 0.0 %, in 1s; load average
           0.00
verdict    a rating here would be valid
`, strings.Replace(written(t, cluster()), "beff "+rating.Release, "beff 0.1.0", 1))
}

// Each defect has a row with its remedy, and the worst decides the verdict.
func TestDoctorFindings(t *testing.T) {
	for _, c := range []struct {
		what    string
		spoil   func(f *Facts)
		want    []string
		verdict string
	}{
		{"crowded", func(f *Facts) { f.layout.Placement[1].Processors = 2 },
			[]string{"NOT VALID  on 1 of 2 hosts, such as b, there are more processes than processors"}, "NOT VALID"},
		{"unknown processors", func(f *Facts) { f.layout.Placement[1].Processors = 0 },
			[]string{"NOT VALID  not known whether every process has its own processor"}, "NOT VALID"},
		{"no directory", func(f *Facts) { f.unfit = errUnwritable },
			[]string{"scratch    only a test", "NOT VALID  beff io can't have its files here"}, "NOT VALID"},
		{"other load", func(f *Facts) { f.load.Others = 2 },
			[]string{"noisy      other programs kept 2.00 of 4 processors of a busy"}, "valid, but noisy"},
		{"unbound", func(f *Facts) { f.env.Bindings = []rating.Binding{{Ranks: "0-7", CPUs: "0-3"}} },
			[]string{"binding    none: each rank may run on processors 0-3", "noisy      ranks may move",
				"-> --bind-to core"},
			"valid, but noisy"},
		{"no adapter", func(f *Facts) {
			f.env.Conditions.Devices = nil
		}, []string{"no adapter is open", "slow       no process has an adapter open, and mlx5_0 is active"},
			"valid, slowed"},
		{"little locked", func(f *Facts) { f.env.Nodes[0].Lockable = 65536 },
			[]string{"slow       only 64 KiB may be locked"}, "valid, slowed"},
		{"apart", func(f *Facts) { f.env.Conditions.Unshared = &rating.SomeRanks{Count: 1, Ranks: "5"} },
			[]string{"in a node  no memory in common (ranks 5)", "slow       ranks of a node have no memory"},
			"valid, slowed"},
		{"no CMA", func(f *Facts) {
			f.library.Library = "Open MPI"
			f.env.Conditions.NoCopy = &rating.SomeRanks{Count: 1, Ranks: "6",
				Why: "operation not permitted (ptrace_scope 1, seccomp 2)"}
		},
			[]string{"no CMA: operation not permitted (ptrace_scope 1,\n           seccomp 2)",
				"slow       ranks can't read"}, "valid, slowed"},
		{"small /dev/shm", func(f *Facts) { f.env.Conditions.ShmFree = 63 << 20 },
			[]string{"slow       /dev/shm has only 63 MiB for 4 processes of a node"}, "valid, slowed"},
		{"memory for disks", func(f *Facts) { f.directory.Type = "tmpfs" },
			[]string{"note       beff io would rate memory: tmpfs"}, "valid"},
		{"small disk", func(f *Facts) { f.directory.Free = 1 << 30 },
			[]string{"note       beff io's files can't hold the memory of all nodes, 64 GiB"}, "valid, slowed"},
		{"preloaded", func(f *Facts) { f.env.Preloaded = []string{"/x.so"} },
			[]string{"note       libraries are loaded before the MPI: /x.so"}, "valid"},
		{"kinds", func(f *Facts) {
			f.env.Nodes[0].Ranks = "0-3"
			f.env.Nodes = append(f.env.Nodes, rating.NodeKind{Ranks: "4-7", NodeFacts: rating.NodeFacts{
				Network: f.env.Nodes[0].Network, Governor: "powersave"}})
		}, []string{"noisy      node b differs: governor is powersave instead of not known"}, "valid, but noisy"},
	} {
		f := cluster()
		c.spoil(f)
		text := written(t, f)
		for _, want := range c.want {
			require.Contains(t, text, want, c.what)
		}
		require.Contains(t, text, "           -> ", c.what)
		verdict := "\nverdict    a rating here would be " + c.verdict + "\n"
		require.True(t, strings.HasSuffix(text, verdict), "%s: %s", c.what, text)
	}
}

// The findings always fit on one screen, with the number of those left out.
func TestDoctorFitsScreen(t *testing.T) {
	f := cluster()
	f.layout.Placement[0].Processors, f.load.Others, f.load.Steal, f.env.Nodes[0].Lockable = 1, 3, 0.5, 1
	f.env.Conditions = &rating.Conditions{ShmFree: 1, Unshared: &rating.SomeRanks{Count: 1, Ranks: "0"},
		NoCopy: &rating.SomeRanks{Count: 1, Ranks: "0", Why: strings.Repeat("a long reason ", 40)}}
	f.unfit = errUnwritable
	f.env.MPI.File = "/" + strings.Repeat("long/", 60) + "libmpi.so.40"
	f.env.Bindings = []rating.Binding{{Ranks: "0-7", CPUs: strings.Repeat("0-3,", 90) + "9"}}
	text := written(t, f)
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	require.LessOrEqual(t, len(lines), screenLines, text)
	for _, line := range lines {
		require.LessOrEqual(t, uniseg.StringWidth(line), screenColumns, line)
	}
	require.Contains(t, text, "long/libmpi.so.40\n")
	require.Regexp(t, `(?m)^ +… and \d+ more$`, text)
	require.Contains(t, text, "NOT VALID  on 1 of 2 hosts")
}
