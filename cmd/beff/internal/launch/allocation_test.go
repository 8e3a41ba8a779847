package launch

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/mpi/plugins"
)

func TestFindAllocation(t *testing.T) {
	file := filepath.Join(t.TempDir(), "nodes")
	require.NoError(t, os.WriteFile(file, []byte("a\na\nb\n"), 0o666))
	for name, c := range map[string]struct {
		env  map[string]string
		want *Allocation
	}{
		"none":              {nil, nil},
		"shell":             {shell, &Allocation{"Slurm", 16, 0, "srun"}},
		"batch":             {join(batch, map[string]string{"SLURM_NNODES": "2"}), &Allocation{"Slurm", 16, 2, "srun"}},
		"a job of one task": {map[string]string{"SLURM_NTASKS": "1", "SLURM_PROCID": "0"}, nil},
		"no number":         {map[string]string{"SLURM_NTASKS": "many"}, nil},
		"LSF":               {map[string]string{"LSB_DJOB_NUMPROC": "8"}, &Allocation{"LSF", 8, 0, "mpirun"}},
		"PBS": {map[string]string{"PBS_NP": "8", "PBS_NUM_NODES": "4"},
			&Allocation{"PBS", 8, 4, "mpirun"}},
		"OpenPBS": {map[string]string{"PBS_NODEFILE": file}, &Allocation{"PBS", 3, 2, "mpirun"}},
	} {
		require.Equal(t, c.want, FindAllocation(func(key string) string { return c.env[key] }), name)
	}
	require.Equal(t, "this is a job of 64 tasks on 2 nodes (Slurm)", (&Allocation{"Slurm", 64, 2, "srun"}).String())
	require.Equal(t, "this is a job of 8 tasks (LSF)", (&Allocation{"LSF", 8, 0, "mpirun"}).String())
}

// A job of several tasks without a launcher is no reason to rate the embedded engine, unless it is asked for (finding
// A11 of a review: 2 ranks of the embedded engine were rated, with exit code 0).
func TestForgottenLauncher(t *testing.T) {
	choice := func(engine string) Choice {
		return Choice{Engine: engine, Within: &Allocation{"Slurm", 64, 2, "srun"},
			Plugins: func() []plugins.Plugin { return nil }}
	}
	_, err := Choose(nil, choice(Auto), 4)
	require.EqualError(t, err, "this is a job of 64 tasks on 2 nodes (Slurm), but beff was started without a "+
		"launcher and "+
		"would rate the embedded engine on this node: start it as srun beff …, or give --engine local")
	require.Equal(t, exit.Usage, exit.Code(err))
	_, err = Choose(nil, choice("local"), 4)
	require.NoError(t, err)
	_, err = Choose(&Launcher{Name: "srun", Size: 1}, choice("local"), 4)
	require.NoError(t, err)
	_, err = Choose(nil, Choice{Engine: Auto}, 4)
	require.NoError(t, err)
}
