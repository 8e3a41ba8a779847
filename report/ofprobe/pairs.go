package ofprobe

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/pairs"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/findings"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
	"github.com/effective-bandwidth/beff/stats"
)

// pairRow is a row of pairs with the hosts of its ranks.
type pairRow struct {
	kernel *Kernel
	block  *measured.Block
	row    *measured.Row
	hosts  []string // of each rank
	order  []int    // ranks, ordered by host
}

// pairRows returns all rows of pairs of a kernel.
func pairRows(r *probe.Result, k *Kernel) []pairRow {
	var list []pairRow
	for _, b := range k.Blocks {
		for i := range b.Rows {
			if b.Rows[i].Pairs == nil {
				continue
			}
			p := pairRow{kernel: k, block: b, row: &b.Rows[i], hosts: r.HostsOf(b)}
			first := map[string]int{}
			for rank, host := range p.hosts {
				if _, ok := first[host]; !ok {
					first[host] = rank
				}
				p.order = append(p.order, rank)
			}
			slices.SortStableFunc(p.order, func(a, b int) int {
				return cmp.Compare(first[p.hosts[a]], first[p.hosts[b]])
			})
			list = append(list, p)
		}
	}
	return list
}

// way is the time from one rank to another, or there and back, in the passes' medians.
type way struct {
	from, to int
	pair     int // in the row's list
	samples  *pairs.PairSamples
}

// seconds returns the median of the passes.
func (w way) seconds() float64 { return w.samples.Of(w.pair) }

// ways returns all ways of a row.
func (p *pairRow) ways() []way {
	var list []way
	for direction, d := range p.row.Pairs.Directions() {
		for i, pair := range p.row.Pairs.Pairs(p.block.Processes) {
			w := way{pair.I, pair.J, i, d}
			if direction == 1 {
				w.from, w.to = w.to, w.from
			}
			list = append(list, w)
		}
	}
	return list
}

// directed reports whether each direction is timed.
func (p *pairRow) directed() bool { return p.row.Pairs.Back != nil }

// times returns the matrix of all times in seconds. It has NaN for pairs that weren't measured.
func (p *pairRow) times() [][]float64 {
	list := make([][]float64, p.block.Processes)
	for i := range list {
		list[i] = slices.Repeat([]float64{math.NaN()}, p.block.Processes)
	}
	for _, w := range p.ways() {
		list[w.from][w.to] = w.seconds()
		if !p.directed() {
			list[w.to][w.from] = list[w.from][w.to]
		}
	}
	return list
}

// nodes returns the names of the hosts, and the number of the host of each rank.
func (p *pairRow) nodes() (names []string, of []int) {
	of = make([]int, len(p.hosts))
	for _, rank := range p.order {
		at := slices.Index(names, p.hosts[rank])
		if at < 0 {
			at = len(names)
			names = append(names, p.hosts[rank])
		}
		of[rank] = at
	}
	return names, of
}

// heatMaps returns the pictures of a kernel: for each row a matrix of ranks, and one of nodes if there are several with
// several ranks.
func heatMaps(r *probe.Result, k *Kernel) (list []chart.Picture) {
	for _, p := range pairRows(r, k) {
		list = append(list, p.rankMap())
		if names, of := p.nodes(); len(names) > 1 && len(names) < len(p.hosts) {
			list = append(list, p.nodeMap(names, of))
		}
	}
	return list
}

// id returns a name for the IDs of a part of the row, unique in a result, because several passes have rows of the same
// length.
func (p *pairRow) id(part string) string {
	id := fmt.Sprintf("%s-%s-%d-%d", p.kernel.Key(), part, p.block.Processes, p.row.Bytes)
	if p.block.Pass > 0 {
		id += fmt.Sprintf("-pass-%d", p.block.Pass)
	}
	return id
}

// figureID returns the ID of the matrix of a unit.
func (p *pairRow) figureID(unit string) string { return "probe-" + p.id(unit+"s") }

// matrix completes a matrix. unit is the kind of its rows, rank or node.
func (p *pairRow) matrix(unit string, m chart.Matrix) chart.Matrix {
	message := rating.Bytes(p.row.Bytes)
	what, rows, columns := "a round trip of "+message, unit, unit
	if p.directed() {
		what = fmt.Sprintf("%g messages of %s one way and an empty answer", p.kernel.Moved, message)
		rows, columns = "from "+unit, "to "+unit
	}
	m.ID, m.RowLabel, m.ColumnLabel, m.Units, m.FrameMeaning = p.figureID(unit), rows, columns, words.Times,
		"named as slow"
	m.Caption = fmt.Sprintf("%s: time of %s between any two %ss.", p.kernel.Title(), what, unit)
	m.Title = p.title(unit)
	if unit == "node" {
		m.Caption += " It is the first quartile of the times between their ranks."
	}
	if p.block.Pass > 0 {
		m.Caption += fmt.Sprintf(" Pass %d.", p.block.Pass)
	}
	if unit == "rank" && len(slices.Compact(slices.Sorted(slices.Values(p.hosts)))) > 1 {
		m.Caption += " Ranks are ordered by host."
	}
	return m
}

// title returns the title of a matrix of a unit: the slow ranks, nodes and links, and the length. Without a verdict it
// is empty.
func (p *pairRow) title(unit string) string {
	if len(p.row.Verdicts) == 0 {
		return ""
	}
	of := map[string]pairs.Unit{"rank": pairs.Processes, "node": pairs.Nodes}[unit]
	verdict := slices.MaxFunc(p.row.Verdicts, func(a, b pairs.PairVerdict) int {
		score := func(v pairs.PairVerdict) int {
			return words.Either(len(v.Findings) > 0, 2, 0) + words.Either(v.Unit == of, 1, 0)
		}
		return cmp.Compare(score(a), score(b))
	})
	return fmt.Sprintf("%s: time of %s of %s between %ss%s", findings.PairsTitle(&verdict),
		words.Either(p.directed(), "messages", "round trips"), rating.Bytes(p.row.Bytes), unit, inPass(p.block))
}

// rankMap returns the matrix of all ranks.
func (p *pairRow) rankMap() chart.Matrix {
	times, at := p.times(), make([]int, len(p.order))
	m := chart.Matrix{}
	for i, rank := range p.order {
		at[rank] = i
		m.Names = append(m.Names, fmt.Sprint(rank))
		row := lists.Each(p.order, func(other int) float64 { return times[rank][other] })
		m.Values = append(m.Values, row)
	}
	named := func(is func(rank int) bool) (list []int) {
		for rank := range p.hosts {
			if is(rank) {
				list = append(list, at[rank])
			}
		}
		return list
	}
	m.FramedCells = append(p.marks(pairs.Processes, func(name string) []int {
		return named(func(rank int) bool { return fmt.Sprint(rank) == name })
	}), p.marks(pairs.Nodes, func(name string) []int {
		return named(func(rank int) bool { return p.hosts[rank] == name })
	})...)
	return p.matrix("rank", m)
}

// nodeMap returns the matrix of hosts: the first quartiles of the times of their ranks, on which their verdict is
// based.
func (p *pairRow) nodeMap(names []string, of []int) chart.Matrix {
	cells := map[[2]int][]float64{}
	for i, row := range p.times() {
		for j, x := range row {
			if !math.IsNaN(x) {
				at := [2]int{of[i], of[j]}
				cells[at] = append(cells[at], x)
			}
		}
	}
	m := chart.Matrix{}
	for i, name := range names {
		m.Names = append(m.Names, chart.Clean(name))
		row := make([]float64, len(names))
		for j := range names {
			row[j] = stats.Quantile(stats.Sorted(cells[[2]int{i, j}]), 0.25)
		}
		m.Values = append(m.Values, row)
	}
	m.FramedCells = p.marks(pairs.Nodes, func(name string) []int { return []int{slices.Index(names, name)} })
	return p.matrix("node", m)
}

// marks returns the cells of the findings about links of a unit. at returns the rows with a name.
func (p *pairRow) marks(unit pairs.Unit, at func(name string) []int) [][2]int {
	var list [][2]int
	for _, v := range p.row.Verdicts {
		if v.Unit != unit {
			continue
		}
		for _, f := range v.Findings {
			if f.To == "" {
				continue
			}
			for _, i := range at(f.From) {
				for _, j := range at(f.To) {
					list = append(list, [2]int{i, j})
					if f.Trouble == pairs.Link {
						list = append(list, [2]int{j, i})
					}
				}
			}
		}
	}
	return list
}

// pairBlocks returns, for each row of pairs of a kernel, the verdicts, the heat maps and the slowest pairs.
func pairBlocks(r *probe.Result, k *Kernel, figures []*document.Figure) []document.Block {
	var list []document.Block
	for _, p := range pairRows(r, k) {
		list = append(list, document.Paragraph(fmt.Sprintf("%s between %s, %s per pair%s:",
			words.Count(int(p.row.Bytes), "byte"), MeasuredOn(p.block),
			words.Count(int(p.row.Repetitions), "repetition"),
			words.Either(p.row.Pairs.AtOnce, ", with disjoint pairs at the same time", ""))),
			document.List(findings.Pairs(p.row.Verdicts, p.row)))
		list = append(append(list, named(figures, p.figureID("rank"), p.figureID("node"))...), p.slowest())
	}
	return list
}

// maxSlowest is the number of pairs in the table of the slowest ones.
const maxSlowest = 10

// slowest returns the table of the slowest pairs.
func (p *pairRow) slowest() *document.Table {
	list := p.ways()
	slices.SortStableFunc(list, func(a, b way) int { return cmp.Compare(b.seconds(), a.seconds()) })
	t := &document.Table{ID: p.id("slowest"),
		Caption: fmt.Sprintf("The slowest pairs at %s, by the median over the passes, and the mean of all repetitions "+
			"with its interval. `beff export --table probe_pairs` writes all pairs.",
			rating.Bytes(p.row.Bytes)+inPass(p.block)),
		Columns: document.Heads("from []", "on", "to []", "on", "time [µs]", "best pass [µs]", "mean [µs]",
			"± 95 % [µs]")}
	for _, w := range list[:min(len(list), maxSlowest)] {
		least := slices.Min(lists.Each(w.samples.Medians, func(pass []float64) float64 { return pass[w.pair] }))
		t.Add(document.Whole(w.from), p.hosts[w.from], document.Whole(w.to), p.hosts[w.to],
			parts.Microseconds(w.seconds()), parts.Microseconds(least),
			parts.Microseconds(w.samples.Means[w.pair]), parts.Microseconds(w.samples.Half(w.pair, confidence)))
	}
	return t
}
