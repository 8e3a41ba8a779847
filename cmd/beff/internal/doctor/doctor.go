// Package doctor examines a job as a run would find it, and shows on one screen what would make a rating invalid, noisy
// or slow. It measures nothing.
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

// loadInterval is how long the doctor watches the other load of the hosts.
const loadInterval = time.Second

// Facts holds the facts that the doctor collected, on rank 0.
type Facts struct {
	plugins  []plugins.Plugin
	launcher *launch.Launcher
	library  mpi.Library
	layout   *job.Layout
	env      *rating.Environment // with Conditions
	load     *rating.Load

	directory beffio.FileSystem
	unfit     error // the directory isn't shared, or can't be written to
}

// Collect examines a job whose files would be in directory. It is collective, and returns nil on all ranks but the
// first.
func Collect(j *flow.Job, directory string) (*Facts, error) {
	e, layout := j.Engine, j.Layout
	meter := host.NewMeter("/")
	time.Sleep(loadInterval)
	uses, err := host.Gather(e.World(), layout, meter.Use())
	if err != nil {
		return nil, err
	}
	env, err := j.Environment(directory)
	if err != nil {
		return nil, err
	}
	unfit := checkDirectory(j, directory)
	f := &Facts{launcher: j.Launcher, library: e.Library(), layout: layout, env: env, unfit: unfit}
	if e.World().Rank() > 0 {
		return nil, nil
	}
	f.load = host.Load(layout, host.Governor("/"), uses)
	if !f.separate() {
		f.plugins = j.Plugins()
	}
	if f.directory, err = scratch.Facts(directory); err != nil {
		f.unfit = err
	}
	if path, err := filepath.Abs(directory); err == nil {
		f.directory.Directory = path
	}
	return f, nil
}

// checkDirectory returns why a directory is unfit for the files of a job: rank 0 can't create a subdirectory in it, or
// other ranks don't see the subdirectory. All ranks get the same error.
func checkDirectory(j *flow.Job, directory string) error {
	dir, err := j.Share(directory, false)
	if err != nil {
		return err
	}
	return job.Do(j.Engine.World(), dir.Remove)
}

// separate reports whether each rank is a process of its own.
func (f *Facts) separate() bool { return f.library.Kind().Distributed }

// The size of the screen.
const (
	screenLines   = 25
	screenColumns = 80
	labelColumns  = 11
	maxRowLines   = 2
)

// Write shows the facts on one screen: a row for each question, the findings, and the verdict.
func (f *Facts) Write(w io.Writer) error {
	lines := []string{fmt.Sprintf("beff %s: the conditions of a run here", rating.Release)}
	for _, q := range questions {
		if answer := q.answer(f); answer != "" {
			lines = append(lines, row(q.name, answer, maxRowLines)...)
		}
	}
	found := f.findings()
	last := row("verdict", verdictOf(found), 1)
	for i, x := range found {
		next := append(row(x.severity.String(), x.Text, maxRowLines), row("", "-> "+x.Remedy, maxRowLines)...)
		room := screenLines - len(lines) - len(last)
		if i < len(found)-1 {
			room-- // for the number of findings left out
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

// findings returns the findings, the worst first.
func (f *Facts) findings() (list []finding) {
	for _, find := range finders {
		list = append(list, find(f)...)
	}
	slices.SortStableFunc(list, func(a, b finding) int { return int(a.severity) - int(b.severity) })
	return list
}
