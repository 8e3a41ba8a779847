package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/effective-bandwidth/beff/report"
)

// importCommand is `beff import`.
type importCommand struct {
	File   string  `arg:"" help:"A .sum file of b_eff_io release 2.1, or - for standard input."`
	Output *string `short:"o" placeholder:"PREFIX" help:"Write PREFIX.json (default: to standard output)."`
	Force  bool    `help:"Overwrite an existing output file."`
}

// Run is called by the command line.
func (c *importCommand) Run(p *process) error {
	in := io.Reader(os.Stdin)
	if c.File != "-" {
		f, err := os.Open(c.File)
		if err != nil {
			return fmt.Errorf("import: %w", err)
		}
		defer f.Close()
		in = f
	}
	result, err := report.ImportSum(in, filepath.Base(c.File))
	if err != nil {
		return fmt.Errorf("import %s: %w", c.File, err)
	}
	var made bytes.Buffer
	if err := report.IOSealed(&made, result); err != nil {
		return err
	}
	if c.Output == nil {
		_, err := p.stdout.Write(made.Bytes())
		return err
	}
	out := &output{endings: []string{".json"}, force: c.Force}
	if err := out.open(c.Output); err != nil {
		return err
	}
	return out.keep([]outFile{{".json", func(w io.Writer) error { _, err := w.Write(made.Bytes()); return err }}})
}
