package main

import (
	"fmt"
	"os"
	"runtime"
	"text/tabwriter"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// versionCommand is `beff version`.
type versionCommand struct{}

// Run is called by the command line.
func (c *versionCommand) Run(p *process.Process) error {
	w := tabwriter.NewWriter(p.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "beff %s\n", version)
	path := "unknown"
	if self, err := os.Executable(); err == nil {
		path = self
	}
	fmt.Fprintf(w, "binary\t%s (%s/%s)\n", path, runtime.GOOS, runtime.GOARCH)
	fmt.Fprintf(w, "commit\t%s\n", rating.BuiltFrom())
	fmt.Fprintf(w, "built with\t%s\n", runtime.Version())
	list := p.Plugins()
	if len(list) == 0 {
		fmt.Fprintln(w, "plug-ins\tnone: beff mpi add makes one")
	}
	for i, p := range list {
		name := words.Either(i == 0, "plug-ins", "")
		state := p.Path
		if p.Library != "" {
			state += " over " + p.Library
		}
		if err := p.Check(); err != nil {
			state += ": " + err.Error()
		}
		fmt.Fprintf(w, "%s\t%s (%s) %s\n", name, p.Name, p.Family, state)
	}
	return w.Flush()
}
