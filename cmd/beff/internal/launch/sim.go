package launch

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/internal/input"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/sim"
	"github.com/effective-bandwidth/beff/report/words"
	"github.com/effective-bandwidth/beff/sim/machine"
	"github.com/effective-bandwidth/beff/sim/model"
)

// Simulation holds the user's flags for the engine that simulates.
type Simulation struct {
	Machine string   // a file, or a preset
	Set     []string // changes to the machine
	Seed    uint64   // seed of its noise and of random placement (0: 1)
	// Announced is true if the benchmark's programs announce the messages of all processes (mpi.Traffic), so that one
	// process suffices.
	Announced bool
}

// startSim starts the processes of a model machine: as many as it has, or the given number.
func startSim(_ *Launcher, c Choice, _ int) (Start, error) {
	if c.Simulation.Machine == "" {
		return nil, exit.Misuse("--engine sim: want --machine, a file or one of %v", machine.Presets())
	}
	m, err := ReadMachine(c.Simulation.Machine, c.Simulation.Set...)
	if err != nil {
		return nil, err
	}
	if c.Ranks == 0 {
		if c.Ranks = m.Nodes * m.PerNode; c.Ranks == 0 {
			return nil, exit.Misuse("%s has no number of nodes: want -n P", m.Name)
		}
	}
	seed := max(c.Simulation.Seed, 1)
	x, err := model.New(m, c.Ranks, seed)
	if err != nil {
		return nil, exit.With(exit.Usage, err)
	}
	if c.Simulation.Announced {
		return func(main func(mpi.Engine) error) error { return main(sim.New(x, seed)) }, nil
	}
	if c.Ranks > sim.MaxRanks {
		return nil, exit.Misuse("-n %d: --engine sim follows the messages of up to %d processes", c.Ranks,
			sim.MaxRanks)
	}
	return func(main func(mpi.Engine) error) error { return sim.Run(x, seed, main) }, nil
}

// ReadMachine reads a machine and applies settings. name is a file, or a preset if there is no such file.
func ReadMachine(name string, settings ...string) (*machine.Machine, error) {
	text, err := input.ReadAll(name, machine.MaxText)
	if errors.Is(err, fs.ErrNotExist) {
		if slices.Contains(machine.Presets(), name) {
			text, err = machine.Preset(name)
		} else {
			err = fmt.Errorf("%w%s", err, words.DidYouMean(name, machine.Presets()))
		}
	}
	if err != nil {
		return nil, exit.With(exit.Usage, err)
	}
	m, err := machine.Parse(name, text, settings...)
	return m, exit.With(exit.Usage, err)
}
