package flow

import (
	"fmt"
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/host"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/launch"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/probe/noise"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/whatif"
)

// startTimes returns how long it took until MPI was initialized on this process, and from then to the end of the first
// barrier of all. It is nil where processes aren't started by a launcher.
func startTimes(e mpi.Engine) (*rating.Startup, error) {
	if !e.Library().Kind().Distributed {
		return nil, nil
	}
	var s rating.Startup
	s.Launcher, s.Process = launch.Ages()
	begin := time.Now()
	err := e.World().Barrier()
	s.Barrier = rating.Picoseconds(time.Since(begin).Seconds())
	return &s, err
}

// load finds what else the hosts did since the meter began. All processes call it.
func (r *run[M]) load() error {
	uses, err := job.Gather(r.Engine.World(), r.meter.Use())
	if err != nil || !r.first() {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.about.Load = host.Load(&r.about.Layout, host.Governor("/"), uses)
	if r.about.Load != nil {
		r.about.Load.Noise = r.noise
	}
	return nil
}

// watchNoise finds what something else takes from the processes before the run, if that is wanted. All processes call
// it.
func (r *run[M]) watchNoise() (err error) {
	wanted := r.order.Flags.Noise
	if wanted == nil {
		return nil
	}
	seconds := time.Duration(*wanted).Seconds()
	if !(seconds > 0 && seconds <= mostWatched) {
		return &mpi.AgreedError{Err: exit.Misuse("--noise: want a time up to %d s", mostWatched)}
	}
	if Simulation(r.Engine) != nil {
		return &mpi.AgreedError{Err: exit.Misuse("--noise: nothing disturbs a simulated machine")}
	}
	r.noise, err = noise.Measure(r.Engine, rating.Detours, seconds)
	return err
}

// LookFor is how long a run watches other programs before it measures; 0 disables it. Tests set it, because their
// output must not depend on other programs.
var LookFor = 200 * time.Millisecond

// tellBusy prints a line if other programs keep processors of a host busy while these processes wait. root is "/"
// except in tests. It is collective; rank 0 receives the use of each process, as at the end of a run.
func (j *Job) tellBusy(root string) error {
	var use host.Use
	if j.first() || j.Engine.Library().Kind().Distributed { // ranks of one process see the same
		m := host.NewMeter(root)
		time.Sleep(LookFor)
		use = m.Use()
	}
	uses, err := job.Gather(j.Engine.World(), use)
	if err != nil || !j.first() {
		return err
	}
	if text := host.Load(j.Layout, "", uses).Busy(); text != "" {
		fmt.Fprintf(j.Stderr, "beff: %s\n", text)
	}
	return nil
}

// mostWatched is the most seconds of a look at the noise.
const mostWatched = 600

// lookAround finds what the result says of the hosts, or of the machine that is a model, and of what disturbs them. All
// processes call it.
func (r *run[M]) lookAround(system rating.System) (err error) {
	r.about = rating.Run{Version: rating.Release, Library: r.Engine.Library(), Resolution: r.Engine.Clock().Resolution,
		System: system, Started: time.Now().Truncate(time.Second)}
	if s := Simulation(r.Engine); s != nil {
		r.about.Host, r.about.Layout, r.about.Started = whatif.HostOf(s), *r.Layout, s.Now()
	} else {
		if LookFor > 0 {
			if err := r.tellBusy("/"); err != nil {
				return err
			}
		}
		parent, _ := r.files()
		if r.about.Environment, err = r.Environment(parent); err != nil {
			return err
		}
		if r.first() {
			r.about.Host, r.about.Layout = host.Facts("/"), *r.Layout
			r.about.Environment.Startup = r.started
		}
	}
	if err := r.watchNoise(); err != nil {
		return err
	}
	r.display()
	return nil
}
