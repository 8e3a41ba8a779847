package report

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/report/tidy"
	"github.com/effective-bandwidth/beff/report/words"
)

// Asked is a question with what is known of its answer.
type Asked struct {
	tidy.Question
	answer  tidy.Answer
	cells   rating.Cells
	longest map[int]int64 // of the first result of each cell
	results int
	lacking []string // names of results that have no such rows
}

// results is a table with a row for each result, whose columns are those of lists.
var results = tidy.Of("results", "results", nil, lists.Elements(make([]struct{}, 1)))

// Ask returns a question about results. Its rows are results if lists have all of its names, else those of the first
// table of a result that has the others.
func Ask(where, row, col, by, of []string) (*Asked, error) {
	a := &Asked{Question: tidy.Question{Row: row, Col: col, By: by, Of: of}, longest: map[int]int64{}}
	var err error
	if a.Where, err = tidy.NewCondition(where, Fields); err != nil {
		return nil, fmt.Errorf("--where: %w", err)
	}
	for _, name := range a.Names() {
		if len(Fields(name)) == 0 {
			return nil, tidy.Unknown(name, Fields(""))
		}
	}
	for _, name := range of {
		if !slices.ContainsFunc(Fields(name), func(c tidy.Column) bool { return c.Kind != tidy.Text }) {
			return nil, fmt.Errorf("--of %s: want a column of numbers", name)
		}
	}
	return a, nil
}

// Add adds the rows of a result.
func (a *Asked) Add(f *File) {
	e := f.Entry()
	a.results++
	if !a.answered(&a.answer, f, &e, a.apart(&e)) {
		a.lacking = append(a.lacking, f.Name())
	}
}

// answered adds the rows of a result to an answer, apart from those of results with other facts. It reports false if
// it has none that are wanted.
func (a *Asked) answered(answer *tidy.Answer, f *File, e *ranking.Entry, apart []tidy.Fact) bool {
	t := a.table(f)
	if t == nil {
		return false
	}
	r := tidy.Result{Row: e.Row(), Class: e.Class.String(), Apart: apart}
	for _, c := range t.Columns {
		if c.Role == tidy.Main {
			r.Main = append(r.Main, c.Name)
		}
	}
	if t == results {
		for _, f := range ranking.Followed(e.Benchmark, nil) {
			r.Main = append(r.Main, f.Key)
		}
	}
	if e.Way != "" {
		r.Class += ", " + e.Way
	}
	if !e.Status.Valid() {
		r.Class += ", " + e.Status.String()
	}
	return answer.Add(&a.Question, r, t)
}

// table returns the table of a result that the question is about, nil if it has none.
func (a *Asked) table(f *File) *tidy.Table {
	others := slices.DeleteFunc(a.Names(), func(name string) bool { return len(ranking.Fields(name)) > 0 })
	if len(others) == 0 {
		return results
	}
	r, has := f.report.(tabled)
	if !has {
		return nil
	}
	list := r.Tables()
	slices.SortStableFunc(list, byRows)
	i := slices.IndexFunc(list, func(t *tidy.Table) bool {
		return !slices.ContainsFunc(others, func(name string) bool { return !t.Has(name) })
	})
	if i < 0 {
		return nil
	}
	return list[i]
}

// apart returns the facts in which results differ that may not be averaged.
func (a *Asked) apart(e *ranking.Entry) (list []tidy.Fact) {
	n, first := a.cells.Of(e.Basis())
	if first {
		a.longest[n] = e.Longest
	}
	row := e.Row()
	for _, c := range ranking.Fields("") {
		if c.Role == tidy.Apart {
			_, x, _ := row(c.Name)
			list = append(list, tidy.Fact{Column: c, Value: x})
		}
	}
	longest := tidy.Column{Name: "longest", Kind: tidy.Integer, Unit: "B"}
	return append(list, tidy.Fact{Column: longest, Value: a.longest[n]})
}

// Lacking names the results that have no rows that the question asks for; empty: all have some.
func (a *Asked) Lacking() string {
	return words.Either(len(a.lacking) > 0, "without such rows: "+words.Some(a.lacking), "")
}

// Document returns the answer: a table for each class, and for each value that tables are by.
func (a *Asked) Document() (*document.Document, error) {
	d := &document.Document{Title: "Means", Subtitle: words.Count(a.results, "result")}
	if text := a.Lacking(); text != "" {
		d.Notices = append(d.Notices, document.Notice{Level: document.Note, Text: text})
	}
	for i, g := range a.answer.Tables {
		g.Order()
		title := g.Class
		for _, f := range g.By {
			title += ", " + label(f.Name, f.Value)
		}
		d.Sections = append(d.Sections, document.Section{ID: fmt.Sprint("asked-", i+1), Title: title,
			Blocks: []document.Block{a.grid(g, i)}})
	}
	if len(d.Sections) == 0 {
		return nil, errNoRow
	}
	return d, nil
}

var errNoRow = errors.New("no row is as --where wants it, and has the columns that are asked for")

// Table returns the answer to a question without columns as one table: a line for each row, with its means.
func (a *Asked) Table() (*tidy.Table, error) {
	t := &tidy.Table{Name: "means", About: "geometric means of what was asked for"}
	class := tidy.Column{Name: "class", Kind: tidy.Text, About: "results of others are in lines of their own"}
	var lines []map[string]any
	for _, g := range a.answer.Tables {
		g.Order()
		for _, row := range g.Rows {
			facts := append([]tidy.Fact{{Column: class, Value: g.Class}}, row.Facts...)
			for k, m := range g.Measures {
				m.Kind = tidy.Real
				facts = append(facts, tidy.Fact{Column: m, Value: g.Cell(row, g.Cols[0], k)})
			}
			line := map[string]any{}
			for _, f := range facts {
				if f.Value == nil {
					continue
				}
				if line[f.Name] = f.Value; !t.Has(f.Name) {
					t.Columns = append(t.Columns, f.Column)
				}
			}
			lines = append(lines, line)
		}
	}
	t.Rows = func(yield func([]any) bool) {
		for _, line := range lines {
			row := lists.Each(t.Columns, func(c tidy.Column) any { return line[c.Name] })
			if !yield(row) {
				return
			}
		}
	}
	if len(lines) == 0 {
		return nil, errNoRow
	}
	return t, nil
}

// grid returns the i-th table.
func (a *Asked) grid(g *tidy.Grid, i int) *document.Table {
	heads, at := g.Heads(len(a.Row))
	t := &document.Table{ID: fmt.Sprint("means-", i+1), Sortable: true,
		Caption: fmt.Sprintf("%s of %s in %s.", g.Shown(), words.Count(g.Results, "result"), g.Of)}
	if over := g.Means(); over != "" {
		t.Caption = strings.TrimSuffix(t.Caption, ".") + ": geometric means over " + over + "."
	}
	for _, c := range heads {
		t.Columns = append(t.Columns, document.Column{Name: c.Name, Unit: words.Either(c.Unit == "B", "B", ""),
			Numbers: c.Kind != tidy.Text})
	}
	scales := make([]float64, len(g.Measures))
	for k, m := range g.Measures {
		var unit string
		scales[k], unit = scaleOf(g, k, m.Unit)
		for _, col := range g.Cols {
			name := labels(col.Facts)
			if name == "" {
				name = m.Name
			} else if len(g.Measures) > 1 {
				name += " " + m.Name
			}
			t.Columns = append(t.Columns, document.Column{Name: name, Unit: unit, Numbers: true})
		}
	}
	for _, row := range g.Rows {
		cells := lists.Each(at, func(i int) document.Cell { return keyCell(row.Facts[i].Value) })
		for k := range g.Measures {
			for _, col := range g.Cols {
				cells = append(cells, meanCell(g.Cell(row, col, k)/scales[k]))
			}
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// scaleOf returns the unit that a measure is shown in, and its size.
func scaleOf(g *tidy.Grid, measure int, base string) (float64, string) {
	most := 0.0
	for _, row := range g.Rows {
		for _, col := range g.Cols {
			if x := g.Cell(row, col, measure); x > most {
				most = x
			}
		}
	}
	switch {
	case base == rating.Bandwidth.Base:
		return rating.Bandwidth.Scale, rating.Bandwidth.Shown
	case base == rating.Latency.Base && most < 1:
		return rating.Latency.Scale, rating.Latency.Shown
	case base == tidy.YesNo:
		return 1, ""
	}
	return 1, base
}

// label returns a value with the name of its column, unless it is a text.
func label(name string, value any) string {
	switch x := value.(type) {
	case nil:
		return "no " + name
	case string:
		return x
	}
	return name + " " + words.Cell(value)
}

// labels returns the values that a column of the table has the rows of.
func labels(facts []tidy.Fact) string {
	return strings.Join(lists.Each(facts, func(f tidy.Fact) string { return label(f.Name, f.Value) }), ", ")
}

// keyCell returns the cell of a value that a row is of.
func keyCell(value any) document.Cell {
	switch x := value.(type) {
	case nil:
		return document.Text("-")
	case string:
		return document.Text(x)
	case int64:
		return document.Number(float64(x), words.Cell(x))
	}
	return document.Number(value.(float64), words.Cell(value))
}

// meanCell returns the cell of a mean.
func meanCell(x float64) document.Cell {
	switch {
	case math.IsNaN(x):
		return document.Text("-")
	case x == math.Trunc(x):
		return document.Number(x, fmt.Sprintf("%.0f", x))
	}
	return parts.Four(x)
}
