package tidy

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/lists"
	"github.com/effective-bandwidth/beff/report/words"
)

// Question asks for tables of means: a row, a column, or a table for each value of the named columns. A cell has the
// mean of what Of names, over all rows that Where takes.
type Question struct {
	Where            *Condition
	Row, Col, By, Of []string
}

// Names returns all names that the question uses.
func (q *Question) Names() []string { return slices.Concat(q.Row, q.Col, q.By, q.Of, q.Where.Names()) }

// Result is what a question needs of a result.
type Result struct {
	Row   Row
	Class string // results of different classes have different tables
	Apart []Fact // those of different facts have different rows or columns
	Main  []string
}

// Answer has the tables that a question makes of results, in the order in which they come.
type Answer struct {
	Tables []*Grid
	at     map[string]*Grid
}

// Grid is a table of means.
type Grid struct {
	Class      string
	Of         string // name of the table whose rows are averaged
	By         []Fact
	Rows, Cols []*Line
	Measures   []Column
	Results    int // that it is of

	values map[string]map[any]bool
	lines  map[string]*Line
	cells  map[[2]*Line][]mean
}

// Line is what the cells of a row, or of a column, have in common: what was asked for, and of rows what can't be
// averaged.
type Line struct{ Facts []Fact }

// mean is that of values: the geometric one if all are above 0.
type mean struct {
	n         int
	sum, logs float64
}

func (m *mean) add(x float64) {
	m.n, m.sum, m.logs = m.n+1, m.sum+x, m.logs+math.Log(x)
}

// value returns the mean, NaN of nothing.
func (m *mean) value() float64 {
	if g := math.Exp(m.logs / float64(m.n)); m.n > 0 && g > 0 && !math.IsNaN(m.logs) {
		return g
	}
	return m.sum / float64(m.n)
}

// Add adds the rows of a result's table that have something to show. It reports false if the wanted ones have nothing.
func (a *Answer) Add(q *Question, r Result, t *Table) bool {
	joined := t.Join(r.Row)
	of := q.Of
	if len(of) == 0 {
		of = r.Main
	}
	apart := slices.Clone(r.Apart)
	named := slices.Concat(q.Row, q.Col, q.By)
	is := func(name string) bool {
		return slices.ContainsFunc(named, func(n string) bool { return KeyOf(n) == name })
	}
	apart = slices.DeleteFunc(apart, func(f Fact) bool { return is(f.Name) && !t.Has(f.Name) })
	counted, wanted := map[*Grid]bool{}, false
	for values := range t.Rows {
		row := joined(values)
		if !q.Where.Holds(row) {
			continue
		}
		wanted = true
		shown := facts(row, of)
		if !slices.ContainsFunc(shown, func(f Fact) bool { return f.Value != nil }) {
			continue
		}
		g := a.grid(r.Class, t, facts(row, q.By))
		others := apart
		for i, c := range t.Columns {
			switch {
			case is(c.Name):
			case c.Role == Apart:
				others = append(others[:len(others):len(others)], Fact{c, values[i]})
			case c.Role == Axis && values[i] != nil:
				g.seen(c.Name, values[i])
			}
		}
		if !counted[g] {
			counted[g], g.Results = true, g.Results+1
		}
		g.add(slices.Concat(facts(row, q.Row), others), facts(row, q.Col), shown)
	}
	return len(counted) > 0 || !wanted
}

// facts returns the columns of a row.
func facts(row Row, names []string) (list []Fact) {
	for _, name := range names {
		c, x, has := row(name)
		if !has {
			c.Name = KeyOf(name)
		}
		list = append(list, Fact{c, x})
	}
	return list
}

// grid returns the table of a class and the values that tables are by.
func (a *Answer) grid(class string, t *Table, by []Fact) *Grid {
	key := class + "\x00" + t.Name + "\x00" + keyOf(by)
	if a.at == nil {
		a.at = map[string]*Grid{}
	}
	if a.at[key] == nil {
		g := &Grid{Class: class, Of: t.Name, By: by, values: map[string]map[any]bool{}, lines: map[string]*Line{},
			cells: map[[2]*Line][]mean{}}
		a.at[key], a.Tables = g, append(a.Tables, g)
	}
	return a.at[key]
}

// keyOf returns a text that tells values apart.
func keyOf(list []Fact) string {
	var b strings.Builder
	for _, f := range list {
		fmt.Fprintf(&b, "%v\x00", f.Value)
	}
	return b.String()
}

func (g *Grid) seen(column string, value any) {
	if g.values[column] == nil {
		g.values[column] = map[any]bool{}
	}
	g.values[column][value] = true
}

// add adds values to a cell.
func (g *Grid) add(row, col, of []Fact) {
	line := func(direction string, facts []Fact, to *[]*Line) *Line {
		key := direction + keyOf(facts)
		if g.lines[key] == nil {
			g.lines[key] = &Line{facts}
			*to = append(*to, g.lines[key])
		}
		return g.lines[key]
	}
	if g.Measures == nil {
		for _, f := range of {
			g.Measures = append(g.Measures, f.Column)
		}
	}
	at := [2]*Line{line("row", row, &g.Rows), line("col", col, &g.Cols)}
	if g.cells[at] == nil {
		g.cells[at] = make([]mean, len(of))
	}
	for i, f := range of {
		if f.Value != nil && f.Kind != Text {
			g.cells[at][i].add(number(f.Value))
		}
	}
}

// Cell returns the mean of a measure in a cell, NaN if there is nothing.
func (g *Grid) Cell(row, col *Line, measure int) float64 {
	if list := g.cells[[2]*Line{row, col}]; list != nil {
		return list[measure].value()
	}
	return math.NaN()
}

// Heads returns the columns that rows are of, with their places in the values of a row: those that were asked for, so
// many, and of the others those in which rows differ.
func (g *Grid) Heads(asked int) (heads []Column, at []int) {
	for i, f := range g.Rows[0].Facts {
		differ := slices.ContainsFunc(g.Rows, func(l *Line) bool { return l.Facts[i].Value != f.Value })
		if i < asked || differ {
			heads, at = append(heads, f.Column), append(at, i)
		}
	}
	return heads, at
}

// Order puts rows and columns in order: numbers by their value, texts as they came.
func (g *Grid) Order() {
	for _, lines := range [][]*Line{g.Rows, g.Cols} {
		first := map[any]int{}
		for i, l := range lines {
			for _, f := range l.Facts {
				if _, seen := first[f.Value]; !seen {
					first[f.Value] = i
				}
			}
		}
		slices.SortStableFunc(lines, func(a, b *Line) int {
			for i := range a.Facts {
				x, y := a.Facts[i].Value, b.Facts[i].Value
				order := cmp.Compare(first[x], first[y])
				if _, text := x.(string); !text && x != nil && y != nil {
					order = cmp.Compare(number(x), number(y))
				}
				if order != 0 {
					return order
				}
			}
			return 0
		})
	}
}

// Shown returns the names of what the cells have.
func (g *Grid) Shown() string {
	return words.Joined(lists.Each(g.Measures, func(c Column) string { return c.Name }), "and")
}

// Means says over how many values of which columns the means are.
func (g *Grid) Means() string {
	var list []string
	for name, values := range g.values {
		if n := len(values); n > 1 {
			list = append(list, fmt.Sprintf("%s (%d)", name, n))
		}
	}
	slices.Sort(list)
	return words.Joined(list, "and")
}
