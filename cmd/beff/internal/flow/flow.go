package flow

import (
	"bytes"
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
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/scratch"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/terminal"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/whatif"
	"github.com/effective-bandwidth/beff/report/words"
)

// Order is what a command wants to have measured.
type Order struct {
	Flags     Flags
	Choice    launch.Choice // of the engine, but for what Flags say of it
	Least     int           // ranks that the benchmark needs
	Name      string        // of the benchmark in documents
	Command   []string      // the words of the command that measures it, such as run
	None      report.Report // without a result: it says which documents there are
	Verbose   bool          // the whole report is printed at the end, not its main lines
	Selective bool          // the command line says what is measured
}

// Measure takes a measurement through all stages. Plan makes the benchmark's plan: all processes call it, and have the
// same plan then. Before is the earlier part of a run that goes on, on rank 0 alone.
func Measure[M any](p *process.Process, o *Order, plan func(j *Job, before *Earlier) (Benchmark[M], error)) error {
	var system rating.System
	o.Flags.Naming.Apply(&system)
	if err := system.Check(); err != nil {
		return exit.With(exit.Usage, err)
	}
	return Open(p, o.Flags.Processes, o.Choice, o.Least, func(j *Job) error {
		r := &run[M]{Job: j, order: o, out: &publish.Output{Endings: publish.EndingsOf(o.None), Force: o.Flags.Force,
			Own: o.Name + "-" + time.Now().UTC().Format("20060102T150405Z")}}
		before, done, err := r.earlier()
		if err != nil || done {
			return err
		}
		if r.benchmark, err = plan(j, before); err != nil {
			return errors.Join(err, r.out.Leave())
		}
		err = job.Do(j.Engine.World(), func() error { return r.open(before != nil) })
		if err != nil || o.Flags.DryRun {
			return err
		}
		if err := r.lookAround(system); err != nil {
			return err
		}
		return r.measure(before)
	})
}

// run is one process of a measurement. Its methods are the stages behind the plan, and what happens in them.
type run[M any] struct {
	*Job
	order     *Order
	benchmark Benchmark[M]
	out       *publish.Output
	meter     *host.Meter
	about     rating.Run
	noise     *rating.Noise      // that was there before the run; nil: nobody looked
	dir       *scratch.Dir       // nil: the benchmark has no files
	bar       *terminal.Progress // nil: no progress is shown

	some atomic.Bool // samples are kept

	mu      sync.Mutex // guards what follows: a signal may end the run from another goroutine
	journal journalWriter[M]
	kept    *M // the last measurement; nil: none
	ended   bool
	warned  bool  // that samples can't be written
	deaf    bool  // nobody reads stdout any more
	unshown error // the first one of writing to stdout
}

// output returns the path that -o gives. Printed: it is stdout, which gets the document, and nothing else.
func (r *run[M]) output() (path *string, printed bool) {
	path = r.order.Flags.Output
	if path != nil && *path == publish.Stdout {
		return nil, true
	}
	return path, false
}

// open opens the output on rank 0. In a dry run it prints the plan instead, and leaves no files.
func (r *run[M]) open(again bool) error {
	path, _ := r.output()
	switch dry := r.order.Flags.DryRun; {
	case again && dry:
		return errors.Join(r.out.Leave(), wholly(r.Stdout, r.benchmark.Describe))
	case dry:
		if path != nil {
			if err := r.out.Documents(*path); err != nil {
				return err
			}
			r.out.Discard()
		}
		return wholly(r.Stdout, r.benchmark.Describe)
	case !again && path != nil:
		return r.watch.at("making the files of "+*path, func() error { return r.out.Open(*path, r.Stderr) })
	}
	return nil
}

// measure begins the files, makes the directory of the benchmark's own files, measures, and finishes.
func (r *run[M]) measure(before *Earlier) (err error) {
	stopped, release := r.Take(r.out.Journal != nil, r.tell, r.stop) // from the first file on
	defer release()
	earlier, err := r.begin(before)
	if err != nil {
		return err
	}
	directory := ""
	if parent, keep := r.files(); parent != "" {
		if r.dir, err = r.Share(parent, !keep); err != nil {
			if r.first() {
				r.discard(before)
			}
			return err
		}
		directory = r.dir.Path
	}
	if f, is := r.benchmark.(Foreteller); is && r.first() && before == nil {
		for _, line := range f.Foretell(r.ending(nil)) {
			fmt.Fprintf(r.Stderr, "beff: %s\n", line)
		}
	}
	if r.watch != nil && r.first() {
		r.watch.listener.Store(&listener{r.bar.Still, r.note, r.hang})
	}
	left := r.left()
	r.meter = host.NewMeter("/")
	unbound := r.bound(left)
	measured, err := r.benchmark.Measure(directory, rating.Observer[M]{Now: clockOf(r.Engine), Earlier: earlier,
		Left: left, Stop: stopped.Load, Progress: r.progress(), Keep: r.keep, Begin: r.enter, Waited: r.watch.lost,
		Failed: r.watch.failed})
	unbound()
	r.bar.End()
	if err == nil && Simulation(r.Engine) == nil {
		err = r.load()
	}
	if err != nil && r.first() && r.benchmark.Samples(measured) == 0 {
		err = fmt.Errorf("%w; nothing was measured yet", err)
	}
	return r.finish(measured, err)
}

// files returns what the benchmark says of its own files.
func (r *run[M]) files() (parent string, keep bool) {
	if f, is := r.benchmark.(Filer); is {
		return f.Files()
	}
	return "", false
}

// keep remembers a measurement, shows it, and writes it now and then.
func (r *run[M]) keep(m M) {
	r.atJournal(func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.kept = &m
		if !r.some.Load() {
			r.some.Store(r.benchmark.Samples(&m) > 0)
		}
		r.print(&m, r.about, false)
		r.write(&m, inTurn)
	})
}

// atJournal calls f, which writes the journal, or waits for another goroutine that does.
func (r *run[M]) atJournal(f func()) {
	if r.out.Journal == nil {
		f()
		return
	}
	_ = r.watch.at("writing "+filepath.Base(r.out.Journal.Path), func() error {
		f()
		return nil
	})
}

// enter notes a measurement that begins. If it takes long, what is known by now doesn't wait for its end.
func (r *run[M]) enter(s rating.Stage) {
	r.watch.begin(s)
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
func (r *run[M]) write(m *M, why severity) {
	told, err := r.journal.look(why == atLast)
	if told != "" {
		r.bar.End()
		fmt.Fprintf(r.Stderr, "beff: output: %s\n", terminal.Plain(errors.New(told)))
	}
	if err == nil {
		var written bool
		written, err = r.journal.keep(m, why)
		if written && err == nil && r.out.Old() {
			err = r.watch.at("writing "+filepath.Base(r.out.Result()), func() error {
				return r.out.Keep(r.documents(m, rating.ErrUnderWay))
			})
		}
	}
	if err != nil && !r.warned {
		r.warned = true // once: it will not get better
		r.bar.End()
		fmt.Fprintf(r.Stderr, "beff: output: the samples are only in memory until the end: %s\n", terminal.Plain(err))
	}
}

// note brings the waits so far to the journal, and the samples: a run that hangs may be killed for it. It ends no run
// that this can't be written.
func (r *run[M]) note() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return
	}
	if r.kept != nil {
		r.write(r.kept, atOnce)
	}
	_ = r.journal.waits(r.ending(nil).Waits)
}

// print shows the news, and remembers the first error: the run goes on for its files. If it has files, it is no error
// that nobody reads stdout any more.
func (r *run[M]) print(m *M, about rating.Run, final bool) {
	if r.deaf {
		return
	}
	err := r.watch.at("writing to standard output", func() error { return r.show(m, about, final) })
	switch {
	case err == nil:
	case r.out.Journal != nil && (errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.EBADF)):
		r.deaf = true
	case r.unshown == nil:
		r.unshown = fmt.Errorf("stdout: %w", err)
	}
}

// documents returns the documents of a run that ends with an error, or in order.
func (r *run[M]) documents(m *M, err error) []publish.File {
	return publish.FilesOf(r.benchmark.Report(m, r.ending(err)))
}

// ending returns the run that ended with an error, or in order.
func (r *run[M]) ending(err error) rating.Run {
	about := r.about
	about.Err, about.Waits = err, slices.Concat(r.about.Waits, r.watch.waits())
	about.Waits = about.Waits[:min(len(about.Waits), rating.MostWaits)]
	if s := Simulation(r.Engine); s != nil {
		about.Model = whatif.ModelOf(s)
	}
	return about
}

// tell prints that a signal came.
func (r *run[M]) tell(s os.Signal) {
	if r.first() {
		r.bar.End()
		fmt.Fprintf(r.Stderr, "beff: %v: stopping%s\n", s, r.where())
	}
}

// where returns the end of a sentence with the place of the samples, or with the file that doesn't answer. It waits for
// no lock.
func (r *run[M]) where() string {
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
func (r *run[M]) stop(s os.Signal) {
	r.interrupt()
	r.last(exit.Failed, rating.ErrStopped, func() bool { // the directory's guard removes it
		return r.cut(rating.ErrStopped, ", in the middle of a "+r.benchmark.Unit())
	})
	if !r.first() && r.Engine.Library().Kind().Distributed {
		r.watch.deserted(r.Engine, s)
	}
}

// cut writes what rank 0 has kept, as of a run that an error ends in the middle of something. It reports whether it did
// so: a run that has ended in order has written its own documents. The caller holds r.mu, so that the run can't end
// now.
func (r *run[M]) cut(err error, where string) bool {
	if r.ended || !r.first() {
		return false
	}
	if r.kept == nil {
		r.kept = new(M)
	}
	if unwritten := r.publish(r.kept, err); unwritten != nil {
		fmt.Fprintf(r.Stderr, "beff: %s\n", terminal.Plain(unwritten))
	}
	fmt.Fprintf(r.Stderr, "beff: %v%s\n", err, where)
	if _, keep := r.files(); keep {
		_ = r.clear() // prints where the files are
	}
	return true
}

// finish writes the documents and removes the benchmark's files. It returns the measurement's error, joined with those
// of rank 0 in doing so.
func (r *run[M]) finish(m *M, err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = true
	if err != nil && !mpi.Agreed(err) {
		// The job will be aborted, and rank 0 may not live to remove anything.
		var unwritten error
		if r.first() {
			unwritten = r.publish(m, err)
		}
		return errors.Join(err, unwritten, r.clear())
	}
	late := job.Do(r.Engine.World(), func() error {
		failed := errors.Join(r.publish(m, err), r.clear())
		if c, is := r.benchmark.(Checker[M]); is {
			failed = errors.Join(failed, c.Wrong(m))
		}
		return failed
	})
	if err == nil && late == nil {
		r.out.Tell(r.Stderr)
	}
	if errors.Is(err, rating.ErrWall) {
		if late == nil { // wrong data count more
			err = exit.With(exit.Unfinished, err)
		}
		if r.benchmark.Samples(m) > 0 || len(r.about.Joined) > 0 {
			r.out.TellRest(r.Stderr)
		}
	}
	return errors.Join(err, late)
}

// publish writes the documents of a run that ended with an error or in order, and the last of what goes to stdout.
func (r *run[M]) publish(m *M, err error) error {
	var unwritten error
	switch {
	case r.benchmark.Samples(m) > 0:
		r.atJournal(func() { r.write(m, atLast) })
		unwritten = r.watch.at("writing "+filepath.Base(r.out.Result()), func() error {
			return r.out.End(r.documents(m, err), err)
		})
	case len(r.about.Joined) > 0: // the files are of earlier parts, too
		unwritten = r.out.Leave()
	default:
		r.out.Discard()
	}
	r.print(m, r.ending(err), true)
	return errors.Join(unwritten, r.unshown)
}

// clear removes the benchmark's own files, unless they are to be kept.
func (r *run[M]) clear() error {
	_, keep := r.files()
	switch {
	case r.dir == nil:
	case !keep:
		return r.watch.at("removing "+r.dir.Path, r.dir.Remove)
	case r.first():
		fmt.Fprintf(r.Stderr, "beff: the files are in %s\n", words.OneLine(r.dir.Path))
	}
	return nil
}

// wholly writes a text by one call: what an MPI library writes to the same terminal or file comes before or behind it.
func wholly(w io.Writer, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}
