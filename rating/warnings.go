package rating

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
)

// ProcessorsCriterion returns the criterion that each process has its own processor, as on all simulated machines.
func ProcessorsCriterion(engine mpi.Library, placement []job.Placement) Criterion {
	own, known := job.OwnProcessors(placement)
	if !known && engine.Kind().Simulated {
		own, known = true, true
	}
	return Criterion{Name: "processors", Text: "every process has its own processor", Reached: own,
		Unknown: !known, Not: "processes share processors",
		Remedy: "start at most one process per core, and check how the launcher binds them"}
}

// LibraryCriterion returns the criterion that the measured library is known, if it isn't.
func LibraryCriterion(engine mpi.Library) []Criterion {
	if engine.Engine != "" {
		return nil
	}
	return []Criterion{{Name: "library", Text: "the measured library is known", Unknown: true}}
}

// CommonWarnings returns the warnings that results of any benchmark may have: about shared processors, the course of
// the run, and engines that measure no MPI. embedded is the text that explains what the embedded engine measures.
func CommonWarnings(by Software, m Machine, p Period, c Circumstances, embedded string) (list []Warning) {
	list = slices.Concat(CrowdedWarning(m.Placement), p.joinedWarning(), WaitWarning(c.Waits))
	if by.Engine.Kind().Embedded {
		list = append(list, Warning{Code: "embedded", Text: "measured by the embedded engine: " + embedded,
			Remedy: EmbeddedRemedy})
	}
	return append(list, SimulatedWarning(by.Engine, m.Host.Name)...)
}

// EmbeddedFiles is the text embedded of CommonWarnings for benchmarks of files.
const EmbeddedFiles = "this rates the file system as one machine sees it, not an MPI-IO"

// EmbeddedRemedy is the advice of the warning about the embedded engine.
const EmbeddedRemedy = "build a plug-in for an MPI (beff mpi add), and start beff with its mpirun or srun"

// CrowdedWarning returns the warning about hosts whose processes share processors, if there are any.
func CrowdedWarning(placement []job.Placement) []Warning {
	hosts := job.Crowded(placement)
	if len(hosts) == 0 {
		return nil
	}
	where := fmt.Sprintf("on %d of %d hosts, such as %s,", len(hosts), len(placement), hosts[0])
	if len(placement) == 1 {
		where = "on host " + hosts[0]
	}
	return []Warning{{
		Code:   "crowded",
		Remedy: "start at most one process per core, and check how the launcher binds them",
		Text:   where + " there are more processes than processors that they may run on",
	}}
}
