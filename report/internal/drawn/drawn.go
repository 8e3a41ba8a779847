package drawn

import (
	"encoding/xml"
	"fmt"
	"html"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
)

// requireGood checks the properties of every figure: see the names of the functions that it calls.
func requireGood(t *testing.T, f *document.Figure) {
	t.Helper()
	require.Regexp(t, `^[a-z0-9-]+$`, f.ID)
	require.NotEmpty(t, f.Caption)
	require.Regexp(t, `^[A-Z].*\.$`, f.Alt)
	require.NotContains(t, f.Alt, "NaN")
	aspect := f.Drawing.Aspect()
	require.Greater(t, aspect, 0.1)
	require.Less(t, aspect, 1.5)
	for _, c := range Charts(f) {
		RequireAxesHoldData(t, c)
	}
	for _, width := range []vg.Length{chart.PageWidth, 5 * vg.Centimeter, 1000} {
		RequireReadable(t, f, width)
	}
	require.Equal(t, Svg(t, f, chart.PageWidth), Svg(t, f, chart.PageWidth))
}

func RequireAxesHoldData(t *testing.T, c *chart.Chart) {
	t.Helper()
	for _, l := range c.Layers {
		for _, p := range l.Values() {
			if p.Usable() {
				requireWithin(t, c.X, p.X)
				requireWithin(t, c.Y, p.Y)
			}
		}
	}
	for _, a := range []chart.Axis{c.X, c.Y} {
		labels := 0
		for _, tick := range a.Ticks {
			if tick.Label != "" {
				labels++
			}
		}
		require.Positive(t, labels)
	}
}

func requireWithin(t *testing.T, a chart.Axis, value float64) {
	t.Helper()
	require.GreaterOrEqual(t, a.At(value), a.Min-chart.Tolerance)
	require.LessOrEqual(t, a.At(value), a.Max+chart.Tolerance)
}

// label is a text of a drawing, with its rectangle in points.
type label struct {
	text                     string
	left, right, bottom, top float64
}

func (a label) overlaps(b label) bool {
	return a.left < b.right && b.left < a.right && a.bottom < b.top && b.bottom < a.top
}

var (
	textTag = regexp.MustCompile(`(?s)<text [^>]* x="([^"]*)" y="([^"]*)" font-size="([0-9.]+)" ` +
		`textLength="([0-9.]+)"[^>]*?( transform="rotate\(([-0-9.]+) [^"]*")?( font-weight="bold")?>(.*?)</text>`)
	noNumber = regexp.MustCompile(`="[^"]*(NaN|Inf)[^"]*"`)
)

// labels returns the texts of a drawing. Only the label of the y axis is turned, by a right angle.
func labels(t *testing.T, drawing string) []label {
	t.Helper()
	var list []label
	for _, m := range textTag.FindAllStringSubmatch(drawing, -1) {
		var x, y, size, width float64
		for i, to := range []*float64{&x, &y, &size, &width} {
			_, err := fmt.Sscan(m[i+1], to)
			require.NoError(t, err)
		}
		up := 0.7 * size
		l := label{html.UnescapeString(m[8]), x, x + width, -y, -y + up}
		if m[6] != "" {
			require.Equal(t, "-90", m[6])
			l = label{l.text, x - up, x, -y, -y + width}
		}
		list = append(list, l)
	}
	return list
}

// RequireReadable checks that all texts are inside of the drawing and apart from each other.
func RequireReadable(t *testing.T, f *document.Figure, width vg.Length) {
	t.Helper()
	drawing := Svg(t, f, width)
	requireXML(t, drawing)
	require.False(t, strings.Contains(drawing, "<image"))
	require.Empty(t, noNumber.FindString(drawing))
	w, h := width.Points(), width.Points()*f.Aspect()
	list := labels(t, drawing)
	require.Len(t, list, strings.Count(drawing, "<text"))
	for i, a := range list {
		require.True(t, a.left >= -0.1 && a.right <= w+0.1 && a.bottom >= -h-0.1 && a.top <= 0.1, "%+v of %v x %v",
			a, w, h)
		for _, b := range list[:i] {
			require.False(t, a.overlaps(b), "%+v %+v", a, b)
		}
	}
}

func requireXML(t *testing.T, drawing string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(drawing))
	for {
		if _, err := d.Token(); err == io.EOF {
			return
		} else {
			require.NoError(t, err)
		}
	}
}

// Count returns the number of layers of a type in a figure.
func Count[T chart.Layer](f *document.Figure) int {
	n := 0
	for _, c := range Charts(f) {
		for _, l := range c.Layers {
			if _, is := l.(T); is {
				n++
			}
		}
	}
	return n
}

// Names returns the names of a figure's curves.
func Names(f *document.Figure) []string {
	var list []string
	for _, c := range Charts(f) {
		for _, l := range c.Layers {
			if curve, is := l.(chart.Curve); is && curve.Name != "" {
				list = append(list, curve.Name)
			}
		}
	}
	return list
}

// Charts returns the charts of a figure, one or several panels.
func Charts(f *document.Figure) []*chart.Chart {
	switch d := f.Drawing.(type) {
	case chart.Panels:
		return d
	case chart.Multiples:
		return d.Charts
	}
	return []*chart.Chart{f.Drawing.(*chart.Chart)}
}

// Svg returns the SVG of a figure as the writers draw it, on a canvas of a width.
func Svg(t testing.TB, f *document.Figure, width vg.Length) string {
	t.Helper()
	c := document.NewVector(width, width*vg.Length(f.Aspect()))
	f.Draw(vgdraw.New(c))
	return c.Element("", true)
}

// FigureIDs returns the IDs of figures.
func FigureIDs(figures []*document.Figure) []string {
	return lists.Each(figures, func(f *document.Figure) string { return f.ID })
}

// RequireAllGood checks the figures of data with a name, and that each has an ID of its own.
func RequireAllGood(t *testing.T, name string, list []*document.Figure) {
	t.Helper()
	seen := map[string]bool{}
	for _, f := range list {
		t.Run(name+"/"+f.ID, func(t *testing.T) {
			require.False(t, seen[f.ID])
			seen[f.ID] = true
			requireGood(t, f)
		})
	}
}
