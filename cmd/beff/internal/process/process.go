// Package process represents this process of the program to its commands: how it was started, where it prints, and how
// it ends, by itself or after a signal. Only the first of a launcher's processes prints.
package process

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/launch"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/terminal"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
	"github.com/effective-bandwidth/beff/mpi/plugins"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// Process is this process as the user sees it.
type Process struct {
	Args           []string         // the command line
	Launcher       *launch.Launcher // nil: started without a launcher
	Stdout, Stderr io.Writer        // io.Discard in a silent process; Stderr shows no control characters
	Text           io.Writer        // as Stdout, but for text outside documents: shows no control characters, as Stderr
	Out, Err       io.Writer        // the real ones
	Exit           func(code int)   // ends the process at once

	speaks  bool
	signals signals
}

// New returns the process that runs a command line.
func New(args []string, stdout, stderr io.Writer) *Process {
	p := &Process{Args: args, Launcher: launch.Find(os.Getenv), Out: stdout, Err: stderr, Exit: os.Exit}
	p.speak(p.Launcher.Speaks())
	return p
}

// speak makes this the process that talks to the user, or a silent one.
func (p *Process) speak(speaks bool) {
	p.speaks, p.Stdout, p.Stderr, p.Text = speaks, p.Out, safe(p.Err), safe(p.Out)
	if !speaks {
		p.Stdout, p.Stderr, p.Text = io.Discard, io.Discard, io.Discard
	}
}

// safe returns a writer that only passes on characters that w can show.
func safe(w io.Writer) io.Writer { return words.Safe(w, terminal.ScreenOf(w, os.Getenv).ASCII) }

// IsTerminal reports whether a writer writes to a terminal.
func IsTerminal(w io.Writer) bool { return terminal.ScreenOf(w, os.Getenv).Terminal }

// Plugins returns the plug-ins of this machine. It prints untrusted ones to stderr.
func (p *Process) Plugins() []plugins.Plugin {
	list, refused := plugins.Find(plugins.Directories(os.Getenv),
		plugins.LibraryDirectories(os.Getenv, launch.Directories()))
	for _, err := range refused {
		fmt.Fprintf(p.Stderr, "beff: %s\n", terminal.Plain(err))
	}
	return list
}

// preferred is the environment variable for --mpi.
const preferred = "BEFF_MPI"

// Start runs body on every rank of the engine that launch.Choose picks. ranks is the number of ranks of the embedded
// engine, nil if the user gave none. The command needs the least number of ranks.
func (p *Process) Start(choice launch.Choice, ranks *int, least int, body func(mpi.Engine) error) error {
	if ranks != nil {
		if choice.Ranks = *ranks; choice.Ranks < least {
			return exit.Misuse("-n %d: want at least %d %s", choice.Ranks, least, words.Plural("rank", least))
		}
	}
	choice.Plugins, choice.Preferred = p.Plugins, os.Getenv(preferred)
	choice.Wrong = plugins.CheckRoot(os.Getenv)
	choice.Say = func(line string) { fmt.Fprintf(p.Stderr, "beff: %s\n", line) }
	choice.Within = launch.FindAllocation(os.Getenv)
	p.signals.measures.Store(true)
	start, err := launch.Choose(p.Launcher, choice, runtime.NumCPU())
	if err != nil {
		return err
	}
	signal.Ignore(syscall.SIGUSR1) // until a watcher answers it
	return start(func(e mpi.Engine) error {
		p.signals.initialized.Store(true)
		// The world determines the speaker better than the launcher, unless each process is alone in its world.
		if e.Library().Kind().Distributed && e.World().Size() > 1 {
			p.speak(e.World().Rank() == 0)
		}
		err := launch.CheckTogether(p.Launcher, e)
		if err != nil {
			return &mpi.AgreedError{Err: err}
		}
		if e.Library().Kind().Distributed {
			build := "beff " + rating.Release + " of commit " + rating.BuiltFrom().String()
			if err := launch.CheckBuilds(e, build); err != nil {
				return err
			}
		}
		err = body(e)
		// After an error in only one process the others would wait forever. That process must speak, whichever rank it
		// is, and end the job.
		if err != nil && !mpi.Agreed(err) && e.Library().Kind().Distributed {
			fmt.Fprintf(safe(p.Err), "beff: rank %d on %s: %v\n", e.World().Rank(), e.Host(), err)
			e.Abort(exit.Failed)
		}
		return err
	})
}

// silence is the time that a silent process waits before it fails. A launcher ends the whole job with the first process
// that fails, and drops the last lines of the others.
const silence = 500 * time.Millisecond

// Leave makes a silent process fail. If only another node than rank 0's can't load MPI, the first process of that node
// reports it, because the others wait.
func (p *Process) Leave(err error) {
	if p.speaks {
		return
	}
	time.Sleep(silence)
	if err != nil && p.Launcher.Leads(os.Getenv) && p.signals.measures.Load() && !p.signals.initialized.Load() {
		host, _ := os.Hostname() // empty for a machine without a name
		fmt.Fprintf(safe(p.Err), "beff: rank %d on %s: %s\n", p.Launcher.Rank, host, terminal.Plain(err))
		p.endOthers()
	}
}

// endOthers ends this process by a signal if others may wait for it in MPI_Init forever: Hydra always ends them after a
// signal, but after an exit only once MPI is initialized.
func (p *Process) endOthers() {
	l := p.Launcher
	if l != nil && len(l.Families) > 0 && l.Families[0] == plugin.MPICH && !p.signals.initialized.Load() {
		signal.Reset(syscall.SIGTERM)
		_ = syscall.Kill(os.Getpid(), syscall.SIGTERM)
		time.Sleep(silence)
	}
}
