package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/launch"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/selection"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/report/trend"
	"github.com/effective-bandwidth/beff/report/words"
)

// trendCommand is `beff trend`.
type trendCommand struct {
	Results  []string `arg:"" name:"result" help:"${results}"`
	Baseline string   `placeholder:"FILE|DATE" help:"${trend_baseline}"`
	Columns  []string `placeholder:"NAME" help:"${trend_columns}"`
	verbose
	selection.Conditions
	publish.Flags
}

// Run is called by the command line.
func (c *trendCommand) Run(p *process.Process) error {
	formats, err := c.Chosen(publish.Without("kv"))
	if err != nil {
		return err
	}
	base, err := c.baseline()
	if err != nil {
		return err
	}
	w, err := c.Filter()
	if err != nil {
		return err
	}
	points, _, refused, err := selection.Read(p.Stderr, c.Results, &c.Flags, w, true)
	if err != nil {
		return err
	}
	w.PrintUnknown(p.Stderr)
	series, alone := trend.Of(points, c.Columns)
	if len(series) == 0 {
		fmt.Fprintf(p.Stderr, "beff: no trend: %s, but no two of one system, class and size\n",
			words.Count(len(points), "result"))
	} else {
		paper := &publish.Publication{Name: "trend", Document: trend.Document(series, alone, base),
			CSV: func(w io.Writer) error { return document.TableCSV(w, trend.Table(series)) }}
		paper.Document.Notices = append(paper.Document.Notices, refused.Notices()...)
		if c.Output == "" && len(c.Format) == 0 && !c.Verbose {
			formats = publish.MainLines
		}
		paper.Document.Next = launch.Line(append(append([]string{"trend"}, c.Results...), "-o", "trend.html")...)
		if err := c.Publish(p.Stdout, p.Stderr, []*publish.Publication{paper}, formats); err != nil {
			return err
		}
	}
	if err := refused.End(p.Stderr); err != nil || base == nil {
		return err
	}
	return gateOf(series, *base)
}

// baseline checks the columns, and returns the baseline: a date, or otherwise a file of the results. It is nil without
// one.
func (c *trendCommand) baseline() (*trend.Baseline, error) {
	for _, key := range c.Columns {
		if known := ranking.FigureKeys(); !slices.Contains(known, key) {
			return nil, exit.Misuse("--columns %s: want %s%s", key, strings.Join(known, ", "),
				words.DidYouMean(key, known))
		}
	}
	if c.Baseline == "" {
		return nil, nil
	}
	if at, err := selection.Since(c.Baseline, time.Now()); err == nil {
		if len(c.Baseline) == len("2006-01-02") { // the whole day
			at = at.AddDate(0, 0, 1).Add(-time.Second)
		}
		return &trend.Baseline{Date: at}, nil
	}
	f := report.Read(c.Baseline)
	if !f.Usable {
		return nil, exit.Misuse("--baseline %s: want a date such as 2026-10-31, or a result file: %w", c.Baseline,
			f.Problem)
	}
	return &trend.Baseline{Result: f.Basis().Measurement}, nil
}

// gateOf returns an error if a series is below the baseline, or can't be judged.
func gateOf(series []*trend.Series, base trend.Baseline) error {
	_, names, err := trend.JudgeAll(series, base)
	switch {
	case len(names) > 0:
		return exit.With(exit.Below, fmt.Errorf("below the baseline: %s", strings.Join(names, ", ")))
	case err != nil:
		code := words.Either(errors.Is(err, trend.ErrUndecided), exit.Undecided, exit.NotJudged)
		return exit.With(code, fmt.Errorf("--baseline can't be judged: %w", err))
	}
	return nil
}
