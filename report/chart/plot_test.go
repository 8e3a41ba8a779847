package chart_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
)

// systems returns a plot of n systems over 1 to 16 processes; the i-th has i+1 MB/s for each.
func systems(n int) chart.Plot {
	p := chart.Plot{ID: "plot", Caption: "All.", X: chart.Processes, Y: chart.Bandwidth, Of: "systems"}
	for i := range n {
		p.Series = append(p.Series, chart.Series{Name: fmt.Sprint("system ", i+1),
			Points: chart.Over([]int{1, 2, 4, 8, 16}, func(k int) chart.Point {
				return chart.PointOf(1e6 * float64(i+1) * math.Exp2(float64(k)))
			})})
	}
	return p
}

// The frame adds axes in words, the description and what is left out.
func TestPlot(t *testing.T) {
	few, many := systems(3), systems(14)
	many.ID = "many"
	fixture.RequireAllGood(t, "plot", chart.Figures(few, many))
	f := few.Figure()
	require.Equal(t, "All.", f.Caption)
	require.Equal(t, "Line chart of bandwidth against number of processes: 3 curves between 1 MB/s and 48 MB/s from 1 "+
		"to 16.", f.Alt)
	require.Equal(t, []string{"system 1", "system 2", "system 3"}, fixture.CurveNames(f))
	f = many.Figure()
	require.Equal(t, chart.MaxCurves, fixture.CountLayers[chart.Curve](f))
	require.Equal(t, "All. Only the first 12 of 14 systems are drawn.", f.Caption)
	require.Nil(t, chart.Plot{}.Figure())
	few.Series = []chart.Series{{Name: "x", Points: []chart.Point{{X: 0, Y: 1}, {X: -1, Y: 1}, {X: 1, Y: -1}}}}
	require.True(t, few.Empty())
	require.Nil(t, few.Figure())
}

// A series keeps its look where one before it has no points, and its points come in the order of X.
func TestSeries(t *testing.T) {
	p := systems(3)
	p.Series[0].Points = nil
	p.Series[1].Points = []chart.Point{{X: 4, Y: 1}, {X: 0, Y: 1}, {X: 2, Y: 3}}
	c := p.Figure().Drawing.(*chart.Chart)
	curve := c.Layers[0].(chart.Curve)
	require.Equal(t, chart.StyleOf(1), curve.Style)
	require.Equal(t, []chart.Point{{X: 2, Y: 3}, {X: 4, Y: 1}}, curve.Points, "0 has no place on the axis")
	require.Equal(t, 1, curve.Every)
	p.X = chart.Length
	require.Equal(t, 2, p.Figure().Drawing.(*chart.Chart).Layers[0].(chart.Curve).Every)
}

// Beside simulated series those that were measured are dots.
func TestMixed(t *testing.T) {
	p := systems(2)
	dots := func() (list []bool) {
		for _, l := range p.Figure().Drawing.(*chart.Chart).Layers {
			list = append(list, l.(chart.Curve).Dots)
		}
		return list
	}
	require.Equal(t, []bool{false, false}, dots())
	p.Series[1].Simulated = true
	require.Equal(t, []bool{true, false}, dots())
	require.Equal(t, "All. Dots are measured, lines simulated.", p.Figure().Caption)
	p.Series[0].Simulated = true
	require.Equal(t, []bool{false, false}, dots())
	require.Equal(t, "All.", p.Figure().Caption)
}

// Bars, the band, marks, levels and steps are drawn where there are some, and explained there alone.
func TestPartsOfPlot(t *testing.T) {
	p := systems(1)
	p.Bars, p.Marks = "intervals", []string{"first", "second"}
	require.Equal(t, "All.", p.Figure().Caption)
	require.Empty(t, p.Figure().Drawing.(*chart.Chart).Legend)
	p.Series[0].Points[2].Low, p.Series[0].Points[2].High = 3e6, 5e6
	p.Series[0].Points[3].Mark = 2
	p.Mean = &chart.Series{Name: "9 others", Points: []chart.Point{{X: 1, Y: 2e6, Low: 1e6, High: 3e6},
		{X: 16, Y: 2e6, Low: 1e6, High: 60e6}}}
	p.Level = &chart.Level{Y: 3e6, Text: "mean"}
	p.Steps = []chart.Step{{X: 3, Text: "all change"}}
	f := p.Figure()
	fixture.RequireAllGood(t, "parts", []*document.Figure{f})
	require.Equal(t, "All. The band is the range of the 9 others; the broad line is the geometric mean. Bars are "+
		"intervals.",
		f.Caption)
	require.Equal(t, "Line chart of bandwidth against number of processes: 2 curves between 1 MB/s and 60 MB/s from 1 "+
		"to 16. Lines: mean 3.00 MB/s; all change.", f.Alt)
	var legend []string
	for _, e := range f.Drawing.(*chart.Chart).Legend {
		legend = append(legend, e.Name)
	}
	require.Equal(t, []string{"9 others, range", "second"}, legend)
	require.Equal(t, []string{"9 others, mean", "system 1"}, fixture.CurveNames(f))
	require.Equal(t, 1, fixture.CountLayers[chart.Whisker](f))
	p.Mean.Points[0].Low, p.Mean.Points[1].Low = 0, 0
	require.Equal(t, []string{"9 others", "system 1"}, fixture.CurveNames(p.Figure()), "no range, no band")
}

// A panel below is described too. Small plots have one legend, and the axes of all if they share them.
func TestPlotsTogether(t *testing.T) {
	p, q := systems(1), systems(1)
	q.ID, q.Series[0].Points = "other", []chart.Point{{X: 64, Y: 1e9}}
	q.Caption, p.Below = "others.", &q
	f := p.Figure()
	require.Equal(t, "All. Below: others.", f.Caption)
	require.Equal(t, 2, strings.Count(f.Alt, "Line chart"))
	fixture.RequireAllGood(t, "below", []*document.Figure{f})
	small := chart.PlotGrid{ID: "small", Caption: "Small.", Alt: "All.", Plots: []chart.Plot{p, {}, q}}
	require.Len(t, fixture.Charts(small.Figure()), 2)
	require.InDelta(t, (124+20.5)/float64(chart.PageWidth), small.Figure().Drawing.Aspect(), 1e-9,
		"charts and a legend")
	small.Plots[0].Series[0].Band, small.SharedAxes = true, true
	charts := fixture.Charts(small.Figure())
	require.Equal(t, charts[0].Y.Ticks, charts[1].Y.Ticks)
	require.Equal(t, 1, fixture.CountLayers[chart.Band](small.Figure()))
	fixture.RequireAllGood(t, "small", []*document.Figure{small.Figure()})
	require.Nil(t, chart.PlotGrid{Plots: []chart.Plot{{}}}.Figure())
}

// TestHostilePlot draws names and numbers as untrusted files may contain them.
func TestHostilePlot(t *testing.T) {
	p := systems(0)
	for i, name := range fixture.HostileNames {
		x := fixture.HostileNumbers[i%len(fixture.HostileNumbers)]
		p.Series = append(p.Series, chart.Series{Name: name, Points: []chart.Point{{X: float64(i), Y: x},
			{X: math.MaxInt, Y: 1e6, Low: x, High: x}, {X: float64(i), Y: 1e9, Mark: 1}}})
	}
	f := p.Figure()
	fixture.RequireReadable(t, f, chart.PageWidth)
}

// Days of results are dates on the axis and in words.
func TestDates(t *testing.T) {
	p := chart.Plot{ID: "dates", Caption: "Dates.", X: chart.Date,
		Series: []chart.Series{{Name: "results", Dots: true}}, Y: chart.Quantity{Name: "b_eff", Scale: chart.Zoomed}}
	for i := range 40 {
		at := time.Date(2026, 1, 1+3*i, 12, 0, 0, 0, time.UTC)
		p.Series[0].Points = append(p.Series[0].Points, chart.Point{X: chart.Day(at), Y: 100 + float64(i%3)})
	}
	f := p.Figure()
	fixture.RequireAllGood(t, "dates", []*document.Figure{f})
	require.Contains(t, f.Alt, "between 100 and 102 from 2026-01-01 to 2026-04-28.")
	require.Equal(t, "2026-01", f.Drawing.(*chart.Chart).X.Ticks[0].Label)
}

// A ratio's axis is linear around 1, and logarithmic from where that hides what is small.
func TestRatio(t *testing.T) {
	linear, wide := chart.Ratio.Scale([]float64{0.8, 1.3}), chart.Ratio.Scale([]float64{0.2, 2})
	require.Equal(t, 1.3, linear.At(1.3))
	require.Less(t, linear.Min, 0.9)
	require.Equal(t, 0.0, wide.At(1))
	require.LessOrEqual(t, chart.Ratio.Scale([]float64{1, 1}).Min, 0.95)
}
