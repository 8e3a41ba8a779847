package versus

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// Side is one of the results that are compared: its name, what was measured where, and when.
type Side struct {
	Name, Fact string
	Date       time.Time
}

// Opening returns the beginning of a comparison's document: the title names the benchmark and all results.
func Opening(title string, sides []Side, notices []document.Notice) *document.Document {
	d := &document.Document{Subtitle: "compared with " + sides[0].Name, Notices: notices}
	var names []string
	for _, s := range sides {
		names = append(names, s.Name)
		d.Facts = append(d.Facts, document.Fact{Name: s.Name, Value: s.Fact})
		if s.Date.After(d.Date) {
			d.Date = s.Date
		}
	}
	d.Title = title + " of " + strings.Join(names, ", ")
	return d
}

// Aspect is a fact of a run that results should share to be compared.
type Aspect struct {
	Level  document.Level
	Names  string // in the plural
	Of     func(i int) string
	Remedy string
}

// NotValid returns a notice for each result that is not valid for comparison.
func NotValid(names []string, valid func(i int) bool) []document.Notice {
	var list []document.Notice
	for i, name := range names {
		if !valid(i) {
			list = append(list, document.Notice{Level: document.Bad, Text: name + " is NOT VALID for comparison",
				Remedy: "beff report says why"})
		}
	}
	return list
}

// Differing returns a notice for each aspect in which the results of the names differ.
func Differing(names []string, aspects []Aspect) []document.Notice {
	var list []document.Notice
	for _, a := range aspects {
		var values []string
		differ := false
		for i, name := range names {
			values = append(values, name+" "+a.Of(i))
			differ = differ || a.Of(i) != a.Of(0)
		}
		if differ {
			list = append(list, document.Notice{Level: a.Level,
				Text: fmt.Sprintf("the %s differ: %s", a.Names, strings.Join(values, ", ")), Remedy: a.Remedy})
		}
	}
	return list
}

// SideBySide is a table of figures of all results, with their ratios to the first one.
type SideBySide struct{ *document.Table }

// NewSideBySide returns the table without rows.
func NewSideBySide(caption string, names []string) SideBySide {
	t := &document.Table{ID: "figures-table", Caption: "Ratios are to " + names[0] + ". " + caption,
		Columns: []document.Column{{Name: "figure"}}}
	for i, name := range names {
		t.Columns = append(t.Columns, document.Column{Name: name, Numbers: true})
		if i > 0 {
			t.Columns = append(t.Columns, document.Column{Name: "ratio", Numbers: true})
		}
	}
	return SideBySide{t}
}

// Add adds a row of a figure of each result, shown in a unit.
func (t SideBySide) Add(name string, unit float64, figures []float64) {
	cells := []document.Cell{document.Text(name)}
	for i, x := range figures {
		cells = append(cells, Number(x/unit))
		if i > 0 {
			cells = append(cells, Fixed(x/figures[0], 3))
		}
	}
	t.Rows = append(t.Rows, cells)
}

// Section returns the section of the table.
func (t SideBySide) Section() document.Section {
	return document.Section{ID: "side-by-side", Title: "Side by side", Blocks: []document.Block{t.Table}}
}

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

// Differences returns a section for the bandwidths of result i and the first one in each area. Behind the table stand
// further blocks. If there are no differences the section holds the text none instead.
func Differences(i int, first, second, caption string, list []Difference, none string,
	further ...document.Block) document.Section {
	section := document.Section{ID: fmt.Sprintf("differences-%d", i),
		Title: fmt.Sprintf("%s against %s", second, first)}
	if len(list) == 0 {
		section.Blocks = []document.Block{document.Paragraph(none)}
		return section
	}
	t := &document.Table{ID: fmt.Sprintf("areas-%d", i), Caption: caption,
		Columns: []document.Column{{Name: "area"}, {Name: first, Unit: "MB/s", Numbers: true},
			{Name: second, Unit: "MB/s", Numbers: true}, {Name: "ratio", Numbers: true},
			{Name: "interval low", Numbers: true}, {Name: "interval high", Numbers: true},
			{Name: "larger than spread"}}}
	for _, d := range list {
		t.Rows = append(t.Rows, differenceCells(d))
	}
	section.Blocks = append([]document.Block{t}, further...)
	return section
}

// differenceCells returns a row of a table of areas.
func differenceCells(d Difference) []document.Cell {
	cells := []document.Cell{document.Text(d.Name), Number(d.First / words.Mega), Number(d.Second / words.Mega),
		Fixed(d.Ratio(), 3)}
	if !d.Interval.Known {
		return append(cells, document.Text("-"), document.Text("-"), document.Text("not known"))
	}
	larger := document.Text("no")
	if d.LargerThanSpread() {
		larger = document.Cell{Text: "yes", Strong: true}
	}
	return append(cells, Fixed(d.Interval.Low, 3), Fixed(d.Interval.High, 3), larger)
}

// Gap returns a section for the parts of the difference between result i and the first one. explained are the section's
// blocks unless the first and largest part of the difference shows that there is none.
func Gap(i int, first, second string, largest []Part, explained ...document.Block) document.Section {
	section := document.Section{ID: fmt.Sprintf("gap-%d", i),
		Title: fmt.Sprintf("What drives the gap of %s to %s", second, first), Blocks: explained}
	if len(largest) == 0 || math.IsNaN(largest[0].Share) {
		section.Blocks = []document.Block{document.Paragraph("There is no difference.")}
	}
	return section
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
