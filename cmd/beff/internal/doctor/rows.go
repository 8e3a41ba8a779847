package doctor

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/mpi/plugins"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// questions are the first questions of a site's administrator. Whatever the system doesn't show is "not known".
var questions = []struct {
	name   string
	answer func(*Facts) string
}{
	{"launcher", (*Facts).launcherRow},
	{"library", (*Facts).libraryRow},
	{"fabric", (*Facts).fabricRow},
	{"network", func(f *Facts) string { return cmp.Or(words.First(4, f.network(), "; ", "devices"), notKnown) }},
	{"binding", (*Facts).bindingRow},
	{"in a node", (*Facts).nodeRow},
	{"memory", (*Facts).memoryRow},
	{"devices", func(f *Facts) string {
		if f.env.Devices == nil {
			return "" // nobody asked for them
		}
		return f.env.Devices.String()
	}},
	{"scratch", (*Facts).scratchRow},
	{"load", (*Facts).loadRow},
}

const notKnown = "not known"

// launcherRow returns the launcher, and how many processes run on how many hosts.
func (f *Facts) launcherRow() string {
	by := "none"
	if f.launcher != nil {
		by = f.launcher.Name
	}
	list := []string{fmt.Sprintf("%s: %s on %s", by, words.Processes(f.processes()),
		words.Count(len(f.layout.Placement), "host"))}
	if f.env.Job.ID != "" {
		list = append(list, f.env.Job.System+" job "+f.env.Job.ID)
	}
	if f.env.Container != "" {
		list = append(list, "in "+f.env.Container)
	}
	return strings.Join(list, ", ")
}

func (f *Facts) processes() int {
	return lists.SumOf(f.layout.Placement, func(p job.Placement) int { return p.Processes })
}

// libraryRow returns the library and the interface by which it is called, or the MPIs found here if none is loaded.
func (f *Facts) libraryRow() string {
	text := f.library.Library + " " + f.library.Version
	if f.library.Standard != "" {
		text += " (MPI " + f.library.Standard + ")"
	}
	if f.env.MPI.Interface == "" {
		return text + "; MPIs here: " + plugins.Names(slices.DeleteFunc(f.plugins, func(p plugins.Plugin) bool {
			return !p.Loads()
		})) + " (beff mpi list)"
	}
	return fmt.Sprintf("%s by the interface %s: %s", text, f.env.MPI.Interface, cmp.Or(f.env.MPI.File, notKnown))
}

// transportVariables are the variables by which users choose how messages travel, and verbose the settings with which a
// library prints its choice.
var (
	transportVariables = []string{"OMPI_MCA_pml", "OMPI_MCA_mtl", "OMPI_MCA_btl", "UCX_TLS", "UCX_NET_DEVICES",
		"FI_PROVIDER", "I_MPI_FABRICS", "I_MPI_OFI_PROVIDER", "MPIR_CVAR_CH4_NETMOD", "MPIR_CVAR_OFI_USE_PROVIDER",
		"MPICH_OFI_NIC_POLICY", "PSM3_DEVICES", "MV2_IBA_HCA"}
	verbose = []struct{ library, how string }{
		{"Open MPI", "OMPI_MCA_pml_base_verbose=10"}, {"MPICH", "MPIR_CVAR_DEBUG_SUMMARY=1"},
		{"Intel", "I_MPI_DEBUG=10"}, {"Cray", "MPICH_OFI_VERBOSE=1"}, {"CRAY", "MPICH_OFI_VERBOSE=1"},
		{"MVAPICH", "MV2_SHOW_ENV_INFO=1"},
	}
)

// fabricRow returns the possible carriers of messages between nodes: the open devices, the loaded libraries and
// components, and the user's choices. Only the library itself knows which of several transports it uses.
func (f *Facts) fabricRow() string {
	if !f.separate() {
		return "none: ranks are one process"
	}
	var seen []string
	for _, file := range f.env.Libraries {
		if name := filepath.Base(file); strings.HasPrefix(name, "libucp") || strings.HasPrefix(name, "libfabric") {
			_, version, _ := strings.Cut(name, " (")
			seen = append(seen, cmp.Or(strings.TrimSuffix(version, ")"), name)+" is loaded")
		}
	}
	if list := f.env.Conditions.Components; len(list) > 0 {
		seen = append(seen, strings.Join(list, ", "))
	}
	for _, x := range f.env.Variables {
		if slices.Contains(transportVariables, x.Name) {
			seen = append(seen, x.Name+"="+x.Value)
		}
	}
	seen = append(seen, cmp.Or(strings.Join(f.env.Conditions.Adapters(), ", "), "no adapter is open"))
	text := strings.Join(seen, "; ")
	for _, a := range verbose {
		if strings.HasPrefix(f.library.Library, a.library) {
			return text + "; details with " + a.how
		}
	}
	return text
}

func (f *Facts) network() []string {
	return lists.Unique(lists.Flat(f.env.Nodes, func(n rating.NodeKind) []string { return n.Network }))
}

// bindingRow returns the processors on which ranks may run.
func (f *Facts) bindingRow() string {
	if f.unbound() {
		return fmt.Sprintf("none: each rank may run on processors %s", f.env.Bindings[0].CPUs)
	}
	list := lists.Each(f.env.Bindings, func(b rating.Binding) string { return b.Ranks + " on " + b.CPUs })
	return "ranks " + words.First(8, list, ", ", "")
}

// unbound reports whether several processes of a node may run on the same processors, and on more than one.
func (f *Facts) unbound() bool {
	return len(f.env.Bindings) == 1 && f.processes() > len(f.layout.Placement) &&
		strings.ContainsAny(f.env.Bindings[0].CPUs, "-,")
}

// nodeRow returns how the ranks of a node reach each other.
func (f *Facts) nodeRow() string {
	shared := lists.Where(f.layout.Ranks, func(ranks []int) bool { return len(ranks) > 1 }) // of hosts with two or more
	switch {
	case !f.separate():
		return "the memory of one process"
	case len(shared) == 0:
		return "each rank has a node to itself"
	}
	var list []string
	c := f.env.Conditions
	if c.Unshared == nil {
		list = append(list, "shared memory")
	} else {
		list = append(list, "no memory in common (ranks "+c.Unshared.Ranks+"): sockets or an adapter")
	}
	if c.NoCopy == nil {
		list = append(list, "CMA is allowed (process_vm_readv)")
	} else {
		list = append(list, "no CMA: "+c.NoCopy.Why)
	}
	adapters := c.Adapters()
	list = append(list, lists.Where(c.Devices, func(d string) bool { return !slices.Contains(adapters, d) })...)
	if c.ShmFree > 0 {
		list = append(list, "/dev/shm has "+rating.Bytes(c.ShmFree)+" free")
	}
	return strings.Join(list, "; ")
}

// node returns the facts of the first kind of nodes.
func (f *Facts) node() rating.NodeFacts {
	if len(f.env.Nodes) == 0 {
		return rating.NodeFacts{}
	}
	return f.env.Nodes[0].NodeFacts
}

// memoryRow returns how much memory a process has, and the longest message that follows from it.
func (f *Facts) memoryRow() string {
	if f.layout.Memory == 0 {
		return notKnown + ": give --memory"
	}
	by := words.Either(f.node().MemoryLimit > 0, "the cgroup's limit", "the node's memory")
	if f.env.Devices != nil {
		by = "the device's memory"
	}
	return fmt.Sprintf("%s a process, by %s; b_eff's longest message is %s", rating.Bytes(f.layout.Memory), by,
		rating.Bytes(patterns.Lmax(f.layout.Memory)))
}

func (f *Facts) scratchRow() string {
	if f.unfit != nil {
		return f.unfit.Error()
	}
	d := &f.directory
	text := fmt.Sprintf("%s: %s, %s free of %s", d.Directory, d.Type, rating.Bytes(d.Free), rating.Bytes(d.Size))
	if len(f.layout.Placement) > 1 {
		text += ", seen by all nodes"
	}
	return text
}

// loadRow returns the load of the hosts by other programs while the doctor watched.
func (f *Facts) loadRow() string {
	l := f.load
	if l == nil {
		return notKnown
	}
	text := fmt.Sprintf("other programs %.2f of %d processors, steal %.1f %%", l.Others, l.Processors, 100*l.Steal)
	if l.Governor != "" {
		text += ", governor " + l.Governor
	}
	return fmt.Sprintf("%s, in %v; load average %.2f", text, loadInterval, l.Average)
}
