package ofbeffio

import (
	"fmt"

	"gonum.org/v1/plot"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/report/chart"
)

// chunkAxis is the pseudo-logarithmic axis of the paper's chunk sizes and of M_PART.
type chunkAxis struct {
	mpart int64 // M_PART in bytes, or 0 if systems have different ones
}

// chunkPlaceOf is a size with its place on the axis and its label.
type chunkPlaceOf struct {
	bytes int64
	place float64
	label string
}

// chunkPlaces has the sizes and places of HLRS's gnuplot files. M_PART has the place mpartPlace.
var chunkPlaces = []chunkPlaceOf{
	{1 << 10, 1, "1k"},
	{1<<10 + 8, 2, "+8"},
	{32 << 10, 4, "32k"},
	{32<<10 + 8, 5, "+8"},
	{1 << 20, 7, "1M"},
	{1<<20 + 8, 8, "+8"},
}

const mpartPlace = 10

// place returns the place of a size on the axis, if it has one. own is M_PART of the result that has the size.
func (a chunkAxis) place(bytes, own int64) (float64, bool) {
	for _, c := range chunkPlaces {
		if c.bytes == bytes {
			return c.place, true
		}
	}
	return float64(mpartPlace), bytes == own && bytes > 0
}

// all returns all places, from left to right.
func (a chunkAxis) all() []float64 {
	return append(lists.Each(chunkPlaces, func(c chunkPlaceOf) float64 { return c.place }), float64(mpartPlace))
}

// quantity returns the axis in the form that pictures need.
func (a chunkAxis) quantity() chart.Quantity {
	s := chart.Scale{At: chart.Identity, Min: chunkPlaces[0].place - 0.5, Max: float64(mpartPlace) + 0.5}
	said := map[float64]string{}
	for i, c := range chunkPlaces {
		s.Ticks = append(s.Ticks, plot.Tick{Value: c.place, Label: c.label})
		if said[c.place] = c.label; c.label == "+8" {
			said[c.place] = chunkPlaces[i-1].label + "+8"
		}
	}
	label := "M_PART"
	if a.mpart > 0 && a.mpart%(1<<20) == 0 {
		label = chart.Binary(float64(a.mpart))
	} else if a.mpart > 0 {
		label = fmt.Sprintf("%.1fM", float64(a.mpart)/(1<<20))
	}
	s.Ticks, said[float64(mpartPlace)] = append(s.Ticks, plot.Tick{Value: float64(mpartPlace), Label: label}), label
	return chart.Quantity{Name: "chunk size on disk",
		Label:  "contiguous chunk on disk in bytes (1k = 1024; +8: 8 bytes more; the last is M_PART)",
		Format: func(x float64) string { return said[x] }, Scale: func([]float64) chart.Scale { return s }}
}

// series returns the bandwidths by size. At each size without a bandwidth it has an empty point, so that the line
// breaks there. Several points with the same size are kept, because type 0 has two patterns with 1 MB.
func (a chunkAxis) series(name string, list []chunkPoint) chart.Series {
	s := chart.Series{Name: name}
	found := map[float64]bool{}
	for _, p := range list {
		if place, known := a.place(p.disk, a.mpart); known && chart.Usable(p.bandwidth) {
			s.Points, found[place] = append(s.Points, chart.Point{X: place, Y: p.bandwidth}), true
		}
	}
	return a.broken(s, found)
}

// broken returns a series with an empty point at each place that is not in found.
func (a chunkAxis) broken(s chart.Series, found map[float64]bool) chart.Series {
	for _, place := range a.all() {
		if !found[place] {
			s.Points = append(s.Points, chart.Point{X: place})
		}
	}
	return s
}
