package main

import "github.com/effective-bandwidth/beff/cmd/beff/internal/launch"

// processes holds the flags of the processes that a command measures with.
type processes struct {
	Ranks   *int     `short:"n" name:"ranks" placeholder:"P" help:"${ranks}"`
	MPI     string   `name:"mpi" placeholder:"NAME" help:"${mpi}"`
	Engine  string   `enum:"${engines}" default:"auto" help:"${engine}"`
	Machine string   `placeholder:"FILE|PRESET" help:"${machine}"`
	Set     []string `sep:"none" placeholder:"KEY=VALUE" help:"${model_set}"`
	watching
}

// choice returns the choice of an engine. Told is true if the benchmark's programs tell the messages of all processes.
func (p processes) choice(told bool, seed *uint32) launch.Choice {
	c := launch.Choice{Engine: p.Engine, MPI: p.MPI,
		Simulation: launch.Simulation{Machine: p.Machine, Set: p.Set, Told: told}}
	if seed != nil {
		c.Simulation.Seed = uint64(*seed)
	}
	return c
}
