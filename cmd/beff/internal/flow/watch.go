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

// watcher watches the processes of a run that this process sees. Each watcher prints to stderr, because only the
// waiting process itself knows for sure that it waits.
type watcher struct {
	*process.Process
	watchdog  *watch.Watchdog
	files     watch.FileActivity
	moves     bool // the engine shows the calls of its processes
	names     watch.Names
	mailbox   *watch.Mailbox // rank 0's (nil: none)
	to        watch.Address
	processes int
	rank      int
	asked     chan os.Signal
	waited    chan struct{} // the waits have changed, and aren't written yet
	ended     chan struct{}
	patience  time.Duration
	listener  atomic.Pointer[listener] // nil: the run has no files yet
	others    atomic.Int32             // waits that rank 0 has heard and printed

	mu   sync.Mutex    // guards next
	next time.Duration // the time of waiting at which the next summary is due
}

// listener has the functions by which a run learns of its waits.
type listener struct {
	still func(lasted time.Duration) // shows at each look for how long nothing has moved
	keep  func()                     // writes the waits so far; it may wait for a file system
	hung  func(error)                // ends the run, and returns if its files don't answer
}

// heard prints on rank 0 the first waits of other ranks that no summary has, because the process was stopped or is
// slow.
func (w *watcher) heard(wait rating.Wait) {
	if (wait.Stopped || wait.Expected > 0) && w.others.Add(1) <= maxTold {
		w.print([]rating.Wait{wait})
	}
}

// newWatcher begins to watch this process, or all ranks of the embedded engine, and to answer SIGUSR1. It returns nil
// if rank 0 watches for all. layout is rank 0's. It is collective.
func newWatcher(p *process.Process, e mpi.Engine, layout *job.Layout, rules watch.Rules) (*watcher, error) {
	rank, distributed := e.World().Rank(), e.Library().Kind().Distributed
	w := &watcher{Process: p, processes: e.World().Size(), rank: rank, waited: make(chan struct{}, 1),
		ended: make(chan struct{}), asked: make(chan os.Signal, 1), patience: rules.Patience}
	type shared struct {
		Names watch.Names
		To    watch.Address
	}
	known, err := job.Decide(e.World(), func() (s shared, err error) {
		s.Names = job.Fold(layout.Placement)
		if distributed && w.processes > 1 && rules.Patience > 0 {
			here := len(layout.Placement) == 1
			if w.mailbox, err = watch.Listen(here, w.heard); err == nil { // else each process reports itself
				s.To = w.mailbox.Address
			}
		}
		return s, nil
	})
	if err != nil || rank > 0 && !distributed {
		return nil, err
	}
	looked, moves := e.(mpi.Watchable)
	look := func() []mpi.Snapshot { // always moves
		return []mpi.Snapshot{{Loop: -1, Position: mpi.Position{Calls: uint64(time.Now().UnixNano())}}}
	}
	if moves {
		look = looked.Look
	}
	w.names, w.to, w.moves = known.Names, known.To, moves
	w.watchdog = watch.New(rules, look, &w.files, w.names,
		watch.Events{Stalled: w.stalled, Resumed: w.resumed, Expired: w.expired, Waiting: w.waiting})
	w.start()
	return w, nil
}

func (w *watcher) start() {
	w.watchdog.Start()
	signal.Notify(w.asked, syscall.SIGUSR1)
	go func() {
		for range w.asked {
			w.print(w.watchdog.Now())
		}
	}()
	go func() { // this goroutine waits for the files, so that the one that reports doesn't
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
	w.watchdog.End()
	signal.Ignore(syscall.SIGUSR1) // without a handler it would end the process, which may still write
	close(w.asked)
	close(w.ended)
	if w.mailbox != nil {
		w.mailbox.Close()
	}
}

// inFile calls f, which uses a file. Its first argument describes the call, such as "writing r.journal". Without a
// watcher it only calls f.
func (w *watcher) inFile(what string, f func() error) error {
	if w == nil {
		return f()
	}
	return w.files.Do(what, f)
}

// fileCall returns the description of the current call on a file, and its duration. It is empty if there is none.
func (w *watcher) fileCall() (what string, lasted time.Duration) {
	if w == nil {
		return "", 0
	}
	what, since := w.files.Now()
	return what, time.Since(since)
}

// begin notes a measurement that begins.
func (w *watcher) begin(s rating.Stage) {
	if w != nil && w.moves {
		w.watchdog.Begin(s)
	}
}

// waits returns the waits for the result.
func (w *watcher) waits() []rating.Wait {
	if w == nil {
		return nil
	}
	return w.watchdog.Waits()
}

func (w *watcher) print(waits []rating.Wait) {
	for i, line := range watch.Lines(waits) {
		if i == maxTold { // the embedded engine's ranks may all wait in different calls
			fmt.Fprintln(w.Err, "beff: and further ranks")
			break
		}
		fmt.Fprintf(w.Err, "beff: %s\n", words.OneLine(line))
	}
}

// lost returns the total time of this process's waits that are over.
func (w *watcher) lost() time.Duration {
	if w == nil {
		return 0
	}
	return w.watchdog.Waited()
}

// note makes the run keep its waits, soon.
func (w *watcher) note() {
	select {
	case w.waited <- struct{}{}:
	default:
	}
}

// maxTold is the number of ranks that print their own waits, the first ones of the job, because a large job would print
// as many lines as it has processes. Rank 0 sums up the waits of all. If it is stopped or dead, the other first ranks
// still print theirs.
const maxTold = 64

// tells reports whether this process prints its own waits.
func (w *watcher) tells() bool { return w.rank < maxTold || len(w.to.Hosts) == 0 }

// stalled prints the waits that have just become too long.
func (w *watcher) stalled(waits []rating.Wait) {
	if w.tells() {
		w.print(waits)
	} else if waits[0].Stopped || waits[0].Expected > 0 { // waiting doesn't send these
		w.to.Send(waits)
	}
	w.note()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.next = 0
}

// resumed prints that a process makes progress again.
func (w *watcher) resumed(wait rating.Wait) {
	if w.tells() && wait.Rank < maxTold {
		fmt.Fprintf(w.Err, "beff: rank %d on %s continues after %.0f s\n", wait.Rank, wait.Host, wait.Seconds)
	}
	w.note()
}

// waiting sends the waits to rank 0, or prints rank 0's summary of all: after two looks, and then after each doubling
// of the time.
func (w *watcher) waiting(waits []rating.Wait) {
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
	if w.mailbox != nil {
		fmt.Fprintf(w.Err, "beff: %s\n", watch.Summary(w.processes, append(waits, w.mailbox.Waits()...), w.names))
	}
}

// rank0Time is how long the other processes give rank 0 to write the samples, after the limit.
const rank0Time = 5 * time.Second

// expired ends a run that makes no progress.
func (w *watcher) expired(wait rating.Wait) {
	w.end(fmt.Errorf("ended by --hang-limit: %s", wait.Words()))
}

// failed gives the other processes --patience to learn of an error of this one, and then ends the run with it. They may
// wait for this process in the call that failed here, as ROMIO's ordered calls do on a full disk.
func (w *watcher) failed(err error) (known func()) {
	if w == nil || w.patience == 0 {
		return func() {}
	}
	late := time.AfterFunc(w.patience+watch.Answers, func() {
		w.end(fmt.Errorf("%w; the other processes wait for this one, and didn't hear of it", err))
	})
	return func() { late.Stop() }
}

// end ends the run with an error that only this process knows. Rank 0 keeps the samples and ends the job by its exit.
// If rank 0 itself hangs, another process ends the job.
func (w *watcher) end(err error) {
	if w.rank > 0 {
		time.Sleep(rank0Time)
	} else if h := w.listener.Load(); h != nil {
		h.hung(err)
	}
	atMost(printTime, func() { fmt.Fprintf(w.Err, "beff: %v\n", err) })
	w.Exit(exit.Failed)
}

// endWithoutRank0 ends the job if this process still runs some time after a signal. Rank 0 has received the signal,
// too, so it is stopped or dead. Open MPI's launcher ends such a job; Hydra only forwards the signal, and after one it
// often takes no notice of exit codes other than MPI_Abort's. Rank 1 comes first, so that usually one process prints
// the line.
func (w *watcher) endWithoutRank0(e mpi.Engine, s os.Signal) {
	most := fileTimeout // rank 0 ends itself within it, if its files don't answer
	if w.patience > 0 {
		most = min(most, w.patience)
	}
	if w.rank > 1 {
		most += printTime
	}
	time.Sleep(most)
	atMost(printTime, func() {
		fmt.Fprintf(w.Err, "beff: rank %d on %s: %v, and rank 0 doesn't end the run: ended without it\n", w.rank,
			words.OneLine(w.names.Host(w.rank)), s)
	})
	atMost(printTime, func() { e.Abort(exit.Failed) })
	w.Exit(exit.Failed)
}

// printTime is the longest time for the last line of a process: its stderr may be a file, too.
const printTime = time.Second

// atMost calls f in another goroutine, and returns when f has returned or the time is over.
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

// fileTimeout is the longest time for a call on a file, from its beginning. Tests set it.
var fileTimeout = 10 * time.Second

// endWithin calls f with r.mu, and ends this process with an exit code if f returns true, or if f isn't done in time:
// then the file system of the results doesn't answer, and the goroutine that waits for it has the lock. err is why the
// run ends. Only rank 0 has files.
func (r *run[M]) endWithin(code int, err error, f func() bool) {
	if !r.first() {
		return
	}
	done := make(chan bool, 1)
	go func() {
		r.mu.Lock()
		over := f()
		if !over {
			r.mu.Unlock() // the run can't end now
		}
		done <- over
	}()
	most := fileTimeout
	if what, lasted := r.watch.fileCall(); what != "" {
		most = max(fileTimeout-lasted, 0)
	}
	select {
	case over := <-done:
		if over {
			r.Exit(code)
		}
	case <-time.After(most):
		atMost(printTime, func() {
			fmt.Fprintf(r.Err, "beff: %v%s\n", err, r.unanswered())
			r.out.PrintResume(r.Err)
		})
		if r.Engine.Library().Kind().Distributed { // this process may not end before its files answer
			atMost(printTime, func() { r.Engine.Abort(code) })
		}
		r.Exit(code)
	}
}

// unanswered returns the end of a sentence with the file that hasn't answered for some time, empty if there is none.
func (r *run[M]) unanswered() string {
	if what, lasted := r.watch.fileCall(); what != "" && lasted > min(time.Second, fileTimeout) {
		return fmt.Sprintf(", after %.0f s in %s", lasted.Seconds(), what)
	}
	return ""
}

// hang ends a run that makes no progress.
func (r *run[M]) hang(err error) {
	r.endWithin(exit.Failed, err, func() bool {
		if !r.cut(err, "") {
			fmt.Fprintf(r.Stderr, "beff: %v\n", err) // the documents are whole
		}
		return true
	})
}
