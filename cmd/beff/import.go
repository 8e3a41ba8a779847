package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	imbtext "github.com/effective-bandwidth/beff/report/format/imb"
	"github.com/effective-bandwidth/beff/report/format/sum21"
	"github.com/effective-bandwidth/beff/report/input"
	"github.com/effective-bandwidth/beff/report/ofbeffio"
	"github.com/effective-bandwidth/beff/report/ofprobe"
)

// importCommand is `beff import`.
type importCommand struct {
	File   string  `arg:"" help:"${import_file}"`
	Output *string `short:"o" placeholder:"PATH" help:"${import_output}"`
	Force  bool    `help:"Overwrite an existing output file."`
	naming
}

// Run is called by the command line.
func (c *importCommand) Run(p *process) error {
	in := io.Reader(os.Stdin)
	if c.File != "-" {
		f, _, err := input.Open(c.File)
		if err != nil {
			return fmt.Errorf("import: %w", err)
		}
		defer f.Close()
		in = f
	}
	var made bytes.Buffer
	if err := c.imported(&made, in, filepath.Base(c.File)); err != nil {
		return fmt.Errorf("import %s: %w", c.File, err)
	}
	if c.Output == nil || *c.Output == publish.Stdout {
		_, err := p.stdout.Write(made.Bytes())
		return err
	}
	out := &publish.Output{Endings: []string{".json"}, Force: c.Force,
		Own: "imported-" + strings.Trim(filepath.Base(c.File), "-")}
	if err := out.Documents(*c.Output); err != nil {
		return err
	}
	err := out.Keep([]publish.File{{
		Ending: ".json", Write: func(w io.Writer) error { _, err := w.Write(made.Bytes()); return err },
	}})
	if err != nil {
		out.Discard()
	}
	return err
}

// imported reads a foreign result and writes its document. A .sum file is known by its first words. All else must be
// IMB's text, before which there may be lines of launchers and libraries.
func (c *importCommand) imported(w io.Writer, rd io.Reader, name string) error {
	const sum = "b_eff_io.c,"
	in := bufio.NewReader(rd)
	if head, _ := in.Peek(len(sum)); string(head) == sum {
		r, err := sum21.Read(in, name)
		if err != nil {
			return err
		}
		if r.System, err = c.named(r.System); err != nil {
			return err
		}
		return ofbeffio.Form.Seal(w, r)
	}
	r, err := imbtext.Read(in, name)
	if errors.Is(err, imbtext.ErrNoTable) {
		return errors.New("this is no .sum file of b_eff_io release 2.1, whose first line is b_eff_io.c, Revision " +
			"2.1, and " + err.Error())
	}
	if err != nil {
		return err
	}
	if r.System, err = c.named(r.System); err != nil {
		return err
	}
	return ofprobe.Form.Seal(w, r)
}
