package document_test

import (
	"fmt"
	"image/color"
	"math"
	"strings"
	"time"

	stdfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	. "github.com/effective-bandwidth/beff/report/document"
)

// drawing uses every feature of a canvas: dashes, faces, transparency, rotated and bold text, letters beyond ASCII.
type drawing struct {
	aspect float64
	title  string
}

func (d drawing) Aspect() float64 { return d.aspect }

var fontCache = font.NewCache(liberation.Collection())

func textStyle(size float64, weight stdfont.Weight, slant stdfont.Style) text.Style {
	return text.Style{
		Color: color.Black,
		Font: font.Font{Typeface: "Liberation", Variant: "Sans", Weight: weight, Style: slant,
			Size: vg.Points(size)},
		Handler: text.Plain{Fonts: fontCache},
	}
}

func (d drawing) Draw(c draw.Canvas) {
	size := c.Size()
	at := func(x, y float64) vg.Point {
		return vg.Point{X: c.Min.X + size.X*vg.Length(x), Y: c.Min.Y + size.Y*vg.Length(y)}
	}
	c.StrokeLines(draw.LineStyle{Color: color.Gray{120}, Width: 0.8}, []vg.Point{at(.1, .9), at(.1, .1), at(.98, .1)})
	for i, dash := range [][]vg.Length{nil, {4, 2}, {1, 2}} {
		line := draw.LineStyle{Color: color.NRGBA{R: uint8(90 * i), G: 90, B: 160, A: 255}, Width: 1.5, Dashes: dash}
		c.StrokeLines(line, []vg.Point{at(.1, .15+.2*float64(i)), at(.5, .3+.2*float64(i)), at(.95, .35+.2*float64(i))})
		c.DrawGlyph(draw.GlyphStyle{Color: line.Color, Radius: 4, Shape: draw.PyramidGlyph{}}, at(.5, .3+.2*float64(i)))
	}
	c.FillPolygon(color.NRGBA{R: 200, A: 90}, []vg.Point{at(.7, .12), at(.9, .12), at(.9, .5), at(.7, .5)})
	var corner vg.Path
	corner.Move(at(.8, .6))
	corner.Line(at(.9, .6))
	corner.Line(at(.85, .7))
	corner.Close()
	c.SetColor(color.NRGBA{G: 130, B: 90, A: 255})
	c.Fill(corner)
	c.FillText(textStyle(12, stdfont.WeightBold, stdfont.StyleNormal), at(.12, .93), d.title)
	c.FillText(textStyle(9, stdfont.WeightNormal, stdfont.StyleItalic), at(.4, .02), "latency in µs, ≥ 0, β → σ ± 1 %")
	turned := textStyle(10, stdfont.WeightNormal, stdfont.StyleNormal)
	turned.Rotation = math.Pi / 2
	c.FillText(turned, at(.06, .3), "rotated [MB/s]")
}

// hostile holds texts as untrusted files may contain them.
var hostile = []string{
	`<script>alert("x")</script>`,
	"a|b||c \\| `code` ``",
	`"quotes" 'single', comma; semicolon`,
	`=HYPERLINK("http://evil.example","x")`,
	"+1+2", "-1-1", "@SUM(A1)", "-", "-12.5",
	"line\nbreak\r\nand\ttab",
	"# heading", "1. item", "- item", "> quote", "===", "___",
	"_outer_ b_eff *star* ~~gone~~ $x$ [link](http://evil) &lt; @user #1",
	"www.evil.example <img src=x onerror=alert(1)> </style></script>",
	"escape \x1b[31mred\x1b[0m bell \a nul \x00 c1 \u009b31m",
	"bad utf8 \xff\xfe", "turned \u202eright\u202c \u2066isolate\u2069",
	"שלום עולם 123", "مرحبا", "emoji 😀 👩‍👩‍👧 ❤️", "漢字 wide", "µ ≥ β → σ ± ½ …", "{nb} {{.Title}} ${x} %s %!d",
	strings.Repeat("averylongnamewithoutanyspace", 6),
	strings.Repeat("many words that have to wrap ", 12),
	"",
}

// nasty returns a document of these texts with all kinds of parts.
func nasty() *Document {
	t := &Table{
		ID: "hostile", Caption: `Hostile <b>strings</b> | and "numbers"`, Sortable: true,
		Columns: []Column{{Name: "name | <i>"}, {Name: "b_eff", Unit: "MB/s", Numbers: true}, {Name: "=note"}},
		Footer:  []Cell{Text("all"), Number(1e9/3, "333333333.33"), Text("=sum")},
	}
	values := []float64{1, -2.5, math.NaN(), math.Inf(1), math.Inf(-1), 1 << 20, 1e-9, 1e22, 1.0 / 3, 0}
	for i, s := range hostile {
		v := values[i%len(values)]
		t.Rows = append(t.Rows, []Cell{Text(s), Number(v, fmt.Sprintf("%.4g", v)),
			{Text: hostile[(i+3)%len(hostile)], Strong: i%4 == 0}})
	}
	return &Document{
		Title: "Effective bandwidth <of> a | machine", Subtitle: "64 nodes & \"quotes\"",
		Headline: Headline{Name: "b_eff", Value: "9709.549", Unit: "MB/s",
			Note: "= 37.928 MB/s per process on 256 processes"},
		Facts: []Fact{{Name: "system", Value: "Cray T3E, <unicosmk> 2.0.4.71"},
			{Name: "processes", Value: "256 on 64 nodes"},
			{Name: "clock | <x>", Value: hostile[23]}, {Name: "", Value: "without a name"}},
		Notices: []Notice{
			{Level: Bad, Text: "NOT VALID for comparison: <quick> run.", Remedy: "Run without --quick."},
			{Level: Warning, Text: "The clock is coarse | by half.", Remedy: ""},
			{Level: Good, Text: "All criteria are met.", Remedy: ""},
		},
		Date: time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC),
		Sections: []Section{
			{ID: "texts", Title: "Texts <hr>", Blocks: []Block{
				Paragraph("Plain text. " + strings.Repeat("It goes on for a while, over lines. ", 8)),
				Paragraph(hostile[16]), Paragraph("# no heading\n- no item"), Paragraph(""),
				List{"one", hostile[0], hostile[9], hostile[23]}, List{},
			}},
			{ID: "tables", Title: "Tables", Blocks: []Block{
				t,
				&Table{ID: "empty", Caption: "", Columns: []Column{{Name: "size", Unit: "byte", Numbers: true},
					{Name: ""}}, Sortable: true},
				&Table{ID: "plain", Caption: "Not sortable",
					Columns: []Column{{Name: "a"}, {Unit: "µs", Numbers: true}},
					Rows:    [][]Cell{{Text("x"), Number(1.5, "1.5")}, {Text("y"), Number(10.25, "10.3")}}},
			}},
			{ID: "figures", Title: "Figures", Blocks: []Block{
				&Figure{ID: "lines", Caption: "Lines & <dashes>", Alt: `A "drawing" of <lines>`,
					Drawing: drawing{0.5, "Bold title <&>"}},
				Paragraph("Between the figures."),
				&Figure{ID: "square", Caption: "", Alt: "", Drawing: drawing{1, "Bold µ ≥ β → 😀"}},
			}},
			{ID: "nothing", Title: "Nothing"},
		},
	}
}

// large returns a document with a table of 500 rows, tables of 12 and of 40 columns, and a figure that is higher than a
// page.
func large() *Document {
	long := &Table{ID: "long", Caption: "Five hundred measurements", Sortable: true,
		Columns: []Column{{Name: "size", Unit: "byte", Numbers: true}, {Name: "pattern"},
			{Name: "bandwidth", Unit: "MB/s", Numbers: true},
			{Name: "repetition", Numbers: true}}}
	for i := range 500 {
		v := float64((i*7919)%1009) + 0.125
		long.Rows = append(long.Rows, []Cell{Number(float64(int(1)<<(i%24)), fmt.Sprint(1<<(i%24))),
			Text([]string{"ring-2", "ring-4", "random"}[i%3]), Number(v, fmt.Sprintf("%.2f", v)),
			Number(float64(i), fmt.Sprint(i))})
	}
	long.Footer = []Cell{Text(""), Text("average"), Number(504.5, "504.50"), Text("")}
	return &Document{
		Title: "A long report", Headline: Headline{Value: "1250", Unit: "MB/s"},
		Date: time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC),
		Sections: []Section{
			{ID: "all", Title: "All measurements", Blocks: []Block{Paragraph("Before."), long, Paragraph("After.")}},
			{ID: "wide", Title: "Wide tables", Blocks: []Block{
				wide("columns-12", 12, 6), wide("columns-40", 40, 6), Paragraph("Upright again."),
				&Table{ID: "high", Caption: "A cell higher than a page", Columns: []Column{{Name: "a"}, {Name: "b"}},
					Rows: [][]Cell{{Text("short"), Text("short")},
						{Text("short"), Text(strings.Repeat("long text ", 3000) + "the end")}}},
			}},
			{ID: "figures", Title: "A high figure",
				Blocks: []Block{&Figure{ID: "high-figure", Caption: "Higher than a page", Alt: "high",
					Drawing: drawing{3, "High"}}}},
		},
	}
}

func wide(id string, columns, rows int) *Table {
	t := &Table{ID: id, Caption: fmt.Sprintf("A table of %d columns", columns), Columns: []Column{{Name: "machine"}}}
	for c := 1; c < columns; c++ {
		t.Columns = append(t.Columns, Column{Name: fmt.Sprintf("bandwidth no. %d", c), Unit: "MB/s", Numbers: true})
	}
	for r := range rows {
		row := []Cell{Text(fmt.Sprintf("machine %d of a centre", r))}
		for c := 1; c < columns; c++ {
			v := 1e4 * float64(r+c)
			row = append(row, Number(v, fmt.Sprintf("%.2f", v)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
