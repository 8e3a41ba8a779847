package main

import (
	"fmt"
	"path/filepath"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exchange"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/selection"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/size"
	"github.com/effective-bandwidth/beff/report/words"
)

// siteCommand is `beff site`.
type siteCommand struct {
	Results []string   `arg:"" name:"result" help:"${results}"`
	Output  string     `short:"o" required:"" placeholder:"DIR" help:"Write the site to this directory."`
	Title   string     `placeholder:"TEXT" default:"Effective bandwidth of systems" help:"Give the site this title."`
	Own     string     `placeholder:"SYSTEM" help:"Mark this system as your own."`
	Most    size.Bytes `placeholder:"SIZE" default:"80MB" help:"${site_most}"`
	selection.Conditions
	Unverified bool `help:"Take results that don't verify, and mark them."`
	Force      bool `help:"Overwrite an existing site."`
}

// Run is called by the command line.
func (c *siteCommand) Run(p *process.Process) error {
	if _, err := publish.Free(filepath.Join(c.Output, "index.html"), c.Force); err != nil {
		return err
	}
	flags := &publish.Flags{Unverified: c.Unverified}
	w, err := c.Filter()
	if err != nil {
		return err
	}
	points, files, refused, err := selection.Read(p.Stderr, c.Results, flags, w, true)
	if err != nil {
		return err
	}
	w.PrintUnknown(p.Stderr)
	if len(points) == 0 {
		if err := refused.End(p.Stderr); err != nil {
			return exit.Misuse("site: no results: %w", err)
		}
		return exit.Misuse("site: no results")
	}
	to := &exchange.Site{Directory: c.Output, Title: c.Title, Own: c.Own, MaxBytes: int64(c.Most), Force: c.Force,
		Notices: refused.Notices()}
	written, err := to.Write(points, files)
	if err != nil {
		return fmt.Errorf("site: %w", err)
	}
	fmt.Fprintf(p.Stderr, "beff: %s written to %s: open %s\n", words.Count(written, "file"),
		words.OneLine(c.Output), words.OneLine(filepath.Join(c.Output, "index.html")))
	return refused.End(p.Stderr)
}
