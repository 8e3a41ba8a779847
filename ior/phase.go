package ior

import (
	"errors"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/rating/pagecache"
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

	target  int64            // transfers of each process
	all     int64            // those that the order is made of
	begin   time.Time        // when the process left the barrier
	lost    float64          // seconds that aren't counted
	at      [moments]float64 // seconds since begin
	file    mpi.File
	done    int64 // transfers
	full    bool  // the room for files has ended it
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

// fail keeps the first error of the process. Errors of files name their paths.
func (x *phase) fail(err error) {
	if x.failure == nil {
		x.failure = err
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
	if x.together() {
		failed := x.failure
		if err := x.aside(func() error { return x.agree(x.where, failed) }); err != nil {
			return err // some may have it open, which can't be closed without the others
		}
	}
	if x.s.API == MPIIO && x.access == Write && x.file != nil {
		x.fail(x.file.Truncate()) // as IOR does; ext4 then begins to write the data when the file is closed
	}
	x.mark(openEnds)
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
	if err := x.aside(x.checkLength); err != nil {
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
	} else {
		mode |= mpi.UniqueOpen // as IOR
	}
	x.file, err = x.files.OpenFile(c, x.path, mode, nil)
	if err != nil {
		x.file = nil
	}
	return err
}

// moveAll moves the data until all is moved, or until the stonewall and the wear-out behind it.
func (x *phase) moveAll() error {
	if err := x.move(x.target, x.s.Stonewall); err != nil {
		return err
	}
	if x.s.Stonewall > 0 {
		x.wall = wall{x.done, x.now() - x.at[moveBegins]}
		x.full = x.access == Write && x.done == x.target && x.target < x.s.Transfers()
		if x.s.WearOut {
			largest, err := x.Most(float64(x.done))
			if err != nil {
				return err
			}
			if err := x.move(int64(largest), 0); err != nil {
				return err
			}
		}
	}
	if x.access == Write && x.s.Sync && x.file != nil {
		x.fail(x.file.Sync())
	}
	return nil
}

// aim sets the transfers of each process, and all those that its order is made of. Reading makes no more than were
// written, and a stonewall's writing no more than there is room for. All processes know the same.
func (x *phase) aim() error {
	x.all = x.s.Transfers()
	if x.access == Write {
		room, err := x.room(x.test, x.s.Transfer)
		x.target = min(x.all, room)
		return err
	}
	x.target = x.all
	of := x.plan.maker(x.test)
	if reached, known := x.reached[of]; known {
		x.target = min(x.all, reached*x.plan.Tests[of].Transfer/x.s.Transfer)
		if of != x.test { // else it is in the order in which it was written
			x.all = x.target
		}
	}
	return nil
}

// shortLoop is the seconds that a loop should take which a stonewall may end.
const shortLoop = 5e-3

// move makes transfers up to a number of them, for some seconds since the first one; 0: without a limit of time. Before
// a stonewall a loop has as many transfers as the ones before it allow.
func (x *phase) move(target int64, seconds float64) error {
	most := int64(batch)
	if seconds > 0 {
		most = 1
	}
	for {
		l := mpi.Loops{}
		if seconds > 0 {
			l.Budget = seconds - (x.now() - x.at[moveBegins])
		}
		in := seconds == 0 || l.Budget > 0
		if more, err := x.more(in && x.done < target && x.failure == nil); err != nil || !more {
			return err
		}
		got, per, err := x.run(&l, target-x.done, most)
		if err != nil {
			return err
		}
		x.done += got.Loops * per
		if x.wrong += got.Wrong; x.first == nil {
			x.first = got.Mismatch
		}
		if got.Failure != nil {
			x.fail(got.Failure)
		}
		if got.Loops < l.Timed {
			return nil
		}
		switch each := got.Seconds / float64(max(got.Loops, 1)); {
		case seconds == 0 || x.inStep(): // whose processes make the same loops
		case each < shortLoop:
			most = min(4*most, batch)
		case each > 4*shortLoop:
			most = max(most/4, 1)
		}
	}
}

// run makes some of the transfers that are left by a program, in loops whose number it sets. It returns how many one of
// them has.
func (x *phase) run(l *mpi.Loops, left, most int64) (got mpi.Measurement, per int64, err error) {
	writer := x.writer(x.s, x.access)
	of := x.s.steps(writer, x.World.Size(), x.done, x.all, min(most, left))
	per = int64(len(of.offsets))
	l.Timed = min(of.loops, left/per)
	var runner mpi.Runner
	err = x.aside(func() (err error) {
		runner, err = x.Engine.Compile(x.s.program(x.World, x.access, x.file, x.memory, of, writer))
		return err
	})
	if err != nil {
		return got, per, err
	}
	if got, err = runner.Run(*l); err != nil {
		return got, per, err
	}
	return got, per, x.aside(func() error { runner.Close(); return nil })
}

// inStep reports whether all processes make the same transfers at the same time.
func (x *phase) inStep() bool { return x.s.Collective && !x.s.FilePerProcess }

// more reports whether this process makes further transfers. Of processes in step all do, or none.
func (x *phase) more(own bool) (more bool, err error) {
	if !x.inStep() {
		return own, nil
	}
	err = x.aside(func() error {
		ends, err := x.Any(!own)
		more = !ends
		return err
	})
	return more, err
}

// checkLength notices a file that is shorter than what was written to it.
func (x *phase) checkLength() error {
	if x.access != Write || x.s.API != MPIIO {
		return nil
	}
	failed, err := x.Any(x.failure != nil)
	if err != nil || failed {
		return err
	}
	c := x.World
	if !x.together() {
		c = x.self
	}
	end := int64(0)
	if last := x.done - 1; last >= 0 && (x.done == x.s.Transfers() || !x.s.Random && !x.s.Scattered) {
		end = x.s.offset(x.World.Rank(), x.World.Size(), last) + x.s.Transfer
	}
	x.fail(job.CheckLength(c, x.file, x.path, x.s.call(Write), end))
	return nil
}

// glance looks at what this process reads: blocks of the file, or a part of one.
func (x *phase) glance() rating.Glance {
	if x.access != Read {
		return rating.Glance{}
	}
	writer, processes, bytes := x.writer(x.s, Read), x.World.Size(), x.target*x.s.Transfer
	if x.s.Scattered {
		bytes = x.s.Transfers() * x.s.Transfer
	}
	first := x.s.offset(writer, processes, 0)
	return rating.GlanceAt(x.path, pagecache.Part{Offset: first, Length: min(bytes, x.s.Block),
		Distance: x.s.offset(writer, processes, x.s.Block/x.s.Transfer) - first,
		Count:    (bytes + x.s.Block - 1) / x.s.Block})
}

// keep reduces the times and adds the sample.
func (x *phase) keep(n int, before rating.Glance) error {
	latency := math.Inf(1)
	if x.done > 0 {
		latency = (x.at[moveEnds] - x.at[moveBegins]) / float64(x.done)
	}
	mine := float64(x.World.Size())
	if x.first != nil {
		mine = float64(x.World.Rank())
	}
	full := 0.0
	if x.full {
		full = 1
	}
	most := []float64{-latency, -float64(x.done), float64(x.done), -float64(x.wall.transfers),
		float64(x.wall.transfers), x.wall.seconds, -mine, full}
	for i, at := range x.at {
		most = append(most, at*float64(2*(i%2)-1)) // begins are the earliest, ends the latest
	}
	sums := []float64{float64(x.done), float64(x.wrong), float64(x.wall.transfers)}
	if err := errors.Join(x.World.Allreduce(most, mpi.Max), x.World.Allreduce(sums, mpi.Sum)); err != nil {
		return err
	}
	if x.access == Write {
		x.reached[x.test] = (&Sample{Least: int64(-most[1]), Most: int64(most[2])}).all(x.s)
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
	var pages *rating.Pages
	if x.access == Read {
		var err error
		if pages, err = rating.SumPages(x.World, before, x.glance()); err != nil {
			return err
		}
	}
	if !x.First() {
		return nil
	}
	at := most[8:]
	between := func(begin, end int) float64 { return nanoseconds(at[end] + at[begin]) }
	x.add(Sample{
		Test: x.test, Repetition: n, Access: x.access,
		Open: between(openBegins, openEnds), Move: between(moveBegins, moveEnds),
		Close: between(closeBegins, closeEnds), Seconds: between(openBegins, closeEnds),
		Latency: nanoseconds(-most[0]), Transfers: int64(sums[0]), Bytes: int64(sums[0]) * x.s.Transfer,
		Least: int64(-most[1]), Most: int64(most[2]), Wrong: int64(sums[1]), FirstWrong: told,
		WallTransfers: int64(sums[2]), WallLeast: int64(-most[3]), WallMost: int64(most[4]),
		WallSeconds: nanoseconds(most[5]), Full: most[7] > 0, Pages: pages,
	})
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
