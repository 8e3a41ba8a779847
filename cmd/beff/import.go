package main

import (
	"github.com/effective-bandwidth/beff/cmd/beff/internal/exchange"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/flow"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
)

// importCommand is `beff import`.
type importCommand struct {
	Files       []string `arg:"" name:"file" help:"${import_file}"`
	Output      *string  `short:"o" placeholder:"PATH" help:"${import_output}"`
	Force       bool     `help:"Overwrite an existing output file."`
	flow.Naming `set:"otherwise="`
	exchange.RunFacts
}

// Run is called by the command line.
func (c *importCommand) Run(p *process.Process) error {
	i := &exchange.Import{Files: c.Files, Output: c.Output, Force: c.Force, RunFacts: c.RunFacts, Named: c.Named}
	return i.Run(p)
}
