package rating

import (
	"fmt"

	"github.com/effective-bandwidth/beff/mpi/job"
)

// EmbeddedRemedy is the advice of the warning about the embedded engine.
const EmbeddedRemedy = "make a plug-in of an MPI (beff mpi add), and start with its mpirun or srun"

// CrowdedWarning returns the warning about hosts whose processes share processors. ok is false if there are none.
func CrowdedWarning(placement []job.Placement) (w Warning, ok bool) {
	hosts := job.Crowded(placement)
	if len(hosts) == 0 {
		return w, false
	}
	where := fmt.Sprintf("on %d of %d hosts, such as %s,", len(hosts), len(placement), hosts[0])
	if len(placement) == 1 {
		where = "on host " + hosts[0]
	}
	return Warning{
		Code:   "crowded",
		Remedy: "start at most one process per core, and look how the launcher binds them",
		Text:   where + " there are more processes than processors that they may run on",
	}, true
}
