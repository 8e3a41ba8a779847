package main

import (
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/alecthomas/kong"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/config"
)

// configCommand is `beff config`.
type configCommand struct {
	Example bool `help:"Print a file to begin with."`
}

// Run is called by the command line.
func (c *configCommand) Run(p *process, line *kong.Context) error {
	if c.Example {
		_, err := fmt.Fprint(p.stdout, exampleConfig)
		return err
	}
	files, err := config.Read(config.Paths(os.Getenv))
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	for _, f := range files {
		state := "not there"
		if f.Found {
			state = "read"
		}
		fmt.Fprintf(w, "%s\t%s\n", f.Path, state)
	}
	values := config.Values(files)
	if len(values) > 0 {
		fmt.Fprintln(w, "\nkey\tvalue\tfrom")
	}
	for _, v := range values {
		fmt.Fprintf(w, "%s\t%s\t%s\n", v.Key(), v.Text(), v.File)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return config.Check(values, line.Model)
}

// configure lets beff.toml give values to flags that the command line doesn't have.
func configure(line *kong.Context) error {
	node := line.Selected()
	if node == nil || node.Target.CanAddr() && unconfigured(node.Target.Addr().Interface()) {
		return nil
	}
	files, err := config.Read(config.Paths(os.Getenv))
	if err != nil {
		return err
	}
	values := config.Values(files)
	if err := config.Check(values, line.Model); err != nil {
		return err
	}
	line.AddResolver(config.Resolver(values))
	return nil
}

// unconfigured reports whether a command must work whatever is in beff.toml.
func unconfigured(command any) bool {
	switch command.(type) {
	case *configCommand, *helpCommand, *versionCommand, *completionCommand, *wordsCommand, *manualCommand:
		return true
	}
	return false
}

const exampleConfig = `# beff.toml: values of flags, so that nobody writes them with each command.
# A key is the name of a flag. Those at the top are for every command that has the flag, those in a table for the
# command of that name. The current directory's file comes first, then the user's, then the site's: see beff config.

# system = "Example"            # what reports and rankings call the machine
# site = "Computing Centre"
# note = "fat tree, 200 Gb/s"
# memory = "2GiB"               # per process
# mpi = "openmpi"               # plug-in, as beff mpi list shows them
# launcher = "srun --mpi=pmix"  # in the scripts of beff job

# [run]
# rules = "2001"
# passes = 1                    # instead of as many as cover 90 s

# [io]
# directory = "/scratch/me"

# [job]
# scheduler = "slurm"
# ntasks-per-node = 48
`
