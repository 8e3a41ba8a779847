package chart

import (
	"fmt"

	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// RankedBar is a bar of the chart: a system with its rating.
type RankedBar struct {
	Name  string
	Value float64 // bytes per second; 0 or NaN: left out
}

// MostBars is the number of bars that fit on a page.
const MostBars = 40

// Ranking returns a figure of systems as horizontal bars in the given order, each with its value, or nil if no value is
// usable.
func Ranking(id, caption string, bars []RankedBar) *document.Figure {
	var groups []Group
	var values []float64
	for _, b := range bars {
		if x := b.Value / words.Mega; Usable(x) {
			groups = append(groups, Group{Clean(b.Name),
				[]Bar{{Spread: Single(x), Fill: Fill{Colour: colour(0)}, Note: Short(x)}}})
			values = append(values, x)
		}
	}
	all := len(groups)
	if all == 0 {
		return nil
	}
	if all > MostBars {
		caption += fmt.Sprintf(" Drawn are the first %d of %d systems.", MostBars, all)
		groups = groups[:MostBars]
	}
	low, high := Span(values[:len(groups)])
	return &document.Figure{
		ID: id, Caption: caption, Drawing: BarChart("MB/s (1 MB = 10^6 bytes)", groups, 10),
		Alt: fmt.Sprintf("Bar chart: %s between %s and %s MB/s.", words.Count(len(groups), "system"), Short(low),
			Short(high)),
	}
}
