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

// Speed is the name of the quantity by which sides without a common rating are compared.
const Speed = "speed"

// Table holds a side's values of a kernel or a test.
type Table struct {
	Name  string
	Lines []Line
	// Source identifies alternative tables. A table without a partner is reported only if no other table with its
	// Source has one. It is nil for a table without alternatives.
	Source any
	// NotAveraged excludes the table from means over all tables, because others contain the same measurements.
	NotAveraged bool
}

// Line is a length of a table, or a line with a label.
type Line struct {
	At
	Values []Value // measured values
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

// Match matches the tables of two sides, the nearest ones first, and returns the rows of each pair of tables as a
// group. near returns how near two tables are, given their indices: a number for each criterion, of which the first
// that differs decides, or nil if they have nothing in common. If near is nil, tables with the same name match.
func Match(first, second []Table, near func(i, j int) []int) (p Pair) {
	type choice struct {
		i, j int
		near []int
	}
	var choices []choice
	for i := range first {
		for j := range second {
			var n []int
			if near != nil {
				n = near(i, j)
			} else if first[i].Name == second[j].Name {
				n = []int{1}
			}
			if n != nil {
				choices = append(choices, choice{i, j, n})
			}
		}
	}
	slices.SortStableFunc(choices, func(x, y choice) int { return slices.Compare(y.near, x.near) })
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

// match returns the lines that both tables have, and records those that only one has.
func (p *Pair) match(a, b Table) Group {
	g := Group{Name: a.Name, NotAveraged: a.NotAveraged}
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

// beside returns the row of two lines. It has the figures that both have, and the speed from the last one of them. The
// logarithms of a time and of a bandwidth have the same spread.
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

// OfAll returns the geometric means of the speeds of rows. Without rows it is not measured.
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

// classes are the classes of lengths in bytes. Up to 1 kB latency dominates, and b_eff's class of short messages ends
// there. The other limit is fixed, too: unlike b_eff's, these lengths don't depend on the memory.
var classes = []struct {
	name       string
	above, top int64
}{{"short", -1, 1 << 10}, {"middle", 1 << 10, 64 << 10}, {"long", 64 << 10, math.MaxInt64}}

// Mean returns the geometric means of the speeds at lengths above one and up to another, in bytes. Without such rows it
// is not measured.
func (g Group) Mean(above, top int64) Difference {
	return OfAll(g.Name, slices.DeleteFunc(slices.Clone(g.counted()), func(r Row) bool {
		return r.Bytes <= above || r.Bytes > top
	}))
}

// Joined joins the tables of the passes or runs of a side that have the same name.
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

// joinedTable joins tables of one name: it returns the geometric means of the lines that all of them have.
func joinedTable(tables []Table) Table {
	if len(tables) == 1 {
		return tables[0]
	}
	t := Table{Name: tables[0].Name, NotAveraged: tables[0].NotAveraged}
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

// joinedLine joins the same line of passes or runs.
func joinedLine(same []Line) Line {
	l := same[0]
	l.Sampled, l.Values = OfSeveral(lists.Each(same, func(x Line) Sampled { return x.Sampled })), slices.Clone(l.Values)
	for i := range l.Values {
		l.Values[i].Value = GeometricMean(lists.Each(same, func(x Line) float64 { return x.Values[i].Value }))
	}
	return l
}
