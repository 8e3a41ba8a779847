package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/alecthomas/kong"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/flow"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/mpiblib"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/probing"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
)

// mpiblibCommand is `beff mpiblib collective`: the command lines of MPIBlib's tools.
type mpiblibCommand struct {
	Args []string `arg:"" optional:"" help:"${mpiblib_args}"`
	//lint:ignore SA5008 each tag sets a variable
	flow.Flags `set:"output=${probe_output}" set:"engines=auto,mpi,local"`
}

// setWords sets the words in MPIBlib's grammar.
func (c *mpiblibCommand) setWords(words []string) { c.Args = words }

// Run is called by the command line.
func (c *mpiblibCommand) Run(p *process.Process, line *kong.Context) error {
	if len(c.Args) == 0 || strings.HasPrefix(c.Args[0], "-") {
		return c.usage(p, line.Selected(), nil)
	}
	l, err := mpiblib.Parse(c.Args[0], c.Args[1:])
	switch {
	case err != nil:
		return exit.With(exit.Usage, err)
	case l.Help:
		return c.usage(p, line.Selected(), nil)
	}
	return probing.Measure(p, l.Request, c.Flags, flow.Modelled{}, true)
}

// usage lists the tools and the options.
func (c *mpiblibCommand) usage(p *process.Process, node *kong.Node, _ []string) error {
	var s strings.Builder
	fmt.Fprintf(&s, "Usage: beff mpiblib %s|%s [options]\n\nMeasure with the options, defaults and text of MPIBlib's "+
		"tools (1.2.0). %s measures round trips of two\nprocesses, %s an operation of all, repetition by repetition, "+
		"until the time is precise.\n\n%sOptions:\n", mpiblib.P2P, mpiblib.Collective, mpiblib.P2P, mpiblib.Collective,
		detailOf(node))
	w := tabwriter.NewWriter(&s, 0, 0, 2, ' ', 0)
	for _, o := range mpiblib.Options {
		tool := ""
		if o.Has(mpiblib.Collective) != o.Has(mpiblib.P2P) && o.Has(mpiblib.Collective) {
			tool = mpiblib.Collective + ": "
		}
		fmt.Fprintf(w, "  -%c %s\t%s%s\n", o.Letter, o.Value, tool, o.Help)
	}
	for _, f := range node.Flags {
		name := f.Name
		if !f.IsBool() {
			name += " " + f.FormatPlaceHolder()
		}
		fmt.Fprintf(w, "  --%s\t%s\n", name, f.Help)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(p.Stdout, s.String())
	return err
}
