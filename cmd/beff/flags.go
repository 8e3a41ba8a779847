package main

import (
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/launch"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/size"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/watch"
)

// measuring holds the flags that all commands have that measure. Each of them sets the variables engines, the engines
// that it takes, and output, the help of -o.
type measuring struct {
	processes `group:"processes"`
	files     `group:"output"`
	naming    `group:"output" set:"otherwise= (default: the host's)"`
}

// processes holds the flags of the processes that a command measures with.
type processes struct {
	Ranks     *int       `short:"n" name:"ranks" placeholder:"P" help:"${ranks}"`
	MPI       string     `name:"mpi" placeholder:"NAME" help:"${mpi}"`
	Engine    string     `enum:"${engines}" default:"auto" help:"What processes talk through: ${enum}. ${auto}"`
	Patience  size.Time  `placeholder:"TIME" default:"30s" group:"hang" help:"${patience}"`
	Noise     *size.Time `placeholder:"TIME" help:"${noise}"`
	Topology  string     `placeholder:"FILE" help:"${topology}"`
	HangLimit size.Time  `placeholder:"TIME" default:"0" group:"hang" help:"${hang_limit}"`
}

// rules returns when a process that doesn't go on is told, and ends the run.
func (p processes) rules() watch.Rules {
	return watch.Rules{Patience: time.Duration(p.Patience), Limit: time.Duration(p.HangLimit)}
}

// modelled holds the flags of machines that are models, for commands that the engine sim can run.
type modelled struct {
	Machine string   `placeholder:"FILE|PRESET" group:"models" help:"${machine}"`
	Set     []string `sep:"none" placeholder:"KEY=VALUE" group:"models" help:"${model_set}"`
}

// simulation returns the choice of a machine. Told is true if the benchmark's programs tell the messages of all
// processes.
func (m modelled) simulation(told bool, seed *uint32) launch.Simulation {
	s := launch.Simulation{Machine: m.Machine, Set: m.Set, Told: told}
	if seed != nil {
		s.Seed = uint64(*seed)
	}
	return s
}

// files holds the flags of the files of a run, and of its end.
type files struct {
	DryRun       bool       `help:"Print what would be measured, and stop."`
	Output       *string    `short:"o" placeholder:"PATH" xor:"output" help:"${output}"`
	Resume       *string    `placeholder:"PREFIX" xor:"output" help:"${resume}"`
	ResumeAnyway bool       `help:"${resume_anyway}"`
	Wall         *size.Time `placeholder:"TIME" help:"${wall}"`
	Force        bool       `help:"Overwrite existing output files."`
}
