package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
)

// A stranger's result names no program, no library and no file of the command that measures it again, and every word
// of it is one of a shell.
func TestRerun(t *testing.T) {
	f := Read(file(t, t.TempDir(), "a.json", sealed(t)))
	for _, c := range []struct{ variables, command, begins, left string }{
		{"UCX_TLS=tcp", "beff run --note it's", `UCX_TLS=tcp mpirun -n 8 beff run --note 'it'\''s'`, ""},
		{"UCX_TLS=$(id) OMP_PLACES={0:4}", "beff run", `OMP_PLACES='{0:4}' mpirun`, "UCX_TLS"},
		{"I_MPI_GTOOL=evil:all UCX_GDB_COMMAND=evil I_MPI_DEBUG_OUTPUT=x UCX_STATS_DEST=file:x ROMIO_HINTS=x",
			"beff run", "mpirun", "I_MPI_GTOOL UCX_GDB_COMMAND I_MPI_DEBUG_OUTPUT UCX_STATS_DEST ROMIO_HINTS"},
		{"I_MPI_NEW=sh\t-c\tevil", "beff run", "mpirun", "I_MPI_NEW"},
		{"", "beff run -vo x -vhoy -v --quick", "mpirun -n 8 beff run -v --quick", ""},
		{"UCX_X;id;=1", "beff run", "mpirun", "UCX_X;id;"},
		{"LD_PRELOAD=evil.so UCX_MODULE_DIR=x FI_PROVIDER_PATH=x OMP_TOOL_LIBRARIES=x.so MPICH_X=/x", "beff run",
			"mpirun", "LD_PRELOAD UCX_MODULE_DIR FI_PROVIDER_PATH OMP_TOOL_LIBRARIES MPICH_X"},
		{"LD_LIBRARY_PATH=x PATH=x BASH_ENV=x OTHER=1", "beff run", "mpirun", ""},
		{"FI_DIRECTION=1", "/tmp/evil run -o x -oy --force=true", "FI_DIRECTION=1 mpirun -n 8 beff run --seed", ""},
		{"", "beff imb mpi1 -off_cache 1 $(id)", "mpirun -n 8 beff imb mpi1 -off_cache 1 '$(id)'", ""},
		{"", "beff imb mpi1 -o x -off_cache 1", "mpirun -n 8 beff imb mpi1 -off_cache 1", ""},
		{"", "beff ior -o f --output x", "mpirun -n 8 beff ior -o f --seed 42 --mpi openmpi --output a-again", ""},
		{"OMPI_MCA_pml=ob1 OMPI_MCA_ess=x OMPI_MCA_plm_rsh_args=-oProxyCommand=x OMPI_MCA_mpi_oversubscribe=0 " +
			"OMPI_MCA_coll_tuned_dynamic_rules_filename=x MPIR_CVAR_ODD_EVEN_CLIQUES=1", "beff run",
			"OMPI_MCA_pml=ob1 MPIR_CVAR_ODD_EVEN_CLIQUES=1 mpirun", "OMPI_MCA_coll_tuned_dynamic_rules_filename"},
		{"", "beff mpi add --mpicc evil", "", ""}, {"", "evil", "", ""}, {"", "beff ./x", "", ""},
	} {
		env := &rating.Environment{Command: strings.Fields(c.command)}
		for _, v := range strings.Split(c.variables, " ") {
			name, value, _ := strings.Cut(v, "=")
			env.Variables = append(env.Variables, rating.Variable{Name: name, Value: value})
		}
		f.report.Head().Environment = env
		command, left, err := f.Rerun()
		require.Equal(t, c.begins == "", err != nil, c.command)
		require.True(t, strings.HasPrefix(command, c.begins), "%s\n%s", command, c.begins)
		require.Equal(t, c.left, strings.Join(left, " "))
	}
}

// A result with a variable whose name is none isn't read.
func TestVariablesHaveNames(t *testing.T) {
	const good = `"variables": [{"name": "UCX_TLS"`
	text := strings.Replace(sealed(t), `"host": {`, `"environment": {`+good+`}]}, "host": {`, 1)
	dir := t.TempDir()
	require.True(t, Read(file(t, dir, "a.json", text)).Usable)
	f := Read(file(t, dir, "b.json", strings.Replace(text, "UCX_TLS", "UCX_X;id;", 1)))
	require.ErrorContains(t, f.Problem, `"UCX_X;id;" is no name of a variable`)
	require.False(t, f.Usable)
}
