package flow

import (
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/launch"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/size"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/watch"
	"github.com/effective-bandwidth/beff/rating"
)

// Flags holds the flags of all commands that measure. Each command sets the variable engines, the engines that it
// accepts, and output, the help of -o.
type Flags struct {
	Processes `group:"processes"`
	Noise     *size.Time `placeholder:"TIME" group:"processes" help:"${noise}"`
	Files     `group:"output"`
	Naming    `group:"output" set:"otherwise= (default the host's name)"`
}

// Processes holds the flags for the processes of a command.
type Processes struct {
	Ranks     *int      `short:"n" name:"ranks" placeholder:"P" help:"${ranks}"`
	MPI       string    `name:"mpi" placeholder:"NAME" help:"${mpi}"`
	Engine    string    `enum:"${engines}" default:"auto" help:"Connect the processes through one of ${enum}. ${auto}"`
	Patience  size.Time `placeholder:"TIME" default:"30s" group:"hang" help:"${patience}"`
	Topology  string    `placeholder:"FILE" help:"${topology}"`
	HangLimit size.Time `placeholder:"TIME" default:"0" group:"hang" help:"${hang_limit}"`
}

// rules returns when a process without progress is reported, and when it ends the run.
func (p Processes) rules() watch.Rules {
	return watch.Rules{Patience: time.Duration(p.Patience), Limit: time.Duration(p.HangLimit)}
}

// Modelled holds the flags for model machines, for commands that run on the engine sim.
type Modelled struct {
	Machine string   `placeholder:"FILE|PRESET" group:"models" help:"${machine}"`
	Set     []string `sep:"none" placeholder:"KEY=VALUE" group:"models" help:"${model_set}"`
}

// Simulation returns the choice of a machine. announced is true if the benchmark's programs announce the messages of
// all processes.
func (m Modelled) Simulation(announced bool, seed *uint32) launch.Simulation {
	s := launch.Simulation{Machine: m.Machine, Set: m.Set, Announced: announced}
	if seed != nil {
		s.Seed = uint64(*seed)
	}
	return s
}

// Files holds the flags for the files of a run, and for its end.
type Files struct {
	DryRun bool       `help:"Print the plan without measuring."`
	Output *string    `short:"o" placeholder:"PATH" xor:"output" help:"${output}"`
	Resume *string    `placeholder:"PREFIX" xor:"output" help:"${resume}"`
	Wall   *size.Time `placeholder:"TIME" help:"${wall}"`
	Force  bool       `help:"${force}"`
}

// Naming holds the flags with which people describe a machine. Each command sets the variable otherwise, which explains
// the name without the flag.
type Naming struct {
	System *string `placeholder:"NAME" help:"Name the system in reports and rankings${otherwise}."`
	Site   *string `placeholder:"TEXT" help:"Name the institution and place of the system."`
	Note   *string `placeholder:"TEXT" help:"${note}"`
}

// Apply replaces the fields whose flags are given.
func (n Naming) Apply(s *rating.System) {
	for _, x := range []struct {
		to    *string
		given *string
	}{{&s.Name, n.System}, {&s.Site, n.Site}, {&s.Note, n.Note}} {
		if x.given != nil {
			*x.to = *x.given
		}
	}
}

// Named returns a copy of s with the fields whose flags are given. s may be nil. Named returns nil if all fields are
// empty.
func (n Naming) Named(s *rating.System) (*rating.System, error) {
	var made rating.System
	if s != nil {
		made = *s
	}
	if n.Apply(&made); made == (rating.System{}) {
		return nil, nil
	}
	return &made, made.Check()
}

// Measuring returns the flags themselves. Having the method marks a command that measures.
func (f *Flags) Measuring() *Flags { return f }
