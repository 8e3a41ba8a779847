package main

import (
	"bytes"
	"io"
	"os"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/progress"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/terminal"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// display makes the display of progress. There is none where the benchmark's own text is enough: it goes to the
// terminal, or stderr does not.
func (r *recording[M]) display() {
	if r.first() && (!r.live || terminalAt(r.stderr) && !terminalAt(r.stdout)) {
		r.bar = progress.New(r.stderr)
	}
}

// progress returns the function that shows progress; nil: none is shown.
func (r *recording[M]) progress() func(rating.Progress) {
	if r.bar == nil {
		return nil
	}
	return func(at rating.Progress) {
		r.bar.Show(at.Part, at.Elapsed, at.Left, words.SoFar(at.Estimate)+at.Doing)
	}
}

func terminalAt(w io.Writer) bool { return terminal.Of(w, os.Getenv).Terminal }

// wholly writes a text by one call: what an MPI library writes to the same terminal or file comes before or behind it.
func wholly(w io.Writer, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}
