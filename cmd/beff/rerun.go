package main

import (
	"fmt"

	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/words"
)

// rerunCommand is `beff rerun`.
type rerunCommand struct {
	Result string `arg:"" name:"result" help:"A result file."`
}

// Run is called by the command line.
func (c *rerunCommand) Run(p *process) error {
	f := report.Read(c.Result)
	if f.Problem != nil {
		return fmt.Errorf("%s: %w", f.Name(), f.Problem)
	}
	command, left, err := f.Rerun()
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name(), err)
	}
	if len(left) > 0 {
		fmt.Fprintf(p.stderr, "beff: left out, as they may name programs or files: %s\n",
			words.Line(words.Some(left), '?'))
	}
	if by := f.MeasuredBy(); by != "" {
		fmt.Fprintf(p.stderr, "beff: it was measured over %s: use its launcher, with the options that it had\n",
			words.Line(by, '?'))
	}
	_, err = fmt.Fprintln(p.stdout, words.OneLine(command))
	return err
}
