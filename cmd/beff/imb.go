package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/alecthomas/kong"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/flow"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/host"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/imb"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/probing"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	imbtext "github.com/effective-bandwidth/beff/report/format/imb"
	"github.com/effective-bandwidth/beff/report/words"
)

// imbCommands is `beff imb`: IMB's executables, each as a command.
type imbCommands struct {
	MPI1 imbCommand `cmd:"" name:"mpi1" help:"Measure point-to-point and collective calls as IMB-MPI1 does."`
	EXT  imbCommand `cmd:"" help:"Measure one-sided calls of MPI-2 as IMB-EXT does."`
	IO   imbCommand `cmd:"" name:"io" help:"Measure files as IMB-IO does."`
	NBC  imbCommand `cmd:"" help:"Measure nonblocking collective calls as IMB-NBC does."`
	RMA  imbCommand `cmd:"" help:"Measure one-sided calls of MPI-3 as IMB-RMA does."`
	MPI4 imbCommand `cmd:"" name:"mpi4" help:"Measure persistent collective calls as IMB-MPI4 does."`
	P2P  imbCommand `cmd:"" name:"p2p" help:"Measure pairs of processes as IMB-P2P does."`
	MT   imbCommand `cmd:"" name:"mt" help:"Measure threads as IMB-MT does."`
}

func newIMBCommands() imbCommands {
	return imbCommands{MPI1: imbCommand{component: kernel.MPI1}, EXT: imbCommand{component: kernel.EXT},
		IO: imbCommand{component: kernel.IO}, NBC: imbCommand{component: kernel.NBC},
		RMA: imbCommand{component: kernel.RMA}, MPI4: imbCommand{component: kernel.MPI4},
		P2P: imbCommand{component: kernel.P2P}, MT: imbCommand{component: kernel.MT}}
}

// imbCommand accepts the command line of one of IMB's executables, so that job scripts can keep it.
type imbCommand struct {
	component  kernel.Component
	Args       []string `arg:"" optional:"" help:"Use these options and benchmarks of IMB, which -help lists."`
	flow.Flags `set:"output=${probe_output}"`
	flow.Modelled
}

// setWords sets the words in IMB's grammar.
func (c *imbCommand) setWords(words []string) { c.Args = words }

// Run is called by the command line.
func (c *imbCommand) Run(p *process.Process, line *kong.Context) error {
	own := lists.Each(line.Selected().Flags, func(f *kong.Flag) string { return "--" + f.Name })
	r, err := imb.Parse(c.component, c.Args, own...)
	switch {
	case err != nil:
		return exit.With(exit.Usage, err)
	case r.Help:
		return c.usage(p, line.Selected(), r.Names)
	case r.List:
		return c.list(p)
	}
	if c.component == kernel.MT {
		r.SetThreads(os.Getenv("OMP_NUM_THREADS"), host.CPUs().Count())
	}
	return probing.Measure(p, r, c.Flags, c.Modelled, r.Asks())
}

// list writes the benchmarks in the form of IMB's -list.
func (c *imbCommand) list(p *process.Process) error {
	var names []string
	for _, k := range suites.Kernels() {
		if k.Component != c.component {
			continue
		}
		lines := []string{k.Name + words.Either(k.RunsByDefault(settings.ByIMB2021), "", " (non-default)")}
		for _, text := range imbtext.Remarks(k) {
			lines = append(lines, "    "+text)
		}
		names = append(names, strings.Join(lines, "\n    "))
	}
	slices.Sort(names)
	_, err := fmt.Fprintf(p.Stdout, "beff %s, as Intel(R) MPI Benchmarks 2021.11\nList of benchmarks:\n"+
		"IMB-%s:\n    %s\n", version, c.component, strings.Join(names, "\n    "))
	return err
}

// usage lists the options in the words of IMB's help, or explains the named ones.
func (c *imbCommand) usage(p *process.Process, node *kong.Node, names []string) error {
	var own, all strings.Builder
	w := tabwriter.NewWriter(&all, 0, 0, 2, ' ', 0)
	option := func(name, usage, help string) {
		fmt.Fprintf(w, "  %s\t%s\n", usage, help)
		if slices.Contains(names, name) {
			fmt.Fprintf(&own, "%s\n\n%s\n", usage, help)
		}
	}
	headed := false
	for _, o := range imb.Options(imb.Guide) {
		if o.Own && !headed {
			headed = true
			fmt.Fprint(w, "\nOptions that IMB doesn't have:\n\n")
		}
		option(o.Name, o.Usage(), o.Explain(imb.Guide))
	}
	for _, f := range node.Flags {
		usage := "--" + f.Name
		if f.Short != 0 {
			usage = "-" + string(f.Short) + ", " + usage
		}
		if !f.IsBool() {
			usage += " " + cmp.Or(f.PlaceHolder, strings.ToUpper(f.Name))
		}
		option(f.Name, usage, f.Help)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	text := own.String()
	if text == "" {
		text = fmt.Sprintf("Usage: %s [options] [benchmark…]\n\n%s with its own command line, as "+
			"IMB 2021.11 measures. -list shows the benchmarks, -help OPTION one option.\n\n%s%s",
			imb.Command(c.component), suites.Title(c.component), detailOf(node), &all)
	}
	_, err := io.WriteString(p.Stdout, text)
	return err
}

// commandLine returns the arguments of a program with this name. If the program is called imb-mpi1 or IMB-MPI1, for
// example through a link, it runs `beff imb mpi1`.
func commandLine(name string, args []string) []string {
	if rest, is := strings.CutPrefix(strings.ToLower(filepath.Base(name)), "imb-"); is {
		return append([]string{"imb", rest}, args...)
	}
	return args
}

// ownGrammar is a command with words that kong doesn't parse.
type ownGrammar interface {
	setWords(words []string)
	// usage lists the options, or explains the named ones.
	usage(p *process.Process, node *kong.Node, names []string) error
}

// splitLine splits the line of a command c with its own grammar. rest has the command and its flags, whose values are
// separate words or follow an equals sign, and words all others. For other commands c is nil.
func splitLine(app *kong.Application, line []string) (c ownGrammar, rest, words []string) {
	node := app.Node
	first := 0
	for ; first < len(line); first++ {
		i := slices.IndexFunc(node.Children, func(n *kong.Node) bool { return n.Name == line[first] })
		if i < 0 {
			break
		}
		node = node.Children[i]
	}
	c, is := node.Target.Addr().Interface().(ownGrammar)
	if !is {
		return nil, line, nil
	}
	rest = slices.Clone(line[:first])
	_, letters := c.(*mpiblibCommand) // its options are letters: flags have no short names in its lines
	for i := first; i < len(line); i++ {
		name, _, joined := strings.Cut(line[i], "=")
		at := slices.IndexFunc(node.Flags, func(f *kong.Flag) bool {
			return name == "--"+f.Name || f.Short != 0 && !letters && line[i] == "-"+string(f.Short)
		})
		if at < 0 {
			words = append(words, line[i])
			continue
		}
		rest = append(rest, line[i])
		if i+1 < len(line) && !joined && !node.Flags[at].IsBool() {
			i++
			rest = append(rest, line[i])
		}
	}
	return c, rest, words
}
