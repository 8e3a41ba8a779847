package chart

import (
	"fmt"
	"math"
	"time"

	"gonum.org/v1/plot"

	"github.com/effective-bandwidth/beff/report/document"
)

// Dated is a value at a time, with its interval; Low and High are 0 where none is known.
type Dated struct {
	At               time.Time
	Value, Low, High float64
}

// Era is a part of a history with one level, between two changes.
type Era struct {
	From, To time.Time
	Level    float64
}

// History returns a figure of values over time, with their intervals, the level of each part, and a line with a text at
// each change between two parts. There is a text less than parts. The figure is nil if no value is usable.
func History(id, caption, label string, values []Dated, eras []Era, changes []string) *document.Figure {
	c := &Chart{Frame: FrameHeight, X: Axis{Label: "date of the run (UTC)"}, Y: Axis{Label: label}}
	points := Curve{Look: LookOf(0), Every: 1}
	points.dash = nil
	var heights []float64
	for _, v := range values {
		at := Point{days(v.At), v.Value}
		points.Points = append(points.Points, at)
		heights = append(heights, v.Value)
		if Usable(v.Low) && Usable(v.High) && v.High > v.Low {
			c.Layers = append(c.Layers, Whisker{From: Point{at.X, v.Low}, To: Point{at.X, v.High}})
			heights = append(heights, v.Low, v.High)
		}
	}
	if low, high := Span(heights); len(values) == 0 || !Usable(low) || !Usable(high) {
		return nil
	}
	c.X.Scale = dates(values[0].At, values[len(values)-1].At)
	c.Y.Scale = zoomed(heights)
	c.Layers = append(c.Layers, points)
	c.Legend = Legend{{"results", LineIcon(points.Look)}}
	for i, e := range eras {
		c.Layers = append(c.Layers, Curve{Look: MeanLook,
			Points: []Point{{days(e.From), e.Level}, {days(e.To), e.Level}}})
		if i > 0 {
			x := (days(eras[i-1].To) + days(e.From)) / 2
			c.Layers = append(c.Layers, step{from: Point{x, c.Y.Min}, to: Point{x, c.Y.Max}, text: changes[i-1],
				rank: i - 1, left: x > (c.X.Min+c.X.Max)/2})
		}
	}
	if len(eras) > 0 {
		c.Legend = append(c.Legend, Entry{"level between two changes", LineIcon(MeanLook)})
	}
	low, high := Span(heights)
	return &document.Figure{ID: id, Caption: caption, Drawing: c, Lines: []string{Spark(values)},
		Alt: fmt.Sprintf("Line chart over time: %d values between %s and %s, %d changes of level.", len(values),
			Short(low),
			Short(high), len(changes))}
}

// days returns a time as a number of days.
func days(t time.Time) float64 { return float64(t.Unix()) / 86400 }

// Spark returns values as a line of block letters, whose heights are between the least and the largest.
func Spark(values []Dated) string {
	blocks := []rune("▁▂▃▄▅▆▇█")
	var all []float64
	for _, v := range values {
		all = append(all, v.Value)
	}
	low, high := Span(all)
	var text []rune
	for _, x := range all {
		at := 0.5
		if high > low {
			at = (x - low) / (high - low)
		}
		text = append(text, blocks[int(math.Round(math.Min(math.Max(at, 0), 1)*float64(len(blocks)-1)))])
	}
	return string(text)
}

// zoomed returns a linear scale between round numbers around the values, from zero only where they come near it.
func zoomed(values []float64) Scale {
	low, high := Span(values)
	if high-low < 0.02*high {
		low, high = low-0.02*high, high+0.02*high
	}
	step := math.Pow(10, round125(math.Log10((high-low)/6), true))
	first, last := math.Floor(low/step+Tolerance), math.Ceil(high/step-Tolerance)
	s := Scale{At: Identity, Min: first * step, Max: last * step}
	for i := first; i <= last; i++ {
		s.Ticks = append(s.Ticks, plot.Tick{Value: i * step, Label: Short(i * step)})
	}
	return s
}

// calendar lists the distances between the dates of an axis, with the form of their labels.
var calendar = []struct {
	years, months, days int
	form                string
}{
	{0, 0, 1, "2006-01-02"}, {0, 0, 2, "2006-01-02"}, {0, 0, 7, "2006-01-02"}, {0, 0, 14, "2006-01-02"},
	{0, 1, 0, "2006-01"}, {0, 2, 0, "2006-01"}, {0, 3, 0, "2006-01"}, {0, 6, 0, "2006-01"},
	{1, 0, 0, "2006"}, {2, 0, 0, "2006"}, {5, 0, 0, "2006"}, {10, 0, 0, "2006"}, {20, 0, 0, "2006"},
}

// dates returns a scale from one time to another with at most seven dates, which begin a day, month or year.
func dates(from, to time.Time) Scale {
	const most = 7
	margin := time.Duration(0.03 * float64(to.Sub(from)))
	margin = max(margin, 12*time.Hour)
	from, to = from.Add(-margin).UTC(), to.Add(margin).UTC()
	s := Scale{At: Identity, Min: days(from), Max: days(to)}
	for _, c := range calendar {
		s.Ticks = nil
		at := time.Date(from.Year(), from.Month(), from.Day(), 0, 0, 0, 0, time.UTC)
		switch {
		case c.years > 0:
			at = time.Date(from.Year()/c.years*c.years, 1, 1, 0, 0, 0, 0, time.UTC)
		case c.months > 0:
			at = time.Date(from.Year(), 1, 1, 0, 0, 0, 0, time.UTC)
		}
		for ; !at.After(to) && len(s.Ticks) <= most; at = at.AddDate(c.years, c.months, c.days) {
			if !at.Before(from) {
				s.Ticks = append(s.Ticks, plot.Tick{Value: days(at), Label: at.Format(c.form)})
			}
		}
		if len(s.Ticks) <= most {
			break
		}
	}
	return s
}
