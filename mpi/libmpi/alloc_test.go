//go:build mpi

package libmpi

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAlloc(t *testing.T) {
	array, err := alloc[[1 << 20]byte](1 << 40)
	require.ErrorContains(t, err, "no memory for 1099511627776 times 1048576 bytes")
	require.Nil(t, array)
	one, err := alloc[int64](0)
	require.NoError(t, err)
	require.Zero(t, *one)
	free(one)
}
