package parts

import (
	"slices"
	"strings"
)

// meanings describes the variables that centres set, by name. A name with a star matches all names with the same
// beginning and end. The descriptions follow the libraries' documentation: `ompi_info --all`, `mpivars`, `ucx_info
// -cf`, `fi_info -e`, and manual pages. docs/studies/settings.md records how each was checked.
var meanings = map[string]string{
	"OMPI_MCA_pml":  "the component that sends messages: ob1 (over btl), ucx, cm (over mtl)",
	"OMPI_MCA_btl":  "transports of ob1: self, within a node vader (Open MPI 4) or sm (5), tcp, openib, ofi",
	"OMPI_MCA_mtl":  "network with tag matching, for cm: ofi, psm2, portals4",
	"OMPI_MCA_osc":  "one-sided calls: rdma, ucx, pt2pt, sm",
	"OMPI_MCA_io":   "files: ompio, or ROMIO by its version (romio321, romio341)",
	"OMPI_MCA_coll": "components of collective calls that may be used",
	"OMPI_MCA_topo": "component of topologies, such as treematch, which renumbers processes",
	"OMPI_MCA_mpi_leave_pinned": "keeps memory registered with the network after a message, which is " +
		"faster for buffers that are used again",
	"OMPI_MCA_mpi_yield_when_idle":       "waiting processes yield the processor, for more processes than cores",
	"OMPI_MCA_hwloc_base_binding_policy": "binding of processes: core, socket, numa, none; Open MPI 4",
	"OMPI_MCA_rmaps_base_mapping_policy": "distribution of processes over nodes and sockets; Open MPI 4",
	"OMPI_MCA_rmaps_base_oversubscribe":  "allows more processes than slots; Open MPI 4",
	"OMPI_MCA_btl_tcp_if_include":        "network devices that TCP uses",
	"OMPI_MCA_btl_tcp_if_exclude":        "network devices that TCP doesn't use",
	"OMPI_MCA_oob_tcp_if_include":        "network devices for launchers, not for messages",
	"OMPI_MCA_btl_vader_single_copy_mechanism": "copies of large messages within a node: cma, knem and xpmem " +
		"copy once; none copies twice, through shared memory",
	"OMPI_MCA_btl_*_eager_limit": "longest message that is sent before the receiver is ready",
	"OMPI_MCA_coll_tuned_use_dynamic_rules": "enables forced algorithms and rule files, which are otherwise " +
		"silently ignored",
	"OMPI_MCA_coll_tuned_dynamic_rules_filename": "file that chooses algorithms by length and processes; a " +
		"missing or broken file is silently ignored",
	"OMPI_MCA_coll_tuned_*_algorithm": "forces an algorithm of a collective call; needs coll_tuned_use_dynamic_rules",
	"OMPI_MCA_coll_han_*":             "collective calls in two steps: within nodes, then between them",
	"OMPI_MCA_coll_hcoll_*":           "NVIDIA's library of collective calls",
	"OMPI_MCA_pml_ucx_*":              "use of UCX for messages",
	"OMPI_MCA_pml_monitoring_*":       "counts messages, which costs each of them a little time",

	"UCX_TLS": "transports that UCX may use: sm, self, rc or dc (InfiniBand), ud, tcp, cuda; UCX uses no others, " +
		"even if available",
	"UCX_NET_DEVICES":       "network devices and ports that UCX uses (default: all active ones)",
	"UCX_RNDV_THRESH":       "shortest length for which the receiver must be ready first (rendezvous)",
	"UCX_RNDV_SCHEME":       "transfer of data in a rendezvous: get_zcopy, put_zcopy, am",
	"UCX_ZCOPY_THRESH":      "shortest length for which data are sent without a copy",
	"UCX_BCOPY_THRESH":      "shortest length for which data are copied into registered buffers",
	"UCX_MAX_RNDV_RAILS":    "number of network devices that share one large message",
	"UCX_MAX_EAGER_RAILS":   "number of network devices that share one message below the rendezvous",
	"UCX_IB_SL":             "service level, which sets lanes and priorities of InfiniBand, and the priority of RoCE",
	"UCX_IB_GID_INDEX":      "index of the port's address, which for RoCE sets the version, and whether it is routed",
	"UCX_IB_TRAFFIC_CLASS":  "traffic class of InfiniBand and RoCE",
	"UCX_IB_REG_METHODS":    "ways to register memory, of which UCX uses the first that works: rcache, odp, direct",
	"UCX_MEMTYPE_CACHE":     "remembers which memory is a GPU's",
	"UCX_UNIFIED_MODE":      "assumes that all nodes have the same network devices, for a faster start",
	"UCX_PROTO_ENABLE":      "enables the newer choice of protocols by length",
	"UCX_DC_MLX5_NUM_DCI":   "number of send queues of the dynamically connected transport",
	"UCX_RC_MLX5_TM_ENABLE": "matching of tags in the network card",
	"UCX_LOG_LEVEL":         "log messages of UCX; levels above warn take time",

	"MPIR_CVAR_*_INTRA_ALGORITHM":   "forces an algorithm of a collective call",
	"MPIR_CVAR_DEVICE_COLLECTIVES":  "whether the network's code may do collective calls itself: all, none, percoll",
	"MPIR_CVAR_COLLECTIVE_FALLBACK": "reaction to a forced algorithm that can't be used: error, print, silent",
	"MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE": "file that chooses all algorithms of collective calls; " +
		"MPICH 4.0.2 crashes if it is missing",
	"MPIR_CVAR_CH4_NETMOD":     "network that MPICH was built with: ofi, ucx",
	"MPIR_CVAR_CH4_OFI_*":      "use of libfabric",
	"MPIR_CVAR_CH4_SHM_*":      "messages within a node",
	"MPIR_CVAR_NOLOCAL":        "treats each process as if it were on a separate node, without shared memory",
	"MPIR_CVAR_ASYNC_PROGRESS": "a separate thread makes progress while the program computes, and takes processor time",
	"MPIR_CVAR_ENABLE_SMP_COLLECTIVES": "collective calls in two steps: within nodes, then between them; MPICH 4 " +
		"ignores it",
	"MPIR_CVAR_CH4_CMA_ENABLE": "large messages of a node are copied once, by the kernel; MPICH 4.0 ignores it",

	"FI_PROVIDER":            "network of libfabric: verbs, psm2, psm3, opx, cxi, efa, tcp, shm",
	"FI_UNIVERSE_SIZE":       "number of processes that libfabric expects, which sets the sizes of its tables",
	"FI_MR_CACHE_MAX_*":      "most registered memory that is remembered; 0: none",
	"FI_MR_CACHE_MONITOR":    "detection of released memory: memhooks, userfaultfd, kdreg2, disabled",
	"FI_CXI_RX_MATCH_MODE":   "matching of tags on Slingshot: hardware, software, hybrid",
	"FI_CXI_RDZV_THRESHOLD":  "shortest length for which the receiver must be ready first, on Slingshot",
	"FI_CXI_DEFAULT_CQ_SIZE": "length of the completion queue on Slingshot",
	"FI_CXI_*":               "use of Slingshot",
	"FI_EFA_USE_DEVICE_RDMA": "lets EFA read and write memory by itself (RDMA)",
	"FI_EFA_*":               "use of EFA",
	"FI_OFI_RXM_*":           "reliable messages over connections, for verbs and older tcp",
	"FI_TCP_IFACE":           "network device that TCP uses",
	"FI_VERBS_*":             "use of verbs: InfiniBand, RoCE",
	"FI_PSM2_*":              "use of Omni-Path",
	"FI_PSM3_*":              "use of Ethernet by PSM3",
	"FI_LOG_LEVEL":           "log messages of libfabric; levels above warn take time",
	"I_MPI_FABRICS": "shm:ofi: shared memory within nodes, libfabric between them; ofi: libfabric everywhere; shm: " +
		"one node",
	"I_MPI_OFI_PROVIDER": "network of libfabric (default: libfabric's choice)",
	"I_MPI_PIN":          "binds processes, unless it is off",
	"I_MPI_PIN_DOMAIN": "processors that a process and its threads may use; I_MPI_PIN_PROCESSOR_LIST has no effect " +
		"then",
	"I_MPI_ADJUST_*": "algorithm of a collective call, also by length and processes, such as 3:0-4096@8-64; 0: the " +
		"library's choice",
	"I_MPI_ASYNC_PROGRESS":      "threads make progress while the program computes, and take processor time",
	"MPICH_OFI_NIC_POLICY":      "choice of a process's network card: BLOCK, ROUND-ROBIN, NUMA, GPU, USER; Cray MPICH",
	"MPICH_GPU_SUPPORT_ENABLED": "messages from and to a GPU's memory; Cray MPICH",
	"MPICH_RANK_REORDER_METHOD": "distribution of ranks over the tasks of a job: 0 round-robin, 1 in order, 2 " +
		"folded, 3 by a file; Cray MPICH",
	"LD_PRELOAD":         "libraries that are loaded before all others; wrappers in them take part in each call",
	"OMP_NUM_THREADS":    "number of threads of each process; bindings follow it",
	"SLURM_CPU_BIND":     "binding of processes, like srun --cpu-bind",
	"SLURM_DISTRIBUTION": "distribution of processes over nodes, sockets and cores, like srun --distribution",
}

// Meaning describes a variable, or returns "" if it isn't known. The longest matching name is used.
func Meaning(name string) string {
	if text := meanings[name]; text != "" {
		return text
	}
	best, text := "", ""
	for pattern, meaning := range meanings {
		begin, end, all := strings.Cut(pattern, "*")
		if all && len(name) > len(begin)+len(end) && strings.HasPrefix(name, begin) && strings.HasSuffix(name, end) &&
			(len(pattern) > len(best) || len(pattern) == len(best) && pattern < best) {
			best, text = pattern, meaning
		}
	}
	return text
}

// unread lists prefixes of variables, each with parts of the names of libraries that don't read them. A library that
// isn't listed may be derived from one that does.
var unread = []struct {
	begin string
	by    []string
}{
	{"OMPI_MCA_", []string{"MPICH", "MVAPICH", "Intel"}},
	{"MPIR_CVAR_", []string{"Open MPI"}},
	{"I_MPI_", []string{"Open MPI", "MPICH"}},
	{"MV2_", []string{"Open MPI", "MPICH", "Intel"}},
}

// Unread reports whether a library is known not to read a variable.
func Unread(name, library string) bool {
	for _, u := range unread {
		if strings.HasPrefix(name, u.begin) {
			return slices.ContainsFunc(u.by, func(word string) bool { return strings.Contains(library, word) })
		}
	}
	return false
}
