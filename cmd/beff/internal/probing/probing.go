// Package probing measures the kernels of a request, which beff probe or a suite's own command line has made.
package probing

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/flow"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/host"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/scratch"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/size"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/mpi/libmpi"
	"github.com/effective-bandwidth/beff/mpi/plugins"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/findings"
	imbtext "github.com/effective-bandwidth/beff/report/format/imb"
	"github.com/effective-bandwidth/beff/report/format/live"
	"github.com/effective-bandwidth/beff/report/ofprobe"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// Measure measures the kernels of a request and prints their rows. selective means that the command line selects
// measurements.
func Measure(p *process.Process, r *Request, flags flow.Flags, model flow.Modelled, selective bool) error {
	o := &flow.Spec{Flags: flags, Selective: selective}
	o.Choice.Simulation = model.Simulation(false, nil)
	return measure(p, r, o, nil, func(b *plannedProbe) flow.Benchmark[measured.Outcome] { return b })
}

// measure measures the kernels of a request. It completes spec by the fields that are the same for all probes. adapt
// fits the request to the job's layout; nil leaves it as it is.
func measure(p *process.Process, r *Request, spec *flow.Spec, adapt func(*Request, *job.Layout),
	as func(*plannedProbe) flow.Benchmark[measured.Outcome]) error {
	sessions := false
	if !r.Unread() { // rank 0 checks names in a file
		c, err := r.Config()
		if err != nil {
			return exit.With(exit.Usage, err)
		}
		sessions = slices.ContainsFunc(c.Selections, func(s probe.Selection) bool { return s.Kernel.Builder.Sessions })
	}
	spec.Choice.Threads, spec.Choice.Sessions = r.Level(), sessions
	spec.Choice.Device = libmpi.DeviceChoice{MessageMemory: r.Settings.Memory.MessageMemory, Of: r.Devices}
	spec.MinRanks, spec.Name, spec.None = max(1, spec.MinRanks), probe.Benchmark, Report{}
	return flow.Measure(p, spec, func(j *flow.Job, before *flow.Earlier) (flow.Benchmark[measured.Outcome], error) {
		// Each rank of the embedded engine is a goroutine of this process, and needs its own request.
		own := *r
		if adapt != nil && j.Layout != nil { // on rank 0, which decides
			adapt(&own, j.Layout)
		}
		b, err := planProbe(j, &own, before, spec.Flags.DryRun)
		if err != nil {
			return nil, err
		}
		return as(b), nil
	})
}

// plannedProbe is a probe with its plan.
type plannedProbe struct {
	*flow.Job
	request *Request
	decided decidedProbe
	plan    *probe.Plan
	command string
	disk    *rating.FileSystem
	text    *live.Follower // prints rows as they are measured (nil: not begun)
	head    *probe.Result  // facts of the run for the text
}

var _ flow.Live[measured.Outcome] = (*plannedProbe)(nil)

// planProbe makes the plan of a probe. A plan that is only shown may need more space than the disk has.
func planProbe(j *flow.Job, r *Request, before *flow.Earlier, dry bool) (*plannedProbe, error) {
	b := &plannedProbe{Job: j, request: r, command: "beff " + strings.Join(j.Args, " ")}
	var err error
	if b.plan, b.decided, err = probePlan(j, r, before); err != nil {
		return nil, err
	}
	b.disk = diskOf(b.plan, r.Directory)
	if b.plan.Space().Tree > 0 && !dry {
		if err := job.Do(j.Engine.World(), func() error { return hasRoom(b.plan, b.disk) }); err != nil {
			return nil, err
		}
	}
	if before != nil {
		b.command = before.Command()
	}
	return b, nil
}

func (b *plannedProbe) Decided() any        { return b.decided }
func (b *plannedProbe) JournalBytes() int64 { return int64(b.plan.Rows()) * flow.SampleBytes }
func (b *plannedProbe) Unit() string        { return "row" }

func (b *plannedProbe) Describe(w io.Writer) error {
	return showPlan(w, b.plan, b.disk, b.Engine.Library())
}

func (b *plannedProbe) Files() (parent string, keep bool) {
	if b.plan.Files() {
		parent = b.request.Directory
	}
	return parent, false
}

func (b *plannedProbe) Samples(m *measured.Outcome) int {
	return lists.SumOf(m.Blocks, func(b measured.Block) int { return len(b.Rows) })
}
func (b *plannedProbe) Seconds(m *measured.Outcome) float64 { return m.WallSeconds }
func (b *plannedProbe) Trim(m *measured.Outcome)            { b.plan.Trim(m) }
func (b *plannedProbe) Wrong(m *measured.Outcome) error     { return wrongData(m) }

func (b *plannedProbe) Add(m *measured.Outcome, news measured.Outcome) { m.Add(news) }

func (b *plannedProbe) Since(now, before *measured.Outcome) (measured.Outcome, bool) {
	return now.Since(before)
}

func (b *plannedProbe) Measure(directory string, watch rating.Observer[measured.Outcome]) (*measured.Outcome, error) {
	b.plan.Directory = directory
	return b.plan.Measure(b.Engine, watch)
}

func (b *plannedProbe) result(m *measured.Outcome, run rating.Run) *probe.Result {
	return probe.NewResult(b.plan, m, probe.Run{Run: run, Command: b.command,
		ThreadLevel: "MPI_THREAD_" + strings.ToUpper(cmp.Or(b.request.Level(), "single")),
		Preloaded:   host.Preloaded(), FileSystem: b.disk})
}

func (b *plannedProbe) Report(m *measured.Outcome, run rating.Run) report.Report {
	return Report{ofprobe.Report{Result: b.result(m, run)}}
}

// Begin prints notices about kernels and rows that the plan leaves out.
func (b *plannedProbe) Begin(stderr io.Writer) {
	for _, s := range b.plan.Notices {
		fmt.Fprintf(stderr, "beff: notice: %s\n", s)
	}
	for _, s := range b.plan.Skipped {
		fmt.Fprintf(stderr, "beff: skipped: %s\n", s)
	}
}

// Show prints the rows that are new since its last call, in the text of their suite.
func (b *plannedProbe) Show(w io.Writer, m *measured.Outcome, run rating.Run, final bool) error {
	if b.text == nil {
		if final {
			return nil // ended before the first row
		}
		b.head = b.result(m, run)
		for _, w := range rating.CrowdedWarning(b.head.Placement) {
			fmt.Fprintf(b.Stderr, "beff: warning: %s: %s\n", w.Text, w.Remedy)
		}
		kernels := running(b.plan)
		b.text = live.NewFollower(w, b.head, textOf(b.head, kernels)(b.head, kernels))
		if err := b.text.Header(); err != nil {
			return err
		}
	}
	if err := b.text.Follow(m.Blocks); err != nil || !final {
		return err
	}
	b.head.Complete, b.head.WallSeconds = run.Err == nil, m.WallSeconds
	if err := b.text.End(); err != nil {
		return err
	}
	for _, w := range m.Notes {
		fmt.Fprintf(b.Stderr, "beff: warning: %s: %s\n", w.Text, w.Remedy)
	}
	r := b.result(m, run)
	printNoise(b.Stderr, r.Verdict())
	for _, text := range findings.Faults(r) {
		fmt.Fprintf(b.Stderr, "beff: found: %s\n", text)
	}
	for _, line := range ofprobe.Contests(r) {
		fmt.Fprintln(b.Stderr, "beff: fastest: "+line)
	}
	return nil
}

// diskOf returns the file system of a plan's files, nil if it has no kernel for metadata. A missing directory is an
// error later.
func diskOf(plan *probe.Plan, directory string) *rating.FileSystem {
	if !slices.ContainsFunc(plan.Blocks, func(b measured.Block) bool { return b.Component == kernel.Meta }) {
		return nil
	}
	disk, err := scratch.Facts(directory)
	if err != nil {
		return nil
	}
	if path, err := filepath.Abs(directory); err == nil {
		disk.Directory = path
	}
	return &disk
}

// hasRoom returns an error if the files of a plan's metadata kernels don't fit. With a stonewall their number isn't
// known.
func hasRoom(plan *probe.Plan, disk *rating.FileSystem) error {
	space := plan.Space()
	if meta := plan.Settings.Metadata; disk == nil || meta.Stonewall > 0 {
		return nil
	}
	if disk.Files > 0 && space.Names() > disk.FreeFiles {
		return exit.Misuse("the run makes %d files and directories, and %s has room for %d", space.Names(),
			disk.Directory, disk.FreeFiles)
	}
	return fits(space.Bytes, *disk)
}

// fits returns an error if the bytes of files don't fit.
func fits(bytes int64, disk rating.FileSystem) error {
	if disk.Size > 0 && bytes > disk.Free {
		return exit.Misuse("the files take %v, and %v are free in %s", size.Bytes(bytes), size.Bytes(disk.Free),
			disk.Directory)
	}
	return nil
}

// showSpace prints the space that a plan's metadata kernels need. It prints nothing without them.
func showSpace(w io.Writer, plan *probe.Plan, disk *rating.FileSystem) {
	space := plan.Space()
	if space.Tree == 0 {
		return
	}
	var list []string
	if n := space.Files; n > 0 {
		bytes := words.Either(space.Bytes > 0, ", "+rating.Bytes(space.Bytes)+",", "")
		list = append(list, words.Count(int(n), "file")+bytes)
	}
	if n := space.Directories; n > 0 {
		list = append(list, words.Count(int(n), "directory"))
	}
	text := strings.Join(list, " or ") + " at a time"
	meta := plan.Settings.Metadata
	if meta.Stonewall > 0 {
		text = "the files made until the stonewall"
	}
	fmt.Fprintf(w, "\nspace: %s, in %s\n", text, words.Count(int(space.Tree), "directory"))
	if disk != nil {
		fmt.Fprintf(w, "file system: %s, %s; %s free%s\n", words.OneLine(disk.Directory), disk.Type,
			rating.Bytes(disk.Free), words.Either(disk.Files > 0, fmt.Sprintf(", for %d files", disk.FreeFiles), ""))
	}
	if err := hasRoom(plan, disk); err != nil {
		fmt.Fprintf(w, "it does NOT fit: %v\n", err)
	}
}

// decidedProbe is the value from which all processes plan a probe.
type decidedProbe struct {
	Request *Request
	Share   int64
	Hosts   [][]int
	Units   [][]string // the units of the map to which each host belongs (nil: no map)
	Members []int
}

// probePlan returns the plan of a request, the same on all processes, and the value from which it was made. Process 0
// reads the files that the request names.
func probePlan(j *flow.Job, r *Request, before *flow.Earlier) (*probe.Plan, decidedProbe, error) {
	e, layout := j.Engine, j.Layout
	localities, err := localitiesOf(e)
	if err != nil {
		return nil, decidedProbe{}, err
	}
	plan := func(x *decidedProbe) (*probe.Plan, error) {
		config, err := x.Request.Config()
		if err != nil {
			return nil, err
		}
		config.Share, config.Hosts, config.Units, config.Members = x.Share, x.Hosts, x.Units, x.Members
		config.Engine = e
		return probe.NewPlan(e.World().Size(), config)
	}
	read, err := flow.Decide(j, before, func(was *decidedProbe) (decidedProbe, error) {
		err := r.Read()
		x := decidedProbe{Request: r, Share: layout.Memory, Hosts: layout.Ranks, Units: flow.UnitsOf(layout)}
		if err == nil && r.Settings.Who.Per != "" {
			x.Members, err = layout.Lowest(job.Part(r.Settings.Who.Per), localities)
		}
		if err == nil {
			_, err = plan(&x)
		}
		if was != nil { // these don't select measurements
			x.Share, x.Hosts, x.Units, x.Members = was.Share, was.Hosts, was.Units, was.Members
		}
		x.Request = r.Measuring()
		return x, exit.With(exit.Usage, err)
	})
	if err != nil {
		return nil, read, err
	}
	// A journal may come from anybody, and a library's code runs as this user.
	if l := read.Request.Settings.Library; !reflect.DeepEqual(l, r.Settings.Library) {
		return nil, read, exit.Misuse("the journal's run calls functions of %s, which a journal can't load by itself: "+
			"repeat the whole command line with --resume", l.File)
	}
	err = flow.SameMemory(read.Request.Settings.Memory.MessageMemory, r.Settings.Memory.MessageMemory)
	if err != nil {
		return nil, read, err
	}
	made, err := plan(&read)
	if err == nil {
		made.Library = func(name string) (string, error) {
			return plugins.UserLibrary(name, filepath.SplitList(os.Getenv("LD_LIBRARY_PATH")))
		}
	}
	return made, read, err
}

// localitiesOf returns on process 0 where on its node each process runs. It returns nothing if a model defines that.
func localitiesOf(e mpi.Engine) ([]job.Locality, error) {
	if flow.Simulation(e) != nil {
		return nil, nil
	}
	all, err := job.GatherNumbers(e.World(), []job.Locality{host.Locality("/")})
	return slices.Concat(all...), err
}

// showPlan prints the plan.
func showPlan(w io.Writer, plan *probe.Plan, disk *rating.FileSystem, lib mpi.Library) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s in %s on %s, over %s %s:\n\nkernel\tcomponent\tmode\tprocesses\tgroups\twaiting\n",
		words.Count(plan.Rows(), "row"), words.Count(len(plan.Blocks), "table"), words.Processes(plan.Processes),
		lib.Library, lib.Version)
	for _, b := range plan.Blocks {
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%d\t%d\n", b.Name(), suites.Title(b.Component), cmp.Or(string(b.Mode), "-"),
			b.Processes, max(1, len(b.Groups)), b.Waiting)
	}
	for i, s := range plan.Skipped {
		if i == 0 {
			fmt.Fprintln(t)
		}
		fmt.Fprintf(t, "skipped: %s\n", s)
	}
	showPairs(t, plan)
	showSpace(t, plan, disk)
	return t.Flush()
}

// showPairs prints how many pairs kernels measure if these aren't all, and the memory for their times.
func showPairs(w io.Writer, plan *probe.Plan) {
	const each = 9 * 8 // bytes of a pair's medians, means, deviations and count
	for _, b := range plan.Blocks {
		k, _, found := suites.Find(b.Component, b.Kernel)
		if !found || k.Class != kernel.Pairs {
			continue
		}
		r, err := plan.Settings.Rounds(b.Processes)
		if all := patterns.CountPairs(b.Processes); err == nil && r.Pairs < all {
			bytes := int64(r.Pairs * each * words.Either(k.Builder.Directed, 2, 1))
			fmt.Fprintf(w, "\n%s: %d of %d pairs; process 0 keeps %s of times for each row\n", b.Name(), r.Pairs, all,
				rating.Bytes(bytes))
		}
	}
}

// printNoise prints the cause if a valid result is slowed, and the signs of noise if it is noisy.
func printNoise(stderr io.Writer, v rating.Verdict) {
	var noise []rating.Warning
	switch v.State() {
	case rating.IsSlowed:
		noise = lists.Where(v.Warnings, func(w rating.Warning) bool { return w.Code == v.Slowed })
	case rating.IsNoisy:
		noise, _ = rating.AboutSigns(v.Warnings, v.Signs)
	}
	for _, w := range noise {
		fmt.Fprintf(stderr, "beff: %s: %s: %s\n", parts.VerdictLine(v, rating.Estimate{}), w.Text, w.Remedy)
	}
}

// running returns the selections for which the plan has tables.
func running(plan *probe.Plan) []probe.Selection {
	return lists.Where(plan.Selections, func(s probe.Selection) bool {
		return slices.ContainsFunc(plan.Blocks, func(b measured.Block) bool {
			return b.Kernel == s.Kernel.Name && b.Component == s.Kernel.Component && b.Multi == s.Multi
		})
	})
}

// wrongData returns the error of a run in which data arrived wrong. It names the first place and counts the others.
func wrongData(m *measured.Outcome) error {
	var first error
	rows := 0
	for _, b := range m.Blocks {
		for _, row := range b.Rows {
			if row.Defects == 0 {
				continue
			}
			if rows++; first == nil {
				first = fmt.Errorf("wrong data: %s %s, %s on %s: %s in %s",
					suites.Title(b.Component), b.Name(), words.Count(int(row.Bytes), "byte"),
					words.Processes(b.Processes), words.Count(int(row.Defects), "defect"),
					words.Count(int(row.Checked), "checked repetition"))
			}
		}
	}
	if rows > 1 {
		return fmt.Errorf("%w, and %s with defects", first, words.Count(rows-1, "more row"))
	}
	return first
}

// MPIBlib is the format of results by MPIBlib's method, in addition to the formats of all probes.
var MPIBlib = parts.Text{Name: "mpiblib", Ending: ".mpiblib"}

// textOf returns the text that a run of kernels prints.
func textOf(r *probe.Result, kernels []probe.Selection) live.Maker {
	switch {
	case live.FitsMPIBlib(r, kernels):
		return live.MPIBlib
	case live.FitsLoad(r, kernels):
		return live.Load
	}
	return imbtext.NewWriter
}

// Report is a report of a probe with the texts of suites.
type Report struct{ ofprobe.Report }

// Texts returns the benchmark's own formats, including MPIBlib's. The text that a run prints is the one that it keeps
// in a file.
func (r Report) Texts() []parts.Text {
	list := r.Report.Texts()
	if r.Result == nil {
		return list
	}
	kernels := live.Selections(r.Result)
	text := func(w io.Writer) error { return live.Write(w, r.Result, textOf(r.Result, kernels)) }
	list[slices.IndexFunc(list, func(t parts.Text) bool { return t.Kept && t.Ending == ".txt" })].Write = text
	if live.FitsMPIBlib(r.Result, kernels) {
		own := MPIBlib
		own.Write = text
		list = append(list, own)
	}
	return list
}

// TextsOf returns the own formats of a result's benchmark.
func TextsOf(f *report.File) []parts.Text {
	if r := f.Probe(); r != nil {
		return Report{ofprobe.Report{Result: r}}.Texts()
	}
	return f.Texts()
}
