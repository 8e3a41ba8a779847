//go:build mpi

package libmpi

/*
#include <stdlib.h>
#include <string.h>
#include "loop.h"

// The handles of the standard are macros in some libraries, which cgo can't name.
static MPI_Comm beff_world(void) { return MPI_COMM_WORLD; }

// beff_clock_is_global returns 1 if the world has MPI_WTIME_IS_GLOBAL, and it is true.
static int beff_clock_is_global(void) {
	int *value, found = 0;
	int rc = MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &value, &found);
	return rc == MPI_SUCCESS && found && *value;
}

// beff_init initializes MPI. level is an index in mpi.ThreadLevels, or negative to ask for no level of thread support.
static int beff_init(int level, int *provided) {
	static const int levels[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE};
	int rc = level < 0 ? MPI_Init(NULL, NULL) : MPI_Init_thread(NULL, NULL, levels[level], provided);
	if (rc == MPI_SUCCESS && level >= 0) {
		int found = -1; // the highest level provided
		for (int i = 0; i < 4; i++)
			if (levels[i] <= *provided) found = i;
		*provided = found;
	}
	if (rc == MPI_SUCCESS) rc = MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	// Errors that belong to no communicator, such as those of an MPI_Info, go to MPI_COMM_SELF's handler (MPI 4.1,
	// 9.3).
	return rc == MPI_SUCCESS ? MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN) : rc;
}
*/
import "C"

import (
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"time"
	"unsafe"

	"github.com/effective-bandwidth/beff/mpi"
)

// Built reports whether this binary is built with an MPI.
const Built = true

type engine struct {
	world *comm
	lib   mpi.Library
	host  string
}

var (
	_ mpi.Engine      = (*engine)(nil)
	_ mpi.Interrupter = (*engine)(nil)
	_ mpi.Files       = (*engine)(nil)
	_ mpi.Windows     = (*engine)(nil)
)

// MemoryLimit is the number of bytes that Go may use before it collects garbage during a Run. GOMEMLIMIT replaces it.
// Programs and their buffers are on the C heap and don't count.
const MemoryLimit = 1 << 30

// Run initializes MPI, calls main and finalizes MPI. It must be called once, from the main goroutine, which it locks to
// its thread. If main fails, MPI is not finalized, because other processes may wait for this one. If all processes
// return the same error, main wraps it in mpi.AgreedError, and MPI ends in order.
func Run(main func(mpi.Engine) error) error { return RunThreaded("", main) }

// RunThreaded is Run with a level of thread support, one of mpi.ThreadLevels. It initializes MPI with MPI_Init_thread,
// and returns an error if the library provides less. Without a level it calls MPI_Init, which costs least (package
// comment).
func RunThreaded(level string, main func(mpi.Engine) error) error {
	wanted := slices.Index(mpi.ThreadLevels, level)
	if level != "" && wanted < 0 {
		return fmt.Errorf("unknown level of thread support %q", level)
	}
	runtime.LockOSThread()
	// with more, the core was not quiet for 2 ms in one run of ten (calm in loop.c)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	if debug.SetMemoryLimit(-1) == math.MaxInt64 { // GOMEMLIMIT is not set
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(MemoryLimit))
	}
	provided := C.int(0)
	if rc := C.beff_init(C.int(wanted), &provided); rc != C.MPI_SUCCESS {
		return fmt.Errorf("MPI_Init failed with code %d", int(rc))
	}
	e, err := newEngine()
	if err != nil {
		return err
	}
	if int(provided) < wanted {
		C.MPI_Finalize()
		return &mpi.AgreedError{Err: fmt.Errorf("thread level %s is more than %s %s provides: %s", level, e.lib.Library,
			e.lib.Version, mpi.ThreadLevels[max(int(provided), 0)])}
	}
	mainErr := main(e)
	if mainErr != nil && !mpi.Agreed(mainErr) {
		return mainErr
	}
	if err := e.world.check("MPI_Finalize", C.MPI_Finalize()); err != nil {
		return err
	}
	return mainErr
}

func newEngine() (*engine, error) {
	var rank, size C.int
	world, err := newComm(C.beff_world())
	if err != nil {
		return nil, err
	}
	e := &engine{world: &comm{c: world, world: true}}
	if err := e.world.check("MPI_Comm_rank", C.MPI_Comm_rank(e.world.c.comm, &rank)); err != nil {
		return nil, err
	}
	e.world.rank, e.world.worldRank, e.world.c.rank = int(rank), int(rank), rank
	if err := e.world.check("MPI_Comm_size", C.MPI_Comm_size(e.world.c.comm, &size)); err != nil {
		return nil, err
	}
	e.world.size = int(size)
	return e, e.identify()
}

// identify asks the library for its name and version, and for the host's name.
func (e *engine) identify() error {
	var name [C.MPI_MAX_PROCESSOR_NAME + 1]C.char
	var version [C.MPI_MAX_LIBRARY_VERSION_STRING + 1]C.char
	var n, major, minor C.int
	if err := e.world.check("MPI_Get_processor_name", C.MPI_Get_processor_name(&name[0], &n)); err != nil {
		return err
	}
	e.host = C.GoStringN(&name[0], n)
	if err := e.world.check("MPI_Get_version", C.MPI_Get_version(&major, &minor)); err != nil {
		return err
	}
	if err := e.world.check("MPI_Get_library_version", C.MPI_Get_library_version(&version[0], &n)); err != nil {
		return err
	}
	library, number := parseLibrary(strings.TrimRight(C.GoStringN(&version[0], n), "\x00"))
	e.lib = mpi.Library{Engine: "libmpi", Library: library, Version: number,
		Standard: fmt.Sprintf("%d.%d", major, minor)}
	return nil
}

func (e *engine) World() mpi.Comm      { return e.world }
func (e *engine) Library() mpi.Library { return e.lib }
func (e *engine) Host() string         { return e.host }

func (e *engine) Clock() mpi.Clock {
	return mpi.Clock{Global: C.beff_clock_is_global() != 0, Resolution: float64(C.MPI_Wtick())}
}

// Abort gives the launcher a moment first, because Hydra drops printed output that it has not read before the job ends.
func (e *engine) Abort(code int) {
	time.Sleep(200 * time.Millisecond)
	C.MPI_Abort(e.world.c.comm, C.int(code))
}

// Interrupt sets a flag that the C loop reads before it decides on another loop.
func (e *engine) Interrupt() { C.beff_interrupt() }

// Collect collects garbage if the heap is large enough to matter, because even an empty collection takes about 1 ms.
func (e *engine) Collect() error {
	const littleHeap = 8 << 20
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	if metrics.Read(heap); heap[0].Value.Uint64() > littleHeap {
		runtime.GC()
	}
	return nil
}

// Supports reports true for all calls, because the C loop has a case for each.
func (e *engine) Supports(op mpi.Op) bool { return slices.Contains(allOps, op) }

var allOps = mpi.Ops()

// buffer is page-aligned memory of the C heap. Its pages are touched at once, so that no timed loop pays for that.
type buffer struct {
	space *C.beff_space
	lent  bool // by a window, which releases it
}

var _ mpi.Buffer = (*buffer)(nil)

func (e *engine) NewBuffer(size int64) (mpi.Buffer, error) {
	const page = 4096
	var base unsafe.Pointer
	if size < 0 {
		return nil, fmt.Errorf("new buffer: %d bytes", size)
	}
	if rc := C.posix_memalign(&base, page, C.size_t(max(size, 1))); rc != 0 {
		return nil, fmt.Errorf("new buffer: no memory for %d bytes", size)
	}
	C.memset(base, 0, C.size_t(size))
	s, err := alloc[C.beff_space](1)
	if err != nil {
		C.free(base)
		return nil, fmt.Errorf("new buffer: %w", err)
	}
	s.base, s.size = (*C.char)(base), C.int64_t(size)
	return &buffer{space: s}, nil
}

func (b *buffer) c() *C.beff_space { return b.space }

func (b *buffer) Size() int64   { return int64(b.space.size) }
func (b *buffer) Bytes() []byte { return unsafe.Slice((*byte)(unsafe.Pointer(b.space.base)), b.Size()) }

func (b *buffer) Free() {
	if b.lent {
		return
	}
	free(b.space.base)
	free(b.space)
}
