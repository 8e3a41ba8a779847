package launch

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/sim"
	"github.com/effective-bandwidth/beff/sim/machine"
)

// A machine is a preset or a file, with its own number of processes unless another one is given.
func TestSimulation(t *testing.T) {
	text, err := machine.Preset("earth-simulator")
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "mine.yaml")
	require.NoError(t, os.WriteFile(file, text, 0o644))
	for _, c := range []struct {
		choice Choice
		ranks  int
		err    string
	}{
		{Choice{Ranks: 3, Simulation: Simulation{Machine: "t3e"}}, 3, ""},
		{Choice{Simulation: Simulation{Machine: "t3e"}}, 512, ""},
		{Choice{Simulation: Simulation{Machine: file, Set: []string{"nodes=2"}}}, 16, ""},
		{Choice{}, 0, "want --machine"},
		{Choice{Simulation: Simulation{Machine: "fat-tree-100g"}}, 0, "want -n P"},
		{Choice{Simulation: Simulation{Machine: "none"}}, 0, "no such file"},
		{Choice{Simulation: Simulation{Machine: "t3e", Set: []string{"nodes=x"}}}, 0, "nodes"},
		{Choice{Ranks: 513, Simulation: Simulation{Machine: "t3e"}}, 0, "512"},
		{Choice{MPI: "mpich", Simulation: Simulation{Machine: "t3e"}}, 0, "--mpi is for MPI"},
		{Choice{Threads: "multiple", Simulation: Simulation{Machine: "t3e"}}, 0, "thread levels"},
		{Choice{Engine: "local", Simulation: Simulation{Machine: "t3e"}}, 0, "for --engine sim"},
	} {
		if c.choice.Engine == "" {
			c.choice.Engine = "sim"
		}
		c.choice.Simulation.Announced = true
		start, err := Choose(nil, c.choice, 1)
		if c.err != "" {
			require.ErrorContains(t, err, c.err)
			require.Equal(t, exit.Usage, exit.Code(err))
			continue
		}
		require.NoError(t, err)
		require.NoError(t, start(func(e mpi.Engine) error {
			require.Equal(t, c.ranks, e.World().Size())
			require.IsType(t, &sim.Engine{}, e)
			return nil
		}))
	}
}
