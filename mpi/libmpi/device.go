package libmpi

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
	// Deviceless processes have their messages in the host's memory, and need no driver.
	Deviceless bool
	// Local is the process's number on its node.
	Local int
	// Locate returns the NUMA node of a PCI address, -1 if it isn't known, and whether it is near this process.
	Locate func(pci string) (numa int, near bool)
	// Trusted returns the path of a library without links, or an error if others may change it.
	Trusted func(path string) (string, error)
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

// driver is a row of the table of drivers. Each function of a driver is written with its arguments, such as
// "cuMemAlloc_v2 a b". Lower-case letters are arguments from the Go code. Capital letters are handles of the device,
// which the function sets if they follow &.
type driver struct {
	kind, name string   // kind: of its memory
	files      []string // of the library, the first that can be loaded counts
	gtl, begin string   // gtl: library that Cray MPICH needs before its own
	find       func(d *device) []found
	facts      []string // version, number of devices, handle, name, PCI address, UUID and memory, for find
	minor      int32    // the version has the minor version at this decimal place, and the major one above it
	open       []string
	words      string // sets T to the text of code a; HIP returns it
	copy, set  string // to a, from b, c bytes; b bytes at a to 0
	wait       string // until copies have ended; "" if they end before they return
	// Functions that set *a to b bytes of memory, and that free a, by the part of the memory's name after the driver.
	memory map[string][2]string
}

// drivers holds the drivers of CUDA (CUDA Driver API 12), ROCm (HIP API 6) and Level Zero (1.0). They have had these
// functions for many versions.
var drivers = []driver{{
	kind: "cuda", name: "CUDA", files: []string{"libcuda.so.1"}, gtl: "libmpi_gtl_cuda.so",
	begin: "cuInit 0", find: (*device).find, minor: 10, facts: []string{"cuDriverGetVersion a", "cuDeviceGetCount a",
		"cuDeviceGet &V a", "cuDeviceGetName a 256 V", "cuDeviceGetPCIBusId a 256 V", "cuDeviceGetUuid_v2 a V",
		"cuDeviceTotalMem_v2 a V"},
	open: []string{"cuDevicePrimaryCtxRetain &C V", "cuCtxSetCurrent C"}, words: "cuGetErrorString a &T",
	copy: "cuMemcpy a b c", set: "cuMemsetD8_v2 a 0 b", wait: "cuStreamSynchronize 0",
	memory: map[string][2]string{"device": {"cuMemAlloc_v2 a b", "cuMemFree_v2 a"},
		"host":    {"cuMemHostAlloc a b 0", "cuMemFreeHost a"},
		"managed": {"cuMemAllocManaged a b 1", "cuMemFree_v2 a"}}, // CU_MEM_ATTACH_GLOBAL
}, {
	kind: "rocm", name: "ROCm", gtl: "libmpi_gtl_hsa.so",
	files: []string{"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so"},
	begin: "hipInit 0", find: (*device).find, minor: 100_000, facts: []string{"hipDriverGetVersion a",
		"hipGetDeviceCount a", "hipDeviceGet &V a", "hipDeviceGetName a 256 V", "hipDeviceGetPCIBusId a 256 V",
		"hipDeviceGetUuid a V", "hipDeviceTotalMem a V"},
	open: []string{"hipSetDevice V"}, words: "hipGetErrorString a",
	copy: "hipMemcpy a b c 4", set: "hipMemset a 0 b", wait: "hipStreamSynchronize 0", // hipMemcpyDefault
	memory: map[string][2]string{"device": {"hipMalloc a b", "hipFree a"},
		"host":    {"hipHostMalloc a b 0", "hipHostFree a"},
		"managed": {"hipMallocManaged a b 1", "hipFree a"}}, // hipMemAttachGlobal
}, {
	kind: "level_zero", name: "Level Zero", files: []string{"libze_loader.so.1"}, gtl: "libmpi_gtl_ze.so",
	begin: "zeInit 1", find: (*device).findLevelZero, // ZE_INIT_FLAG_GPU_ONLY
	open:  []string{"zeContextCreate D K &C", "zeCommandListCreateImmediate C V Q &L"},
	words: "zeDriverGetLastErrorDescription D &T",
	copy:  "zeCommandListAppendMemoryCopy L a b c 0 0 0", set: "zeCommandListAppendMemoryFill L a Z 1 b 0 0 0",
	memory: map[string][2]string{"device": {"zeMemAllocDevice C M b 64 V a", "zeMemFree C a"},
		"host":   {"zeMemAllocHost C H b 64 a", "zeMemFree C a"},
		"shared": {"zeMemAllocShared C M H b 64 V a", "zeMemFree C a"}},
}}

// found is a device that this process sees. The handles are numbered by their letters.
type found struct {
	mpi.Device
	handles [128]uintptr
	near    bool
}

// device is the device of this process. Only the thread that opened it may use it.
type device struct {
	found
	driver  *driver
	library uintptr
	choice  DeviceChoice
	err     error // the first copy that failed
	pins    []*pin
}

// pin is pinned memory of the host, which staged programs use one after the other.
type pin struct {
	base unsafe.Pointer
	size int64
	used bool
}

// driver returns the driver of a choice, or nil for the host's memory.
func (c *DeviceChoice) driver() *driver {
	if at := slices.IndexFunc(drivers, func(d driver) bool { return d.kind == c.Driver() }); at >= 0 {
		return &drivers[at]
	}
	return nil
}

// openDevice loads the driver, makes a device the current one of this thread, and loads the library that MPI needs for
// its memory. It returns nil if the choice is the host's memory. The process's end closes the device.
func openDevice(choice DeviceChoice, files plugin.Files) (d *device, err error) {
	d = &device{driver: choice.driver(), choice: choice}
	if d.driver == nil || choice.Deviceless {
		return nil, nil
	}
	for _, file := range d.driver.files {
		if d.library, err = purego.Dlopen(file, purego.RTLD_NOW|purego.RTLD_LOCAL); err == nil {
			break
		}
	}
	if err != nil {
		return nil, fmt.Errorf("no driver of %s on this host: %w", d.driver.name, err)
	}
	d.do(d.driver.begin)
	all := d.driver.find(d)
	if d.err != nil {
		return nil, d.err
	}
	for i := range all {
		all[i].NUMA, all[i].near = choice.Locate(all[i].PCI)
	}
	slices.SortStableFunc(all, func(a, b found) int { return strings.Compare(a.PCI, b.PCI) })
	number, err := choice.pick(all)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.driver.name, err)
	}
	d.found, d.Number = all[number], number
	for _, call := range d.driver.open {
		d.do(call)
	}
	_, err = d.symbol(d.driver.copy) // the plug-in calls it
	return d, cmp.Or(d.err, err, d.loadGTL(files))
}

// symbol returns the address of a call's function.
func (d *device) symbol(call string) (address uintptr, err error) {
	name, _, _ := strings.Cut(call, " ")
	if address, err = purego.Dlsym(d.library, name); err != nil {
		err = fmt.Errorf("the driver of %s is too old: it has no %s", d.driver.name, name)
	}
	return address, err
}

// find returns the devices of CUDA or ROCm.
func (d *device) find() (all []found) {
	version, n, call := int32(0), int32(0), d.driver.facts
	d.do(call[0], uintptr(unsafe.Pointer(&version)))
	d.do(call[1], uintptr(unsafe.Pointer(&n)))
	for i := range n {
		var x found
		var name, pci [256]byte
		d.do(call[2], uintptr(i))
		d.do(call[3], uintptr(unsafe.Pointer(&name)))
		d.do(call[4], uintptr(unsafe.Pointer(&pci)))
		d.do(call[5], uintptr(unsafe.Pointer(&x.UUID)))
		d.do(call[6], uintptr(unsafe.Pointer(&x.Memory)))
		x.handles, x.Name, x.PCI = d.handles, strings.TrimSpace(goText(name[:])), normalPCI(goText(pci[:]))
		x.Driver = fmt.Sprintf("%s %d.%d", d.driver.name, version/d.driver.minor/100, version/d.driver.minor%100)
		all = append(all, x)
	}
	return all
}

// zeRecord has room for any structure of Level Zero. The first word is its type (ze_structure_type_t). zeDescriptors
// describes a context, a synchronous command list, memory of a device and of the host, and has a record of zeros.
type zeRecord [64]uint64

var zeDescriptors = [5]zeRecord{{0xd}, {0xe, 0, 0, 1 << 32}, {0x15}, {0x16}, {}}

// findLevelZero returns the devices of Level Zero.
func (d *device) findLevelZero() (all []found) {
	for i, letter := range "KQMHZ" {
		d.handles[letter] = uintptr(unsafe.Pointer(&zeDescriptors[i]))
	}
	for _, d.handles['D'] = range d.list("zeDriverGet &N a") {
		d.do("zeDriverGetApiVersion D &X")
		for _, d.handles['V'] = range d.list("zeDeviceGet D &N a") {
			is, pci, memory := zeRecord{3}, zeRecord{0x10008}, zeRecord{7}
			d.handles['N'] = 1 // the first memory, from which M allocates
			d.do("zeDeviceGetProperties V a", uintptr(unsafe.Pointer(&is)))
			d.do("zeDevicePciGetPropertiesExt V a", uintptr(unsafe.Pointer(&pci)))
			d.do("zeDeviceGetMemoryProperties V &N a", uintptr(unsafe.Pointer(&memory)))
			b := (*[unsafe.Sizeof(is)]byte)(unsafe.Pointer(&is))
			all = append(all, found{handles: d.handles, Device: mpi.Device{
				Driver: fmt.Sprintf("Level Zero %d.%d", d.handles['X']>>16, d.handles['X']&0xffff),
				PCI:    fmt.Sprintf("%04x:%02x:%02x.%x", uint32(pci[2]), pci[2]>>32, uint32(pci[3]), pci[3]>>32),
				UUID:   [16]byte(b[96:]), Name: strings.TrimSpace(goText(b[112:])), Memory: int64(memory[4])}})
		}
	}
	return all
}

// list returns the handles to which a function sets *a, N in number.
func (d *device) list(call string) []uintptr {
	var list [64]uintptr
	d.handles['N'] = uintptr(len(list))
	if d.do(call, uintptr(unsafe.Pointer(&list))); d.err != nil {
		return nil
	}
	return list[:d.handles['N']]
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

// call calls a function of the driver, and returns its code as an error.
//
//go:uintptrescapes
func (d *device) call(call string, given ...uintptr) error {
	words := strings.Fields(call)
	address, err := d.symbol(call)
	if err != nil {
		return err
	}
	arguments := make([]uintptr, len(words)-1)
	for i, word := range words[1:] {
		n, err := strconv.Atoi(word)
		switch c := word[0]; {
		case err == nil:
			arguments[i] = uintptr(n)
		case c == '&':
			arguments[i] = uintptr(unsafe.Pointer(&d.handles[word[1]]))
		case c >= 'a':
			arguments[i] = given[c-'a']
		default:
			arguments[i] = d.handles[c]
		}
	}
	code, _, _ := purego.SyscallN(address, arguments...)
	if call == "hipGetErrorString a" {
		d.handles['T'] = code
		return nil
	}
	return d.failure(call, int32(code))
}

// do does the same, unless an earlier call failed, and keeps the error. It does nothing without a function.
//
//go:uintptrescapes
func (d *device) do(call string, given ...uintptr) {
	if d.err == nil && call != "" {
		d.err = d.call(call, given...)
	}
}

// zeWords holds texts for codes of Level Zero, which gives none before a driver is found.
var zeWords = map[int32]string{0x70000003: "out of memory", 0x78000001: "no driver of a GPU could be initialized"}

// failure returns the error of a function's code, or nil for 0.
func (d *device) failure(call string, code int32) error {
	if code == 0 || call == d.driver.words {
		return nil
	}
	if d.handles['T'] = 0; d.driver.minor != 0 || d.handles['D'] != 0 {
		_ = d.call(d.driver.words, uintptr(code)) // no text after an error
	}
	var words []byte
	text := *(*unsafe.Pointer)(unsafe.Pointer(&d.handles['T']))
	for ; text != nil && *(*byte)(text) != 0; text = unsafe.Add(text, 1) {
		words = append(words, *(*byte)(text))
	}
	form := "%s failed with code %d (%s)"
	if code >= 1<<16 {
		form = "%s failed with code %#x (%s)"
	}
	return fmt.Errorf(form, strings.Fields(call)[0], code, cmp.Or(zeWords[code], string(words), "without a text"))
}

// memory allocates n bytes of a kind. free frees them.
func (d *device) memory(of string, n int64) (address unsafe.Pointer, err error) {
	err = d.call(d.driver.memory[of][0], uintptr(unsafe.Pointer(&address)), uintptr(max(n, 1)))
	return address, err
}

func (d *device) free(of string, address unsafe.Pointer) {
	d.do(d.driver.memory[of][1], uintptr(address))
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
			d.free("host", p.base)
		}
		return !p.used
	})
	memory, err := d.memory("host", n)
	if err != nil {
		return nil, fmt.Errorf("%d bytes of pinned memory of the host: %w", n, err)
	}
	clear(unsafe.Slice((*byte)(memory), n))
	p := &pin{memory, n, true}
	d.pins = append(d.pins, p)
	return p, nil
}

// copy copies between the host and the device, and waits. The wait is necessary for memory that isn't pinned, whose
// copy may return early (CUDA Driver API, "API synchronization behavior").
func (d *device) copy(to, from unsafe.Pointer, n int) {
	if n > 0 {
		d.do(d.driver.copy, uintptr(to), uintptr(from), uintptr(n))
		d.do(d.driver.wait)
	}
}

// loadGTL loads the library that Cray MPICH needs for messages in device memory, before it is loaded itself, if
// MPICH_GPU_SUPPORT_ENABLED asks for that. Without it MPI_Init ends the job ("GTL library is not linked").
func (d *device) loadGTL(files plugin.Files) error {
	if os.Getenv("MPICH_GPU_SUPPORT_ENABLED") != "1" {
		return nil
	}
	library, _ := filepath.EvalSymlinks(files.Library) // "" after an error
	var first error
	for _, directory := range []string{"", os.Getenv("CRAY_MPICH_ROOTDIR") + "/gtl/lib/",
		filepath.Join("/", library, "../../../../../gtl/lib") + "/"} {
		file, err := directory+d.driver.gtl, error(nil)
		if directory != "" {
			file, err = d.choice.Trusted(file)
		}
		if err == nil {
			_, err = purego.Dlopen(file, purego.RTLD_NOW|purego.RTLD_GLOBAL)
		}
		if err == nil {
			return nil
		}
		if first == nil || directory != "" && !errors.Is(err, fs.ErrNotExist) {
			first = err
		}
	}
	return fmt.Errorf("MPICH_GPU_SUPPORT_ENABLED is 1, but no %s can be loaded: %w", d.driver.gtl, first)
}

// deviceBuffer is memory of the device.
type deviceBuffer struct {
	buffer
	device *device
	of     string // the part of the kind of memory after the driver
}

var _ mpi.Placer = (*engine)(nil)
var _ mpi.Remote = (*deviceBuffer)(nil)

// Device implements mpi.Placer.
func (e *engine) Device() (*mpi.Device, error) {
	if e.device == nil || e.deviceErr != nil {
		return nil, e.deviceErr
	}
	return &e.device.Device, e.device.err
}

// NewDeviceBuffer implements mpi.Placer.
func (e *engine) NewDeviceBuffer(kind mpi.MemoryKind, size int64) (mpi.Buffer, error) {
	d := e.device
	if d == nil || size < 0 {
		return nil, fmt.Errorf("new buffer: %d bytes of a device", size)
	}
	_, of, _ := strings.Cut(string(kind), ":")
	memory, err := d.memory(of, size)
	if err != nil {
		return nil, fmt.Errorf("new buffer of %d bytes in %s of %s: %w", size, kind, d.Name, err)
	}
	space, err := alloc[plugin.Space](e.world.api, 1)
	if err != nil {
		d.free(of, memory)
		return nil, fmt.Errorf("new buffer: %w", err)
	}
	space.Base, space.Size = (*byte)(memory), size
	b := &deviceBuffer{buffer{api: e.world.api, space: space}, d, of}
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
	b.device.copy(unsafe.Pointer(unsafe.SliceData(data)), b.at(at), len(data))
}

// Store implements mpi.Remote.
func (b *deviceBuffer) Store(at int64, data []byte) {
	b.device.copy(b.at(at), unsafe.Pointer(unsafe.SliceData(data)), len(data))
}

// Clear implements mpi.Remote.
func (b *deviceBuffer) Clear() {
	if b.Size() > 0 {
		b.device.do(b.device.driver.set, uintptr(b.at(0)), uintptr(b.Size()))
		b.device.do(b.device.driver.wait)
	}
}

func (b *deviceBuffer) Free() {
	b.api.DeviceBuffer(unsafe.Pointer(b.space.Base), 0)
	b.device.free(b.of, b.at(0))
	free(b.api, b.space)
}

// useDevice gives the plug-in the driver's functions, and the explanation to print in a crash.
func (e *engine) useDevice(choice DeviceChoice) {
	driver, functions := choice.driver(), [3]uintptr{}
	if driver == nil {
		return
	}
	if d := e.device; d != nil {
		copies, _ := d.symbol(driver.copy)
		wait, _ := d.symbol(driver.wait) // 0 without a function
		functions = [3]uintptr{copies, wait, d.handles['L']}
	}
	e.world.api.Device(&functions[0], fmt.Sprintf("%s %s crashed because it used %s memory as the host's: it doesn't "+
		"take such memory here, or not in this call: add --staged, or use an MPI that was built with %s and is told "+
		"to use it", e.lib.Library, e.lib.Version, driver.kind, driver.name), choice.Other != "")
}

// LibrarySays implements mpi.Placer. The functions are extensions of Open MPI and MPICH. The key has been in MPI since
// 4.1 (11.4.3).
func (e *engine) LibrarySays() (list []mpi.Answer) {
	for _, name := range []string{"MPIX_Query_cuda_support", "MPIX_Query_hip_support", "MPIX_Query_rocm_support",
		"MPIX_Query_ze_support"} {
		if address, err := purego.Dlsym(purego.RTLD_DEFAULT, name); err == nil {
			is, _, _ := purego.SyscallN(address)
			list = append(list, mpi.Answer{Question: name, Answer: fmt.Sprint(int32(is))})
		}
	}
	info := e.world.api.Constants.NoInfo
	_ = e.world.api.CommInfo(e.world.c, &info) // none after an error
	hints, _ := e.world.hintsOf(info)
	if i := slices.IndexFunc(hints, func(h mpi.Hint) bool { return h.Key == "mpi_memory_alloc_kinds" }); i >= 0 {
		list = append(list, mpi.Answer{Question: hints[i].Key, Answer: hints[i].Value})
	}
	return list
}
