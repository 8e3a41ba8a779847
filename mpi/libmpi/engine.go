package libmpi

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"
	"unsafe"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
)

type engine struct {
	world *comm
	lib   mpi.Library
	host  string
	clock mpi.Clock
	start float64 // seconds
	share *share  // nil if only one thread of the process makes calls

	device    *device // nil: buffers are in the host's memory
	deviceErr error   // why there is no device, though one was asked for

	sessions [2]plugin.SessionTimes // of the sessions that RunWith opened
	opened   bool
}

var (
	_ mpi.Engine      = (*engine)(nil)
	_ mpi.Interrupter = (*engine)(nil)
	_ mpi.Files       = (*engine)(nil)
	_ mpi.Windows     = (*engine)(nil)
	_ mpi.Watchable   = (*engine)(nil)
	_ mpi.Loader      = (*engine)(nil)
	_ mpi.Starter     = (*engine)(nil)
	_ mpi.Sessioner   = (*engine)(nil)
	_ mpi.Threaded    = (*engine)(nil)
	_ mpi.Folder      = (*engine)(nil)
)

// MemoryLimit is the number of bytes that Go may use before it collects garbage during a Run. GOMEMLIMIT replaces it.
// Programs and their buffers are outside of Go's heap and don't count.
const MemoryLimit = 1 << 30

// Run loads a plug-in, initializes its MPI, calls main and finalizes MPI. It must be called once, from the main
// goroutine, which it locks to its thread. If main fails, MPI is not finalized, because other processes may wait for
// this one: call Abort, or exit with a code other than 0. If all processes return the same error, main wraps it in
// mpi.AgreedError, and MPI ends in order. While main runs, Go has one processor, and collects garbage only above
// MemoryLimit.
func Run(files plugin.Files, main func(mpi.Engine) error) error {
	return RunWith(files, Options{}, main)
}

// Options are choices for Run.
type Options struct {
	// Threads is a level of thread support, one of mpi.ThreadLevels, or "". With a level, MPI_Init_thread initializes
	// MPI, and a library that provides less is an error. Without a level, MPI_Init initializes MPI, which costs least
	// (package comment).
	Threads string
	// Processors are the processors to which the threads of a team are bound, all of which the process may run on. If
	// it is empty, threads aren't bound.
	Processors []int
	// Sessions are opened and timed before MPI_Init, if the library has them. They change the time of MPI_Init, because
	// they already start MPI.
	Sessions bool
	// Device chooses the device in whose memory buffers may be placed, before MPI_Init, because libraries use the
	// device that is current then.
	Device DeviceChoice
}

// RunWith is Run with options. If the process can't have a device, it calls main nevertheless, so that all processes
// can agree on the error (mpi.Placer).
func RunWith(files plugin.Files, o Options, main func(mpi.Engine) error) error {
	wanted := slices.Index(mpi.ThreadLevels, o.Threads)
	if o.Threads != "" && wanted < 0 {
		return fmt.Errorf("unknown level of thread support %q", o.Threads)
	}
	runtime.LockOSThread()
	// with more processors, other threads used the core for 2 ms in one run of ten (wait_idle in run.c)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	if debug.SetMemoryLimit(-1) == math.MaxInt64 { // GOMEMLIMIT is not set
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(MemoryLimit))
	}
	device, deviceErr := openDevice(o.Device, files)
	api, err := plugin.Open(files)
	if err != nil {
		return &LoadError{files.Path, err}
	}
	provided := int32(0)
	host, _ := os.Hostname() // a machine without a name has an empty one
	api.Guard("a process on " + host)
	var times [2]plugin.SessionTimes
	sessions := o.Sessions && has(api, "MPI_Session_init")
	if sessions {
		if rc := api.SessionsBegin(&times[0]); rc != success {
			return fmt.Errorf("a session failed with code %d", rc)
		}
	}
	begin := time.Now()
	if rc := api.Init(int32(wanted), &provided); rc != success {
		return fmt.Errorf("MPI_Init failed with code %d", rc)
	}
	start := time.Since(begin).Seconds()
	e, err := newEngine(api)
	if err != nil {
		return err
	}
	if int(provided) < wanted {
		api.Finalize()
		return &mpi.AgreedError{Err: fmt.Errorf("thread level %s is more than %s %s provides: %s", o.Threads,
			e.lib.Library, e.lib.Version, mpi.ThreadLevels[provided])}
	}
	if sessions {
		if err := e.world.check("MPI_Session_finalize", api.SessionsEnd(&times[0])); err != nil {
			return err
		}
	}
	e.start, e.sessions, e.opened = start, times, sessions
	e.device, e.deviceErr = device, deviceErr
	e.useDevice(o.Device)
	if o.Threads == mpi.Multiple {
		if e.share, err = e.findShare(o.Processors); err != nil {
			return err
		}
	}
	e.releaseStartupMemory()
	mainErr := main(e)
	if mainErr != nil && !mpi.Agreed(mainErr) {
		return mainErr
	}
	if err := e.world.do("MPI_Finalize", api.Finalize); err != nil {
		return err
	}
	return mainErr
}

// LoadError is the error of a plug-in that can't be loaded, or whose library can't. MPI has not been initialized in
// this process.
type LoadError struct {
	Path string // of the plug-in
	Err  error
}

func (e *LoadError) Error() string { return fmt.Sprintf("plug-in %s: %v", e.Path, e.Err) }
func (e *LoadError) Unwrap() error { return e.Err }

func newEngine(api *plugin.Library) (*engine, error) {
	world, err := newComm(api, func(out *plugin.Comm) error {
		return (&comm{api: api}).check("MPI_Comm_rank", api.World(out))
	})
	if err != nil {
		return nil, err
	}
	world.world, world.worldRank, world.state, world.members = true, world.rank, &callState{}, members{step: 1}
	e := &engine{world: world}
	if err := e.identify(); err != nil {
		return nil, err
	}
	api.Guard(fmt.Sprintf("rank %d on %s", world.rank, e.host))
	return e, nil
}

// identify gets the library's name and version, and the host's name and clock.
func (e *engine) identify() error {
	var about plugin.About
	if err := e.world.check("MPI_Get_library_version", e.world.api.Describe(&about)); err != nil {
		return err
	}
	e.lib = describe(&about)
	var host plugin.Host
	if err := e.world.check("MPI_Get_processor_name", e.world.api.DescribeHost(&host)); err != nil {
		return err
	}
	e.host, e.clock = goText(host.Name[:]), mpi.Clock{Global: host.Global != 0, Resolution: host.Tick}
	return nil
}

// describe returns the description of a library for results.
func describe(about *plugin.About) mpi.Library {
	name, number := parseLibrary(goText(about.Text[:]))
	lib := mpi.Library{Engine: "libmpi", Library: name, Version: number,
		Standard: fmt.Sprintf("%d.%d", about.Version, about.Subversion)}
	if about.Shmem > 0 { // package libshmem
		lib.Engine, lib.Library = "openshmem", fmt.Sprintf("OpenSHMEM %d.%d of %s", about.Shmem, about.Subshmem, name)
	}
	return lib
}

// Facts holds properties of a library that are known without initializing it.
type Facts struct {
	Library mpi.Library
	Parts   []string // optional parts of the standard that it has (parts)
}

// parts lists parts of the standard that not all libraries have. A library has a part if it has the part's call.
var parts = []struct{ name, call string }{
	{"files", "MPI_File_open"},
	{"large counts", "MPI_Send_c"},
	{"persistent collectives", "MPI_Allreduce_init"},
	{"partitions", "MPI_Psend_init"},
	{"sessions", "MPI_Session_init"},
}

// Describe loads a plug-in and its MPI, and returns the library's facts. The process should end afterwards, because two
// libraries in one process mix up their symbols.
func Describe(files plugin.Files) (facts Facts, err error) {
	api, err := plugin.Open(files)
	if err != nil {
		return facts, err
	}
	var about plugin.About
	if rc := api.Describe(&about); rc != success {
		return facts, fmt.Errorf("MPI_Get_library_version failed with code %d", rc)
	}
	facts.Library = describe(&about)
	for _, p := range parts {
		if has(api, p.call) {
			facts.Parts = append(facts.Parts, p.name)
		}
	}
	return facts, nil
}

func (e *engine) World() mpi.Comm      { return e.world }
func (e *engine) Library() mpi.Library { return e.lib }
func (e *engine) Host() string         { return e.host }
func (e *engine) Clock() mpi.Clock     { return e.clock }

// Started returns the seconds of this process's MPI_Init.
func (e *engine) Started() float64 { return e.start }

// Sessions returns the times of the sessions that RunWith opened.
func (e *engine) Sessions() (first, second mpi.SessionTimes, ok bool) {
	return mpi.SessionTimes(e.sessions[0]), mpi.SessionTimes(e.sessions[1]), e.opened
}

// Abort first gives the launcher some time, because Hydra drops output that it has not read when the job ends.
func (e *engine) Abort(code int) {
	time.Sleep(200 * time.Millisecond)
	e.world.api.Abort(e.world.c, int32(code))
}

// Interrupt sets a flag that the C loop reads before it decides whether to run another loop.
func (e *engine) Interrupt() { e.world.api.Interrupt() }

// Supports reports whether the library has the call, and without a known fault. The C loop has all calls of mpi.Ops.
func (e *engine) Supports(op mpi.Op) bool {
	call := strings.TrimSuffix(op.String(), "_exclusive") // WinLockExclusive is MPI_Win_lock too
	there := !strings.HasPrefix(call, "MPI_") || has(e.world.api, call)
	return there && slices.Contains(allOps, op) && e.lib.Fault(op) == ""
}

// has reports whether the library has a call, by its name or as an extension (MPIX), like the persistent collectives of
// MPI 4.0 in Open MPI 4.1.
func has(api *plugin.Library, call string) bool {
	return api.Has(call) || api.Has(strings.Replace(call, "MPI_", "MPIX_", 1))
}

var allOps = mpi.Ops()

// buffer is page-aligned memory of the C heap. All its pages are touched when it is allocated, so that no timed loop
// pays for that.
type buffer struct {
	api   *plugin.Library
	space *plugin.Space
	lent  bool // memory belongs to a window, which releases it
}

var _ mpi.Buffer = (*buffer)(nil)

func (e *engine) NewBuffer(size int64) (mpi.Buffer, error) {
	if size < 0 {
		return nil, fmt.Errorf("new buffer: %d bytes", size)
	}
	return e.bufferOf(size, func() unsafe.Pointer { return e.world.api.AllocPages(size) })
}

// NewFolded returns memory whose pages the system maps at several addresses.
func (e *engine) NewFolded(size, fold int64) (mpi.Buffer, error) {
	if size < 1 || fold < 1 || fold%mpi.FoldUnit != 0 {
		return nil, fmt.Errorf("new buffer: %d bytes in %d", size, fold)
	}
	return e.bufferOf(size, func() unsafe.Pointer { return e.world.api.AllocFolded(size, fold) })
}

// bufferOf returns a buffer of the memory that the function memory allocates.
func (e *engine) bufferOf(size int64, memory func() unsafe.Pointer) (mpi.Buffer, error) {
	s, err := alloc[plugin.Space](e.world.api, 1)
	if err != nil {
		return nil, fmt.Errorf("new buffer: %w", err)
	}
	s.Base, s.Size = (*byte)(memory()), size
	if s.Base == nil {
		free(e.world.api, s)
		return nil, fmt.Errorf("new buffer: no memory for %d bytes", size)
	}
	return &buffer{api: e.world.api, space: s}, nil
}

func (b *buffer) c() *plugin.Space { return b.space }

func (b *buffer) Size() int64   { return b.space.Size }
func (b *buffer) Bytes() []byte { return unsafe.Slice(b.space.Base, b.Size()) }

func (b *buffer) Free() {
	if b.lent {
		return
	}
	b.api.FreePages(unsafe.Pointer(b.space.Base), b.space.Size)
	free(b.api, b.space)
}

// openMPI is the library that needs workarounds (see comm.distinct).
const openMPI = "Open MPI"

// libraries lists the forms of MPI_Get_library_version. The first match counts, so a library that is based on another
// one comes before that one.
var libraries = []struct {
	name    string
	version *regexp.Regexp
}{
	{openMPI, regexp.MustCompile(`Open MPI v?(\S+?),? `)},
	{"Intel MPI", regexp.MustCompile(`Intel\(R\) MPI Library (\S+)`)},
	{"Cray MPICH", regexp.MustCompile(`CRAY MPICH version (\S+)`)},
	{"MVAPICH", regexp.MustCompile(`MVAPICH2? Version\s*:\s*(\S+)`)},
	{"MPICH", regexp.MustCompile(`MPICH Version:\s*(\S+)`)},
}

// parseLibrary splits the text of MPI_Get_library_version into name and version. The name of an unknown library is the
// first line.
func parseLibrary(text string) (name, version string) {
	for _, l := range libraries {
		if m := l.version.FindStringSubmatch(text + " "); m != nil {
			return l.name, m[1]
		}
	}
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return first, ""
}
