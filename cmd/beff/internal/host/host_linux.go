// Package host finds out what a result says of the machine. Every fact is read from a tree that tests can make up.
package host

import (
	"fmt"
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

// Facts are those of this machine; root is "/" but in tests. What can't be found is left empty: no fact is worth a
// failed run.
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

// CPUs are the processors that this process may run on; a launcher that binds processes leaves each its own. Empty if
// unknown.
func CPUs() job.CPUs {
	var set unix.CPUSet
	var cpus job.CPUs
	if unix.SchedGetaffinity(0, &set) != nil {
		return cpus
	}
	for i := range 64 * len(cpus) {
		if set.IsSet(i) {
			cpus[i/64] |= 1 << (i % 64)
		}
	}
	return cpus
}

// Memory is what processes on this machine may use together: the node's, or the cgroup's limit if that is less, bytes.
// 0 if unknown.
func Memory(root string) int64 {
	fs, err := procfs.NewFS(filepath.Join(root, "proc"))
	if err != nil {
		return 0
	}
	info, err := fs.Meminfo()
	if err != nil || info.MemTotalBytes == nil {
		return 0
	}
	total := int64(min(*info.MemTotalBytes, math.MaxInt64))
	return min(total, cgroupLimit(root))
}

// cgroupLimit is the least memory limit of the process' cgroup and those above it, version 2 or 1.
func cgroupLimit(root string) int64 {
	limit := int64(math.MaxInt64)
	data, err := os.ReadFile(filepath.Join(root, "proc/self/cgroup"))
	if err != nil {
		return limit
	}
	for _, line := range strings.Split(string(data), "\n") {
		// Each line is hierarchy:controllers:path; version 2 has one line, without controllers.
		fields := strings.SplitN(line, ":", 3)
		if len(fields) != 3 {
			continue
		}
		base, file := "sys/fs/cgroup", "memory.max"
		if fields[1] != "" {
			if !strings.Contains(","+fields[1]+",", ",memory,") {
				continue
			}
			base, file = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
		}
		for dir := filepath.Clean("/" + fields[2]); ; dir = filepath.Dir(dir) {
			limit = min(limit, readLimit(filepath.Join(root, base, dir, file)))
			if dir == "/" {
				break
			}
		}
	}
	return limit
}

func readLimit(path string) int64 {
	data, err := os.ReadFile(path)
	if err != nil {
		return math.MaxInt64
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64)
	if err != nil || n <= 0 { // "max", or a number that is no limit
		return math.MaxInt64
	}
	return n
}

// interconnect lists the active ports of InfiniBand, RoCE and Omni-Path adapters. An adapter that can't be read doesn't
// hide the others.
func interconnect(root string) []string {
	fs, err := sysfs.NewFS(filepath.Join(root, "sys"))
	if err != nil {
		return nil
	}
	devices, err := fs.InfiniBandClassDevices()
	if err != nil {
		return nil
	}
	var list []string
	for _, name := range slices.Sorted(slices.Values(devices)) {
		device, err := fs.InfiniBandDevice(name)
		if err != nil {
			continue
		}
		for _, number := range slices.Sorted(maps.Keys(device.Ports)) {
			if p := device.Ports[number]; p.State == "ACTIVE" {
				list = append(list, fmt.Sprintf("%s port %d: %s, %.0f Gb/s%s", name, number, p.LinkLayer,
					float64(p.Rate)*8/1e9, adapter(device)))
			}
		}
	}
	return list
}

// adapter is the type of an adapter where its driver tells it.
func adapter(d *sysfs.InfiniBandDevice) string {
	if d.HCAType == "" {
		return ""
	}
	return ", " + d.HCAType
}
