package local

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// TestPairMemory: a cell is a line and begins at one, and a queue is small.
func TestPairMemory(t *testing.T) {
	require.Equal(t, uintptr(64), unsafe.Sizeof(cell{}))
	require.Less(t, unsafe.Sizeof(pair{}), uintptr(1024))
	var a arena
	for range 200 {
		p := a.pair()
		require.Zero(t, uintptr(unsafe.Pointer(&p.cells[0]))%line)
	}
}

// TestLines: what ranks write in a timed loop fills lines, and objects of up to 512 bytes begin at a multiple of such
// sizes.
func TestLines(t *testing.T) {
	for _, v := range []any{pair{}, outbox{}, inbox{}, send{}, receive{}, place{}, buffer{}, runner{}} {
		size := reflect.TypeOf(v).Size()
		require.Zero(t, size%line, "%T has %d bytes", v, size)
	}
	require.Equal(t, uintptr(line), unsafe.Offsetof(send{}.read))
}
