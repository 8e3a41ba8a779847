package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/host"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/launch"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/plain"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/progress"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/scratch"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/whatif"
)

// order holds the values of the flags that every command that measures has.
type order struct {
	measuring
	simulation launch.Simulation
	sessions   bool          // they are opened before MPI_Init
	threads    string        // level of thread support that MPI is asked for; empty: MPI_Init
	least      int           // ranks that the benchmark needs
	benchmark  string        // name in the documents
	none       report.Report // without a result: it says which documents there are
	telling
	asks bool // the command line says what is measured
}

// benchmark is a benchmark's part of the flow, with its plan made. M is the type of its measurement.
type benchmark[M any] struct {
	decided  any                                           // the value that all processes planned from
	room     int64                                         // bytes that all samples need in a journal, about
	unit     string                                        // the thing that a signal may come in the middle of
	describe func(w io.Writer) error                       // prints the plan
	parent   string                                        // directory for the benchmark's own files; empty: none
	keeps    bool                                          // its own files stay
	longest  time.Duration                                 // it never takes longer; 0: it has no bound
	live     bool                                          // show prints while it measures
	begin    func(stderr io.Writer)                        // prints notes before the measurement; nil: none
	measure  func(string, rating.Observer[M]) (*M, error)  // measures, with its own files in a directory
	samples  func(*M) int                                  // returns the number of samples
	seconds  func(*M) float64                              // returns the seconds that it measured
	since    func(now, before *M) (M, bool)                // returns the news of a measurement
	add      func(m *M, news M)                            // adds news
	trim     func(*M)                                      // drops what can't be gone on with
	report   func(*M, rating.Run) report.Report            // returns the result
	show     func(io.Writer, *M, rating.Run, moment) error // prints the news to stdout; nil: the rating at the end
	verdict  func(*M) error                                // returns the error of wrong data; nil: has none
}

// moment is the time of a call of show.
type moment int

const (
	underWay moment = iota
	final
)

// planner makes a benchmark's plan. All processes call it, and have the same plan then. Rank 0 alone has the layout,
// and the earlier part of a run that is gone on with.
type planner[M any] func(e mpi.Engine, layout *job.Layout, before *past) (*benchmark[M], error)

// measure is the flow of every command that measures: locate the processes, plan, open the output, measure, keep the
// samples, finish. The samples are kept, whatever ends the run.
func measure[M any](p *process, o *order, plan planner[M]) error {
	var system rating.System
	o.naming.apply(&system)
	if err := system.Check(); err != nil {
		return exit.With(exit.Usage, err)
	}
	printed := o.Output != nil && *o.Output == publish.Stdout // the document, and nothing else
	if printed {
		o.Output = nil
	}
	choice := launch.Choice{Engine: o.Engine, MPI: o.MPI, Threads: o.threads, Sessions: o.sessions,
		Simulation: o.simulation}
	return p.start(choice, o.Ranks, o.least, func(e mpi.Engine) error {
		started, err := startTimes(e)
		if err != nil {
			return err
		}
		layout, err := locate(e)
		if err != nil {
			return err
		}
		if err := o.mapNodes(e, layout); err != nil {
			return err
		}
		watcher, err := newWatcher(p, e, layout, o.rules())
		if err != nil {
			return err
		}
		defer watcher.stop()
		out := &publish.Output{Endings: publish.EndingsOf(o.none), Force: o.Force, Own: own(o.benchmark)}
		before, done, err := o.past(e, out, watcher, p.stderr)
		if err != nil || done {
			return err
		}
		b, err := plan(e, layout, before)
		if err != nil {
			return errors.Join(err, out.Leave())
		}
		if printed {
			b.live, b.show = false, b.atEnd(func(w io.Writer, r report.Report) error { return r.Sealed(w) })
		} else if b.show == nil {
			b.show = b.atEnd(func(w io.Writer, r report.Report) error {
				return o.tell(w, r, p.next(commands[o.benchmark], r, out))
			})
		}
		err = job.Do(e.World(), func() error { return o.prepare(p, watcher, out, before != nil, b.describe) })
		if err != nil || o.DryRun {
			return err
		}
		r := &recording[M]{process: p, benchmark: b, engine: e, out: out, watcher: watcher,
			about: rating.Run{
				Version: version, Library: e.Library(), Resolution: e.Clock().Resolution, System: system,
				Started: time.Now().Truncate(time.Second)}}
		if err := r.facts(layout); err != nil {
			return err
		}
		if r.about.Environment != nil {
			r.about.Environment.Startup = started
		}
		if err := r.watchNoise(o); err != nil {
			return err
		}
		r.display()
		return r.run(o, before)
	})
}

// prepare opens the output on rank 0. In a dry run it prints the plan instead, and leaves no files.
func (o *order) prepare(p *process, w *watcher, out *publish.Output, again bool, plan func(io.Writer) error) error {
	switch {
	case again && o.DryRun:
		return errors.Join(out.Leave(), wholly(p.stdout, plan))
	case o.DryRun:
		if o.Output != nil {
			if err := out.Documents(*o.Output); err != nil {
				return err
			}
			out.Discard()
		}
		return wholly(p.stdout, plan)
	case !again && o.Output != nil:
		return w.at("making the files of "+*o.Output, func() error { return out.Open(*o.Output, p.stderr) })
	}
	return nil
}

// own returns the name that the files of a run have in a directory: of the benchmark and the time.
func own(benchmark string) string {
	return benchmark + "-" + time.Now().UTC().Format("20060102T150405Z")
}

// atEnd returns a function for show that prints the result when the run has ended, if it has samples.
func (b *benchmark[M]) atEnd(print func(io.Writer, report.Report) error) func(io.Writer, *M, rating.Run, moment) error {
	return func(w io.Writer, m *M, run rating.Run, when moment) error {
		if when != final || b.samples(m) == 0 {
			return nil
		}
		return print(w, b.report(m, run))
	}
}

// files returns the documents of a run.
func (b *benchmark[M]) files(m *M, run rating.Run) []publish.File {
	return publish.FilesOf(b.report(m, run))
}

// facts finds what the result says of the hosts, or of the machine that is a model. All processes call it.
func (r *recording[M]) facts(layout *job.Layout) (err error) {
	if s := simulation(r.engine); s != nil {
		r.about.Host, r.about.Layout, r.about.Started = whatif.HostOf(s), *layout, s.Now()
		return nil
	}
	if r.about.Environment, err = r.environment(r.engine, r.parent); err == nil && r.first() {
		r.about.Host, r.about.Layout = host.Facts("/"), *layout
	}
	return err
}

// grace is the time in which a run may end in order after a signal. A launcher kills its processes a second after it
// has signalled them.
const grace = 400 * time.Millisecond

// recording is one process of a run. The samples are kept whatever ends it, and the benchmark's own files are removed.
type recording[M any] struct {
	*process
	*benchmark[M]
	engine  mpi.Engine
	out     *publish.Output
	watcher *watcher // nil: another process watches
	meter   *host.Meter
	about   rating.Run
	noise   *rating.Noise     // that was there before the run; nil: nobody looked
	dir     *scratch.Dir      // nil: the benchmark has no files
	bar     *progress.Display // nil: no progress is shown

	some atomic.Bool // samples are kept

	mu      sync.Mutex // guards what follows: a signal may end the run from another goroutine
	ledger  ledger[M]
	kept    *M // the last measurement; nil: none
	ended   bool
	warned  bool  // that samples can't be written
	deaf    bool  // nobody reads stdout any more
	unshown error // the first one of writing to stdout
}

// first reports whether this is rank 0.
func (r *recording[M]) first() bool { return r.engine.World().Rank() == 0 }

// run begins the files, makes the directory, measures, and ends.
func (r *recording[M]) run(o *order, before *past) (err error) {
	stopped, release := r.take(r.out.Journal != nil, r.tell, r.stop) // from the first file on
	defer release()
	earlier, err := r.begin(o, before)
	if err != nil {
		return err
	}
	directory := ""
	if r.parent != "" {
		if r.dir, err = shareScratch(r.engine, r.watcher, r.parent, !r.keeps); err != nil {
			if r.first() {
				r.discard(before)
			}
			return err
		}
		directory = r.dir.Path
	}
	if r.watcher != nil && r.first() {
		r.watcher.hears.Store(&hearer{r.bar.Still, r.note, r.hang})
	}
	left := r.left(o)
	r.meter = host.NewMeter("/")
	unbound := r.bound(left)
	measured, err := r.measure(directory, rating.Observer[M]{Now: clockOf(r.engine), Earlier: earlier, Left: left,
		Stop: stopped.Load, Progress: r.progress(), Keep: r.keep, Begin: r.enter, Waited: r.watcher.lost,
		Failed: r.watcher.failed})
	unbound()
	r.bar.End()
	if err == nil && simulation(r.engine) == nil {
		err = r.load()
	}
	if err != nil && r.first() && r.samples(measured) == 0 {
		err = fmt.Errorf("%w; nothing was measured yet", err)
	}
	return r.end(measured, err)
}

// keep remembers a measurement, shows it, and writes it now and then.
func (r *recording[M]) keep(m M) {
	r.atJournal(func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.kept = &m
		if !r.some.Load() {
			r.some.Store(r.samples(&m) > 0)
		}
		r.print(&m, r.about, underWay)
		r.write(&m, inTurn)
	})
}

// atJournal calls f, which writes the journal, or waits for another goroutine that does.
func (r *recording[M]) atJournal(f func()) {
	if r.out.Journal == nil {
		f()
		return
	}
	_ = r.watcher.at("writing "+filepath.Base(r.out.Journal.Path), func() error {
		f()
		return nil
	})
}

// enter notes a measurement that begins. If it takes long, what is known by now doesn't wait for its end.
func (r *recording[M]) enter(s rating.Stage) {
	r.watcher.begin(s)
	if !s.Idle {
		r.meter.Look()
	}
	if s.Expected < writeEvery || !r.first() {
		return
	}
	r.atJournal(func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.kept != nil && !r.ended {
			r.write(r.kept, atOnce)
		}
	})
}

// write brings the news of a measurement to the journal.
func (r *recording[M]) write(m *M, why urgency) {
	told, err := r.ledger.look(why == atLast)
	if told != "" {
		r.bar.End()
		fmt.Fprintf(r.stderr, "beff: output: %s\n", plain.Text(errors.New(told)))
	}
	if err == nil {
		var written bool
		written, err = r.ledger.keep(m, why)
		if written && err == nil && r.out.Old() {
			err = r.watcher.at("writing "+filepath.Base(r.out.Result()), func() error {
				return r.out.Keep(r.files(m, r.ending(rating.ErrUnderWay)))
			})
		}
	}
	if err != nil && !r.warned {
		r.warned = true // once: it will not get better
		r.bar.End()
		fmt.Fprintf(r.stderr, "beff: output: the samples are in memory alone until the end: %s\n", plain.Text(err))
	}
}

// note brings the waits so far to the journal, and the samples: a run that hangs may be killed for it. It ends no run
// that this can't be written.
func (r *recording[M]) note() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return
	}
	if r.kept != nil {
		r.write(r.kept, atOnce)
	}
	_ = r.ledger.waits(r.ending(nil).Waits)
}

// print shows the news, and remembers the first error: the run goes on for its files. If it has files, it is no error
// that nobody reads stdout any more.
func (r *recording[M]) print(m *M, run rating.Run, when moment) {
	if r.deaf {
		return
	}
	err := r.watcher.at("writing to standard output", func() error { return r.show(r.stdout, m, run, when) })
	switch {
	case err == nil:
	case r.out.Journal != nil && (errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.EBADF)):
		r.deaf = true
	case r.unshown == nil:
		r.unshown = fmt.Errorf("stdout: %w", err)
	}
}

// ending returns the run that ended with an error, or in order.
func (r *recording[M]) ending(err error) rating.Run {
	run := r.about
	run.Err, run.Waits = err, slices.Concat(r.about.Waits, r.watcher.waits())
	run.Waits = run.Waits[:min(len(run.Waits), rating.MostWaits)]
	if s := simulation(r.engine); s != nil {
		run.Model = whatif.ModelOf(s)
	}
	return run
}

// tell prints that a signal came.
func (r *recording[M]) tell(s os.Signal) {
	if r.first() {
		r.bar.End()
		fmt.Fprintf(r.stderr, "beff: %v: stopping%s\n", s, r.where())
	}
}

// where returns the end of a sentence with the place of the samples, or with the file that doesn't answer. It waits for
// no lock.
func (r *recording[M]) where() string {
	if text := r.unanswered(); text != "" {
		return text
	}
	if !r.some.Load() {
		return "; nothing was measured yet"
	}
	return r.out.Where()
}

// stop ends the run on a signal: in order if what is in flight ends within grace, else in its middle. On a slow machine
// either may happen to the same run.
func (r *recording[M]) stop(os.Signal) {
	r.interrupt()
	r.last(exit.Failed, rating.ErrStopped, func() bool { // the directory's guard removes it
		return r.cut(rating.ErrStopped, ", in the middle of a "+r.unit)
	})
}

// cut writes what rank 0 has kept, as of a run that an error ends in the middle of something. It reports whether it did
// so: a run that has ended in order has written its own documents. The caller holds r.mu, so that the run can't end
// now.
func (r *recording[M]) cut(err error, where string) bool {
	if r.ended || !r.first() {
		return false
	}
	if r.kept == nil {
		r.kept = new(M)
	}
	if unwritten := r.finish(r.kept, err); unwritten != nil {
		fmt.Fprintf(r.stderr, "beff: %s\n", plain.Text(unwritten))
	}
	fmt.Fprintf(r.stderr, "beff: %v%s\n", err, where)
	if r.keeps {
		_ = r.clear() // prints where the files are
	}
	return true
}

// end writes the documents and removes the benchmark's files. It returns the measurement's error, joined with those of
// rank 0 in doing so.
func (r *recording[M]) end(m *M, err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = true
	if err != nil && !mpi.Agreed(err) {
		// The job will be aborted, and rank 0 may not live to remove anything.
		var unwritten error
		if r.first() {
			unwritten = r.finish(m, err)
		}
		return errors.Join(err, unwritten, r.clear())
	}
	late := job.Do(r.engine.World(), func() error {
		failed := errors.Join(r.finish(m, err), r.clear())
		if r.verdict != nil {
			failed = errors.Join(failed, r.verdict(m))
		}
		return failed
	})
	if err == nil && late == nil {
		r.out.Tell(r.stderr)
	}
	if errors.Is(err, rating.ErrWall) {
		err = exit.With(exit.Unfinished, err)
		r.out.TellRest(r.stderr)
	}
	return errors.Join(err, late)
}

// finish writes the documents of a run that ended with an error or in order, and the last of what goes to stdout.
func (r *recording[M]) finish(m *M, err error) error {
	var unwritten error
	switch {
	case r.samples(m) > 0:
		r.atJournal(func() { r.write(m, atLast) })
		unwritten = r.watcher.at("writing "+filepath.Base(r.out.Result()), func() error {
			return r.out.End(r.files(m, r.ending(err)), err)
		})
	case len(r.about.Joined) > 0: // the files are of earlier parts, too
		unwritten = r.out.Leave()
	default:
		r.out.Discard()
	}
	r.print(m, r.ending(err), final)
	return errors.Join(unwritten, r.unshown)
}

// clear removes the benchmark's own files, unless they are to be kept.
func (r *recording[M]) clear() error {
	switch {
	case r.dir == nil:
	case !r.keeps:
		return r.watcher.at("removing "+r.dir.Path, r.dir.Remove)
	case r.first():
		fmt.Fprintf(r.stderr, "beff: the files are in %s\n", r.dir.Path)
	}
	return nil
}
