package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/imb"
	"github.com/effective-bandwidth/beff/probe"
)

// imbCommands is `beff imb`: IMB's executables, each a command.
type imbCommands struct {
	MPI1 imbCommand `cmd:"" name:"mpi1" passthrough:"" help:"IMB-MPI1: point-to-point and collective calls."`
	EXT  imbCommand `cmd:"" passthrough:"" help:"IMB-EXT: one-sided calls of MPI-2."`
	IO   imbCommand `cmd:"" name:"io" passthrough:"" help:"IMB-IO: files."`
	NBC  imbCommand `cmd:"" passthrough:"" help:"IMB-NBC: nonblocking collective calls."`
	RMA  imbCommand `cmd:"" passthrough:"" help:"IMB-RMA: one-sided calls of MPI-3."`
	P2P  imbCommand `cmd:"" name:"p2p" passthrough:"" help:"IMB-P2P: pairs of processes."`
}

func newIMBCommands() imbCommands {
	return imbCommands{MPI1: imbCommand{component: probe.MPI1}, EXT: imbCommand{component: probe.EXT},
		IO: imbCommand{component: probe.IO}, NBC: imbCommand{component: probe.NBC},
		RMA: imbCommand{component: probe.RMA}, P2P: imbCommand{component: probe.P2P}}
}

// commandLine returns the arguments of a program of this name: one that is called imb-mpi1, IMB-MPI1 and so on, such as
// by a link, is `beff imb mpi1`.
func commandLine(name string, args []string) []string {
	if component, ok := strings.CutPrefix(strings.ToLower(filepath.Base(name)), "imb-"); ok {
		return append([]string{"imb", component}, args...)
	}
	return args
}

// imbCommand is one of IMB's own command lines, for job scripts that have it.
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
		return c.usage(p, r.Names)
	case r.List:
		return c.list(p)
	}
	return p.probe(r, about{}, r.Asks())
}

// list writes the benchmarks in the form of IMB's -list.
func (c *imbCommand) list(p *process) error {
	var names []string
	for i := range probe.Kernels {
		if k := &probe.Kernels[i]; k.Component == c.component {
			names = append(names, k.Name+map[bool]string{true: " (non-default)"}[!k.Default(probe.ByToday)])
		}
	}
	slices.Sort(names)
	_, err := fmt.Fprintf(p.stdout, "List of benchmarks:\nIMB-%s:\n    %s\n", c.component,
		strings.Join(names, "\n    "))
	return err
}

// explain writes the help of one option.
func explain(p *process, o *imb.Option) error {
	_, err := fmt.Fprintf(p.stdout, "%s\n\n%s\n", o.Usage(), o.Explain(imb.Guide))
	return err
}

// usage lists the options, in the words of IMB's, or explains the one that is named.
func (c *imbCommand) usage(p *process, names []string) error {
	for _, o := range imb.Options(imb.Guide) {
		if slices.Contains(names, o.Name) {
			return explain(p, o)
		}
	}
	fmt.Fprintf(p.stdout, "Usage: %s [options] [benchmark…]\n\n%s by its own command line, measured "+
		"as IMB 2021.11 does it. -list shows the benchmarks, -help OPTION one option.\n\n", imb.Command(c.component),
		c.component.Title())
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
