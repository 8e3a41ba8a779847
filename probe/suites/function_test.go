package suites

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A function has the kernel of the longest call that its name contains. Functions named after a call that isn't
// replaceable are refused, because it has other arguments.
func TestFunctionKernel(t *testing.T) {
	for name, want := range map[string]string{"my_Bcast": "MPI_Bcast", "MPIBcast": "MPI_Bcast",
		"gatherv_flat": "MPI_Gatherv", "MPIB_Reduce_scatter_ring": "MPI_Reduce_scatter", "MY_BCAST": "MPI_Bcast",
		"my_Reduce_scatter_block": "MPI_Reduce_scatter_block"} {
		k, err := FunctionKernel(name)
		require.NoError(t, err, name)
		require.Equal(t, name+" instead of "+want, k.Calls)
	}
	for name, want := range map[string]string{"my_Reduce_local": "MPI_Reduce_local", "my_Ibcast": "MPI_Ibcast",
		"my_ibcast": "MPI_Ibcast", "Gatherv_init": "MPI_Gatherv_init", "my_neighbor_alltoall": "MPI_Neighbor_alltoall",
		"my_Finalize": "must contain"} {
		_, err := FunctionKernel(name)
		require.ErrorContains(t, err, want, name)
	}
}
