package main

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/history"
	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/report/words"
)

// historyCommand is `beff history`.
type historyCommand struct {
	Results  []string `arg:"" name:"result" help:"${list_results}"`
	Figure   []string `placeholder:"NAME" help:"${history_figure}"`
	Baseline string   `placeholder:"FILE|DATE" help:"${history_baseline}"`
	chosen
	signed
	publish.Flags
}

// Run is called by the command line.
func (c *historyCommand) Run(p *process) error {
	formats, err := c.Chosen(publish.Without("kv"))
	if err != nil {
		return err
	}
	for _, key := range c.Figure {
		if !slices.Contains(ranking.FigureKeys(), key) {
			return exit.Misuse("--figure %s: want %s%s", key, strings.Join(ranking.FigureKeys(), ", "),
				words.Meant(key, ranking.FigureKeys()))
		}
	}
	base, err := c.base()
	if err != nil {
		return err
	}
	points, refused, err := read(c.Results, &c.Flags, c.signed, true, nil)
	if err != nil {
		return err
	}
	if points, err = c.choose(points, time.Now()); err != nil {
		return err
	}
	series, alone := history.Of(points, c.Figure)
	if len(series) == 0 {
		fmt.Fprintf(p.stderr, "beff: no history: %s, but no two of one system, class and size\n",
			words.Count(len(points), "result"))
		return publish.Refuse(p.stderr, refused, len(c.Results))
	}
	paper := &publish.Paper{Name: "history", Document: history.Document(series, alone, base),
		Table: history.Table(series)}
	if err := c.Publish(p.stdout, p.stderr, []*publish.Paper{paper}, formats); err != nil {
		return err
	}
	if err := publish.Refuse(p.stderr, refused, len(c.Results)); err != nil || base == nil {
		return err
	}
	return gateOf(series, *base)
}

// gateOf returns an error if a series is below the baseline, or if none has it.
func gateOf(series []*history.Series, base history.Baseline) error {
	names, of := history.Below(series, base)
	switch {
	case of == 0:
		return fmt.Errorf("--baseline: no series has results of it and behind it")
	case len(names) > 0:
		return exit.With(exit.Below, fmt.Errorf("below the baseline: %s", strings.Join(names, ", ")))
	}
	return nil
}

// base returns the baseline that the flag names: a date, or else a file of the results.
func (c *historyCommand) base() (*history.Baseline, error) {
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
	return &history.Baseline{File: f.Name()}, nil
}

// read reads the results of paths, with what lists and histories need of them, and returns an error for each that is
// refused. Facts, which histories need, take most of the memory of thousands of results. Keep gets each file while it
// is in memory, from several goroutines; it may be nil.
func read(results []string, flags *publish.Flags, by signed, facts bool,
	keep func(*report.File)) (points []history.Point, refused []error, err error) {
	// Hardly anything of a file is kept. With fewer collections a thousand files take a tenth less time.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	all := map[*report.File]history.Point{}
	var lock sync.Mutex
	files, err := publish.Read(results, func(f *report.File) {
		if f.Usable {
			if keep != nil {
				keep(f)
			}
			e, listed := f.Entry()
			point := history.Point{Entry: e, Path: f.Path}
			if facts {
				point.Facts, point.Known = f.Facts(), f.RecordsEnvironment()
			}
			lock.Lock()
			defer lock.Unlock()
			if listed {
				all[f] = point
			}
			f.Forget()
		}
	})
	if err != nil {
		return nil, nil, err
	}
	if _, err := by.check(files); err != nil {
		return nil, nil, err
	}
	taken, refused := flags.Take(files)
	for _, f := range taken {
		if p, listed := all[f]; listed {
			points = append(points, p)
		}
	}
	return points, refused, nil
}
