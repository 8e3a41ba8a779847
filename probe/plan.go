package probe

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/fabric"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/method"
	"github.com/effective-bandwidth/beff/probe/pairs"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
)

// Selection is a kernel to run.
type Selection struct {
	Kernel *kernel.Kernel
	Multi  bool
	// Named is true if the user named this kernel. If it can't run, that is an error then. Otherwise the kernel is
	// skipped.
	Named bool
}

// Config holds a user's choices.
type Config struct {
	Selections []Selection
	Settings   settings.Settings
	Factors    []float64 // from the file of Settings.Factors
	Notices    []string  // lines for the user, such as ignored options
	Directory  string    // of the files of IMB-IO's kernels: it exists, and only this run uses it
	// Share is the machine's memory for each process in bytes, on the host with the least, or 0 if it is unknown. Hosts
	// holds the ranks of each host. Processes that wait leave their share to the others there.
	Share int64
	Hosts [][]int
	Units [][]string // units above each host, from its switch up; nil without a map
	// Members holds the world's ranks that take part, in ascending order, or nil for all.
	Members []int
	// Library returns the path of a user's library, or the reason why it isn't loaded. If it is nil, the name is the
	// path.
	Library func(name string) (string, error)
	// Engine decides which kernels can run: those whose calls it supports, or all of them if it is nil.
	Engine Calls
}

// Calls reports which calls programs may contain, and which library has them. Each mpi.Engine does.
type Calls interface {
	Supports(op mpi.Op) bool
	Library() mpi.Library
}

// supports reports whether the engine has a call.
func (c *Config) supports(op mpi.Op) bool { return c.Engine == nil || c.Engine.Supports(op) }

// Plan holds all measurements of a run. It is the same on all processes.
type Plan struct {
	Config
	Processes int
	Blocks    []measured.Block // without rows, in the order of measuring
	Skipped   []string         // a line for each kernel that can't run here
	Refused   []Refused        // skipped kernels that need other numbers of processes

	roster
	cuts []fabric.Cut // of kernels of cuts
}

// NewPlan returns the plan of a configuration for a number of processes, or an error if the configuration is wrong.
func NewPlan(processes int, c Config) (*Plan, error) {
	if err := suites.Check(&c.Settings, processes); err != nil {
		return nil, err
	}
	c.nameMethod()
	if (c.Settings.Series.Timing != "" || c.Settings.Columns.Series()) && !c.Settings.InSeries() {
		precision := settings.Default.Precision
		c.Settings.Series.Precision = &precision
	}
	c.Settings.AllocateWindows(c.supports)
	if _, folds := c.Engine.(mpi.Folder); c.Engine != nil && !folds && c.Settings.Rows.Fold > 0 {
		c.Settings.Rows.Fold = 0
		c.Notices = append(c.Notices, "fold is ignored: only the memory of an MPI can repeat")
	}
	c.shiftReaders()
	c.Selections = slices.Clone(c.Selections)
	for s := range lists.Elements(c.Selections) {
		s.Multi = s.Multi || c.Settings.Paired() && s.Kernel.Active == 2 && s.Kernel.Component != kernel.PGAS
	}
	c.addCongestors()
	p := &Plan{Config: c, Processes: processes}
	p.enroll()
	processes = len(p.members)
	if err := c.Settings.CheckTrace(processes); err != nil {
		return nil, err
	}
	for _, s := range c.Selections {
		reason := s.cannotRun(processes, &c)
		if s.Kernel.Class == kernel.AcrossCut && reason == "" && p.cuts == nil {
			var err error
			if p.cuts, err = fabric.Cuts(p.nodes, c.Settings.Pairs.Cuts); err != nil {
				return nil, err
			}
		}
		if s.Kernel.Class == kernel.Pairs && reason == "" {
			if _, err := c.Settings.Rounds(processes); err != nil {
				return nil, err
			}
		}
		if reason == "" {
			reason = p.way(s.Kernel).Unfit(s.Multi, processes)
		}
		if reason == "" && p.loads(s.Kernel) {
			reason = p.splitReason(s.Kernel)
		}
		if reason == "" {
			reason = p.placementReason(s.Kernel)
		}
		if per := c.Settings.Who.Per; per != "" && processes < s.Kernel.MinProcesses {
			reason = fmt.Sprintf("needs at least %d processes, one per %s, this job has %d", s.Kernel.MinProcesses, per,
				processes)
		}
		refused := reason != "" && c.Settings.Is2021() && !s.Kernel.Fits(processes)
		if refused { // IMB prints this and continues
			p.Refused = append(p.Refused, Refused{Kernel: s.Kernel.Name, Component: s.Kernel.Component})
		}
		switch {
		case reason != "" && s.Named && !refused:
			return nil, fmt.Errorf("%s %s", s.name(), reason)
		case reason != "":
			p.Skipped = append(p.Skipped, s.name()+" "+reason)
			continue
		}
		p.Blocks = append(p.Blocks, p.blocks(s)...)
		for i := range p.Refused {
			p.Refused[i].Before = cmp.Or(p.Refused[i].Before, s.Kernel.Name)
		}
	}
	if len(p.Blocks) == 0 {
		return nil, p.errNothing()
	}
	slices.SortStableFunc(p.Blocks, func(a, b measured.Block) int { return a.Split - b.Split })
	p.Blocks = inPasses(p.Blocks, c.Settings.Passes)
	return p, p.checkVaried()
}

// nameMethod sets the method that all selected kernels have by their suites, if the settings name none.
func (c *Config) nameMethod() {
	var own []settings.MethodName
	for _, s := range c.Selections {
		own = append(own, suites.MethodOf(&c.Settings, s.Kernel.Component).Name)
	}
	if len(slices.Compact(own)) == 1 {
		c.Settings.Method = own[0]
	}
}

// shiftReaders sets the shift of processes that use others' files. It is a number of nodes if there are several, each
// with consecutive processes, and a number of processes otherwise.
func (c *Config) shiftReaders() {
	m := &c.Settings.Metadata
	if m.Shift == 0 {
		return
	}
	m.RankShift = m.Shift
	if next := 0; len(c.Hosts) > 1 && !slices.ContainsFunc(slices.Concat(c.Hosts...), func(rank int) bool {
		next++
		return rank != next-1
	}) {
		m.RankShift *= len(c.Hosts[0])
	}
}

// way returns how a kernel is measured.
func (p *Plan) way(k *kernel.Kernel) method.Way { return suites.Way(&p.Settings, k) }

// inPasses returns all blocks once for each pass, so that a disturbance doesn't hit all repeats of one block.
func inPasses(blocks []measured.Block, n int) []measured.Block {
	if n < 2 {
		return blocks
	}
	var all []measured.Block
	for pass := range n {
		for _, b := range blocks {
			b.Pass = pass + 1
			all = append(all, b)
		}
	}
	return all
}

// errNothing returns the error of a plan without blocks. It names only the first reason, because one line is enough.
func (p *Plan) errNothing() error {
	switch n := len(p.Skipped); n {
	case 0:
		return fmt.Errorf("nothing to measure: no kernel is selected")
	case 1:
		return fmt.Errorf("nothing to measure: %s", p.Skipped[0])
	case 2:
		return fmt.Errorf("nothing to measure: %s; 1 more kernel cannot run either", p.Skipped[0])
	default:
		return fmt.Errorf("nothing to measure: %s; %d more kernels cannot run either", p.Skipped[0], n-1)
	}
}

// fits reports whether every host has the memory that its processes need. Systems grant more memory than they have and
// kill a process that uses it, which then can't report anything.
func (p *Plan) fits(needs []method.Need) bool {
	if p.Share == 0 || lists.Max(needs, func(n method.Need) int64 { return n.Bytes }) < p.Share {
		return true // without a sum over all ranks in each row
	}
	bytes := map[int]int64{}
	for _, n := range needs {
		for _, rank := range slices.Concat(n.Groups...) {
			bytes[rank] = n.Bytes
		}
	}
	for _, ranks := range p.Hosts {
		sum := lists.SumOf(ranks, func(rank int) float64 { return float64(bytes[rank]) })
		if sum > 0 && sum >= float64(p.Share)*float64(len(ranks)) {
			return false
		}
	}
	return true
}

// name returns IMB's name of the kernel, with Multi- in the multiple mode.
func (s Selection) name() string {
	if s.Multi {
		return "Multi-" + s.Kernel.Name
	}
	return s.Kernel.Name
}

// cannotRun returns the reason why a selection can't run, or "".
func (s Selection) cannotRun(processes int, c *Config) string {
	if processes < s.Kernel.MinProcesses {
		return method.TooFew(s.Kernel.MinProcesses, processes)
	}
	if s.Kernel.UnmetCondition(processes) != "" {
		return fmt.Sprintf("needs %s, this job has %d", s.Kernel.UnmetCondition(processes), processes)
	}
	if _, loads := c.Engine.(mpi.Loader); s.Kernel.Function && c.Engine != nil && !loads {
		return fmt.Sprintf("is a function of a user's library, which only an MPI calls, not %s",
			c.Engine.Library().Library)
	}
	if _, starts := c.Engine.(mpi.Starter); s.Kernel.Builder.StartUp && c.Engine != nil && !starts {
		return fmt.Sprintf("needs the start of an MPI (MPI_Init), which %s doesn't have", c.Engine.Library().Library)
	}
	if reason := sessionReason(s.Kernel, c); reason != "" {
		return reason
	}
	if reason := threadReason(s.Kernel, c); reason != "" {
		return reason
	}
	if reason := memoryReason(s.Kernel, &c.Settings); reason != "" {
		return reason
	}
	for _, op := range s.Kernel.OpsFor(&c.Settings) {
		if c.supports(op) {
			continue
		}
		return missingCall(op, c.Engine.Library())
	}
	return ""
}

// blocks returns a kernel's tables in IMB's order: by the number of processes, then by mode.
func (p *Plan) blocks(s Selection) []measured.Block {
	if p.loads(s.Kernel) {
		return p.loadBlocks(s.Kernel)
	}
	if s.Kernel.Class == kernel.AcrossCut {
		return p.cutBlocks(s)
	}
	var list []measured.Block
	for _, n := range p.counts(s.Kernel) {
		for _, x := range variants(s.Kernel, &p.Settings) {
			b := measured.Block{Kernel: s.Kernel.Name, Component: s.Kernel.Component, Multi: s.Multi, Mode: x.mode,
				Delay: x.delay, Processes: n}
			if s.Kernel.MessageWindows() {
				b.WindowSize = p.way(s.Kernel).Window()
			}
			if threads := s.Kernel.Builder.Threads.Of; threads != nil {
				b.Threads = threads(p.Settings.Threading, 0)
			}
			if s.Kernel.Builder.Processes.Fan {
				b.PerNode, _ = p.perNode()
			}
			b.Describe(s.Kernel, &p.Settings)
			groups := p.groups(s.Kernel, n, s.Multi)
			b.Waiting, b.FixedRoot = p.Processes-n*len(groups), p.comparesAlgorithms(s.Kernel)
			if s.Multi || len(p.Settings.Who.Map) > 0 || p.way(s.Kernel).Pairs(s.Multi) ||
				p.Settings.Who.Per != "" || s.Kernel.Builder.Processes.Fan {
				b.Groups = groups
			}
			list = append(list, b)
		}
	}
	return list
}

// variant is a mode of a kernel's table, or a delay.
type variant struct {
	mode  settings.Mode
	delay float64
}

// variants returns the tables that a kernel has for a number of processes: one for each mode, or for each delay of the
// last part of a message.
func variants(k *kernel.Kernel, s *settings.Settings) []variant {
	if k.Builder.Rows == kernel.Partitioned {
		return lists.Each(s.PartDelays(), func(delay float64) variant { return variant{delay: delay} })
	}
	return lists.Each(k.ModesFor(s), func(mode settings.Mode) variant { return variant{mode: mode} })
}

// cutBlocks returns a table for each cut.
func (p *Plan) cutBlocks(s Selection) (list []measured.Block) {
	for _, c := range p.cuts {
		cut, ranks := pairs.NewCut(c)
		list = append(list, measured.Block{Kernel: s.Kernel.Name, Component: s.Kernel.Component, Mode: settings.Plain,
			Processes: len(ranks), Waiting: p.Processes - len(ranks), Groups: [][]int{ranks}, Cut: cut})
	}
	return list
}

// comparesAlgorithms reports whether the run has algorithms that do the work of a kernel with a root. The kernel then
// keeps its root, too, so that the times can be compared.
func (p *Plan) comparesAlgorithms(k *kernel.Kernel) bool {
	return k.Rooted && k.Component == kernel.MPI1 && slices.ContainsFunc(p.Selections, func(s Selection) bool {
		return s.Kernel.Algorithm != nil && s.Kernel.Algorithm.Operation == k.Name
	})
}

// checkVaried returns an error if there are factors that no kernel uses, or too few.
func (p *Plan) checkVaried() error {
	varied := func(b measured.Block) bool {
		k, ok := p.kernel(&b)
		return ok && k.Builder.Data.Varied
	}
	switch {
	case p.Settings.Blocks.Factors == "":
		return nil
	case !slices.ContainsFunc(p.Blocks, varied):
		return errors.New("factors are for kernels with blocks of different lengths, such as Scatterv and " +
			"Scatterv_Traff: none is selected")
	case p.Settings.FactorsFile() == "":
		return nil
	}
	if err := settings.CheckFactors(p.Factors, p.Processes); err != nil {
		return fmt.Errorf("%s: %w", p.Settings.FactorsFile(), err)
	}
	return nil
}

// Files reports whether a block of the plan uses files.
func (p *Plan) Files() bool {
	return slices.ContainsFunc(p.Blocks, func(b measured.Block) bool {
		k, ok := p.kernel(&b)
		return ok && (k.Builder.File != nil || k.Builder.Path != nil)
	})
}
