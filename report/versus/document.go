package versus

import (
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// Closing returns the last sections of a comparison: its figures, if there are any, and its method.
func Closing(figures []*document.Figure, method []string) []document.Section {
	how := document.Section{ID: "method", Title: "How this was computed",
		Blocks: []document.Block{document.List(method)}}
	if len(figures) == 0 {
		return []document.Section{how}
	}
	section := document.Section{ID: "figures", Title: "Figures"}
	for _, f := range figures {
		section.Blocks = append(section.Blocks, f)
	}
	return []document.Section{section, how}
}

// DifferenceCells returns a row of a table of areas.
func DifferenceCells(d Difference) []document.Cell {
	cells := []document.Cell{document.Text(d.Name), Number(d.First / words.Mega), Number(d.Second / words.Mega),
		Fixed(d.Ratio(), 3)}
	switch {
	case !d.Interval.Known:
		cells = append(cells, document.Text("-"), document.Text("-"), document.Text("not known"))
	case d.LargerThanSpread():
		cells = append(cells, Fixed(d.Interval.Low, 3), Fixed(d.Interval.High, 3),
			document.Cell{Text: "yes", Strong: true})
	default:
		cells = append(cells, Fixed(d.Interval.Low, 3), Fixed(d.Interval.High, 3), document.Text("no"))
	}
	return cells
}

// PartsTable returns a table of at most the first most parts. One row sums up the others, the footer all.
func PartsTable(id, caption string, list []Part, most int) *document.Table {
	t := &document.Table{ID: id, Caption: caption,
		Columns: []document.Column{{Name: "part"}, {Name: "factor", Numbers: true},
			{Name: "share", Unit: "%", Numbers: true}}}
	add := func(p Part) []document.Cell {
		return []document.Cell{document.Text(p.Name),
			document.Number(math.Exp(p.Log), fmt.Sprintf("%.4f", math.Exp(p.Log))),
			document.Number(100*p.Share, fmt.Sprintf("%.1f", 100*p.Share))}
	}
	most = min(most, len(list))
	rest, sum := Part{Name: fmt.Sprintf("all %d others", len(list)-most)}, Part{Name: "sum"}
	for i, p := range list {
		sum.Log, sum.Share = sum.Log+p.Log, sum.Share+p.Share
		if i < most {
			t.Rows = append(t.Rows, add(p))
		} else {
			rest.Log, rest.Share = rest.Log+p.Log, rest.Share+p.Share
		}
	}
	if most < len(list) {
		t.Rows = append(t.Rows, add(rest))
	}
	t.Footer = add(sum)
	return t
}

// Number returns a cell of a number with at least four digits, or "-" if it was not measured (0, NaN or
// infinite).
func Number(x float64) document.Cell {
	decimals := 3
	for limit := 10.0; x >= limit && decimals > 0; limit *= 10 {
		decimals--
	}
	return Fixed(x, decimals)
}

// Fixed returns a cell of a number with the given decimals, or "-" if it was not measured (0, NaN or infinite).
func Fixed(x float64, decimals int) document.Cell {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return document.Text("-")
	}
	return document.Number(x, fmt.Sprintf("%.*f", decimals, x))
}
