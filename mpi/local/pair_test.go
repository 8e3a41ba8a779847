package local

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// TestPairMemory: a cell is two lines, the bytes of the shortest messages are in the first of them, and cells begin at lines.
func TestPairMemory(t *testing.T) {
	var c cell
	require.Equal(t, uintptr(line), unsafe.Sizeof(c))
	require.LessOrEqual(t, unsafe.Offsetof(c.store), uintptr(line/2-16))
	require.Less(t, unsafe.Sizeof(pair{}), uintptr(1024))
	require.Zero(t, unsafe.Sizeof(pair{})%line)
	var a arena
	for range 200 {
		p := a.pair()
		require.Zero(t, uintptr(unsafe.Pointer(&p.cells[0]))%line)
	}
}
