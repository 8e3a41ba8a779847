//go:build !linux

package host

import (
	"errors"
	"math"
	"os"
	"runtime"

	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
)

// Facts returns the facts that Go knows about this machine.
func Facts(string) rating.Host {
	name, _ := os.Hostname()
	return rating.Host{System: runtime.GOOS, Name: name, Machine: runtime.GOARCH, Cores: runtime.NumCPU()}
}

// Node returns the facts that Go knows about this machine.
func Node(root string) rating.NodeFacts { return rating.NodeFacts{Cores: Facts(root).Cores} }

// Bound returns nothing: the processors of a process are not known on this system.
func Bound(string) (cpus, numa string) { return "", "" }

// Libraries returns nothing: the loaded libraries are not known on this system.
func Libraries(string) []string { return nil }

// Mapped returns nothing: mapped files are not known on this system.
func Mapped(string, uintptr) (path, digest string) { return "", "" }

// Mount returns nothing: mounts are not known on this system.
func Mount(_, _ string) rating.Mount { return rating.Mount{} }

// CPUs returns the empty set: the processors of this process are not known on this system.
func CPUs() job.CPUs { return nil }

// Spot returns nothing: where this process runs is not known on this system.
func Spot(string) job.Spot { return job.Spot{Core: job.Anywhere, Socket: job.Anywhere} }

// Memory returns 0: the memory is not known on this system, so the user must give --memory.
func Memory(string) int64 { return 0 }

// Free returns 0: free memory is not known on this system.
func Free(string) int64 { return 0 }

// Meter measures nothing: the use of the processors is not known on this system.
type Meter struct{}

// NewMeter returns a meter.
func NewMeter(string) *Meter { return &Meter{} }

// Look does nothing.
func (m *Meter) Look() {}

// Use returns an unknown use.
func (m *Meter) Use() Use { return Use{} }

// Governor returns nothing: the governor is not known on this system.
func Governor(string) string { return "" }

// Ancestors returns nothing: ancestors are not known on this system.
func Ancestors(string) []Ancestor { return nil }

// OpenFiles returns no limit: it isn't known on this system.
func OpenFiles() uint64 { return 1 << 63 }

// Transports are not known on this system.
type Transports struct {
	Process                     int
	Shared, Devices, Components []string
}

// FindTransports returns nothing: transports are not known on this system.
func FindTransports(string) Transports { return Transports{} }

// CheckCopy returns an error: a process can't read the memory of another one on this system.
func CheckCopy(Transports) error { return errors.New("this system has no process_vm_readv") }

// CopyRestrictions returns nothing: restrictions are not known on this system.
func CopyRestrictions(string) string { return "" }

// Locked returns no limit: it isn't known on this system.
func Locked() int64 { return math.MaxInt64 }

// Limited returns false: limits of memory are not known on this system.
func Limited(string) bool { return false }
