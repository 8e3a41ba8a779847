package host

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
)

// Variables that libraries read are recorded, others aren't, and values that may be secrets never are.
func TestVariables(t *testing.T) {
	list := Variables([]string{"UCX_TLS=tcp", "HOME=/root", "SLURM_JWT=x", "OMPI_MCA_btl=tcp,self", "FI_A=b=c",
		"MPICH_API_KEY=k", "I_MPI_PASSWORD=p", "OMPI_MCA_orte_precondition_transports=0123", "FLUX_x_token=t",
		"PSM2_DEVICES=", "AWS_SECRET=s", "UCX_LONG=" + strings.Repeat("é", longestValue), "PBS_X=\xff", "PBS_\xff=1"})
	require.Equal(t, []rating.Variable{{Name: "FI_A", Value: "b=c"}, {Name: "FLUX_x_token", Hidden: true},
		{Name: "I_MPI_PASSWORD", Hidden: true}, {Name: "MPICH_API_KEY", Hidden: true},
		{Name: "OMPI_MCA_btl", Value: "tcp,self"}, {Name: "OMPI_MCA_orte_precondition_transports", Hidden: true},
		{Name: "PBS_X", Value: "?"}, {Name: "PSM2_DEVICES"}, {Name: "SLURM_JWT", Hidden: true},
		{Name: "UCX_LONG", Value: strings.Repeat("é", longestValue/2) + "…"}, {Name: "UCX_TLS", Value: "tcp"}}, list)
	require.Len(t, Variables(many(maxVariables+10)), maxVariables)
	for _, set := range []string{"OMPI_MCA_orte_hnp_uri=71.0;tcp://192.0.2.2:45119", "OMPI_MCA_orte_local_daemon_uri=x",
		"PMIX_SERVER_URI41=prterun-n1-12@0.0;tcp4://192.0.2.2:55277", "PMIX_SERVER_TMPDIR=/tmp/ompi.n1.1000",
		"PMIX_SYSTEM_TMPDIR=/tmp", "PMIX_DSTORE_ESH_BASE_PATH=/tmp", "PMIX_NAMESPACE=prterun-n1-12@1",
		"OMPI_FILE_LOCATION=/tmp/prterun.n1.12.1000",
		"SLURM_JOB_USER=me", "SLURM_SUBMIT_HOST=n1", "SLURM_SRUN_COMM_PORT=1", "PBS_O_LOGNAME=me",
		"PBS_O_HOME=/home/me",
		"SLURM_LAUNCH_NODE_IPADDR=192.0.2.2", "PMIX_HOSTNAME=n1", "OMPI_MCA_orte_tmpdir_base=/home/me"} {
		name, _, _ := strings.Cut(set, "=")
		require.Equal(t, []rating.Variable{{Name: name, Hidden: true}}, Variables([]string{set}))
	}
}

func many(n int) (list []string) {
	for i := range n {
		list = append(list, "UCX_"+strings.Repeat("x", i)+"=1")
	}
	return list
}

func TestJob(t *testing.T) {
	env := func(variables map[string]string) func(string) string {
		return func(name string) string { return variables[name] }
	}
	require.Equal(t, rating.Job{System: "Slurm", ID: "7", Nodes: "n[1-2]", Partition: "big"},
		Job(env(map[string]string{"SLURM_JOB_ID": "7", "SLURM_JOB_NODELIST": "n[1-2]", "SLURM_JOB_PARTITION": "big"})))
	require.Equal(t, rating.Job{System: "PBS", ID: "7.srv"}, Job(env(map[string]string{"PBS_JOBID": "7.srv"})))
	require.Zero(t, Job(env(nil)))
	require.Equal(t, []string{"gcc/12", "mpi/4"}, Modules(env(map[string]string{"LOADEDMODULES": "gcc/12:mpi/4"})))
	require.Equal(t, "apptainer", Container("/nowhere", env(map[string]string{"APPTAINER_CONTAINER": "x.sif"})))
	require.Equal(t, "docker", Container(tree(t, map[string]string{".dockerenv": ""}), env(nil)))
	require.Empty(t, Container(tree(t, nil), env(nil)))
}

// The settings of a node come from its files. Options of the kernel that may be secrets are left out.
func TestNode(t *testing.T) {
	const cpu = "sys/devices/system/cpu/"
	n := Node(tree(t, meminfo, map[string]string{
		cpu + "smt/control": "on\n", cpu + "cpu0/cpufreq/scaling_governor": "performance\n",
		cpu + "cpu1/cpufreq/scaling_governor": "powersave\n", cpu + "cpufreq/boost": "0\n",
		cpu + "cpu0/cpufreq/scaling_min_freq": "1000\n", cpu + "cpu0/cpufreq/scaling_max_freq": "2000\n",
		cpu + "cpu0/cpufreq/cpuinfo_min_freq": "1000\n", cpu + "cpu0/cpufreq/cpuinfo_max_freq": "3000\n",
		"sys/kernel/mm/transparent_hugepage/enabled":               "always [madvise] never\n",
		"sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages":    "5\n",
		"sys/kernel/mm/hugepages/hugepages-1048576kB/nr_hugepages": "0\n",
		"proc/cmdline":                             "root=/dev/sda token=x isolcpus=2-3 quiet nohz_full=2-3\n",
		"sys/class/net/ib0/operstate":              "up\n",
		"sys/class/net/ib0/speed":                  "200000\n",
		"sys/class/net/ib0/mtu":                    "2044\n",
		"sys/class/net/ib0/device":                 "",
		"sys/class/net/eth9/operstate":             "down\n",
		"sys/class/net/eth9/device":                "",
		"sys/class/net/eth9/speed":                 "1000\n",
		cpu + "cpu0/topology/thread_siblings_list": "0,1\n",
		cpu + "cpu1/topology/thread_siblings_list": "0,1\n",
		cpu + "cpu2/topology/thread_siblings_list": "2\n",
		"proc/self/cgroup":                         "0::/\n",
		"sys/fs/cgroup/cpu.max":                    "150000 100000\n",
		"dev/null":                                 "",
		"sys/devices/system/clocksource/clocksource0/current_clocksource": "tsc\n",
		"sys/devices/system/node/node0/cpulist":                           "0-1\n",
		"sys/devices/system/node/node1/cpulist":                           "2-3,8\n",
		"sys/devices/system/node/node_other/cpulist":                      "0\n",
	}))
	n.Kernel, n.Lockable = "", 0
	require.Equal(t, rating.NodeFacts{NUMA: 2, SMT: "on", Governor: "performance, powersave",
		Frequency: "1000 to 2000 kHz of 1000 to 3000 kHz", Boost: "off", HugePages: "transparent: madvise, 5 of 2048kB",
		Isolation: []string{"isolcpus=2-3", "nohz_full=2-3"}, Network: []string{"ib0: 200000 Mb/s, MTU 2044"},
		Links: []rating.Link{{Name: "ib0", Rate: 25e9}}, PhysicalCores: 2, ClockSource: "tsc", ShmLacks: "missing",
		Quota: 1.5}, n)
	require.Equal(t, 0, Node(tree(t, nil)).NUMA)
}

func TestCPUList(t *testing.T) {
	for text, want := range map[string]int{"": 0, "0": 1, "0-3": 4, "0-3,8": 5, "x": 0, "3-1": 0, "-1": 0,
		"0-99999": 100_000, "5,0-9999999999": 1<<20 + 1} {
		require.Equal(t, want, ParseCPUs(text).Count(), text)
	}
}

// A process is bound to processors that exist, in NUMA nodes that hold them.
func TestAffinity(t *testing.T) {
	cpus, numa := Affinity(tree(t, map[string]string{"sys/devices/system/node/node7/cpulist": "0-1023\n"}))
	require.NotEmpty(t, cpus)
	require.Equal(t, "7", numa)
}

// A process is on the core, or the socket, that holds all its processors, and near the devices whose processors include
// one of them.
func TestLocality(t *testing.T) {
	on := CPUs().List()
	own := strconv.Itoa(on[0])
	topology := "sys/devices/system/cpu/cpu" + own + "/topology/"
	devices := map[string]string{
		topology + "thread_siblings_list": own + "\n", topology + "core_siblings_list": "0-1023\n",
		"sys/class/infiniband/a/device/local_cpulist": "1000-1023\n",
		"sys/class/infiniband/b/device/local_cpulist": "0-999\n",
		"sys/class/net/eth0/device/local_cpulist":     "0-1023\n"}
	s := Locality(tree(t, devices))
	want := job.Locality{Core: job.Anywhere, Socket: 0, NICs: 0b10}
	if len(on) == 1 {
		want.Core = int32(on[0])
	}
	require.Equal(t, want, s)
	devices["sys/class/infiniband/b/device/local_cpulist"] = "2000\n"
	require.Equal(t, uint64(0b11), Locality(tree(t, devices)).NICs, "no device is nearer than the others")
	require.Equal(t, job.Locality{Core: job.Anywhere, Socket: job.Anywhere}, Locality(tree(t, nil)))
}

// The mount of a directory is the innermost mount, and the last mount at its place.
func TestMount(t *testing.T) {
	dir, err := os.Getwd()
	require.NoError(t, err)
	require.NotEmpty(t, Mount("/", dir).Type, "of the real machine")
	require.Zero(t, Mount("/", ""))
	require.Equal(t, "a,password=(hidden),rw,size=1", inOrder(map[string]string{"rw": "", "size": "1", "a": "",
		"password": "p"}))
}

// No library is listed twice.
func TestLibraries(t *testing.T) {
	seen := map[string]bool{}
	for _, l := range Libraries("/") {
		require.False(t, seen[l], l)
		seen[l] = true
	}
}
