package libmpi

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
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
	// Of names the devices that the processes of a node take in turn: numbers in the order of PCI addresses, such as
	// "0,1", or Near for those near the process, if it is known which are near. If it is empty, they take all devices.
	Of string
	// Local is the process's number on its node.
	Local int
	// Locate returns the NUMA node of a PCI address, -1 if it isn't known, and whether it is near this process.
	Locate func(pci string) (numa int, near bool)
}

// Near is a DeviceChoice.Of.
const Near = "near"

// Numbers returns the numbers of a list of devices.
func (c *DeviceChoice) Numbers() (list []int, err error) {
	if c.Of == "" || c.Of == Near {
		return nil, nil
	}
	for part := range strings.SplitSeq(c.Of, ",") {
		n, err := strconv.ParseUint(part, 10, 16)
		if err != nil {
			return nil, fmt.Errorf("--device %s: want near, or numbers of devices such as 0,1", c.Of)
		}
		list = append(list, int(n))
	}
	return list, nil
}

// driver is a row of the table of drivers. The drivers' functions have the same arguments under other names, except
// those of doCurrent and doWords.
type driver struct {
	kind  string // of its memory
	name  string
	files []string // of the library, the first that can be loaded counts
	gtl   string   // library that Cray MPICH needs before its own
	calls []string // names of the functions by role, "-" for none
	minor int32    // the number of a version has the minor version at this decimal place, and the major one above it
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
	doWords                // (int code, char **text), or the text of (int code) if there is no retain
	doAllocate             // (void **, size_t)
	doFree                 // (void *)
	doPin                  // (void **, size_t, 0)
	doUnpin                // (void *)
	doManage               // (void **, size_t, 1), of all devices
	doToDevice
	doToHost
	doWithin
	doSet  // (void *, int, size_t)
	doWait // (NULL)
)

// drivers holds the drivers of CUDA (CUDA Driver API 12) and ROCm (HIP API 6). Both have had all functions for many
// versions.
var drivers = []driver{
	{"cuda", "CUDA", []string{"libcuda.so.1"}, "libmpi_gtl_cuda.so",
		strings.Fields("cuInit cuDriverGetVersion cuDeviceGetCount cuDeviceGet cuDeviceGetName " +
			"cuDeviceGetPCIBusId cuDeviceGetUuid_v2 cuDeviceTotalMem_v2 cuDevicePrimaryCtxRetain cuCtxSetCurrent " +
			"cuDevicePrimaryCtxRelease_v2 cuGetErrorString cuMemAlloc_v2 cuMemFree_v2 cuMemHostAlloc " +
			"cuMemFreeHost cuMemAllocManaged cuMemcpyHtoD_v2 cuMemcpyDtoH_v2 cuMemcpyDtoD_v2 cuMemsetD8_v2 " +
			"cuStreamSynchronize"), 10},
	{"rocm", "ROCm",
		[]string{"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so"}, "libmpi_gtl_hsa.so",
		strings.Fields("hipInit hipDriverGetVersion hipGetDeviceCount hipDeviceGet hipDeviceGetName " +
			"hipDeviceGetPCIBusId hipDeviceGetUuid hipDeviceTotalMem - hipSetDevice - hipGetErrorString hipMalloc " +
			"hipFree hipHostMalloc hipHostFree hipMallocManaged hipMemcpy hipMemcpy hipMemcpy hipMemset " +
			"hipStreamSynchronize"), 100_000},
}

// allocators holds the functions that allocate and free the memory of a kind, by the part of its name after the driver.
var allocators = map[string]struct{ allocate, free role }{
	"device": {doAllocate, doFree}, "host": {doPin, doUnpin}, "managed": {doManage, doFree},
}

// device is the device of this process. Only the thread that opened it may use it.
type device struct {
	driver *driver
	calls  []uintptr // by role, 0 for none
	choice DeviceChoice
	of     string // the part of the kind of memory after the driver
	number int32  // the driver's
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
	kind, of, _ := strings.Cut(string(choice.Buffers), ":")
	at := slices.IndexFunc(drivers, func(d driver) bool { return d.kind == kind })
	if at < 0 {
		return nil, nil
	}
	d := &device{driver: &drivers[at], choice: choice, of: of}
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
	var err error
	for _, file := range d.driver.files {
		if library, err = purego.Dlopen(file, purego.RTLD_NOW|purego.RTLD_LOCAL); err == nil {
			break
		}
	}
	if err != nil {
		return fmt.Errorf("no driver of %s on this host: %w", d.driver.name, err)
	}
	for _, name := range d.driver.calls {
		address, err := purego.Dlsym(library, name)
		if err != nil && name != "-" {
			return fmt.Errorf("the driver of %s is too old: it has no %s", d.driver.name, name)
		}
		d.calls = append(d.calls, address)
	}
	return d.call(doInit, 0)
}

// found is a device that this process sees.
type found struct {
	mpi.Device
	number int32 // the driver's
	near   bool
}

// choose chooses the device, and finds its facts.
func (d *device) choose() error {
	n, version := int32(0), int32(0)
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
		x.PCI = normalPCI(text)
		x.NUMA, x.near = d.choice.Locate(x.PCI)
	}
	slices.SortStableFunc(all, func(a, b found) int { return strings.Compare(a.PCI, b.PCI) })
	number, err := d.choice.pick(all)
	if err != nil {
		return fmt.Errorf("%s: %w", d.driver.name, err)
	}
	d.number, d.about, d.about.Number = all[number].number, all[number].Device, number
	d.about.Name, err = d.text(doName, d.number)
	err = errors.Join(err, d.call(doUUID, uintptr(unsafe.Pointer(&d.about.UUID)), uintptr(d.number)),
		d.call(doTotal, uintptr(unsafe.Pointer(&d.about.Memory)), uintptr(d.number)),
		d.call(doVersion, uintptr(unsafe.Pointer(&version))))
	d.about.Driver = fmt.Sprintf("%s %d.%d", d.driver.name, version/d.driver.minor/100, version/d.driver.minor%100)
	return err
}

// pick returns the index of this process's device in the list.
func (c *DeviceChoice) pick(all []found) (int, error) {
	these, err := c.Numbers()
	for i, x := range all {
		if c.Of == Near && x.near {
			these = append(these, i)
		}
	}
	number := c.Local
	if len(these) > 0 {
		number = these[c.Local%len(these)]
	}
	switch {
	case len(all) == 0:
		err = errors.New("this process sees no device")
	case len(these) == 0:
		number %= len(all)
	case number >= len(all):
		err = fmt.Errorf("there is no device %d: this process sees %d, numbered from 0", number, len(all))
	}
	return number, err
}

// normalPCI returns a PCI address as /sys has it, with a domain of four digits.
func normalPCI(address string) string {
	domain, rest, _ := strings.Cut(strings.ToLower(address), ":")
	return fmt.Sprintf("%04s:%s", strings.TrimLeft(domain, "0"), rest)
}

// call calls a function of the driver, and returns its code as an error. Pointers among the arguments stay valid.
//
//go:uintptrescapes
func (d *device) call(does role, arguments ...uintptr) error {
	code, _, _ := purego.SyscallN(d.calls[does], arguments...)
	return d.check(does, int32(code))
}

// check returns the error of a function's code, or nil for 0.
func (d *device) check(does role, code int32) error {
	if code == 0 {
		return nil
	}
	var text *byte
	returned, _, _ := purego.SyscallN(d.calls[doWords], uintptr(code), uintptr(unsafe.Pointer(&text)))
	if d.calls[doRetain] == 0 {
		text = *(**byte)(unsafe.Pointer(&returned))
	}
	var words []byte
	for ; text != nil && *text != 0; text = (*byte)(unsafe.Add(unsafe.Pointer(text), 1)) {
		words = append(words, *text)
	}
	return fmt.Errorf("%s failed with code %d (%s)", d.driver.calls[does], code,
		cmp.Or(string(words), "without a text"))
}

// text returns a text about a device.
func (d *device) text(does role, number int32) (string, error) {
	var b [256]byte
	err := d.call(does, uintptr(unsafe.Pointer(&b)), uintptr(len(b)), uintptr(number))
	return strings.TrimSpace(goText(b[:])), err
}

// memory allocates memory by a function of the driver.
func (d *device) memory(does role, size int64) (address unsafe.Pointer, err error) {
	flags := uintptr(0)
	if does == doManage {
		flags = 1 // CU_MEM_ATTACH_GLOBAL, hipMemAttachGlobal
	}
	err = d.call(does, uintptr(unsafe.Pointer(&address)), uintptr(max(size, 1)), flags)
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
	d.keep(d.call(does, uintptr(to), uintptr(from), uintptr(n), 4))
	d.keep(d.call(doWait, 0))
}

// close ends the use of the device, after MPI has been finalized.
func (d *device) close() {
	if d != nil && d.calls[doRelease] != 0 {
		_ = d.call(doRelease, uintptr(d.number)) // the process ends
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
	by := allocators[d.of]
	memory, err := d.memory(by.allocate, size)
	if err != nil {
		return nil, fmt.Errorf("new buffer of %d bytes in memory of %s by %s: %w", size, d.choice.Buffers, d.about.Name,
			err)
	}
	space, err := alloc[plugin.Space](e.world.api, 1)
	if err != nil {
		_ = d.call(by.free, uintptr(memory))
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
	b.device.keep(b.device.call(allocators[b.device.of].free, uintptr(unsafe.Pointer(b.space.Base))))
	free(b.api, b.space)
}

// useDevice gives the plug-in the driver's functions, and the explanation to print in a crash.
func (e *engine) useDevice() {
	d := e.device
	if d == nil {
		return
	}
	functions := []uintptr{d.calls[doToDevice], d.calls[doToHost], d.calls[doWithin], d.calls[doWait]}
	e.world.api.Device(unsafe.SliceData(functions), fmt.Sprintf("%s %s crashed because it used %s memory as the "+
		"host's: it doesn't take such memory here, or not in this call: add --staged, or use an MPI that was built "+
		"with %s and is told to use it", e.lib.Library, e.lib.Version, d.driver.kind, d.driver.name))
}

// LibrarySays implements mpi.Placer. The functions are extensions of Open MPI and MPICH. The key has been in MPI since
// 4.1 (11.4.3).
func (e *engine) LibrarySays() (list []mpi.Answer) {
	for _, name := range []string{"MPIX_Query_cuda_support", "MPIX_Query_hip_support", "MPIX_Query_rocm_support"} {
		if address, err := purego.Dlsym(purego.RTLD_DEFAULT, name); err == nil {
			is, _, _ := purego.SyscallN(address)
			list = append(list, mpi.Answer{Question: name, Answer: fmt.Sprint(int32(is))})
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
	return list
}
