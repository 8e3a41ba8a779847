package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/sign"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/input"
)

// tagCommand is `beff tag`.
type tagCommand struct {
	Results []string `arg:"" name:"result" help:"Result files, or directories with results."`
	naming  `set:"otherwise="`
}

// Run is called by the command line. Nothing is written unless all files can be.
func (c *tagCommand) Run(p *process) error {
	if !c.given() {
		return exit.Misuse("tag: want --system, --site or --note")
	}
	paths, err := publish.Expand(c.Results)
	if err != nil {
		return err
	}
	if slices.Contains(paths, input.Stdin) {
		return exit.Misuse("tag: changes files: standard input is none")
	}
	files := report.ReadAll(paths, nil, nil)
	made := make([][]byte, len(files))
	var errs []error
	for i, f := range files {
		if made[i], err = f.Tagged(c.apply, time.Now().UTC().Truncate(time.Second)); err != nil {
			errs = append(errs, fmt.Errorf("%s: not tagged: %w", f.Name(), err))
		}
	}
	if err := (publish.Refused{Errs: errs, Of: len(files)}).End(p.stderr); err != nil {
		return err
	}
	for i, f := range files {
		if err := c.write(p, f, made[i]); err != nil {
			return fmt.Errorf("%s: %w", f.Name(), err)
		}
	}
	return nil
}

// write replaces a file and removes its signature, which is of the document as it was.
func (c *tagCommand) write(p *process, f *report.File, text []byte) error {
	err := publish.Replace(f.Path, publish.Packed(f.Path, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	}))
	if err != nil {
		return err
	}
	said := "tagged"
	switch err := os.Remove(sign.PathOf(f.Path)); {
	case err == nil:
		said += ", and its signature is gone, as it was of the words before: beff sign signs it again"
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if f.Overridden() {
		said += ", but a system.yaml beside it has the last word"
	}
	_, err = fmt.Fprintf(p.stdout, "%s: %s\n", f.Name(), said)
	return err
}
