package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// Speed is the name of what sides are compared by that have no rating in common.
const Speed = "speed"

// Table holds what a side has of a kernel or a test.
type Table struct {
	Name  string
	Lines []Line
	// Source is what the table is one of several of, which isn't missed if one of these has a partner; nil: it is
	// alone.
	Source any
	// Beside is true of a table that counts in no mean over all of them, because others have the same measurements.
	Beside bool
}

// Line is a length of a table, or a line with a label.
type Line struct {
	At
	Values []Value // that were measured
	Sampled
}

// At is the place of a line in a table.
type At struct {
	Label string
	Bytes int64
}

// Value is a figure of a line.
type Value struct {
	rating.Figure
	Value float64
}

// Match returns what two sides have in common, as groups of the rows of two tables each: those that are near each
// other, the nearest ones first. near says how near two tables are, by their places; 0: they have nothing in common. If
// it is nil, tables of one name are.
func Match(first, second []Table, near func(i, j int) int) (p Pair) {
	type choice struct{ i, j, near int }
	var choices []choice
	for i := range first {
		for j := range second {
			n := 0
			if near != nil {
				n = near(i, j)
			} else if first[i].Name == second[j].Name {
				n = 1
			}
			if n > 0 {
				choices = append(choices, choice{i, j, n})
			}
		}
	}
	slices.SortStableFunc(choices, func(x, y choice) int { return cmp.Compare(y.near, x.near) })
	partner, taken := map[int]int{}, map[int]bool{}
	known := map[any]bool{} // sources of tables with a partner
	for _, c := range choices {
		if _, has := partner[c.i]; !has && !taken[c.j] {
			partner[c.i], taken[c.j] = c.j, true
			known[first[c.i].Source], known[second[c.j].Source] = true, true
		}
	}
	for i, t := range first {
		j, has := partner[i]
		if !has {
			t.only(&p.OnlyFirst, known)
			continue
		}
		if g := p.match(t, second[j]); len(g.Rows) > 0 {
			g.Of = [2]int{i, j}
			p.Groups = append(p.Groups, g)
		}
	}
	for j, t := range second {
		if !taken[j] {
			t.only(&p.OnlySecond, known)
		}
	}
	p.Main = OfAll(Speed, p.averaged())
	return p
}

// only adds the name of a table without a partner.
func (t Table) only(list *[]string, known map[any]bool) {
	if (t.Source == nil || !known[t.Source]) && !slices.Contains(*list, t.Name) {
		*list = append(*list, t.Name)
	}
}

// match returns the lines that two tables have in common, and adds the names of those that only one has.
func (p *Pair) match(a, b Table) Group {
	g := Group{Name: a.Name, Beside: a.Beside}
	left := map[At]Line{}
	for _, l := range b.Lines {
		left[l.At] = l
	}
	for _, l := range a.Lines {
		other, found := left[l.At]
		if !found {
			p.OnlyFirst = append(p.OnlyFirst, l.in(a))
			continue
		}
		delete(left, l.At)
		g.Rows = append(g.Rows, l.beside(other))
	}
	for _, l := range b.Lines {
		if _, alone := left[l.At]; alone {
			p.OnlySecond = append(p.OnlySecond, l.in(b))
		}
	}
	return g
}

// in returns the name of a line.
func (l Line) in(t Table) string {
	return fmt.Sprintf("%s, %s", t.Name, cmp.Or(l.Label, words.Count(int(l.Bytes), "byte")))
}

// beside returns the row of two lines. It has the figures that both have, and the speed by the last one of them. The
// logarithms of a time and of a bandwidth spread alike.
func (l Line) beside(other Line) Row {
	r := Row{Bytes: l.Bytes, Difference: Difference{Name: l.Label, First: l.Sampled, Second: other.Sampled}}
	for _, v := range l.Values {
		at := slices.IndexFunc(other.Values, func(w Value) bool { return w.Key == v.Key })
		if at < 0 {
			continue
		}
		w := other.Values[at]
		r.Shown = append(r.Shown, Shown{v.Figure, [2]float64{v.Value, w.Value}})
		if r.First.Value, r.Second.Value = v.Value, w.Value; v.Less {
			r.First.Value, r.Second.Value = 1/v.Value, 1/w.Value
		}
	}
	return r
}

// OfAll returns the geometric means of the speeds of rows; not measured if there are none.
func OfAll(name string, rows []Row) Difference {
	d := Difference{Name: name, Rows: len(rows)}
	var first, second []Sampled
	for _, r := range rows {
		first, second = append(first, r.First), append(second, r.Second)
	}
	if len(rows) > 0 {
		d.First, d.Second = OfRows(first), OfRows(second)
	}
	return d
}

// classes has the classes of lengths, in bytes. Up to 1 kB time is mostly latency, and b_eff's class of short messages
// ends there. The other limit is fixed as well, because lengths don't depend on the memory as b_eff's do.
var classes = []struct {
	name       string
	above, top int64
}{{"short", -1, 1 << 10}, {"middle", 1 << 10, 64 << 10}, {"long", 64 << 10, math.MaxInt64}}

// Mean returns the geometric means of the speeds at lengths above one length and up to another, in bytes; not measured
// if there are none.
func (g Group) Mean(above, top int64) Difference {
	return OfAll(g.Name, slices.DeleteFunc(slices.Clone(g.counted()), func(r Row) bool {
		return r.Bytes <= above || r.Bytes > top
	}))
}

// Joined returns the tables of the passes or runs of a side, those of one name as one.
func Joined(tables []Table) []Table {
	var names []string
	same := map[string][]Table{}
	for _, t := range tables {
		if same[t.Name] == nil {
			names = append(names, t.Name)
		}
		same[t.Name] = append(same[t.Name], t)
	}
	return lists.Each(names, func(name string) Table { return joinedTable(same[name]) })
}

// joinedTable returns tables of one name as one: the geometric means of the lines that all of them have.
func joinedTable(tables []Table) Table {
	if len(tables) == 1 {
		return tables[0]
	}
	t := Table{Name: tables[0].Name, Beside: tables[0].Beside}
	for _, l := range tables[0].Lines {
		var same []Line
		for _, other := range tables {
			if i := slices.IndexFunc(other.Lines, func(x Line) bool { return x.At == l.At }); i >= 0 {
				same = append(same, other.Lines[i])
			}
		}
		if len(same) == len(tables) {
			t.Lines = append(t.Lines, joinedLine(same))
		}
	}
	return t
}

// joinedLine returns the lines of passes or runs as one.
func joinedLine(same []Line) Line {
	l := same[0]
	l.Sampled, l.Values = OfSeveral(lists.Each(same, func(x Line) Sampled { return x.Sampled })), slices.Clone(l.Values)
	for i := range l.Values {
		l.Values[i].Value = GeometricMean(lists.Each(same, func(x Line) float64 { return x.Values[i].Value }))
	}
	return l
}
