package host

import (
	"cmp"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/effective-bandwidth/beff/rating"
)

// addConditions adds the facts of a node that may make a run slow.
func addConditions(root string, n *rating.NodeFacts) {
	n.Links = links(root)
	n.PhysicalCores = physicalCores(root)
	if strings.Contains(" "+cpuFlags(root)+" ", " hypervisor ") {
		n.Virtualization = cmp.Or(firstLine(root, "sys/class/dmi/id/product_name"), "unknown")
	}
	n.ClockSource = firstLine(root, "sys/devices/system/clocksource/clocksource0/current_clocksource")
	n.Shm, _, n.ShmLacks = SharedMemory(root)
	n.Quota, n.MemoryLimit = quotaOf(root).processors, memoryLimit(root)
	if limit := MaxLocked(); limit < math.MaxInt64 {
		n.Lockable = max(limit, 1)
	}
}

// SharedMemory returns the size of /dev/shm and its free space in bytes, 0 if not known, and the reason if it can't be
// used.
func SharedMemory(root string) (size, free int64, lacks string) {
	path := filepath.Join(root, "dev/shm")
	var s unix.Statfs_t
	switch err := unix.Statfs(path, &s); {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Stat(filepath.Dir(path)); err != nil {
			return 0, 0, "" // not known
		}
		return 0, 0, "missing"
	case err != nil:
		return 0, 0, ""
	case s.Flags&unix.ST_RDONLY != 0:
		lacks = "read-only"
	}
	return int64(s.Blocks) * s.Bsize, int64(s.Bavail) * s.Bsize, lacks
}

// cpuFlags returns the flags of the first processor.
func cpuFlags(root string) string {
	data, _ := os.ReadFile(filepath.Join(root, "proc/cpuinfo")) // empty after an error
	_, after, _ := strings.Cut(string(data), "\nflags")
	flags, _, _ := strings.Cut(after, "\n")
	return flags
}

// physicalCores returns the number of cores, 0 if unknown.
func physicalCores(root string) int {
	pattern := "cpu[0-9]*/topology/thread_siblings_list"
	names, _ := filepath.Glob(filepath.Join(root, "sys/devices/system/cpu", pattern))
	cores := map[string]bool{}
	for _, name := range names {
		cores[firstLine(name)] = true
	}
	return len(cores)
}

// maxLinks limits the devices of a node in a result.
const maxLinks = 100

// links returns the network devices that are up and whose speed is known: hardware for Ethernet, and active ports of
// adapters.
func links(root string) (list []rating.Link) {
	devices, _ := filepath.Glob(filepath.Join(root, "sys/class/net/*/device"))
	for _, device := range devices {
		dir := filepath.Dir(device)
		speed, err := strconv.ParseFloat(firstLine(dir, "speed"), 64) // in Mbit/s; -1 if unknown
		if err == nil && speed > 0 && firstLine(dir, "operstate") == "up" {
			list = append(list, rating.Link{Name: filepath.Base(dir), Rate: speed * 1e6 / 8})
		}
	}
	for _, p := range adapterPorts(root) {
		if p.Rate > 0 {
			list = append(list, rating.Link{Name: p.name(), Rate: float64(p.Rate), Adapter: true})
		}
	}
	return list[:min(len(list), maxLinks)]
}

// CopyBandwidth measures for a few milliseconds how many bytes per second this process copies in memory.
func CopyBandwidth() float64 {
	const size, least = 8 << 20, 4 // bytes and copies
	from, to := make([]byte, size), make([]byte, size)
	for i := range from {
		from[i] = byte(i)
	}
	copy(to, from) // the pages must exist
	best := math.Inf(1)
	for range least {
		begin := time.Now()
		copy(to, from)
		best = min(best, time.Since(begin).Seconds())
	}
	return size / best
}

// TryLock creates a file in a directory, and locks it as MPI-IO does (fcntl(2)). It returns "work" or the error, and ""
// if it can't create the file.
func TryLock(directory string) string {
	file, err := os.CreateTemp(directory, ".beff-lock-*")
	if err != nil {
		return ""
	}
	defer os.Remove(file.Name())
	defer file.Close()
	lock := unix.Flock_t{Type: unix.F_WRLCK, Len: 1}
	if err := unix.FcntlFlock(file.Fd(), unix.F_SETLK, &lock); err != nil {
		return err.Error()
	}
	return "work"
}
