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
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/input"
)

// naming holds the flags with which people describe a machine. Of results that are there an empty text takes one away.
// Each command sets the variable otherwise, which says what the name is without the flag.
type naming struct {
	System *string `placeholder:"NAME" help:"Name of the system in reports and rankings${otherwise}."`
	Site   *string `placeholder:"TEXT" help:"Institution and place of the system."`
	Note   *string `placeholder:"TEXT" help:"${note}"`
}

// given reports whether any of the flags is.
func (n naming) given() bool { return n.System != nil || n.Site != nil || n.Note != nil }

// apply replaces the words that are given.
func (n naming) apply(s *rating.System) {
	for _, x := range []struct {
		to    *string
		given *string
	}{{&s.Name, n.System}, {&s.Site, n.Site}, {&s.Note, n.Note}} {
		if x.given != nil {
			*x.to = *x.given
		}
	}
}

// named returns the words about a system with those that are given. s may be nil, and stays so without any words.
func (n naming) named(s *rating.System) (*rating.System, error) {
	var made rating.System
	if s != nil {
		made = *s
	}
	if n.apply(&made); made == (rating.System{}) {
		return nil, nil
	}
	return &made, made.Check()
}

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
