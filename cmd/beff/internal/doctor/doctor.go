// Package doctor looks at a job as a run would find it, and says on one screen what would spoil a rating there. It
// measures nothing.
package doctor

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/flow"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/host"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/launch"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/scratch"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/mpi/plugins"
	"github.com/effective-bandwidth/beff/rating"
)

// looked is the time in which the doctor looks at the other load of the hosts.
const looked = time.Second

// Visit is what a doctor has seen, on rank 0.
type Visit struct {
	plugins  []plugins.Plugin
	launcher *launch.Launcher
	library  mpi.Library
	layout   *job.Layout
	env      *rating.Environment
	load     *rating.Load
	ways     []host.Ways // of each rank; nil: ranks are one process
	copies   []string    // why a rank can't read the memory of its neighbour on the node; empty: it can
	limited  bool        // the memory is that of a cgroup
	locked   int64       // bytes that may be locked
	guards   string      // host.Guards
	shm      int64       // bytes that are free in /dev/shm; 0: not known

	directory  beffio.FileSystem
	unwritable error // the directory isn't shared, or can't be written to
}

// Look looks at a job, whose files would be in a directory. It is collective, and returns nil on all ranks but the
// first.
func Look(j *flow.Job, directory string) (*Visit, error) {
	e, layout := j.Engine, j.Layout
	meter := host.NewMeter("/")
	time.Sleep(looked)
	uses, err := job.Gather(e.World(), meter.Use())
	if err != nil {
		return nil, err
	}
	env, err := j.Environment(directory)
	if err != nil {
		return nil, err
	}
	unwritable := shares(j, directory)
	v := &Visit{launcher: j.Launcher, library: e.Library(), layout: layout, env: env, unwritable: unwritable}
	if e.Library().Kind().Distributed {
		if err := v.reach(e.World(), layout); err != nil {
			return nil, err
		}
	}
	if e.World().Rank() > 0 {
		return nil, nil
	}
	v.load = host.Load(layout, host.Governor("/"), uses)
	v.limited, v.locked, v.guards = host.Limited("/"), host.Locked(), host.Guards("/")
	if v.ways == nil {
		v.plugins = j.Plugins()
	}
	if there, err := scratch.Facts("/dev/shm"); err == nil {
		v.shm = there.Free
	}
	if v.directory, err = scratch.Facts(directory); err != nil {
		v.unwritable = err
	}
	if path, err := filepath.Abs(directory); err == nil {
		v.directory.Directory = path
	}
	return v, nil
}

// shares returns why a directory is none for the files of a job: rank 0 can't make one in it, or others don't see that.
// All ranks have the same error.
func shares(j *flow.Job, directory string) error {
	dir, err := j.Share(directory, false)
	if err != nil {
		return err
	}
	return job.Do(j.Engine.World(), dir.Remove)
}

// reach finds by which ways processes reach each other. Each has sent messages by now. It is collective.
func (v *Visit) reach(world mpi.Comm, layout *job.Layout) (err error) {
	if v.ways, err = job.Gather(world, host.WaysOf("/")); err != nil {
		return err
	}
	peers, err := job.Decide(world, func() ([]host.Ways, error) { return neighbours(layout, v.ways), nil })
	if err != nil {
		return err
	}
	failed := ""
	if peer := peers[world.Rank()]; peer.Process != 0 {
		if err := host.Copies(peer); err != nil {
			failed = err.Error()
		}
	}
	v.copies, err = job.Gather(world, failed)
	return err
}

// neighbours returns for each rank where the memory of the next one on its node is; nothing for one that is alone.
func neighbours(layout *job.Layout, ways []host.Ways) []host.Ways {
	list := make([]host.Ways, len(ways))
	for _, ranks := range layout.Ranks {
		for i, rank := range ranks {
			if next := ranks[(i+1)%len(ranks)]; next != rank {
				w := ways[next]
				w.Shared, w.Devices, w.Components = nil, nil, nil
				list[rank] = w
			}
		}
	}
	return list
}

// The screen that a visit is shown on.
const (
	screenLines   = 25
	screenColumns = 80
	labelColumns  = 11
	mostOfRow     = 2 // lines
)

// Write shows the visit on one screen: a row for each question, what would spoil a rating, and the verdict.
func (v *Visit) Write(w io.Writer) error {
	lines := []string{fmt.Sprintf("beff %s: the conditions of a run here", rating.Release)}
	for _, q := range questions {
		lines = append(lines, row(q.name, q.answer(v), mostOfRow)...)
	}
	found := v.findings()
	last := row("verdict", verdictOf(found), 1)
	for i, f := range found {
		next := append(row(f.spoils.String(), f.Text, mostOfRow), row("", "-> "+f.Remedy, mostOfRow)...)
		room := screenLines - len(lines) - len(last)
		if i < len(found)-1 {
			room-- // for how many there are more
		}
		if len(next) > room {
			lines = append(lines, row("", fmt.Sprintf("… and %d more", len(found)-i), 1)...)
			break
		}
		lines = append(lines, next...)
	}
	for _, line := range append(lines, last...) {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return fmt.Errorf("stdout: %w", err)
		}
	}
	return nil
}

// findings returns what would spoil a rating, the worst first.
func (v *Visit) findings() (list []finding) {
	for _, find := range finders {
		list = append(list, find(v)...)
	}
	slices.SortStableFunc(list, func(a, b finding) int { return int(a.spoils) - int(b.spoils) })
	return list
}
