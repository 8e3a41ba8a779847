package main

import (
	"cmp"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/alecthomas/kong"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/mdtest"
	mdtesttext "github.com/effective-bandwidth/beff/report/format/mdtest"
	"github.com/effective-bandwidth/beff/report/words"
)

// mdtestCommand is `beff mdtest`: mdtest's command line.
type mdtestCommand struct {
	Args      []string `arg:"" optional:"" help:"${mdtest_args}"`
	measuring `set:"output=${mdtest_output}"`
}

// take takes the words that mdtest's grammar is for.
func (c *mdtestCommand) take(words []string) { c.Args = words }

// letters says that -n is mdtest's.
func (c *mdtestCommand) letters() {}

// Run is called by the command line.
func (c *mdtestCommand) Run(p *process, line *kong.Context) error {
	l, err := mdtest.Parse(c.Args)
	switch {
	case err != nil:
		return exit.With(exit.Usage, err)
	case l.Help:
		return c.usage(p, line.Selected(), nil)
	}
	return p.probe(l.Request, c.measuring, modelled{}, true)
}

// usage lists the options.
func (c *mdtestCommand) usage(p *process, node *kong.Node, _ []string) error {
	var s strings.Builder
	fmt.Fprintf(&s, "Usage: beff mdtest [options]\n\nCalls on files and directories by the method, the options and "+
		"the text of mdtest %s, in a directory of the run's\nown below -d, which is removed at the end.\n\nOptions:\n",
		mdtesttext.Version)
	w := tabwriter.NewWriter(&s, 0, 0, 2, ' ', 0)
	for _, o := range mdtest.Options {
		none := words.Either(o.Refused != "", "refused: "+o.Refused, "no effect")
		fmt.Fprintf(w, "  %s %s\t%s\n", o.Spelling(), o.Value, cmp.Or(o.Help, none))
	}
	return p.writeFlags(&s, w, node)
}
