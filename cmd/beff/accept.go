package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/accept"
	"github.com/effective-bandwidth/beff/report/input"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// acceptCommand is `beff accept`.
type acceptCommand struct {
	Sheet    string   `arg:"" optional:"" name:"sheet" help:"${accept_sheet}"`
	Results  []string `arg:"" optional:"" name:"result" help:"${accept_results}"`
	Set      []string `sep:"none" placeholder:"ID=LIMIT" help:"${accept_set}"`
	Check    bool     `xor:"what" help:"Say in words what the sheet wants, and stop."`
	Plan     bool     `xor:"what" help:"${accept_plan}"`
	Job      string   `enum:",slurm,pbs,flux,lsf" default:"" placeholder:"SYSTEM" help:"${accept_job}"`
	Baseline []string `xor:"what" placeholder:"RESULT" help:"${accept_baseline}"`
	Measure  bool     `xor:"what" help:"${accept_measure}"`
	Into     string   `placeholder:"DIR" help:"${accept_into}"`
	processes
	telling
	chosen
	signed
	publish.Flags
}

// verdictTexts are the formats of verdicts beside those of documents.
func verdictTexts(a *accept.Acceptance) []parts.Text {
	return []parts.Text{{Name: "json", Ending: ".json", Write: a.JSON},
		{Name: "csv", Ending: ".csv", Write: a.Worksheet}, {Name: "junit", Ending: ".xml", Write: a.JUnit},
		{Name: "ats5", Ending: ".csv", Write: a.ATS5}}
}

// Run is called by the command line.
func (c *acceptCommand) Run(p *process) error {
	switch {
	case c.Job != "" && (c.Check || c.Plan || c.Measure || len(c.Baseline) > 0):
		return exit.Misuse("--job and --check, --plan, --measure or --baseline can't be used together")
	case len(c.Baseline) > 0:
		return c.baseline(p)
	case c.Sheet == "":
		return exit.Misuse("accept: want a sheet: a file, or %s", words.Joined(accept.Presets(), "or"))
	}
	sheet, err := c.sheet()
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	switch {
	case c.Check:
		return c.explain(p, sheet)
	case c.Plan, c.Job != "":
		return c.plan(p, sheet)
	case c.Measure, p.launcher != nil:
		return c.measure(p, sheet)
	case len(c.Results) == 0 && c.Into == "":
		return exit.Misuse("accept: want results, or mpirun before it to measure what is missing; --check says what " +
			"the sheet wants")
	}
	a, refused, err := c.judge(p, sheet)
	if err != nil {
		return err
	}
	if err := c.show(p, a); err != nil {
		return err
	}
	return errors.Join(refused.End(p.stderr), verdictError(a))
}

// sheet reads the sheet: a file, or one that comes with beff.
func (c *acceptCommand) sheet() (*accept.Sheet, error) {
	var sets []accept.Set
	for _, text := range c.Set {
		key, value, both := strings.Cut(text, "=")
		if !both {
			return nil, fmt.Errorf("--set %s: want ID=LIMIT, such as latency='max 2 us', or system.nodes=256", text)
		}
		sets = append(sets, accept.Set{Key: strings.TrimSpace(key), Value: strings.TrimSpace(value)})
	}
	if text, is := accept.Preset(c.Sheet); is {
		return accept.Parse(c.Sheet, text, sets)
	}
	text, err := input.ReadAll(c.Sheet, accept.MostBytes)
	if errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(c.Sheet, "./") {
		return nil, fmt.Errorf("%s: no such file, nor sheet of beff's%s", c.Sheet,
			words.Meant(c.Sheet, accept.Presets()))
	}
	if err != nil {
		return nil, err
	}
	return accept.Parse(c.Sheet, text, sets)
}

// stem returns the name that files of the sheet begin with.
func (c *acceptCommand) stem() string { return strings.TrimSuffix(filepath.Base(c.Sheet), ".toml") }

// explain writes the sheet in words.
func (c *acceptCommand) explain(p *process, sheet *accept.Sheet) error {
	formats, err := c.Chosen(publish.Without("kv", publish.Plots))
	if err != nil {
		return err
	}
	return c.Publish(p.stdout, p.stderr, []*publish.Paper{{Name: c.stem(), Document: sheet.Explained()}}, formats)
}

// judge reads the results, and judges them.
func (c *acceptCommand) judge(p *process, sheet *accept.Sheet) (a *accept.Acceptance, refused publish.Refused,
	err error) {
	evidence, refused, err := c.evidence(p, sheet, c.results())
	if err != nil {
		return nil, refused, err
	}
	a, err = evidence.Judge()
	return a, refused, exit.With(exit.NotJudged, err)
}

// results returns the paths of results, with the directory that is measured into if it is there.
func (c *acceptCommand) results() []string {
	list := c.Results
	if c.Into != "" && publish.IsDirectory(c.Into) {
		if found, err := publish.Expand([]string{c.Into}); err == nil {
			list = append(list[:len(list):len(list)], found...)
		}
	}
	return list
}

// evidence reads the results that are wanted, each measurement once. Of results that were refused as a whole nothing
// counts.
func (c *acceptCommand) evidence(p *process, sheet *accept.Sheet, results []string) (e *accept.Evidence,
	refused publish.Refused, err error) {
	w, err := c.wanted()
	if err != nil {
		return nil, refused, err
	}
	e = sheet.Evidence(time.Now())
	var lock sync.Mutex
	type part struct {
		accept.Taken
		wanted bool
	}
	all := map[*report.File]part{}
	list, err := c.signed.read(results, func(f *report.File) {
		if !f.Usable {
			return
		}
		lock.Lock()
		all[f] = part{e.Take(f), w.takesFile(f)}
		lock.Unlock()
		f.Forget()
	})
	if err != nil {
		return nil, refused, err
	}
	taken, refused := c.Take(list)
	for _, f := range publish.Once(p.stderr, taken) {
		if all[f].wanted {
			e.Add(all[f].Taken)
		}
	}
	w.say(p.stderr)
	return e, refused, nil
}

// show writes the verdicts.
func (c *acceptCommand) show(p *process, a *accept.Acceptance) error {
	formats, err := c.Chosen(publish.OfSheets(verdictTexts(a)...))
	if err != nil {
		return err
	}
	if c.Output == "" && len(c.Format) == 0 && !c.Verbose {
		formats = publish.MainLines
	}
	d := a.Document()
	d.Next = "beff accept " + c.Sheet + " … -o " + c.stem() + ".pdf"
	if len(c.Results) > 0 {
		d.Next = "beff accept " + c.Sheet + " " + report.Quoted(c.Results) + " -o " + c.stem() + ".pdf"
	}
	return c.Publish(p.stdout, p.stderr, []*publish.Paper{{Name: c.stem() + "-verdict", Document: d,
		Texts: verdictTexts(a)}}, formats)
}

// verdictError returns the error that a verdict ends the program with.
func verdictError(a *accept.Acceptance) error {
	codes := map[accept.Verdict]int{accept.Missed: exit.Below, accept.Undecided: exit.Unfinished,
		accept.NotMeasured: exit.Unfinished, accept.ConditionFailed: exit.NotJudged}
	code, not := codes[a.Verdict]
	if !not {
		return nil
	}
	var names []string
	for _, j := range a.Judged {
		if j.Verdict == a.Verdict {
			names = append(names, j.ID)
		}
	}
	return exit.With(code, fmt.Errorf("%s: %s", a.Verdict, words.First(4, names, ", ", "")))
}
