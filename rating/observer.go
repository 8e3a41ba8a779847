package rating

import (
	"errors"
	"fmt"
	"time"

	"github.com/effective-bandwidth/beff/mpi"
)

// ErrStopped is the error of a measurement that ended early on request.
var ErrStopped = errors.New("stopped before the end")

// Observer is how the outside follows a measurement of any benchmark. M is what the benchmark measures. All functions
// may be nil.
type Observer[M any] struct {
	Now func() time.Time // the wall clock; nil: time.Now
	// Stop is called on every process after each sample. True on any of them ends the run with ErrStopped on all.
	Stop     func() bool
	Progress func(Progress) // called on process 0 before each sample
	// Keep is called on process 0 after each sample with all samples until then. They do not change any more, so that
	// another goroutine may read them.
	Keep func(M)
}

// Progress is how far a measurement is.
type Progress struct {
	Doing   string // what is measured now, in a few words
	Elapsed time.Duration
	Left    time.Duration // a guess
	Part    float64       // of the work, 0 to 1
}

// Process is one process of a run while it measures: what all benchmarks do alike there.
type Process[M any] struct {
	Engine mpi.Engine
	World  mpi.Comm
	watch  Observer[M]
	begin  time.Time
}

// NewProcess returns this process of a run that the outside watches.
func NewProcess[M any](e mpi.Engine, watch Observer[M]) Process[M] {
	if watch.Now == nil {
		watch.Now = time.Now
	}
	return Process[M]{Engine: e, World: e.World(), watch: watch}
}

// Begin starts the run's clock on all processes together. Before that, setUp makes what this process needs, and its
// garbage is collected. The plan must be for as many processes as there are.
func (p *Process[M]) Begin(planned int, setUp func() error) error {
	if p.World.Size() != planned {
		return fmt.Errorf("measure: plan for %d processes, job of %d", planned, p.World.Size())
	}
	if err := setUp(); err != nil {
		return fmt.Errorf("measure: %w", err)
	}
	if err := p.Engine.Collect(); err != nil {
		return err
	}
	if err := p.World.Barrier(); err != nil {
		return err
	}
	p.begin = p.watch.Now()
	return nil
}

// First reports whether this is process 0, which has the samples.
func (p *Process[M]) First() bool { return p.World.Rank() == 0 }

// Now returns the wall clock's time.
func (p *Process[M]) Now() time.Time { return p.watch.Now() }

// Elapsed returns the time since Begin.
func (p *Process[M]) Elapsed() time.Duration { return p.watch.Now().Sub(p.begin) }

// Seconds returns Elapsed in seconds.
func (p *Process[M]) Seconds() float64 { return p.Elapsed().Seconds() }

// Keep gives the outside what process 0 has measured until now.
func (p *Process[M]) Keep(m M) {
	if p.watch.Keep != nil && p.First() {
		p.watch.Keep(m)
	}
}

// Progress tells the outside how far process 0 is. Tell fills in what it knows besides the time that has elapsed.
func (p *Process[M]) Progress(tell func(*Progress)) {
	if p.watch.Progress == nil || !p.First() {
		return
	}
	at := Progress{Elapsed: p.Elapsed()}
	tell(&at)
	p.watch.Progress(at)
}

// Wish returns 1 if the outside wants this process to stop, else 0: for a reduction to the maximum, whose result goes
// to Stopped.
func (p *Process[M]) Wish() float64 {
	if p.watch.Stop != nil && p.watch.Stop() {
		return 1
	}
	return 0
}

// Stopped returns ErrStopped, as an *mpi.AgreedError, if any process wished it.
func Stopped(wish float64) error {
	if wish > 0 {
		return &mpi.AgreedError{Err: ErrStopped}
	}
	return nil
}
