package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/imb"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/probing"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/usage"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi/plugins"
)

// groups are the parts of the list of commands, and of the flags of beff probe. A tag names the group of each.
var groups = []kong.Group{
	{Key: "measure", Title: "Measure:"},
	{Key: "find", Title: "Find out:"},
	{Key: "judge", Title: "Judge:"},
	{Key: "results", Title: "Results:"},
	{Key: "setup", Title: "Set up:"},
	{Key: imb.Kernels, Title: "Measurement:"},
	{Key: imb.Timing, Title: "Timing:"},
	{Key: imb.Output, Title: "Output:"},
	{Key: "processes", Title: "Processes:"},
	{Key: "hang", Title: "When things hang:"},
	{Key: "models", Title: "Machines that are models:"},
}

// exitCodes ends the help of the whole program. docs/reliability.md explains each code.
const exitCodes = `
Exit codes: 0 done, 1 failed, 2 wrong command line, 3 worse than the limit,
4 ended by a time limit, 5 can't be judged, 6 undecided.
`

// showHelp prints help: for the whole program the commands in their groups on one screen, and for a command its
// examples, the page to read on, and the flags that most users need.
func showHelp(options kong.HelpOptions, ctx *kong.Context) error {
	options.FlagsLast = true
	node := explained(ctx)
	if node == nil {
		options.NoExpandSubcommands = true
		err := kong.DefaultHelpPrinter(options, ctx)
		if err == nil {
			_, err = fmt.Fprint(ctx.Stdout, exitCodes)
		}
		return err
	}
	shown := strings.Fields(guides[node.Path()].flags)
	programFlags := []string{"help", "version", "help-all"}
	for _, level := range node.AllFlags(true) {
		for _, f := range level {
			f.Hidden = slices.Contains(programFlags, f.Name) || len(shown) > 0 && !slices.Contains(shown, f.Name)
		}
	}
	err := kong.DefaultHelpPrinter(options, ctx)
	if err == nil && len(shown) > 0 {
		_, err = fmt.Fprintf(ctx.Stdout, "\nAll flags: %s --help-all\n", node.FullPath())
	}
	return err
}

// helpAll is the flag that shows all flags.
type helpAll bool

// BeforeReset is called by the parser before it parses other flags.
func (helpAll) BeforeReset(ctx *kong.Context) error {
	if explained(ctx) == nil {
		return ctx.PrintUsage(false)
	}
	err := kong.DefaultHelpPrinter(kong.HelpOptions{Compact: true, FlagsLast: true,
		ValueFormatter: kong.DefaultHelpValueFormatter}, ctx)
	ctx.Exit(0)
	return err
}

// explained returns the command for which help is asked, with its flags in the order of their groups, or nil for the
// whole program. Instead of a command with a default subcommand it returns the default, with the others below it.
func explained(ctx *kong.Context) *kong.Node {
	node := ctx.Selected()
	if node == nil {
		return nil
	}
	if node.DefaultCmd != nil {
		node = node.DefaultCmd
		ctx.Path = append(ctx.Path, &kong.Path{Command: node})
	}
	if all := node.Parent; all.DefaultCmd == node {
		node.Children = lists.Where(all.Children, func(c *kong.Node) bool { return c != node })
	}
	place := func(f *kong.Flag) int {
		return slices.IndexFunc(groups, func(g kong.Group) bool { return f.Group != nil && g.Key == f.Group.Key })
	}
	slices.SortStableFunc(node.Flags, func(a, b *kong.Flag) int { return place(a) - place(b) })
	return node
}

// helpCommand is `beff help`.
type helpCommand struct {
	Command []string `arg:"" optional:"" help:"Explain this command, such as run or mpi add."`
}

// Run is called by the command line.
func (c *helpCommand) Run(p *process.Process) error {
	code, err := execute(p, append(c.Command, "--help"))
	return exit.With(code, err)
}

// completionCommand is `beff completion`.
type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"Print the script for bash, zsh or fish."`
}

// Run is called by the command line.
func (c *completionCommand) Run(p *process.Process) error {
	script, err := usage.Script(c.Shell)
	if err == nil {
		_, err = fmt.Fprint(p.Stdout, script)
	}
	return err
}

// wordsCommand is called by the completion scripts: it prints the words that may follow the given ones.
type wordsCommand struct {
	Words []string `arg:"" optional:""`
}

// Run is called by the command line.
func (c *wordsCommand) Run(p *process.Process) error {
	app, err := wholeModel(p)
	if err != nil {
		return err
	}
	for _, candidate := range usage.Words(app, c.Words, completions(app)) {
		if _, err := fmt.Fprintln(p.Stdout, candidate); err != nil {
			return err
		}
	}
	return nil
}

// completer is a command that knows words for its arguments that the model of the command line lacks.
type completer interface {
	words(app *kong.Application) []string
}

// completions returns the words that a flag or a command accepts, if the model lacks them.
func completions(app *kong.Application) usage.Values {
	return func(target kong.Visitable) []string {
		switch x := target.(type) {
		case *kong.Flag:
			if x.Name == "mpi" {
				return pluginNames()
			}
		case *kong.Node:
			if x.Target.CanAddr() {
				if n, ok := x.Target.Addr().Interface().(completer); ok {
					return n.words(app)
				}
			}
		}
		return nil
	}
}

func pluginNames() []string {
	found, _ := plugins.Find(plugins.Directories(os.Getenv), nil)
	return lists.Each(found, func(p plugins.Plugin) string { return p.Name })
}

func (c *mpiRemove) words(*kong.Application) []string { return pluginNames() }

func (c *probeRun) words(*kong.Application) []string { return probing.Names("") }

func (c *helpCommand) words(app *kong.Application) []string { return commandsOf(app.Node) }

// commandsOf returns the names of a command's subcommands, except the hidden ones.
func commandsOf(node *kong.Node) []string {
	shown := lists.Where(node.Children, func(n *kong.Node) bool { return !n.Hidden })
	return lists.Each(shown, func(n *kong.Node) string { return n.Name })
}

// words returns the benchmarks of the component, and the options of IMB's grammar.
func (c *imbCommand) words(*kong.Application) []string {
	return append(probing.Names(c.component), imb.Spellings()...)
}

// manualCommand writes the pages of the manual, for packages and the documentation.
type manualCommand struct {
	Directory string `arg:"" help:"Write to this directory, which is made if it is missing."`
	Site      bool   `help:"Write pages of the documentation, not sources of man pages."`
}

// Run is called by the command line.
func (c *manualCommand) Run(p *process.Process) error {
	app, err := wholeModel(p)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(c.Directory, 0o777); err != nil {
		return err
	}
	form, ending := usage.Man, ".1.md"
	if c.Site {
		form, ending = usage.Site, ".md"
	}
	for _, page := range usage.Pages(app, func(node *kong.Node) string { return grammarOf(p, node) }) {
		err := publish.Replace(filepath.Join(c.Directory, page.Name+ending), func(w io.Writer) error {
			return page.Write(w, form, "beff "+version)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// grammarOf returns the help on a command's own grammar, or "" if the command has none.
func grammarOf(p *process.Process, node *kong.Node) string {
	c, ok := node.Target.Addr().Interface().(ownGrammar)
	if !ok {
		return ""
	}
	var text strings.Builder
	without := *node
	without.Detail = "" // the page has it already
	// A strings.Builder has no errors.
	_ = c.usage(&process.Process{Stdout: &text, Stderr: p.Stderr}, &without, nil)
	return text.String()
}
