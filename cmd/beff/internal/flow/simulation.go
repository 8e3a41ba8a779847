package flow

import (
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/host"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/mpi/sim"
	"github.com/effective-bandwidth/beff/report/whatif"
)

// Simulation returns the engine if it simulates a machine, and otherwise nil.
func Simulation(e mpi.Engine) sim.Simulation {
	s, _ := e.(sim.Simulation)
	return s
}

// Locate returns the layout of the processes. For a simulated machine the model defines it, on every rank. For other
// engines Locate is collective, and returns nil on all ranks but 0.
func Locate(e mpi.Engine) (*job.Layout, error) {
	if s := Simulation(e); s != nil {
		return whatif.LayoutOf(s.Model()), nil
	}
	find := func() (job.Node, error) {
		return job.Node{Host: e.Host(), Memory: host.Memory("/"), Free: host.FreeMemory("/"), CPUs: host.CPUs()}, nil
	}
	if e.Library().Kind().Distributed {
		mine, _ := find() // it never fails
		return job.Locate(e.World(), mine)
	}
	mine, err := job.Decide(e.World(), find) // the ranks of one process see the same
	if err != nil {
		return nil, err
	}
	return job.Locate(e.World(), mine)
}

// clockOf returns the clock of an engine that simulates, and nil for all others, which use the wall clock.
func clockOf(e mpi.Engine) func() time.Time {
	if s := Simulation(e); s != nil {
		return s.Now
	}
	return nil
}
