package main

import (
	"fmt"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/plain"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/report/words"
)

// verifyCommand is `beff verify`.
type verifyCommand struct {
	Results []string `arg:"" name:"result" help:"${list_results}"`
	signed
}

// Run is called by the command line. Each file has its line on stdout.
func (c *verifyCommand) Run(p *process) error {
	wrong := 0
	files, err := publish.Read(c.Results, nil)
	if err != nil {
		return err
	}
	signers, err := c.check(files)
	if err != nil {
		return err
	}
	for _, f := range files {
		text := "verified"
		switch {
		case f.Problem != nil:
			wrong++
			text = "NOT VERIFIED: " + plain.Text(f.Problem)
		case f.Journal != "":
			text += ", made from " + f.Journal + ": the run is under way or was killed"
		case f.Digest() == "":
			text += ", no digest"
		}
		if name := signers[f.Path]; name != "" {
			text += ", signed by " + words.Line(name, '?')
		}
		if f.Problem == nil {
			text += ": " + f.Proven()
		}
		if _, err := fmt.Fprintf(p.stdout, "%s: %s\n", f.Name(), text); err != nil {
			return err
		}
	}
	if wrong > 0 {
		return fmt.Errorf("%d of %d results can't be verified", wrong, len(files))
	}
	return nil
}
