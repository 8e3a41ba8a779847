package rating

import (
	"fmt"
	"math"
)

// Doubt is a figure with what is known of its error. It alone decides what is said of that: the words and the digits.
// Sentences, head lines, colours and last lines follow from it. Judge decides whether two figures can be told apart.
type Doubt struct {
	Value  float64
	Within *Interval // nil: not known
	Runs   int       // that the interval is between; 0: it is of a single run
	Model  bool      // a model computed the figure: it has no error that repetitions show
}

// Kind is what can be said of a figure's error.
type Kind int

// The kinds.
const (
	NotKnown  Kind = iota // no interval is known
	OfModel               // nothing was measured
	Even                  // the figure lies about in the middle of its interval
	Uneven                // one side of the interval is longer than the other by more than a third
	VeryNoisy             // an end of the interval is far away: only large differences show
)

const (
	// mostApart is the distance to an end of an interval over the figure above which the figure is called very noisy.
	mostApart = 0.25
	// mostUneven is how many times as long as the other one a side of an interval may be that is said as ±.
	mostUneven = 4. / 3
)

// Doubt returns the figure with its interval within a run, as one that was measured.
func (v Value) Doubt() Doubt { return Doubt{Value: v.Value, Within: v.Within} }

// Of returns another figure that is as sure: a part of this one, or made of it.
func (d Doubt) Of(value float64) Doubt {
	if d.Within != nil && d.Value > 0 {
		in := *d.Within
		in.Low, in.High = in.Low*value/d.Value, in.High*value/d.Value
		d.Within = &in
	}
	d.Value = value
	return d
}

// Over returns the figure of one of n equal parts.
func (d Doubt) Over(n int) Doubt { return d.Of(d.Value / float64(n)) }

// Kind returns what can be said of the figure's error.
func (d Doubt) Kind() Kind {
	part := d.Part()
	switch {
	case d.Model:
		return OfModel
	case math.IsNaN(part):
		return NotKnown
	case part > mostApart:
		return VeryNoisy
	case d.uneven():
		return Uneven
	}
	return Even
}

// Part returns the larger distance of the interval's ends from the figure, as a part of it; NaN if it isn't known.
func (d Doubt) Part() float64 {
	if d.Model {
		return math.NaN()
	}
	return d.Within.Part(d.Value)
}

// uneven reports whether the sides of a known interval differ by more than a third.
func (d Doubt) uneven() bool {
	below, above := d.Value-d.Within.Low, d.Within.High-d.Value
	return max(below, above) > mostUneven*min(below, above)+leastPart*d.Value
}

// leastPart is the distance below which a number isn't said: an interval is never as sure as that.
const leastPart = 0.0005

// String returns the doubt in words: "± 13 %", "-18 to +53 %", "± not known", "computed by a model".
func (d Doubt) String() string {
	switch kind := d.Kind(); {
	case kind == OfModel:
		return "computed by a model"
	case kind == NotKnown:
		return "± not known"
	case d.Wild():
		return "± " + Percent(d.Part()) + " %"
	case d.uneven():
		return fmt.Sprintf("-%s to +%s %%", Percent(1-d.Within.Low/d.Value), Percent(d.Within.High/d.Value-1))
	case d.Part() < leastPart:
		return "± less than 0.1 %"
	}
	return "± " + Percent(d.Part()) + " %"
}

// mostSaid is the distance of an end of an interval over the figure above which it is no number any more to say.
const mostSaid = 10

// Wild reports whether an interval is so wide that its ends say nothing.
func (d Doubt) Wild() bool { return d.Part() > mostSaid }

// Percent returns a part in percent with two digits, or one below 1 %, without the sign; "more than 1000" beyond that.
func Percent(part float64) string {
	switch x := 100 * part; {
	case part > mostSaid:
		return fmt.Sprintf("more than %d", 100*mostSaid)
	case x >= 9.95: // not 1e+02
		return fmt.Sprintf("%.0f", x)
	case x < 1:
		return fmt.Sprintf("%.1g", x)
	default:
		return fmt.Sprintf("%.2g", x)
	}
}

// Digits of a figure: at least two, at most four, three if its interval isn't known.
const (
	leastDigits   = 2
	mostDigits    = 4
	unknownDigits = 3
)

// Digits returns the number of digits that the figure bears; of a model it is the most.
func (d Doubt) Digits() int {
	if d.Model {
		return mostDigits
	}
	return Bears(d.Value, d.Part())
}

// Bears returns the number of digits that a positive figure bears whose interval is that part of it to each side: one
// of the last digit is at most half of that distance. NaN: it isn't known.
func Bears(x, part float64) int {
	switch {
	case math.IsNaN(part):
		return unknownDigits
	case part == 0:
		return mostDigits
	}
	step := math.Floor(math.Log10(part * x / 2))
	return min(max(int(math.Floor(math.Log10(x))-step)+1, leastDigits), mostDigits)
}
