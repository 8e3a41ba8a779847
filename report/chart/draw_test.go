package chart

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// paths returns the filled and the stroked outlines that a layer draws, in drawing order. One unit of data is 10
// points, and line widths are doubled.
func paths(l Layer) (filled, stroked [][]vg.Point) {
	var r recorder.Canvas
	canvas := draw.NewCanvas(&r, 1000, 1000)
	l.draw(pen{c: &canvas, u: 2, at: func(x, y float64) vg.Point {
		return vg.Point{X: vg.Length(10 * x), Y: vg.Length(10 * y)}
	}})
	of := func(p vg.Path) (list [][]vg.Point) {
		for _, c := range p {
			switch c.Type {
			case vg.MoveComp:
				list = append(list, []vg.Point{c.Pos})
			case vg.LineComp:
				list[len(list)-1] = append(list[len(list)-1], c.Pos)
			}
		}
		return list
	}
	for _, a := range r.Actions {
		switch a := a.(type) {
		case *recorder.Fill:
			filled = append(filled, of(a.Path)...)
		case *recorder.Stroke:
			stroked = append(stroked, of(a.Path)...)
		}
	}
	return filled, stroked
}

// A box plot of 1 to 20 at 7: a box 9 points wide, here 18, from the lower quartile 5 to the upper quartile 15, a line
// in it at the median of 10, whiskers to 1 and 19 with bars of 4 points, here 8, and a mark at 20.
func TestQuartilesDrawn(t *testing.T) {
	q := Quartiles{X: 7}
	for i := range 20 {
		q.Sorted = append(q.Sorted, float64(i+1))
	}
	filled, stroked := paths(q)
	box := []vg.Point{{X: 61, Y: 50}, {X: 79, Y: 50}, {X: 79, Y: 150}, {X: 61, Y: 150}, {X: 61, Y: 50}}
	require.Equal(t, box, filled[0][:5])
	require.Equal(t, [][]vg.Point{
		{{X: 70, Y: 10}, {X: 70, Y: 190}}, {{X: 66, Y: 10}, {X: 74, Y: 10}}, {{X: 66, Y: 190}, {X: 74, Y: 190}},
		box, {{X: 61, Y: 100}, {X: 79, Y: 100}},
	}, stroked[:5])
	_, same := paths(Marks{Style: Style{Shape: MarkShapes}, Points: []Point{{X: 7, Y: 20}}, Shapes: []int{MarkShapes}})
	require.Equal(t, same, stroked[5:], "the first shape that Point.Mark doesn't use")
	for _, outline := range append(filled[1:], stroked[5:]...) {
		for _, p := range outline {
			require.InDelta(t, 70, p.X.Points(), 10)
			require.InDelta(t, 200, p.Y.Points(), 10)
		}
	}
}

// If labels are more than 16 powers of two apart, ticks without labels are left out.
func TestManyPowers(t *testing.T) {
	for _, c := range []struct {
		low, high     float64
		min, max      float64
		all, labelled int
	}{
		{1, math.Exp2(100), -0.35, 100.35, 101, 7}, // every 16th: 0 to 96
		{1, math.Exp2(200), -0.35, 200.35, 7, 7},   // every 32nd: 0 to 192
		{1, 512, -0.35, 9.35, 10, 5},               // 9.7 powers are more than nine: every second
		{4, 16, 1.65, 4.35, 3, 3},                  // 2.7 powers are wide enough
	} {
		s := Lengths([]float64{c.low, c.high})
		all, labelled := ticksOf(s, Identity)
		require.InDelta(t, c.min, s.Min, 1e-9, "%v", c)
		require.InDelta(t, c.max, s.Max, 1e-9, "%v", c)
		require.Len(t, all, c.all, "%v", c)
		require.Len(t, labelled, c.labelled, "%v", c)
	}
	var labels []string
	for _, tick := range Counts([]float64{1 << 22, 1 << 24}).Ticks {
		labels = append(labels, tick.Label)
	}
	require.Equal(t, []string{"4194304", "8388608", "2^24"}, labels)
}

// An x axis labels at most 6 powers of ten, a y axis at most 9. On an x axis of less than 1.2 decades and a y axis of
// less than 3, 2 and 5 are labelled as well.
func TestRoomOfDecades(t *testing.T) {
	for _, c := range []struct {
		high          float64
		r             room
		all, labelled int
	}{
		{1e5, xRoom, 5*9 + 1, 6}, {1e8, YRoom, 8*9 + 1, 9}, {1e9, YRoom, 5, 5}, {1e3, YRoom, 3*9 + 1, 4},
		{500, YRoom, 2*9 + 5, 9}, {1e4, YRoom, 4*9 + 1, 5}, {20, xRoom, 9 + 2, 2},
		{10, xRoom, 10, 4},
	} {
		s := Decades([]float64{1, c.high}, c.r)
		all, labelled := ticksOf(s, Identity)
		require.Len(t, all, c.all, "%v", c)
		require.Len(t, labelled, c.labelled, "%v", c)
	}
}

// If every third power has a label, the first power has one.
func TestFirstLabel(t *testing.T) {
	_, labelled := ticksOf(Decades([]float64{10, 1e13}, xRoom), Identity)
	require.Equal(t, []float64{1, 4, 7, 10, 13}, labelled)
}

// 1, 2 and 5 times a power of ten stay as they are. Other numbers are rounded down or up to the nearest of these.
func TestRound125(t *testing.T) {
	for _, c := range []struct{ x, down, up float64 }{
		{1, 1, 1}, {2, 2, 2}, {5, 5, 5}, {100, 100, 100}, {1.5, 1, 2}, {3, 2, 5}, {7, 5, 10}, {0.03, 0.02, 0.05},
	} {
		place := math.Log10(c.x)
		require.InEpsilon(t, c.down, tenTo(round125(place, false)), 1e-12, "%v", c.x)
		require.InEpsilon(t, c.up, tenTo(round125(place, true)), 1e-12, "%v", c.x)
	}
}

// The smallest positive float64 can't be divided into six steps, so it is the only step.
func TestLeastLinear(t *testing.T) {
	s := linear([]float64{5e-324})
	require.Equal(t, 5e-324, s.Max)
	require.Len(t, s.Ticks, 2)
	require.Equal(t, []float64{0, 5e-324}, []float64{s.Ticks[0].Value, s.Ticks[1].Value})
}

// If bars cross a level along its whole length, its text goes to a corner without bars.
func TestLevelAmongBars(t *testing.T) {
	canvas := draw.NewCanvas(&recorder.Canvas{}, 1000, 1000)
	l := Level{Y: 50, Text: "first = 1"}
	for x := range 50 {
		at := float64(2*x + 1)
		l.others = append(l.others, Whisker{From: Point{X: at, Y: 1}, To: Point{X: at, Y: 60}})
	}
	p := pen{c: &canvas, u: 1, at: func(x, y float64) vg.Point {
		return vg.Point{X: vg.Length(10 * x), Y: vg.Length(10 * y)}
	}}
	require.Equal(t, vg.Point{X: 4, Y: 988}, l.place(p, 500, 40))
	l.others = nil
	require.Equal(t, vg.Point{X: 4, Y: 503}, l.place(p, 500, 40))
}
