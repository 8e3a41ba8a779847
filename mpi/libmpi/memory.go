package libmpi

import (
	"bytes"
	"fmt"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"unsafe"

	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
)

// Collect collects garbage if there is enough of it to matter, because even an empty collection takes about 1 ms.
func (e *engine) Collect() error {
	const little = 2 << 20
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/gc/heap/live:bytes"}}
	if metrics.Read(heap); heap[0].Value.Uint64() > heap[1].Value.Uint64()+little {
		runtime.GC()
	}
	return nil
}

// releaseStartupMemory releases garbage, and pages of code that only the start of the program needed. A process with
// messages of up to 8 MiB then needs 5 MiB less at its peak, and schedulers add up the peaks of a host's processes.
func (e *engine) releaseStartupMemory() {
	debug.FreeOSMemory()
	e.world.api.ReleasePages()
}

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
