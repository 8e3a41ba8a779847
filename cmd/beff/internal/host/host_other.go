//go:build !linux

package host

import (
	"errors"
	"os"
	"runtime"

	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
)

// Facts returns the facts that the Go runtime has about this machine.
func Facts(string) rating.Host {
	name, _ := os.Hostname()
	return rating.Host{System: runtime.GOOS, Name: name, Machine: runtime.GOARCH, Cores: runtime.NumCPU()}
}

// Node returns the number of cores, the only such fact that is known on this system.
func Node(root string) rating.NodeFacts { return rating.NodeFacts{Cores: Facts(root).Cores} }

// Affinity returns nothing: the processors of a process are not known on this system.
func Affinity(string) (cpus, numa string) { return "", "" }

// Libraries returns nothing: the loaded libraries are not known on this system.
func Libraries(string) []string { return nil }

// MappedFile returns nothing: mapped files are not known on this system.
func MappedFile(string, uintptr) (path, digest string) { return "", "" }

// Mount returns nothing: mounts are not known on this system.
func Mount(_, _ string) rating.Mount { return rating.Mount{} }

// CPUs returns the empty set: the processors of this process are not known on this system.
func CPUs() job.CPUs { return nil }

// Locality returns that this process may run anywhere: its processors are not known on this system.
func Locality(string) job.Locality { return job.Locality{Core: job.Anywhere, Socket: job.Anywhere} }

// NearPCI returns that nothing is known of a device on this system.
func NearPCI(_, _ string) (numa int, near bool) { return -1, false }

// Memory returns 0: the memory is not known on this system, so the user must give --memory.
func Memory(string) int64 { return 0 }

// FreeMemory returns 0: free memory is not known on this system.
func FreeMemory(string) int64 { return 0 }

// SharedMemory returns nothing: /dev/shm is not known on this system.
func SharedMemory(string) (size, free int64, lacks string) { return 0, 0, "" }

// Meter measures nothing: the use of the processors is not known on this system.
type Meter struct{}

// NewMeter returns a meter, which measures nothing.
func NewMeter(string) *Meter { return &Meter{} }

// SampleFrequency does nothing: the frequency is not known on this system.
func (m *Meter) SampleFrequency() {}

// Use returns an empty use, which means that nothing is known.
func (m *Meter) Use() Use { return Use{} }

// Governor returns nothing: the governor is not known on this system.
func Governor(string) string { return "" }

// Ancestors returns nothing: ancestors are not known on this system.
func Ancestors(string) []Ancestor { return nil }

// MaxOpenFiles returns 2^63, for no limit: it isn't known on this system.
func MaxOpenFiles() uint64 { return 1 << 63 }

// Transports are the transports that a process's messages may use. They are not known on this system.
type Transports struct {
	Process                     int
	Address                     uintptr
	Value                       uint64
	Shared, Devices, Components []string
}

// FindTransports returns nothing: transports are not known on this system.
func FindTransports(string) Transports { return Transports{} }

// CheckCopy returns an error: a process can't read the memory of another one on this system.
func CheckCopy(Transports) error { return errors.New("this system has no process_vm_readv") }

// CopyRestrictions returns nothing: restrictions are not known on this system.
func CopyRestrictions(string) string { return "" }

// CopyBandwidth returns 0: it isn't measured on this system.
func CopyBandwidth() float64 { return 0 }

// TryLock returns nothing: locks are not tried on this system.
func TryLock(string) string { return "" }

// ParseCPUs returns the empty set: processors are not known on this system.
func ParseCPUs(string) job.CPUs { return nil }
