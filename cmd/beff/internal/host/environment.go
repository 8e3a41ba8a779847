package host

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/rating"
)

// readers lists the prefixes of variables that libraries, launchers and batch systems read or set.
var readers = []string{"OMPI_", "PMIX_", "PRTE_", "PMI_", "UCX_", "MPICH_", "MPIR_", "MPIEXEC_", "HYDRA_", "HYDI_",
	"I_MPI_", "MV2_", "FI_", "PSM", "HFI_", "ROMIO_", "UCC_", "HCOLL_", "SHARP_", "SLURM_", "PBS_", "FLUX_", "LSB_",
	"OMP_", "KMP_", "GOMP_", "GOMAXPROCS", "GOMEMLIMIT", "GODEBUG", "LD_PRELOAD", "LD_LIBRARY_PATH", "MALLOC_",
	"BEFF_", "NUMA", "CUDA_", "ROCR_VISIBLE", "HIP_VISIBLE", "ZE_",
	"NVIDIA_", "MVP_"}

// secrets are parts of the names of variables whose values are never recorded, because results are published. The
// second line has addresses and ports of launchers' servers, and names of users.
var secrets = []string{"TOKEN", "SECRET", "PASSW", "PASSPHRASE", "KEY", "CREDENTIAL", "AUTH", "COOKIE", "JWT", "CERT",
	"PRIVATE", "_URI", "ADDR", "_PORT", "ORTE_", "PMIX_SERVER", "NAMESPACE", "FILE_LOCATION", "TMPDIR", "USER",
	"LOGNAME", "_HOME", "HOSTNAME", "SUBMIT_", "O_HOST", "DSTORE"}

const (
	maxVariables = 400
	longestValue = 1000 // bytes
)

// Variables returns the variables of an environment that matter, sorted by name.
func Variables(environ []string) (list []rating.Variable) {
	for _, entry := range slices.Sorted(slices.Values(environ)) {
		name, value, _ := strings.Cut(strings.ToValidUTF8(entry, "?"), "=")
		if !slices.ContainsFunc(readers, func(begin string) bool { return strings.HasPrefix(name, begin) }) ||
			len(list) == maxVariables {
			continue
		}
		v := rating.Variable{Name: name, Value: value}
		if !v.IsNamed() {
			continue
		}
		if isSecret(name) {
			v = rating.Variable{Name: name, Hidden: true}
		}
		if len(v.Value) > longestValue {
			v.Value = strings.ToValidUTF8(v.Value[:longestValue], "") + "…"
		}
		list = append(list, v)
	}
	return list
}

// isSecret reports whether a variable's name suggests that its value may be a secret.
func isSecret(name string) bool {
	name = strings.ToUpper(name)
	return slices.ContainsFunc(secrets, func(part string) bool { return strings.Contains(name, part) })
}

// jobs lists the batch systems with the variables that they set for a job.
var jobs = []struct{ system, id, nodes, partition string }{
	{"Slurm", "SLURM_JOB_ID", "SLURM_JOB_NODELIST", "SLURM_JOB_PARTITION"},
	{"PBS", "PBS_JOBID", "", "PBS_QUEUE"},
	{"Flux", "FLUX_JOB_ID", "", ""},
	{"LSF", "LSB_JOBID", "LSB_HOSTS", "LSB_QUEUE"},
	{"Grid Engine", "JOB_ID", "", "QUEUE"},
}

// Job returns the batch job that the variables of getenv describe.
func Job(getenv func(string) string) rating.Job {
	for _, j := range jobs {
		if id := getenv(j.id); id != "" {
			return rating.Job{System: j.system, ID: id, Nodes: getenv(j.nodes), Partition: getenv(j.partition)}
		}
	}
	return rating.Job{}
}

// Modules returns the environment modules in getenv's LOADEDMODULES (Environment Modules and Lmod).
func Modules(getenv func(string) string) []string {
	return strings.FieldsFunc(getenv("LOADEDMODULES"), func(c rune) bool { return c == ':' })
}

// Preloaded returns the libraries that were loaded before all others by the environment of this process (ld.so(8),
// LD_PRELOAD).
func Preloaded() []string {
	return strings.FieldsFunc(os.Getenv("LD_PRELOAD"), func(c rune) bool { return c == ':' || c == ' ' })
}

// Ancestor is an ancestor of this process, or the process itself.
type Ancestor struct {
	ID      int
	Program string    // the path of its file (empty: not known)
	Args    []string  // its command line (empty: not known)
	Began   time.Time // zero: not known
	Age     float64   // seconds since it began, to a hundredth (0: not known)
	Mine    bool      // it belongs to this process's user
}

// JobBegan returns when the first of the user's processes among the ancestors of this one began, such as the script of
// a batch job. It returns now if that isn't known.
func JobBegan(root string, now time.Time) time.Time {
	for _, a := range Ancestors(root) {
		if !a.Mine {
			break
		}
		if !a.Began.IsZero() {
			now = a.Began
		}
	}
	return now
}

// Container returns the name of the container system in which this process runs, or "" if there is none or it isn't
// known.
func Container(root string, getenv func(string) string) string {
	for _, c := range []struct{ variable, file, name string }{
		{"APPTAINER_CONTAINER", "", "apptainer"},
		{"SINGULARITY_CONTAINER", "", "singularity"},
		{"KUBERNETES_SERVICE_HOST", "", "kubernetes"},
		{"", ".dockerenv", "docker"},
		{"", "run/.containerenv", "podman"},
	} {
		if c.variable != "" && getenv(c.variable) != "" {
			return c.name
		}
		if c.file != "" {
			if _, err := os.Stat(filepath.Join(root, c.file)); err == nil {
				return c.name
			}
		}
	}
	return getenv("container")
}

// Build returns the state of the sources from which this program was built, and the version of Go. Go knows no commit
// without a checkout, in tests, and with -buildvcs=false.
func Build() rating.Build {
	s := rating.BuiltFrom()
	return rating.Build{Revision: s.Commit(), Modified: s.Modified, Go: runtime.Version()}
}
