package local

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// TestPairMemory checks that a cell is exactly one cache line, and that a queue is small.
func TestPairMemory(t *testing.T) {
	require.Equal(t, uintptr(64), unsafe.Sizeof(cell{}))
	require.Less(t, unsafe.Sizeof(pair{}), uintptr(1024))
	var a arena
	for range 200 {
		p := a.pair()
		require.Zero(t, uintptr(unsafe.Pointer(&p.cells[0]))%line)
	}
}

// TestLines checks that the structs that ranks write in a timed loop fill whole cache lines. Go's allocator aligns an
// object of up to 512 bytes to a line if its size is a multiple of a line.
func TestLines(t *testing.T) {
	for _, v := range []any{pair{}, outbox{}, inbox{}, send{}, receive{}, place{}, buffer{}, runner{}} {
		size := reflect.TypeOf(v).Size()
		require.Zero(t, size%line, "%T has %d bytes", v, size)
	}
	require.Equal(t, uintptr(line), unsafe.Offsetof(send{}.read))
}
