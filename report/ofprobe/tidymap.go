package ofprobe

import (
	"fmt"
	"strings"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/fabric"
	"github.com/effective-bandwidth/beff/report/tidy"
	"github.com/effective-bandwidth/beff/stats"
)

// mapLine is a node with its units, the lowest level first.
type mapLine struct {
	line
	node  string
	units []string
	alone int
}

// mapTable returns the table of the nodes with the units that the times of pairs reveal, from the first row with units.
// It is a map of the network.
func mapTable(r *probe.Result) *tidy.Table {
	fields := []tidy.Field[mapLine]{
		tidy.String("kernel", "whose times it follows from", func(x *mapLine) string { return x.block.Kernel }),
		tidy.Int("bytes", "B", "length of a message", func(x *mapLine) int64 { return x.row.Bytes }),
		tidy.String("node", "name of the node", func(x *mapLine) string { return x.node }),
	}
	for i, level := range fabric.Levels {
		fields = append(fields, tidy.String(level, "unit of nodes that are near each other", func(x *mapLine) string {
			if i < len(x.units) {
				return x.units[i]
			}
			return ""
		}))
	}
	fields = append(fields, tidy.Int("unsure", "", "passes that place the node differently",
		func(x *mapLine) int { return x.alone }))
	return tidy.Of("probe_map", "nodes, with units by their times", fields, func(add func(*mapLine)) {
		for _, x := range mapLines(r) {
			add(&x)
		}
	})
}

// mapLines returns the nodes with their units, by the first row in whose times there are units.
func mapLines(r *probe.Result) (list []mapLine) {
	for _, k := range kernelsOf(r) {
		for _, p := range pairRows(r, k) {
			names, of := p.nodes()
			levels, err := fabric.Find(p.squares(len(names), of))
			if err != nil { // no unit was found
				continue
			}
			for node, name := range names {
				x := mapLine{line: line{block: p.block, row: p.row}, node: name}
				for i, f := range levels {
					x.units = append(x.units, fmt.Sprintf("%s%d", fabric.Levels[i], f.Of[node]+1))
					x.alone = max(x.alone, f.Misplaced[node])
				}
				list = append(list, x)
			}
			return list
		}
	}
	return nil
}

// Map returns the groups of nodes that are near each other by the times of pairs, as a map that fabric.Parse reads. It
// is empty without groups, and if half of the passes place a node differently, as on a busy machine.
func Map(r *probe.Result) string {
	var b strings.Builder
	members := map[string][]string{}
	var order []string
	for _, x := range mapLines(r) {
		if 2*x.alone >= len(x.row.Pairs.There.Medians) {
			return ""
		}
		units := strings.Join(x.units, " ")
		if members[units] == nil {
			order = append(order, units)
		}
		members[units] = append(members[units], x.node)
	}
	for _, units := range order {
		fmt.Fprintf(&b, "%s %s\n", strings.Join(members[units], ","), units)
	}
	return b.String()
}

// squares returns the times between nodes in each pass: the first quartiles of the times of their ranks, in both
// directions.
func (p *pairRow) squares(nodes int, of []int) (list [][][]float64) {
	for pass := range p.row.Pairs.There.Medians {
		cells := map[[2]int][]float64{}
		for _, w := range p.ways() {
			a, b := of[w.from], of[w.to]
			if pass < len(w.samples.Medians) && a != b {
				t := w.samples.Medians[pass][w.pair]
				for _, way := range [][2]int{{a, b}, {b, a}} {
					cells[way] = append(cells[way], t)
				}
			}
		}
		square := make([][]float64, nodes)
		for i := range square {
			square[i] = make([]float64, nodes)
			for j := range square[i] {
				square[i][j] = stats.Quantile(stats.Sorted(cells[[2]int{i, j}]), 0.25)
			}
		}
		list = append(list, square)
	}
	return list
}
