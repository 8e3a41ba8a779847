package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"text/tabwriter"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/plugins"
)

// versionCommand is `beff version`.
type versionCommand struct{}

// Run is called by the command line.
func (c *versionCommand) Run(p *process) error {
	w := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "beff %s\n", version)
	path := "unknown"
	if self, err := os.Executable(); err == nil {
		path = self
	}
	fmt.Fprintf(w, "binary\t%s (%s/%s)\n", path, runtime.GOOS, runtime.GOARCH)
	info, _ := debug.ReadBuildInfo()
	fmt.Fprintf(w, "commit\t%s\n", commit(info))
	fmt.Fprintf(w, "built with\t%s\n", runtime.Version())
	directories := plugins.Directories(os.Getenv)
	list := plugins.Find(directories)
	if len(list) == 0 {
		fmt.Fprintln(w, "plug-ins\tnone: beff mpi add makes one")
	}
	for i, p := range list {
		name := ""
		if i == 0 {
			name = "plug-ins"
		}
		state := p.Path
		if err := p.Check(); err != nil {
			state += ": " + err.Error()
		}
		fmt.Fprintf(w, "%s\t%s (%s) %s\n", name, p.Name, p.Family, state)
	}
	return w.Flush()
}

// commit returns the commit that the program was built of, as Go's build recorded it.
func commit(info *debug.BuildInfo) string {
	if info == nil {
		return "unknown"
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	switch revision := settings["vcs.revision"]; {
	case revision != "" && settings["vcs.modified"] == "true":
		return revision + " of " + settings["vcs.time"] + ", and changes"
	case revision != "":
		return revision + " of " + settings["vcs.time"]
	case info.Main.Version != "" && info.Main.Version != "(devel)":
		return info.Main.Version // of a module that was downloaded
	}
	return "unknown"
}
