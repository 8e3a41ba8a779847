package accept

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/history"
	"github.com/effective-bandwidth/beff/report/words"
)

// near is the margin below which a result is said to be near its limit.
const near = 0.05

// past is the results of a requirement over time.
type past struct {
	*Requirement
	runs    []Run // that count and have a date, the oldest first
	closest int   // index of the one that is nearest to the limit, or farthest on its wrong side
}

// margin returns the distance of a value to the nearer limit as a part of it, below 0 on its wrong side.
func (t Threshold) margin(value float64) float64 {
	margin := math.Inf(1)
	if !math.IsInf(t.Low, 0) {
		margin = value/t.Low - 1
	}
	if !math.IsInf(t.High, 0) {
		margin = min(margin, 1-value/t.High)
	}
	return margin
}

// History returns the requirements with thresholds over time: which came near its limit, and when.
func (e *Evidence) History() *document.Document {
	var list []*past
	for _, r := range e.Requirements {
		p := &past{Requirement: r}
		for _, run := range e.runs[r] {
			if run.Refused == "" && !run.Date.IsZero() {
				p.runs = append(p.runs, run)
			}
		}
		if !r.Threshold.Given() || len(p.runs) == 0 {
			continue
		}
		slices.SortStableFunc(p.runs, func(x, y Run) int { return x.Date.Compare(y.Date) })
		for i, run := range p.runs {
			if r.Threshold.margin(run.Value) < r.Threshold.margin(p.runs[p.closest].Value) {
				p.closest = i
			}
		}
		list = append(list, p)
	}
	slices.SortStableFunc(list, func(x, y *past) int {
		a, b := x.Threshold.margin(x.runs[x.closest].Value), y.Threshold.margin(y.runs[y.closest].Value)
		return compareMargins(&Judged{Margin: a}, &Judged{Margin: b})
	})
	d := &document.Document{Title: e.Title + " over time", Subtitle: strings.Trim(e.Version+", "+
		words.Count(e.results, "result"), ", ")}
	if len(list) == 0 {
		d.Notices = []document.Notice{{Level: document.Note, Text: "No result that counts has a figure of the sheet " +
			"and a date: beff accept says why"}}
		d.Screen = []document.Fact{{Value: d.Notices[0].Text}}
		return d
	}
	d.Screen = historyScreen(list)
	d.Sections = []document.Section{{ID: "nearest", Title: "How near the limits came", Blocks: []document.Block{
		nearest(list)}}}
	for i, p := range list {
		s := document.Section{ID: fmt.Sprint("past-", i+1), Title: p.ID}
		if f := p.picture(i + 1); f != nil {
			s.Blocks = append(s.Blocks, f)
		}
		s.Blocks = append(s.Blocks, p.table(i+1))
		d.Sections = append(d.Sections, s)
	}
	return d
}

// historyScreen returns the first screen: how many came near their limits, and those that came nearest.
func historyScreen(list []*past) []document.Fact {
	beyond, close := 0, 0
	for _, p := range list {
		switch m := p.Threshold.margin(p.runs[p.closest].Value); {
		case m < 0:
			beyond++
		case m < near:
			close++
		}
	}
	rows := []document.Fact{{Value: fmt.Sprintf("%s: results of %d were beyond their limit, of %d within %.0f %% of it",
		words.Count(len(list), "requirement"), beyond, close, 100*near)}}
	const room = 4
	for _, p := range list[:min(room, len(list))] {
		run := p.runs[p.closest]
		rows = append(rows, document.Fact{Name: p.ID, Value: fmt.Sprintf("%s on %s, %s, %s", p.Shown(run.Value),
			run.Date.UTC().Format(time.DateOnly), p.Threshold.Text, percentOf(p.Threshold.margin(run.Value)))})
	}
	return rows
}

// percentOf returns a margin in words.
func percentOf(margin float64) string { return (&Judged{Margin: margin}).marginText() }

// nearest returns the table of the results that came nearest to limits.
func nearest(list []*past) *document.Table {
	t := &document.Table{ID: "nearest-table", Sortable: true, Columns: document.Heads("requirement", "limit", "nearest",
		"margin [%]", "date", "newest", "margin then [%]", "results []", "file"),
		Caption: "The result of each requirement that came nearest to its limit, and the newest one. A margin below " +
			"0 is on the limit's wrong side. These are single results: beff accept judges them."}
	for _, p := range list {
		run, last := p.runs[p.closest], p.runs[len(p.runs)-1]
		margin := func(x float64) document.Cell {
			m := p.Threshold.margin(x)
			return document.Number(100*m, strings.TrimSuffix(percentOf(m), " %"))
		}
		t.Add(p.ID, p.Threshold.Text, p.Shown(run.Value), margin(run.Value), run.Date.UTC().Format(time.DateOnly),
			p.Shown(last.Value), margin(last.Value), document.Whole(len(p.runs)), run.File)
	}
	return t
}

// picture returns the results of a requirement over time, with its limits.
func (p *past) picture(i int) *document.Figure {
	plot := chart.Plot{ID: fmt.Sprint("past-figure-", i), Title: p.ID + " over time", X: chart.Date,
		Y: history.Quantity(p.Name, p.Unit), Caption: p.Title + " over time, with the limit: " + p.Threshold.Text + "."}
	for _, run := range p.runs {
		name := run.System + ", " + run.basis.Library
		at := slices.IndexFunc(plot.Series, func(s chart.Series) bool { return s.Name == name })
		if at < 0 {
			at, plot.Series = len(plot.Series), append(plot.Series, chart.Series{Name: name, Dots: true})
		}
		plot.Series[at].Points = append(plot.Series[at].Points, chart.Point{X: chart.Day(run.Date), Y: run.Value})
	}
	for _, limit := range []float64{p.Threshold.Low, p.Threshold.High} {
		if math.IsInf(limit, 0) || len(p.runs) < 2 {
			continue
		}
		s := chart.Series{Name: "limit"}
		for _, run := range p.runs {
			s.Points = append(s.Points, chart.Point{X: chart.Day(run.Date), Y: limit})
		}
		plot.Series = append(plot.Series, s)
	}
	return plot.Figure()
}

// table returns all results of a requirement.
func (p *past) table(i int) *document.Table {
	t := &document.Table{ID: fmt.Sprint("past-table-", i), Detail: true, Columns: document.Heads("date", "value",
		"margin [%]", "system", "library", "file"), Caption: "All results of " + p.ID + " that count."}
	for _, run := range p.runs {
		m := p.Threshold.margin(run.Value)
		t.Add(run.Date.UTC().Format("2006-01-02 15:04"), p.Shown(run.Value),
			document.Number(100*m, strings.TrimSuffix(percentOf(m), " %")), run.System, run.Library, run.File)
	}
	return t
}
