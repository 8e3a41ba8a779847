package chart

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// Matrix is a square of values between the elements of a list, such as the times between processes, or a table of
// values, such as patterns by message lengths. A value for which Usable is false counts as not measured.
type Matrix struct {
	ID, Title, Caption string

	Names          []string    // of the rows; neighbours may have the same name
	ColumnNames    []string    // of the columns; nil: the same as the rows
	TooltipColumns []string    // names of the columns in tooltips of cells, or nil; a matrix with these isn't folded
	Values         [][]float64 // a list for each row
	FramedCells    [][2]int    // row and column of each framed cell
	FrameMeaning   string      // for the legend
	Unit           string      // of the values, which may be empty
	Units          words.Scale // if not nil, values are in base units, and are shown in the best of these units
	RowLabel       string
	ColumnLabel    string
}

// columns returns the names of the columns.
func (m Matrix) columns() []string {
	if m.ColumnNames != nil {
		return m.ColumnNames
	}
	return m.Names
}

const (
	maxCells       = 64 // rows and columns of a drawn matrix; larger ones are folded
	maxClasses     = 8  // colours
	minClasses     = 5  // with fewer classes the highest isn't dark
	tableRowHeight = 9  // in points
	cellHeight     = 15 // of other cells at most, if there are minRows or more
	minRows        = 5  // a matrix of less is as high
	minSpread      = 50 // if values differ by less than one part in this, their classes are as wide as if they did
)

// Figure implements Picture. It is nil without any usable value.
func (m Matrix) Figure() *document.Figure {
	if !slices.ContainsFunc(slices.Concat(m.Values...), Usable) {
		return nil
	}
	if m.Units != nil {
		unit := Quantity{units: m.Units}.unit(slices.Concat(m.Values...), curveThreshold)
		m.Unit, m.Values = unit.Name, lists.Each(m.Values, func(row []float64) []float64 {
			return lists.Each(row, func(x float64) float64 { return x / unit.Size })
		})
	}
	folded, factor := m.folded()
	low, high := Span(slices.Concat(m.Values...))
	f := &document.Figure{ID: m.ID, Title: m.Title, Caption: m.Caption, Drawing: folded.Chart(), Lines: folded.Lines(),
		Alt: fmt.Sprintf("Heat map: %s (%s) and %s (%s), values from %s to %s %s.", words.Count(len(m.Names), "row"),
			m.RowLabel, words.Count(len(m.columns()), "column"), m.ColumnLabel, words.Short(low), words.Short(high),
			m.Unit)}
	if factor > 1 {
		f.Caption += fmt.Sprintf(" A cell is the largest of %d by %d.", factor, factor)
	}
	return f
}

// folded returns the matrix with at most maxCells rows and columns, and the number of rows, and of columns, that it
// combines into one. A cell shows the largest of its values, so that slow ones remain visible.
func (m Matrix) folded() (Matrix, int) {
	factor := (len(m.Names) + maxCells - 1) / maxCells
	if factor <= 1 || m.TooltipColumns != nil {
		return m, 1
	}
	f, n := m, (len(m.Names)+factor-1)/factor
	columns := n
	if m.ColumnNames != nil {
		columns = (len(m.ColumnNames) + factor - 1) / factor
		f.ColumnNames = make([]string, columns)
		for i := range f.ColumnNames {
			f.ColumnNames[i] = m.ColumnNames[i*factor]
		}
	}
	f.Names, f.Values, f.FramedCells = make([]string, n), make([][]float64, n), nil
	for i := range n {
		f.Names[i] = m.Names[i*factor]
		f.Values[i] = slices.Repeat([]float64{math.NaN()}, columns)
	}
	for i, row := range m.Values {
		for j, x := range row {
			if cell := &f.Values[i/factor][j/factor]; Usable(x) && !(x <= *cell) {
				*cell = x
			}
		}
	}
	for _, framed := range m.FramedCells {
		f.FramedCells = append(f.FramedCells, [2]int{framed[0] / factor, framed[1] / factor})
	}
	return f, factor
}

// classBounds returns the bounds of the classes of values that have one colour each: n+1 bounds for n classes, in equal
// steps, or in equal ratios if the values differ by more than a factor of 3.
func classBounds(values [][]float64) []float64 {
	low, high := Span(slices.Concat(values...))
	const wide = 3
	if high > wide*low {
		list := make([]float64, 0, maxClasses+1)
		for k := range maxClasses + 1 {
			x := low * math.Pow(high/low, float64(k)/maxClasses)
			list = append(list, twoDigits(x, k == maxClasses))
		}
		return slices.Compact(list)
	}
	step := math.Pow(10, round125(math.Log10(math.Max(high-low, low/minSpread)/(maxClasses-1))-Tolerance, true))
	first := math.Floor(low/step + Tolerance)
	list := []float64{first * step}
	for k := first + 1; list[len(list)-1] < high*(1-Tolerance) || len(list) < 2; k++ {
		list = append(list, k*step)
	}
	return list
}

// twoDigits rounds a number down or up to two digits.
func twoDigits(x float64, up bool) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(x))-1)
	if up {
		return math.Ceil(x/unit-Tolerance) * unit
	}
	return math.Floor(x/unit+Tolerance) * unit
}

// classOf returns the index of the class of a value, or -1 if Usable(x) is false.
func classOf(bounds []float64, x float64) int {
	if !Usable(x) {
		return -1
	}
	i, found := slices.BinarySearch(bounds, x)
	if !found {
		i--
	}
	return max(0, min(i, len(bounds)-2))
}

// classNames returns the range of each class with the unit.
func classNames(bounds []float64, unit string) []string {
	return lists.Of(len(bounds)-1, func(i int) string {
		return strings.TrimSpace(fmt.Sprintf("%s to %s %s", digits(bounds[i]), digits(bounds[i+1]), unit))
	})
}

// digits formats a bound without rounding errors.
func digits(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

// ramp holds the colours between which heat interpolates, from the lowest class to the highest. Each is darker than the
// one before, even in a grey copy.
var ramp = [...]color.RGBA{{0xFE, 0xF1, 0xBC, 255}, {0xF9, 0xB8, 0x4E, 255}, {0xCF, 0x4A, 0x4E, 255},
	{0x32, 0x0A, 0x45, 255}}

// heatColour returns the colour of a class by its index and the number of classes.
func heatColour(class, classes int) color.Color {
	at := float64(class) / float64(max(classes, minClasses)-1) * float64(len(ramp)-1)
	i := min(int(at), len(ramp)-2)
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + (float64(b)-float64(a))*(at-float64(i)))) }
	a, b := ramp[i], ramp[i+1]
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}

// Chart returns the matrix as a chart of coloured cells, with the first row at the top. The legend has the range of
// each colour.
func (m Matrix) Chart() *Chart {
	bounds := classBounds(m.Values)
	const axesWidth = 50 // points
	c := &Chart{X: Axis{Label: m.ColumnLabel, Scale: m.scale(1)}, Y: Axis{Label: m.RowLabel, Scale: m.scale(-1)},
		matrix: true}
	height := words.Either[vg.Length](m.TooltipColumns != nil, tableRowHeight, cellHeight)
	c.Frame = min(PageWidth-axesWidth, axesWidth+vg.Length(max(len(m.Names), minRows))*height)
	c.Layers = append(c.Layers, cells{m, bounds})
	for i, name := range classNames(bounds, m.Unit) {
		c.Legend = append(c.Legend, Entry{name, BoxIcon(heatColour(i, len(bounds)-1))})
	}
	if slices.ContainsFunc(slices.Concat(m.Values...), func(x float64) bool { return !Usable(x) }) {
		c.Legend = append(c.Legend, Entry{"not measured", BoxIcon(paper)})
	}
	if len(m.FramedCells) > 0 {
		c.Layers = append(c.Layers, frames{m.FramedCells})
		c.Legend = append(c.Legend, Entry{m.FrameMeaning, []Layer{frames{[][2]int{{0, 0}}}}})
	}
	return c
}

// scale returns the axis of the columns (direction 1) or the rows (-1, downwards). Cell i extends from i to i+1 in this
// direction. The axis has as many names as fit.
func (m Matrix) scale(direction float64) Scale {
	names, style, maxWidth := m.Names, TextOf(smallSize), vg.Length(nameWidth/2)
	switch {
	case m.ColumnNames != nil && direction > 0:
		names = m.ColumnNames
	case m.ColumnNames != nil:
		maxWidth = nameWidth
	}
	n := len(names)
	widest := lists.Max(names, func(s string) vg.Length { return style.Width(shortened(s, style, maxWidth)) })
	labelSpace := words.Either(direction > 0, widest+6, vg.Length(12))
	every := 1
	for _, step := range []int{1, 2, 4, 5, 8, 10, 16, 20, 32, 64} {
		if every = step; (PageWidth-80)/vg.Length(n)*vg.Length(step) >= labelSpace {
			break
		}
	}
	if direction < 0 && m.TooltipColumns != nil {
		every = 1 // the height allows it
	}
	s := Scale{At: func(x float64) float64 { return direction * x }, Max: float64(n)}
	if direction < 0 {
		s.Min, s.Max = -float64(n), 0
	}
	for i := 0; i < n; i += every {
		s.Ticks = append(s.Ticks, plot.Tick{Value: direction * (float64(i) + 0.5),
			Label: shortened(names[i], style, maxWidth)})
	}
	return s
}

// cells is the layer of a matrix.
type cells struct {
	matrix Matrix
	bounds []float64
}

// Values returns the corner opposite the first cell.
func (l cells) Values() []Point {
	return []Point{{X: float64(len(l.matrix.columns())), Y: float64(len(l.matrix.Names))}}
}

// draw fills all cells of a colour as one path. Cells overlap a little, because otherwise white lines would be visible
// between them.
func (l cells) draw(p pen) {
	paths := make([]vg.Path, len(l.bounds)-1)
	for i, row := range l.matrix.Values {
		for from := 0; from < len(row); {
			class, to := classOf(l.bounds, row[from]), from+1
			for to < len(row) && classOf(l.bounds, row[to]) == class {
				to++
			}
			if class >= 0 {
				low, high := p.at(float64(from), float64(i+1)), p.at(float64(to), float64(i))
				low.Y, high.X = low.Y-0.2*p.u, high.X+0.2*p.u
				paths[class] = append(paths[class], vg.Rectangle{Min: low, Max: high}.Path()...)
			}
			from = to
		}
	}
	for class, path := range paths {
		if len(path) > 0 {
			p.c.SetColor(heatColour(class, len(paths)))
			p.c.Fill(path)
		}
	}
	for i, row := range l.matrix.Values {
		for j, x := range row {
			if l.matrix.TooltipColumns != nil && Usable(x) {
				p.note(p.at(float64(j)+0.5, float64(i)+0.5), strings.TrimSpace(fmt.Sprintf("%s, %s: %s %s",
					l.matrix.Names[i], l.matrix.TooltipColumns[j], rating.Rounded(x, 3), l.matrix.Unit)))
			}
		}
	}
	if l.matrix.ColumnNames != nil && l.matrix.TooltipColumns == nil {
		l.drawValues(p)
	}
}

// drawValues writes the values into the cells, if they all fit.
func (l cells) drawValues(p pen) {
	style := TextOf(smallSize * p.u)
	style.XAlign, style.YAlign = text.XCenter, text.YCenter
	cellWidth := p.at(1, 1).X - p.at(0, 0).X
	for _, x := range slices.Concat(l.matrix.Values...) {
		if Usable(x) && style.Width(words.Short(x)) > cellWidth {
			return
		}
	}
	for i, row := range l.matrix.Values {
		for j, x := range row {
			if class := classOf(l.bounds, x); class >= 0 {
				style.Color = Ink
				if 2*class >= max(len(l.bounds)-1, minClasses) {
					style.Color = paper
				}
				p.c.FillText(style, p.at(float64(j)+0.5, float64(i)+0.5), words.Short(x))
			}
		}
	}
}

// frames is a layer of frames around cells.
type frames struct{ cells [][2]int }

func (frames) Values() []Point { return nil }

// draw draws the sides of the cells, except between two of them, so that neighbours share a frame. The frame is visible
// on light and on dark cells.
func (l frames) draw(p pen) {
	for _, line := range []struct {
		ink   color.Color
		width vg.Length
	}{{paper, 2.4}, {Ink, 1.2}} {
		style := p.stroke(line.ink, line.width, nil)
		for _, cell := range l.cells {
			for _, side := range [][3][2]int{ // the neighbour, then the ends of the side, each by row and column
				{{-1, 0}, {0, 0}, {0, 1}}, {{1, 0}, {1, 0}, {1, 1}}, {{0, -1}, {0, 0}, {1, 0}},
				{{0, 1}, {0, 1}, {1, 1}},
			} {
				if slices.Contains(l.cells, [2]int{cell[0] + side[0][0], cell[1] + side[0][1]}) {
					continue
				}
				from := p.at(float64(cell[1]+side[1][1]), float64(cell[0]+side[1][0]))
				to := p.at(float64(cell[1]+side[2][1]), float64(cell[0]+side[2][0]))
				p.c.StrokeLine2(style, from.X, from.Y, to.X, to.Y)
			}
		}
	}
}

// Lines returns the matrix as text: a line for each row, with a character for each class, and below the range of each
// class.
func (m Matrix) Lines() []string {
	const letters = ".:-=+*#@"
	bounds := classBounds(m.Values)
	width := lists.Max(m.Names, func(name string) int { return len([]rune(name)) })
	var list []string
	for i, row := range m.Values {
		var line strings.Builder
		fmt.Fprintf(&line, "%-*s ", width, m.Names[i])
		for _, x := range row {
			letter := byte(' ')
			if class := classOf(bounds, x); class >= 0 {
				letter = letters[min(class*len(letters)/max(len(bounds)-1, 1), len(letters)-1)]
			}
			line.WriteByte(' ')
			line.WriteByte(letter)
		}
		list = append(list, strings.TrimRight(line.String(), " "))
	}
	list = append(list, "")
	for i, name := range classNames(bounds, m.Unit) {
		list = append(list, fmt.Sprintf("%c  %s", letters[i*len(letters)/(len(bounds)-1)], name))
	}
	return list
}
