package rating

import (
	"errors"
	"fmt"
	"time"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
)

// ErrStopped is the error of a measurement that was stopped early on request.
var ErrStopped = errors.New("stopped before the end")

// ErrWall is the ErrStopped of a run whose next measurement didn't fit into the wall limit.
var ErrWall = fmt.Errorf("%w: the wall limit has come", ErrStopped)

// ErrUnderWay is the reason recorded for a run that has not ended, as far as its files show.
var ErrUnderWay = errors.New("it is still under way, or was killed")

// Observer holds the functions by which a caller follows a measurement of any benchmark. M is the type of the
// benchmark's samples. Any function may be nil.
type Observer[M any] struct {
	// Left returns the time until the wall limit. Process 0 calls it after each sample. A run whose next measurement
	// won't fit ends with ErrWall on all processes.
	Left func() time.Duration
	// Earlier is the outcome of earlier parts of the run, the same on all processes. It is not measured again.
	Earlier *M
	Now     func() time.Time // the wall clock; nil for time.Now
	// Waited returns the total of this process's waits that are over.
	Waited func() time.Duration
	// Stop is called on every process after each sample. If it returns true on any of them, the run ends with
	// ErrStopped on all.
	Stop func() bool
	// Failed is called on a process with its own error, before others know. It returns a function to call once they do.
	Failed   func(error) (known func())
	Progress func(Progress) // called on process 0 before each sample
	Begin    func(Stage)    // called on every process before each measurement
	// Keep is called on process 0 after each sample with all samples so far. They don't change until the next call has
	// returned, so another goroutine may read them until then.
	Keep func(M)
}

// Stage is a measurement that a process begins.
type Stage struct {
	// Words describes it in a few words. Any goroutine may call it at any time.
	Words func() string
	// Expected is the time that it should take, or 0 if not known.
	Expected time.Duration
	// Idle is true if the process only waits for others that measure.
	Idle bool
}

// Progress describes the progress of a measurement.
type Progress struct {
	Doing   string // the present measurement in a few words
	Elapsed time.Duration
	Worked  time.Duration // Elapsed without the times in which the process made no progress
	Left    time.Duration // an estimate
	Part    float64       // part of the run's working time, 0 to 0.99, which never decreases

	Estimate Value // estimate of the rating in bytes per second, by the whole passes so far; zero if there is none
}

// Process is one process of a run while it measures, with the parts that all benchmarks share.
type Process[M any] struct {
	Engine    mpi.Engine
	World     mpi.Comm
	watch     Observer[M]
	begin     time.Time
	requested time.Duration // time of the last StopRequest since begin
	recent    time.Duration // duration of the measurements before that
	part      float64       // of the last Progress
}

// NewProcess returns this process of a run observed by watch.
func NewProcess[M any](e mpi.Engine, watch Observer[M]) Process[M] {
	if watch.Now == nil {
		watch.Now = time.Now
	}
	return Process[M]{Engine: e, World: e.World(), watch: watch}
}

// Begin starts the run's clock on all processes together. Before that it calls setUp, which prepares this process, and
// collects garbage. It returns an error if the plan is for another number of processes.
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

// First reports whether this is process 0, which holds the samples.
func (p *Process[M]) First() bool { return p.World.Rank() == 0 }

// Now returns the wall clock's time.
func (p *Process[M]) Now() time.Time { return p.watch.Now() }

// Elapsed returns the time since Begin.
func (p *Process[M]) Elapsed() time.Duration { return p.watch.Now().Sub(p.begin) }

// Seconds returns Elapsed in seconds.
func (p *Process[M]) Seconds() float64 { return p.Elapsed().Seconds() }

// ReportError informs the observer of an error that the other processes don't know yet, if err isn't nil. The caller
// calls known once they do. They may never know, if they wait for this process in the call that failed here.
func (p *Process[M]) ReportError(err error) (known func()) {
	if err == nil || p.watch.Failed == nil {
		return func() {}
	}
	return p.watch.Failed(err)
}

// Agree does the same as job.Agree, and reports the error to the observer until all processes know of it.
func (p *Process[M]) Agree(c mpi.Comm, err error) error {
	defer p.ReportError(err)()
	return job.Agree(c, err)
}

// Execute compiles and runs a program. It doesn't close the runner after a failed call, because requests may be open.
func (p *Process[M]) Execute(program *mpi.Program, n mpi.Loops) (mpi.Measurement, error) {
	runner, err := p.Engine.Compile(program)
	if err != nil {
		return mpi.Measurement{}, err
	}
	got, err := runner.Run(n)
	if err == nil {
		runner.Close()
	}
	return got, err
}

// Release frees a run's buffers and communicators, which are nil where the process is outside. It returns the error
// that ended the run, joined with errors of freeing. If only one process has failed, others may still write into its
// memory, so nothing is freed until the job is aborted.
func (p *Process[M]) Release(err error, comms []mpi.Comm, buffers []mpi.Buffer) error {
	if err != nil && !mpi.Agreed(err) {
		return err
	}
	for _, c := range comms {
		if c != nil {
			err = errors.Join(err, c.Free())
		}
	}
	for _, b := range buffers {
		b.Free()
	}
	return err
}

// Most returns the maximum of value over all processes.
func (p *Process[M]) Most(value float64) (float64, error) {
	v := []float64{value}
	err := p.World.Allreduce(v, mpi.Max)
	return v[0], err
}

// Any reports whether yes is true on any process.
func (p *Process[M]) Any(yes bool) (bool, error) {
	value := 0.0
	if yes {
		value = 1
	}
	value, err := p.Most(value)
	return value > 0, err
}

// Stopped returns ErrStopped or ErrWall on all processes if an observer or an error of one of them ends the run.
func (p *Process[M]) Stopped(err error) error {
	request, failed := p.Most(max(p.StopRequest(), requestOf(err)))
	if failed != nil {
		return failed
	}
	return Stopped(request)
}

// Keep passes process 0's samples so far to the observer.
func (p *Process[M]) Keep(m M) {
	if p.watch.Keep != nil && p.First() {
		p.watch.Keep(m)
	}
}

// Progress reports process 0's progress to the observer. fill sets what is done, and how much time is left.
func (p *Process[M]) Progress(fill func(*Progress)) {
	if p.watch.Progress == nil || !p.First() {
		return
	}
	at := Progress{Elapsed: p.Elapsed()}
	at.Worked = at.Elapsed
	if p.watch.Waited != nil {
		at.Worked = max(at.Elapsed-p.watch.Waited(), 0)
	}
	fill(&at)
	const done = 99 // the highest percentage before the end, even if an estimate is exceeded
	if at.Left = max(at.Left, at.Worked/done); at.Left > 0 {
		p.part = max(p.part, float64(at.Worked)/float64(at.Worked+at.Left))
	}
	at.Part = p.part
	p.watch.Progress(at)
}

// Enter reports to the observer that this process begins a measurement, which should take some seconds, or 0 if not
// known. Other goroutines call words later, so it may use only values that don't change.
func (p *Process[M]) Enter(seconds float64, words func() string) {
	if p.watch.Begin != nil {
		p.watch.Begin(Stage{Words: words, Expected: time.Duration(seconds * float64(time.Second))})
	}
}

// Idle reports to the observer that this process waits while others measure.
func (p *Process[M]) Idle(words func() string) {
	if p.watch.Begin != nil {
		p.watch.Begin(Stage{Words: words, Idle: true})
	}
}

// Requests to stop. The largest over all processes counts.
const (
	proceed = iota
	stop
	wall
)

// StopRequest returns the observer's wish to stop as a number. Pass the maximum over the processes to Stopped.
func (p *Process[M]) StopRequest() float64 {
	took := p.Elapsed() - p.requested
	p.requested += took
	p.recent = max(took, p.recent/2)
	switch {
	case p.watch.Left != nil && p.First() && p.watch.Left() < longer*p.recent:
		return wall
	case p.watch.Stop != nil && p.watch.Stop():
		return stop
	}
	return proceed
}

// Fits reports, on process 0, whether this many seconds are left until the wall limit.
func (p *Process[M]) Fits(seconds float64) bool {
	return p.watch.Left == nil || p.watch.Left().Seconds() >= seconds
}

// longer is the factor by which the next measurement may take longer than the last ones.
const longer = 2

// Stopped returns ErrStopped or ErrWall, as an *mpi.AgreedError, if a process requested it.
func Stopped(request float64) error {
	switch request {
	case proceed:
		return nil
	case wall:
		return &mpi.AgreedError{Err: ErrWall}
	}
	return &mpi.AgreedError{Err: ErrStopped}
}

// requestOf returns the request that led to an error of Stopped, or the request to continue for any other error.
func requestOf(err error) float64 {
	switch {
	case errors.Is(err, ErrWall):
		return wall
	case errors.Is(err, ErrStopped):
		return stop
	}
	return proceed
}
