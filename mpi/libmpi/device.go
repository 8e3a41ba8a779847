package libmpi

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
)

// DeviceChoice chooses the device in whose memory a process places its buffers.
type DeviceChoice struct {
	// The host's memory: no driver is loaded. Staged programs copy the data that they send to the host's memory, and
	// received data back to the device, as programs do if their MPI doesn't take a device's memory.
	mpi.MessageMemory
	// Devices of the processes of a node in turn, by their numbers in the order of PCI addresses. Without any, the
	// processes take all devices in turn.
	List []int
	Near bool // take only devices near the process, if it is known which are near
	// Local is the process's number on its node.
	Local int
	// Locate returns the NUMA node of a PCI address, -1 if it isn't known, and whether it is near this process.
	Locate func(pci string) (numa int, near bool)
}

// driver is a row of the table of drivers. The drivers' functions have the same arguments under other names, except for
// the differences in the fields.
type driver struct {
	kind    mpi.MemoryKind
	name    string
	files   []string // of the library, the first that can be loaded counts
	gtl     string   // library that Cray MPICH needs before its own
	calls   map[role]string
	version func(number int32) string
	words   func(d *device, code int32) string // the driver's text for a code
}

// role is the purpose of a driver's function.
type role int

const (
	doInit     role = iota // (0)
	doVersion              // (int *)
	doCount                // (int *)
	doHandle               // (int *device, int ordinal)
	doName                 // (char *, int, int device)
	doPCI                  // (char *, int, int device)
	doUUID                 // (16 bytes *, int device)
	doTotal                // (size_t *, int device)
	doRetain               // (void **context, int device)
	doCurrent              // (void *context), or (int device) if there is no retain
	doRelease              // (int device)
	doWords                // the text of a code
	doAllocate             // (void **, size_t)
	doFree                 // (void *)
	doPin                  // (void **, size_t, 0)
	doUnpin                // (void *)
	doToDevice
	doToHost
	doWithin
	doSet  // (void *, int, size_t)
	doWait // (NULL)
)

// drivers holds the drivers of CUDA (CUDA Driver API 12) and ROCm (HIP API 6). Both have had all functions for many
// versions.
var drivers = []driver{
	{kind: mpi.CUDADevice, name: "CUDA", files: []string{"libcuda.so.1"}, gtl: "libmpi_gtl_cuda.so",
		calls: map[role]string{
			doInit: "cuInit", doVersion: "cuDriverGetVersion", doCount: "cuDeviceGetCount", doHandle: "cuDeviceGet",
			doName: "cuDeviceGetName", doPCI: "cuDeviceGetPCIBusId", doUUID: "cuDeviceGetUuid_v2",
			doTotal: "cuDeviceTotalMem_v2", doRetain: "cuDevicePrimaryCtxRetain", doCurrent: "cuCtxSetCurrent",
			doRelease: "cuDevicePrimaryCtxRelease_v2", doWords: "cuGetErrorString", doAllocate: "cuMemAlloc_v2",
			doFree: "cuMemFree_v2", doPin: "cuMemHostAlloc", doUnpin: "cuMemFreeHost", doToDevice: "cuMemcpyHtoD_v2",
			doToHost: "cuMemcpyDtoH_v2", doWithin: "cuMemcpyDtoD_v2", doSet: "cuMemsetD8_v2",
			doWait: "cuStreamSynchronize"},
		version: func(n int32) string { return fmt.Sprintf("%d.%d", n/1000, n%1000/10) },
		words: func(d *device, code int32) string {
			var text *byte
			if d.code(doWords, uintptr(code), uintptr(unsafe.Pointer(&text))) != 0 {
				return ""
			}
			return stringAt(text)
		}},
	{kind: mpi.ROCmDevice, name: "ROCm",
		files: []string{"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"},
		gtl:   "libmpi_gtl_hsa.so",
		calls: map[role]string{
			doInit: "hipInit", doVersion: "hipDriverGetVersion", doCount: "hipGetDeviceCount", doHandle: "hipDeviceGet",
			doName: "hipDeviceGetName", doPCI: "hipDeviceGetPCIBusId", doUUID: "hipDeviceGetUuid",
			doTotal: "hipDeviceTotalMem", doCurrent: "hipSetDevice", doWords: "hipGetErrorString",
			doAllocate: "hipMalloc", doFree: "hipFree", doPin: "hipHostMalloc", doUnpin: "hipHostFree",
			doToDevice: "hipMemcpy", doToHost: "hipMemcpy",
			doWithin: "hipMemcpy", doSet: "hipMemset", doWait: "hipStreamSynchronize"},
		version: func(n int32) string { return fmt.Sprintf("%d.%d", n/10_000_000, n/100_000%100) },
		words: func(d *device, code int32) string {
			text, _, _ := purego.SyscallN(d.calls[doWords], uintptr(code))
			return stringAt(*(**byte)(unsafe.Pointer(&text)))
		}},
}

// stringAt returns the text of a C string, which may be nil.
func stringAt(text *byte) string {
	if text == nil {
		return ""
	}
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(text), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(text, n))
}

// device is the device of this process. Only the thread that opened it may use it.
type device struct {
	driver *driver
	calls  map[role]uintptr
	choice DeviceChoice
	number int32 // the driver's
	about  mpi.Device
	err    error // the first copy that failed
	pins   []*pin
}

// pin is pinned memory of the host, which staged programs use one after the other.
type pin struct {
	base unsafe.Pointer
	size int64
	used bool
}

// openDevice loads the driver and makes a device the current one of this thread. It returns nil if the choice is the
// host's memory.
func openDevice(choice DeviceChoice) (*device, error) {
	at := slices.IndexFunc(drivers, func(d driver) bool { return d.kind == choice.Buffers })
	if at < 0 {
		return nil, nil
	}
	d := &device{driver: &drivers[at], choice: choice}
	if err := d.load(); err != nil {
		return nil, err
	}
	if err := d.choose(); err != nil {
		return nil, err
	}
	context := uintptr(d.number)
	if d.calls[doRetain] != 0 {
		if err := d.call(doRetain, uintptr(unsafe.Pointer(&context)), uintptr(d.number)); err != nil {
			return nil, err
		}
	}
	return d, d.call(doCurrent, context)
}

// load loads the driver and finds its functions.
func (d *device) load() error {
	var library uintptr
	var first error
	for _, file := range d.driver.files {
		var err error
		if library, err = purego.Dlopen(file, purego.RTLD_NOW|purego.RTLD_LOCAL); err == nil {
			break
		}
		first = cmp.Or(first, err)
	}
	if library == 0 {
		return fmt.Errorf("no driver of %s on this host: %w", d.driver.name, first)
	}
	d.calls = map[role]uintptr{}
	for does, name := range d.driver.calls {
		address, err := purego.Dlsym(library, name)
		if err != nil {
			return fmt.Errorf("the driver of %s is too old: it has no %s", d.driver.name, name)
		}
		d.calls[does] = address
	}
	return d.call(doInit, 0)
}

// found is a device that this process sees.
type found struct {
	number int32
	pci    string
	near   bool
	numa   int
}

// choose chooses the device, and finds its facts.
func (d *device) choose() error {
	n, driverVersion := int32(0), int32(0)
	if err := d.call(doCount, uintptr(unsafe.Pointer(&n))); err != nil {
		return err
	}
	all := make([]found, n)
	for i := range all {
		x := &all[i]
		if err := d.call(doHandle, uintptr(unsafe.Pointer(&x.number)), uintptr(i)); err != nil {
			return err
		}
		text, err := d.text(doPCI, x.number)
		if err != nil {
			return err
		}
		x.pci, x.numa = normalPCI(text), -1
		if d.choice.Locate != nil {
			x.numa, x.near = d.choice.Locate(x.pci)
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return strings.Compare(a.pci, b.pci) })
	number, err := d.choice.pick(all)
	if err != nil {
		return fmt.Errorf("%s: %w", d.driver.name, err)
	}
	x := all[number]
	d.number = x.number
	d.about = mpi.Device{Number: number, Count: len(all), PCI: x.pci, NUMA: x.numa}
	id, memory := [16]byte{}, uint64(0)
	if d.about.Name, err = d.text(doName, x.number); err != nil {
		return err
	}
	err = errors.Join(d.call(doUUID, uintptr(unsafe.Pointer(&id)), uintptr(x.number)),
		d.call(doTotal, uintptr(unsafe.Pointer(&memory)), uintptr(x.number)),
		d.call(doVersion, uintptr(unsafe.Pointer(&driverVersion))))
	d.about.UUID, d.about.Memory = hex.EncodeToString(id[:]), int64(memory)
	d.about.Driver = d.driver.name + " " + d.driver.version(driverVersion)
	return err
}

// pick returns the index of this process's device in the list.
func (c *DeviceChoice) pick(all []found) (int, error) {
	var these []int
	for i, x := range all {
		if c.Near && x.near {
			these = append(these, i)
		}
	}
	switch {
	case len(all) == 0:
		return 0, errors.New("this process sees no device")
	case len(c.List) > 0:
		number := c.List[c.Local%len(c.List)]
		if number >= len(all) {
			return 0, fmt.Errorf("there is no device %d: this process sees %d, numbered from 0", number, len(all))
		}
		return number, nil
	case len(these) > 0:
		return these[c.Local%len(these)], nil
	}
	return c.Local % len(all), nil
}

// normalPCI returns a PCI address as /sys has it, with a domain of four digits.
func normalPCI(address string) string {
	domain, rest, _ := strings.Cut(strings.ToLower(address), ":")
	return fmt.Sprintf("%04s:%s", strings.TrimLeft(domain, "0"), rest)
}

// code calls a function of the driver, and returns its code. Pointers among the arguments stay valid.
//
//go:uintptrescapes
func (d *device) code(does role, arguments ...uintptr) int32 {
	rc, _, _ := purego.SyscallN(d.calls[does], arguments...)
	return int32(rc)
}

// call calls a function of the driver, and returns its code as an error.
//
//go:uintptrescapes
func (d *device) call(does role, arguments ...uintptr) error {
	return d.check(does, d.code(does, arguments...))
}

// check returns the error of a function's code, or nil for 0.
func (d *device) check(does role, code int32) error {
	if code == 0 {
		return nil
	}
	text := cmp.Or(d.driver.words(d, code), "without a text")
	return fmt.Errorf("%s failed with code %d (%s)", d.driver.calls[does], code, text)
}

// text returns a text about a device.
func (d *device) text(does role, number int32) (string, error) {
	var b [256]byte
	err := d.call(does, uintptr(unsafe.Pointer(&b)), uintptr(len(b)), uintptr(number))
	end := max(bytes.IndexByte(b[:], 0), 0)
	return strings.TrimSpace(string(b[:end])), err
}

// memory allocates memory by a function of the driver: of the device, or of the host.
func (d *device) memory(does role, size int64) (address unsafe.Pointer, err error) {
	err = d.call(does, uintptr(unsafe.Pointer(&address)), uintptr(max(size, 1)), 0)
	return address, err
}

// pin returns n bytes of pinned memory that no program uses. Pinning takes long, so programs reuse pinned memory.
func (d *device) pin(n int64) (*pin, error) {
	for _, p := range d.pins {
		if !p.used && p.size >= n {
			p.used = true
			return p, nil
		}
	}
	d.pins = slices.DeleteFunc(d.pins, func(p *pin) bool {
		if !p.used {
			d.keep(d.call(doUnpin, uintptr(p.base)))
		}
		return !p.used
	})
	memory, err := d.memory(doPin, n)
	if err != nil {
		return nil, fmt.Errorf("%d bytes of pinned memory of the host: %w", n, err)
	}
	clear(unsafe.Slice((*byte)(memory), n))
	p := &pin{memory, n, true}
	d.pins = append(d.pins, p)
	return p, nil
}

// keep keeps the first error of a copy.
func (d *device) keep(err error) {
	d.err = cmp.Or(d.err, err)
}

// The directions of a copy, as in calls.h. HIP numbers them from 1.
const (
	copyToDevice = iota
	copyToHost
	copyWithin
	stampMarks
	checkMarks
)

// copy copies between the host and the device, and waits. The wait is necessary for memory that isn't pinned, whose
// copy may return early (CUDA Driver API, "API synchronization behavior").
func (d *device) copy(direction int, to, from unsafe.Pointer, n int) {
	if n == 0 {
		return
	}
	does := doToDevice + role(direction)
	d.keep(d.call(does, uintptr(to), uintptr(from), uintptr(n), uintptr(direction+1)))
	d.keep(d.call(doWait, 0))
}

// close ends the use of the device, after MPI has been finalized.
func (d *device) close() {
	if d != nil && d.calls[doRelease] != 0 {
		d.code(doRelease, uintptr(d.number))
	}
}

// loadGTL loads the library that Cray MPICH needs for messages in device memory, before it is loaded itself, if
// MPICH_GPU_SUPPORT_ENABLED asks for that. Without it MPI_Init ends the job ("GTL library is not linked").
func (d *device) loadGTL(files plugin.Files) error {
	if d == nil || os.Getenv("MPICH_GPU_SUPPORT_ENABLED") != "1" {
		return nil
	}
	library, err := filepath.EvalSymlinks(files.Library)
	if err != nil {
		library = files.Library
	}
	const gtl = "gtl/lib"
	tried := []string{d.driver.gtl, filepath.Join(os.Getenv("CRAY_MPICH_ROOTDIR"), gtl, d.driver.gtl),
		filepath.Join(filepath.Dir(library), "../../../..", gtl, d.driver.gtl)}
	for _, file := range tried {
		if _, err = purego.Dlopen(file, purego.RTLD_NOW|purego.RTLD_GLOBAL); err == nil {
			return nil
		}
	}
	return fmt.Errorf("MPICH_GPU_SUPPORT_ENABLED is 1, but %s can't be loaded: %w", d.driver.gtl, err)
}

// deviceBuffer is memory of the device.
type deviceBuffer struct {
	buffer
	device *device
}

var (
	_ mpi.Placer = (*engine)(nil)
	_ mpi.Remote = (*deviceBuffer)(nil)
)

// Device implements mpi.Placer.
func (e *engine) Device() (*mpi.Device, error) {
	switch {
	case e.deviceErr != nil:
		return nil, e.deviceErr
	case e.device == nil:
		return nil, nil
	}
	return &e.device.about, e.device.err
}

// NewDeviceBuffer implements mpi.Placer.
func (e *engine) NewDeviceBuffer(size int64) (mpi.Buffer, error) {
	d := e.device
	if d == nil || size < 0 {
		return nil, fmt.Errorf("new buffer: %d bytes of a device", size)
	}
	memory, err := d.memory(doAllocate, size)
	if err != nil {
		return nil, fmt.Errorf("new buffer of %d bytes in the memory of %s: %w", size, d.about.Name, err)
	}
	space, err := alloc[plugin.Space](e.world.api, 1)
	if err != nil {
		d.code(doFree, uintptr(memory))
		return nil, fmt.Errorf("new buffer: %w", err)
	}
	space.Base, space.Size = (*byte)(memory), size
	b := &deviceBuffer{buffer{api: e.world.api, space: space}, d}
	e.world.api.DeviceBuffer(memory, size)
	b.Clear()
	return b, d.err
}

func (b *deviceBuffer) Bytes() []byte { panic("libmpi: the bytes of a device's memory") }

func (b *deviceBuffer) at(offset int64) unsafe.Pointer {
	return unsafe.Add(unsafe.Pointer(b.space.Base), offset)
}

// Load implements mpi.Remote.
func (b *deviceBuffer) Load(at int64, data []byte) {
	b.device.copy(copyToHost, unsafe.Pointer(unsafe.SliceData(data)), b.at(at), len(data))
	runtime.KeepAlive(data)
}

// Store implements mpi.Remote.
func (b *deviceBuffer) Store(at int64, data []byte) {
	b.device.copy(copyToDevice, b.at(at), unsafe.Pointer(unsafe.SliceData(data)), len(data))
	runtime.KeepAlive(data)
}

// Clear implements mpi.Remote.
func (b *deviceBuffer) Clear() {
	if b.Size() > 0 {
		b.device.keep(b.device.call(doSet, uintptr(b.at(0)), 0, uintptr(b.Size())))
		b.device.keep(b.device.call(doWait, 0))
	}
}

func (b *deviceBuffer) Free() {
	b.api.DeviceBuffer(unsafe.Pointer(b.space.Base), 0)
	b.device.keep(b.device.call(doFree, uintptr(unsafe.Pointer(b.space.Base))))
	free(b.api, b.space)
}

// useDevice gives the plug-in the driver's functions, and the explanation to print in a crash.
func (e *engine) useDevice() {
	d := e.device
	if d == nil {
		return
	}
	functions := []uintptr{d.calls[doToDevice], d.calls[doToHost], d.calls[doWithin], d.calls[doWait]}
	memory, _, _ := strings.Cut(string(d.driver.kind), ":")
	e.world.api.Device(unsafe.SliceData(functions), fmt.Sprintf("%s %s crashed because it used %s memory as the "+
		"host's: it doesn't take such memory here, or not in this call: add --staged, or use an MPI that was built "+
		"with %s and is told to use it", e.lib.Library, e.lib.Version, memory, d.driver.name))
}

// LibrarySays implements mpi.Placer. The functions are extensions of Open MPI and MPICH. The key has been in MPI since
// 4.1 (11.4.3).
func (e *engine) LibrarySays() []mpi.Answer {
	var list []mpi.Answer
	for _, name := range []string{"MPIX_Query_cuda_support", "MPIX_Query_rocm_support"} {
		if address, err := purego.Dlsym(purego.RTLD_DEFAULT, name); err == nil {
			is, _, _ := purego.SyscallN(address)
			list = append(list, mpi.Answer{Question: name, Answer: fmt.Sprint(int32(is))})
		}
	}
	if address, err := purego.Dlsym(purego.RTLD_DEFAULT, "MPIX_GPU_query_support"); err == nil {
		for number, kind := range map[uintptr]string{0: "CUDA", 2: "HIP"} {
			is := int32(0)
			if rc, _, _ := purego.SyscallN(address, number, uintptr(unsafe.Pointer(&is))); int32(rc) == success {
				list = append(list, mpi.Answer{Question: "MPIX_GPU_query_support " + kind, Answer: fmt.Sprint(is)})
			}
		}
	}
	info := e.world.api.Constants.NoInfo
	if e.world.api.CommInfo(e.world.c, &info) == success {
		hints, _ := e.world.hintsOf(info) // none after an error
		for _, h := range hints {
			if h.Key == "mpi_memory_alloc_kinds" {
				list = append(list, mpi.Answer{Question: h.Key, Answer: h.Value})
			}
		}
	}
	slices.SortFunc(list, func(a, b mpi.Answer) int { return strings.Compare(a.Question, b.Question) })
	return list
}
