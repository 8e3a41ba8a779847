package flow

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
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

// Spec specifies a measurement for Measure.
type Spec struct {
	Flags     Flags
	Choice    launch.Choice // the engine; Flags take precedence
	MinRanks  int           // the least number of ranks
	Name      string        // the benchmark's name in documents
	Command   []string      // the words of the command that measures, such as run
	None      report.Report // a report without a result, for its kinds of documents
	Verbose   bool          // print the whole report at the end, not its main lines
	Selective bool          // the command line selects measurements
}

// Measure takes a measurement through all stages. plan makes the benchmark's plan. All processes call it, and must get
// the same plan. before is the earlier part of a resumed run, on rank 0 only.
func Measure[M any](p *process.Process, o *Spec, plan func(j *Job, before *Earlier) (Benchmark[M], error)) error {
	var system rating.System
	o.Flags.Naming.Apply(&system)
	if err := system.Check(); err != nil {
		return exit.With(exit.Usage, err)
	}
	choice := o.Choice
	choice.DryRun = o.Flags.DryRun
	return Open(p, o.Flags.Processes, choice, o.MinRanks, func(j *Job) error {
		r := &run[M]{Job: j, spec: o, out: &publish.Output{Endings: publish.EndingsOf(o.None), Force: o.Flags.Force,
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
		if err := r.collectFacts(system); err != nil {
			return err
		}
		return r.measure(before)
	})
}

// run is one process of a measurement. Its methods are the stages after the plan, and the steps in them.
type run[M any] struct {
	*Job
	spec      *Spec
	benchmark Benchmark[M]
	out       *publish.Output
	meter     *host.Meter
	about     rating.Run
	noise     *rating.Noise      // the noise before the run (nil: not measured)
	dir       *scratch.Dir       // nil: the benchmark has no files
	bar       *terminal.Progress // nil: shows no progress

	anyKept atomic.Bool // there are samples to keep

	mu           sync.Mutex // guards the fields below: a signal may end the run from another goroutine
	journal      journalWriter[M]
	kept         *M // the last measurement (nil: none)
	ended        bool
	warned       bool  // a warning that samples can't be written was printed
	stdoutClosed bool  // nobody reads stdout any more
	stdoutErr    error // the first error in writing to stdout
}

// output returns the path that -o gives. printed is true if it is stdout, to which then only the document is written.
func (r *run[M]) output() (path *string, printed bool) {
	path = r.spec.Flags.Output
	if path != nil && *path == publish.Stdout {
		return nil, true
	}
	return path, false
}

// open opens the output on rank 0. In a dry run it prints the plan instead, and leaves no files.
func (r *run[M]) open(again bool) error {
	path, _ := r.output()
	switch dry := r.spec.Flags.DryRun; {
	case again && dry:
		return errors.Join(r.out.Leave(), writeAtOnce(r.Stdout, r.benchmark.Describe))
	case dry:
		if path != nil {
			if err := r.out.Documents(*path); err != nil {
				return err
			}
			r.out.Discard()
		}
		return writeAtOnce(r.Stdout, r.benchmark.Describe)
	case !again && path != nil:
		return r.watch.inFile("making the files of "+*path, func() error { return r.out.Open(*path, r.Stderr) })
	}
	return nil
}

// measure begins the files, creates the directory of the benchmark's own files, measures, and finishes.
func (r *run[M]) measure(before *Earlier) (err error) {
	stopped, release := r.HandleSignals(r.out.Journal != nil, r.signalled, r.stop) // from the first file on
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
	if f, is := r.benchmark.(Previewer); is && r.first() && before == nil {
		for _, line := range f.Preview(r.ending(nil)) {
			fmt.Fprintf(r.Stderr, "beff: %s\n", line)
		}
	}
	if r.watch != nil && r.first() {
		r.watch.listener.Store(&listener{r.bar.Still, r.keepWaits, r.hang})
	}
	left := r.left()
	if r.Engine.World().Rank() < maxMeters || r.Engine.Library().Kind().Distributed {
		r.meter = host.NewMeter("/")
	}
	unbound := r.bound(left)
	measured, err := r.benchmark.Measure(directory, rating.Observer[M]{Now: clockOf(r.Engine), Earlier: earlier,
		Left: left, Stop: stopped.Load, Progress: r.progress(), Keep: r.keep, Begin: r.stageBegins,
		Waited: r.watch.lost, Failed: r.watch.failed})
	unbound()
	r.bar.End()
	if err == nil && Simulation(r.Engine) == nil {
		err = r.load()
	}
	if err != nil && r.first() && r.benchmark.Samples(measured) == 0 {
		err = Unmeasured(err)
	}
	return r.finish(measured, err)
}

// Unmeasured returns the error of a run that ends before it has samples.
func Unmeasured(err error) error {
	verdict := words.Either(strings.HasPrefix(err.Error(), rating.ErrWrongData.Error()), ": NOT VALID", "")
	return fmt.Errorf("%w; nothing was measured yet%s", err, verdict)
}

// maxMeters is the number of ranks of one process that meter the machine, which takes each rank 2 ms.
const maxMeters = 64

// files returns the directory of the benchmark's own files, as Filer does.
func (r *run[M]) files() (parent string, keep bool) {
	if f, is := r.benchmark.(Filer); is {
		return f.Files()
	}
	return "", false
}

// keep stores a measurement, shows it, and writes it now and then.
func (r *run[M]) keep(m M) {
	r.atJournal(func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.kept = &m
		if !r.anyKept.Load() {
			r.anyKept.Store(r.benchmark.Samples(&m) > 0)
		}
		r.print(&m, r.about, false)
		r.write(&m, whenDue)
	})
}

// atJournal calls f, which writes the journal, or waits for another goroutine that does.
func (r *run[M]) atJournal(f func()) {
	if r.out.Journal == nil {
		f()
		return
	}
	_ = r.watch.inFile("writing "+filepath.Base(r.out.Journal.Path), func() error {
		f()
		return nil
	})
}

// stageBegins notes a measurement that begins. If it takes long, the samples so far are written before it ends.
func (r *run[M]) stageBegins(s rating.Stage) {
	r.watch.begin(s)
	if !s.Idle && r.meter != nil {
		r.meter.SampleFrequency()
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

// write writes the new part of a measurement to the journal.
func (r *run[M]) write(m *M, mode writeMode) {
	told, err := r.journal.checkName(mode == atEnd)
	if told != "" {
		r.bar.End()
		fmt.Fprintf(r.Stderr, "beff: output: %s\n", terminal.Plain(errors.New(told)))
	}
	if err == nil {
		var written bool
		written, err = r.journal.keep(m, mode)
		if written && err == nil && r.out.Old() {
			err = r.watch.inFile("writing "+filepath.Base(r.out.Result()), func() error {
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

// keepWaits writes the waits so far to the journal, with the samples, because a run that hangs may be killed. Errors
// don't end the run.
func (r *run[M]) keepWaits() {
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

// print shows the new part of a measurement and keeps the first error, because the run continues for its files. If it
// has files, a closed stdout is no error.
func (r *run[M]) print(m *M, about rating.Run, final bool) {
	if r.stdoutClosed {
		return
	}
	err := r.watch.inFile("writing to standard output", func() error { return r.show(m, about, final) })
	switch {
	case err == nil:
	case r.out.Journal != nil && (errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.EBADF)):
		r.stdoutClosed = true
	case r.stdoutErr == nil:
		r.stdoutErr = fmt.Errorf("stdout: %w", err)
	}
}

// documents returns the documents of a run that ends in order, or with an error.
func (r *run[M]) documents(m *M, err error) []publish.File {
	return publish.FilesOf(r.benchmark.Report(m, r.ending(err)))
}

// ending returns the run as it ends in order, or with an error.
func (r *run[M]) ending(err error) rating.Run {
	about := r.about
	about.Err, about.Waits = err, slices.Concat(r.about.Waits, r.watch.waits())
	about.Waits = about.Waits[:min(len(about.Waits), rating.MaxWaits)]
	if s := Simulation(r.Engine); s != nil {
		about.Model = whatif.ModelOf(s)
	}
	return about
}

// signalled prints that a signal came.
func (r *run[M]) signalled(s os.Signal) {
	if r.first() {
		r.bar.End()
		fmt.Fprintf(r.Stderr, "beff: %v: stopping%s\n", s, r.where())
	}
}

// where returns the end of a sentence with the place of the samples, or with the file that doesn't answer. It takes no
// lock.
func (r *run[M]) where() string {
	if text := r.unanswered(); text != "" {
		return text
	}
	if !r.anyKept.Load() {
		return "; nothing was measured yet"
	}
	return r.out.Where()
}

// stop ends the run on a signal: in order if the current measurement ends within grace, and otherwise in its middle.
// Which of them happens depends on the machine's speed.
func (r *run[M]) stop(s os.Signal) {
	r.interrupt()
	r.endWithin(exit.Failed, rating.ErrStopped, func() bool { // the directory's guard removes it
		return r.cut(rating.ErrStopped, ", in the middle of a "+r.benchmark.Unit())
	})
	if !r.first() && r.Engine.Library().Kind().Distributed {
		r.watch.endWithoutRank0(r.Engine, s)
	}
}

// cut writes the samples that rank 0 has kept, for a run that an error ends in the middle of something. It reports
// whether it did so: a run that has ended in order has written its documents already. The caller holds r.mu, so that
// the run can't end meanwhile.
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

// finish writes the documents and removes the benchmark's files. It returns the measurement's error, joined with rank
// 0's errors in doing so.
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
		r.out.PrintDone(r.Stderr)
	}
	if errors.Is(err, rating.ErrWall) {
		if late == nil { // wrong data count more
			err = exit.With(exit.Unfinished, err)
		}
		if r.benchmark.Samples(m) > 0 || len(r.about.Joined) > 0 {
			r.out.PrintResume(r.Stderr)
		}
	}
	return errors.Join(err, late)
}

// publish writes the documents of a run that ended in order or with an error, and the rest of the text to stdout.
func (r *run[M]) publish(m *M, err error) error {
	var unwritten error
	switch {
	case r.benchmark.Samples(m) > 0:
		r.atJournal(func() { r.write(m, atEnd) })
		unwritten = r.watch.inFile("writing "+filepath.Base(r.out.Result()), func() error {
			return r.out.End(r.documents(m, err), err)
		})
	case len(r.about.Joined) > 0: // the files belong to earlier parts, too
		unwritten = r.out.Leave()
	default:
		r.out.Discard()
	}
	r.print(m, r.ending(err), true)
	return errors.Join(unwritten, r.stdoutErr)
}

// clear removes the benchmark's own files, unless the user keeps them.
func (r *run[M]) clear() error {
	_, keep := r.files()
	switch {
	case r.dir == nil:
	case !keep:
		return r.watch.inFile("removing "+r.dir.Path, r.dir.Remove)
	case r.first():
		fmt.Fprintf(r.Stderr, "beff: the files are in %s\n", words.OneLine(r.dir.Path))
	}
	return nil
}

// writeAtOnce writes a text by one call, so that an MPI library's output to the same terminal or file can't split it.
func writeAtOnce(w io.Writer, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}
