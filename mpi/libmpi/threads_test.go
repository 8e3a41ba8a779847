package libmpi

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// One thread of a process runs where it is, at any level of MPI_Init_thread; several have a processor each if there are
// as many.
func TestSpot(t *testing.T) {
	require.NoError(t, (&engine{}).Threads(1))
	require.Error(t, (&engine{}).Threads(2))
	require.Equal(t, []int32{-1}, (*share)(nil).of(1))
	second := &share{processors: []int{4, 5, 6, 7}, beside: 2, mine: 1}
	require.Equal(t, []int32{6, 7}, second.of(2))
	require.Equal(t, []int32{-1, -1, -1}, second.of(3))
}
