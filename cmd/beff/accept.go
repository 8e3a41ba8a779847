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
	"sync"
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/launch"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/selection"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/terminal"
	"github.com/effective-bandwidth/beff/internal/input"
	"github.com/effective-bandwidth/beff/internal/lists"
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
	publish.Flags `set:"formats=${formats_of_sheets}"`
}

// verdictTexts returns the formats of verdicts in addition to the formats of documents.
func verdictTexts(list []*accept.Acceptance) []parts.Text {
	text := func(name, ending string, write func(io.Writer, []*accept.Acceptance) error) parts.Text {
		return parts.Text{Name: name, Ending: ending, Write: func(w io.Writer) error { return write(w, list) }}
	}
	return []parts.Text{text("json", ".json", accept.JSON), text("csv", ".csv", accept.Worksheet),
		text("junit", ".xml", accept.JUnit)}
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
	sheet, err := readSheet(c.Sheet, c.Set)
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
	list, refused, err := c.judge(p, sheet)
	if err != nil {
		return err
	}
	if c.Plan {
		dir := "" // the directory of the results, if the user names one
		if i := slices.IndexFunc(c.Results, publish.IsDirectory); i >= 0 {
			dir = c.Results[i]
		}
		for _, a := range list {
			if len(list) > 1 {
				fmt.Fprintf(p.Text, "# system %s\n", words.OneLine(a.System))
			}
			for _, line := range a.Plan(launch.Usual(os.Getenv), dir) {
				fmt.Fprintln(p.Text, line)
			}
		}
		return refused.End(p.Stderr)
	}
	if err := c.show(p, list); err != nil {
		return err
	}
	return errors.Join(refused.End(p.Stderr), verdictError(list))
}

// readSheet reads a sheet and applies the values of --set.
func readSheet(path string, set []string) (*accept.Sheet, error) {
	var sets []accept.Set
	for _, text := range set {
		key, value, both := strings.Cut(text, "=")
		if !both {
			return nil, fmt.Errorf("--set %s: want ID=LIMIT, such as latency='max 2 us', or system.nodes=256", text)
		}
		sets = append(sets, accept.Set{Key: strings.TrimSpace(key), Value: strings.TrimSpace(value)})
	}
	text, err := input.ReadAll(path, accept.MaxBytes)
	if err != nil {
		return nil, err
	}
	return accept.Parse(path, text, sets)
}

// stem returns the prefix of the names of the sheet's files.
func (c *acceptCommand) stem() string { return strings.TrimSuffix(filepath.Base(c.Sheet), ".toml") }

// judge reads the selected results, without copies of a measurement, and judges the systems. Results that don't verify
// don't count.
func (c *acceptCommand) judge(p *process.Process, sheet *accept.Sheet) (systems []*accept.Acceptance,
	refused publish.Refused, err error) {
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
		skipped := ""
		switch {
		case !slices.Contains(taken, f):
			skipped = accept.NotVerified + words.OneLine(terminal.Plain(f.Problem))
			e.Add(all[f].Taken) // its runs are refused
		case !slices.Contains(once, f):
			skipped = "a copy of another result"
		case !all[f].wanted:
			skipped = accept.Deselected
		default:
			e.Add(all[f].Taken)
		}
		e.See(accept.Read{File: f.Name(), Status: cmp.Or(all[f].Status, "not read"), System: all[f].System,
			Skipped: skipped})
	}
	w.PrintUnknown(p.Stderr)
	return lists.Each(e.Systems(), (*accept.Evidence).Judge), refused, nil
}

// show writes the verdicts.
func (c *acceptCommand) show(p *process.Process, list []*accept.Acceptance) error {
	formats, err := c.Chosen(publish.OfSheets(verdictTexts(list)...))
	if err != nil {
		return err
	}
	if c.Output == "" && len(c.Format) == 0 && !c.Verbose {
		formats = publish.MainLines
	}
	d := accept.Document(list)
	d.Next = launch.Line(slices.Concat([]string{"accept", c.Sheet}, c.Results, []string{"-o", c.stem() + ".pdf"})...)
	return c.Publish(p.Stdout, p.Stderr, []*publish.Publication{{Name: c.stem() + "-verdict", Document: d,
		Texts: verdictTexts(list)}}, formats)
}

// verdictError returns the error for a verdict that isn't accept.Met, with its exit code, or nil.
func verdictError(list []*accept.Acceptance) error {
	codes := map[accept.Verdict]int{accept.Missed: exit.Below, accept.Undecided: exit.Undecided,
		accept.NotMeasured: exit.Undecided, accept.ConditionFailed: exit.NotJudged}
	verdict := accept.Overall(list)
	code, fails := codes[verdict]
	if !fails {
		return nil
	}
	var names []string
	for _, a := range list {
		for _, j := range a.Judged {
			if j.Verdict == verdict {
				names = append(names, words.Either(len(list) > 1, a.System+": ", "")+j.ID)
			}
		}
	}
	return exit.With(code, fmt.Errorf("%s: %s", verdict, words.First(4, names, ", ", "")))
}

// baseline writes a sheet of requirements that the results meet.
func (c *acceptCommand) baseline(p *process.Process) error {
	results := slices.DeleteFunc(slices.Concat(c.Baseline, []string{c.Sheet}, c.Results),
		func(result string) bool { return result == "" })
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
