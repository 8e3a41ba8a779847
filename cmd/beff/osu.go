package main

import (
	"cmp"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/alecthomas/kong"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/osu"
	osutext "github.com/effective-bandwidth/beff/report/format/osu"
)

// osuCommand is `beff osu latency`: the command lines of the OSU micro-benchmarks.
type osuCommand struct {
	Args      []string `arg:"" optional:"" help:"${osu_args}"`
	measuring `set:"output=${osu_output}"`
	modelled
}

// take takes the words that OSU's grammar is for.
func (c *osuCommand) take(words []string) { c.Args = words }

// Run is called by the command line. Wrong words end with OSU's code.
func (c *osuCommand) Run(p *process, line *kong.Context) error {
	if len(c.Args) == 0 || strings.HasPrefix(c.Args[0], "-") {
		return c.usage(p, line.Selected(), nil)
	}
	test := "osu_" + strings.TrimPrefix(c.Args[0], "osu_")
	l, err := osu.Parse(test, c.Args[1:])
	switch {
	case err != nil:
		return exit.With(exit.Failed, err)
	case l.Help:
		return c.usage(p, line.Selected(), nil)
	case l.Version:
		_, err := fmt.Fprintf(p.stdout, "# OSU MPI%s Test v%s\n", osutext.Title(test), osutext.Version)
		return err
	}
	return p.probe(l.Request, c.measuring, c.modelled, true)
}

// usage lists the tests and the options.
func (c *osuCommand) usage(p *process, node *kong.Node, _ []string) error {
	var s strings.Builder
	fmt.Fprintf(&s, "Usage: beff osu TEST [options]\n\nThe tests of the OSU micro-benchmarks %s by its own method, "+
		"options and text. A link that is called osu_latency\nis `beff osu latency`.\n\nTests:\n  %s\n\nOptions:\n",
		osutext.Version, strings.Join(osu.Tests(), "\n  "))
	w := tabwriter.NewWriter(&s, 0, 0, 2, ' ', 0)
	for _, o := range osu.Options {
		value, short := o.Value, ""
		if o.Joined {
			value = "[" + value + "]"
		}
		if o.Short != "" {
			short = "-" + o.Short + ", "
		}
		fmt.Fprintf(w, "  %s--%s %s\t%s\n", short, o.Long, value, cmp.Or(o.Help, "no effect"))
	}
	return p.writeFlags(&s, w, node)
}
