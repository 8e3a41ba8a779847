package flow

import (
	"errors"
	"fmt"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/launch"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/scratch"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
)

// Job is the processes that a command has started, as seen by one of them. A watcher reports processes without
// progress.
type Job struct {
	*process.Process
	Engine  mpi.Engine
	Layout  *job.Layout     // where the processes are; nil except on rank 0
	started *rating.Startup // nil: no launcher started them
	watch   *watcher
}

// Open starts the processes that the flags ask for, locates them, and calls body on each of them. least is the number
// of ranks that the command needs.
func Open(p *process.Process, flags Processes, choice launch.Choice, least int, body func(*Job) error) error {
	choice.Engine, choice.MPI = flags.Engine, flags.MPI
	return p.Start(choice, flags.Ranks, least, func(e mpi.Engine) error {
		if err := checkDevice(e); err != nil {
			return err
		}
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
