package doctor

import (
	"cmp"
	"fmt"
	"maps"
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

// questions are what a site's administrator asks first. What the system doesn't show is answered by "not known".
var questions = []struct {
	name   string
	answer func(*Visit) string
}{
	{"launcher", (*Visit).started},
	{"library", (*Visit).loaded},
	{"fabric", (*Visit).fabric},
	{"network", func(v *Visit) string { return cmp.Or(words.First(4, v.network(), "; ", "devices"), notKnown) }},
	{"binding", (*Visit).binding},
	{"in a node", (*Visit).within},
	{"memory", (*Visit).memory},
	{"scratch", (*Visit).scratch},
	{"load", (*Visit).others},
}

const notKnown = "not known"

// started says what started the processes, and where they are.
func (v *Visit) started() string {
	by := "none"
	if v.launcher != nil {
		by = v.launcher.Name
	}
	list := []string{fmt.Sprintf("%s: %s on %s", by, words.Processes(v.processes()),
		words.Count(len(v.layout.Placement), "host"))}
	if v.env.Job.ID != "" {
		list = append(list, v.env.Job.System+" job "+v.env.Job.ID)
	}
	if v.env.Container != "" {
		list = append(list, "in "+v.env.Container)
	}
	return strings.Join(list, ", ")
}

func (v *Visit) processes() int {
	return lists.SumOf(v.layout.Placement, func(p job.Placement) int { return p.Processes })
}

// loaded says which library it is, and by which interface it is called. Without one it says which there are.
func (v *Visit) loaded() string {
	text := v.library.Library + " " + v.library.Version
	if v.library.Standard != "" {
		text += " (MPI " + v.library.Standard + ")"
	}
	if v.env.MPI.Interface == "" {
		return text + "; MPIs here: " + plugins.Names(slices.DeleteFunc(v.plugins, func(p plugins.Plugin) bool {
			return !p.Loads()
		})) + " (beff mpi list)"
	}
	return fmt.Sprintf("%s by the interface %s: %s", text, v.env.MPI.Interface, cmp.Or(v.env.MPI.File, notKnown))
}

// transports are the variables by which users choose how messages go, and askers how a library says what it took.
var (
	transports = []string{"OMPI_MCA_pml", "OMPI_MCA_mtl", "OMPI_MCA_btl", "UCX_TLS", "UCX_NET_DEVICES", "FI_PROVIDER",
		"I_MPI_FABRICS", "I_MPI_OFI_PROVIDER", "MPIR_CVAR_CH4_NETMOD", "MPIR_CVAR_OFI_USE_PROVIDER",
		"MPICH_OFI_NIC_POLICY", "PSM3_DEVICES", "MV2_IBA_HCA"}
	askers = []struct{ library, how string }{
		{"Open MPI", "OMPI_MCA_pml_base_verbose=10"}, {"MPICH", "MPIR_CVAR_DEBUG_SUMMARY=1"},
		{"Intel", "I_MPI_DEBUG=10"}, {"Cray", "MPICH_OFI_VERBOSE=1"}, {"CRAY", "MPICH_OFI_VERBOSE=1"},
		{"MVAPICH", "MV2_SHOW_ENV_INFO=1"},
	}
)

// fabric says what carries messages between nodes: the devices that are open, the libraries and components that are
// loaded, and what the user chose. Which of several transports a library takes, only itself knows.
func (v *Visit) fabric() string {
	if v.ways == nil {
		return "none: ranks are one process"
	}
	var seen []string
	for _, file := range v.env.Libraries {
		if name := filepath.Base(file); strings.HasPrefix(name, "libucp") || strings.HasPrefix(name, "libfabric") {
			_, version, _ := strings.Cut(name, " (")
			seen = append(seen, cmp.Or(strings.TrimSuffix(version, ")"), name)+" is loaded")
		}
	}
	if list := v.every(func(rank int) []string { return v.ways[rank].Components }); len(list) > 0 {
		seen = append(seen, strings.Join(list, ", "))
	}
	for _, x := range v.env.Variables {
		if slices.Contains(transports, x.Name) {
			seen = append(seen, x.Name+"="+x.Value)
		}
	}
	seen = append(seen, cmp.Or(strings.Join(v.adapters(), ", "), "no adapter is open"))
	text := strings.Join(seen, "; ")
	for _, a := range askers {
		if strings.HasPrefix(v.library.Library, a.library) {
			return text + "; details with " + a.how
		}
	}
	return text
}

// every returns what ranks have, each thing once.
func (v *Visit) every(of func(rank int) []string) []string {
	all := map[string]bool{}
	for rank := range v.ways {
		for _, x := range of(rank) {
			all[x] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// adapters returns the devices of adapters that processes have open.
func (v *Visit) adapters() []string {
	return slices.DeleteFunc(v.every(func(rank int) []string { return v.ways[rank].Devices }), copies)
}

// copies reports whether a device is for copies from process to process.
func copies(device string) bool {
	return strings.HasPrefix(device, "/dev/xpmem") || strings.HasPrefix(device, "/dev/knem")
}

func (v *Visit) network() (list []string) {
	for _, n := range v.env.Nodes {
		for _, device := range n.Network {
			if !slices.Contains(list, device) {
				list = append(list, device)
			}
		}
	}
	return list
}

// binding says which processors ranks may run on.
func (v *Visit) binding() string {
	if v.unbound() {
		return fmt.Sprintf("none: each rank may run on processors %s", v.env.Bindings[0].CPUs)
	}
	var list []string
	for _, b := range v.env.Bindings {
		list = append(list, fmt.Sprintf("%s on %s", b.Ranks, b.CPUs))
	}
	return "ranks " + words.First(8, list, ", ", "")
}

// unbound reports whether several processes of a node may run on the same processors, more than one.
func (v *Visit) unbound() bool {
	return len(v.env.Bindings) == 1 && v.processes() > len(v.layout.Placement) &&
		strings.ContainsAny(v.env.Bindings[0].CPUs, "-,")
}

// within says how the ranks of a node reach each other.
func (v *Visit) within() string {
	several := v.several()
	switch {
	case v.ways == nil:
		return "the memory of one process"
	case len(several) == 0:
		return "each rank has a node to itself"
	}
	var list []string
	if apart := v.apart(); len(apart) == 0 {
		list = append(list, "shared memory")
	} else {
		list = append(list, "no memory in common (ranks "+job.Ranges(apart)+"): sockets or an adapter")
	}
	if failed := v.forbidden(); failed == "" {
		list = append(list, "CMA is allowed (process_vm_readv)")
	} else {
		list = append(list, "no CMA: "+failed)
	}
	devices := v.every(func(rank int) []string { return v.ways[rank].Devices })
	list = append(list, slices.DeleteFunc(devices, func(d string) bool { return !copies(d) })...)
	if v.shm > 0 {
		list = append(list, "/dev/shm has "+rating.Bytes(v.shm)+" free")
	}
	return strings.Join(list, "; ")
}

// several returns the hosts' ranks where there are two or more.
func (v *Visit) several() [][]int {
	return lists.Where(v.layout.Ranks, func(ranks []int) bool { return len(ranks) > 1 })
}

// apart returns the ranks that have no memory in common with another one of their node.
func (v *Visit) apart() (list []int) {
	for _, ranks := range v.several() {
		holders := map[string]int{}
		for _, rank := range ranks {
			for _, part := range v.ways[rank].Shared {
				holders[part]++
			}
		}
		for _, rank := range ranks {
			if !slices.ContainsFunc(v.ways[rank].Shared, func(part string) bool { return holders[part] > 1 }) {
				list = append(list, rank)
			}
		}
	}
	slices.Sort(list)
	return list
}

// forbidden returns why a rank can't read the memory of another one; empty: all can.
func (v *Visit) forbidden() string {
	i := slices.IndexFunc(v.copies, func(text string) bool { return text != "" })
	switch {
	case i < 0:
		return ""
	case v.guards != "":
		return fmt.Sprintf("%s (%s)", v.copies[i], v.guards)
	}
	return v.copies[i]
}

// memory says how much of it a process has, and the longest message that follows.
func (v *Visit) memory() string {
	if v.layout.Memory == 0 {
		return notKnown + ": give --memory"
	}
	return fmt.Sprintf("%s a process, by %s; b_eff's longest message is %s", rating.Bytes(v.layout.Memory),
		words.Either(v.limited, "the cgroup's limit", "the node's memory"),
		rating.Bytes(patterns.Lmax(v.layout.Memory)))
}

func (v *Visit) scratch() string {
	if v.unwritable != nil {
		return v.unwritable.Error()
	}
	d := &v.directory
	text := fmt.Sprintf("%s: %s, %s free of %s", d.Directory, d.Type, rating.Bytes(d.Free), rating.Bytes(d.Size))
	if len(v.layout.Placement) > 1 {
		text += ", seen by all nodes"
	}
	return text
}

// others says what else the hosts did while the doctor looked.
func (v *Visit) others() string {
	l := v.load
	if l == nil {
		return notKnown
	}
	text := fmt.Sprintf("other programs %.2f of %d processors, steal %.1f %%", l.Others, l.Processors, 100*l.Steal)
	if l.Governor != "" {
		text += ", governor " + l.Governor
	}
	return fmt.Sprintf("%s, in %v; load average %.2f", text, looked, l.Average)
}
