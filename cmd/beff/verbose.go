package main

import (
	"fmt"
	"io"
	"os"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/terminal"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/document"
)

// telling holds the flag of commands that print what they rated.
type telling struct {
	Verbose bool `short:"v" group:"output" help:"Print the whole report, not its main lines."`
}

// tell prints a rating: the whole report, or a first screen with the command that comes next.
func (t telling) tell(w io.Writer, r report.Report, next string) error {
	screen, d := terminal.Of(w, os.Getenv), r.Document()
	if d.Next = next; t.Verbose {
		return document.OnScreen(screen.Width, screen.Colour)(w, d)
	}
	return document.Brief(screen.Width, screen.Colour)(w, d)
}

// commands are the commands that measure the benchmarks that print a rating.
var commands = map[string]string{beff.Benchmark: "beff run", beffio.Benchmark: "beff io"}

// next returns the command that a user wants behind a rating that a command made: one that keeps it, goes on where it
// ended early, or shows it.
func (p *process) next(again string, r report.Report, out *publish.Output) string {
	head := r.Head()
	switch {
	case out.Prefix() == "":
		return again + " -o NAME, which keeps the samples for report, compare and rank"
	case head.Complete:
		return fmt.Sprintf("beff report %s -o %s.html", out.Result(), out.Prefix())
	case p.launcher == nil:
		return again + " --resume " + out.Prefix()
	}
	return p.launcher.Command() + " " + again + " --resume " + out.Prefix()
}
