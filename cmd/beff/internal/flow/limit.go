package flow

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/host"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/size"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/rating"
)

// wallLimit is a time at which a batch system or the user wants the run to end.
type wallLimit struct {
	left time.Duration
	by   string // the batch system's name for it (empty: the user's limit)
}

// margin is the time before the end of a batch job in which no measurement begins.
const margin = 30 * time.Second

// batch holds for each batch system a function that finds the end of the job in the environment. It returns false if
// the job belongs to another system.
var batch = []struct {
	name string
	left func(getenv func(string) string, now time.Time) (time.Duration, bool)
}{
	{"SLURM_JOB_END_TIME", slurm},
	{"PBS_WALLTIME", pbs},
}

// slurm reads the end of the job in seconds since 1970, which Slurm sets in versions after 22.05.
func slurm(getenv func(string) string, now time.Time) (time.Duration, bool) {
	end, err := strconv.ParseInt(getenv("SLURM_JOB_END_TIME"), 10, 64)
	if err != nil {
		return 0, false
	}
	return time.Unix(end, 0).Sub(now), true
}

// pbs reads the seconds that the job may take (Torque). The job began with its script, the first of this
// user's processes among the ancestors of this one.
func pbs(getenv func(string) string, now time.Time) (time.Duration, bool) {
	seconds, err := strconv.ParseInt(getenv("PBS_WALLTIME"), 10, 64)
	if err != nil {
		return 0, false
	}
	return host.JobBegan("/", now).Add(time.Duration(seconds) * time.Second).Sub(now), true
}

// limits returns the nearest limit of this run. ok is false if there is none. longest is the longest duration that the
// benchmark's plan allows, 0 if it has no limit.
func limits(wall *size.Time, longest time.Duration, getenv func(string) string, now time.Time) (l wallLimit, ok bool) {
	if longest > 0 {
		l, ok = wallLimit{longest, ""}, true
	}
	if wall != nil && (!ok || time.Duration(*wall)-now.Sub(begun) < l.left) {
		l, ok = wallLimit{time.Duration(*wall) - now.Sub(begun), ""}, true
	}
	for _, b := range batch {
		if left, found := b.left(getenv, now); found && (!ok || left-margin < l.left) {
			l, ok = wallLimit{left - margin, b.name}, true
		}
	}
	return l, ok
}

// Left returns the time until the user's or a batch system's limit, and its name. ok is false without a limit.
func (f *Files) Left() (left time.Duration, by string, ok bool) {
	l, ok := limits(f.Wall, 0, os.Getenv, time.Now())
	if l.by == "" {
		l.by = "--wall"
	}
	return l.left, l.by, ok
}

// begun is the time at which this process began.
var begun = time.Now()

// left returns a function for the time left, or nil without a limit. It prints a batch system's limit.
func (r *run[M]) left() func() time.Duration {
	if !r.first() {
		return nil
	}
	longest := time.Duration(0)
	if b, is := r.benchmark.(Bounded); is {
		longest = b.Longest()
	}
	now := time.Now()
	l, ok := limits(r.spec.Flags.Wall, longest, os.Getenv, now)
	if !ok {
		return nil
	}
	if l.by != "" {
		fmt.Fprintf(r.Stderr, "beff: by %s this run has %v left: beff begins nothing that doesn't fit\n", l.by,
			max(l.left, 0).Round(time.Second))
	}
	return func() time.Duration { return l.left - time.Since(now) }
}

// soonest is the time that a run always has, even if its limit is over when it begins.
const soonest = 5 * time.Second

// bound ends the run when no time is left, even in the middle of a measurement: a library call can't be interrupted,
// and may take far longer than the calls before it. release ends the bound.
func (r *run[M]) bound(left func() time.Duration) (release func()) {
	if left == nil {
		return func() {}
	}
	released := false // guarded by r.mu
	timer := time.AfterFunc(max(left(), soonest), func() {
		r.interrupt()
		r.endWithin(exit.Unfinished, rating.ErrWall, func() bool { // the directory's guard removes it
			if released || !r.cut(rating.ErrWall, ", in the middle of a "+r.benchmark.Unit()) {
				return false
			}
			if r.benchmark.Samples(r.kept) > 0 {
				r.out.PrintResume(r.Stderr)
			}
			return true
		})
	})
	return func() {
		timer.Stop()
		r.mu.Lock()
		defer r.mu.Unlock()
		released = true
	}
}

// interrupt ends the current loop, and gives the run the time to end in order.
func (r *run[M]) interrupt() {
	if i, ok := r.Engine.(mpi.Interrupter); ok {
		i.Interrupt()
	}
	time.Sleep(grace)
}

// grace is the time in which a run may end in order after a signal. A launcher kills its processes a second after it
// has signalled them.
const grace = 400 * time.Millisecond
