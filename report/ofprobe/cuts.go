package ofprobe

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/findings"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// cutRow is a row of a cut with the hosts of its ranks.
type cutRow struct {
	kernel *Kernel
	block  *measured.Block
	row    *measured.Row
	hosts  []string // of each rank of the block
	number int      // among the kernel's rows
}

// cutRows returns all rows of cuts of a kernel.
func cutRows(r *probe.Result, k *Kernel) (list []cutRow) {
	for _, b := range k.Blocks {
		for i := range b.Rows {
			if row := &b.Rows[i]; row.Across != nil {
				list = append(list, cutRow{k, b, row, r.HostsOf(b), len(list) + 1})
			}
		}
	}
	return list
}

// id returns a name for the IDs of a part of the row, unique in a result.
func (c *cutRow) id(part string) string {
	return fmt.Sprintf("%s-%s-%d", c.kernel.Key(), part, c.number)
}

// description describes the row: its cut, the length, and the pass if there are several.
func (c *cutRow) description() string {
	return words.OneLine(c.block.Cut.Name) + ", " + rating.Bytes(c.row.Bytes) + inPass(c.block)
}

// directions names the directions of the row's times.
func (c *cutRow) directions() []string {
	if c.row.Crossing.Back == nil {
		return []string{"both ways"}
	}
	return []string{"left to right", "right to left"}
}

// moved returns the bytes that a pair moves with a message.
func (c *cutRow) moved() float64 { return c.kernel.Moved * float64(c.row.Bytes) }

// cutPlots returns the pictures of a kernel's rows of cuts: the bandwidths of each step's pairs, and the links as a
// matrix.
func cutPlots(r *probe.Result, k *Kernel) (list []chart.Picture) {
	for _, c := range cutRows(r, k) {
		list = append(list, c.steps())
		if len(c.block.Cut.Sets) == 1 && c.block.Cut.Links() <= maxDrawn {
			for direction := range c.directions() {
				list = append(list, c.links(direction))
			}
		}
	}
	return list
}

// maxDrawn is the largest number of processes of a side for which a matrix is drawn.
const maxDrawn = 2048

// steps returns the picture of the steps: the mean bandwidth of their pairs, in a band from the slowest to the
// quickest.
func (c *cutRow) steps() chart.Plot {
	p := chart.Plot{ID: "probe-" + c.id("steps"), Bare: len(c.row.Across.Steps) > 64, X: chart.Steps,
		Y: chart.Bandwidth.Named("bandwidth of a pair").LinearWithin(10),
		Title: fmt.Sprintf("%s across %s: bandwidth of a pair in each step", c.kernel.Title(),
			words.OneLine(c.block.Cut.Name)),
		Caption: fmt.Sprintf("%s across %s: bandwidth of a pair in each step, in which all pairs across the cut "+
			"communicate at once. The lines are the means of the step's pairs, the bands reach from the slowest pair "+
			"to the quickest.", c.kernel.Title(), c.description())}
	for direction, name := range c.directions() {
		s := chart.Series{Name: name, Band: true}
		for _, x := range c.row.Across.Steps {
			if x.Back == (direction == 1) {
				s.Points = append(s.Points, chart.Point{X: float64(len(s.Points) + 1),
					Y:   x.Bandwidth / float64(c.block.Cut.Links()),
					Low: c.moved() / x.Longest, High: c.moved() / x.Shortest})
			}
		}
		p.Series = append(p.Series, s)
	}
	return p
}

// links returns the matrix of the times of a message between the left and the right processes.
func (c *cutRow) links(direction int) chart.Matrix {
	n := c.block.Cut.Links()
	way := c.directions()[direction]
	m := chart.Matrix{ID: fmt.Sprintf("probe-%s", c.id(fmt.Sprintf("links%d", direction))),
		Title: fmt.Sprintf("%s across %s: time of a message on each link, %s", c.kernel.Title(),
			words.OneLine(c.block.Cut.Name), way),
		Caption: fmt.Sprintf("%s across %s: time of a message between the left and the right processes, %s, while "+
			"all pairs of a step exchange messages.", c.kernel.Title(), c.description(), way),
		Values: make([][]float64, n), Units: words.Times, RowLabel: "process on the left",
		ColumnLabel: "process on the right", FrameMeaning: "slowest for its step"}
	names := c.names()
	m.Names, m.ColumnNames = names[:n], names[n:]
	for i := range n {
		m.Values[i] = slices.Repeat([]float64{math.NaN()}, n)
	}
	w := c.row.Across.Worst
	ranks := c.block.Groups[0]
	for k, shift := range c.row.Crossing.Shifts {
		for pair, s := range c.row.Crossing.Seconds(direction, k) {
			left, right := c.block.Cut.Ends(pair, shift)
			m.Values[left][right-n] = s
			from, to := ranks[left], ranks[right]
			if direction == 1 {
				from, to = to, from
			}
			if from == w.From && to == w.To && w.Seconds > 1.001*w.Expected {
				m.FramedCells = append(m.FramedCells, [2]int{left, right - n})
			}
		}
	}
	return m
}

// names returns the names of the processes: their hosts if each host has one process, otherwise their ranks.
func (c *cutRow) names() (list []string) {
	alone := !slices.Contains(c.hosts, "") && len(slices.Compact(slices.Sorted(slices.Values(c.hosts)))) == len(c.hosts)
	for i, rank := range c.block.Groups[0] {
		list = append(list, words.Either(alone, chart.Clean(c.hosts[i]), fmt.Sprint(rank)))
	}
	return list
}

// named returns the figures with some IDs.
func named(figures []*document.Figure, ids ...string) (list []document.Block) {
	for _, f := range figures {
		if slices.Contains(ids, f.ID) {
			list = append(list, f)
		}
	}
	return list
}

// cutBlocks returns, for each row of a cut of a kernel, its outliers, its pictures, and its slowest pairs and sets.
func cutBlocks(r *probe.Result, k *Kernel, figures []*document.Figure) []document.Block {
	var list []document.Block
	for _, c := range cutRows(r, k) {
		list = append(list, document.Paragraph(fmt.Sprintf("Cut %s, %s in %s, %s per pair in each pass:",
			findings.CutOf(c.block), rating.Bytes(c.row.Bytes),
			words.Count(len(c.row.Crossing.Shifts), "step"),
			words.Count(int(c.row.Repetitions), "message"))), document.List(findings.Across(c.row.Across)))
		list = append(list, named(figures, "probe-"+c.id("steps"), "probe-"+c.id("links0"), "probe-"+c.id("links1"))...)
		list = append(list, c.slowest())
		if len(c.block.Cut.Sets) > 1 {
			list = append(list, c.sets())
		}
	}
	return list
}

// cutPair is a pair of a step in a direction.
type cutPair struct {
	from, to int // ranks of the block
	shift    int
	seconds  float64
	least    float64 // seconds in its quickest pass
}

// pairs returns all pairs of the row.
func (c *cutRow) pairs() (list []cutPair) {
	for direction, passes := range c.row.Crossing.Directions() {
		for k, shift := range c.row.Crossing.Shifts {
			for pair, s := range c.row.Crossing.Seconds(direction, k) {
				x := cutPair{shift: shift, seconds: s, least: math.Inf(1)}
				if x.from, x.to = c.block.Cut.Ends(pair, shift); direction == 1 {
					x.from, x.to = x.to, x.from
				}
				for _, p := range passes {
					x.least = min(x.least, float64(p[k][pair])/1e12)
				}
				list = append(list, x)
			}
		}
	}
	return list
}

// slowest returns the table of the slowest pairs.
func (c *cutRow) slowest() *document.Table {
	list := c.pairs()
	slices.SortStableFunc(list, func(a, b cutPair) int { return cmp.Compare(b.seconds, a.seconds) })
	var t parts.Table[cutPair]
	rank := func(of func(cutPair) int) func(cutPair) document.Cell {
		return func(x cutPair) document.Cell { return document.Whole(c.block.Groups[0][of(x)]) }
	}
	host := func(of func(cutPair) int) func(cutPair) string {
		return func(x cutPair) string { return words.OneLine(c.hosts[of(x)]) }
	}
	from, to := func(x cutPair) int { return x.from }, func(x cutPair) int { return x.to }
	t.Number("from", "", rank(from))
	t.Text("from host", host(from))
	t.Number("to", "", rank(to))
	t.Text("to host", host(to))
	t.Number("shift", "", func(x cutPair) document.Cell { return document.Whole(x.shift) })
	t.Number("time", "µs", func(x cutPair) document.Cell { return parts.Microseconds(x.seconds) })
	t.Number("best pass", "µs", func(x cutPair) document.Cell { return parts.Microseconds(x.least) })
	t.Number("bandwidth", "MB/s", func(x cutPair) document.Cell {
		return figureIf(c.moved() > 0, c.moved()/x.seconds/words.Mega, 1)
	})
	d := &document.Table{ID: c.id("slowest"), Caption: fmt.Sprintf("The slowest pairs across %s, by the medians "+
		"over the passes. `beff export --table probe_cuts` writes all pairs.", c.description())}
	return t.Of(d, list[:min(len(list), maxSlowest)])
}

// maxSets is the number of sets in a table.
const maxSets = 32

// setFigures holds the figures of a set's pairs.
type setFigures struct {
	name        string
	side        int
	mean, least float64 // bytes per second of a pair
}

// sets returns the table of the slowest sets.
func (c *cutRow) sets() *document.Table {
	list := make([]setFigures, len(c.block.Cut.Sets))
	of := make([]int, 0, c.block.Cut.Links()) // of each pair
	for i, s := range c.block.Cut.Sets {
		list[i] = setFigures{name: words.OneLine(s.Name), side: s.Side, least: math.Inf(1)}
		of = append(of, slices.Repeat([]int{i}, s.Side)...)
	}
	for direction := range c.directions() {
		for k := range c.row.Crossing.Shifts {
			for pair, seconds := range c.row.Crossing.Seconds(direction, k) {
				x := &list[of[pair]]
				rate := c.moved() / seconds
				x.mean, x.least = x.mean+rate/float64(x.side), min(x.least, rate)
			}
		}
	}
	n := float64(len(c.directions()) * len(c.row.Crossing.Shifts))
	for i := range list {
		list[i].mean /= n
	}
	slices.SortStableFunc(list, func(a, b setFigures) int { return cmp.Compare(a.mean, b.mean) })
	var t parts.Table[setFigures]
	mega := func(of func(setFigures) float64) func(setFigures) document.Cell {
		return func(x setFigures) document.Cell { return figureIf(c.moved() > 0, of(x)/words.Mega, 1) }
	}
	t.Text("set", func(x setFigures) string { return x.name })
	t.Number("pairs", "", func(x setFigures) document.Cell { return document.Whole(x.side) })
	t.Number("mean per pair", "MB/s", mega(func(x setFigures) float64 { return x.mean }))
	t.Number("slowest pair", "MB/s", mega(func(x setFigures) float64 { return x.least }))
	d := &document.Table{ID: c.id("sets"), Sortable: true,
		Caption: "The sets of " + c.description() + ", the slowest first."}
	return t.Of(d, list[:min(len(list), maxSets)])
}
