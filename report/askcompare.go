package report

import (
	"cmp"
	"slices"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/compare"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/report/tidy"
)

// Has reports whether a result has rows that the question asks for.
func (a *Asked) Has(f *File) bool { return len(a.tables(f)) > 0 }

// compared returns the comparison of what the question asks of sides with the first one.
func (a *Asked) compared(names []string, sides []Side) (*compare.Comparison, error) {
	var runs [][]*File
	var tables [][]compare.Table
	for _, s := range sides {
		var list []compare.Table
		for _, f := range s {
			list = append(list, a.tables(f)...)
		}
		runs, tables = append(runs, s), append(tables, compare.Joined(list))
	}
	return compare.Kind[File]{
		Title: "Means", Each: "figure", Shown: "Means of both sides",
		Head:     func(f *File) parts.Head { return f.report.Head() },
		Fact:     func(*File) string { return "" },
		Nothing:  "no row of both is as --row, --by, --of and --where want it",
		Against:  func(i int) compare.Pair { return compare.Match(tables[0], tables[i], nil) },
		Pictures: func([]compare.Pair) []*document.Figure { return nil },
		Method: []string{"Compared are geometric means of the rows that were asked for, where both sides have them. " +
			"What can't be averaged is compared by itself. A ratio is that of the figures, or the inverse one of " +
			"times."},
		Spread:  "Repetitions are the runs of a side.",
		Unknown: "Means of the rows of one run have no interval: compare several runs of each side.",
	}.Compare(names, runs)
}

// tables returns what the question asks of a result as tables to compare: one for each figure, each value that tables
// are by, and for all that can't be averaged.
func (a *Asked) tables(f *File) (list []compare.Table) {
	var own tidy.Answer
	e := f.Entry()
	a.answered(&own, f, &e, nil)
	at := map[string]int{}
	for _, g := range own.Tables {
		g.Order()
		for _, row := range g.Rows {
			place, others := a.place(row.Facts)
			for k, m := range g.Measures {
				x := g.Cell(row, g.Cols[0], k)
				if !(x > 0) {
					continue
				}
				name := labels(slices.Concat([]tidy.Fact{{Value: m.Name}}, g.By, others))
				n, there := at[name]
				if !there {
					n, at[name] = len(list), len(list)
					list = append(list, compare.Table{Name: name})
				}
				list[n].Lines = append(list[n].Lines, compare.Line{At: place, Sampled: compare.Sampled{Value: x,
					Model: f.model()}, Values: []compare.Value{{Figure: figureOf(m), Value: x}}})
			}
		}
	}
	return list
}

// place returns the place of a row in its table, by what was asked for, and the other values that are known of it.
func (a *Asked) place(facts []tidy.Fact) (place compare.At, others []tidy.Fact) {
	var asked []tidy.Fact
	for i, f := range facts {
		bytes, length := f.Value.(int64)
		switch {
		case i < len(a.Row) && length && f.Unit == "B" && place.Bytes == 0:
			place.Bytes = bytes
		case i < len(a.Row):
			asked = append(asked, f)
		case f.Value != nil:
			others = append(others, f)
		}
	}
	place.Label = labels(asked)
	return place, others
}

// figureOf returns a column of numbers as a figure.
func figureOf(c tidy.Column) rating.Figure {
	all := ranking.AllFigures()
	if i := slices.IndexFunc(all, func(f rating.Figure) bool { return f.Key == c.Name }); i >= 0 {
		return all[i]
	}
	units := map[string]rating.Unit{rating.Bandwidth.Base: rating.Bandwidth, rating.Latency.Base: rating.Latency}
	return rating.Figure{Key: c.Name, Name: c.Name, Less: c.Unit == rating.Latency.Base,
		Unit: cmp.Or(units[c.Unit], rating.Unit{Base: c.Unit, Shown: c.Unit, Scale: 1})}
}
