package host

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unsafe"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"
)

// Transports are the transports that a process's messages may use, as far as the system shows them.
type Transports struct {
	Process    int      // process ID
	Address    uintptr  // address of Value in the process's memory
	Value      uint64   // a value that no other process has
	Shared     []string // device, inode and path of each memory that other processes can map
	Devices    []string // open devices: adapters, and devices for copies within a node
	Components []string // components of Open MPI, such as pml ob1
}

// ownValue is the value that other processes of the node read. It is random, because processes in different containers
// may have the same ID.
var ownValue = rand.Uint64()

// FindTransports returns the transports of this process. An MPI may open a transport only when it sends a message,
// so call FindTransports after that.
func FindTransports(root string) Transports {
	w := Transports{Process: os.Getpid(), Address: uintptr(unsafe.Pointer(&ownValue)), Value: ownValue}
	for _, m := range mappings(root) {
		if m.Perms.Shared && m.Perms.Write && sharedFile.MatchString(m.Pathname) &&
			!daemonFile.MatchString(m.Pathname) {
			w.Shared = append(w.Shared, fmt.Sprintf("%x:%d %s", m.Dev, m.Inode, m.Pathname))
		}
		if found := componentFile.FindStringSubmatch(m.Pathname); found != nil {
			w.Components = append(w.Components, found[1]+" "+found[2])
		}
	}
	if fs, err := procfs.NewFS(filepath.Join(root, "proc")); err == nil {
		if self, err := fs.Self(); err == nil {
			targets, _ := self.FileDescriptorTargets() // empty after an error
			w.Devices = slices.DeleteFunc(targets, func(path string) bool { return !deviceFile.MatchString(path) })
		}
	}
	for _, list := range []*[]string{&w.Shared, &w.Devices, &w.Components} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return w
}

var (
	// sharedFile matches shared memory of POSIX and System V, and files that MPIs keep in a session's directory.
	sharedFile = regexp.MustCompile(`^/(dev/shm/|SYSV|tmp/|run/|var/tmp/|memfd:)`)
	// daemonFile matches files of the launcher's daemon (PMIx), which carry no messages.
	daemonFile = regexp.MustCompile(`pmix|dstore`)
	// componentFile matches the components of Open MPI that choose the transport of messages.
	componentFile = regexp.MustCompile(`/mca_(pml|mtl|btl)_(\w+)\.so$`)
	// deviceFile matches the devices of adapters (verbs, Slingshot, Omni-Path), and devices for copies from process to
	// process.
	deviceFile = regexp.MustCompile(`^/dev/(infiniband/uverbs|cxi|hfi1|ipath|xpmem|knem)`)
)

// CheckCopy returns an error if this process can't read the memory of a peer on its node (process_vm_readv(2), "CMA").
func CheckCopy(peer Transports) error {
	var found [8]byte
	local := []unix.Iovec{{Base: &found[0], Len: uint64(len(found))}}
	_, err := unix.ProcessVMReadv(peer.Process, local, []unix.RemoteIovec{{Base: peer.Address, Len: len(found)}}, 0)
	if err == nil && binary.NativeEndian.Uint64(found[:]) != peer.Value {
		return errors.New("its process ID belongs to another process here: the two have different PID namespaces")
	}
	return err
}

// CopyRestrictions describes the settings of the kernel that may forbid a process to read another one's memory. It
// returns "" if there are none.
func CopyRestrictions(root string) string {
	var list []string
	if scope := firstLine(root, "proc/sys/kernel/yama/ptrace_scope"); scope != "" && scope != "0" {
		list = append(list, "ptrace_scope "+scope)
	}
	status, _ := os.ReadFile(filepath.Join(root, "proc/self/status"))
	if found := seccompMode.FindSubmatch(status); found != nil {
		list = append(list, "seccomp "+string(found[1]))
	}
	return strings.Join(list, ", ")
}

var seccompMode = regexp.MustCompile(`(?m)^Seccomp:\s*([12])$`)

// MaxLocked returns the bytes of memory that this process may lock, or math.MaxInt64 if there is no limit. Adapters
// require that the memory of messages is locked.
func MaxLocked() int64 {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_MEMLOCK, &limit) != nil {
		return math.MaxInt64
	}
	return int64(min(limit.Cur, math.MaxInt64))
}
