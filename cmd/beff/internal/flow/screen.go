package flow

import (
	"io"
	"os"
	"slices"
	"strconv"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/launch"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/terminal"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// show prints the new part of a measurement if the benchmark is Live. Otherwise it prints at the end the document that
// -o - asks for, or the first screen of the result.
func (r *run[M]) show(m *M, about rating.Run, final bool) error {
	_, printed := r.output()
	if live, is := r.benchmark.(Live[M]); is && !printed {
		return live.Show(r.Stdout, m, about, final)
	}
	if !final || r.benchmark.Samples(m) == 0 {
		return nil
	}
	result := r.benchmark.Report(m, about)
	if printed {
		return result.Sealed(r.Stdout)
	}
	return Screen(r.Stdout, result, Next(result, r.out, r.again), r.spec.Verbose)
}

// display creates the display of progress. A Live benchmark has one only if its text doesn't go to the terminal but
// stderr does.
func (r *run[M]) display() {
	_, live := r.benchmark.(Live[M])
	if _, printed := r.output(); printed {
		live = false
	}
	if r.first() && (!live || process.IsTerminal(r.Stderr) && !process.IsTerminal(r.Stdout)) {
		r.bar = terminal.NewProgress(r.Stderr)
	}
}

// progress returns the function that shows progress, or nil if there is no display.
func (r *run[M]) progress() func(rating.Progress) {
	if r.bar == nil {
		return nil
	}
	return func(at rating.Progress) {
		r.bar.Show(at.Part, at.Elapsed, at.Left, words.EstimateSoFar(at.Estimate)+at.Doing)
	}
}

// Text prints a document.
func Text(w io.Writer, d *document.Document) error {
	return document.OnScreen(terminal.ScreenOf(w, os.Getenv).Screen)(w, d)
}

// Screen prints a rating: the whole report, or a first screen with the next command.
func Screen(w io.Writer, r report.Report, next string, whole bool) error {
	d := r.Document()
	if d.Next = next; whole {
		return Text(w, d)
	}
	return document.Brief(terminal.ScreenOf(w, os.Getenv).Screen)(w, d)
}

// Next returns the command that a user needs after a rating: it keeps the rating, resumes one that ended early, or
// shows it. line returns the command line that measures it again, followed by args.
func Next(r report.Report, out *publish.Output, line func(args ...string) string) string {
	switch head := r.Header(); {
	case out.Prefix() == "":
		return line("-o", "NAME") + " # keeps the samples for report, compare and rank"
	case head.Complete:
		return launch.Line("report", out.Result(), "-o", out.Prefix()+".html")
	default:
		return line("--resume", out.Prefix())
	}
}

// again returns the command line that measures again with the same engine, processes and machine, followed by args. It
// leaves out the other flags of the run, which --resume takes from the journal.
func (r *run[M]) again(args ...string) string {
	of := r.spec.Flags.Processes
	line := slices.Clone(r.spec.Command)
	if of.Engine != launch.Auto {
		line = append(line, "--engine", of.Engine)
	}
	if of.Ranks != nil {
		line = append(line, "-n", strconv.Itoa(*of.Ranks))
	}
	if of.MPI != "" {
		line = append(line, "--mpi", of.MPI)
	}
	if s := r.spec.Choice.Simulation; s.Machine != "" {
		line = append(line, "--machine", s.Machine)
		for _, set := range s.Set {
			line = append(line, "--set", set)
		}
	}
	line = append(line, memoryArguments(r.spec.Choice.Device)...)
	return r.Launcher.Line(append(line, args...)...)
}
