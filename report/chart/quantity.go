package chart

import (
	"cmp"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// Quantity describes an axis. Values are in base units: bytes, seconds, bytes per second.
type Quantity struct {
	Name   string                       // in a sentence: "message length"
	Label  string                       // at the axis; if empty, the name is used
	Format func(float64) string         // a value with a suitable unit; nil: words.Short
	Scale  func(values []float64) Scale // required
	Dense  bool                         // many values: each of several curves marks only some of its points
	units  words.Scale
}

// unit returns the unit for all values of a picture. Units are 1000 times as large as the one before. It is the largest
// unit in which the greatest value is at least 1, if the smallest value is at least threshold in the unit before.
func (q Quantity) unit(values []float64, threshold float64) words.Step {
	low, high := Span(values)
	i, units := 0, q.units
	for i < len(units)-1 && high >= units[i+1].Size*(1-Tolerance) && low >= threshold*units[i].Size*(1-Tolerance) {
		i++
	}
	return units[i]
}

// LengthLabel is the label of an axis of message lengths.
const LengthLabel = "message length in bytes (1k = 1024)"

// Quantities of pictures. Axes of bandwidths and times are logarithmic. Axes of ratios are linear around 1, unless the
// ratios differ too much.
var (
	Length      = Quantity{"message length", LengthLabel, words.Lengths.Short, Lengths, true, nil}
	Stride      = Quantity{"stride", "stride in blocks", plain, Counts, true, nil}
	Processes   = Quantity{"number of processes", "", plain, Counts, false, nil}
	Date        = Quantity{"time", "date of the run (UTC)", day, dates, false, nil}
	Bandwidth   = Quantity{"bandwidth", "", words.Bandwidths.Short, decades, false, words.Bandwidths}
	Time        = Quantity{"time", "", words.Times.Short, decades, false, words.Times}
	Ratio       = Quantity{"ratio", "", FormatRatio, around1, false, nil}
	Frequency   = Quantity{"times in a second", "", plain, decades, false, nil}
	LongerShare = Quantity{"part that took longer", "part of the repetitions that took longer", formatPercent, decades,
		false, nil}
)

// Operations are calls per second.
var Operations = Quantity{"operations per second", "rate", words.Rates.Short, decades, false, words.Rates}

// Partitions are the parts of a message.
var Partitions = Quantity{"number of partitions", "", plain, Counts, true, nil}

// Named returns the quantity with this name, which is also its label.
func (q Quantity) Named(name string) Quantity {
	q.Name, q.Label = name, ""
	return q
}

// LinearWithin returns the quantity with an axis that is linear if the values differ by no more than this factor, and
// otherwise logarithmic.
func (q Quantity) LinearWithin(factor float64) Quantity {
	format := q.Format
	q.Scale = func(values []float64) Scale { return LinearOrLog(values, factor, YRoom).labelled(format) }
	return q
}

// Steps are the numbers of steps, from 1.
var Steps = Quantity{"step", "", plain, func(values []float64) Scale {
	_, high := Span(values)
	s := stepped(0, high, min(high, 6), plain)
	s.Min, s.Max = 0.5, high+0.5
	return s
}, true, nil}

// A unit is replaced by the next one, which is 1000 times as large, only if all values are at least this in the unit.
// Dots have the larger threshold, because their values are printed next to them.
const (
	curveThreshold = 0.01
	dotThreshold   = 10
)

// axis returns an axis that contains the values, all in one unit.
func (q Quantity) axis(values []float64) Axis { return q.axisOf(values, curveThreshold) }

func (q Quantity) axisOf(values []float64, threshold float64) Axis {
	a := Axis{Label: cmp.Or(q.Label, q.Name), Scale: q.Scale(values), Format: q.Format, inTickUnit: q.Format}
	if q.units != nil {
		unit := q.unit(values, threshold)
		a.tickUnit, a.Label = unit.Name, a.Label+" in "+unit.Name
		a.Scale = a.Scale.labelled(func(x float64) string { return plain(x / unit.Size) })
		a.inTickUnit = func(x float64) string { return words.Digits(x/unit.Size, 3) + " " + unit.Name }
	}
	return a
}

// decades returns a logarithmic scale.
func decades(values []float64) Scale { return Decades(values, YRoom) }

// around1 returns a scale of ratios: linear around 1, or logarithmic if they differ much.
func around1(values []float64) Scale {
	low, high := Span(values)
	low, high = min(low, 0.95), max(high, 1.05)
	if high/low > narrowRatio {
		return Decades([]float64{low, high}, YRoom)
	}
	return between(low, high)
}

// formatPercent formats a fraction in percent.
func formatPercent(x float64) string { return rating.Rounded(100*x, 4) + " %" }

// FormatRatio formats a ratio, such as "1.25 times".
func FormatRatio(x float64) string { return rating.Rounded(x, 3) + " times" }
