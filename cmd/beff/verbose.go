package main

import (
	"io"
	"os"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/terminal"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/document"
)

// telling holds the flag of commands that print what they rated.
type telling struct {
	Verbose bool `short:"v" help:"Print the whole report, not its main lines."`
}

// tell prints a rating: the whole report, or its verdict, its main figures and the line that scripts look for.
func (t telling) tell(w io.Writer, r report.Report) error {
	screen := terminal.Of(w, os.Getenv)
	if t.Verbose {
		return document.OnScreen(screen.Width, screen.Colour)(w, r.Document())
	}
	return document.Brief(screen.Width, screen.Colour)(w, r.Document())
}
