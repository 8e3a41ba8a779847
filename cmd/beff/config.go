package main

import (
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/alecthomas/kong"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/config"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/terminal"
	"github.com/effective-bandwidth/beff/report/words"
)

// configCommand is `beff config`.
type configCommand struct {
	Example bool `help:"Print a file to begin with."`
}

// Run is called by the command line.
func (c *configCommand) Run(p *process.Process) error {
	if c.Example {
		_, err := fmt.Fprint(p.Stdout, exampleConfig)
		return err
	}
	files, err := config.Read(config.Paths(os.Getenv))
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(p.Stdout, 0, 0, 2, ' ', 0)
	for _, f := range files {
		state := "not there"
		switch {
		case f.Refused != nil:
			state = "not read"
		case f.Found:
			state = "read"
		}
		fmt.Fprintf(w, "%s\t%s\n", words.Line(f.Path, '?'), state)
	}
	values := config.Values(files)
	if len(values) > 0 {
		fmt.Fprintln(w, "\nkey\tvalue\tfrom")
	}
	for _, v := range values {
		fmt.Fprintf(w, "%s\t%s\t%s\n", words.Line(v.Key(), '?'), words.Line(v.Text(), '?'), words.Line(v.File, '?'))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	noteFiles(p, files)
	return checkValues(p, values)
}

// checkValues returns an error unless there are flags for all values of beff.toml.
func checkValues(p *process.Process, values []config.Value) error {
	if len(values) == 0 {
		return nil
	}
	app, err := wholeModel(p)
	if err != nil {
		return err
	}
	return config.Check(values, app)
}

// configuring returns a hook of the parser that takes the values of flags that aren't given from beff.toml.
func configuring(p *process.Process) func(*kong.Context) error {
	var done *kong.Context
	return func(line *kong.Context) error {
		node := line.Selected()
		if done == line || node == nil || node.Target.CanAddr() && unconfigured(node.Target.Addr().Interface()) {
			return nil
		}
		done = line
		files, err := config.Read(config.Paths(os.Getenv))
		if err != nil {
			return err
		}
		noteFiles(p, files)
		values := config.Values(files)
		if err := checkValues(p, values); err != nil {
			return err
		}
		line.AddResolver(config.Resolver(values))
		return nil
	}
}

// noteFiles prints the files that beff refuses to read, with the reason.
func noteFiles(p *process.Process, files []config.File) {
	for _, f := range files {
		if f.Refused != nil {
			fmt.Fprintln(p.Stderr, "beff: not read:", words.Line(terminal.Plain(f.Refused), '?'))
		}
	}
}

// unconfigured reports whether a command must work whatever beff.toml contains.
func unconfigured(command any) bool {
	switch command.(type) {
	case *configCommand, *helpCommand, *versionCommand, *completionCommand, *wordsCommand, *manualCommand,
		*importCommand: // its flags describe results, which may be of any machine
		return true
	}
	return false
}

const exampleConfig = `# beff.toml gives values to flags that are missing on the command line.
# A key is the name of a flag. Keys at the top apply to every command that has the flag, keys in a table to the command
# of that name. The user's file takes precedence over the site's: see beff config.

# system = "Example"            # what reports and rankings call the machine
# site = "Computing Centre"
# note = "fat tree, 200 Gb/s"
# memory = "2GiB"               # per process
# mpi = "openmpi"               # a plug-in of beff mpi list

# [run]
# rules = "2001"
# passes = 1                    # instead of as many as end within 2 minutes

# [io]
# directory = "/scratch/me"
`
