package main

import (
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/plain"
	"github.com/effective-bandwidth/beff/plugins"
)

// mpiCommand is `beff mpi`: the plug-ins.
type mpiCommand struct {
	Add    mpiAdd    `cmd:"" help:"${mpi_add}"`
	List   mpiList   `cmd:"" help:"${mpi_list}"`
	Remove mpiRemove `cmd:"" help:"Remove plug-ins."`
}

// plugins returns the plug-ins of this machine. Those that aren't trusted are named on stderr.
func (p *process) plugins() []plugins.Plugin {
	list, refused := plugins.Find(plugins.Directories(os.Getenv))
	for _, err := range refused {
		fmt.Fprintf(p.stderr, "beff: %s\n", plain.Text(err))
	}
	return list
}

// mpiAdd is `beff mpi add`.
type mpiAdd struct {
	Mpicc string `name:"mpicc" default:"mpicc" placeholder:"PATH" help:"${mpi_mpicc}"`
	Name  string `placeholder:"NAME" help:"${mpi_name}"`
}

// Run is called by the command line.
func (c *mpiAdd) Run(p *process) error {
	made, facts, err := plugins.Add(plugins.Directories(os.Getenv), c.Mpicc, c.Name)
	if err != nil {
		return fmt.Errorf("plug-in for %s: %w", c.Mpicc, err)
	}
	_, err = fmt.Fprintf(p.stdout, "plug-in %s for %s %s (MPI %s) is in %s\n", made.Name, facts.Library, facts.Version,
		facts.Standard, made.Path)
	return err
}

// mpiList is `beff mpi list`.
type mpiList struct{}

// Run is called by the command line.
func (c *mpiList) Run(p *process) error {
	list := p.plugins()
	if len(list) == 0 {
		fmt.Fprintf(p.stderr, "beff: there are no plug-ins in %s: run beff mpi add\n",
			strings.Join(plugins.Directories(os.Getenv), ", "))
		return nil
	}
	w := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "name\tlibrary\tversion\tstandard\tmade with\tpath\tloads")
	for _, p := range list {
		facts, err := plugins.Describe(p.Path)
		loads := "yes"
		if err != nil {
			facts.Library, facts.Version, facts.Standard, loads = p.Family, "-", "-", "no: "+err.Error()
		}
		fmt.Fprintln(w, strings.Join([]string{p.Name, facts.Library, facts.Version, facts.Standard, p.Wrapper, p.Path,
			loads}, "\t"))
	}
	return w.Flush()
}

// mpiRemove is `beff mpi remove`.
type mpiRemove struct {
	Names []string `arg:"" name:"name" help:"Names of plug-ins, as beff mpi list shows them."`
}

// Run is called by the command line.
func (c *mpiRemove) Run(p *process) error {
	list := p.plugins()
	for _, name := range c.Names {
		found := plugins.Named(list, name)
		if found == nil {
			if len(list) == 0 {
				return exit.Misuse("no plug-in %s: there is none here", name)
			}
			return exit.Misuse("no plug-in %s: there are %s", name, plugins.Names(list))
		}
		if err := os.Remove(found.Path); err != nil {
			return err
		}
		fmt.Fprintf(p.stdout, "plug-in %s is removed: %s\n", name, found.Path)
	}
	return nil
}
