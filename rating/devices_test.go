package rating

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
)

// A document's devices go with the memory of its messages, and have its driver.
func TestCheckMemory(t *testing.T) {
	host, device := mpi.MessageMemory{}, mpi.MessageMemory{Buffers: "level_zero:device"}
	with := &Environment{Devices: &Devices{Driver: "Level Zero 1.9"}}
	require.NoError(t, with.CheckMemory(device))
	require.NoError(t, (&Environment{}).CheckMemory(host))
	require.Error(t, with.CheckMemory(host))
	require.Error(t, (&Environment{}).CheckMemory(device))
	require.Error(t, (&Environment{Devices: &Devices{Driver: "CUDA 12.4"}}).CheckMemory(device))
	require.Error(t, with.CheckMemory(mpi.MessageMemory{Buffers: "level_zero:host", Staged: true}))
}
