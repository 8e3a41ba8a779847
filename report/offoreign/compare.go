package offoreign

import (
	"cmp"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/foreign"
	"github.com/effective-bandwidth/beff/report/versus"
	"github.com/effective-bandwidth/beff/report/words"
)

// Comparison is a comparison of results with the first one.
type Comparison struct {
	Names   []string
	Results []*foreign.Result
	Others  []Other
}

// Other is the comparison of one result with the first.
type Other struct {
	Name                  string
	Main                  versus.Difference // of the rating that both have; else of the speed: geometric means
	Pairs                 []Pair
	OnlyFirst, OnlySecond []string // tests of which the other result has nothing
}

// Pair is a quantity of a test of the first result and of one of the second one that measure the same thing.
type Pair struct {
	First, Second *foreign.Table
	Programs      [2]string
	Quantity      foreign.Quantity
	Rows          []Row
}

// Row is a length, or a named row, that both tables have.
type Row struct {
	Bytes         int64
	Label         string
	First, Second versus.Sampled // in the quantity's base unit
	Significant   bool
}

// Name returns what is compared, in words.
func (p *Pair) Name() string {
	name := words.OneLine(p.First.Test)
	if p.First.Operation != "" {
		name = p.First.Operation.Title()
	}
	if p.First.Processes > 0 {
		name += ", " + words.Processes(p.First.Processes)
	}
	return name
}

// SameWay reports whether both tables were measured in the same way.
func (p *Pair) SameWay() bool {
	return p.First.Words() == p.Second.Words() && (p.First.Operation != "" || p.Programs[0] == p.Programs[1])
}

// Difference returns the row's speeds: the figures, or the inverse of times. Their logarithms spread alike.
func (p *Pair) Difference(r Row) versus.Difference {
	d := versus.Difference{First: r.First, Second: r.Second, Significant: r.Significant}
	if quantities[p.Quantity].less {
		d.First.Value, d.Second.Value = 1/d.First.Value, 1/d.Second.Value
	}
	return d
}

// Mean returns the geometric means of the speeds.
func (p *Pair) Mean() versus.Difference { return meanOf(p.Name(), []Pair{*p}) }

func meanOf(name string, pairs []Pair) versus.Difference {
	var first, second []float64
	for i := range pairs {
		for _, r := range pairs[i].Rows {
			d := pairs[i].Difference(r)
			first, second = append(first, d.First.Value), append(second, d.Second.Value)
		}
	}
	d := versus.Difference{Name: name}
	if len(first) == 1 {
		one := pairs[slices.IndexFunc(pairs, func(p Pair) bool { return len(p.Rows) > 0 })]
		d = one.Difference(one.Rows[0])
		d.Name = name
		return d
	}
	if len(first) > 0 {
		d.First.Value, d.Second.Value = versus.GeometricMean(first), versus.GeometricMean(second)
	}
	return d
}

// Compare compares two results or more, which have passed Check. names has a different name for each.
func Compare(names []string, results []*foreign.Result) (*Comparison, error) {
	others, err := versus.Others(names, results, against)
	if err != nil {
		return nil, err
	}
	return &Comparison{Names: names, Results: results, Others: others}, nil
}

// choice is a possible pair.
type choice struct {
	first, second int
	quantity      foreign.Quantity
	nearness      int
}

// against pairs tables that measure the same thing, of several the nearest ones. A table of the first result has one
// partner for each quantity, and one of the second has one.
func against(name string, a, b *foreign.Result) Other {
	o := Other{Name: name}
	var choices []choice
	for i := range a.Tables {
		for j := range b.Tables {
			for _, q := range order {
				if n := nearness(a, b, &a.Tables[i], &b.Tables[j], q); n > 0 {
					choices = append(choices, choice{i, j, q, n})
				}
			}
		}
	}
	slices.SortStableFunc(choices, func(x, y choice) int {
		return cmp.Or(-cmp.Compare(x.nearness, y.nearness), cmp.Compare(x.first, y.first),
			cmp.Compare(x.second, y.second))
	})
	type end struct {
		side, table int
		quantity    foreign.Quantity
	}
	taken, paired := map[end]bool{}, map[[2]int]bool{}
	var chosen []choice
	for _, c := range choices {
		f, s := end{0, c.first, c.quantity}, end{1, c.second, c.quantity}
		if taken[f] || taken[s] {
			continue
		}
		taken[f], taken[s] = true, true
		chosen = append(chosen, c)
	}
	slices.SortStableFunc(chosen, func(x, y choice) int {
		return cmp.Or(cmp.Compare(x.first, y.first), cmp.Compare(slices.Index(order, x.quantity),
			slices.Index(order, y.quantity)))
	})
	for _, c := range chosen {
		p := Pair{First: &a.Tables[c.first], Second: &b.Tables[c.second], Quantity: c.quantity,
			Programs: [2]string{a.Program, b.Program}}
		p.match()
		if len(p.Rows) > 0 {
			o.Pairs = append(o.Pairs, p)
			paired[[2]int{0, c.first}], paired[[2]int{1, c.second}] = true, true
		}
	}
	o.OnlyFirst, o.OnlySecond = alone(a, paired, 0), alone(b, paired, 1)
	o.Main = ratingOf(a, b)
	if o.Main.Name == "" {
		o.Main = meanOf(speed, o.Pairs)
	}
	o.test()
	return o
}

// speed is the name of what two results are compared by that have no rating in common.
const speed = "speed"

// ratingOf returns the programs' own number, where both results have the same one: per process where a bandwidth is of
// other numbers of processes.
func ratingOf(a, b *foreign.Result) (d versus.Difference) {
	x, y := a.Rating, b.Rating
	if x == nil || y == nil || x.Name != y.Name || x.Quantity != y.Quantity {
		return d
	}
	d = versus.Difference{Name: words.OneLine(x.Name), First: versus.Sampled{Value: x.Value},
		Second: versus.Sampled{Value: y.Value}}
	if x.Quantity == foreign.BytesPerSecond && a.Processes != b.Processes && a.Processes > 0 && b.Processes > 0 {
		d.Name += " per process"
		d.First.Value /= float64(a.Processes)
		d.Second.Value /= float64(b.Processes)
	}
	return d
}

// alone returns the names of a side's tests without a partner.
func alone(r *foreign.Result, paired map[[2]int]bool, side int) (list []string) {
	for i := range r.Tables {
		if !paired[[2]int{side, i}] {
			list = append(list, words.OneLine(r.Tables[i].Test))
		}
	}
	return list
}

// nearness says how near two tables are in a quantity: 0 if they have nothing to compare.
func nearness(a, b *foreign.Result, x, y *foreign.Table, q foreign.Quantity) int {
	same := x.Test == y.Test && a.Program == b.Program
	switch {
	case x.Main(q) < 0 || y.Main(q) < 0, x.Operation != y.Operation, x.Operation == "" && !same,
		x.Processes > 0 && y.Processes > 0 && x.Processes != y.Processes, x.Lengths != y.Lengths:
		return 0
	}
	n := 1
	if same {
		n += 8
	}
	if x.Way == y.Way {
		n += 4
	}
	if x.Words() == y.Words() {
		n += 2
	}
	if slices.Equal(x.Settings, y.Settings) {
		n++
	}
	return n
}

// match fills the rows that both tables have.
func (p *Pair) match() {
	type key struct {
		bytes int64
		label string
	}
	i, j := p.First.Main(p.Quantity), p.Second.Main(p.Quantity)
	others := map[key]versus.Sampled{}
	for k := range p.Second.Rows {
		row := &p.Second.Rows[k]
		others[key{row.Bytes, row.Label}] = sampled(p.Second, row, j)
	}
	for k := range p.First.Rows {
		row := &p.First.Rows[k]
		r := Row{Bytes: row.Bytes, Label: row.Label, First: sampled(p.First, row, i)}
		other, found := others[key{row.Bytes, row.Label}]
		if r.Second = other; found && r.First.Value > 0 && r.Second.Value > 0 {
			p.Rows = append(p.Rows, r)
		}
	}
}

// sampled returns a figure with its spread, if the row has one of it.
func sampled(t *foreign.Table, row *foreign.Row, k int) versus.Sampled {
	x := row.Values[k]
	switch {
	case k != t.Mains()[0]:
	case len(row.Each) > 1:
		s := versus.OfMean(row.Each)
		s.Value = x
		if row.Median {
			s.Deviation *= math.Sqrt(math.Pi / 2) // of normal figures
		}
		return s
	case row.HalfWidth > 0 && row.Confidence > 0 && row.Repetitions > 1:
		return versus.OfInterval(x, []float64{x - row.HalfWidth, x + row.HalfWidth}, int(row.Repetitions),
			row.Confidence)
	}
	return versus.Sampled{Value: x}
}

// test decides which rows are significant, all of them together.
func (o *Other) test() {
	var list []versus.Difference
	for i := range o.Pairs {
		for _, r := range o.Pairs[i].Rows {
			list = append(list, o.Pairs[i].Difference(r))
		}
	}
	versus.Test(list)
	for i := range o.Pairs {
		rows := o.Pairs[i].Rows
		for j := range rows {
			rows[j].Significant = list[j].Significant
		}
		list = list[len(rows):]
	}
}
