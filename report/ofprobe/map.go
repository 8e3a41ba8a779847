package ofprobe

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/effective-bandwidth/beff/fabric"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/report/words"
	"github.com/effective-bandwidth/beff/stats"
)

// MapText writes a map of the nodes, which --topology reads: the units that stand out of the times of pairs, of the
// first row with several nodes. Comments say how sure it is.
func MapText(w io.Writer, r *probe.Result) error {
	for _, k := range Of(r) {
		for _, p := range pairings(r, k) {
			if names, of := p.nodes(); len(names) > 1 {
				return p.writeMap(w, names, of)
			}
		}
	}
	return errors.New("a map is found in times of pairs between several nodes")
}

// writeMap writes the map of a row.
func (p *pairing) writeMap(w io.Writer, names []string, of []int) error {
	levels, err := fabric.Find(p.squares(len(names), of))
	if err != nil {
		return fmt.Errorf("map: %s, %s: %w", p.kernel.Title(), p.length(), err)
	}
	passes := len(p.row.Pairs.There.Medians)
	var s strings.Builder
	fmt.Fprintf(&s, "# Found in the times of %s, %s, between %s, in %s.\n", p.kernel.Title(), p.length(),
		words.Count(len(names), "node"), words.Count(passes, "pass"))
	for i, f := range levels {
		units, sure := 0, 0
		for node, unit := range f.Of {
			units = max(units, unit+1)
			if f.Alone[node] == 0 {
				sure++
			}
		}
		fmt.Fprintf(&s, "# %s: %d; %.3g µs within one, %.3g µs between two, %.2f times at least. Each pass "+
			"alone finds %d of %d nodes with the same others.\n", fabric.Plural(fabric.Levels[i]), units,
			f.Within/words.Micro, f.Between/words.Micro, math.Exp(f.Apart), sure, len(names))
	}
	for node, name := range names {
		line, doubt := words.OneLine(name), 0
		for i, f := range levels {
			line += fmt.Sprintf(" %s%d", fabric.Levels[i], f.Of[node]+1)
			doubt = max(doubt, f.Alone[node])
		}
		if doubt > 0 {
			line += fmt.Sprintf(" # not sure: with others in %d of %d passes", doubt, passes)
		}
		s.WriteString(line + "\n")
	}
	_, err = io.WriteString(w, s.String())
	return err
}

// squares returns the times between nodes in each pass: the first quartiles of those of their ranks, in both
// directions.
func (p *pairing) squares(nodes int, of []int) (list [][][]float64) {
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
