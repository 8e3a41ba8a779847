package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/terminal"
	"github.com/effective-bandwidth/beff/mpi/libmpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
	"github.com/effective-bandwidth/beff/mpi/plugins"
)

// mpiCommand is `beff mpi`, for plug-ins.
type mpiCommand struct {
	Add    mpiAdd    `cmd:"" help:"${mpi_add}"`
	List   mpiList   `cmd:"" help:"${mpi_list}"`
	Remove mpiRemove `cmd:"" help:"Remove plug-ins."`
	Build  mpiBuild  `cmd:"" hidden:"" help:"Make a portable plug-in, for the packages."`
}

// mpiBuild is `beff mpi build`.
type mpiBuild struct {
	Compiler string `arg:"" help:"Compile with this command, which finds an mpi.h, such as gcc -I DIR."`
	Path     string `arg:"" help:"Write the plug-in to this file."`
}

// Run is called by the command line.
func (c *mpiBuild) Run() error { return plugin.BuildPortable(c.Compiler, c.Path) }

// mpiAdd is `beff mpi add`.
type mpiAdd struct {
	Mpicc string `name:"mpicc" default:"mpicc" placeholder:"PATH" help:"${mpi_mpicc}"`
	Name  string `placeholder:"NAME" help:"${mpi_name}"`
}

// Run is called by the command line.
func (c *mpiAdd) Run(p *process.Process) error {
	made, facts, err := plugins.Add(plugins.Directories(os.Getenv), c.Mpicc, c.Name)
	if err != nil {
		return fmt.Errorf("plug-in for %s: %w", c.Mpicc, err)
	}
	_, err = fmt.Fprintf(p.Stdout, "plug-in %s for %s %s (MPI %s) is in %s\n", made.Name,
		facts.Library.Library, facts.Library.Version, facts.Library.Standard, made.Path)
	return err
}

// mpiList is `beff mpi list`.
type mpiList struct{}

// Run is called by the command line.
func (c *mpiList) Run(p *process.Process) error {
	list := p.Plugins()
	if len(list) == 0 {
		fmt.Fprintf(p.Stderr, "beff: there are no plug-ins in %s: run beff mpi add\n",
			strings.Join(plugins.Directories(os.Getenv), ", "))
		return nil
	}
	for _, plug := range list {
		facts, err := libmpi.Facts{}, errors.New("no library is found")
		if plug.Loads() {
			facts, err = plugins.Describe(plug.Files)
		}
		state := "starts"
		lib, path := facts.Library, cmp.Or(plug.Library, plug.Path)
		if err == nil {
			err = plugins.Start(plug.Files)
		}
		if err != nil {
			state = "doesn't start: " + terminal.Plain(err)
		}
		if lib.Library != "" {
			state = fmt.Sprintf("%s %s, MPI %s, %s", lib.Library, lib.Version, lib.Standard, state)
		}
		fmt.Fprintf(p.Stdout, "%s: %s\n", plug.Name, state)
		for _, row := range [][2]string{{"interface", plug.Family}, {"has", strings.Join(facts.Parts, ", ")},
			{"made with", plug.Wrapper}, {"path", path}} {
			if row[1] != "" {
				fmt.Fprintf(p.Stdout, "  %-9s  %s\n", row[0], row[1])
			}
		}
	}
	return nil
}

// mpiRemove is `beff mpi remove`.
type mpiRemove struct {
	Names []string `arg:"" name:"name" help:"Remove the plug-ins with these names, as beff mpi list shows them."`
}

// Run is called by the command line.
func (c *mpiRemove) Run(p *process.Process) error {
	list := p.Plugins()
	for _, name := range c.Names {
		found := plugins.Named(list, name)
		if found == nil {
			if len(list) == 0 {
				return exit.Misuse("no plug-in %s: there are no plug-ins", name)
			}
			return exit.Misuse("no plug-in %s: there are %s", name, plugins.Names(list))
		}
		if found.Portable() {
			return exit.Misuse("%s is a part of this installation and can't be removed by itself", found.Path)
		}
		if err := os.Remove(found.Path); err != nil {
			return err
		}
		fmt.Fprintf(p.Stdout, "plug-in %s is removed: %s\n", name, found.Path)
	}
	return nil
}
