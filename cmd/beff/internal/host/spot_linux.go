package host

import (
	"cmp"
	"path/filepath"
	"strconv"

	"github.com/effective-bandwidth/beff/mpi/job"
)

// Spot returns where on its node this process runs, by the processors that it may run on.
func Spot(root string) job.Spot {
	on := CPUs()
	s := job.Spot{Core: job.Anywhere, Socket: job.Anywhere}
	if len(on.List()) > 0 {
		topology := filepath.Join(root, "sys/devices/system/cpu/cpu"+strconv.Itoa(on.List()[0]), "topology")
		s.Core = around(on, line(topology, "thread_siblings_list"))
		s.Socket = around(on, line(topology, "core_siblings_list"))
	}
	s.NICs = near(root, on)
	return s
}

// around returns the first processor of a list if it holds a whole set, else job.Anywhere.
func around(set job.CPUs, list string) int32 {
	all := cpuList(list)
	if len(all.List()) == 0 || set.Common(all) < set.Count() {
		return job.Anywhere
	}
	return int32(all.List()[0])
}

// mostNICs is the number of network devices that are told apart.
const mostNICs = 64

// near returns the network devices near processors, all where none is nearer than others: adapters for InfiniBand and
// its like, or else Ethernet's that aren't made by software.
func near(root string, on job.CPUs) uint64 {
	devices, _ := filepath.Glob(filepath.Join(root, "sys/class/infiniband/*/device"))
	if len(devices) == 0 {
		devices, _ = filepath.Glob(filepath.Join(root, "sys/class/net/*/device"))
	}
	var nearer, all uint64
	for i, device := range devices[:min(len(devices), mostNICs)] {
		all |= 1 << i
		if on.Common(cpuList(line(device, "local_cpulist"))) > 0 {
			nearer |= 1 << i
		}
	}
	return cmp.Or(nearer, all)
}
