package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/imb"
	"github.com/effective-bandwidth/beff/probe"
)

// imbCommand is one of `beff imb-mpi1` and its sisters: IMB's own command line, for job scripts that have it.
type imbCommand struct {
	component probe.Component
	Args      []string `arg:"" optional:"" help:"Options and benchmarks as IMB takes them: see -help."`
}

// Run is called by the command line.
func (c *imbCommand) Run(p *process) error {
	r, err := imb.Parse(c.component, c.Args)
	switch {
	case err != nil:
		return exit.With(exit.Usage, err)
	case r.Help:
		return c.usage(p)
	}
	return p.probe(r, about{})
}

// usage lists the options, in the words of IMB's.
func (c *imbCommand) usage(p *process) error {
	name := strings.ToLower(string(c.component))
	fmt.Fprintf(p.stdout, "Usage: beff imb-%s [options] [benchmark…]\n\nIMB-%s by its own command line (IMB user's "+
		"guide 4.0, \"Command-line Control\"). `beff probe list` shows the benchmarks.\n\n", name, c.component)
	w := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	own := false
	for _, o := range imb.Options(imb.Guide) {
		if o.Own && !own {
			own = true
			fmt.Fprint(w, "\nOptions that IMB doesn't have:\n\n")
		}
		fmt.Fprintf(w, "  %s\t%s\n", o.Usage(), o.Explain(imb.Guide))
	}
	return w.Flush()
}
