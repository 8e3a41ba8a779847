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
	for _, less := range []bool{false, true} {
		var rows []figureLine
		known := false
		for _, l := range lines {
			if l.Less == less && slices.ContainsFunc(l.sides, func(s Sampled) bool { return measured(s.Value) }) {
				rows = append(rows, l.scaled())
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
	const digits = 3
	return words.Digits(d.Interval().Low, digits) + " to " + words.Digits(d.Interval().High, digits)
}

// scaled returns the figure with its shown unit: bandwidths of 10 GB/s or more are in GB/s or a larger unit.
func (l figureLine) scaled() figureLine {
	const most = 10_000
	largest := lists.Max(l.sides, func(s Sampled) float64 { return s.Value })
	for _, next := range []string{"GB/s", "TB/s", "PB/s"} {
		if l.Unit.Base == rating.Bandwidth.Base && l.Unit.In(largest) >= most {
			l.Unit.Shown, l.Unit.Scale = next, 1000*l.Unit.Scale
		}
	}
	return l
}

// part returns half of the figure's interval relative to the figure, or NaN if it isn't known.
func (s Sampled) part() float64 {
	if in, known := s.Interval(); known {
		return in.High/s.Value - 1
	}
	return math.NaN()
}
