package chart

import (
	"time"

	"github.com/effective-bandwidth/beff/report/words"
	"gonum.org/v1/plot"
)

// Day converts a time to its position on the axis Date, in days.
func Day(t time.Time) float64 { return float64(t.Unix()) / 86400 }

// day formats the day of a position.
func day(x float64) string { return time.Unix(int64(x*86400), 0).UTC().Format("2006-01-02") }

// minZoom is the least distance, relative to the middle of the values, to which a zoomed axis extends on each side,
// so that it doesn't exaggerate a change of 1 %.
const minZoom = 0.1

// Zoomed returns a linear scale between round numbers around the values. It starts at zero only if they come near zero.
func Zoomed(values []float64) Scale {
	low, high := Span(values)
	middle := (low + high) / 2
	low, high = min(low, middle*(1-minZoom)), max(high, middle*(1+minZoom))
	return stepped(low, high, 6, words.Short)
}

// calendar lists the distances between the dates of an axis, with the layout of their labels.
var calendar = []struct {
	years, months, days int
	hours               time.Duration
	form                string
}{
	{0, 0, 0, time.Minute, minutes}, {0, 0, 0, 10 * time.Minute, minutes}, {0, 0, 0, time.Hour, minutes},
	{0, 0, 0, 6 * time.Hour, minutes},
	{0, 0, 1, 0, "2006-01-02"}, {0, 0, 2, 0, "2006-01-02"}, {0, 0, 7, 0, "2006-01-02"}, {0, 0, 14, 0, "2006-01-02"},
	{0, 1, 0, 0, "2006-01"}, {0, 2, 0, 0, "2006-01"}, {0, 3, 0, 0, "2006-01"}, {0, 6, 0, 0, "2006-01"},
	{1, 0, 0, 0, "2006"}, {2, 0, 0, 0, "2006"}, {5, 0, 0, 0, "2006"}, {10, 0, 0, 0, "2006"}, {20, 0, 0, 0, "2006"},
}

// minutes is the layout of a time of day.
const minutes = "01-02 15:04"

// dates returns a scale of days with at most seven dates, at the beginning of a day, month or year.
func dates(values []float64) Scale {
	const most = 7
	first, last := Span(values)
	from, to := time.Unix(int64(first*86400), 0), time.Unix(int64(last*86400), 0)
	margin := time.Duration(0.03 * float64(to.Sub(from)))
	margin = max(margin, time.Minute)
	from, to = from.Add(-margin).UTC(), to.Add(margin).UTC()
	s := Scale{At: Identity, Min: Day(from), Max: Day(to)}
	for _, c := range calendar {
		s.Ticks = nil
		at := time.Date(from.Year(), from.Month(), from.Day(), 0, 0, 0, 0, time.UTC)
		if c.hours > 0 {
			at = from.Truncate(c.hours)
		}
		switch {
		case c.years > 0:
			at = time.Date(from.Year()/c.years*c.years, 1, 1, 0, 0, 0, 0, time.UTC)
		case c.months > 0:
			at = time.Date(from.Year(), 1, 1, 0, 0, 0, 0, time.UTC)
		}
		for ; !at.After(to) && len(s.Ticks) <= most; at = at.AddDate(c.years, c.months, c.days).Add(c.hours) {
			if !at.Before(from) {
				s.Ticks = append(s.Ticks, plot.Tick{Value: Day(at), Label: at.Format(c.form)})
			}
		}
		if len(s.Ticks) <= most {
			break
		}
	}
	return s
}
