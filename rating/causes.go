package rating

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
)

// Cause is a condition that explains why a number is low. Causes follow from recorded facts and figures.
type Cause struct {
	// Stable short name.
	Code string `json:"code"`
	// Name of the condition in a few words, such as CPU quota.
	Name string `json:"name"`
	// The condition in a sentence, with "may" if its effect isn't known.
	Text string `json:"text"`
	// Part of the speed that it cost, 0 to 1; left out if it isn't known.
	Effect float64 `json:"effect,omitempty" jsonschema:"minimum=0"`
	// The cause makes a valid result "slowed", because the number is lower than the machine's.
	Spoils bool `json:"spoils,omitempty"`
	// The environment variable that is the cause; left out for other causes.
	Variable string `json:"variable,omitempty"`

	// Remedy is the advice in the warning about the cause.
	Remedy string `json:"-"`
}

// Evidence holds the facts and figures from which causes follow.
type Evidence struct {
	Engine mpi.Library
	Machine
	Environment *Environment // without Conditions no cause follows
	Signs       []Sign
	// PerProcess is the bandwidth of a process at the longest message in bytes per second, or 0 if not known.
	PerProcess float64
	FileSystem *FileSystem // of the rated files; nil without files
	// Before is true before a run. As there are no figures yet, causes are reported that may have an effect.
	Before bool
}

// rule finds a cause. usual is the effect by which causes of unknown effect are ordered.
type rule struct {
	code, name, remedy string
	spoils             bool
	usual              float64
	find               func(e *Evidence) *found
}

// found describes a condition that holds, by a sentence and its effect (0: not known). subject, a variable or a node,
// completes the name of the cause.
type found struct {
	text    string
	effect  float64
	subject string
}

// causeRules has all causes. The effect of a quota is the part of the time for which it stops a host's processes. For
// shared processors, other programs and guests it is the part of the processors that is missing. Without shared memory
// it follows from a process's bandwidth and half of the speed of copies in memory, as messages are copied twice.
var causeRules = []rule{
	{"quota", "CPU quota",
		"run without a CPU quota: docker's --cpus, limits.cpu of Kubernetes, cpu.max of the cgroup", true, 0.5,
		(*Evidence).quota},
	{"crowded", "processes share processors",
		"start at most one process per core, and check how the launcher binds them", true, 0.5, (*Evidence).crowded},
	{"tcp_variable", "transport chosen by %s", "unset this variable, or add shared memory or the adapter to its value",
		true, 0.6, (*Evidence).transportVariable},
	{"shm_read_only", "/dev/shm can't be written", "mount /dev/shm writable (a container's --tmpfs /dev/shm or " +
		"--shm-size)", true, 0.4, (*Evidence).shmReadOnly},
	{"shm_small", "small /dev/shm", "make /dev/shm larger: a container's --shm-size=1g or --ipc=host",
		true, 0.55, (*Evidence).shmSmall},
	{"no_shared_memory", "no shared memory", "look at /dev/shm, and whether ranks share a container",
		true, 0.55, (*Evidence).noSharedMemory},
	{"eager_variable", "eager limit set by %s", "unset this variable: libraries use an eager limit of some KiB",
		false, 0.2, (*Evidence).eagerVariable},
	{"no_cma", "no copies between processes", "kernel.yama.ptrace_scope=0; --cap-add=SYS_PTRACE of a container",
		true, 0.2, (*Evidence).noCopy},
	{"no_adapter", "messages by TCP",
		"build the MPI with UCX or libfabric, and look at UCX_NET_DEVICES and FI_PROVIDER", true, 0.6,
		(*Evidence).noAdapter},
	{"locked_memory", "little lockable memory", "ulimit -l unlimited, on all nodes", true, 0.3, (*Evidence).lockable},
	{"siblings", "hardware threads of one core", "bind each process to its own core: --bind-to core (Open MPI), " +
		"-bind-to core (Hydra), srun --hint=nomultithread", true, 0.3, (*Evidence).siblings},
	{"load", "other programs", "use whole nodes (--exclusive), and look for other programs there with `top`",
		true, 0, (*Evidence).load},
	{"steal", "other guests", "use a machine without other guests, or a guest with dedicated processors",
		true, 0, (*Evidence).steal},
	{Locks, "file locks fail", "mount the file system with locks (Lustre: -o flock), or name another directory by -p",
		true, 0.3, (*Evidence).locks},
	{"full", "full file system", "free space on the file system, or name another directory by -p",
		true, 0.25, (*Evidence).full},
	{InMemory, "files read from memory", "see the sign of this name", false, 0.25, (*Evidence).inMemory},
	{"node_differs", "node %s differs", "rate nodes of one kind: beff report shows how they differ",
		false, 0.1, (*Evidence).nodeDiffers},
	{"unbound", "unbound processes", "--bind-to core (Open MPI), -bind-to core (Hydra), srun --cpu-bind=cores",
		false, 0.05, (*Evidence).unbound},
}

// Causes returns the causes that follow from the evidence, the one that explains most first.
func Causes(e *Evidence) []Cause {
	if e.Environment == nil || e.Environment.Conditions == nil {
		return nil
	}
	type weighed struct {
		Cause
		weight float64
	}
	var list []weighed
	for _, r := range causeRules {
		f := r.find(e)
		if f == nil {
			continue
		}
		c := Cause{Code: r.code, Name: r.name, Text: f.text, Effect: f.effect, Spoils: r.spoils, Remedy: r.remedy}
		if strings.Contains(r.name, "%s") {
			c.Name = fmt.Sprintf(r.name, f.subject)
			if strings.HasSuffix(r.code, "_variable") {
				c.Variable = f.subject
			}
		}
		list = append(list, weighed{c, cmp.Or(f.effect, r.usual)})
	}
	slices.SortStableFunc(list, func(a, b weighed) int { return -cmp.Compare(a.weight, b.weight) })
	return lists.Each(list, func(w weighed) Cause { return w.Cause })
}

// CauseWarnings returns a warning for each cause without another warning of its code.
func CauseWarnings(causes []Cause, others []Warning) (list []Warning) {
	for _, c := range causes {
		if !slices.ContainsFunc(others, func(w Warning) bool { return w.Code == c.Code }) {
			list = append(list, Warning{Code: c.Code, Text: c.Text, Remedy: c.Remedy})
		}
	}
	return list
}

// slowedBy returns the code of the first cause that spoils a number, or "".
func slowedBy(causes []Cause) string {
	return lists.First(causes, func(c Cause) bool { return c.Spoils }).Code
}

// SlowedBy returns the cause because of which a result is slowed, or nil.
func (v Verdict) SlowedBy() *Cause {
	return lists.Find(v.Causes, func(c *Cause) bool { return v.Slowed != "" && c.Code == v.Slowed })
}

// Limits of the rules.
const (
	leastPart     = 0.02     // part of a run for which a quota stops processes
	leastShare    = 0.05     // part of the processes' processors that other programs or guests take
	leastGap      = 0.2      // part by which messages are slower than copies of memory
	leastShm      = 16 << 20 // bytes of /dev/shm for each rank of a node
	leastEager    = 1 << 10  // bytes of an eager limit
	leastFree     = 0.05     // free part of a file system
	leastLockable = 64 << 20 // bytes
)

func (e *Evidence) quota() *found {
	for _, n := range e.Environment.Nodes {
		if e.Before && n.Quota > 0 && n.Quota < float64(e.PerNode()) {
			return &found{text: fmt.Sprintf("a CPU quota of %s processors for %s of a node stops them for a part of "+
				"the time", Rounded(n.Quota, 2), Processes(e.PerNode()))}
		}
	}
	if e.Load == nil || e.Load.Quota == nil || e.Load.Quota.Part < leastPart {
		return nil
	}
	q := e.Load.Quota
	return &found{text: fmt.Sprintf("a CPU quota of %s processors on %s stopped the processes for %s %% of the run",
		Rounded(q.Processors, 2), q.Host, Percent(q.Part)), effect: q.Part}
}

func (e *Evidence) crowded() *found {
	over := e.Environment.Conditions.Overcommit
	for _, p := range e.Placement {
		if p.Crowded() {
			over = max(over, float64(p.Processes)/float64(p.Processors))
		}
	}
	if over <= 1 {
		return nil
	}
	return &found{text: fmt.Sprintf("processes take turns: there are %s of them for each processor that they may run "+
		"on", Rounded(over, 2)), effect: 1 - 1/over}
}

// neighbours reports whether separate processes share a node.
func (e *Evidence) neighbours() bool { return e.Engine.Kind().Distributed && e.PerNode() > 1 }

// gap returns the part by which messages on a single node are slower than copies in memory, or 0 if it isn't known.
func (e *Evidence) gap() float64 {
	can := e.Environment.Conditions.CopyBandwidth / 2
	if len(e.Placement) != 1 || !(can > 0 && e.PerProcess > 0) {
		return 0
	}
	return max(0, 1-e.PerProcess/can)
}

// slowWay returns text, a sentence about a node without shared memory, with the effect, or nil if there is none.
func (e *Evidence) slowWay(text string) *found {
	effect := e.gap()
	switch {
	case effect == 0:
		return &found{text: text + ", so messages there may be several times slower"}
	case effect < leastGap:
		return nil
	}
	return &found{text: fmt.Sprintf("%s: a process reaches %s GB/s at the longest message, where copies in memory "+
		"allow %s GB/s", text, Rounded(e.PerProcess/1e9, 3), Rounded(e.Environment.Conditions.CopyBandwidth/2e9, 3)),
		effect: effect}
}

// transport is a variable by which users choose how messages travel.
type transport struct {
	variable, library string // prefix of the library's name; with "!" the name must not have it
	takesAway         func(value string) bool
	within            bool // whether it concerns messages within a node
}

var transports = []transport{
	{"OMPI_MCA_btl", openMPI, without("vader", "sm", "smcuda"), true},
	{"UCX_TLS", "", withoutMM, true},
	{"MPIR_CVAR_NOLOCAL", "!" + openMPI, isTrue, true},
	{"MPICH_NOLOCAL", "!" + openMPI, isTrue, true},
	{"MPIR_CVAR_NO_LOCAL", "!" + openMPI, isTrue, true},
	{"I_MPI_FABRICS", "Intel", without("shm"), true},
	{"FI_PROVIDER", "", isTCP, false},
	{"MPIR_CVAR_OFI_USE_PROVIDER", "!" + openMPI, isTCP, false},
	{"I_MPI_OFI_PROVIDER", "Intel", isTCP, false},
	{"UCX_TLS", "", isTCP, false},
	{"OMPI_MCA_btl", openMPI, isTCP, false},
}

const openMPI = "Open MPI"

// without returns a function that reports whether a list has none of some names, or excludes one of them (^).
func without(names ...string) func(string) bool {
	return func(value string) bool {
		listed, excluded := strings.CutPrefix(strings.TrimSpace(value), "^")
		has := slices.ContainsFunc(strings.FieldsFunc(listed, func(c rune) bool { return c == ',' || c == ':' }),
			func(name string) bool { return slices.Contains(names, strings.TrimSpace(name)) })
		return value != "" && has == excluded
	}
}

// withoutMM reports whether UCX_TLS leaves UCX no shared memory. Either posix or sysv is enough.
func withoutMM(value string) bool {
	if strings.HasPrefix(value, "^") {
		return without("shm", "sm", "mm")(value) || without("posix")(value) && without("sysv")(value)
	}
	return without("all", "shm", "sm", "mm", "posix", "sysv", "cma", "xpmem", "knem")(value)
}

func isTrue(value string) bool {
	return slices.Contains([]string{"1", "yes", "true", "on", "y", "t"}, strings.ToLower(value))
}

// isTCP reports whether a list has only transports over TCP or UDP, apart from messages of a process to itself.
func isTCP(value string) bool {
	tcp := false
	for name := range strings.SplitSeq(value, ",") {
		switch name = strings.TrimSpace(name); {
		case name == "self":
		case strings.HasPrefix(name, "tcp") || strings.HasPrefix(name, "sockets") || strings.HasPrefix(name, "udp"):
			tcp = true
		default:
			return false
		}
	}
	return tcp
}

// reads reports whether the name of the job's library has this prefix or, with "!", lacks it.
func (e *Evidence) reads(library string) bool {
	name, not := strings.CutPrefix(library, "!")
	return strings.HasPrefix(e.Engine.Library, name) != not
}

func (e *Evidence) transportVariable() *found {
	c := e.Environment.Conditions
	for _, t := range transports {
		for _, v := range e.Environment.Variables {
			if v.Name != t.variable || !e.reads(t.library) || !t.takesAway(v.Value) {
				continue
			}
			// With NOLOCAL, MPICH still shares memory that carries no messages, so Unshared isn't set. If messages go
			// by UCX, UCX_TLS decides about all of them.
			confirmed := c.Unshared != nil || strings.HasSuffix(strings.ReplaceAll(t.variable, "_", ""), "NOLOCAL") ||
				t.variable == "UCX_TLS" && !e.reads(openMPI) && e.hasUCX()
			set := fmt.Sprintf("%s=%s", v.Name, v.Value)
			switch {
			case t.within && e.neighbours() && confirmed:
				if f := e.slowWay(set + " takes away the shared memory for messages within a node"); f != nil {
					f.subject = v.Name
					return f
				}
			case !t.within && len(e.Placement) > 1 && len(e.active()) > 0 && len(c.Adapters()) == 0:
				return &found{text: fmt.Sprintf("%s sends messages by TCP, and %s is active: they may be several "+
					"times slower", set, strings.Join(e.active(), ", ")), subject: v.Name}
			}
		}
	}
	return nil
}

func (e *Evidence) shmReadOnly() *found {
	for _, n := range e.Environment.Nodes {
		if n.ShmLacks == "" || !e.neighbours() {
			continue
		}
		return &found{text: fmt.Sprintf("/dev/shm of ranks %s is %s: messages within a node may take a slower way",
			n.Ranks, n.ShmLacks), effect: e.gapWithoutSharedMemory()}
	}
	return nil
}

// gapWithoutSharedMemory returns the gap if ranks of a node have no memory in common, and 0 otherwise.
func (e *Evidence) gapWithoutSharedMemory() float64 {
	if e.Environment.Conditions.Unshared == nil {
		return 0
	}
	return e.gap()
}

// unshared returns the ranks that have no memory in common with others of their node, unless a variable or a /dev/shm
// that can't be written explains it.
func (e *Evidence) unshared() *SomeRanks {
	if !e.neighbours() || e.transportVariable() != nil || e.shmReadOnly() != nil {
		return nil
	}
	return e.Environment.Conditions.Unshared
}

// smallShm returns the size of a /dev/shm that is small for the ranks of a node, or 0. Before a run, the free space
// counts, too.
func (e *Evidence) smallShm() int64 {
	least := leastShm * int64(e.PerNode())
	if free := e.Environment.Conditions.ShmFree; e.Before && free > 0 && free < least {
		return free
	}
	return lists.First(e.Environment.Nodes, func(n NodeKind) bool { return n.Shm > 0 && n.Shm < least }).Shm
}

func (e *Evidence) shmSmall() *found {
	small := e.smallShm()
	switch {
	case small == 0 || !e.neighbours():
		return nil
	case e.unshared() == nil && !e.Before:
		return nil
	case e.unshared() == nil:
		return &found{text: fmt.Sprintf("/dev/shm has only %s for %s of a node: windows and other shared memory may "+
			"not fit", Bytes(small), Processes(e.PerNode()))}
	}
	return e.slowWay(fmt.Sprintf("/dev/shm has only %s, and ranks of a node have no memory in common", Bytes(small)))
}

func (e *Evidence) noSharedMemory() *found {
	ranks := e.unshared()
	if ranks == nil || e.smallShm() > 0 {
		return nil
	}
	return e.slowWay("ranks of a node have no memory in common")
}

// eagerNames match the names of variables that set the longest message that is sent at once.
var eagerNames = regexp.MustCompile(`EAGER_(MAX|THRESH)|eager_limit|RNDV_THRESH`)

func (e *Evidence) eagerVariable() *found {
	for _, v := range e.Environment.Variables {
		limit, err := strconv.ParseInt(v.Value, 10, 64)
		ompi := strings.HasPrefix(v.Name, "OMPI_")
		if !eagerNames.MatchString(v.Name) || err != nil || limit < 0 || limit >= leastEager ||
			strings.HasPrefix(v.Name, "MPI") && !e.reads("!"+openMPI) || ompi && !e.reads(openMPI) {
			continue
		}
		return &found{text: fmt.Sprintf("%s=%s: longer messages wait for their receiver, so short ones may be slower",
			v.Name, v.Value), subject: v.Name}
	}
	return nil
}

// Slows reports whether a library variable can be the cause of a low number.
func Slows(variable string) bool {
	return eagerNames.MatchString(variable) || slices.ContainsFunc(transports, func(t transport) bool {
		return t.variable == variable
	})
}

// hasUCX reports whether UCX is loaded.
func (e *Evidence) hasUCX() bool {
	return slices.ContainsFunc(e.Environment.Libraries, func(file string) bool {
		return strings.Contains(file, "libuct")
	})
}

// noCopy finds ranks that can't read each other's memory with a library that would do so. MPICH doesn't.
func (e *Evidence) noCopy() *found {
	some := e.Environment.Conditions.NoCopy
	copies := strings.HasPrefix(e.Engine.Library, openMPI) || e.hasUCX()
	if some == nil || !e.neighbours() || !copies || e.Environment.Conditions.Unshared != nil {
		return nil
	}
	return &found{text: fmt.Sprintf("ranks can't read each other's memory: %s; long messages within a node are copied "+
		"twice, and may be slower", some.Why)}
}

// active returns the nodes' adapters of InfiniBand and similar networks that have an active port.
func (e *Evidence) active() (list []string) {
	for _, n := range e.Environment.Nodes {
		for _, device := range n.Network {
			if name, _, port := strings.Cut(device, " port "); port && !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
	}
	return list
}

// Adapters returns the devices of network adapters that processes have open. Others are for copies within a node.
func (c *Conditions) Adapters() []string {
	return lists.Where(c.Devices, func(device string) bool {
		return !strings.HasPrefix(device, "/dev/xpmem") && !strings.HasPrefix(device, "/dev/knem")
	})
}

func (e *Evidence) noAdapter() *found {
	active := e.active()
	if !e.Engine.Kind().Distributed || len(e.Placement) < 2 || len(active) == 0 ||
		len(e.Environment.Conditions.Adapters()) > 0 || e.transportVariable() != nil {
		return nil
	}
	return &found{text: fmt.Sprintf("no process has an adapter open, and %s is active: messages go by TCP, and may be "+
		"several times slower", strings.Join(active, ", "))}
}

func (e *Evidence) lockable() *found {
	if !e.Before && len(e.Placement) < 2 || len(e.active()) == 0 {
		return nil
	}
	for _, n := range e.Environment.Nodes {
		if n.Lockable > 0 && n.Lockable < leastLockable {
			return &found{text: fmt.Sprintf("only %s may be locked, which adapters want for messages: these may take "+
				"a slower way", Bytes(n.Lockable))}
		}
	}
	return nil
}

func (e *Evidence) siblings() *found {
	some := e.Environment.Conditions.Siblings
	if some == nil {
		return nil
	}
	return &found{text: fmt.Sprintf("ranks %s share cores by hardware threads although each could have its own: they "+
		"may be slower", some.Ranks)}
}

// taken returns the part of the processors needed by the processes of the load's host that other programs keep busy.
func (e *Evidence) taken() float64 {
	for _, p := range e.Placement {
		if l := e.Load; p.Host == l.Host && p.Processors > 0 {
			free := float64(l.Processors) - l.Others
			return max(0, 1-free/float64(min(p.Processes, p.Processors)))
		}
	}
	return 0
}

func (e *Evidence) load() *found {
	if e.Load == nil || e.taken() < leastShare {
		return nil
	}
	taken := e.taken()
	return &found{text: fmt.Sprintf("other programs kept %.2f of %d processors of %s busy, %s %% of those that the "+
		"processes need", e.Load.Others, e.Load.Processors, e.Load.Host, Percent(taken)), effect: taken}
}

func (e *Evidence) steal() *found {
	if e.Load == nil || e.Load.Steal < leastShare {
		return nil
	}
	return &found{text: fmt.Sprintf("the hypervisor gave %s %% of the processors' time to other guests",
		Percent(e.Load.Steal)), effect: e.Load.Steal}
}

func (e *Evidence) locks() *found {
	if l := e.Environment.Conditions.Locks; l != "" && l != LocksWork {
		return &found{text: fmt.Sprintf("files can't be locked here (%s): MPI-IO may fail, or write in a slower way",
			l)}
	}
	return nil
}

// Locks is the code of the cause that files can't be locked. LocksWork is the value of Conditions.Locks if they can.
const (
	Locks     = "locks"
	LocksWork = "work"
)

func (e *Evidence) full() *found {
	d := e.FileSystem
	if d == nil || d.Size == 0 || float64(d.Free) > leastFree*float64(d.Size) {
		return nil
	}
	return &found{text: fmt.Sprintf("the file system was %s %% full before the run: it may write more slowly",
		Percent(1-float64(d.Free)/float64(d.Size)))}
}

// loud reports whether one of these signs isn't quiet.
func (e *Evidence) loud(names ...string) bool {
	return slices.ContainsFunc(e.Signs, func(s Sign) bool { return !s.Quiet && slices.Contains(names, s.Name) })
}

func (e *Evidence) inMemory() *found {
	if !e.loud(InMemory) {
		return nil
	}
	return &found{text: "data were read from memory, so reading may seem faster than the file system"}
}

// nodeDiffers names the first node of the kind with the fewest ranks, and how it differs from the largest kind.
func (e *Evidence) nodeDiffers() *found {
	kinds := e.Environment.Nodes
	if len(kinds) < 2 {
		return nil
	}
	size := func(k NodeKind) int { return countRanks(k.Ranks) }
	largest := slices.MaxFunc(kinds, func(a, b NodeKind) int { return cmp.Compare(size(a), size(b)) })
	smallest := slices.MinFunc(kinds, func(a, b NodeKind) int { return cmp.Compare(size(a), size(b)) })
	if smallest.Ranks == largest.Ranks {
		smallest = kinds[len(kinds)-1]
	}
	host := hostOf(e.Placement, smallest.Ranks)
	return &found{subject: host, text: fmt.Sprintf("node %s differs: %s; slower nodes may hold up the others", host,
		strings.Join(Differences(&smallest.NodeFacts, &largest.NodeFacts), ", "))}
}

func (e *Evidence) unbound() *found {
	b := e.Environment.Bindings
	free := len(b) == 1 && e.neighbours() && strings.ContainsAny(b[0].CPUs, "-,")
	switch {
	case !free:
		return nil
	case e.Before:
		return &found{text: "ranks may move from processor to processor"}
	case !e.loud(spreads...) || e.loud("load", "steal", "noise", "throttled"):
		return nil
	}
	return &found{text: "ranks may move from processor to processor, which may explain the spread of the figures"}
}

// countRanks returns the number of ranks in a list of ranges, in the form of a placement.
func countRanks(ranks string) (n int) {
	for part := range strings.SplitSeq(ranks, ",") {
		first, last, step := rangeOf(part)
		n += (last-first)/step + 1
	}
	return n
}

// rangeOf returns the ends and the step of a range of ranks, such as 0-6:2.
func rangeOf(part string) (first, last, step int) {
	span, every, _ := strings.Cut(part, ":")
	low, high, two := strings.Cut(span, "-")
	first, _ = strconv.Atoi(low)
	if last = first; two {
		last, _ = strconv.Atoi(high)
	}
	step, _ = strconv.Atoi(every)
	return first, last, max(1, step)
}

// hostOf returns the host of the first of some ranks.
func hostOf(placement []job.Placement, ranks string) string {
	first, _, _ := rangeOf(strings.SplitN(ranks, ",", 2)[0])
	for _, p := range placement {
		for part := range strings.SplitSeq(p.Ranks, ",") {
			if low, high, step := rangeOf(part); first >= low && first <= high && (first-low)%step == 0 {
				return p.Host
			}
		}
	}
	return "of rank " + strconv.Itoa(first)
}
