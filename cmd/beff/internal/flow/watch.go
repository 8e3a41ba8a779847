package flow

import (
	"fmt"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/watch"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// watcher is the watch over the processes of a run that this process sees. All print to stderr, because only the
// process that waits knows of it for sure.
type watcher struct {
	*process.Process
	dog       *watch.Dog
	filing    watch.Filing
	moves     bool // the engine shows what its processes are in
	names     watch.Names
	post      *watch.Post // of rank 0; nil: none
	to        watch.Address
	processes int
	rank      int
	asked     chan os.Signal
	waited    chan struct{} // the waits have changed, and aren't kept yet
	ended     chan struct{}
	patience  time.Duration
	listener  atomic.Pointer[listener] // nil: the run has no files yet

	mu   sync.Mutex    // guards next
	next time.Duration // of the next summary
}

// listener is a run that hears of its waits.
type listener struct {
	still func(lasted time.Duration) // shows that nothing moves, at each look while it doesn't
	keep  func()                     // keeps the waits so far; it may wait for a file system
	hung  func(error)                // ends the run, and returns if its files don't answer
}

// newWatcher begins to watch over this process, or over all ranks of the embedded engine, and to answer SIGUSR1. It is
// nil where rank 0 watches for all. The layout is rank 0's. It is collective.
func newWatcher(p *process.Process, e mpi.Engine, layout *job.Layout, rules watch.Rules) (*watcher, error) {
	rank, distributed := e.World().Rank(), e.Library().Kind().Distributed
	w := &watcher{Process: p, processes: e.World().Size(), rank: rank, waited: make(chan struct{}, 1),
		ended: make(chan struct{}), asked: make(chan os.Signal, 1), patience: rules.Patience}
	type shared struct {
		Names watch.Names
		To    watch.Address
	}
	known, err := job.Decide(e.World(), func() (s shared, err error) {
		s.Names = layout.Placement
		if distributed && w.processes > 1 && rules.Patience > 0 {
			if w.post, err = watch.Listen(len(s.Names) == 1); err == nil { // without it each process tells of itself
				s.To = w.post.Address
			}
		}
		return s, nil
	})
	if err != nil || rank > 0 && !distributed {
		return nil, err
	}
	looked, moves := e.(mpi.Watchable)
	look := func() []mpi.Sight { // which always moves
		return []mpi.Sight{{Loop: -1, Moment: mpi.Moment{Calls: uint64(time.Now().UnixNano())}}}
	}
	if moves {
		look = looked.Look
	}
	w.names, w.to, w.moves = known.Names, known.To, moves
	w.dog = watch.New(rules, look, &w.filing, w.names,
		watch.Events{Told: w.told, Over: w.over, Hung: w.hung, Look: w.look})
	w.start()
	return w, nil
}

func (w *watcher) start() {
	w.dog.Start()
	signal.Notify(w.asked, syscall.SIGUSR1)
	go func() {
		for range w.asked {
			w.print(w.dog.Now())
		}
	}()
	go func() { // waits for the files, so that who tells of waits doesn't
		for {
			select {
			case <-w.waited:
			case <-w.ended:
				return
			}
			if h := w.listener.Load(); h != nil {
				h.keep()
			}
		}
	}()
}

// stop ends the watch.
func (w *watcher) stop() {
	if w == nil {
		return
	}
	w.dog.End()
	signal.Ignore(syscall.SIGUSR1) // without a handler it would end the process, which may still write
	close(w.asked)
	close(w.ended)
	if w.post != nil {
		w.post.Close()
	}
}

// at calls f, which is at a file as the words say, such as "writing r.journal". Of a process that nobody watches it
// isn't told.
func (w *watcher) at(what string, f func() error) error {
	if w == nil {
		return f()
	}
	return w.filing.Do(what, f)
}

// filed returns what this process does with files, and for how long it has; empty: nothing.
func (w *watcher) filed() (what string, lasted time.Duration) {
	if w == nil {
		return "", 0
	}
	what, since := w.filing.Now()
	return what, time.Since(since)
}

// begin notes a measurement that begins.
func (w *watcher) begin(s rating.Stage) {
	if w != nil && w.moves {
		w.dog.Begin(s)
	}
}

// waits returns the waits that the result keeps.
func (w *watcher) waits() []rating.Wait {
	if w == nil {
		return nil
	}
	return w.dog.Waits()
}

func (w *watcher) print(waits []rating.Wait) {
	for _, line := range watch.Lines(waits) {
		fmt.Fprintf(w.Err, "beff: %s\n", words.OneLine(line))
	}
}

// lost returns for how long this process has waited, of waits that are over.
func (w *watcher) lost() time.Duration {
	if w == nil {
		return 0
	}
	return w.dog.Waited()
}

// note lets the run keep its waits, soon.
func (w *watcher) note() {
	select {
	case w.waited <- struct{}{}:
	default:
	}
}

// told prints what has just become too long.
func (w *watcher) told(waits []rating.Wait) {
	w.print(waits)
	w.note()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.next = 0
}

// over prints that a process goes on.
func (w *watcher) over(wait rating.Wait) {
	fmt.Fprintf(w.Err, "beff: rank %d on %s continues after %.0f s\n", wait.Rank, wait.Host, wait.Seconds)
	w.note()
}

// look sends rank 0 what still lasts, or sums up what it knows: after two looks, and then after each doubling of the
// time.
func (w *watcher) look(waits []rating.Wait) {
	if w.rank > 0 {
		w.to.Send(waits)
		return
	}
	lasted := time.Duration(waits[0].Seconds * float64(time.Second))
	if h := w.listener.Load(); h != nil {
		h.still(lasted)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.next == 0:
		w.next = lasted + watch.Answers
		return
	case lasted < w.next:
		return
	}
	w.next = 2 * lasted
	w.note()
	if w.post != nil {
		fmt.Fprintf(w.Err, "beff: %s\n", watch.Summary(w.processes, append(waits, w.post.Waits()...), w.names))
	}
}

// leave is how long the other processes give rank 0 to write the samples, after the limit.
const leave = 5 * time.Second

// hung ends a run that doesn't go on.
func (w *watcher) hung(wait rating.Wait) {
	w.end(fmt.Errorf("ended by --hang-limit: %s", wait.Words()))
}

// failed gives the other processes --patience to hear of an error of this one, and ends the run with it then. They may
// wait for this process in the call that failed here: so do ROMIO's ordered calls on a full disk.
func (w *watcher) failed(err error) (known func()) {
	if w == nil || w.patience == 0 {
		return func() {}
	}
	late := time.AfterFunc(w.patience+watch.Answers, func() {
		w.end(fmt.Errorf("%w; the other processes wait for this one, and didn't hear of it", err))
	})
	return func() { late.Stop() }
}

// end ends the run with an error that this process alone knows. Rank 0 keeps the samples and ends the job by its exit.
// If rank 0 is what hangs, another process ends it.
func (w *watcher) end(err error) {
	if w.rank > 0 {
		time.Sleep(leave)
	} else if h := w.listener.Load(); h != nil {
		h.hung(err)
	}
	atMost(printing, func() { fmt.Fprintf(w.Err, "beff: %v\n", err) })
	w.Exit(exit.Failed)
}

// deserted ends the job if this process still runs some time after a signal. Rank 0 has received the signal, too, so it
// is stopped or dead. Open MPI's launcher ends such a job; Hydra only forwards the signal, and after one it often takes
// no notice of exit codes other than MPI_Abort's. Rank 1 comes first, so that usually one process prints the line.
func (w *watcher) deserted(e mpi.Engine, s os.Signal) {
	most := mostAtFile // rank 0 ends itself within it, if its files don't answer
	if w.patience > 0 {
		most = min(most, w.patience)
	}
	if w.rank > 1 {
		most += printing
	}
	time.Sleep(most)
	atMost(printing, func() {
		fmt.Fprintf(w.Err, "beff: rank %d on %s: %v, and rank 0 doesn't end the run: ended without it\n", w.rank,
			words.OneLine(w.names.Host(w.rank)), s)
	})
	atMost(printing, func() { e.Abort(exit.Failed) })
	w.Exit(exit.Failed)
}

// printing is the longest time that the last line of a process may take: its stderr may be a file, too.
const printing = time.Second

// atMost calls f in a goroutine of its own, and returns when f has, or the time is over.
func atMost(most time.Duration, f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(most):
	}
}

// mostAtFile is the longest time that a file takes for one thing, from its beginning on; tests set it.
var mostAtFile = 10 * time.Second

// last calls f with r.mu, and ends this process with an exit code if f reports true. It ends it, too, if f isn't done
// in time: the file system of the results doesn't answer, and the goroutine that waits for it has the lock. Err is why
// the run ends. Only rank 0 has files.
func (r *run[M]) last(code int, err error, f func() bool) {
	if !r.first() {
		return
	}
	done := make(chan bool, 1)
	go func() {
		r.mu.Lock()
		over := f()
		if !over {
			r.mu.Unlock() // else the run can't end now
		}
		done <- over
	}()
	most := mostAtFile
	if what, lasted := r.watch.filed(); what != "" {
		most = max(mostAtFile-lasted, 0)
	}
	select {
	case over := <-done:
		if over {
			r.Exit(code)
		}
	case <-time.After(most):
		atMost(printing, func() {
			fmt.Fprintf(r.Err, "beff: %v%s\n", err, r.unanswered())
			r.out.TellRest(r.Err)
		})
		if r.Engine.Library().Kind().Distributed { // this process may not end before its files answer
			atMost(printing, func() { r.Engine.Abort(code) })
		}
		r.Exit(code)
	}
}

// unanswered returns the end of a sentence with the file that hasn't answered for some time, empty if there is none.
func (r *run[M]) unanswered() string {
	if what, lasted := r.watch.filed(); what != "" && lasted > min(time.Second, mostAtFile) {
		return fmt.Sprintf(", after %.0f s in %s", lasted.Seconds(), what)
	}
	return ""
}

// hang ends a run that doesn't go on.
func (r *run[M]) hang(err error) {
	r.last(exit.Failed, err, func() bool {
		if !r.cut(err, "") {
			fmt.Fprintf(r.Stderr, "beff: %v\n", err) // the documents are whole
		}
		return true
	})
}
