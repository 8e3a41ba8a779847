package offoreign

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/compare"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/words"
)

// Figures returns the pictures of a result: the times and the bandwidths of each table over lengths. IDs begin with the
// ID of the table's section.
func Figures(r *foreign.Result) []*document.Figure {
	var list []chart.Picture
	for i, name := range foreign.Names(r.Tables) {
		t := &r.Tables[i]
		for _, q := range shownQuantities {
			if !t.Lengths || quantities[q].axis.Scale == nil {
				continue
			}
			p := overLengths(q, sectionID(i)+"-"+quantities[q].name, words.OneLine(name))
			for k, column := range t.Columns {
				if column.Quantity == q {
					p.Series = append(p.Series, series(withoutUnit(column), t, k))
				}
			}
			list = append(list, p)
		}
	}
	return chart.Figures(list...)
}

// series returns the figures of a column over the length.
func series(name string, t *foreign.Table, k int) chart.Series {
	return curve(chart.Series{Name: name, Points: lists.Each(t.Rows, func(row foreign.Row) chart.Point {
		return chart.Point{X: float64(row.Bytes), Y: row.Values[k]}
	})})
}

// curve returns a series without the points that can't be drawn, or without any if there is only one.
func curve(s chart.Series) chart.Series {
	if s.Points = lists.Where(s.Points, chart.Point.Usable); len(s.Points) < 2 {
		s.Points = nil
	}
	return s
}

// overLengths returns the picture of a quantity over the length, without series.
func overLengths(q foreign.Quantity, id, title string) chart.Plot {
	axis := quantities[q].axis
	return chart.Plot{ID: id, X: chart.Length, Y: axis, Caption: title + ": " + axis.Name + " over message length."}
}

// overlay returns pictures of the figures of the compared tests over the length. Tests of b_eff_io's pattern types that
// all sides have share a picture for each access method and number of processes.
func overlay(names []string, sides []tests, pairs []compare.Pair) []*document.Figure {
	var list []chart.Picture
	var byAccess []*accessTests
	for i, g := range pairs[0].Groups {
		same := []test{sides[0][g.Of[0]]}
		labels := names[:1:1]
		for k, pair := range pairs {
			for _, other := range pair.Groups {
				if other.Of[0] == g.Of[0] {
					same, labels = append(same, sides[k+1][other.Of[1]]), append(labels, pair.Name)
				}
			}
		}
		first := same[0]
		q := quantities[first.quantity]
		if !first.Lengths || q.axis.Scale == nil {
			continue
		}
		if access, kind, is := first.patternType(); is && len(same) == len(sides) {
			at := slices.IndexFunc(byAccess, func(p *accessTests) bool {
				return p.access == access && p.processes == first.Processes
			})
			if at < 0 {
				at, byAccess = len(byAccess), append(byAccess, &accessTests{access: access, processes: first.Processes})
			}
			byAccess[at].kinds, byAccess[at].tests = append(byAccess[at].kinds, kind), append(byAccess[at].tests, same)
			continue
		}
		x := overLengths(first.quantity, fmt.Sprintf("compare-%d-%s", i+1, q.name), g.Name)
		for k, t := range same {
			x.Series = append(x.Series, t.series(labels[k]+", "+t.name, func(n int64) float64 { return float64(n) }))
		}
		list = append(list, x)
	}
	for _, p := range byAccess {
		list = append(list, p.picture(names))
	}
	return chart.Figures(list...)
}

// series returns the figures of a test over the length, whose place on the axis is at(bytes).
func (t test) series(name string, at func(bytes int64) float64) chart.Series {
	return curve(chart.Series{Name: name, Points: lists.Each(t.figures.Lines, func(l compare.Line) chart.Point {
		return chart.Point{X: at(l.Bytes), Y: l.Values[0].Value}
	})})
}

// patternType returns the access method and the pattern type of a test of b_eff_io by chunk size, and whether
// the test is one.
func (t test) patternType() (access, kind string, is bool) {
	access, kind, is = strings.Cut(t.Test, foreign.ByChunk("", ""))
	return access, kind, is && beffio.TypeNamed(kind) >= 0
}

// accessTests has the tests of an access method of b_eff_io: for each pattern type, one test of each side.
type accessTests struct {
	access    string
	processes int
	kinds     []string
	tests     [][]test
}

// picture returns a chart for each side with all pattern types (paper, Fig. 3). The caption has each side's b_eff_io.
func (p *accessTests) picture(names []string) chart.PlotGrid {
	lines := lists.Flat(slices.Concat(p.tests...), func(t test) []compare.Line { return t.figures.Lines })
	sizes := lists.Each(lines, func(l compare.Line) int64 { return l.Bytes })
	slices.Sort(sizes)
	x, at := chunkSizes(slices.Compact(sizes))
	g := chart.PlotGrid{ID: fmt.Sprintf("compare-types-%s-%d", p.access, p.processes), SharedAxes: true,
		Title: fmt.Sprintf("Bandwidth of %s by pattern type over the chunk size, %s", p.access,
			words.Processes(p.processes)),
		Alt: "Bandwidth over the chunk size, a chart for each system."}
	var ratings []string
	for side, name := range names {
		c := chart.Plot{X: x, Y: chart.Bandwidth.Named("bandwidth of all processes"), Of: "pattern types", Title: name}
		for k, kind := range p.kinds {
			c.Series = append(c.Series, p.tests[k][side].series(kind, at))
		}
		g.Plots = append(g.Plots, c)
		if r := p.tests[0][side].result.Rating; r != nil {
			ratings = append(ratings, fmt.Sprintf("%s has %s = %s", name, words.OneLine(r.Name),
				words.Bandwidths.Short(r.Value)))
		}
	}
	g.Caption = strings.TrimSpace(fmt.Sprintf("Bandwidth of %s over the size of the contiguous chunks on disk: a "+
		"chart for each system, with a curve for each pattern type. %s", p.access,
		words.Either(len(ratings) > 0, strings.Join(ratings, ", ")+".", "")))
	return g
}

// chunkSizes returns an axis of chunk sizes and their places on it, as in the paper's Fig. 3: a size is two steps from
// the one before, or one step if it is 8 bytes more.
func chunkSizes(sizes []int64) (chart.Quantity, func(bytes int64) float64) {
	const uneven = 8
	places, texts := map[int64]float64{}, map[float64]string{}
	s := chart.Scale{At: chart.Identity, Min: 0.5}
	place := 0.0
	for i, size := range sizes {
		label := chart.Binary(float64(size))
		place += 2
		switch {
		case i == 0:
			place = 1
		case size-sizes[i-1] == uneven:
			place, label = place-1, "+8"
		}
		places[size], texts[place] = place, words.Length(size)
		s.Ticks, s.Max = append(s.Ticks, plot.Tick{Value: place, Label: label}), place+0.5
	}
	return chart.Quantity{Name: "chunk size on disk", Scale: func([]float64) chart.Scale { return s },
		Label:  "contiguous chunk on disk in bytes (1k = 1024; +8: 8 bytes more)",
		Format: func(x float64) string { return texts[x] }}, func(bytes int64) float64 { return places[bytes] }
}
