package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/history"
	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/report/words"
)

// overTime follows the figures that the columns name, and finds what changed.
func (c *listCommand) overTime(p *process, formats []publish.Format) error {
	base, err := c.overTimeOf()
	if err != nil {
		return err
	}
	w, err := c.wanted()
	if err != nil {
		return err
	}
	points, _, refused, err := read(p.stderr, c.Results, &c.Flags, c.signed, w, true)
	if err != nil {
		return err
	}
	w.say(p.stderr)
	series, alone := history.Of(points, c.Columns)
	if len(series) == 0 {
		fmt.Fprintf(p.stderr, "beff: no history: %s, but no two of one system, class and size\n",
			words.Count(len(points), "result"))
	} else {
		paper := &publish.Paper{Name: "history", Document: history.Document(series, alone, base),
			CSV: func(w io.Writer) error { return document.TableCSV(w, history.Table(series)) }}
		if c.Output == "" && len(c.Format) == 0 && !c.Verbose {
			formats = publish.MainLines
		}
		paper.Document.Next = "beff list --over time " + report.Quoted(c.Results) + " -o history.html"
		if err := c.Publish(p.stdout, p.stderr, []*publish.Paper{paper}, formats); err != nil {
			return err
		}
	}
	if err := refused.End(p.stderr); err != nil || base == nil {
		return err
	}
	return gateOf(series, *base)
}

// overTimeOf checks the flags, and returns the baseline that they name: a date, or else a file of the results; nil:
// none.
func (c *listCommand) overTimeOf() (*history.Baseline, error) {
	switch {
	case c.All, c.Reference, c.Sort != "", c.Limit != 0:
		return nil, exit.Misuse("--all, --reference, --sort and --limit are of rankings: leave them out, or --over")
	case len(c.Results) == 0:
		return nil, exit.Misuse("list: want results")
	}
	for _, key := range c.Columns {
		if known := ranking.FigureKeys(); !slices.Contains(known, key) {
			return nil, exit.Misuse("--columns %s: over time want %s%s", key, strings.Join(known, ", "),
				words.Meant(key, known))
		}
	}
	if c.Baseline == "" {
		return nil, nil
	}
	if at, err := sinceWhen(c.Baseline, time.Now()); err == nil {
		if len(c.Baseline) == len("2006-01-02") { // all of the day
			at = at.AddDate(0, 0, 1).Add(-time.Second)
		}
		return &history.Baseline{Date: at}, nil
	}
	f := report.Read(c.Baseline)
	if !f.Usable {
		return nil, exit.Misuse("--baseline %s: want a date such as 2026-10-31, or a result file: %w", c.Baseline,
			f.Problem)
	}
	return &history.Baseline{Result: f.Basis().Measurement}, nil
}

// gateOf returns an error if a series is below the baseline, or can't be judged.
func gateOf(series []*history.Series, base history.Baseline) error {
	_, names, err := history.Judged(series, base)
	switch {
	case len(names) > 0:
		return exit.With(exit.Below, fmt.Errorf("below the baseline: %s", strings.Join(names, ", ")))
	case err != nil:
		return exit.With(exit.NotJudged, fmt.Errorf("--baseline can't be judged: %w", err))
	}
	return nil
}
