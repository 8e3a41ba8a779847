package main

import (
	"errors"
	"fmt"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/scratch"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
)

// shareScratch lets rank 0 make a directory in parent, and all processes check that they see it. A guarded directory is
// removed even if this process is killed. After an error it is gone.
func shareScratch(e mpi.Engine, w *watcher, parent string, guarded bool) (dir *scratch.Dir, err error) {
	world := e.World()
	path, err := job.Decide(world, func() (string, error) {
		err := w.at("making a directory in "+parent, func() (err error) {
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
				"all nodes share", world.Rank(), e.Host(), path)
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
