// Package host collects the facts about the machine for a result. It reads them from files below a root directory,
// which is "/" except in tests.
package host

import (
	"fmt"
	"iter"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/prometheus/procfs"
	"github.com/prometheus/procfs/sysfs"
	"golang.org/x/sys/unix"

	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
)

// Facts returns the facts of this machine. A fact that it can't find stays empty, because a run must not fail for it.
func Facts(root string) rating.Host {
	var u unix.Utsname
	_ = unix.Uname(&u)
	text := unix.ByteSliceToString
	h := rating.Host{
		System: text(u.Sysname[:]), Name: text(u.Nodename[:]), Release: text(u.Release[:]), Version: text(u.Version[:]),
		Machine: text(u.Machine[:]),
		Memory:  Memory(root), Interconnect: interconnect(root),
	}
	if fs, err := procfs.NewFS(filepath.Join(root, "proc")); err == nil {
		if cpus, err := fs.CPUInfo(); err == nil && len(cpus) > 0 {
			h.CPU, h.Cores = cpus[0].ModelName, len(cpus)
		}
	}
	return h
}

// CPUs returns the set of processors on which this process may run, or an empty set if it isn't known. If the launcher
// binds processes, each has a different set.
func CPUs() job.CPUs {
	var cpus job.CPUs
	const first, last = 1 << 10, 1 << 20
	for n := first; n <= last; n *= 2 { // the kernel refuses a set that is too small for the machine
		set := unix.NewCPUSet(n)
		if unix.SchedGetaffinityDynamic(0, set) != nil {
			continue
		}
		for i := range n {
			if set.IsSet(i) {
				cpus.Add(i)
			}
		}
		break
	}
	return cpus
}

// MaxOpenFiles returns the number of files that this process may have open at a time.
func MaxOpenFiles() uint64 {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) != nil {
		return math.MaxUint64
	}
	return limit.Cur
}

// Memory returns the bytes of memory that the processes on this machine may use together: the node's memory, or the
// cgroup's limit if lower. It returns 0 if unknown.
func Memory(root string) int64 {
	return withLimit(root, func(m procfs.Meminfo) *uint64 { return m.MemTotalBytes })
}

// FreeMemory returns the bytes of Memory that processes get without swapping, as estimated by the kernel. It returns 0
// if unknown.
func FreeMemory(root string) int64 {
	return withLimit(root, func(m procfs.Meminfo) *uint64 { return m.MemAvailableBytes })
}

// withLimit returns a field of /proc/meminfo in bytes, or the cgroup's limit if that is lower. It returns 0 if unknown.
func withLimit(root string, field func(procfs.Meminfo) *uint64) int64 {
	fs, err := procfs.NewFS(filepath.Join(root, "proc"))
	if err != nil {
		return 0
	}
	info, err := fs.Meminfo()
	if err != nil || field(info) == nil {
		return 0
	}
	return min(int64(min(*field(info), math.MaxInt64)), cgroupLimit(root))
}

// cgroupLimit returns the lowest memory limit in bytes of the process's cgroup and its parents (version 2 or 1), or
// math.MaxInt64 without limit.
func cgroupLimit(root string) int64 {
	limit := int64(math.MaxInt64)
	for dir, v2 := range cgroups(root, "memory") {
		file := "memory.limit_in_bytes"
		if v2 {
			file = "memory.max"
		}
		limit = min(limit, readLimit(filepath.Join(dir, file)))
	}
	return limit
}

// cgroups yields the directories of the process's cgroup for a controller and of its parents, the lowest first, and
// whether they are of version 2.
func cgroups(root, controller string) iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		data, err := os.ReadFile(filepath.Join(root, "proc/self/cgroup"))
		if err != nil {
			return
		}
		for _, line := range strings.Split(string(data), "\n") {
			// Each line is hierarchy:controllers:path; version 2 has one line, without controllers.
			fields := strings.SplitN(line, ":", 3)
			if len(fields) != 3 {
				continue
			}
			base := "sys/fs/cgroup"
			if fields[1] != "" {
				if !strings.Contains(","+fields[1]+",", ","+controller+",") {
					continue
				}
				base = filepath.Join(base, controller)
			}
			for dir := filepath.Clean("/" + fields[2]); ; dir = filepath.Dir(dir) {
				if !yield(filepath.Join(root, base, dir), fields[1] == "") {
					return
				}
				if dir == "/" {
					break
				}
			}
		}
	}
}

func readLimit(path string) int64 {
	n, err := strconv.ParseInt(firstLine(path), 10, 64)
	if err != nil || n <= 0 { // "max", or not a valid limit
		return math.MaxInt64
	}
	return n
}

// adapterPort is an active port of an adapter for InfiniBand, RoCE or Omni-Path, with the type of the adapter if its
// driver reports it.
type adapterPort struct {
	sysfs.InfiniBandPort
	kind string
}

func (p *adapterPort) name() string { return fmt.Sprintf("%s port %d", p.Name, p.Port) }

// adapterPorts returns the active ports. It skips an adapter that it can't read.
func adapterPorts(root string) (list []adapterPort) {
	fs, err := sysfs.NewFS(filepath.Join(root, "sys"))
	if err != nil {
		return nil
	}
	names, _ := fs.InfiniBandClassDevices() // empty after an error
	for _, name := range slices.Sorted(slices.Values(names)) {
		device, err := fs.InfiniBandDevice(name)
		if err != nil {
			continue
		}
		for _, number := range slices.Sorted(maps.Keys(device.Ports)) {
			if p := device.Ports[number]; p.State == "ACTIVE" {
				list = append(list, adapterPort{p, device.HCAType})
			}
		}
	}
	return list
}

// interconnect describes the active ports of adapters.
func interconnect(root string) (list []string) {
	for _, p := range adapterPorts(root) {
		text := fmt.Sprintf("%s: %s, %.0f Gb/s", p.name(), p.LinkLayer, float64(p.Rate)*8/1e9)
		if p.kind != "" {
			text += ", " + p.kind
		}
		list = append(list, text)
	}
	return list
}
