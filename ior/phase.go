package ior

import (
	"errors"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
)

// The moments of a phase on a process, by pairs of a begin and an end.
const (
	openBegins = iota
	openEnds
	moveBegins
	moveEnds
	closeBegins
	closeEnds
	moments
)

// phase is one access of a repetition on one process.
type phase struct {
	*measurer
	s      *Settings
	access Access
	test   int
	path   string
	where  string

	begin   time.Time        // when the process left the barrier
	lost    float64          // seconds that aren't counted
	at      [moments]float64 // seconds since begin
	file    mpi.File
	done    int64 // transfers
	wall    wall
	wrong   int64
	first   *mpi.Mismatch
	failure error
}

// wall is what a process has done at the stonewall.
type wall struct {
	transfers int64
	seconds   float64
}

// mark keeps a moment.
func (x *phase) mark(moment int) { x.at[moment] = x.now() }

func (x *phase) now() float64 { return x.Now().Sub(x.begin).Seconds() - x.lost }

// aside does something that isn't counted.
func (x *phase) aside(f func() error) error {
	began := x.Now()
	err := f()
	x.lost += x.Now().Sub(began).Seconds()
	return err
}

// fail keeps the first error of the process, with the path.
func (x *phase) fail(err error) {
	if err != nil && x.failure == nil {
		x.failure = fmt.Errorf("%s: %w", x.path, err)
	}
}

// together reports whether all processes have one file open together.
func (x *phase) together() bool { return x.s.API == MPIIO && !x.s.FilePerProcess }

// measure opens the file, moves the data and closes it. What fails on one process ends the phase on all of them.
func (x *phase) measure() error {
	if err := x.World.Barrier(); err != nil {
		return err
	}
	x.begin = x.Now()
	x.mark(openBegins)
	x.fail(x.open())
	x.mark(openEnds)
	if x.together() {
		failed := x.failure
		if err := x.aside(func() error { return x.agree(x.where, failed) }); err != nil {
			return err // some may have it open, which can't be closed without the others
		}
	}
	if err := x.barrier(); err != nil {
		return err
	}
	x.mark(moveBegins)
	if err := x.moveAll(); err != nil {
		return err
	}
	x.mark(moveEnds)
	if err := x.barrier(); err != nil {
		return err
	}
	x.mark(closeBegins)
	if x.file != nil {
		x.fail(x.file.Close())
	}
	x.mark(closeEnds)
	if err := x.World.Barrier(); err != nil {
		return err
	}
	return x.agree(x.where, x.failure)
}

// barrier is one between the parts of a phase, if the test has these.
func (x *phase) barrier() error {
	if !x.s.Barriers {
		return nil
	}
	return x.World.Barrier()
}

// modes are the modes in which files are opened. What is there was looked for before.
var modes = map[Access]mpi.FileMode{Write: mpi.Create | mpi.ReadWrite, Read: mpi.ReadOnly}

// open opens the file: on all processes together, or on this one alone.
func (x *phase) open() (err error) {
	c, mode := x.self, modes[x.access]
	if x.together() {
		c = x.World
	}
	if x.s.API == POSIX {
		mode |= mpi.POSIX
	}
	x.file, err = x.files.OpenFile(c, x.path, mode, nil)
	if err != nil {
		x.file = nil
	}
	return err
}

// moveAll moves the data until all is moved, or until the stonewall and the wear-out behind it.
func (x *phase) moveAll() error {
	target := x.target()
	if err := x.move(target, target, x.s.Stonewall); err != nil {
		return err
	}
	if x.s.Stonewall > 0 {
		x.wall = wall{x.done, x.now() - x.at[moveBegins]}
		if x.s.WearOut {
			largest := []float64{float64(x.done)}
			if err := x.World.Allreduce(largest, mpi.Max); err != nil {
				return err
			}
			if err := x.move(int64(largest[0]), target, 0); err != nil {
				return err
			}
		}
	}
	if x.access == Write && x.s.Sync && x.file != nil {
		x.fail(x.file.Sync())
	}
	return nil
}

// target returns the transfers of each process: of reading no more than were written.
func (x *phase) target() int64 {
	all, of := x.s.Transfers(), x.test
	if x.access == Write {
		return all
	}
	for i := range x.plan.Tests {
		if x.s.Of != "" && x.plan.Tests[i].Name == x.s.Of {
			of = i
		}
	}
	if reached, known := x.reached[of]; known {
		return min(all, reached*x.plan.Tests[of].Transfer/x.s.Transfer)
	}
	return all
}

// move makes transfers up to a number of them, of all that there are, for some seconds since the first one; 0: without
// a limit of time.
func (x *phase) move(target, all int64, seconds float64) error {
	for x.done < target && x.failure == nil {
		l := mpi.Loops{}
		if seconds > 0 {
			if l.Budget = seconds - (x.now() - x.at[moveBegins]); l.Budget <= 0 {
				return nil
			}
		}
		writer := x.writer(x.s, x.access)
		of := x.s.steps(writer, x.World.Size(), x.done, all)
		per := int64(len(of.offsets))
		l.Timed = min(of.loops, (target-x.done+per-1)/per)
		var runner mpi.Runner
		err := x.aside(func() (err error) {
			runner, err = x.Engine.Compile(x.s.program(x.World, x.access, x.file, x.memory, of, writer))
			return err
		})
		if err != nil {
			return err
		}
		got, err := runner.Run(l)
		if err != nil {
			return err
		}
		_ = x.aside(func() error { runner.Close(); return nil })
		x.done += got.Loops * per
		if x.wrong += got.Wrong; x.first == nil {
			x.first = got.Mismatch
		}
		if got.Failure != nil {
			x.fail(x.named(got.Failure))
		}
		if got.Loops < l.Timed {
			return nil
		}
	}
	return nil
}

// posixNames are the calls of the C library that stand for those of programs.
var posixNames = map[string]string{"MPI_File_write_at": "pwrite", "MPI_File_read_at": "pread", "MPI_File_sync": "fsync"}

// named returns a failure with the name of the call that was made.
func (x *phase) named(failure *mpi.Error) error {
	of := *failure
	if name := posixNames[of.Call]; x.s.API == POSIX && name != "" {
		of.Call = name
	}
	return &of
}

// keep reduces the times and adds the sample.
func (x *phase) keep(n int) error {
	latency := math.Inf(1)
	if x.done > 0 {
		latency = (x.at[moveEnds] - x.at[moveBegins]) / float64(x.done)
	}
	mine := float64(x.World.Size())
	if x.first != nil {
		mine = float64(x.World.Rank())
	}
	most := []float64{-latency, -float64(x.done), float64(x.done), -float64(x.wall.transfers),
		float64(x.wall.transfers), x.wall.seconds, -mine}
	for i, at := range x.at {
		most = append(most, at*float64(2*(i%2)-1)) // begins are the earliest, ends the latest
	}
	sums := []float64{float64(x.done), float64(x.wrong), float64(x.wall.transfers)}
	if err := errors.Join(x.World.Allreduce(most, mpi.Max), x.World.Allreduce(sums, mpi.Sum)); err != nil {
		return err
	}
	if x.access == Write {
		x.reached[x.test] = int64(most[2])
		if !x.s.WearOut && x.s.Stonewall > 0 {
			x.reached[x.test] = int64(-most[1]) // what all have
		}
	}
	told := ""
	if teller := int(-most[6]); teller < x.World.Size() {
		var err error
		if told, err = job.From(x.World, teller, func() (string, error) {
			return fmt.Sprintf("%s: %v", x.path, x.first), nil
		}); err != nil {
			return err
		}
	}
	if !x.First() {
		return nil
	}
	at := most[7:]
	between := func(begin, end int) float64 { return nanoseconds(at[end] + at[begin]) }
	x.out.Samples = append(x.out.Samples, Sample{
		Test: x.test, Repetition: n, Access: x.access,
		Open: between(openBegins, openEnds), Move: between(moveBegins, moveEnds),
		Close: between(closeBegins, closeEnds), Seconds: between(openBegins, closeEnds),
		Latency: nanoseconds(-most[0]), Transfers: int64(sums[0]), Bytes: int64(sums[0]) * x.s.Transfer,
		Least: int64(-most[1]), Most: int64(most[2]), Wrong: int64(sums[1]), FirstWrong: told,
		WallTransfers: int64(sums[2]), WallLeast: int64(-most[3]), WallMost: int64(most[4]),
		WallSeconds: nanoseconds(most[5]),
	})
	x.out.WallSeconds = x.earlier + x.Seconds()
	x.Keep(*x.out)
	return nil
}

// nanoseconds rounds a time.
func nanoseconds(seconds float64) float64 {
	if math.IsInf(seconds, 0) {
		return 0
	}
	return math.Round(seconds*1e9) / 1e9
}

// absent returns an error if a file is there that would be overwritten.
func absent(path string) error {
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s is there: remove it, or give -E to write over it", path)
	} else if !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
