package offoreign

import (
	"fmt"

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
	for i := range r.Tables {
		t := &r.Tables[i]
		for _, q := range shownQuantities {
			if !t.Lengths || quantities[q].axis.Scale == nil {
				continue
			}
			p := overLengths(q, sectionID(i)+"-"+quantities[q].name, words.OneLine(t.Test))
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

// series returns the figures of a column over the length, or no points if there is only one.
func series(name string, t *foreign.Table, k int) chart.Series {
	s := chart.Series{Name: name}
	for _, row := range t.Rows {
		if p := (chart.Point{X: float64(row.Bytes), Y: row.Values[k]}); p.Usable() {
			s.Points = append(s.Points, p)
		}
	}
	if len(s.Points) < 2 {
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
			x.Series = append(x.Series, series(name+", "+words.OneLine(t.Test), t.Table, t.Main(t.quantity)))
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
