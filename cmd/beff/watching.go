package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/size"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/watch"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
)

// watching holds the flags of the watch over processes that don't go on.
type watching struct {
	Patience  size.Time `placeholder:"TIME" default:"30s" help:"${patience}"`
	HangLimit size.Time `placeholder:"TIME" default:"0" help:"${hang_limit}"`
}

func (w watching) rules() watch.Rules {
	return watch.Rules{Patience: time.Duration(w.Patience), Limit: time.Duration(w.HangLimit)}
}

// watcher is the watch over the processes of a run that this process sees. All print to stderr, because only the
// process that waits knows of it for sure.
type watcher struct {
	dog       *watch.Dog
	names     watch.Names
	post      *watch.Post // of rank 0; nil: none
	to        watch.Address
	processes int
	first     bool
	stderr    io.Writer
	still     func(lasted time.Duration)      // shows that nothing moves, at each look while it doesn't
	noted     func()                          // keeps the waits so far when they change; nil: nobody does
	hung      func(w rating.Wait, first bool) // ends this process
	signals   chan os.Signal

	mu   sync.Mutex    // guards next
	next time.Duration // of the next summary
}

// newWatcher returns the watch over this process, or over all ranks of the embedded engine. It is nil where rank 0
// watches for all. The layout is rank 0's. It is collective.
func newWatcher(e mpi.Engine, layout *job.Layout, rules watch.Rules, stderr io.Writer) (*watcher, error) {
	first, distributed := e.World().Rank() == 0, e.Library().Kind().Distributed
	w := &watcher{processes: e.World().Size(), first: first, stderr: stderr}
	type shared struct {
		Names watch.Names
		To    watch.Address
	}
	known, err := job.Decide(e.World(), func() (s shared, err error) {
		s.Names = layout.Placement
		if distributed && w.processes > 1 && rules.Patience > 0 {
			if w.post, err = watch.Listen(); err == nil { // without it each process tells of itself
				s.To = w.post.Address
			}
		}
		return s, nil
	})
	looked, ok := e.(mpi.Watchable)
	if err != nil || !ok || !first && !distributed {
		return nil, err
	}
	w.names, w.to = known.Names, known.To
	w.dog = watch.New(rules, looked.Look, w.names, watch.Events{Told: w.told, Over: w.over, Hung: w.end, Look: w.look})
	return w, nil
}

// start begins to watch, and to answer SIGUSR1.
func (w *watcher) start() {
	if w == nil {
		return
	}
	w.dog.Start()
	w.signals = make(chan os.Signal, 1)
	signal.Notify(w.signals, syscall.SIGUSR1)
	go func() {
		for range w.signals {
			w.print(w.dog.Now())
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
	close(w.signals)
	if w.post != nil {
		w.post.Close()
	}
}

// begin notes a measurement that begins.
func (w *watcher) begin(s rating.Stage) {
	if w != nil {
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
		fmt.Fprintf(w.stderr, "beff: %s\n", line)
	}
}

// waited returns for how long this process has waited, of waits that are over.
func (w *watcher) waited() time.Duration {
	if w == nil {
		return 0
	}
	return w.dog.Waited()
}

func (w *watcher) note() {
	if w.noted != nil {
		w.noted()
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
	fmt.Fprintf(w.stderr, "beff: rank %d on %s goes on after %.0f s\n", wait.Rank, wait.Host, wait.Seconds)
	w.note()
}

// look sends rank 0 what still lasts, or sums up what it knows: after two looks, and then after each doubling of the
// time.
func (w *watcher) look(waits []rating.Wait) {
	if !w.first {
		w.to.Send(waits)
		return
	}
	lasted := time.Duration(waits[0].Seconds * float64(time.Second))
	w.still(lasted)
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
		fmt.Fprintf(w.stderr, "beff: %s\n", watch.Summary(w.processes, append(waits, w.post.Waits()...), w.names))
	}
}

// end ends a run that has waited for longer than the limit.
func (w *watcher) end(wait rating.Wait) { w.hung(wait, w.first) }

// leave is how long the other processes give rank 0 to write the samples, after the limit.
const leave = 5 * time.Second

// hang ends a run that doesn't go on. Rank 0 keeps the samples and ends the job by its exit. If rank 0 is what hangs,
// another process ends it.
func (r *recording[M]) hang(w rating.Wait, first bool) {
	if !first {
		time.Sleep(leave)
		fmt.Fprintf(r.err, "beff: ended by --hang-limit: %s\n", w.Words())
		os.Exit(exit.Failed)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cut(fmt.Errorf("ended by --hang-limit: %s", w.Words()), "") {
		os.Exit(exit.Failed)
	}
}
