package plots

import (
	"fmt"

	"github.com/effective-bandwidth/beff/report/document"
)

// Bar is a system with its rating.
type Bar struct {
	Name  string
	Value float64 // bytes per second; 0 or NaN: left out
}

// mostBars fit on a page.
const mostBars = 40

// Ranking shows systems as horizontal bars in the given order, each with its value. It is nil if there are none.
func Ranking(id, caption string, bars []Bar) *document.Figure {
	var groups []group
	var values []float64
	for _, b := range bars {
		if x := b.Value / mega; usable(x) {
			groups = append(groups, group{clean(b.Name),
				[]bar{{spread: single(x), fill: fill{colour: colours[0]}, note: short(x)}}})
			values = append(values, x)
		}
	}
	all := len(groups)
	if all == 0 {
		return nil
	}
	if all > mostBars {
		caption += fmt.Sprintf(" Drawn are the first %d of %d systems.", mostBars, all)
		groups = groups[:mostBars]
	}
	low, high := span(values[:len(groups)])
	return &document.Figure{
		ID: id, Caption: caption, Drawing: barChart("MB/s (1 MB = 10^6 bytes)", groups, 10),
		Alt: fmt.Sprintf("Bar chart: %s between %s and %s MB/s.", plural(len(groups), "system"), short(low),
			short(high)),
	}
}
