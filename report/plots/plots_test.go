package plots

import (
	"encoding/xml"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/vg"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/document"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

// figures of every kind, by the name of the data.
func figures(t testing.TB) map[string][]*document.Figure {
	all, pair := whole(t), measured(t, 2, beff.Config{Rules: beff.Rules2001, Memory: 512 << 10, Seed: 1})
	rings := measured(t, 7, beff.Config{Rules: beff.Rules2001, Memory: 1 << 30, Seed: 1, Patterns: []string{"ring"},
		Methods: []string{"nonblocking"}})
	one := measured(t, 4, beff.Config{Rules: beff.Rules2001, Memory: 1 << 30, Seed: 1, Patterns: []string{"ping-pong"}})
	one.Samples = one.Samples[:1]
	million := measured(t, 1<<20, beff.Config{Rules: beff.Rules2001, Memory: 64 << 30, Seed: 1})
	return map[string][]*document.Figure{
		"whole": BEff(all), "pair": BEff(pair), "rings": BEff(rings), "one": BEff(one), "million": BEff(million),
		"real": BEff(read(t, "../../testdata/b_eff-1.json")),
		"overlay": BEffOverlay([]string{"Hawk", "a system with a very long name, 64 processes on 2 nodes of 32 " +
			"cores each, InfiniBand HDR 200, 2026-11-21", "C"},
			[]*beff.Result{all, pair, million}),
		"io": {
			Chunks("chunks", "Chunks.", chunkCurves(), 4<<20),
			Chunks("chunks-few", "Chunks.", []ChunkCurve{{patterns.Shared, []ChunkPoint{{1 << 10, 3e6}}},
				{99, []ChunkPoint{{2 << 20, 5e6}}}}, 2<<20),
			Partitions("partitions", "Partitions.", partitionCurves(5)),
			Partitions("partitions-many", "Partitions.", partitionCurves(14)),
			Ranking("ranking", "Ranking.", bars(7, 1.4)), Ranking("ranking-log", "Ranking.", bars(50, 1.4)),
			Ranking("ranking-one", "Ranking.", bars(1, 1)),
		},
	}
}

func chunkCurves() []ChunkCurve {
	var list []ChunkCurve
	for _, row := range patterns.IO(4 << 20) {
		if int(row.Type) == len(list) {
			list = append(list, ChunkCurve{Type: row.Type})
		}
		c := &list[row.Type]
		b := 1e9 / (1 + 2e5/float64(row.Disk)) / float64(1+row.Type) / float64(1+row.Disk%16/8)
		if row.Units > 0 {
			c.Points = append(c.Points, ChunkPoint{row.Disk, b})
		}
	}
	list[1].Points[2].Bandwidth = 0
	return list
}

func partitionCurves(n int) []PartitionCurve {
	var list []PartitionCurve
	for i := range n {
		c := PartitionCurve{Name: fmt.Sprintf("system %d", i+1)}
		for p := 512; p >= 2; p /= 2 + i%2 {
			c.Points = append(c.Points, PartitionPoint{p, 1e9 * (1 - math.Exp(-float64(p)/100)) * float64(i+3)})
		}
		list = append(list, c)
	}
	return list
}

func bars(n int, ratio float64) []Bar {
	var list []Bar
	for i := range n {
		list = append(list, Bar{fmt.Sprintf("system number %d of some laboratory, %d processes", i+1, 1<<(i%20)),
			1e12 / math.Pow(ratio, float64(i))})
	}
	return list
}

func TestFigures(t *testing.T) {
	for name, list := range figures(t) {
		pictures(t, "test-"+name, list)
		seen := map[string]bool{}
		for _, f := range list {
			t.Run(name+"/"+f.ID, func(t *testing.T) {
				require.False(t, seen[f.ID])
				seen[f.ID] = true
				requireGood(t, f)
			})
		}
	}
}

// requireGood checks what is true of each figure: see the names of what it calls.
func requireGood(t *testing.T, f *document.Figure) {
	t.Helper()
	require.Regexp(t, `^[a-z0-9-]+$`, f.ID)
	require.NotEmpty(t, f.Caption)
	require.Regexp(t, `^[A-Z].*\.$`, f.Alt)
	require.NotContains(t, f.Alt, "NaN")
	aspect := f.Drawing.Aspect()
	require.Greater(t, aspect, 0.1)
	require.Less(t, aspect, 1.5)
	requireAxesHoldData(t, f.Drawing.(*chart))
	for _, width := range []vg.Length{pageWidth, 5 * vg.Centimeter, 1000} {
		requireReadable(t, f, width)
	}
	require.Equal(t, svg(t, f, pageWidth), svg(t, f, pageWidth))
}

func requireAxesHoldData(t *testing.T, c *chart) {
	t.Helper()
	for _, l := range c.layers {
		for _, p := range l.values() {
			if p.usable() {
				requireWithin(t, c.x, p.x)
				requireWithin(t, c.y, p.y)
			}
		}
	}
	for _, a := range []axis{c.x, c.y} {
		labels := 0
		for _, tick := range a.ticks {
			if tick.Label != "" {
				labels++
			}
		}
		require.Positive(t, labels)
	}
}

func requireWithin(t *testing.T, a axis, value float64) {
	t.Helper()
	require.GreaterOrEqual(t, a.at(value), a.min-tolerance)
	require.LessOrEqual(t, a.at(value), a.max+tolerance)
}

// label is a text of a drawing with the rectangle that it fills, in points.
type label struct {
	text                     string
	left, right, bottom, top float64
}

func (a label) overlaps(b label) bool {
	return a.left < b.right && b.left < a.right && a.bottom < b.top && b.bottom < a.top
}

var (
	textTag  = regexp.MustCompile(`(?s)<text x="([^"]*)" y="([^"]*)" transform="scale\(1, -1\)"\s+style="[^"]*font-size:([0-9.]+)px[^"]*">(.*?)</text>`)
	noNumber = regexp.MustCompile(`="[^"]*(NaN|Inf)[^"]*"`)
	rotation = regexp.MustCompile(`<g transform="rotate\(90\)">`)
)

// labels finds the texts in an SVG as vgsvg writes it. The only turned one is the y axis' label.
func labels(t *testing.T, drawing string) []label {
	t.Helper()
	var list []label
	turned := rotation.FindStringIndex(drawing)
	for _, at := range textTag.FindAllStringSubmatchIndex(drawing, -1) {
		var x, y, size float64
		for i, to := range []*float64{&x, &y, &size} {
			_, err := fmt.Sscan(drawing[at[2*i+2]:at[2*i+3]], to)
			require.NoError(t, err)
		}
		text := drawing[at[8]:at[9]]
		for entity, char := range map[string]string{"&lt;": "<", "&gt;": ">", "&#34;": `"`, "&#39;": "'",
			"&amp;": "&"} {
			text = strings.ReplaceAll(text, entity, char)
		}
		style := textOf(vg.Length(size))
		width, up := style.Width(text).Points(), 0.7*size
		l := label{text, x, x + width, -y, -y + up}
		if turned != nil && at[0] > turned[0] && at[0] < turned[1]+20 {
			l = label{text, y - up, y, x, x + width}
		}
		list = append(list, l)
	}
	return list
}

// requireReadable checks that all texts are inside of the drawing and apart from each other.
func requireReadable(t *testing.T, f *document.Figure, width vg.Length) {
	t.Helper()
	drawing := svg(t, f, width)
	requireXML(t, drawing)
	require.False(t, strings.Contains(drawing, "<image"))
	require.Empty(t, noNumber.FindString(drawing))
	w, h := width.Points(), width.Points()*f.Drawing.Aspect()
	list := labels(t, drawing)
	require.Len(t, list, strings.Count(drawing, "<text"))
	for i, a := range list {
		require.True(t, a.left >= -0.01 && a.right <= w+0.01 && a.bottom >= -0.01 && a.top <= h+0.01, "%+v of %v x %v",
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

func ids(list []*document.Figure) []string {
	var out []string
	for _, f := range list {
		out = append(out, f.ID)
	}
	return out
}

func TestBEffFigures(t *testing.T) {
	all := []string{
		"beff-bandwidth", "beff-bandwidth-sendrecv", "beff-bandwidth-alltoallv", "beff-bandwidth-nonblocking",
		"beff-methods", "beff-latency",
		"beff-spread", "beff-details", "beff-cartesian",
	}
	got := figures(t)
	require.Equal(t, all, ids(got["whole"]))
	require.Equal(t, all, ids(got["pair"]))
	require.Equal(t, []string{"beff-bandwidth", "beff-latency", "beff-details"}, ids(got["real"]),
		"one method, one repetition")
	require.Equal(t, []string{"beff-bandwidth", "beff-latency", "beff-spread"}, ids(got["rings"]))
	require.Equal(t, []string{"beff-latency", "beff-details"}, ids(got["one"]))
	require.Equal(t, []string{"compare-bandwidth", "compare-latency", "compare-averages"}, ids(got["overlay"]))
}

// count of the layers of a type in a figure.
func count[T layer](f *document.Figure) int {
	n := 0
	for _, l := range f.Drawing.(*chart).layers {
		if _, is := l.(T); is {
			n++
		}
	}
	return n
}

func TestBEffContents(t *testing.T) {
	r := whole(t)
	by := map[string]*document.Figure{}
	for _, f := range BEff(r) {
		by[f.ID] = f
	}
	for _, id := range []string{"beff-bandwidth", "beff-bandwidth-sendrecv", "beff-bandwidth-alltoallv",
		"beff-bandwidth-nonblocking"} {
		require.Equal(t, 7, count[curve](by[id]), "six rings and the mean")
		require.Equal(t, 1, count[band](by[id]))
		require.Equal(t, by["beff-bandwidth"].Drawing.(*chart).y.ticks, by[id].Drawing.(*chart).y.ticks,
			"to be compared")
	}
	require.Equal(t, 7*3, count[box](by["beff-methods"]))
	require.Equal(t, 3, count[whisker](by["beff-methods"]))
	require.Equal(t, 8, count[curve](by["beff-latency"]), "six rings, the mean, ping-pong")
	require.Equal(t, len(r.Lengths), count[quartiles](by["beff-spread"]))
	require.Equal(t, 4+1, count[curve](by["beff-details"]))
	require.Equal(t, "Line chart of bandwidth per process against message length: 7 curves between 0.862 and 9997 "+
		"MB/s from 1 byte to 32M bytes.", by["beff-bandwidth"].Alt)
}

// TestSamplesAgree compares samples.go with the averages that package beff derives.
func TestSamplesAgree(t *testing.T) {
	r := whole(t)
	s := newSamples(r)
	mean := func(l int) float64 {
		of := func(kind patterns.Kind) float64 {
			return spreadOf(each(s.of(kind), func(p int) float64 { return s.best(p, l) })).mean
		}
		return math.Sqrt(of(patterns.KindRing)*of(patterns.KindRandom)) * float64(r.Processes)
	}
	for l, want := range r.Derived.PerLength {
		require.InEpsilon(t, want, mean(l), 1e-9)
	}
	for m, want := range r.Derived.PerMethod {
		of := func(kind patterns.Kind) float64 {
			return spreadOf(each(s.of(kind), func(p int) float64 { return s.mean(p, m) })).mean
		}
		require.InEpsilon(t, want, math.Sqrt(of(patterns.KindRing)*of(patterns.KindRandom))*float64(r.Processes), 1e-9)
	}
}

func TestNothing(t *testing.T) {
	require.Empty(t, BEff(nil))
	require.Empty(t, BEff(&beff.Result{}))
	require.Empty(t, BEff(&beff.Result{Patterns: make([]beff.Pattern, 1), Lengths: []int64{1}, Methods: []string{"x"},
		Repetitions: math.MaxInt}))
	require.Empty(t, BEffOverlay(nil, nil))
	require.Empty(t, BEffOverlay([]string{"a"}, []*beff.Result{nil, {}}))
	require.Nil(t, Chunks("a", "b", nil, 0))
	require.Nil(t, Chunks("a", "b", []ChunkCurve{{0, []ChunkPoint{{0, 1}, {12345, 1}, {1 << 10, math.NaN()}}}}, 0))
	require.Nil(t, Partitions("a", "b", []PartitionCurve{{"x", []PartitionPoint{{0, 1}, {-1, 1}, {1, -1}}}}))
	require.Nil(t, Ranking("a", "b", []Bar{{"x", 0}, {"y", math.Inf(1)}}))
}

func TestSamplesOutside(t *testing.T) {
	r := whole(t)
	for i, change := range []func(*beff.Sample){
		func(s *beff.Sample) { s.Pattern = -1 }, func(s *beff.Sample) { s.Length = 99 },
		func(s *beff.Sample) { s.Method = 3 }, func(s *beff.Sample) { s.Repetition = 1 << 40 },
	} {
		change(&r.Samples[i])
	}
	require.NotPanics(t, func() { BEff(r) })
}

func requireUnique(t *testing.T, ids []string) {
	t.Helper()
	seen := map[string]bool{}
	for _, id := range ids {
		require.False(t, seen[id], id)
		seen[id] = true
	}
}

// TestBroken draws what is left of results with holes and nonsense.
func TestBroken(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var rs []*beff.Result
	var names []string
	for i := range 60 {
		r := broken(t, random)
		rs, names = append(rs, r), append(names, hostileNames[i%len(hostileNames)])
		if len(rs) > 20 {
			rs, names = rs[1:], names[1:]
		}
		list := BEff(r)
		pictures(t, fmt.Sprintf("broken-%d", i), list[:min(len(list), i%10)])
		list = append(list, BEffOverlay(names, rs)...)
		requireUnique(t, ids(list))
		for _, f := range list {
			requireAxesHoldData(t, f.Drawing.(*chart))
			requireReadable(t, f, pageWidth)
		}
	}
}

// TestHostileInput feeds names and numbers of strangers to the figures of b_eff_io.
func TestHostileInput(t *testing.T) {
	var bars []Bar
	var curves []PartitionCurve
	var chunks []ChunkCurve
	for i, name := range hostileNames {
		x := hostileNumbers[i%len(hostileNumbers)]
		bars = append(bars, Bar{name, x}, Bar{name, float64(i) * 1e6})
		curves = append(curves, PartitionCurve{name, []PartitionPoint{{i, x}, {math.MaxInt, 1e6}, {i, 1e9}}})
		chunks = append(chunks, ChunkCurve{patterns.IOType(i - 3), []ChunkPoint{{1 << 10, x}, {1 << 20, 1e6}}})
	}
	for _, f := range []*document.Figure{
		Ranking("ranking", "Ranking.", bars), Partitions("partitions", "Partitions.", curves),
		Chunks("chunks", "Chunks.", chunks, math.MinInt64),
	} {
		pictures(t, "hostile", []*document.Figure{f})
		requireReadable(t, f, pageWidth)
	}
}

func TestCurveCaps(t *testing.T) {
	f := Partitions("partitions", "Partitions.", partitionCurves(14))
	require.Equal(t, mostCurves, count[curve](f))
	require.Contains(t, f.Caption, "first 12 of 14 systems")
	f = Ranking("ranking", "Ranking.", bars(50, 1.4))
	require.Equal(t, mostBars, count[box](f))
	require.Contains(t, f.Caption, "first 40 of 50 systems")
}

// TestGolden pins gonum's drawing as well: its version is fixed.
func TestGolden(t *testing.T) {
	got := svg(t, Chunks("chunks", "Chunks.", chunkCurves()[:2], 2<<20), 8*vg.Centimeter)
	const file = "testdata/chunks.svg"
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

// TestTinyCanvas draws where there is no room at all.
func TestTinyCanvas(t *testing.T) {
	for _, width := range []vg.Length{0.001, 1, 10} {
		for _, f := range BEff(whole(t)) {
			require.NotPanics(t, func() { svg(t, f, width) })
		}
	}
}
