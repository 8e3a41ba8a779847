// Package selection selects the results that a command uses: by a condition on their columns, and by their date.
package selection

import (
	"fmt"
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
	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/report/tidy"
	"github.com/effective-bandwidth/beff/report/trend"
	"github.com/effective-bandwidth/beff/report/words"
)

// Conditions holds the flags of commands that read results, and select some of them.
type Conditions struct {
	Where []string `placeholder:"CONDITION" sep:"none" help:"${where}"`
	Since string   `placeholder:"DATE" help:"${since}"`
}

// Filter selects the results that the flags ask for.
type Filter struct {
	*tidy.Condition
	since time.Time
	has   map[string]bool // columns in which a result had a value
	count int
}

// Filter returns the filter for the flags.
func (c Conditions) Filter() (*Filter, error) {
	w := &Filter{has: map[string]bool{}}
	var err error
	if w.Condition, err = tidy.NewCondition(c.Where, report.Fields); err != nil {
		return nil, exit.Misuse("--where: %w", err)
	}
	if !report.OfResults(w.Condition) {
		return nil, exit.Misuse("--where %s: not all of these columns are columns of results: beff export takes "+
			"columns of their rows, too", strings.Join(c.Where, ", "))
	}
	if c.Since != "" {
		w.since, err = Since(c.Since, time.Now())
	}
	return w, err
}

// Accepts reports whether a result is selected.
func (w *Filter) Accepts(e *ranking.Entry) bool {
	w.count++
	row := e.Row()
	if w.NeverKnown() != "" {
		for _, f := range ranking.Fields("") {
			_, x, _ := row(f.Name)
			w.has[f.Name] = w.has[f.Name] || x != nil
		}
	}
	return w.Holds(row) && !e.Date.Before(w.since)
}

// PrintUnknown prints which column of the condition has a value in no result, and the similar columns that have one.
func (w *Filter) PrintUnknown(stderr io.Writer) {
	name := w.NeverKnown()
	if name == "" || w.count == 0 {
		return
	}
	var alike []string
	for key, has := range w.has {
		if has && strings.Contains(key, tidy.KeyOf(name)) {
			alike = append(alike, key)
		}
	}
	slices.Sort(alike)
	fmt.Fprintf(stderr, "beff: --where: no result has %s%s\n", name,
		words.Either(len(alike) > 0, "; they have "+words.Joined(alike, "and"), ""))
}

// Choose returns the files that the flags select. It keeps unusable files.
func (c Conditions) Choose(stderr io.Writer, list []*report.File) ([]*report.File, error) {
	w, err := c.Filter()
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(f *report.File) bool { return f.Usable && !w.AcceptsFile(f) })
	w.PrintUnknown(stderr)
	return list, nil
}

// AcceptsFile reports whether the result in a file is selected.
func (w *Filter) AcceptsFile(f *report.File) bool {
	e := f.Entry()
	return w.Accepts(&e)
}

// RowFilter returns the filters for results and for their rows: a condition on columns that results don't have selects
// rows of all results. rows is nil if all rows are selected.
func (c Conditions) RowFilter() (w *Filter, rows *tidy.Condition, err error) {
	if rows, err = tidy.NewCondition(c.Where, report.Fields); err != nil || report.OfResults(rows) {
		w, err = c.Filter()
		return w, nil, err
	}
	w, err = Conditions{Since: c.Since}.Filter()
	return w, rows, err
}

// Each calls add with the selected results, without copies of a measurement: in order and a few at a time, so that
// thousands of them need little memory.
func Each(stderr io.Writer, results []string, flags *publish.Flags, w *Filter,
	add func(*report.File) error) (refused publish.Refused, err error) {
	paths, err := report.Find(results)
	if err != nil {
		return refused, err
	}
	copies := new(report.Copies)
	const together = 8
	for some := range slices.Chunk(paths, together) {
		taken, not := flags.Take(publish.ReadPaths(some, results, nil))
		refused.Add(not)
		for _, f := range copies.Drop(taken) {
			if !w.AcceptsFile(f) {
				continue
			}
			if err := add(f); err != nil {
				return refused, err
			}
		}
	}
	w.PrintUnknown(stderr)
	publish.PrintCopies(stderr, copies)
	return refused, nil
}

// Since returns the time for a date, or for a number of days before now.
func Since(text string, now time.Time) (time.Time, error) {
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

// Read reads the selected results of paths, without copies of a measurement, with the facts for lists and histories.
// files holds the files by their paths, without their samples. The facts for histories (facts) take most of the memory
// of thousands of results.
func Read(stderr io.Writer, results []string, flags *publish.Flags, w *Filter, facts bool) (
	points []trend.Point, files map[string]*report.File, refused publish.Refused, err error) {
	// Hardly anything of a file is kept. With fewer collections reading a thousand files takes a tenth less time.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	all := map[*report.File]trend.Point{}
	var lock sync.Mutex
	list, err := publish.Read(results, func(f *report.File) {
		if f.Usable {
			point := trend.Point{Entry: f.Entry(), Path: f.Path}
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
		return nil, nil, refused, err
	}
	taken, refused := flags.Take(list)
	files = map[string]*report.File{}
	for _, f := range publish.WithoutCopies(stderr, taken) {
		if point := all[f]; w.Accepts(&point.Entry) {
			points, files[f.Path] = append(points, point), f
		}
	}
	return points, files, refused, nil
}
