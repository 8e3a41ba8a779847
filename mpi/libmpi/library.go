package libmpi

import (
	"regexp"
	"strings"
)

// openMPI is the library that needs workarounds (see comm.distinct).
const openMPI = "Open MPI"

// libraries lists the forms of MPI_Get_library_version. The first match counts, so a library built on another comes
// before it.
var libraries = []struct {
	name    string
	version *regexp.Regexp
}{
	{openMPI, regexp.MustCompile(`Open MPI v?(\S+?),? `)},
	{"Intel MPI", regexp.MustCompile(`Intel\(R\) MPI Library (\S+)`)},
	{"Cray MPICH", regexp.MustCompile(`CRAY MPICH version (\S+)`)},
	{"MVAPICH", regexp.MustCompile(`MVAPICH2? Version\s*:\s*(\S+)`)},
	{"MPICH", regexp.MustCompile(`MPICH Version:\s*(\S+)`)},
}

// parseLibrary splits the text of MPI_Get_library_version into name and version. The name of an unknown library is the
// first line.
func parseLibrary(text string) (name, version string) {
	for _, l := range libraries {
		if m := l.version.FindStringSubmatch(text + " "); m != nil {
			return l.name, m[1]
		}
	}
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return first, ""
}
