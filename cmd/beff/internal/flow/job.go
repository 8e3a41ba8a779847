package flow

import (
	"errors"
	"fmt"
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/host"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/launch"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/scratch"
	"github.com/effective-bandwidth/beff/internal/input"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/mpi/sim"
	"github.com/effective-bandwidth/beff/probe/fabric"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/whatif"
)

// Job represents the processes that a command has started, as seen by one of them. A watcher reports processes without
// progress.
type Job struct {
	*process.Process
	Engine  mpi.Engine
	Layout  *job.Layout     // where the processes are; nil except on rank 0
	Devices *rating.Devices // in whose memory messages are; nil except on rank 0, and for the host's memory
	started *rating.Startup // nil: no launcher started them
	watch   *watcher
}

// Open starts the processes that the flags ask for, locates them, and calls body on each of them. least is the number
// of ranks that the command needs.
func Open(p *process.Process, flags Processes, choice launch.Choice, least int, body func(*Job) error) error {
	choice.Engine, choice.MPI = flags.Engine, flags.MPI
	return p.Start(choice, flags.Ranks, least, func(e mpi.Engine) error {
		started, err := startTimes(e)
		if err != nil {
			return err
		}
		layout, err := Locate(e)
		if err != nil {
			return err
		}
		if err := flags.mapNodes(e, layout); err != nil {
			return err
		}
		j := &Job{Process: p, Engine: e, Layout: layout, started: started}
		if err := j.findDevices(choice.Device.MessageMemory); err != nil {
			return err
		}
		if j.watch, err = newWatcher(p, e, layout, flags.rules()); err != nil {
			return err
		}
		defer j.watch.stop()
		return body(j)
	})
}

// first reports whether this is rank 0.
func (j *Job) first() bool { return j.Engine.World().Rank() == 0 }

// Share creates a directory in parent on rank 0, and checks on all processes that they see it. A guarded directory is
// removed even if this process is killed. After an error it is removed.
func (j *Job) Share(parent string, guarded bool) (dir *scratch.Dir, err error) {
	world := j.Engine.World()
	path, err := job.Decide(world, func() (string, error) {
		err := j.watch.inFile("making a directory in "+parent, func() (err error) {
			dir, err = scratch.Make(parent)
			return err
		})
		if err != nil {
			return "", err
		}
		if !guarded {
			return dir.Path, nil
		}
		if err := dir.Guard(); err != nil {
			return "", errors.Join(err, dir.Remove())
		}
		return dir.Path, nil
	})
	if err != nil {
		return nil, err
	}
	var blind error
	if world.Rank() > 0 {
		if dir, err = scratch.Adopt(path); err != nil {
			blind = fmt.Errorf("rank %d on %s does not see %s, which rank 0 has made: -p must name a directory that "+
				"all nodes share", world.Rank(), j.Engine.Host(), path)
		}
	}
	if blind = job.Agree(world, blind); blind == nil {
		return dir, nil
	}
	if world.Rank() == 0 {
		blind = errors.Join(blind, dir.Remove())
	}
	return nil, blind
}

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

// longestMap limits the size of a map of nodes, in bytes.
const longestMap = 64 << 20

// mapNodes sets the units of each host in rank 0's layout from the map of --topology. It is collective.
func (p Processes) mapNodes(e mpi.Engine, layout *job.Layout) error {
	if p.Topology == "" {
		return nil
	}
	return job.Do(e.World(), func() error { return exit.With(exit.Usage, setUnits(p.Topology, layout)) })
}

// setUnits is the part of Processes.mapNodes that rank 0 does.
func setUnits(file string, layout *job.Layout) error {
	text, err := input.ReadAll(file, longestMap)
	if err != nil {
		return fmt.Errorf("topology: %w", err)
	}
	m, err := fabric.Parse(string(text))
	if err != nil {
		return fmt.Errorf("topology: %s: %w", file, err)
	}
	units, err := m.Of(lists.Each(layout.Placement, func(p job.Placement) string { return p.Host }))
	if err != nil {
		return fmt.Errorf("topology: %s: %w", file, err)
	}
	for i := range layout.Placement {
		layout.Placement[i].Units = units[i]
	}
	return nil
}

// UnitsOf returns the units of the map to which each host of a layout belongs, nil without a map.
func UnitsOf(layout *job.Layout) [][]string {
	units := lists.Each(layout.Placement, func(p job.Placement) []string { return p.Units })
	return lists.Where(units, func(of []string) bool { return len(of) > 0 })
}
