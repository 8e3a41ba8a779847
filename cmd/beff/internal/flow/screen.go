package flow

import (
	"io"
	"os"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/terminal"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// show prints the news of a measurement: by the benchmark itself, or at the end the document that -o - asks for, or the
// first screen of the result.
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
	return Screen(r.Stdout, result, Next(r.Process, r.order.Command, result, r.out), r.order.Verbose)
}

// display makes the display of progress. There is none where the benchmark's own text is enough: it goes to the
// terminal, or stderr does not.
func (r *run[M]) display() {
	_, live := r.benchmark.(Live[M])
	if _, printed := r.output(); printed {
		live = false
	}
	if r.first() && (!live || process.IsTerminal(r.Stderr) && !process.IsTerminal(r.Stdout)) {
		r.bar = terminal.NewProgress(r.Stderr)
	}
}

// progress returns the function that shows progress; nil: none is shown.
func (r *run[M]) progress() func(rating.Progress) {
	if r.bar == nil {
		return nil
	}
	return func(at rating.Progress) {
		r.bar.Show(at.Part, at.Elapsed, at.Left, words.SoFar(at.Estimate)+at.Doing)
	}
}

// Text prints a document.
func Text(w io.Writer, d *document.Document) error {
	return document.OnScreen(terminal.Of(w, os.Getenv).Screen)(w, d)
}

// Screen prints a rating: the whole report, or a first screen with the command that comes next.
func Screen(w io.Writer, r report.Report, next string, whole bool) error {
	d := r.Document()
	if d.Next = next; whole {
		return Text(w, d)
	}
	return document.Brief(terminal.Of(w, os.Getenv).Screen)(w, d)
}

// Next returns the command that a user wants after a rating that a command made: one that keeps it, goes on where it
// ended early, or shows it.
func Next(p *process.Process, again string, r report.Report, out *publish.Output) string {
	switch head := r.Head(); {
	case out.Prefix() == "":
		return again + " -o NAME, which keeps the samples for report, compare and rank"
	case head.Complete:
		return words.Quoted([]string{"beff", "report", out.Result(), "-o", out.Prefix() + ".html"})
	case p.Launcher == nil:
		return again + " --resume " + words.Quoted([]string{out.Prefix()})
	default:
		return p.Launcher.Command() + " " + again + " --resume " + words.Quoted([]string{out.Prefix()})
	}
}
