package host

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/prometheus/procfs"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
)

// Node returns the settings of this machine that change its performance. root is "/" except in tests.
func Node(root string) rating.NodeFacts {
	h := Facts(root)
	cpu := filepath.Join(root, "sys/devices/system/cpu")
	n := rating.NodeFacts{
		CPU: h.CPU, Cores: h.Cores, NUMA: len(numaNodes(root)), SMT: firstLine(cpu, "smt/control"),
		Governor: Governor(root), Frequency: frequency(cpu), Boost: boost(cpu),
		HugePages: hugePages(root), Isolation: isolation(root), Kernel: h.Release,
		Network: append(ethernet(root), h.Interconnect...),
	}
	addConditions(root, &n)
	return n
}

// firstLine returns the first line of a file, empty if it can't be read.
func firstLine(parts ...string) string {
	data, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		return ""
	}
	text, _, _ := strings.Cut(string(data), "\n")
	return strings.TrimSpace(text)
}

// firstLines returns the different first lines of files, separated by commas.
func firstLines(dir, pattern string) string {
	names, _ := filepath.Glob(filepath.Join(dir, pattern))
	list := lists.Unique(lists.Each(names, func(name string) string { return firstLine(name) }))
	list = lists.Where(list, func(text string) bool { return text != "" })
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// frequency returns the frequency limits set for a processor, and the limits of the hardware.
func frequency(cpu string) string {
	span := func(what string) string {
		low := firstLines(cpu, "cpu[0-9]*/cpufreq/"+what+"_min_freq")
		high := firstLines(cpu, "cpu[0-9]*/cpufreq/"+what+"_max_freq")
		if low == "" || high == "" {
			return ""
		}
		return low + " to " + high + " kHz"
	}
	set, hardware := span("scaling"), span("cpuinfo")
	if set == "" || hardware == "" || set == hardware {
		return set + hardware[min(len(set), len(hardware)):]
	}
	return set + " of " + hardware
}

// boost reports whether processors may run above their nominal frequency.
func boost(cpu string) string {
	switch {
	case firstLine(cpu, "intel_pstate/no_turbo") == "1", firstLine(cpu, "cpufreq/boost") == "0":
		return "off"
	case firstLine(cpu, "intel_pstate/no_turbo") == "0", firstLine(cpu, "cpufreq/boost") == "1":
		return "on"
	}
	return ""
}

// hugePages returns the mode of transparent huge pages, and the numbers of reserved huge pages.
func hugePages(root string) string {
	var list []string
	if _, mode, ok := strings.Cut(firstLine(root, "sys/kernel/mm/transparent_hugepage/enabled"), "["); ok {
		mode, _, _ = strings.Cut(mode, "]")
		list = append(list, "transparent: "+mode)
	}
	sizes, _ := filepath.Glob(filepath.Join(root, "sys/kernel/mm/hugepages/hugepages-*"))
	for _, dir := range sizes {
		if n := firstLine(dir, "nr_hugepages"); n != "" && n != "0" {
			list = append(list, n+" of "+strings.TrimPrefix(filepath.Base(dir), "hugepages-"))
		}
	}
	return strings.Join(list, ", ")
}

// isolationOptions lists options of the kernel's command line that keep processors free of other work, or change their
// speed. Other options may hold secrets.
var isolationOptions = []string{"isolcpus", "nohz_full", "nohz", "rcu_nocbs", "irqaffinity", "mitigations", "nosmt",
	"idle", "processor.max_cstate", "intel_idle.max_cstate", "intel_pstate", "amd_pstate", "numa_balancing",
	"hugepages", "hugepagesz", "default_hugepagesz", "transparent_hugepage", "iommu", "intel_iommu", "amd_iommu",
	"maxcpus", "nr_cpus", "mem"}

func isolation(root string) []string {
	return lists.Where(strings.Fields(firstLine(root, "proc/cmdline")), func(option string) bool {
		name, _, _ := strings.Cut(option, "=")
		return slices.Contains(isolationOptions, name)
	})
}

// ethernet lists the network devices that are up, without those that are internal to this machine.
func ethernet(root string) (list []string) {
	devices, _ := filepath.Glob(filepath.Join(root, "sys/class/net/*"))
	for _, dir := range devices {
		name := filepath.Base(dir)
		if firstLine(dir, "operstate") != "up" {
			continue
		}
		text := name
		if speed, err := strconv.Atoi(firstLine(dir, "speed")); err == nil && speed > 0 {
			text += fmt.Sprintf(": %d Mb/s", speed)
		}
		if mtu := firstLine(dir, "mtu"); mtu != "" {
			text += ", MTU " + mtu
		}
		list = append(list, text)
	}
	return list
}

// numaNodes returns the processors of each NUMA node, by the node's number.
func numaNodes(root string) map[int]job.CPUs {
	nodes := map[int]job.CPUs{}
	dirs, _ := filepath.Glob(filepath.Join(root, "sys/devices/system/node/node[0-9]*"))
	for _, dir := range dirs {
		number, err := strconv.Atoi(strings.TrimPrefix(filepath.Base(dir), "node"))
		if err == nil {
			nodes[number] = ParseCPUs(firstLine(dir, "cpulist"))
		}
	}
	return nodes
}

// ParseCPUs returns the set for a list such as 0-3,8.
func ParseCPUs(text string) (set job.CPUs) {
	for part := range strings.SplitSeq(text, ",") {
		low, high, two := strings.Cut(part, "-")
		if !two {
			high = low
		}
		first, err1 := strconv.Atoi(low)
		last, err2 := strconv.Atoi(high)
		if err1 != nil || err2 != nil || first < 0 {
			continue
		}
		const most = 1 << 20 // no node has as many
		for i := first; i <= min(last, most); i++ {
			set.Add(i)
		}
	}
	return set
}

// Affinity returns the processors on which this process may run, and their NUMA nodes, as lists such as 0-3,8.
func Affinity(root string) (cpus, numa string) {
	on := CPUs().List()
	var nodes []int
	for number, set := range numaNodes(root) {
		if slices.ContainsFunc(set.List(), func(i int) bool { return slices.Contains(on, i) }) {
			nodes = append(nodes, number)
		}
	}
	slices.Sort(nodes)
	return job.Ranges(on), job.Ranges(nodes)
}

// libraryNames are the prefixes of the names of libraries whose version matters.
var libraryNames = []string{"libmpi", "libopen-pal", "libopen-rte", "libpmix", "libprrte", "libucp", "libuct",
	"libucs", "libfabric", "libpsm", "libibverbs", "librdmacm", "libmlx", "libefa", "libcxi", "libhcoll", "libucc",
	"libsharp", "libnuma", "libhwloc", "libc.so", "libc-", "liblustreapi", "libcuda", "libamdhip", "libze_"}

// Libraries lists the files of loaded communication libraries, with their whole names, which hold versions.
func Libraries(root string) (list []string) {
	for _, m := range mappings(root) {
		name := filepath.Base(m.Pathname)
		if !strings.Contains(name, ".so") || slices.Contains(list, m.Pathname) {
			continue
		}
		if slices.ContainsFunc(libraryNames, func(begin string) bool { return strings.HasPrefix(name, begin) }) {
			list = append(list, m.Pathname)
		}
	}
	slices.Sort(list)
	return list
}

// mappings returns the mappings in this process's memory, as far as they are known.
func mappings(root string) []*procfs.ProcMap {
	fs, err := procfs.NewFS(filepath.Join(root, "proc"))
	if err != nil {
		return nil
	}
	self, err := fs.Self()
	if err != nil {
		return nil
	}
	maps, _ := self.ProcMaps() // empty after an error
	return maps
}

// MappedFile returns the file that is mapped at an address of this process, and its SHA-256 in hexadecimal digits. Both
// are empty if unknown.
func MappedFile(root string, address uintptr) (path, digest string) {
	for _, m := range mappings(root) {
		if address >= m.StartAddr && address < m.EndAddr {
			path = m.Pathname
		}
	}
	f, err := os.Open(path)
	if err != nil {
		return path, ""
	}
	defer f.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return path, ""
	}
	return path, hex.EncodeToString(hash.Sum(nil))
}
