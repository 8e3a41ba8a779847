package main

import (
	"io"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/history"
	"github.com/effective-bandwidth/beff/report/ranking"
)

// chosen holds the flags of commands that take many results, and not all of them.
type chosen struct {
	Where []string `placeholder:"CONDITION" sep:"none" help:"${where}"`
	Since string   `placeholder:"DATE" help:"${since}"`
}

// choose returns the results that the flags ask for. A bandwidth without a unit has as many MB/s as shown says of a
// result; nil: one.
func (c chosen) choose(points []history.Point, now time.Time, shown func(*ranking.Entry) float64) ([]history.Point,
	error) {
	for _, text := range c.Where {
		holds, err := ranking.NewFilter(text, shown)
		if err != nil {
			return nil, exit.Misuse("--where: %w", err)
		}
		points = slices.DeleteFunc(points, func(p history.Point) bool { return !holds(&p.Entry) })
	}
	if c.Since == "" {
		return points, nil
	}
	since, err := sinceWhen(c.Since, now)
	return slices.DeleteFunc(points, func(p history.Point) bool { return p.Date.Before(since) }), err
}

// sinceWhen returns the time that a date or a number of days before now names.
func sinceWhen(text string, now time.Time) (time.Time, error) {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n >= 0 {
			return now.AddDate(0, 0, -n), nil
		}
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02 15:04", "2006-01-02T15:04", "2006-01-02", "2006-01",
		"2006"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	return now, exit.Misuse("%q: want a date such as 2026-10-31 or 2026-10, or days before today, such as 30d", text)
}

// read reads the results of paths, each measurement once, with what lists and histories need of them. Facts, which
// histories need, take most of the memory of thousands of results. Keep gets each file while it is in memory, from
// several goroutines; it may be nil.
func read(stderr io.Writer, results []string, flags *publish.Flags, by signed, facts bool,
	keep func(*report.File)) (points []history.Point, refused publish.Refused, err error) {
	// Hardly anything of a file is kept. With fewer collections a thousand files take a tenth less time.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	all := map[*report.File]history.Point{}
	var lock sync.Mutex
	files, err := by.read(results, func(f *report.File) {
		if f.Usable {
			if keep != nil {
				keep(f)
			}
			point := history.Point{Entry: f.Entry(), Path: f.Path}
			if facts {
				point.Facts, point.Known = f.Facts(), f.RecordsEnvironment()
			}
			lock.Lock()
			defer lock.Unlock()
			all[f] = point
			f.Forget()
		}
	})
	if err != nil {
		return nil, refused, err
	}
	taken, refused := flags.Take(files)
	for _, f := range publish.Once(stderr, taken) {
		points = append(points, all[f])
	}
	return points, refused, nil
}
