package launch

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
)

// startDoubt warns, with a remedy, of a library that is unlikely to start. It returns "" if the settings let the
// library start in another way.
func TestStartDoubt(t *testing.T) {
	root := t.TempDir() // without /dev/shm
	require.NoError(t, os.Mkdir(filepath.Join(root, "dev"), 0o755))
	of := func(root, family string, set ...string) string {
		return startDoubt(root, family, func(name string) string {
			for i := 0; i < len(set); i += 2 {
				if set[i] == name {
					return set[i+1]
				}
			}
			return ""
		})
	}
	require.Regexp(t, `^/dev/shm is missing: .*--shm-size=1g.*UCX_TLS=\^posix$`, of(root, plugin.MPICH))
	require.NotEmpty(t, of(root, plugin.MPICH, "UCX_TLS", "all"))
	require.Empty(t, of(root, plugin.MPICH, "UCX_TLS", "^posix"))
	require.Empty(t, of(root, plugin.MPICH, "UCX_TLS", "tcp,self"))
	require.Empty(t, of(root, plugin.OpenMPI), "it starts")
	require.NoError(t, os.Mkdir(filepath.Join(root, "dev", "shm"), 0o755))
	require.Empty(t, of(root, plugin.MPICH))
	require.Regexp(t, `^/dev/shm has .* free: `, of(root, plugin.MPICH, "MPI_LOCALNRANKS", "1000000000000"))
	require.Contains(t, of(root, plugin.OpenMPI, "OMPI_MCA_btl", "tcp"), "lacks self")
	require.Empty(t, of(root, plugin.OpenMPI, "OMPI_MCA_btl", "tcp,self"))
	require.Empty(t, of(root, plugin.OpenMPI, "OMPI_MCA_btl", "^vader"))
	require.Empty(t, of(root, plugin.Standard, "OMPI_MCA_btl", "tcp"))
}
