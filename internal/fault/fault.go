// Package fault wraps an engine and makes one of its processes slow, wrong or dead. Only tests import it.
package fault

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
)

// Fault is a fault on one process of a job. Programs and runs are counted on that process, from 0. Nil functions have
// no effect.
type Fault struct {
	Rank    int                                           // in the world
	Compile func(n int, p *mpi.Program) *mpi.Program      // returns the program to compile instead of p
	Run     func(n int, run Run) (mpi.Measurement, error) // is called in place of run
	After   func(p *mpi.Program)                          // is called after each run without an error
}

// Run runs a program once.
type Run func() (mpi.Measurement, error)

// WrongByte makes the process expect wrong marks in its n-th program. Each run of the program finds a mismatch, if it
// checks anything that it receives.
func WrongByte(rank, n int) Fault {
	return Fault{Rank: rank, Compile: func(i int, p *mpi.Program) *mpi.Program {
		if i != n {
			return p
		}
		spoiled := *p
		spoiled.Places = slices.Clone(p.Places)
		for _, c := range p.Calls() {
			for place := c.Recv.First; c.Op == mpi.Check && place < c.Recv.First+c.Recv.Count; place++ {
				spoiled.Places[place].Mark.Key = p.Places[place].Mark.Key ^ 1
			}
		}
		return &spoiled
	}}
}

// WrongDelivery changes, after every run, a byte in the middle of the data that each call of op has delivered to the
// process, like a library that counts wrong. It doesn't change the marks, which a program checks itself. If the process
// receives nothing from the call, its unused place is changed.
func WrongDelivery(rank int, op mpi.Op) Fault {
	return Fault{Rank: rank, After: func(p *mpi.Program) {
		for _, c := range p.Calls() {
			side := c.Recv
			if op == mpi.Get || op == mpi.Rget {
				side = c.Send
			}
			for i := 0; c.Op == op && i < side.Count; i++ {
				spoil(p.Places[side.First+i])
			}
		}
	}}
}

// spoil changes a byte of a place, at each position that the place may have.
func spoil(place mpi.Place) {
	b, ok := place.Space.(mpi.Buffer)
	if !ok || place.Length == 0 {
		return
	}
	first, step := place.Offset, max(place.Step, place.Advance)
	switch {
	case step == 0:
		step = b.Size()
	case place.Advance > 0:
		first %= step
	}
	for at := first; at+place.Length <= b.Size(); at += step {
		b.Bytes()[at+place.Length/2] ^= 1
	}
}

// NoSpace makes a file call of the process fail, as on a full disk, in each run during which full returns true.
func NoSpace(rank int, full func() bool) Fault {
	return Fault{Rank: rank, Run: func(_ int, run Run) (mpi.Measurement, error) {
		m, err := run()
		if err == nil && full() {
			m.Failure = &mpi.Error{Call: mpi.FileWrite.String(), Rank: rank,
				Text: "no space left on device: 512 of 1024 bytes were written"}
		}
		return m, err
	}}
}

// Inject returns e with faults. It has files, windows and interruption if e has them. Every process wraps its own
// engine and passes the faults of all processes.
func Inject(e mpi.Engine, faults ...Fault) mpi.Engine {
	f := &faulty{Engine: e}
	for _, fault := range faults {
		if fault.Rank == e.World().Rank() {
			f.faults = append(f.faults, fault)
		}
	}
	return f
}

type faulty struct {
	mpi.Engine
	faults         []Fault
	programs, runs int
}

var (
	_ mpi.Files       = (*faulty)(nil)
	_ mpi.Windows     = (*faulty)(nil)
	_ mpi.Interrupter = (*faulty)(nil)
)

func (f *faulty) OpenFile(c mpi.Comm, path string, mode mpi.FileMode, hints []mpi.Hint) (mpi.File, error) {
	files, ok := f.Engine.(mpi.Files)
	if !ok {
		return nil, fmt.Errorf("open %s: the engine has no files", path)
	}
	return files.OpenFile(c, path, mode, hints)
}

func (f *faulty) NewWindow(c mpi.Comm, b mpi.Buffer) (mpi.Window, error) {
	windows, ok := f.Engine.(mpi.Windows)
	if !ok {
		return nil, fmt.Errorf("new window: the engine has none")
	}
	return windows.NewWindow(c, b)
}

func (f *faulty) Allocate(c mpi.Comm, size int64) (mpi.Window, mpi.Buffer, error) {
	windows, ok := f.Engine.(mpi.Windows)
	if !ok {
		return nil, nil, fmt.Errorf("allocate window: the engine has none")
	}
	return windows.Allocate(c, size)
}

func (f *faulty) Interrupt() {
	if i, ok := f.Engine.(mpi.Interrupter); ok {
		i.Interrupt()
	}
}

func (f *faulty) Compile(p *mpi.Program) (mpi.Runner, error) {
	n := f.programs
	f.programs++
	for _, fault := range f.faults {
		if fault.Compile != nil {
			p = fault.Compile(n, p)
		}
	}
	r, err := f.Engine.Compile(p)
	if err != nil {
		return nil, err
	}
	return &faultyRunner{r, f, p}, nil
}

type faultyRunner struct {
	mpi.Runner
	f       *faulty
	program *mpi.Program
}

// Run nests the faults, the first one innermost.
func (r *faultyRunner) Run(loops mpi.Loops) (mpi.Measurement, error) {
	n := r.f.runs
	r.f.runs++
	run := Run(func() (mpi.Measurement, error) { return r.Runner.Run(loops) })
	for _, fault := range r.f.faults {
		if inner := run; fault.Run != nil {
			run = func() (mpi.Measurement, error) { return fault.Run(n, inner) }
		}
	}
	m, err := run()
	for _, fault := range r.f.faults {
		if fault.After != nil && err == nil {
			fault.After(r.program)
		}
	}
	return m, err
}
