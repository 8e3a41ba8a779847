package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/selection"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/terminal"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/document"
)

// verifyCommand is `beff verify`.
type verifyCommand struct {
	Results []string `arg:"" name:"result" help:"${results}"`
	selection.Conditions
}

// maxStated is the largest number of results for which beff lists all unproven values. For more results it only prints
// the kinds of these values.
const maxStated = 4

// Run is called by the command line. It prints a line for each file, and below it the values that can't be proven.
func (c *verifyCommand) Run(p *process.Process) error {
	wrong, bad := 0, 0
	files, err := publish.Read(c.Results, nil)
	if err == nil {
		files, err = c.Choose(p.Stderr, files)
	}
	if err != nil {
		return err
	}
	for _, f := range files {
		text := "verified"
		switch {
		case f.Problem != nil:
			wrong++
			text = "NOT VERIFIED: " + terminal.Plain(f.Problem)
		case f.Journal != "":
			text += ", made from " + f.Journal + ": the run is under way or was killed"
		case f.Digest() == "":
			text = "NO DIGEST (an old version wrote it), the rest is verified"
		}
		if f.Problem == nil {
			text += ": " + f.Proven()
			if f.WrongData() {
				text, bad = rating.ErrWrongData.Error()+": "+text, bad+1
			}
		}
		for _, remark := range f.Remarks {
			text += "; " + remark
		}
		if _, err := fmt.Fprintf(p.Text, "%s: %s\n", f.Name(), text); err != nil {
			return err
		}
		if f.Problem == nil && len(files) <= maxStated {
			if err := writeStated(p.Text, f.Stated()); err != nil {
				return err
			}
		}
	}
	if len(files) > maxStated {
		fmt.Fprintln(p.Text, "Stated, not proven, in each: engine, hosts, date, names, settings: "+
			"verify one file to see the values.")
	}
	if wrong > 0 {
		return fmt.Errorf("%d of %d results can't be verified", wrong, len(files))
	}
	if bad > 0 {
		return fmt.Errorf("%w in %d of %d results", rating.ErrWrongData, bad, len(files))
	}
	return nil
}

// statedWidth is the largest width of a value in columns.
const statedWidth = 90

// writeStated lists the values of a document that can't be proven.
func writeStated(w io.Writer, list []report.Stated) error {
	fmt.Fprintln(w, "  stated, not proven:")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, s := range list {
		name := s.Name
		for _, line := range document.Wrap(s.Value, statedWidth) {
			fmt.Fprintf(t, "    %s\t%s\n", name, line)
			name = ""
		}
	}
	return t.Flush()
}
