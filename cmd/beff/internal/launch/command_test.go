package launch

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/host"
)

// A printed command starts the processes as they were started: with the launcher's actual words if it is an ancestor of
// this process, and otherwise with the usual ones.
func TestCommand(t *testing.T) {
	led := func(lines ...string) (list []host.Ancestor) {
		for _, line := range lines {
			program, args, _ := strings.Cut(line, ": ")
			list = append(list, host.Ancestor{Program: program, Args: strings.Fields(args)})
		}
		return list
	}
	const beff = "/opt/beff: /opt/beff run"
	orte := map[string]string{"OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_RANK": "0"}
	hydra := map[string]string{"PMI_SIZE": "4", "PMI_RANK": "0", "MPI_LOCALNRANKS": "2"}
	step := map[string]string{"SLURM_STEP_NUM_TASKS": "4", "SLURM_PROCID": "0", "SLURM_STEP_NUM_NODES": "2"}
	for name, c := range map[string]struct {
		env  map[string]string
		led  []host.Ancestor
		want string
	}{
		"Open MPI": {orte, led(beff, "/usr/bin/orterun: mpirun.openmpi --oversubscribe -n 4 /opt/beff run",
			"/bin/sh: sh"), "mpirun.openmpi --oversubscribe -n 4"},
		"Open MPI on another node": {orte, led(beff, "/usr/bin/orted: orted -mca ess env"), "mpirun -n 4"},
		"several programs": {orte, led(beff, "/usr/bin/orterun: mpirun -n 2 /opt/beff run : -n 2 /opt/beff run"),
			"mpirun -n 4"},
		"another program": {orte, led(beff, "/usr/bin/orterun: mpirun -n 4 ./wrapper"), "mpirun -n 4"},
		"Hydra": {hydra, led(beff, "/usr/bin/hydra_pmi_proxy: hydra_pmi_proxy --pgid 0",
			"/usr/bin/mpiexec.hydra: mpirun.mpich -bind-to core -n 4 /opt/beff run"),
			"mpirun.mpich -bind-to core -n 4"},
		"Hydra in a step of Slurm": {join(step, hydra), led(beff, "/usr/bin/mpiexec.hydra: mpiexec -n 4 beff run"),
			"mpiexec -n 4"},
		"srun": {step, led(beff, "/usr/sbin/slurmstepd: slurmstepd"), "srun -N 2 -n 4"},
		"srun --mpi=pmix": {join(step, map[string]string{"PMIX_RANK": "0"}), nil,
			"srun --mpi=pmix -N 2 -n 4"},
		"srun --mpi=pmix_v4": {join(step, map[string]string{"SLURM_MPI_TYPE": "pmix_v4"}), nil,
			"srun --mpi=pmix_v4 -N 2 -n 4"},
		"srun --mpi=pmi2": {join(step, map[string]string{"PMI_SIZE": "4", "PMI_RANK": "0"}), nil,
			"srun --mpi=pmi2 -N 2 -n 4"},
		"srun on one node": {join(step, map[string]string{"SLURM_STEP_NUM_NODES": "1"}), nil, "srun -n 4"},
		"srun of Open MPI": {join(step, orte), led(beff, "/usr/bin/orterun: mpirun -n 4 beff io"), "mpirun -n 4"},
		"Flux":             {map[string]string{"FLUX_JOB_SIZE": "4", "FLUX_TASK_RANK": "0"}, nil, "flux run -n 4"},
		"MVAPICH": {map[string]string{"MV2_COMM_WORLD_SIZE": "4", "MV2_COMM_WORLD_RANK": "0"}, nil,
			"mpirun_rsh -np 4"},
		"a size nobody knows": {map[string]string{"PMIX_RANK": "0"}, nil, "mpirun"},
	} {
		getenv := func(key string) string { return c.env[key] }
		require.Equal(t, c.want, strings.Join(Find(getenv).command(getenv, c.led), " "), name)
	}
}

// Without a launcher the command is only the program, by its path if the PATH doesn't have it.
func TestLine(t *testing.T) {
	require.Regexp(t, `^\S+ run -o 'a b'$`, (*Launcher)(nil).Line("run", "-o", "a b"))
	t.Setenv("PATH", "")
	require.True(t, strings.HasPrefix(Program(), "/"), Program())
}
