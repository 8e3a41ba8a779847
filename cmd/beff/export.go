package main

import (
	"errors"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exchange"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/selection"
)

// exportCommand is `beff export`.
type exportCommand struct {
	Results []string `arg:"" name:"result" help:"${results}"`
	Output  string   `short:"o" placeholder:"PATH" help:"${export_output}"`
	Format  string   `placeholder:"NAME" help:"${export_format}"`
	Table   []string `placeholder:"NAME" help:"${export_table}"`
	Public  bool     `help:"${export_public}"`
	selection.Conditions
	Unverified bool `help:"Take results that don't verify, and mark them."`
	Force      bool `help:"Overwrite existing output files."`
}

// Run is called by the command line.
func (c *exportCommand) Run(p *process.Process) error {
	w, rows, err := c.RowFilter()
	if err != nil {
		return err
	}
	o := &exchange.Output{Path: c.Output, Format: c.Format, Tables: c.Table, Force: c.Force, Rows: rows}
	open := o.Open
	if c.Public {
		open = o.Public
	}
	into, err := open(p.Stdout, p.Stderr)
	if err != nil {
		return err
	}
	refused, err := selection.Each(p.Stderr, c.Results, &publish.Flags{Unverified: c.Unverified}, w, into.Add)
	if err != nil {
		into.Drop()
		return err
	}
	return errors.Join(into.End(), refused.End(p.Stderr))
}
