package parts

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// Surroundings returns tables of the hosts of a run, of the environment that its figures may depend on, and its waits.
func Surroundings(placement []job.Placement, c rating.Circumstances) []document.Block {
	blocks := PlacementTable(placement)
	if facts := environmentFacts(c.Environment); len(facts) > 0 {
		t := &document.Table{ID: "made", Caption: "The environment when the run began. Figures may depend on it.",
			Columns: document.Heads("fact", "value []")}
		t.Columns[1].Numbers = false
		for _, f := range facts {
			t.Add(f.Name, f.Value)
		}
		blocks = append(blocks, t)
	}
	if len(c.Waits) > 0 {
		blocks = append(blocks, document.List(lists.Each(c.Waits, func(w rating.Wait) string {
			return "waited: " + w.Words()
		})))
	}
	return blocks
}

// environmentFacts returns the known facts of an environment, without variables that differ from job to job.
func environmentFacts(e *rating.Environment) []document.Fact {
	if e == nil {
		return nil
	}
	var l factList
	l.Add(true, "command", "%s", words.ShellQuoted(e.Command))
	l.Add(true, "commit", "%s%s", e.Build.Revision, map[bool]string{true: ", changed"}[e.Build.Modified])
	l.Add(e.Job.ID != "", "job", "%s %s %s %s", e.Job.System, e.Job.ID, e.Job.Partition, e.Job.Nodes)
	if s := e.Startup; s != nil {
		l.Add(s.Launcher > 0, "launcher to MPI_Init", "%.2f s", s.Launcher)
		l.Add(s.Process > 0, "process to MPI_Init", "%.2f s", s.Process)
		l.Add(true, "MPI_Init to a barrier", "%.3f ms", 1e3*s.Barrier)
	}
	l.Add(true, "container", "%s", e.Container)
	l.Add(true, "modules", "%s", strings.Join(e.Modules, ", "))
	l.Add(true, "preloaded", "%s", strings.Join(e.Preloaded, ", "))
	l.Add(e.MPI.File != "", "MPI", "%s of the interface %s, SHA-256 %.12s", e.MPI.File, e.MPI.Interface, e.MPI.SHA256)
	l.Add(true, "launcher", "%s", e.MPI.Launcher)
	l.Add(true, "libraries", "%s", strings.Join(lists.Each(e.Libraries, path.Base), ", "))
	for _, n := range e.Nodes {
		l = append(l, nodeFacts(n, len(e.Nodes) > 1)...)
	}
	if d := e.Devices; d != nil {
		l.Add(true, "devices", "%v", d)
		l.Add(true, "the library says", "%s", strings.Join(lists.Each(d.Says, func(a mpi.Answer) string {
			return a.Question + ": " + a.Answer
		}), "; "))
	}
	l.Add(true, "bound to", "%s", bindings(e.Bindings))
	l = append(l, conditionFacts(e.Conditions)...)
	m := e.Mount
	l.Add(true, "mount", "%s %s %s %s", m.Source, m.Point, m.Type, m.Options)
	l.Add(true, "stripes", "%s", m.Stripes)
	for _, v := range e.Variables {
		if Passing(v.Name) {
			continue
		}
		l = append(l, document.Fact{Name: v.Name, Value: map[bool]string{true: "(hidden)"}[v.Hidden] + v.Value})
	}
	return l
}

// conditionFacts returns the facts about how messages travel, without those that differ from run to run.
func conditionFacts(c *rating.Conditions) (l factList) {
	if c == nil {
		return nil
	}
	if s := c.Unshared; s != nil {
		l.Add(true, "no shared memory", "ranks %s", s.Ranks)
	}
	l.Add(true, "shared memory in", "%s", strings.Join(c.SharedIn, ", "))
	if s := c.NoCopy; s != nil {
		l.Add(true, "no copies between processes", "ranks %s: %s", s.Ranks, s.Why)
	}
	l.Add(true, "open devices", "%s", strings.Join(c.Devices, ", "))
	l.Add(true, "components", "%s", strings.Join(c.Components, ", "))
	l.Add(c.Overcommit > 0, "processes per processor", "%s", rating.Rounded(c.Overcommit, 3))
	if s := c.Siblings; s != nil {
		l.Add(true, "sharing a core", "ranks %s", s.Ranks)
	}
	l.Add(true, "file locks", "%s", c.Locks)
	return l
}

// Dependencies returns the known facts other than settings that the figures of a run may depend on: the library, the
// version of beff, and the environment without facts that differ from job to job.
func Dependencies(s *rating.Software, e *rating.Environment) []document.Fact {
	var l factList
	l.Add(true, "library", "%s %s", s.Engine.Library, s.Engine.Version)
	l.Add(true, "beff", "%s", s.Beff)
	return append(l, lists.Where(environmentFacts(e), func(f document.Fact) bool {
		return f.Name != "command" && f.Name != "job" && !strings.Contains(f.Name, "MPI_Init")
	})...)
}

// smtStates has plain words for states of SMT that Linux reports (Documentation/ABI/testing/sysfs-devices-system-cpu).
var smtStates = map[string]string{"notsupported": "not supported", "notimplemented": "not known",
	"forceoff": "off until the next boot"}

// nodeFacts returns the known settings of a kind of node. If there are several kinds, their names contain the ranks.
func nodeFacts(n rating.NodeKind, several bool) (l factList) {
	of := ""
	if several {
		of = " of ranks " + shortened(n.Ranks)
	}
	l.Add(true, "processor"+of, "%s", n.CPU)
	l.Add(n.Cores > 0, "logical cores"+of, "%d in %d NUMA nodes", n.Cores, n.NUMA)
	l.Add(true, "SMT"+of, "%s", cmp.Or(smtStates[n.SMT], n.SMT))
	l.Add(true, "governor"+of, "%s", n.Governor)
	l.Add(true, "frequency"+of, "%s", n.Frequency)
	l.Add(true, "boost"+of, "%s", n.Boost)
	l.Add(true, "huge pages"+of, "%s", n.HugePages)
	l.Add(true, "kernel"+of, "%s", n.Kernel)
	l.Add(true, "kernel options"+of, "%s", strings.Join(n.Isolation, " "))
	l.Add(n.PhysicalCores > 0, "cores"+of, "%d", n.PhysicalCores)
	l.Add(true, "virtual machine"+of, "%s", n.Virtualization)
	l.Add(true, "source of time"+of, "%s", n.ClockSource)
	l.Add(n.Shm > 0 || n.ShmLacks != "", "/dev/shm"+of, "%s %s", rating.Bytes(n.Shm), n.ShmLacks)
	l.Add(n.Quota > 0, "CPU quota"+of, "%s processors", rating.Rounded(n.Quota, 3))
	l.Add(n.MemoryLimit > 0, "memory limit"+of, "%s", rating.Bytes(n.MemoryLimit))
	l.Add(n.Lockable > 0, "lockable memory"+of, "%s", rating.Bytes(n.Lockable))
	l.Add(true, "network devices"+of, "%s", strings.Join(n.Network, "; "))
	return l
}

// bindings describes the processors of the ranks.
func bindings(list []rating.Binding) string {
	var texts []string
	for _, b := range list {
		text := fmt.Sprintf("ranks %s: processors %s", shortened(b.Ranks), b.CPUs)
		if b.NUMA != "" {
			text += ", NUMA " + b.NUMA
		}
		texts = append(texts, text)
	}
	return words.Some(texts)
}

// launching has prefixes of variables that launchers set for themselves, and passing has parts of the names of
// variables that differ from job to job or from process to process.
var (
	launching = []string{"OMPI_MCA_orte_", "OMPI_MCA_ess", "OMPI_MCA_pmix", "OMPI_MCA_initial_wdir", "OMPI_COMM_WORLD_",
		"OMPI_MCA_shmem_RUNTIME_", "OMPI_MCA_mpi_oversubscribe", "OMPI_APP_CTX", "OMPI_NUM_APP", "OMPI_UNIVERSE",
		"OMPI_FIRST", "OMPI_COMMAND", "OMPI_ARGV", "OMPI_FILE_", "OMPI_ALLOW_RUN", "PMIX_", "PRTE_MCA_prte_", "PMI_",
		"HYDI_", "HFI_NO_BACKTRACE", "MPIR_CVAR_CH3_INTERFACE", "BEFF_PLUGINS"}
	passing = []string{"JOBID", "JOB_ID", "STEP", "RANK", "_PID", "HOSTNAME", "NODENAME", "TMPDIR", "PROCID", "NODEID",
		"LOCALID", "GTIDS", "TASK_", "_TIME", "ADDR", "_PORT", "_URI", "COOKIE"}
)

// Passing reports whether a variable differs from job to job, or is one that launchers set for themselves.
func Passing(name string) bool {
	return slices.ContainsFunc(launching, func(begin string) bool { return strings.HasPrefix(name, begin) }) ||
		slices.ContainsFunc(passing, func(part string) bool { return strings.Contains(name, part) })
}

// limiting are the names of facts that limit how fast a run can be.
var limiting = []string{"no shared memory", "processes per processor", "sharing a core", "file locks", "/dev/shm",
	"CPU quota", "memory limit", "lockable memory"}

// LimitsDiffer names the facts that limit results and differ among them, with their values. It returns "" if there are
// none, or if a result doesn't record them.
func LimitsDiffer(names []string, list []rating.Circumstances) string {
	values, order := make([]map[string]string, len(list)), []string{}
	for i, c := range list {
		if c.Environment == nil || c.Environment.Conditions == nil {
			return ""
		}
		values[i] = map[string]string{}
		for _, f := range environmentFacts(c.Environment) {
			name, _, _ := strings.Cut(f.Name, " of ranks ")
			if slices.Contains(limiting, name) || rating.Slows(name) {
				values[i][f.Name] = f.Value
				order = append(order, f.Name)
			}
		}
	}
	var texts []string
	for _, name := range lists.Unique(order) {
		differs, each := false, []string{}
		for i := range list {
			differs = differs || values[i][name] != values[0][name]
			each = append(each, cmp.Or(values[i][name], "none")+" ("+names[i]+")")
		}
		if differs {
			texts = append(texts, name+": "+strings.Join(each, ", "))
		}
	}
	return words.First(3, texts, "; ", "facts")
}

// EnvironmentsDiffer returns a section with the facts in which the environments of results differ. It has no blocks if
// they don't differ, or if one isn't known. Facts that differ from job to job are left out.
func EnvironmentsDiffer(names []string, list []rating.Circumstances) document.Section {
	t := &document.Table{ID: "environments-table", Caption: "Facts of the environments that differ.",
		Columns: document.Heads("fact")}
	values := make([]map[string]string, len(list))
	var order []string
	var meanings document.List
	for i, c := range list {
		t.Columns = append(t.Columns, document.Column{Name: names[i]})
		values[i] = map[string]string{}
		if c.Environment == nil {
			return document.Section{} // nothing is known
		}
		for _, f := range environmentFacts(c.Environment) {
			values[i][f.Name] = f.Value
			if !slices.Contains(order, f.Name) && f.Name != "command" && f.Name != "job" &&
				!strings.Contains(f.Name, "MPI_Init") {
				order = append(order, f.Name)
			}
		}
	}
	for _, name := range order {
		row, differs := []document.Cell{document.Text(name)}, false
		for i := range list {
			row = append(row, document.Text(values[i][name]))
			differs = differs || values[i][name] != values[0][name]
		}
		if differs {
			t.Rows = append(t.Rows, row)
			if text := Meaning(name); text != "" {
				meanings = append(meanings, name+": "+text)
			}
		}
	}
	section := Section("environments", "Other differences", t)
	if meanings != nil {
		section.Blocks = append(section.Blocks, meanings)
	}
	return section
}
