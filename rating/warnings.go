package rating

import (
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
)

// ProcessorsCriterion returns the criterion that every process has a processor of its own. Those of a simulated machine
// have.
func ProcessorsCriterion(engine mpi.Library, placement []job.Placement) Criterion {
	own, known := job.OwnProcessors(placement)
	if !known && engine.Kind().Simulated {
		own, known = true, true
	}
	return Criterion{Name: "processors", Text: "every process has a processor of its own", Reached: own,
		Unknown: !known}
}

// LibraryCriterion returns the criterion that the library is known that measured. ok is false if it is.
func LibraryCriterion(engine mpi.Library) (c Criterion, ok bool) {
	return Criterion{Name: "library", Text: "the library that measured is named", Unknown: true, Since: whole},
		engine.Engine == ""
}

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
