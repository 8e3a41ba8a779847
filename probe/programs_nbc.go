package probe

import "github.com/effective-bandwidth/beff/mpi"

// collectiveRecipes returns the recipes of IMB-MPI1 and IMB-NBC: one for each collective, blocking, nonblocking, and
// nonblocking beside computing.
func collectiveRecipes() (blocking, nonblocking map[string]*recipe) {
	blocking, nonblocking = map[string]*recipe{}, map[string]*recipe{}
	for name, r := range mpi1 {
		blocking[name] = r
	}
	blocking[scatterBlock.name] = scatterBlock.recipe([]mpi.Op{scatterBlock.blocking}, blockingCall)
	for name, r := range todaysKernels {
		blocking[name] = r
	}
	for _, c := range collectives {
		blocking[c.name] = c.recipe([]mpi.Op{c.blocking}, blockingCall)
		nonblocking[nonblockingName(c.name)+"_pure"] = c.recipe([]mpi.Op{c.starting, mpi.Wait}, startAndWait)
		nonblocking[nonblockingName(c.name)] = c.recipe([]mpi.Op{c.starting, mpi.Wait, mpi.Exploit}, startAndWait)
	}
	nonblocking["Ibarrier_pure"] = &recipe{ops: []mpi.Op{mpi.Ibarrier, mpi.Wait}, build: ibarrier, memory: nothing,
		rows: noLength}
	nonblocking["Ibarrier"] = &recipe{ops: []mpi.Op{mpi.Ibarrier, mpi.Wait, mpi.Exploit}, build: ibarrier,
		memory: nothing, rows: noLength}
	return blocking, nonblocking
}

// nonblockingName returns Ibcast for Bcast.
func nonblockingName(name string) string { return "I" + string(name[0]+'a'-'A') + name[1:] }

func ibarrier(s *scene) *step {
	return &step{each: startAndWait(s, mpi.Call{Op: mpi.Ibarrier})}
}
