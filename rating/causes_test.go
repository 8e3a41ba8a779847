package rating

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
)

// ordinary returns the evidence of an ordinary run of two ranks on one node, in a container. They aren't bound.
func ordinary(library string) *Evidence {
	return &Evidence{Engine: mpi.Library{Engine: "libmpi", Library: library, Version: "4"}, PerProcess: 3e9,
		Machine: Machine{Load: &Load{Host: "a", Processors: 2, Others: 0.02},
			Placement: []job.Placement{{Host: "a", Ranks: "0-1", Processes: 2, Processors: 2}}},
		Environment: &Environment{Container: "docker", Conditions: &Conditions{CopyBandwidth: 8e9, ShmFree: 60 << 20},
			Nodes: []NodeKind{{Ranks: "0-1", NodeFacts: NodeFacts{Cores: 2, Shm: 64 << 20, Lockable: 64 << 10,
				Network: []string{"eth0: 10000 Mb/s"}}}},
			Bindings: []Binding{{Ranks: "0-1", CPUs: "0-1"}}},
		FileSystem: &FileSystem{Size: 100, Free: 6}}
}

// set adds a variable.
func (e *Evidence) set(name, value string) {
	e.Environment.Variables = append(e.Environment.Variables, Variable{Name: name, Value: value})
}

// twoNodes puts the ranks on two nodes with an active adapter.
func (e *Evidence) twoNodes() {
	e.Placement = []job.Placement{{Host: "a", Ranks: "0", Processes: 1, Processors: 2},
		{Host: "b", Ranks: "1", Processes: 1, Processors: 2}}
	e.Environment.Nodes[0].Network = []string{"mlx5_0 port 1: InfiniBand, 200 Gb/s"}
}

// An ordinary run has no cause, and neither has one whose facts aren't recorded.
func TestNoCauses(t *testing.T) {
	for _, library := range []string{"Open MPI", "MPICH", "Go"} {
		e := ordinary(library)
		require.Empty(t, Causes(e), library)
		e.Environment.Conditions.NoCopy = &SomeRanks{Count: 2, Ranks: "0-1", Why: "operation not permitted"}
		if library != openMPI {
			require.Empty(t, Causes(e), library)
		}
	}
	e := ordinary(openMPI)
	e.Load.Quota = &Quota{Processors: 4, Part: 0.001}
	e.Environment.Conditions.Locks, e.FileSystem = LocksWork, nil
	e.set("OMPI_MCA_btl", "self,vader")
	e.set("OMPI_MCA_btl_vader_eager_limit", "4096")
	e.set("MPIR_CVAR_NOLOCAL", "1") // Open MPI doesn't read it
	e.set("MPIR_CVAR_CH3_EAGER_MAX_MSG_SIZE", "64")
	require.Empty(t, Causes(e))
	e.Environment.Conditions.Unshared = &SomeRanks{Count: 2, Ranks: "0-1"}
	e.PerProcess = 3.5e9
	require.Empty(t, Causes(e), "messages are as fast as copies in memory")
	e.Environment.Conditions = nil
	e.Load.Quota.Part = 1
	require.Empty(t, Causes(e))
}

// Each cause is found by its condition, and comes first.
func TestCauses(t *testing.T) {
	unshared := &SomeRanks{Count: 2, Ranks: "0-1"}
	for _, c := range []struct {
		code, library string
		plant         func(e *Evidence)
		text          string
		effect        float64
		variable      string
	}{
		{"quota", "MPICH", func(e *Evidence) { e.Load.Quota = &Quota{Processors: 0.6, Part: 0.38, Host: "a"} },
			"a CPU quota of 0.6 processors on a stopped the processes for 38 % of the run", 0.38, ""},
		{"quota", "MPICH", func(e *Evidence) { e.Before, e.Environment.Nodes[0].Quota = true, 0.6 },
			"a CPU quota of 0.6 processors for 2 processes of a node stops them", 0, ""},
		{"crowded", "MPICH", func(e *Evidence) { e.Placement[0].Processors = 1 },
			"there are 2 of them for each processor", 0.5, ""},
		{"crowded", "MPICH", func(e *Evidence) { e.Environment.Conditions.Overcommit = 4 },
			"there are 4 of them for each processor", 0.75, ""},
		{"tcp_variable", openMPI, func(e *Evidence) {
			e.set("OMPI_MCA_btl", "tcp,self")
			e.Environment.Conditions.Unshared, e.PerProcess = unshared, 1e9
		}, "OMPI_MCA_btl=tcp,self takes away the shared memory for messages within a node: a process reaches 1 GB/s",
			0.75, "OMPI_MCA_btl"},
		{"tcp_variable", openMPI, func(e *Evidence) {
			e.set("OMPI_MCA_btl", "^vader")
			e.Environment.Conditions.Unshared, e.PerProcess = unshared, 0
		}, "may be several times slower", 0, "OMPI_MCA_btl"},
		{"tcp_variable", "MPICH", func(e *Evidence) { e.set("MPIR_CVAR_NOLOCAL", "1"); e.PerProcess = 1e9 },
			"MPIR_CVAR_NOLOCAL=1 takes away", 0.75, "MPIR_CVAR_NOLOCAL"},
		{"tcp_variable", "MPICH", func(e *Evidence) { e.set("FI_PROVIDER", "tcp;ofi_rxm"); e.twoNodes() },
			"FI_PROVIDER=tcp;ofi_rxm sends messages by TCP, and mlx5_0 is active", 0, "FI_PROVIDER"},
		{"tcp_variable", "MPICH", func(e *Evidence) {
			e.set("UCX_TLS", "tcp,self")
			e.Environment.Libraries = []string{"libuct.so.0"}
		}, "UCX_TLS=tcp,self takes away", 0.25, "UCX_TLS"},
		{"shm_small", "MPICH", func(e *Evidence) { e.Before, e.Environment.Conditions.ShmFree = true, 1<<20 },
			"/dev/shm has only 1 MiB for 2 processes of a node", 0, ""},
		{"shm_read_only", openMPI, func(e *Evidence) { e.Environment.Nodes[0].ShmLacks = "read-only" },
			"/dev/shm of ranks 0-1 is read-only", 0, ""},
		{"shm_small", openMPI, func(e *Evidence) {
			e.Environment.Nodes[0].Shm, e.Environment.Conditions.Unshared, e.PerProcess = 1<<20, unshared, 4e8
		}, "/dev/shm has only 1 MiB, and ranks of a node have no memory in common", 0.9, ""},
		{"no_shared_memory", openMPI, func(e *Evidence) {
			e.Environment.Conditions.Unshared, e.PerProcess = unshared, 1e9
		}, "ranks of a node have no memory in common: a process reaches 1 GB/s at the longest message, where copies " +
			"in memory allow 4 GB/s", 0.75, ""},
		{"eager_variable", openMPI, func(e *Evidence) { e.set("OMPI_MCA_btl_vader_eager_limit", "64") },
			"OMPI_MCA_btl_vader_eager_limit=64", 0, "OMPI_MCA_btl_vader_eager_limit"},
		{"eager_variable", "MPICH", func(e *Evidence) { e.set("MPIR_CVAR_CH4_OFI_EAGER_MAX_MSG_SIZE", "64") },
			"may be slower", 0, "MPIR_CVAR_CH4_OFI_EAGER_MAX_MSG_SIZE"},
		{"no_cma", openMPI, func(e *Evidence) {
			e.Environment.Conditions.NoCopy = &SomeRanks{Count: 2, Ranks: "0-1", Why: "not permitted (ptrace_scope 2)"}
		}, "ranks can't read each other's memory: not permitted (ptrace_scope 2)", 0, ""},
		{"no_adapter", openMPI, (*Evidence).twoNodes, "no process has an adapter open, and mlx5_0 is active", 0, ""},
		{"locked_memory", openMPI, func(e *Evidence) {
			e.twoNodes()
			e.Environment.Conditions.Devices = []string{"/dev/infiniband/uverbs0"}
		}, "only 64 KiB may be locked", 0, ""},
		{"siblings", openMPI, func(e *Evidence) { e.Environment.Conditions.Siblings = unshared },
			"ranks 0-1 share cores by hardware threads", 0, ""},
		{"load", "MPICH", func(e *Evidence) { e.Load.Others = 1 },
			"other programs kept 1.00 of 2 processors of a busy, 50 % of those that the processes need", 0.5, ""},
		{"steal", "MPICH", func(e *Evidence) { e.Load.Steal = 0.3 }, "gave 30 % of the processors' time", 0.3, ""},
		{"locks", "MPICH", func(e *Evidence) { e.Environment.Conditions.Locks = "function not implemented" },
			"files can't be locked here (function not implemented)", 0, ""},
		{"full", "MPICH", func(e *Evidence) { e.FileSystem.Free = 5 }, "was 95 % full", 0, ""},
		{InMemory, "MPICH", func(e *Evidence) { e.Signs = []Sign{{Name: InMemory}} }, "from memory", 0, ""},
		{"node_differs", "MPICH", func(e *Evidence) {
			e.twoNodes()
			e.Environment.Conditions.Devices = []string{"/dev/infiniband/uverbs0"}
			e.Environment.Nodes[0].Ranks, e.Environment.Nodes[0].Lockable = "0", 0
			other := e.Environment.Nodes[0]
			other.Ranks, other.Governor, other.Shm = "1", "powersave", 1<<20
			e.Environment.Nodes = append(e.Environment.Nodes, other)
		}, "node b differs: governor is powersave instead of not known, shm is 1048576 instead of 67108864", 0, ""},
		{"unbound", "MPICH", func(e *Evidence) { e.Signs = []Sign{{Name: "spread"}} }, "may explain the spread", 0, ""},
	} {
		e := ordinary(c.library)
		c.plant(e)
		list := Causes(e)
		require.NotEmpty(t, list, c.code)
		first := list[0]
		require.Equal(t, c.code, first.Code, c.code)
		require.Contains(t, first.Text, c.text)
		require.InDelta(t, c.effect, first.Effect, 1e-9, c.code)
		require.Equal(t, c.variable, first.Variable, c.code)
		require.NotEmpty(t, first.Remedy)
		if c.effect == 0 && !e.Before && c.code != InMemory {
			require.Contains(t, first.Text, "may", c.code)
		}
	}
}

// UCX has shared memory left unless all ways to it are gone.
func TestWithoutMM(t *testing.T) {
	for value, want := range map[string]bool{"tcp,self": true, "tcp,sm": false, "^rocm_ipc,sysv": false,
		"^posix": false, "^posix,sysv": true, "^shm": true, "^ib": false, "": false} {
		require.Equal(t, want, withoutMM(value), value)
	}
}

// The cause with the largest effect comes first. A valid result is slowed only by causes that spoil the number.
func TestSlowed(t *testing.T) {
	e := ordinary("MPICH")
	e.Load.Quota, e.Load.Others = &Quota{Processors: 0.6, Part: 0.38, Host: "a"}, 1
	v := NewVerdict(nil, nil, e.Load.Signs())
	v.Valid = true
	v.Explain(e)
	require.Equal(t, "load", v.Slowed)
	require.Equal(t, "other programs", v.SlowedBy().Name)
	require.Equal(t, IsSlowed, v.State())
	require.Equal(t, []string{"quota", "load"}, []string{v.Warnings[0].Code, v.Warnings[1].Code}, "one for each code")
	v.Valid = false
	require.Equal(t, IsNotValid, v.State())
	e = ordinary("MPICH")
	v = NewVerdict(nil, nil, []Sign{{Name: "spread"}})
	v.Valid = true
	v.Explain(e)
	require.Equal(t, "unbound", v.Causes[0].Code)
	require.Nil(t, v.SlowedBy())
	require.Equal(t, IsNoisy, v.State())
	e = ordinary("Open MPI")
	e.set("OMPI_MCA_btl_vader_eager_limit", "64")
	v = NewVerdict(nil, nil, nil)
	v.Valid = true
	v.Explain(e)
	require.Equal(t, "eager_variable", v.Causes[0].Code)
	require.Nil(t, v.SlowedBy(), "this cause spoils no number")
}
