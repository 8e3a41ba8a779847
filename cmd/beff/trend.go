package main

import (
	"cmp"
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
	Baseline string   `placeholder:"FILE|DATE[,AGE]" help:"${trend_baseline}"`
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
	gate, err := c.gate()
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
	var judged []document.Notice
	var verdict error
	if gate != nil {
		judged, verdict = judge(gate, series, points)
	}
	if len(series) == 0 {
		fmt.Fprintf(p.Stderr, "beff: no trend: %s, but no two with a date and the same system, class and size\n",
			words.Count(len(points), "result"))
	} else {
		paper := &publish.Publication{Name: "trend", Document: trend.Document(series, alone, judged),
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
	return cmp.Or(refused.End(p.Stderr), verdict)
}

// gate checks the columns, and returns the gate of --baseline, or nil without the flag, which has a date or a result
// file, and after a comma, if there is one, the largest age of the newest result.
func (c *trendCommand) gate() (*trend.Gate, error) {
	for _, key := range c.Columns {
		if known := ranking.FigureKeys(); !slices.Contains(known, key) {
			return nil, exit.Misuse("--columns %s: want %s%s", key, strings.Join(known, ", "),
				words.DidYouMean(key, known))
		}
	}
	if c.Baseline == "" {
		return nil, nil
	}
	name, gate := c.Baseline, &trend.Gate{Now: time.Now()}
	if at := strings.LastIndex(name, ","); at > 0 {
		if age, err := time.ParseDuration(name[at+1:]); err == nil && age > 0 {
			name, gate.MaxAge = name[:at], age
		}
	}
	if at, err := selection.Since(name, gate.Now); err == nil {
		if len(name) == len("2006-01-02") { // the whole day
			at = at.AddDate(0, 0, 1).Add(-time.Second)
		}
		gate.Date = at
		return gate, nil
	}
	f := report.Read(name)
	if !f.Usable {
		return nil, exit.Misuse("--baseline %s: want a date such as 2026-10-31, or a result file: %w", c.Baseline,
			f.Problem)
	}
	gate.Result = f.Basis().Measurement
	return gate, nil
}

// judge returns the gate's notices, and an error if a series is below the baseline, or results can't be judged.
func judge(gate *trend.Gate, series []*trend.Series, points []trend.Point) ([]document.Notice, error) {
	notices, names, err := gate.Judge(series, points)
	switch {
	case len(names) > 0:
		err = exit.With(exit.Below, fmt.Errorf("below the baseline: %s", strings.Join(names, ", ")))
	case err != nil:
		code := words.Either(errors.Is(err, trend.ErrUndecided), exit.Undecided, exit.NotJudged)
		err = exit.With(code, fmt.Errorf("--baseline can't be judged: %w", err))
	}
	return notices, err
}
