package main

import (
	"github.com/effective-bandwidth/beff/cmd/beff/internal/launch"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/probing"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
)

// probeList is `beff probe list`.
type probeList struct {
	Engine string `enum:"auto,mpi,local,openshmem" default:"auto" help:"Whose abilities are shown: ${enum}. ${auto}"`
	MPI    string `name:"mpi" placeholder:"NAME" help:"${mpi}"`
}

// Run is called by the command line.
func (c *probeList) Run(p *process.Process) error {
	choice := launch.Choice{Engine: c.Engine, MPI: c.MPI}
	return p.Start(choice, nil, 1, func(e mpi.Engine) error {
		return job.Do(e.World(), func() error { return probing.List(p.Stdout, e) })
	})
}
