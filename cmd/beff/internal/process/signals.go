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

// endings returns the signals that end a run in order: those that ask for it, that of a limit of processor time, and
// those of crashes, if another process has sent them. A SIGHUP that was ignored before, as under nohup, stays so.
func endings() []os.Signal {
	list := append([]os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT, syscall.SIGXCPU}, exit.Crashes...)
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}

// signals says who takes the signals that end this process.
type signals struct {
	measures atomic.Bool  // the command measures
	joined   atomic.Bool  // MPI is initialized
	runs     atomic.Int32 // that take them: one for each rank of the embedded engine
	ran      atomic.Bool  // one of them has ended
}

// Catch ends this process by a line at a signal that no run takes (Take): before the first one, such as in MPI_Init,
// and after the last one. Where nothing is measured the signals do what they always do, but for those of crashes, and
// files that are being written are as they were.
func (p *Process) Catch() (release func()) {
	released := make(chan struct{})
	signal.Notify(exit.Come, endings()...)
	go func() {
		for {
			select {
			case <-released:
				return
			case s := <-exit.Come:
				p.caught(s)
			}
		}
	}()
	return func() {
		signal.Stop(exit.Come)
		close(released)
	}
}

// caught ends this process by a line about a signal. A silent one gives the one that speaks the time to end the job,
// and says nothing, because a launcher ends it where that one has failed. It speaks of a crash, which it alone has.
func (p *Process) caught(s os.Signal) {
	crashed := slices.Contains(exit.Crashes, s)
	switch {
	case p.signals.runs.Load() > 0:
		return
	case !p.signals.measures.Load() && !crashed:
		publish.Abandon()
		signal.Reset(s)
		_ = syscall.Kill(os.Getpid(), s.(syscall.Signal))
		time.Sleep(silence) // it ends here, unless the shell that started it had it ignore the signal
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

// Take calls tell, and then stop, on the first signal that ends a run, in another goroutine. A second one of a
// terminal ends the process. Batch systems send theirs more than once (Slurm at a time limit twice in a second), and
// kill a process that takes too long. Stopped becomes true between the two calls. A run that keeps files goes on when
// nobody reads its stdout.
func (p *Process) Take(keeps bool, tell, stop func(os.Signal)) (stopped *atomic.Bool, release func()) {
	if keeps {
		signal.Ignore(syscall.SIGPIPE)
	}
	stopped = new(atomic.Bool)
	come := make(chan os.Signal, 1)
	signal.Notify(come, endings()...)
	p.signals.runs.Add(1) // from here on it isn't caught
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
