package flow

import (
	"fmt"
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/host"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/launch"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/noise"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/whatif"
)

// startTimes returns the ages of the launcher and of this process, and the time that the first barrier then takes. It
// returns nil if no launcher starts the processes.
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

// load measures the other load of the hosts since the meter began. It is collective.
func (r *run[M]) load() error {
	var use host.Use
	if r.meter != nil {
		use = r.meter.Use()
	}
	uses, err := host.Gather(r.Engine.World(), r.Layout, use)
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

// watchNoise measures the noise before the run, if the user wants it. It is collective.
func (r *run[M]) watchNoise() (err error) {
	wanted := r.spec.Flags.Noise
	if wanted == nil {
		return nil
	}
	seconds := time.Duration(*wanted).Seconds()
	if !(seconds > 0 && seconds <= maxWatched) {
		return &mpi.AgreedError{Err: exit.Misuse("--noise: want a time up to %d s", maxWatched)}
	}
	if Simulation(r.Engine) != nil {
		return &mpi.AgreedError{Err: exit.Misuse("--noise: nothing disturbs a simulated machine")}
	}
	r.noise, err = noise.Measure(r.Engine, rating.Detours, seconds)
	return err
}

// BusyInterval is how long a run watches other programs before it measures. 0 disables it. Tests set it, because their
// output must not depend on other programs.
var BusyInterval = 200 * time.Millisecond

// warnBusy prints a line if other programs keep processors of a host busy while these processes wait. root is "/"
// except in tests. It is collective. Rank 0 receives the use of each process, as at the end of a run.
func (j *Job) warnBusy(root string) error {
	var use host.Use
	if j.first() || j.Engine.Library().Kind().Distributed { // the ranks of one process see the same
		m := host.NewMeter(root)
		time.Sleep(BusyInterval)
		use = m.Use()
	}
	uses, err := host.Gather(j.Engine.World(), j.Layout, use)
	if err != nil || !j.first() {
		return err
	}
	if text := host.Load(j.Layout, "", uses).Busy(); text != "" {
		fmt.Fprintf(j.Stderr, "beff: %s\n", text)
	}
	return nil
}

// maxWatched limits the time of --noise, in seconds.
const maxWatched = 600

// collectFacts collects the facts about the hosts, or about the model machine, and about their other load, for the
// result. It is collective.
func (r *run[M]) collectFacts(system rating.System) (err error) {
	r.about = rating.Run{Version: rating.Release, Library: r.Engine.Library(), Resolution: r.Engine.Clock().Resolution,
		System: system, Started: time.Now().Truncate(time.Second)}
	if s := Simulation(r.Engine); s != nil {
		r.about.Host, r.about.Layout, r.about.Started = whatif.HostOf(s), *r.Layout, s.Now()
	} else {
		if BusyInterval > 0 {
			if err := r.warnBusy("/"); err != nil {
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
			r.warnLocks()
		}
	}
	if err := r.watchNoise(); err != nil {
		return err
	}
	r.display()
	return nil
}

// warnLocks prints a line if files can't be locked in the directory of the run, because ROMIO then ends the job.
func (r *run[M]) warnLocks() {
	for _, c := range rating.Causes(&rating.Evidence{Engine: r.about.Library, Environment: r.about.Environment}) {
		if c.Code == rating.Locks {
			fmt.Fprintf(r.Stderr, "beff: %s. Remedy: %s\n", c.Text, c.Remedy)
		}
	}
}
