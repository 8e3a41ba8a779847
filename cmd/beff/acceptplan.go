package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/jobscript"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/launch"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/plain"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/accept"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// step is what must be measured of a sheet: a command on a number of processes, for one requirement or more.
type step struct {
	of        []*accept.Judged
	words     []string
	processes int // 0: any number
	nodes     int // 0: any number
	perNode   int // 0: not known
	lasts     time.Duration
}

// failing reports whether the results so far say that a requirement of the step is missed, though not for sure.
func (s *step) failing() bool {
	return slices.ContainsFunc(s.of, func(j *accept.Judged) bool { return j.Margin < 0 })
}

// cost returns the time of all nodes.
func (s *step) cost() time.Duration {
	return max(s.lasts, time.Minute) * time.Duration(max(s.nodes, 1))
}

// steps returns what must be measured, in order: what may fail first, and of that the cheapest.
func (p *process) steps(a *accept.Acceptance) (list []*step, err error) {
	for _, j := range a.Judged {
		if j.Measure == nil || j.Lacks() != "" || j.Verdict != accept.NotMeasured && j.Verdict != accept.Undecided &&
			j.Verdict != accept.ConditionFailed {
			continue
		}
		s := &step{of: []*accept.Judged{j}, words: j.Measure, processes: j.Processes, nodes: j.Nodes,
			perNode: j.PerNode}
		i := slices.IndexFunc(list, func(x *step) bool {
			return slices.Equal(x.words, s.words) && x.processes == s.processes && x.nodes == s.nodes
		})
		if i >= 0 {
			list[i].of = append(list[i].of, j)
			continue
		}
		own := *p
		line, err := own.measurable(s.words)
		if err != nil {
			return nil, fmt.Errorf("%s: measure: %w", j.ID, err)
		}
		if n := max(s.processes, 2); line.lasting != nil {
			if s.lasts, err = line.lasts(n, max(s.perNode, 1)); err != nil {
				return nil, fmt.Errorf("%s: measure: %w", j.ID, err)
			}
		}
		list = append(list, s)
	}
	slices.SortStableFunc(list, func(x, y *step) int {
		if x.failing() != y.failing() {
			return words.Either(x.failing(), -1, 1)
		}
		return cmp.Compare(x.cost(), y.cost())
	})
	return list, nil
}

// plan writes what must be measured, or the scripts of batch jobs that do.
func (c *acceptCommand) plan(p *process, sheet *accept.Sheet) error {
	c.Into = c.into() // what is there already isn't measured again
	a, _, err := c.judge(p, sheet)
	if err != nil {
		return err
	}
	list, err := p.steps(a)
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	if c.Job != "" {
		return c.scripts(p, list)
	}
	formats, err := c.Chosen(publish.Without("kv", publish.Plots))
	if err != nil {
		return err
	}
	return c.Publish(p.stdout, p.stderr, []*publish.Paper{{Name: c.stem() + "-plan", Document: c.planned(a, list)}},
		formats)
}

// planned returns the plan as a document.
func (c *acceptCommand) planned(a *accept.Acceptance, list []*step) *document.Document {
	d := &document.Document{Title: "What is to be measured for " + a.Title, Subtitle: a.Version}
	t := &document.Table{ID: "steps", Columns: document.Heads("requirements", "command", "nodes []", "processes []",
		"time", "runs"), Caption: "In order: what may fail first, and of that the cheapest. Each run is of one " +
		"command; all of a size can be one job."}
	for _, s := range list {
		more := "1 or more"
		if n := mostOf(s.of); n > 0 {
			more = words.Count(n, words.Either(a.Unit == accept.Day, "day", "run"))
		}
		count := func(n int) document.Cell {
			return words.Either(n > 0, document.Whole(n), document.Text("any"))
		}
		t.Add(idsOf(s.of), "beff "+strings.Join(s.words, " "), count(s.nodes), count(s.processes),
			words.Either(s.lasts > 0, s.lasts.Round(time.Second).String(), "not known"), more)
	}
	d.Sections = []document.Section{{ID: "plan", Title: "Steps", Blocks: []document.Block{t}}}
	var others document.List
	for _, j := range a.Judged {
		switch {
		case j.Lacks() != "", j.Measure == nil && j.Used == 0:
			others = append(others, j.ID+": "+j.Reason)
		}
	}
	if len(list) == 0 {
		d.Sections[0].Blocks = []document.Block{document.Paragraph("Nothing that beff measures is missing.")}
	}
	if len(others) > 0 {
		d.Sections = append(d.Sections, document.Section{ID: "others", Title: "What beff can't measure here",
			Blocks: []document.Block{others}})
	}
	return d
}

// mostOf returns the largest number of further units that requirements need, as far as it is known.
func mostOf(list []*accept.Judged) int {
	return lists.Most(list, func(j *accept.Judged) int { return j.More })
}

func idsOf(list []*accept.Judged) string {
	return strings.Join(lists.Each(list, func(j *accept.Judged) string { return j.ID }), ", ")
}

// scripts writes the scripts of batch jobs: one for each number of nodes and processes of them.
func (c *acceptCommand) scripts(p *process, list []*step) error {
	type size struct{ nodes, perNode int }
	jobs := map[size][]*step{}
	var sizes []size
	for _, s := range list {
		if s.nodes == 0 || s.perNode == 0 {
			return exit.Misuse("accept --job: %s says no nodes, and processes of each: want nodes and per", idsOf(s.of))
		}
		of := size{s.nodes, s.perNode}
		if jobs[of] == nil {
			sizes = append(sizes, of)
		}
		jobs[of] = append(jobs[of], s)
	}
	if len(sizes) > 1 && !publish.IsDirectory(c.Output) {
		return exit.Misuse("accept --job: %s: give a directory, -o DIR/", words.Count(len(sizes), "script"))
	}
	if err := os.MkdirAll(c.into(), 0o755); err != nil { // which the jobs write to
		return publish.Failed(err)
	}
	for _, of := range sizes {
		script := &jobCommand{Scheduler: c.Job, Nodes: of.nodes, PerNode: of.perNode}
		scheduler, err := script.scheduler()
		if err != nil {
			return err
		}
		j := &jobscript.Job{Name: "beff-" + c.stem(), Nodes: of.nodes, PerNode: of.perNode, Hydra: p.hydra(),
			Program: jobscript.Quote(script.program())}
		lasts := time.Duration(0)
		for _, s := range jobs[of] {
			args := lists.Each(s.words, jobscript.Quote)
			j.Steps = append(j.Steps, jobscript.Step{Title: idsOf(s.of), PerNode: of.perNode, Args: args,
				Processes: s.processes,
				Output:    jobscript.Quote(filepath.Join(c.into(), s.of[0].ID)) + "-" + jobscript.Number})
			lasts = max(lasts, s.lasts, time.Minute)
		}
		script.limit(j, lasts)
		if c.Output == "" {
			return scheduler.Write(p.stdout, j)
		}
		path, err := publish.FileOf(c.Output, fmt.Sprintf("%s-%dx%d", c.stem(), of.nodes, of.perNode), c.Force, ".sh")
		if err != nil {
			return err
		}
		f, err := publish.NewPart(path)
		if err != nil {
			return publish.Failed(err)
		}
		if err := scheduler.Write(f, j); err != nil {
			f.Drop()
			return publish.Failed(err)
		}
		if err := f.Keep(); err != nil {
			return publish.Failed(err)
		}
		fmt.Fprintf(p.stderr, "beff: written: %s\n", path)
	}
	return nil
}

// into returns the directory that is measured into.
func (c *acceptCommand) into() string { return cmp.Or(c.Into, c.stem()+"-results") }

// measure measures what is missing of a sheet on the processes that there are, and judges all results.
func (c *acceptCommand) measure(p *process, sheet *accept.Sheet) error {
	c.Into = c.into()
	choice := launch.Choice{Engine: c.Engine, MPI: c.processes.MPI}
	return p.start(choice, c.Ranks, 1, func(e mpi.Engine) error {
		layout, err := locate(e)
		if err != nil {
			return err
		}
		if layout == nil {
			layout = &job.Layout{}
		}
		done := map[string]int{} // measurements of each requirement in this job
		for {
			line, err := job.Decide(e.World(), func() ([]string, error) {
				return c.next(p, sheet, e.World().Size(), len(layout.Placement), done)
			})
			if err != nil {
				return err
			}
			if len(line) == 0 {
				return job.Do(e.World(), func() error { return c.conclude(p, sheet) })
			}
			own := *p
			own.engine, own.args = e, line
			if !c.Verbose {
				own.stdout = io.Discard
			}
			if _, err := own.execute(line); err != nil && (!mpi.Agreed(err) || errors.Is(err, rating.ErrStopped)) {
				return err
			} else if err != nil { // the others can be measured nevertheless
				fmt.Fprintf(p.stderr, "beff: not measured: %s\n", plain.Text(err))
			}
		}
	})
}

// conclude judges all results, and writes the verdicts.
func (c *acceptCommand) conclude(p *process, sheet *accept.Sheet) error {
	a, refused, err := c.judge(p, sheet)
	if err == nil {
		err = c.show(p, a)
	}
	if err != nil {
		return err
	}
	if err := refused.End(p.stderr); err != nil {
		return err
	}
	return verdictError(a)
}

// next returns the command line that measures what comes next on as many processes and nodes, with its files; nil:
// nothing is missing that these can measure. A requirement is measured once a day, or of independent runs until its
// verdict stands or the looks of the sheet are over.
func (c *acceptCommand) next(p *process, sheet *accept.Sheet, processes, nodes int, done map[string]int) ([]string,
	error) {
	if err := os.MkdirAll(c.Into, 0o755); err != nil {
		return nil, publish.Failed(err)
	}
	a, _, err := c.judge(p, sheet)
	if err != nil {
		return nil, err
	}
	list, err := p.steps(a)
	if err != nil {
		return nil, exit.With(exit.Usage, err)
	}
	for _, s := range list {
		id := s.of[0].ID
		switch {
		case s.processes > 0 && s.processes != processes, s.nodes > 0 && nodes > 0 && s.nodes != nodes:
			continue
		case sheet.Unit == accept.Day && (done[id] > 0 || s.today()), done[id] >= sheet.Most:
			continue
		}
		done[id]++
		prefix, resume := c.prefix(id)
		fmt.Fprintf(p.stderr, "beff: %s: %s: beff %s\n", a.Title, idsOf(s.of), strings.Join(s.words, " "))
		return append(slices.Clone(s.words), words.Either(resume, "--resume", "-o"), prefix), nil
	}
	return nil, nil
}

// today reports whether each requirement of a step has a run of today that counts.
func (s *step) today() bool {
	now := time.Now().UTC().Format(time.DateOnly)
	return !slices.ContainsFunc(s.of, func(j *accept.Judged) bool {
		return !slices.ContainsFunc(j.Runs, func(r accept.Run) bool {
			return r.Refused == "" && r.Date.UTC().Format(time.DateOnly) == now
		})
	})
}

// prefix returns the files of the next run of a requirement: those of one that was cut off, to go on with, or new ones.
func (c *acceptCommand) prefix(id string) (prefix string, resume bool) {
	for n := 1; ; n++ {
		prefix = filepath.Join(c.Into, fmt.Sprintf("%s-%d", id, n))
		if left := publish.LeftAt(prefix); left != publish.Whole {
			return prefix, left == publish.Cut
		}
	}
}
