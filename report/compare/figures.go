package compare

import (
	"math"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// figureLine is a figure with its values on all sides.
type figureLine struct {
	rating.Figure
	sides []Sampled
}

// sideBySide returns the section with the figures of all sides and their ratios to the first side: one table of figures
// of which more is better, and one of the others. It leaves out figures that no side has.
func sideBySide(names []string, lines []figureLine) document.Section {
	section := document.Section{ID: "side-by-side", Title: "Side by side"}
	lines = inOneUnit(lines)
	for _, less := range []bool{false, true} {
		var rows []figureLine
		known := false
		for _, l := range lines {
			if l.Less == less && slices.ContainsFunc(l.sides, func(s Sampled) bool { return measured(s.Value) }) {
				rows = append(rows, l)
				known = known || slices.ContainsFunc(l.sides[1:], l.known)
			}
		}
		if len(rows) == 0 {
			continue
		}
		var columns parts.Table[figureLine]
		columns.Text("figure", func(l figureLine) string { return strings.TrimSuffix(l.Name+", "+l.Unit.Shown, ", ") })
		values, intervals := len(names) <= mostValues, known && len(names) <= mostIntervals
		for i, name := range names {
			ratio := func(l figureLine) document.Cell { return l.against(l.sides[i]).cell() }
			columns.If(i == 0 || values).Number(name, "", func(l figureLine) document.Cell {
				return parts.FigureCell(l.Figure, l.Unit.In(l.sides[i].Value), l.sides[i].part())
			})
			columns.If(i > 0 && values).Number("ratio", "", ratio)
			columns.If(i > 0 && !values).Number(name, "", ratio)
			columns.If(i > 0 && intervals).Text("95 %", func(l figureLine) string {
				return l.against(l.sides[i]).range95()
			})
		}
		caption := "Ratios are relative to " + names[0] + ", before rounding"
		if !values {
			caption = "Figures of " + names[0] + ", and for each other side its ratio to them"
		}
		switch {
		case intervals:
			caption += ", each with its 95 % interval"
		case known:
			caption += ", in bold if its 95 % interval excludes 1"
		}
		section.Blocks = append(section.Blocks, columns.Of(&document.Table{
			ID:      words.Either(less, "less-table", "figures-table"),
			Caption: caption + ". " + words.Either(less, "Smaller is better.", "Larger is better.")}, rows))
	}
	return section
}

// Numbers of sides up to which a table has the interval of each ratio, and each figure next to its ratio, so that it
// fits on a page.
const (
	mostIntervals = 3
	mostValues    = 6
)

// known reports whether the ratio of s to the first side has a known interval.
func (l figureLine) known(s Sampled) bool { return l.against(s).Interval().Known }

// against returns the difference between s and the first side.
func (l figureLine) against(s Sampled) Difference {
	return Difference{Name: l.Name, First: l.sides[0], Second: s}
}

// cell returns a cell with the ratio, in bold if its interval excludes 1.
func (d Difference) cell() document.Cell {
	c := parts.FourDigits(d.Ratio())
	if in := d.Interval(); in.Known && d.Comparison().Order() != rating.Alike {
		c.Strong = true
	}
	return c
}

// range95 formats the ends of the ratio's interval, if known.
func (d Difference) range95() string {
	switch {
	case !d.Measured():
		return "-"
	case !d.Interval().Known:
		return "not known"
	}
	return parts.FourDigits(d.Interval().Low).Text + " to " + parts.FourDigits(d.Interval().High).Text
}

// commonUnit returns the unit for bandwidths of which this is the least: the largest one in which it is at least 0.1.
func commonUnit(least float64) words.Step {
	const minShown, digits = 0.1, 4
	return words.Bandwidths[2:].UnitFor(least/minShown, digits)
}

// inOneUnit returns the figures with one unit for all bandwidths.
func inOneUnit(lines []figureLine) []figureLine {
	isBandwidth := func(l figureLine) bool { return l.Unit.Base == rating.Bandwidth.Base }
	least := math.Inf(1)
	for _, l := range lists.Where(lines, isBandwidth) {
		for _, s := range lists.Where(l.sides, func(s Sampled) bool { return measured(s.Value) }) {
			least = min(least, s.Value)
		}
	}
	of := commonUnit(least)
	return lists.Each(lines, func(l figureLine) figureLine {
		if isBandwidth(l) {
			l.Unit.Shown, l.Unit.Scale = of.Name, of.Size
		}
		return l
	})
}

// part returns half of the figure's interval relative to the figure, or NaN if it isn't known.
func (s Sampled) part() float64 {
	if in, known := s.Interval(); known {
		return in.High/s.Value - 1
	}
	return math.NaN()
}
