package main

import (
	"fmt"
	"io"
	"os"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/terminal"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/document"
)

// telling holds the flag of commands that print what they rated.
type telling struct {
	Verbose bool `short:"v" help:"Print the whole summary, not its main lines."`
}

// tell prints a rating: the whole summary, which is its first text, or its verdict, its main figures and the line that
// scripts look for.
func (t telling) tell(w io.Writer, r report.Report) error {
	if t.Verbose {
		return r.Texts()[0].Write(w)
	}
	screen := terminal.Of(w, os.Getenv)
	if err := document.Brief(screen.Width, screen.Colour)(w, r.Document()); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	return r.(interface{ Line(io.Writer) error }).Line(w)
}
