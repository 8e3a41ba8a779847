package host

import (
	"cmp"
	"path/filepath"
	"strconv"

	"github.com/effective-bandwidth/beff/mpi/job"
)

// Locality returns where on its node this process runs, according to the processors on which it may run.
func Locality(root string) job.Locality {
	on := CPUs()
	s := job.Locality{Core: job.Anywhere, Socket: job.Anywhere}
	if len(on.List()) > 0 {
		topology := filepath.Join(root, "sys/devices/system/cpu/cpu"+strconv.Itoa(on.List()[0]), "topology")
		s.Core = firstOf(on, firstLine(topology, "thread_siblings_list"))
		s.Socket = firstOf(on, firstLine(topology, "core_siblings_list"))
	}
	s.NICs = nearestNICs(root, on)
	return s
}

// firstOf returns the first processor of a list if it includes all of set, and job.Anywhere otherwise.
func firstOf(set job.CPUs, list string) int32 {
	all := ParseCPUs(list)
	if len(all.List()) == 0 || set.Common(all) < set.Count() {
		return job.Anywhere
	}
	return int32(all.List()[0])
}

// maxNICs is the largest number of network devices that Locality distinguishes.
const maxNICs = 64

// nearestNICs returns a bit for each network device near processors, or for all devices if none is nearer. The devices
// are adapters for InfiniBand and similar networks, or if there are none, Ethernet hardware.
func nearestNICs(root string, on job.CPUs) uint64 {
	devices, _ := filepath.Glob(filepath.Join(root, "sys/class/infiniband/*/device"))
	if len(devices) == 0 {
		devices, _ = filepath.Glob(filepath.Join(root, "sys/class/net/*/device"))
	}
	var nearer, all uint64
	for i, device := range devices[:min(len(devices), maxNICs)] {
		all |= 1 << i
		if on.Common(ParseCPUs(firstLine(device, "local_cpulist"))) > 0 {
			nearer |= 1 << i
		}
	}
	return cmp.Or(nearer, all)
}

// NearPCI returns the NUMA node of a PCI device, -1 if it isn't known, and whether the device is near processors on
// which this process may run.
func NearPCI(root, address string) (numa int, near bool) {
	device := filepath.Join(root, "sys/bus/pci/devices", address)
	numa, err := strconv.Atoi(firstLine(device, "numa_node"))
	if err != nil {
		numa = -1
	}
	return numa, ParseCPUs(firstLine(device, "local_cpulist")).Common(CPUs()) > 0
}
