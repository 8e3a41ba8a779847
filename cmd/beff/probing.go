package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"golang.org/x/term"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/host"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/imb"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/launch"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/progress"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/scratch"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/size"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report"
	imbtext "github.com/effective-bandwidth/beff/report/format/imb"
	"github.com/effective-bandwidth/beff/report/ofprobe"
)

// probe measures what either command line asks for.
func (p *process) probe(r *imb.Request, a about) error {
	if r.Input == "" { // names in a file are checked where the file is
		if _, err := r.Config(); err != nil {
			return &coded{err, exitUsage}
		}
	}
	choice := launch.Choice{Engine: r.Engine, Threads: r.ThreadLevel}
	return p.start(choice, r.Ranks, 1, func(e mpi.Engine) error {
		// Each rank of the embedded engine is a goroutine of this process, and has a request of its own.
		own := *r
		return p.measureProbe(e, &own, a)
	})
}

// measureProbe is the whole run of one process.
func (p *process) measureProbe(e mpi.Engine, r *imb.Request, a about) error {
	world := e.World()
	layout, err := job.Locate(world, job.Node{Host: e.Host(), Memory: host.Memory("/"), CPUs: host.CPUs()})
	if err != nil {
		return err
	}
	plan, err := probePlan(e, r)
	if err != nil {
		return err
	}
	there, err := job.Decide(world, func() (job.Layout, error) {
		return job.Layout{Memory: layout.Memory, Ranks: layout.Ranks}, nil
	})
	if err != nil {
		return err
	}
	plan.Share, plan.Hosts = there.Memory, there.Ranks
	out := &output{endings: []string{".json", ".txt", ".csv"}, force: r.Force}
	_, err = job.Decide(world, func() (struct{}, error) {
		if err := out.open(r.Output); err != nil || !r.DryRun {
			return struct{}{}, err
		}
		out.removeEmpty()
		return struct{}{}, showPlan(p.stdout, plan, e.Library())
	})
	if err != nil || r.DryRun {
		return err
	}
	run := probe.Run{
		Run: rating.Run{Version: version, Library: e.Library(), System: a.system(),
			Started: time.Now().Truncate(time.Second)},
		Command:     "beff " + strings.Join(p.args, " "),
		ThreadLevel: "MPI_THREAD_" + strings.ToUpper(r.ThreadLevel),
	}
	if r.ThreadLevel == "" {
		run.ThreadLevel = "MPI_THREAD_SINGLE"
	}
	if world.Rank() == 0 {
		run.Host, run.Layout = host.Facts("/"), *layout
		for _, s := range plan.Skipped {
			fmt.Fprintf(p.stderr, "beff: skipped: %s\n", s)
		}
	}
	return newProbing(p, e, plan, out, run).measure(r.Directory)
}

// probePlan is what all processes make of the request, in whose files process 0 has looked.
func probePlan(e mpi.Engine, r *imb.Request) (*probe.Plan, error) {
	plan := func(r *imb.Request) (*probe.Plan, error) {
		config, err := r.Config()
		if err != nil {
			return nil, err
		}
		return probe.NewPlan(e.World().Size(), config, e.Supports, e.Library())
	}
	read, err := job.Decide(e.World(), func() (*imb.Request, error) {
		err := r.Read()
		if err == nil {
			_, err = plan(r)
		}
		return r, err
	})
	if err != nil {
		return nil, err
	}
	return plan(read)
}

// showPlan says what would be measured.
func showPlan(w io.Writer, plan *probe.Plan, lib mpi.Library) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	rows, blocks := plan.Rows(), len(plan.Blocks)
	fmt.Fprintf(t, "%d %s in %d %s on %d processes, over %s "+
		"%s:\n\nkernel\tcomponent\tmode\tprocesses\tgroups\twaiting\n",
		rows, plural("row", rows), blocks, plural("table", blocks), plan.Processes, lib.Library, lib.Version)
	for _, b := range plan.Blocks {
		fmt.Fprintf(t, "%s\tIMB-%s\t%s\t%d\t%d\t%d\n", kernelName(&b), b.Component, modeNames(modesOf(&b)), b.Processes,
			max(1, len(b.Groups)), b.Waiting)
	}
	for i, s := range plan.Skipped {
		if i == 0 {
			fmt.Fprintln(t)
		}
		fmt.Fprintf(t, "skipped: %s\n", s)
	}
	return t.Flush()
}

func modesOf(b *probe.Block) []probe.Mode {
	if b.Mode == probe.Plain {
		return nil
	}
	return []probe.Mode{b.Mode}
}

func kernelName(b *probe.Block) string {
	if b.Multi {
		return "Multi-" + b.Kernel
	}
	return b.Kernel
}

// probing is one process while it measures.
type probing struct {
	recording[probe.Measured]
	plan  *probe.Plan
	about probe.Run
	dir   *scratch.Dir // nil: no kernel needs one

	// Guarded by mu.
	live   *imbtext.Writer // nil: it has not begun
	head   *probe.Result   // what live knows of the run
	failed error           // of writing to stdout
}

func newProbing(p *process, e mpi.Engine, plan *probe.Plan, out *output, about probe.Run) *probing {
	r := &probing{plan: plan, about: about}
	r.recording = recording[probe.Measured]{
		keeper: keeper{process: p, out: out, saved: time.Now()}, engine: e, documents: r.files, finish: r.write,
		clear: r.remove, part: func() {},
		stopped: probe.ErrStopped, unit: "row",
	}
	return r
}

// measure measures, shows what comes, and writes the result. What was measured is kept, whatever ends the run.
func (r *probing) measure(directory string) error {
	if err := r.enter(directory); err != nil {
		return err
	}
	show, endShow := r.progress()
	stopped, release := r.signals(r.tell, r.stop)
	defer release()
	measured, err := r.plan.Measure(r.engine, probe.Observer{
		Stop: stopped.Load, Begin: r.begin, Block: r.block, Row: r.row, Keep: r.keepRows, Progress: show,
	})
	endShow()
	return r.end(measured, err, func() error { return errors.Join(r.failed, wrongData(measured)) })
}

// enter makes the directory of the kernels that have files.
func (r *probing) enter(parent string) error {
	if !slices.ContainsFunc(r.plan.Blocks, func(b probe.Block) bool { return b.Component.Files() }) {
		return nil
	}
	dir, err := shareScratch(r.engine, parent, true)
	if err != nil {
		if r.first() {
			r.out.removeEmpty()
		}
		return err
	}
	r.dir, r.plan.Directory = dir, dir.Path
	return nil
}

// remove removes the files.
func (r *probing) remove() error {
	if r.dir == nil {
		return nil
	}
	return r.dir.Remove()
}

// progress shows how far the run is, if stderr is a terminal of its own: where the tables go to the terminal, they show
// it.
func (r *probing) progress() (show func(probe.Progress), end func()) {
	terminal := func(w io.Writer) bool {
		f, ok := w.(*os.File)
		return ok && term.IsTerminal(int(f.Fd()))
	}
	if !terminal(r.stderr) || terminal(r.stdout) {
		return nil, func() {}
	}
	bar, end := progress.New(r.stderr)
	return func(at probe.Progress) {
		what := fmt.Sprintf("%s, %d processes, %s", kernelName(&at.Block), at.Block.Processes, size.Bytes(at.Bytes))
		bar(float64(at.Done)/float64(max(at.Rows, 1)), at.Elapsed, at.Left, what)
	}, end
}

// begin, block and row print what comes, as it comes. What can't be printed is told at the end: the run goes on for its
// files.
func (r *probing) begin(cpu probe.CPU) {
	r.head = probe.NewResult(r.plan, &probe.Measured{CPU: cpu}, r.about)
	if w, ok := rating.CrowdedWarning(r.head.Placement); ok {
		fmt.Fprintf(r.stderr, "beff: warning: %s: %s\n", w.Text, w.Remedy)
	}
	r.live = imbtext.NewWriter(r.stdout, r.head, r.running())
	r.print(r.live.Header)
}

func (r *probing) block(b *probe.Block) {
	r.print(func() error { return r.live.Block(b) })
}

func (r *probing) row(b *probe.Block, row *probe.Row) {
	r.print(func() error { return r.live.Row(b, row) })
}

// print remembers the first error.
func (r *probing) print(some func() error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := some(); err != nil && r.failed == nil {
		r.failed = fmt.Errorf("stdout: %w", err)
	}
}

// running are the selections that the plan has tables of.
func (r *probing) running() []probe.Selection {
	return slices.DeleteFunc(slices.Clone(r.plan.Selections), func(s probe.Selection) bool {
		return !slices.ContainsFunc(r.plan.Blocks, func(b probe.Block) bool {
			return b.Kernel == s.Kernel.Name && b.Component == s.Kernel.Component && b.Multi == s.Multi
		})
	})
}

// write ends the text and writes the result's files.
func (r *probing) write(m *probe.Measured, err error) error {
	rows := 0
	if m != nil {
		for _, b := range m.Blocks {
			rows += len(b.Rows)
		}
	}
	var failed error
	if r.live != nil {
		r.head.Complete = err == nil
		failed = r.live.End()
	}
	if rows == 0 {
		r.out.removeEmpty()
		return failed
	}
	r.about.Err = err
	return errors.Join(failed, r.out.keep(probeDocuments(probe.NewResult(r.plan, m, r.about))))
}

// files are those of a run that ended with the error.
func (r *probing) files(m *probe.Measured, err error) []outFile {
	about := r.about
	about.Err = err
	return probeDocuments(probe.NewResult(r.plan, m, about))
}

// probeDocuments are a result's files.
func probeDocuments(r *probe.Result) []outFile {
	return []outFile{
		{".json", func(w io.Writer) error { return report.ProbeSealed(w, r) }},
		{".txt", func(w io.Writer) error { return imbtext.Write(w, r) }},
		{".csv", func(w io.Writer) error { return ofprobe.CSV(w, r) }},
	}
}

// wrongData is the error of a run in which data arrived wrong: it names the first place, and counts the others.
func wrongData(m *probe.Measured) error {
	var first error
	rows := 0
	for _, b := range m.Blocks {
		for _, row := range b.Rows {
			if row.Defects == 0 {
				continue
			}
			if rows++; first == nil {
				first = fmt.Errorf("wrong data: IMB-%s %s, %d bytes on %d processes: %d defects in %d repetitions "+
					"that were checked",
					b.Component, kernelName(&b), row.Bytes, b.Processes, row.Defects, row.Checked)
			}
		}
	}
	if rows > 1 {
		return fmt.Errorf("%w, and %d more rows with defects", first, rows-1)
	}
	return first
}

// keepRows keeps a copy: the blocks' rows grow, but only at their end.
func (r *probing) keepRows(m *probe.Measured) {
	kept := *m
	kept.Blocks = slices.Clone(m.Blocks)
	r.keep(kept)
}
