package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/launch"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/selection"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/terminal"
	"github.com/effective-bandwidth/beff/internal/input"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/accept"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// acceptCommand is `beff accept`.
type acceptCommand struct {
	Sheet    string   `arg:"" optional:"" name:"sheet" help:"Read this requirement sheet in TOML (docs/accept.md)."`
	Results  []string `arg:"" optional:"" name:"result" help:"${accept_results}"`
	Set      []string `sep:"none" placeholder:"ID=LIMIT" help:"${accept_set}"`
	Check    bool     `xor:"what" help:"Print the requirements of the sheet, one per line."`
	Plan     bool     `xor:"what" help:"${accept_plan}"`
	Baseline []string `xor:"what" placeholder:"RESULT" help:"${accept_baseline}"`
	verbose
	selection.Conditions
	publish.Flags
}

// verdictTexts are the formats of verdicts in addition to the formats of documents.
func verdictTexts(a *accept.Acceptance) []parts.Text {
	return []parts.Text{{Name: "json", Ending: ".json", Write: a.JSON},
		{Name: "csv", Ending: ".csv", Write: a.Worksheet}, {Name: "junit", Ending: ".xml", Write: a.JUnit}}
}

// Run is called by the command line.
func (c *acceptCommand) Run(p *process.Process) error {
	switch {
	case len(c.Baseline) > 0:
		return c.baseline(p)
	case c.Sheet == "":
		return exit.Misuse("accept: want a sheet")
	case (c.Check || c.Plan) && c.Output != "":
		return exit.Misuse("--check and --plan only print lines: leave out --output")
	}
	sheet, err := c.sheet()
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	if c.Check {
		for _, r := range sheet.Requirements {
			fmt.Fprintln(p.Text, r.Line())
		}
		return nil
	}
	if len(c.Results) == 0 && !c.Plan {
		return exit.Misuse("accept: want results: --plan prints the commands that measure them")
	}
	a, refused, err := c.judge(p, sheet)
	if err != nil {
		return err
	}
	if c.Plan {
		dir := "" // the directory of the results, if the user names one
		if i := slices.IndexFunc(c.Results, publish.IsDirectory); i >= 0 {
			dir = c.Results[i]
		}
		for _, line := range a.Plan(launch.Usual(os.Getenv), dir) {
			fmt.Fprintln(p.Text, line)
		}
		return refused.End(p.Stderr)
	}
	if err := c.show(p, a); err != nil {
		return err
	}
	return errors.Join(refused.End(p.Stderr), verdictError(a))
}

// sheet reads the sheet.
func (c *acceptCommand) sheet() (*accept.Sheet, error) {
	var sets []accept.Set
	for _, text := range c.Set {
		key, value, both := strings.Cut(text, "=")
		if !both {
			return nil, fmt.Errorf("--set %s: want ID=LIMIT, such as latency='max 2 us', or system.nodes=256", text)
		}
		sets = append(sets, accept.Set{Key: strings.TrimSpace(key), Value: strings.TrimSpace(value)})
	}
	text, err := input.ReadAll(c.Sheet, accept.MaxBytes)
	if err != nil {
		return nil, err
	}
	return accept.Parse(c.Sheet, text, sets)
}

// stem returns the prefix of the names of the sheet's files.
func (c *acceptCommand) stem() string { return strings.TrimSuffix(filepath.Base(c.Sheet), ".toml") }

// judge reads the selected results, without copies of a measurement, and judges them. Refused results don't count.
func (c *acceptCommand) judge(p *process.Process, sheet *accept.Sheet) (a *accept.Acceptance, refused publish.Refused,
	err error) {
	w, err := c.Filter()
	if err != nil {
		return nil, refused, err
	}
	e := sheet.Evidence(time.Now())
	var lock sync.Mutex
	type part struct {
		accept.Taken
		wanted bool
	}
	all := map[*report.File]part{}
	list, err := publish.Read(c.Results, func(f *report.File) {
		if !f.Usable {
			return
		}
		lock.Lock()
		all[f] = part{e.Take(f), w.AcceptsFile(f)}
		lock.Unlock()
		f.Forget()
	})
	if err != nil {
		return nil, refused, err
	}
	taken, refused := c.Take(list)
	once := publish.WithoutCopies(p.Stderr, taken)
	for _, f := range list {
		left := ""
		switch {
		case !slices.Contains(taken, f):
			left = "not verified: " + words.OneLine(terminal.Plain(f.Problem))
		case !slices.Contains(once, f):
			left = "a copy of a measurement that is there"
		case !all[f].wanted:
			left = accept.Deselected
		default:
			e.Add(all[f].Taken)
		}
		e.See(accept.Read{File: f.Name(), Status: cmp.Or(all[f].Status, "not read"), Skipped: left})
	}
	w.PrintUnknown(p.Stderr)
	a, err = e.Judge()
	return a, refused, exit.With(exit.NotJudged, err)
}

// show writes the verdicts.
func (c *acceptCommand) show(p *process.Process, a *accept.Acceptance) error {
	formats, err := c.Chosen(publish.OfSheets(verdictTexts(a)...))
	if err != nil {
		return err
	}
	if c.Output == "" && len(c.Format) == 0 && !c.Verbose {
		formats = publish.MainLines
	}
	d := a.Document()
	d.Next = launch.Line(slices.Concat([]string{"accept", c.Sheet}, c.Results, []string{"-o", c.stem() + ".pdf"})...)
	return c.Publish(p.Stdout, p.Stderr, []*publish.Publication{{Name: c.stem() + "-verdict", Document: d,
		Texts: verdictTexts(a)}}, formats)
}

// verdictError returns the error with which a verdict ends the program.
func verdictError(a *accept.Acceptance) error {
	codes := map[accept.Verdict]int{accept.Missed: exit.Below, accept.Undecided: exit.Undecided,
		accept.NotMeasured: exit.Undecided, accept.ConditionFailed: exit.NotJudged}
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

// baseline writes a sheet with the values of results.
func (c *acceptCommand) baseline(p *process.Process) error {
	results := slices.Clone(c.Baseline)
	for _, more := range append([]string{c.Sheet}, c.Results...) {
		if more != "" {
			results = append(results, more)
		}
	}
	w, err := c.Filter()
	if err != nil {
		return err
	}
	b := &accept.Baseline{}
	refused, err := selection.Each(p.Stderr, results, &c.Flags, w, func(f *report.File) error { return b.Add(f) })
	if err == nil {
		err = refused.End(p.Stderr)
	}
	if err != nil {
		return err
	}
	if c.Output == "" || c.Output == publish.Stdout {
		return exit.With(exit.NotJudged, b.Write(p.Stdout))
	}
	path, err := publish.FileOf(c.Output, "baseline", c.Force, ".toml")
	if err != nil {
		return err
	}
	return publish.Failed(publish.Replace(path, b.Write))
}
