package mpi

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// MemoryKind names the place of a buffer's memory as MPI does (side document "Memory Allocation Kinds" 1.0). The zero
// value is memory of the host.
type MemoryKind string

// Host is the host's memory on one side of pairs, in MessageMemory.
const Host MemoryKind = "host"

// MemoryKinds returns the kinds of memory that drivers allocate: a device's, pinned memory of the host, and managed or
// shared memory, whose pages move between both.
func MemoryKinds() []MemoryKind {
	return []MemoryKind{"cuda:device", "cuda:host", "cuda:managed", "rocm:device", "rocm:host", "rocm:managed",
		"level_zero:device", "level_zero:host", "level_zero:shared"}
}

// OnDevice reports whether the memory is a device's, which instructions of the host may not reach.
func (k MemoryKind) OnDevice() bool { return strings.HasSuffix(string(k), ":device") }

// OfHost reports whether the memory is the host's, pinned or not.
func (k MemoryKind) OfHost() bool { return k == "" || strings.HasSuffix(string(k), string(Host)) }

// Driver returns the part of the kind's name for the driver, or "" for the host's memory.
func (k MemoryKind) Driver() string { return string(k[:max(0, strings.Index(string(k), ":"))]) }

// ParseMemoryKind returns the kind of a name. cuda, rocm and level_zero are short names of a device's memory.
func ParseMemoryKind(name string) (MemoryKind, error) {
	kind := MemoryKind(name)
	switch {
	case name == "" || name == "host":
		return "", nil
	case !strings.Contains(name, ":"):
		kind += ":device"
	}
	if !slices.Contains(MemoryKinds(), kind) {
		return "", fmt.Errorf("unknown memory %q: want host or one of %v", name, MemoryKinds())
	}
	return kind, nil
}

// MessageMemory names the memory that the messages of a run come from and go to.
type MessageMemory struct {
	// The memory of a driver that messages come from and go to (default: the host's).
	Buffers MemoryKind `json:"buffers,omitempty" jsonschema:"pattern=^(host|(cuda|rocm|level_zero):[a-z]+)$"`
	// The memory on the second process of each pair, if it is of another kind than on the first one.
	Other MemoryKind `json:"other_buffers,omitempty" jsonschema:"pattern=^(host|(cuda|rocm|level_zero):[a-z]+)$"`
	// Messages are copied through the host's memory, within the time.
	Staged bool `json:"staged,omitempty"`
}

// ParseMessageMemory returns the memory of one kind's name, or of two for the first and second process of each pair,
// separated by a comma.
func ParseMessageMemory(names string) (m MessageMemory, err error) {
	first, second, two := strings.Cut(names, ",")
	if m.Buffers, err = ParseMemoryKind(first); err != nil || !two {
		return m, err
	}
	if m.Other, err = ParseMemoryKind(second); err != nil || m.Other == m.Buffers {
		return MessageMemory{Buffers: m.Buffers}, err
	}
	if one, other := m.Buffers.Driver(), m.Other.Driver(); one != "" && other != "" && one != other {
		return m, fmt.Errorf("memory %q: want kinds of one driver, or one and host", names)
	}
	m.Buffers, m.Other = cmp.Or(m.Buffers, Host), cmp.Or(m.Other, Host)
	return m, nil
}

// Check returns an error for kinds that aren't possible.
func (m MessageMemory) Check() error {
	parsed, err := ParseMessageMemory(string(m.Buffers) + "," + string(m.Side(true)))
	if parsed.Staged = m.Staged; err == nil && parsed != m {
		err = fmt.Errorf("messages can't be in memory of %q", m.Place())
	}
	return err
}

// Driver returns the driver of the memory, or "" for the host's.
func (m MessageMemory) Driver() string { return cmp.Or(m.Buffers.Driver(), m.Other.Driver()) }

// Names returns the names that ParseMessageMemory reads.
func (m MessageMemory) Names() string {
	if m.Other != "" {
		return string(m.Buffers + "," + m.Other)
	}
	return string(cmp.Or(m.Buffers, Host))
}

// Stages reports whether messages can be staged: each side is a device's memory, or the host's while the other isn't.
func (m MessageMemory) Stages() bool {
	one, other := m.Buffers, m.Side(true)
	return (one.OnDevice() || one == Host) && (other.OnDevice() || other == Host)
}

// Side returns the memory on the first or second process of a pair.
func (m MessageMemory) Side(second bool) MemoryKind {
	if second && m.Other != "" {
		return m.Other
	}
	return m.Buffers
}

// Place returns where messages are, such as "cuda:device, staged" or "cuda:device to host", or "" for the host's
// memory.
func (m MessageMemory) Place() string {
	place := string(m.Buffers)
	if m.Other != "" {
		place += " to " + string(m.Other)
	}
	if m.Staged {
		place += ", staged"
	}
	return place
}

// NewBuffer returns a buffer of size bytes in this memory. The engine must be a Placer unless this is the host's
// memory.
func (k MemoryKind) NewBuffer(e Engine, size int64) (Buffer, error) {
	if k == "" || k == Host {
		return e.NewBuffer(size)
	}
	return e.(Placer).NewDeviceBuffer(k, size)
}

// Device is the device in whose memory a process places its buffers.
type Device struct {
	Driver string // with its version, such as CUDA 12.4
	Number int    // in the order of PCI addresses, from 0
	Name   string
	PCI    string // address, such as 0000:17:00.0
	UUID   [16]byte
	NUMA   int   // node of the device, or -1 if it isn't known
	Memory int64 // bytes of the device
}

// Placer is an Engine that can place buffers in the memory of a device.
type Placer interface {
	// Device returns the device that this process chose at its start, or nil if none was asked for. The error is the
	// reason why the process has no device, or the error of the first copy by its driver that failed.
	Device() (*Device, error)
	// NewDeviceBuffer returns size bytes of zeroed memory of a kind. The buffer's Bytes panics; use Load, Store and
	// Clear.
	NewDeviceBuffer(kind MemoryKind, size int64) (Buffer, error)
	// LibrarySays returns the MPI library's answers to questions about the memory that it takes.
	LibrarySays() []Answer
}

// Answer is a library's answer to a question about its support of device memory.
type Answer struct {
	Question string `json:"question"`
	Answer   string `json:"answer"`
}

// Remote is a Buffer in a device's memory. Placer.Device returns the errors of its copies.
type Remote interface {
	Buffer
	// Load copies the bytes from offset at to data. Store copies data to offset at.
	Load(at int64, data []byte)
	Store(at int64, data []byte)
	// Clear sets all bytes to 0.
	Clear()
}

// Load returns n bytes of a buffer that start at offset at. They are the host's memory itself, or a copy of a device's
// memory.
func Load(b Buffer, at, n int64) []byte {
	r, remote := b.(Remote)
	if !remote {
		return b.Bytes()[at : at+n]
	}
	data := make([]byte, n)
	r.Load(at, data)
	return data
}

// Store copies data to a buffer, starting at offset at.
func Store(b Buffer, at int64, data []byte) {
	if r, remote := b.(Remote); remote {
		r.Store(at, data)
		return
	}
	copy(b.Bytes()[at:], data)
}

// Clear sets all bytes of a buffer to 0.
func Clear(b Buffer) {
	if r, remote := b.(Remote); remote {
		r.Clear()
		return
	}
	clear(b.Bytes())
}
