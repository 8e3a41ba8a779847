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

// endings returns the signals that end a run in order: requests to end, the limit of processor time, and crash signals
// that another process has sent. A SIGHUP that was ignored before, as under nohup, stays ignored.
func endings() []os.Signal {
	list := append([]os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT, syscall.SIGXCPU}, exit.Crashes...)
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}

// signals is the state that decides who handles the signals that end this process.
type signals struct {
	measures atomic.Bool  // the command measures
	joined   atomic.Bool  // MPI is initialized
	runs     atomic.Int32 // runs that handle them: one for each rank of the embedded engine
	ran      atomic.Bool  // a run has ended
}

// Catch ends this process with a line after a signal that no run handles (HandleSignals): before the first run, such as
// in MPI_Init, or after the last one. In commands that don't measure, all signals except crash signals have their usual
// effect, and files that are being written stay as they were.
func (p *Process) Catch() (release func()) {
	released := make(chan struct{})
	signal.Notify(exit.Signals, endings()...)
	go func() {
		for {
			select {
			case <-released:
				return
			case s := <-exit.Signals:
				p.caught(s)
			}
		}
	}()
	return func() {
		signal.Stop(exit.Signals)
		close(released)
	}
}

// caught ends this process with a line about a signal. A silent process prints nothing, and gives the speaker the time
// to end the job, because a launcher ends it as soon as one process has failed. But it reports a crash, which only it
// has.
func (p *Process) caught(s os.Signal) {
	crashed := slices.Contains(exit.Crashes, s)
	switch {
	case p.signals.runs.Load() > 0:
		return
	case !p.signals.measures.Load() && !crashed:
		publish.Abandon()
		signal.Reset(s)
		_ = syscall.Kill(os.Getpid(), s.(syscall.Signal))
		time.Sleep(silence) // ends here, unless the shell that started it made it ignore the signal
		p.Exit(128 + int(s.(syscall.Signal)))
	}
	who := ""
	if p.Launcher != nil && !p.speaks {
		who = fmt.Sprintf("rank %d: ", p.Launcher.Rank)
		if !crashed {
			time.Sleep(silence)
		}
	}
	what := "stopped"
	switch {
	case p.signals.ran.Load():
		what = "stopped after the end of the run"
	case p.signals.measures.Load():
		what = "stopped; nothing was measured yet"
	}
	if who == "" || crashed {
		fmt.Fprintf(p.Err, "beff: %s%v: %s\n", who, s, what)
	}
	p.endOthers()
	p.Exit(exit.Failed)
}

// HandleSignals calls tell, and then stop, on the first signal that ends a run, in another goroutine. A second signal
// from a terminal ends the process. Batch systems send their signals more than once (Slurm at a time limit twice in a
// second), and kill a process that takes too long. stopped becomes true between the two calls. A run that keeps files
// continues when nobody reads its stdout.
func (p *Process) HandleSignals(keeps bool, tell, stop func(os.Signal)) (stopped *atomic.Bool, release func()) {
	if keeps {
		signal.Ignore(syscall.SIGPIPE)
	}
	stopped = new(atomic.Bool)
	come := make(chan os.Signal, 1)
	signal.Notify(come, endings()...)
	p.signals.runs.Add(1) // from here on caught leaves signals to the run
	go func() {
		for s := range come {
			if stopped.Load() {
				continue
			}
			tell(s) // before the run can end for it
			stopped.Store(true)
			signal.Reset(os.Interrupt, syscall.SIGQUIT)
			stop(s)
		}
	}()
	return stopped, func() {
		p.signals.ran.Store(true)
		p.signals.runs.Add(-1)
		signal.Stop(come)
		close(come)
	}
}
