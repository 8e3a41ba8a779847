package ofbeff

import (
	"fmt"

	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// heatMap returns the figure of all patterns at all lengths: the bandwidth per process over the mean of the rings at
// that length. With two processes all patterns are one pair, and have none.
func heatMap(s *samples) []*document.Figure {
	rings := s.of(patterns.KindRing)
	if s.Processes <= 2 || len(rings) == 0 {
		return nil
	}
	m := chart.Matrix{Unit: "times", Rows: "pattern", Columns: chart.LengthLabel, Marks: "",
		Across: []string{}, Says: []string{}}
	for _, bytes := range s.Lengths {
		m.Across = append(m.Across, chart.Binary(roundedLength(bytes)))
		m.Says = append(m.Says, chart.Bytes(float64(bytes)))
	}
	for p, pattern := range s.Patterns {
		if !s.Measured(p) {
			continue
		}
		var row []float64
		for l := range s.Lengths {
			row = append(row, s.best(p, l)/spreadAt(rings, func(p int) float64 { return s.best(p, l) }).Mean)
		}
		m.Names, m.Values = append(m.Names, chart.Clean(pattern.Name)), append(m.Values, row)
	}
	if len(m.Names) < 2 {
		return nil
	}
	return []*document.Figure{{ID: "beff-heat", Drawing: m.Chart(), Lines: m.Lines(),
		Caption: "All patterns at all lengths: bandwidth per process over the mean of the rings at that length.",
		Alt: fmt.Sprintf("Heat map of %s at %s.", words.Count(len(m.Names), "pattern"),
			words.Count(len(m.Across), "length")),
	}}
}

// roundedLength returns a length with two digits in its binary unit, for an axis.
func roundedLength(bytes int64) float64 {
	unit, x := 1.0, float64(bytes)
	for ; x >= 1024; x /= 1024 {
		unit *= 1024
	}
	if x >= 10 {
		return float64(int64(x+0.5)) * unit
	}
	return float64(int64(10*x+0.5)) / 10 * unit
}
