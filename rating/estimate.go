package rating

import (
	"fmt"
	"math"
)

// Estimate is a figure with its known error. It alone decides how the error is written, in words and in digits, for
// sentences, headlines, colours and the last lines of a run. Compare decides whether two figures differ.
type Estimate struct {
	Value  float64
	Within *Interval // nil if not known
	Runs   int       // number of runs whose spread the interval has, or 0 for a single run
	Model  bool      // computed by a model, which has no error that repetitions show
}

// Kind classifies a figure's error.
type Kind int

// The kinds.
const (
	NotKnown  Kind = iota // no interval is known
	OfModel               // nothing was measured
	Even                  // the figure is near the middle of its interval
	Uneven                // one side of the interval is longer by more than a third
	VeryNoisy             // an end of the interval is far away, so only large differences show
)

const (
	// maxApart is the relative distance to an end of the interval above which a figure is called very noisy.
	maxApart = 0.25
	// maxUneven is the ratio of an interval's sides up to which it is written as ±.
	maxUneven = 4. / 3
)

// Estimate returns the value as a measured figure with its interval within a run.
func (v Value) Estimate() Estimate { return Estimate{Value: v.Value, Within: v.Within} }

// ScaledTo returns another figure with the same relative error, such as a part of this one.
func (d Estimate) ScaledTo(value float64) Estimate {
	if d.Within != nil && d.Value > 0 {
		in := *d.Within
		in.Low, in.High = in.Low*value/d.Value, in.High*value/d.Value
		d.Within = &in
	}
	d.Value = value
	return d
}

// Over returns the figure of one of n equal parts.
func (d Estimate) Over(n int) Estimate { return d.ScaledTo(d.Value / float64(n)) }

// Kind returns the kind of the figure's error.
func (d Estimate) Kind() Kind {
	part := d.RelativeHalfWidth()
	switch {
	case d.Model:
		return OfModel
	case math.IsNaN(part):
		return NotKnown
	case part > maxApart:
		return VeryNoisy
	case d.uneven():
		return Uneven
	}
	return Even
}

// RelativeHalfWidth returns the larger distance of the interval's ends from the figure, divided by the figure, or NaN
// if the interval isn't known.
func (d Estimate) RelativeHalfWidth() float64 {
	if d.Model {
		return math.NaN()
	}
	return d.Within.RelativeHalfWidth(d.Value)
}

// uneven reports whether the sides of a known interval differ by more than a third.
func (d Estimate) uneven() bool {
	below, above := d.Value-d.Within.Low, d.Within.High-d.Value
	return max(below, above) > maxUneven*min(below, above)+minPart*d.Value
}

// minPart is the smallest relative distance that is written. No interval is more certain than that.
const minPart = 0.0005

// String returns the error in words: "± 13 %", "-18 to +53 %", "± not known", "computed by a model".
func (d Estimate) String() string {
	switch kind := d.Kind(); {
	case kind == OfModel:
		return "computed by a model"
	case kind == NotKnown:
		return "± not known"
	case d.TooWide():
		return "± " + Percent(d.RelativeHalfWidth()) + " %"
	case d.uneven():
		return fmt.Sprintf("-%s to +%s %%", Percent(1-d.Within.Low/d.Value), Percent(d.Within.High/d.Value-1))
	case d.RelativeHalfWidth() < minPart:
		return "± less than 0.1 %"
	}
	return "± " + Percent(d.RelativeHalfWidth()) + " %"
}

// maxPrinted is the relative distance of an interval's end above which its number means nothing.
const maxPrinted = 10

// TooWide reports whether an interval is so wide that its ends mean nothing.
func (d Estimate) TooWide() bool { return d.RelativeHalfWidth() > maxPrinted }

// Percent returns a part of 1 in percent, without the sign, with two digits or one below 1 %, up to "more than 1000".
func Percent(part float64) string {
	switch x := 100 * part; {
	case part > maxPrinted:
		return fmt.Sprintf("more than %d", 100*maxPrinted)
	case x >= 9.95: // not 1e+02
		return fmt.Sprintf("%.0f", x)
	case x < 1:
		return fmt.Sprintf("%.1g", x)
	default:
		return fmt.Sprintf("%.2g", x)
	}
}

// Numbers of digits of a figure: at least two, at most four, and three if its interval isn't known.
const (
	minDigits     = 2
	maxDigits     = 4
	unknownDigits = 3
)

// Digits returns the number of significant digits of the figure, or the maximum if it is a model's.
func (d Estimate) Digits() int {
	if d.Model {
		return maxDigits
	}
	return SignificantDigits(d.Value, d.RelativeHalfWidth())
}

// SignificantDigits returns the digits of a positive figure whose interval reaches this part of it to each side. One
// unit of the last digit is at most half of that distance. part is NaN if the interval isn't known.
func SignificantDigits(x, part float64) int {
	switch {
	case math.IsNaN(part):
		return unknownDigits
	case part == 0:
		return maxDigits
	}
	step := math.Floor(math.Log10(part * x / 2))
	return min(max(int(math.Floor(math.Log10(x))-step)+1, minDigits), maxDigits)
}
