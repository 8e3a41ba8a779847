package launch

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/host"
	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
	"github.com/effective-bandwidth/beff/rating"
)

// leastShm is the number of bytes in /dev/shm that each process needs for MPI_Init of MPICH over UCX.
const leastShm = 4_400_000

// startDoubt returns why a library of a family is unlikely to start here, with a remedy, or "". A library that can't
// start ends the process, so the user must read this before.
func startDoubt(root, family string, getenv func(string) string) string {
	switch family {
	case plugin.MPICH:
		_, free, lacks := host.SharedMemory(root)
		processes, _ := strconv.ParseInt(getenv("MPI_LOCALNRANKS"), 10, 64)
		if lacks == "" && free > 0 && free < leastShm*processes {
			lacks = "has " + rating.Bytes(free) + " free"
		} else if lacks != "" {
			lacks = "is " + lacks
		}
		if lacks != "" && usesPOSIX(getenv("UCX_TLS")) {
			return fmt.Sprintf("/dev/shm %s: MPICH over UCX doesn't start then. Give the container --shm-size=1g or "+
				"--ipc=host, or set UCX_TLS=^posix", lacks)
		}
	case plugin.OpenMPI:
		value := getenv("OMPI_MCA_btl")
		if value != "" && value[0] != '^' && !slices.Contains(strings.Split(value, ","), "self") {
			return "OMPI_MCA_btl=" + value + " lacks self, without which Open MPI may not start: add it"
		}
	}
	return ""
}

// usesPOSIX reports whether UCX uses memory in /dev/shm with a value of UCX_TLS.
func usesPOSIX(value string) bool {
	listed, excluded := strings.CutPrefix(value, "^")
	has := slices.ContainsFunc(strings.Split(listed, ","), func(name string) bool {
		return slices.Contains([]string{"", "all", "shm", "sm", "mm", "posix"}, name)
	})
	return has != excluded
}
