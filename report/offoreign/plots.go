package offoreign

import (
	"fmt"

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
	s := chart.Series{Name: name}
	for _, row := range t.Rows {
		s.Points = append(s.Points, chart.Point{X: float64(row.Bytes), Y: row.Values[k]})
	}
	return curve(s)
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
	of := quantities[q].axis
	return chart.Plot{ID: id, X: chart.Length, Y: of, Caption: title + ": " + of.Name + " over message length."}
}

// overlay returns pictures of the figures that results have in common: those of the compared tests, over the length.
func overlay(names []string, sides []tests, pairs []compare.Pair) []*document.Figure {
	var list []chart.Picture
	for i, g := range pairs[0].Groups {
		first := sides[0][g.Of[0]]
		of := quantities[first.quantity]
		if !first.Lengths || of.axis.Scale == nil {
			continue
		}
		x := overLengths(first.quantity, fmt.Sprintf("compare-%d-%s", i+1, of.name), g.Name)
		add := func(name string, t test) {
			s := chart.Series{Name: name + ", " + t.name}
			for _, l := range t.figures.Lines {
				s.Points = append(s.Points, chart.Point{X: float64(l.Bytes), Y: l.Values[0].Value})
			}
			x.Series = append(x.Series, curve(s))
		}
		add(names[0], first)
		for k, pair := range pairs {
			for _, other := range pair.Groups {
				if other.Of[0] == g.Of[0] {
					add(pair.Name, sides[k+1][other.Of[1]])
				}
			}
		}
		list = append(list, x)
	}
	return chart.Figures(list...)
}
