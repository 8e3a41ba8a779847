package libmpi

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestProcessorsOfThreads checks that a single thread isn't bound, at any level of MPI_Init_thread, and that several
// threads have a processor each if there are enough.
func TestProcessorsOfThreads(t *testing.T) {
	require.NoError(t, (&engine{}).Threads(1))
	require.Error(t, (&engine{}).Threads(2))
	require.Equal(t, []int32{-1}, (*share)(nil).of(1))
	second := &share{processors: []int{4, 5, 6, 7}, sharers: 2, mine: 1}
	require.Equal(t, []int32{6, 7}, second.of(2))
	require.Equal(t, []int32{-1, -1, -1}, second.of(3))
}
