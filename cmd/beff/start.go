package main

import (
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/crash"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/launch"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/plain"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
	"github.com/effective-bandwidth/beff/plugins"
	"github.com/effective-bandwidth/beff/report/words"
)

// preferred is the environment's variable that stands for --mpi.
const preferred = "BEFF_MPI"

// start runs body on every rank of the engine that launch.Choose picks. Ranks are those of the embedded engine, nil if
// the user gave none. The benchmark needs least ranks or more. A command of a campaign, whose engine runs, has its rank
// of that.
func (p *process) start(choice launch.Choice, ranks *int, least int, body func(mpi.Engine) error) error {
	if p.engine != nil {
		return body(p.engine)
	}
	if ranks != nil {
		if choice.Ranks = *ranks; choice.Ranks < least {
			return exit.Misuse("-n %d: want at least %d %s", choice.Ranks, least, words.Plural("rank", least))
		}
	}
	choice.Plugins, choice.Preferred = p.plugins, os.Getenv(preferred)
	choice.Wrong = plugins.CheckRoot(os.Getenv)
	choice.Say = func(line string) { fmt.Fprintf(p.stderr, "beff: %s\n", line) }
	choice.Within = launch.FindAllocation(os.Getenv)
	p.signals.measures.Store(true)
	start, err := launch.Choose(p.launcher, choice, runtime.NumCPU())
	if err != nil {
		return err
	}
	signal.Ignore(syscall.SIGUSR1) // until there is an answer (watcher)
	return start(func(e mpi.Engine) error {
		p.signals.joined.Store(true)
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
			fmt.Fprintf(words.Safe(p.err), "beff: rank %d on %s: %v\n", e.World().Rank(), e.Host(), err)
			e.Abort(exit.Failed)
		}
		return err
	})
}

// endings returns the signals that end a run in order: those that ask for it, that of a limit of processor time, and
// those of crashes, if another process has sent them. A SIGHUP that was ignored before, as under nohup, stays so.
func endings() []os.Signal {
	list := append([]os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT, syscall.SIGXCPU}, crash.Signals...)
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}

// taken says who takes the signals that end this process.
type taken struct {
	measures atomic.Bool  // the command measures
	joined   atomic.Bool  // MPI is initialized
	runs     atomic.Int32 // that take them: one for each rank of the embedded engine
	ran      atomic.Bool  // one of them has ended
}

// catch ends this process by a line at a signal that no run takes (take): before the first one, such as in MPI_Init,
// and behind the last one. Where nothing is measured the signals do what they always do, but for those of crashes, and
// files that are being written are as they were.
func (p *process) catch() (release func()) {
	released := make(chan struct{})
	signal.Notify(crash.Come, endings()...)
	go func() {
		for {
			select {
			case <-released:
				return
			case s := <-crash.Come:
				p.caught(s)
			}
		}
	}()
	return func() {
		signal.Stop(crash.Come)
		close(released)
	}
}

// caught ends this process by a line about a signal. A silent one gives the one that speaks the time to end the job,
// and says nothing, because a launcher ends it where that one has failed. It speaks of a crash, which it alone has.
func (p *process) caught(s os.Signal) {
	crashed := slices.Contains(crash.Signals, s)
	switch {
	case p.signals.runs.Load() > 0:
		return
	case !p.signals.measures.Load() && !crashed:
		publish.Abandon()
		signal.Reset(s)
		_ = syscall.Kill(os.Getpid(), s.(syscall.Signal))
		time.Sleep(silence) // it ends here, unless the shell that started it had it ignore the signal
		p.exit(128 + int(s.(syscall.Signal)))
	}
	who := ""
	if p.launcher != nil && !p.speaks {
		who = fmt.Sprintf("rank %d: ", p.launcher.Rank)
		if !crashed {
			time.Sleep(silence)
		}
	}
	what := "stopped"
	switch {
	case p.signals.ran.Load():
		what = "stopped behind the end of the run"
	case p.signals.measures.Load():
		what = "stopped; nothing was measured yet"
	}
	if who == "" || crashed {
		fmt.Fprintf(p.err, "beff: %s%v: %s\n", who, s, what)
	}
	p.endOthers()
	p.exit(exit.Failed)
}

// endOthers ends this process by a signal if others may wait for it in MPI_Init without end: Hydra ends them at a
// signal, and at an exit only behind MPI_Init.
func (p *process) endOthers() {
	if l := p.launcher; l != nil && len(l.Families) > 0 && l.Families[0] == plugin.MPICH && !p.signals.joined.Load() {
		signal.Reset(syscall.SIGTERM)
		_ = syscall.Kill(os.Getpid(), syscall.SIGTERM)
		time.Sleep(silence)
	}
}

// leave lets a silent process fail. Where no MPI is loaded on another node than rank 0's, its first process says so:
// the others wait.
func (p *process) leave(err error) {
	time.Sleep(silence)
	if err != nil && p.launcher.Leads(os.Getenv) && p.signals.measures.Load() && !p.signals.joined.Load() {
		host, _ := os.Hostname() // a machine without a name has an empty one
		fmt.Fprintf(words.Safe(p.err), "beff: rank %d on %s: %s\n", p.launcher.Rank, host, plain.Text(err))
		p.endOthers()
	}
}

// take calls tell, and then stop, on the first signal that ends a run, in another goroutine. A second one of a
// terminal ends the process. Batch systems send theirs more than once (Slurm at a time limit twice in a second), and
// kill a process that takes too long. Stopped becomes true between the two calls. A run that keeps files goes on when
// nobody reads its stdout.
func (p *process) take(keeps bool, tell, stop func(os.Signal)) (stopped *atomic.Bool, release func()) {
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
