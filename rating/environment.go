package rating

import (
	"fmt"
	"regexp"
	"strings"
)

// Environment holds what a run's figures may depend on apart from its settings, as found when the run began. Facts that
// could not be found are left out.
type Environment struct {
	// Command line of process 0, with the program first.
	Command []string `json:"command,omitempty"`
	// The program's own commit.
	Build Build `json:"build,omitzero"`
	// The batch job.
	Job Job `json:"job,omitzero"`
	// Kind of container in which the processes ran, such as docker, podman or apptainer.
	Container string `json:"container,omitempty"`
	// Environment modules that were loaded.
	Modules []string `json:"modules,omitempty"`
	// Libraries that were loaded before all others (LD_PRELOAD).
	Preloaded []string `json:"preloaded,omitempty"`
	// The MPI that measured.
	MPI LoadedMPI `json:"mpi,omitzero"`
	// Files of loaded libraries for communication and files, such as libucp.so.0.0.0 (UCX 1.13.1).
	Libraries []string `json:"libraries,omitempty"`
	// Variables of process 0 that libraries and launchers read.
	Variables []Variable `json:"variables,omitempty"`
	// Each kind of node once.
	Nodes []NodeKind `json:"nodes,omitempty"`
	// Each set of processors that processes are bound to once.
	Bindings []Binding `json:"bindings,omitempty"`
	// The devices in whose memory messages are; left out if they are in the host's.
	Devices *Devices `json:"devices,omitempty"`
	// What may make messages or files slow; left out by versions that didn't look.
	Conditions *Conditions `json:"conditions,omitempty"`
	// Options of the rated file system.
	Mount Mount `json:"mount,omitzero"`
	// How long it took to start the processes; left out if no launcher started them.
	Startup *Startup `json:"startup,omitempty"`
}

// Startup is how long a launcher and the MPI library took to start, on process 0.
type Startup struct {
	// Seconds from the launcher's start on this host to the end of MPI_Init, to a hundredth; left out if the launcher
	// isn't known.
	Launcher float64 `json:"launcher_to_init,omitempty" jsonschema:"minimum=0"`
	// Seconds from the start of the process to the end of MPI_Init, to a hundredth; left out if the start isn't known.
	Process float64 `json:"process_to_init,omitempty" jsonschema:"minimum=0"`
	// Seconds from the end of MPI_Init to the end of the first barrier of all processes.
	Barrier float64 `json:"init_to_barrier" jsonschema:"minimum=0"`
}

// BuiltOf reports whether the program that wrote the document was built from exactly this commit.
func (e *Environment) BuiltOf(commit string) bool {
	if e == nil || e.Build.Revision == "" {
		return commit == unknownCommit
	}
	return e.Build.Revision == commit && !e.Build.Modified
}

// Check returns an error if a variable's name could have another meaning in a shell. Before version 0.1.0, a character
// that isn't UTF-8 was recorded as a question mark.
func (e *Environment) Check() error {
	if e == nil {
		return nil
	}
	for _, v := range e.Variables {
		if v.Name = strings.ReplaceAll(v.Name, "?", "_"); !v.IsNamed() {
			return fmt.Errorf("%q is no name of a variable", v.Name)
		}
	}
	return nil
}

// LoadedMPI describes the library through which a run's processes communicated, as process 0 loaded it.
type LoadedMPI struct {
	// Binary interface of its plug-in, such as MPICH, Open MPI or standard ABI.
	Interface string `json:"interface,omitempty"`
	// File of the library.
	File string `json:"file,omitempty"`
	// SHA-256 of the file, in hexadecimal digits.
	SHA256 string `json:"sha256,omitempty"`
	// Program that started the processes, such as Open MPI's mpirun.
	Launcher string `json:"launcher,omitempty"`
}

// Build is the state of the sources that the program was built from.
type Build struct {
	// Commit of the sources, or the version of a module that was downloaded; "unknown" if the build recorded neither.
	Revision string `json:"revision,omitempty"`
	// The sources had uncommitted changes.
	Modified bool `json:"modified,omitempty"`
	// Version of Go.
	Go string `json:"go,omitempty"`
}

// Job is a job of a batch system.
type Job struct {
	// Name of the system, such as Slurm.
	System string `json:"system"`
	ID     string `json:"id"`
	// Nodes, as the batch system reports them.
	Nodes     string `json:"nodes,omitempty"`
	Partition string `json:"partition,omitempty"`
}

// Variable is a variable of the environment.
type Variable struct {
	Name string `json:"name"`
	// Left out if it is hidden.
	Value string `json:"value,omitempty"`
	// The value is hidden because the name suggests a secret.
	Hidden bool `json:"hidden,omitempty"`
}

// name matches the names of variables that a shell accepts (POSIX.1-2017, XBD 3.235).
var name = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// IsNamed reports whether a shell accepts the variable's name.
func (v Variable) IsNamed() bool { return name.MatchString(v.Name) }

// NodeKind is a kind of node, on whose hosts all facts are the same.
type NodeKind struct {
	// Ranks on the hosts of this kind.
	Ranks string `json:"ranks"`
	NodeFacts
}

// NodeFacts holds the settings of a node that change what it measures.
type NodeFacts struct {
	// Model name of the first processor.
	CPU string `json:"cpu,omitempty"`
	// Logical processors.
	Cores int `json:"cores,omitempty"`
	// NUMA nodes.
	NUMA int `json:"numa,omitempty"`
	// Whether hardware threads share a core: on, off, or not supported.
	SMT string `json:"smt,omitempty"`
	// Governors of the processors' frequency.
	Governor string `json:"governor,omitempty"`
	// Allowed frequencies, and the hardware's range.
	Frequency string `json:"frequency,omitempty"`
	// Whether frequencies above the nominal one are allowed.
	Boost string `json:"boost,omitempty"`
	// Transparent huge pages, and the number of reserved ones.
	HugePages string `json:"huge_pages,omitempty"`
	// Options of the kernel's command line that keep processors free of other work.
	Isolation []string `json:"isolation,omitempty"`
	Kernel    string   `json:"kernel,omitempty"`
	// Network devices that are up, with their speed.
	Network []string `json:"network,omitempty"`
	// The same devices, if their speed is known.
	Links []Link `json:"links,omitempty" jsonschema:"maxItems=100"`
	// Cores, each with one or more logical processors.
	PhysicalCores int `json:"physical_cores,omitempty" jsonschema:"minimum=0"`
	// Product name of a virtual machine, or "unknown" for one without a name.
	Virtualization string `json:"virtualization,omitempty"`
	// The kernel's source of time, such as tsc.
	ClockSource string `json:"clock_source,omitempty"`
	// Bytes of /dev/shm.
	Shm int64 `json:"shm,omitempty" jsonschema:"minimum=0"`
	// Why /dev/shm can't be used: read-only, or missing.
	ShmLacks string `json:"shm_lacks,omitempty" jsonschema:"enum=read-only,enum=missing"`
	// Processors of the smallest CPU quota of the processes' cgroups.
	Quota float64 `json:"quota,omitempty" jsonschema:"minimum=0"`
	// Bytes of the smallest memory limit of the processes' cgroups.
	MemoryLimit int64 `json:"memory_limit,omitempty" jsonschema:"minimum=0"`
	// Bytes that a process may lock; left out without a limit.
	Lockable int64 `json:"lockable,omitempty" jsonschema:"minimum=0"`
}

// Binding is a set of processors and the processes bound to it.
type Binding struct {
	// Ranks in the form of a placement.
	Ranks string `json:"ranks"`
	// Logical processors, such as 0-3,8.
	CPUs string `json:"cpus"`
	// NUMA nodes of these processors.
	NUMA string `json:"numa,omitempty"`
}

// Mount describes how the file system of a directory is mounted.
type Mount struct {
	// Directory where it is mounted.
	Point string `json:"point,omitempty"`
	// Server or device.
	Source  string `json:"source,omitempty"`
	Type    string `json:"type,omitempty"`
	Options string `json:"options,omitempty"`
	// Striping of new files in the directory, as the file system reports it.
	Stripes string `json:"stripes,omitempty"`
}

// FileSystem describes the file system that holds a run's files.
type FileSystem struct {
	// Directory of the files.
	Directory string `json:"directory"`
	// Type, such as lustre or ext4.
	Type string `json:"type,omitempty"`
	// Size in bytes.
	Size int64 `json:"size,omitempty" jsonschema:"minimum=0"`
	// Free bytes before the run.
	Free int64 `json:"free,omitempty" jsonschema:"minimum=0"`
	// Inodes.
	Files int64 `json:"files,omitempty" jsonschema:"minimum=0"`
	// Free inodes before the run.
	FreeFiles int64 `json:"free_files,omitempty" jsonschema:"minimum=0"`
}
