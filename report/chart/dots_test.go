package chart_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
)

// dots returns a picture of n systems, each ratio times as slow as the one before.
func dots(id string, n int, ratio float64) chart.Dots {
	d := chart.Dots{ID: id, Caption: "Ranking.", X: chart.Bandwidth, Of: "systems", MaxGroups: 40}
	for i := range n {
		d.Groups = append(d.Groups, chart.Group{
			Name: fmt.Sprintf("system number %d of some laboratory, %d processes", i+1, 1<<(i%20)),
			Dots: []chart.Dot{{Spread: chart.Within(1e12/math.Pow(ratio, float64(i)), nil)}}})
	}
	return d
}

func TestDots(t *testing.T) {
	fixture.RequireAllGood(t, "dots", chart.Figures(dots("seven", 7, 1.4), dots("many", 50, 1.4), dots("one", 1, 1)))
	d := dots("none", 2, 1)
	d.Groups[0].Dots[0].Mean, d.Groups[1].Dots[0].Mean = 0, math.Inf(1)
	require.Nil(t, d.Figure())
}

// TestHostileNames draws a picture of names and numbers as untrusted files may contain them.
func TestHostileNames(t *testing.T) {
	d := dots("hostile", 0, 0)
	for i, name := range fixture.HostileNames {
		for _, x := range []float64{fixture.HostileNumbers[i%len(fixture.HostileNumbers)], float64(i) * 1e6} {
			d.Groups = append(d.Groups, chart.Group{Name: name, Dots: []chart.Dot{{Spread: chart.Within(x, nil)}}})
		}
	}
	f := d.Figure()
	fixture.RequireReadable(t, f, chart.PageWidth)
}

// What is too much for a picture is left out, and its caption says so.
func TestMostDots(t *testing.T) {
	f := dots("ranking", 50, 1.4).Figure()
	require.Equal(t, 40, fixture.CountLayers[chart.Marks](f))
	require.Equal(t, "Ranking. Only the first 40 of 50 systems are drawn.", f.Caption)
	d := dots("one", 1, 1)
	for range 13 {
		d.Groups[0].Dots = append(d.Groups[0].Dots, d.Groups[0].Dots[0])
	}
	d.Each = "runs"
	f = d.Figure()
	require.Equal(t, chart.MaxCurves, fixture.CountLayers[chart.Marks](f))
	require.Equal(t, "Ranking. Only the first 12 of 14 runs are drawn.", f.Caption)
}

// An interval that doesn't hold its value is none.
func TestWithin(t *testing.T) {
	in := &rating.Interval{Low: 2, High: 4}
	require.Equal(t, chart.Spread{Low: 2, Mean: 3, High: 4}, chart.Within(3, in))
	require.Equal(t, chart.Spread{Low: 5, Mean: 5, High: 5}, chart.Within(5, in))
	require.Equal(t, chart.Spread{Low: 5, Mean: 5, High: 5}, chart.Within(5, nil))
	require.Equal(t, chart.Spread{Low: 1, Mean: 1.5, High: 2}, chart.Within(3, in).Over(2))
}
