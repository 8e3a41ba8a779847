package beffio

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/mpi"
)

// Engines that differ from others in one respect, and a schedule, for several tests.

// inTurn returns the Members of a scripted engine whose successive calls of Split make partitions of these sizes.
func inTurn(sizes ...int) func(color, size int) int {
	return func(int, int) int {
		size := sizes[0]
		sizes = sizes[1:]
		return size
	}
}

// inside returns a program with the engine's own files in place of files of type F.
func inside[F mpi.Space](p *mpi.Program, file func(F) mpi.File) *mpi.Program {
	own := *p
	own.Places = slices.Clone(p.Places)
	for i := range own.Places {
		if f, ok := own.Places[i].Space.(F); ok {
			own.Places[i].Space = file(f)
		}
	}
	return &own
}

// viewless is an engine whose files fail to set a view after some calls. It counts the open programs.
type viewless struct {
	mpi.Engine
	views, fails int // calls so far, and first call that fails
	open         int
}

func (v *viewless) OpenFile(c mpi.Comm, path string, mode mpi.FileMode, hints []mpi.Hint) (mpi.File, error) {
	f, err := v.Engine.(mpi.Files).OpenFile(c, path, mode, hints)
	return &viewlessFile{f, v}, err
}

func (v *viewless) Compile(p *mpi.Program) (mpi.Runner, error) {
	r, err := v.Engine.Compile(inside(p, func(f *viewlessFile) mpi.File { return f.File }))
	v.open++
	return &counted{r, v}, err
}

type counted struct {
	mpi.Runner
	v *viewless
}

func (c *counted) Close() {
	c.v.open--
	c.Runner.Close()
}

type viewlessFile struct {
	mpi.File
	v *viewless
}

func (f *viewlessFile) SetView(view mpi.View, hints []mpi.Hint) error {
	err := f.File.SetView(view, hints) // which all processes call together
	if f.v.views++; f.v.fails > 0 && f.v.views >= f.v.fails {
		return &mpi.Error{Call: "MPI_File_set_view", Rank: 1, Text: "no view"}
	}
	return err
}

// shortened is an engine whose files seem 8 bytes shorter than they are.
type shortened struct {
	mpi.Engine
	fewer func() bool
}

type shortenedFile struct {
	mpi.File
	fewer func() bool
}

func (s shortened) OpenFile(c mpi.Comm, path string, mode mpi.FileMode, hints []mpi.Hint) (mpi.File, error) {
	f, err := s.Engine.(mpi.Files).OpenFile(c, path, mode, hints)
	return shortenedFile{f, s.fewer}, err
}

func (s shortened) Compile(p *mpi.Program) (mpi.Runner, error) {
	return s.Engine.Compile(inside(p, func(f shortenedFile) mpi.File { return f.File }))
}

func (s shortenedFile) Length() (int64, error) {
	length, err := s.File.Length()
	if s.fewer() {
		length -= 8
	}
	return length, err
}

// hinted is a file with some hints in force.
type hinted struct {
	mpi.File
	list []mpi.Hint
}

func (h hinted) Hints() ([]mpi.Hint, error) { return h.list, nil }

// lengths is an engine whose files are 8 bytes shorter for some processes. It counts the calls that ask for a length.
type lengths struct {
	shortened
	asked func()
}

func (l lengths) OpenFile(c mpi.Comm, path string, mode mpi.FileMode, hints []mpi.Hint) (mpi.File, error) {
	fewer := l.fewer
	l.fewer = func() bool {
		l.asked()
		return fewer()
	}
	return l.shortened.OpenFile(c, path, mode, hints)
}

// noFiles is an engine without files; filesOnly has them, but not their calls.
type noFiles struct{ mpi.Engine }

type filesOnly struct{ *scripted.Engine }

func (filesOnly) Supports(op mpi.Op) bool { return op != mpi.FileWrite }

// ofHundred returns the schedule of a run of 100 s on 2 processes.
func ofHundred(t *testing.T) *schedule {
	plan, err := NewPlan(2, thousand(func(c *Config) { c.Duration = 100 * time.Second }))
	require.NoError(t, err)
	return newSchedule(plan, plan.items(0))
}
