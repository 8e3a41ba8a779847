package libmpi

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
)

func TestAlloc(t *testing.T) {
	api := &plugin.Library{}
	api.Alloc = func(count, size int64) unsafe.Pointer {
		require.Equal(t, []int64{1 << 40, 1 << 20}, []int64{count, size})
		return nil
	}
	array, err := alloc[[1 << 20]byte](api, 1<<40)
	require.ErrorContains(t, err, "no memory for 1099511627776 times 1048576 bytes")
	require.Nil(t, array)
}

// TestAllocLaps checks that compiling fails if there is no memory for a program's laps.
func TestAllocLaps(t *testing.T) {
	api := &plugin.Library{}
	api.Alloc = func(count, size int64) unsafe.Pointer {
		if size == int64(unsafe.Sizeof(plugin.Lap{})) {
			return nil
		}
		return unsafe.Pointer(&make([]uint64, count*size/8+1)[0])
	}
	r := &runner{api: api, prog: new(plugin.Program)}
	program := new(mpi.Program)
	program.Call(mpi.Call{Op: mpi.Lap, Counts: true})
	require.ErrorContains(t, r.compileCalls(program), "compile: no memory for 1 times")
}

func TestGoText(t *testing.T) {
	require.Equal(t, "ab", goText([]byte("ab\x00cd")))
	require.Equal(t, "ab", goText([]byte("ab")))
}
