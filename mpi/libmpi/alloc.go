//go:build mpi

package libmpi

/*
#include <stdlib.h>
*/
import "C"

import (
	"fmt"
	"unsafe"
)

// alloc returns zeroed memory of the C heap for n values, and for one if n is 0.
func alloc[T any](n int) (*T, error) {
	var value T
	array := C.calloc(C.size_t(max(n, 1)), C.size_t(unsafe.Sizeof(value)))
	if array == nil {
		return nil, fmt.Errorf("no memory for %d times %d bytes", n, unsafe.Sizeof(value))
	}
	return (*T)(array), nil
}

// free releases memory that alloc has returned.
func free[T any](array *T) { C.free(unsafe.Pointer(array)) }

// allocFor is alloc for memory that lives as long as the runner.
func allocFor[T any](r *runner, n int) (*T, error) {
	array, err := alloc[T](n)
	if err == nil {
		r.arrays = append(r.arrays, unsafe.Pointer(array))
	}
	return array, err
}
