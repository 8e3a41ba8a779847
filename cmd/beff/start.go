package main

import (
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"sync/atomic"
	"syscall"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/launch"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/plugins"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/report/words"
)

// start runs body on every rank of the engine that launch.Choose picks. Ranks are those of the embedded engine, nil if
// the user gave none. The benchmark needs least ranks or more.
func (p *process) start(choice launch.Choice, ranks *int, least int, body func(mpi.Engine) error) error {
	if ranks != nil {
		if choice.Ranks = *ranks; choice.Ranks < least {
			return exit.Misuse("-n %d: want at least %d %s", choice.Ranks, least, words.Plural("rank", least))
		}
	}
	choice.Plugins = func() []plugins.Plugin { return plugins.Find(plugins.Directories(os.Getenv)) }
	choice.Within = launch.FindAllocation(os.Getenv)
	start, err := launch.Choose(p.launcher, choice, runtime.NumCPU())
	if err != nil {
		return err
	}
	signal.Ignore(syscall.SIGUSR1) // until there is an answer (watcher)
	return start(func(e mpi.Engine) error {
		// The world knows the speaker better than the launcher does, unless each process is alone in it.
		if e.Library().Kind().Distributed && e.World().Size() > 1 {
			p.speak(e.World().Rank() == 0)
		}
		err := launch.CheckTogether(p.launcher, e)
		if err != nil {
			return &mpi.AgreedError{Err: err}
		}
		err = body(e)
		// After an error of one process alone the others wait without end. That process must speak, whichever rank it
		// is, and end the job.
		if err != nil && !mpi.Agreed(err) && e.Library().Kind().Distributed {
			fmt.Fprintf(os.Stderr, "beff: rank %d on %s: %v\n", e.World().Rank(), e.Host(), err)
			e.Abort(exit.Failed)
		}
		return err
	})
}

// endings returns the signals that end a run in order: those that ask for it, that of a limit of processor time, and
// those of crashes, if another process has sent them. The Go runtime would print all goroutines for these. A SIGHUP
// that was ignored before, as under nohup, stays so.
func endings() []os.Signal {
	list := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT, syscall.SIGXCPU, syscall.SIGABRT,
		syscall.SIGSEGV, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGILL, syscall.SIGSYS, syscall.SIGTRAP}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}

// signals calls tell, and then stop, on the first signal that ends a run, in another goroutine. A second one of a
// terminal ends the process. Batch systems send theirs more than once (Slurm at a time limit twice in a second), and
// kill a process that takes too long. Stopped becomes true between the two calls. A run that keeps files goes on when
// nobody reads its stdout.
func (p *process) signals(keeps bool, tell, stop func(os.Signal)) (stopped *atomic.Bool, release func()) {
	if keeps {
		signal.Ignore(syscall.SIGPIPE)
	}
	stopped = new(atomic.Bool)
	come := make(chan os.Signal, 1)
	signal.Notify(come, endings()...)
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
		signal.Stop(come)
		close(come)
	}
}
