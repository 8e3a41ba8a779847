package ranking

import (
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// Sizes draws the rating per process over the number of processes: a curve for each system, class and library with two
// numbers of processes or more. It returns nil if there is none.
func (s *Section) Sizes(id string) *document.Figure {
	type key struct{ system, library, class, numbering string }
	var order []key
	rows := map[key][]*Row{}
	for r := range lists.Elements(s.Rows) {
		k := key{r.System.Name, r.Library, label(r.Class), r.Numbering}
		same := func(other *Row) bool { return other.Processes == r.Processes }
		if r.Rank == 0 || slices.ContainsFunc(rows[k], same) { // of rows with one number, the first is the best
			continue
		}
		if rows[k] == nil {
			order = append(order, k)
		}
		rows[k] = append(rows[k], r)
	}
	p := chart.Plot{ID: id, X: chart.Processes, Y: chart.Bandwidth.Named(s.Benchmark + " per process").LinearWithin(20),
		Of: "systems", Title: s.Benchmark + " per process over the number of processes"}
	p.Caption = p.Title + ", of systems with several numbers."
	for _, k := range order {
		list := rows[k]
		if len(list) < 2 {
			continue
		}
		slices.SortFunc(list, func(a, b *Row) int { return a.Processes - b.Processes })
		name := k.system
		if s.byLibrary() && list[0].LibraryName != "" {
			name += ", " + list[0].LibraryName
		}
		if len(s.classes()) > 1 {
			name += ", " + k.class
		}
		var points []chart.Point
		for _, r := range list {
			n := float64(r.Processes)
			point := chart.Point{X: n, Y: r.Rating() / n}
			if in := r.interval(); in != nil {
				point.Low, point.High, p.Bars = in.Low/n, in.High/n, "the 95 % intervals"
			}
			points = append(points, point)
		}
		p.Series = append(p.Series, chart.Series{Name: name, Points: points})
	}
	if unrated(s.Benchmark) || len(p.Series) == 0 {
		return nil
	}
	f := p.Figure()
	if f != nil {
		f.Label = s.modelLabel()
		f.Source = words.Count(len(p.Series), "system") + words.Either(f.Label == "", "", ", computed by models")
	}
	return f
}
