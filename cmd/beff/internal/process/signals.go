package process

import (
	"fmt"
	"os"
	"os/signal"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
)

// endSignals returns the signals that end a run in order: requests to end, the limit of processor time, and crash
// signals that another process has sent. A SIGHUP that was ignored before, as under nohup, stays ignored.
func endSignals() []os.Signal {
	list := append([]os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT, syscall.SIGXCPU}, exit.Crashes...)
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}

// signals is the state that decides who handles the signals that end this process.
type signals struct {
	measures    atomic.Bool  // the command measures
	initialized atomic.Bool  // MPI is initialized
	runs        atomic.Int32 // runs under way, which handle signals: one for each rank of the embedded engine
	ended       atomic.Bool  // a run has ended
}

// Catch ends this process with a line after a signal that no run handles (HandleSignals): before the first run, such as
// in MPI_Init, or after the last one. In commands that don't measure, all signals except crash signals have their usual
// effect, and files that are being written stay as they were. release restores the usual effects.
func (p *Process) Catch() (release func()) {
	released := make(chan struct{})
	signal.Notify(exit.Signals, endSignals()...)
	go func() {
		for {
			select {
			case <-released:
				return
			case s := <-exit.Signals:
				p.endBy(s)
			}
		}
	}()
	return func() {
		signal.Stop(exit.Signals)
		close(released)
	}
}

// endBy ends this process with a line about a signal, unless a run handles it. A silent process prints nothing, and
// gives the speaker the time to end the job, because a launcher ends it as soon as one process has failed. But it
// reports a crash, which only it has.
func (p *Process) endBy(s os.Signal) {
	crashed := slices.Contains(exit.Crashes, s)
	switch {
	case p.signals.runs.Load() > 0:
		return
	case !p.signals.measures.Load() && !crashed:
		p.endAsUsual(s.(syscall.Signal))
	}
	silent := p.Launcher != nil && !p.speaks
	if silent && !crashed {
		time.Sleep(silence)
	}
	state := "stopped"
	switch {
	case p.signals.ended.Load():
		state = "stopped after the end of the run"
	case p.signals.measures.Load():
		state = "stopped; nothing was measured yet"
	}
	switch {
	case !silent:
		fmt.Fprintf(p.Err, "beff: %v: %s\n", s, state)
	case crashed:
		fmt.Fprintf(p.Err, "beff: rank %d: %v: %s\n", p.Launcher.Rank, s, state)
	}
	p.endOthers()
	p.Exit(exit.Failed)
}

// endAsUsual ends this process as a signal does that no program handles. If the shell that started the process made it
// ignore the signal, it exits with the code that shells give to the signal.
func (p *Process) endAsUsual(s syscall.Signal) {
	publish.Abandon()
	signal.Reset(s)
	_ = syscall.Kill(os.Getpid(), s)
	time.Sleep(silence)
	p.Exit(128 + int(s))
}

// HandleSignals makes a run handle the signals that end it, until it calls release. On the first one, another goroutine
// calls report and then stop; between these calls stopped becomes true. A second signal from a terminal ends the
// process. Signals of batch systems don't, because these send them more than once (Slurm at a time limit twice in a
// second), and kill a process that takes too long. A run that keeps files continues when nobody reads its stdout.
func (p *Process) HandleSignals(keepsFiles bool, report, stop func(os.Signal)) (stopped *atomic.Bool, release func()) {
	if keepsFiles {
		signal.Ignore(syscall.SIGPIPE)
	}
	stopped = new(atomic.Bool)
	received := make(chan os.Signal, 1)
	signal.Notify(received, endSignals()...)
	p.signals.runs.Add(1) // endBy now leaves signals to the run
	go func() {
		for s := range received {
			if stopped.Load() {
				continue
			}
			report(s) // before the run can end because of it
			stopped.Store(true)
			signal.Reset(os.Interrupt, syscall.SIGQUIT)
			stop(s)
		}
	}()
	return stopped, func() {
		p.signals.ended.Store(true)
		if stopped.Load() { // Catch gets the run's signals, too, and may not have taken the last one yet
			select {
			case <-exit.Signals:
			default:
			}
		}
		p.signals.runs.Add(-1)
		signal.Stop(received)
		close(received)
	}
}
