package chart

import (
	"fmt"

	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// Ranked is a row of the chart: a system with its rating.
type Ranked struct {
	Name      string
	Value     float64 // bytes per second; 0 or NaN: left out
	Low, High float64 // the interval; 0: not known
}

// MostRanked is the number of rows that fit on a page.
const MostRanked = 40

// Ranking returns a figure of systems as dots in the given order, each with its value, or nil if no value is
// usable.
func Ranking(id, caption string, rows []Ranked) *document.Figure {
	var groups []Group
	var values []float64
	for _, b := range rows {
		if x := b.Value / words.Mega; Usable(x) {
			spread := Single(x)
			if 0 < b.Low && b.Low <= b.Value && b.Value <= b.High {
				spread.Low, spread.High = b.Low/words.Mega, b.High/words.Mega
			}
			groups = append(groups, Group{Clean(b.Name), []Dot{{Spread: spread, Note: Rate(x)}}})
			values = append(values, x)
		}
	}
	all := len(groups)
	if all == 0 {
		return nil
	}
	if all > MostRanked {
		caption += fmt.Sprintf(" Drawn are the first %d of %d systems.", MostRanked, all)
		groups = groups[:MostRanked]
	}
	low, high := Span(values[:len(groups)])
	return &document.Figure{
		ID: id, Caption: caption, Drawing: RateDots("", groups),
		Alt: fmt.Sprintf("Chart of dots: %s between %s and %s.", words.Count(len(groups), "system"), Rate(low),
			Rate(high)),
	}
}
