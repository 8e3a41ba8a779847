package libmpi

import (
	"bytes"
	"fmt"
	"unsafe"

	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
)

// alloc returns zeroed memory of the C heap for n values, or for one if n is 0.
func alloc[T any](api *plugin.Library, n int) (*T, error) {
	var value T
	array := api.Alloc(int64(n), int64(unsafe.Sizeof(value)))
	if array == nil {
		return nil, fmt.Errorf("no memory for %d times %d bytes", n, unsafe.Sizeof(value))
	}
	return (*T)(array), nil
}

// free releases memory that alloc has returned.
func free[T any](api *plugin.Library, array *T) { api.Free(unsafe.Pointer(array)) }

// allocFor is alloc for memory that lives as long as the runner.
func allocFor[T any](r *runner, n int) (*T, error) {
	array, err := alloc[T](r.api, n)
	if err == nil {
		r.arrays = append(r.arrays, unsafe.Pointer(array))
	}
	return array, err
}

// goText returns the text of a C string.
func goText(text []byte) string {
	if n := bytes.IndexByte(text, 0); n >= 0 {
		text = text[:n]
	}
	return string(text)
}
