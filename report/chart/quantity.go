package chart

import (
	"cmp"
	"fmt"
	"math"
	"strings"
)

// Quantity is what an axis is of. Values are in base units: bytes, seconds, bytes per second.
type Quantity struct {
	Name  string               // in a sentence: "message length"
	Label string               // at the axis; empty: the name
	Say   func(float64) string // a value with its unit; nil: Short
	Scale func(values []float64) Scale
	Dense bool // there are so many values that a curve marks each third of its points
	units *units
}

// units are the units of a quantity, each 1000 times the one before.
type units struct {
	names []string
	first float64 // the size of the first one in base units
}

var (
	rates  = &units{[]string{"B/s", "kB/s", "MB/s", "GB/s", "TB/s", "PB/s"}, 1}
	calls  = &units{perSecond, 1}
	clocks = &units{[]string{"ns", "µs", "ms", "s"}, 1e-9}
)

// of returns the unit for all values of a picture: the largest one in which the greatest of them is 1 or more, and the
// least one a thousandth of least or more.
func (u *units) of(values []float64, least float64) (name string, size float64) {
	low, high := Span(values)
	size, at := u.first, 0
	for at < len(u.names)-1 && high >= 1000*size*(1-Tolerance) && low >= least*size*(1-Tolerance) {
		size, at = 1000*size, at+1
	}
	return u.names[at], size
}

// LengthLabel is the label of an axis of message lengths.
const LengthLabel = "message length in bytes (1k = 1024)"

// The quantities of pictures. Axes of bandwidths and times are logarithmic, those of ratios linear around 1 as long as
// that shows them best.
var (
	Length    = Quantity{"message length", LengthLabel, Bytes, Lengths, true, nil}
	Stride    = Quantity{"stride", "stride in blocks", plain, Counts, true, nil}
	Processes = Quantity{"number of processes", "", plain, Counts, false, nil}
	Date      = Quantity{"time", "date of the run (UTC)", day, dates, false, nil}
	Bandwidth = Quantity{"bandwidth", "", Rate, decades, false, rates}
	Time      = Quantity{"time", "", Seconds, decades, false, clocks}
	Ratio     = Quantity{"ratio", "", Times, around1, false, nil}
	Frequency = Quantity{"times in a second", "", plain, decades, false, nil}
	Longer    = Quantity{"part that took longer", "part of the repetitions that took longer", part, decades, false, nil}
)

// Operations are calls per second.
var Operations = Quantity{"operations per second", "", PerSecond, decades, false, calls}

// Partitions are the parts of a message.
var Partitions = Quantity{"number of partitions", "", plain, Counts, true, nil}

// Called returns the quantity under another name.
func (q Quantity) Called(name string) Quantity {
	q.Name, q.Label = name, ""
	return q
}

// Fitting returns the quantity on a linear axis where its values don't differ by more than a factor.
func (q Quantity) Fitting(factor float64) Quantity {
	say := q.Say
	q.Scale = func(values []float64) Scale { return Fitting(values, factor, YRoom).labelled(say) }
	return q
}

// Counted returns the quantity with a scale of whole numbers from 0 on.
func (q Quantity) Counted() Quantity {
	q.Scale = func(values []float64) Scale {
		_, high := Span(values)
		return stepped(0, high, min(high, 6), q.Say)
	}
	return q
}

// The least values, in a unit, with which the one 1000 times as large is taken: of curves, and of dots, whose values
// stand beside them.
const (
	leastOfCurves = 0.01
	leastOfDots   = 10
)

// axis returns an axis of the quantity that holds the values, all in one unit.
func (q Quantity) axis(values []float64) Axis { return q.axisOf(values, leastOfCurves) }

func (q Quantity) axisOf(values []float64, least float64) Axis {
	a := Axis{Label: cmp.Or(q.Label, q.Name), Scale: q.Scale(values), Say: q.Say, shown: q.Say}
	if q.units != nil {
		name, size := q.units.of(values, least)
		a.unit, a.Label = name, a.Label+" in "+name
		a.Scale = a.Scale.labelled(func(x float64) string { return plain(x / size) })
		a.shown = func(x float64) string { return threeDigits(x/size) + " " + name }
	}
	return a
}

// decades returns a logarithmic scale.
func decades(values []float64) Scale { return Decades(values, YRoom) }

// around1 returns a scale of ratios: linear around 1, logarithmic if they differ much.
func around1(values []float64) Scale {
	low, high := Span(values)
	low, high = min(low, 0.95), max(high, 1.05)
	if high/low > narrowRatio {
		return Decades([]float64{low, high}, YRoom)
	}
	return between(low, high)
}

// Rate returns a bandwidth in bytes per second with its unit: 500 kB/s, 12 GB/s. It has three digits, without zeros at
// the end.
func Rate(x float64) string {
	return scaled(x, 1000, []string{"B/s", "kB/s", "MB/s", "GB/s", "TB/s", "PB/s"})
}

// perSecond are the units of calls per second.
var perSecond = []string{"ops/s", "kops/s", "Mops/s", "Gops/s"}

// PerSecond returns a number of calls per second with its unit.
func PerSecond(x float64) string { return scaled(x, 1000, perSecond) }

// Seconds returns a time in seconds with its unit.
func Seconds(x float64) string { return scaled(x*1e9, 1000, []string{"ns", "µs", "ms", "s"}) }

// part returns a part of 1 in percent.
func part(x float64) string { return fmt.Sprintf("%.4g %%", 100*x) }

// Bytes returns a length with its unit.
func Bytes(x float64) string { return scaled(x, 1024, []string{"B", "KiB", "MiB", "GiB", "TiB"}) }

// Times returns a ratio.
func Times(x float64) string { return fmt.Sprintf("%.3g times", x) }

func scaled(x, by float64, units []string) string {
	i := 0
	for ; i < len(units)-1 && x >= by*(1-1e-9); i++ {
		x /= by
	}
	text := "0"
	switch {
	case x >= 1e5 || x > 0 && x < 1e-3: // beyond the units
		text = fmt.Sprintf("%.3g", x)
	case x > 0:
		text = fmt.Sprintf("%.*f", max(0, 2-int(math.Floor(math.Log10(x)+1e-9))), x)
	}
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text + " " + units[i]
}
