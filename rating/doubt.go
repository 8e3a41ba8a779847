package rating

import (
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/stats"
)

// Doubt is a figure with what is known of its error. It alone decides what is said of that: the words, the digits, and
// whether two figures can be told apart. Sentences, head lines, ranks, colours and last lines follow from it.
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
	NotKnown Kind = iota // no interval is known
	OfModel              // nothing was measured
	Even                 // the figure lies about in the middle of its interval
	Uneven               // one side of the interval is longer than the other by more than a third
	TooNoisy             // an end of the interval is too far away for a comparison
)

const (
	// mostApart is the distance to an end of an interval over the figure above which the figure is no more one to
	// compare.
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
		return TooNoisy
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
		return fmt.Sprintf("± more than %d %%", 100*mostSaid)
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

// Percent returns a part in percent with two digits, or one below 1 %, without the sign.
func Percent(part float64) string {
	switch x := 100 * part; {
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

// noise is the distance of a ratio from 1 that says nothing where the interval of a figure isn't known.
const noise = 0.02

// Distinct reports whether two figures can be told apart: they differ by more than their intervals say, by the test of
// Ratio. Known is false where an interval isn't: then figures that differ by more than 2 % are taken for distinct.
// Those of two models are as they are.
func Distinct(a, b Doubt) (apart, known bool) {
	if a.Model && b.Model {
		return a.Value != b.Value, true
	}
	if told := Ratio(a.Spread(), b.Spread()); !math.IsNaN(told.P) {
		return told.P < 1-Confidence, true
	}
	return math.Abs(math.Log(a.Value/b.Value)) >= noise, false
}

// Spread is a figure with the standard deviation of its logarithm.
type Spread struct {
	Value, Deviation float64
	Degrees          int // of freedom of the deviation; 0: it isn't known
	Runs             int // whose mean the figure is, and that the deviation is of; 0: a single one
}

// Normal is a number of degrees of freedom with which Student's t is the normal distribution.
const Normal = 1 << 30

// leastRuns is the number of runs from which on what they spread is known.
const leastRuns = 3

// Spread returns the figure's spread: a run's interval has its degrees of freedom in its width already, and that
// between runs is Student's.
func (d Doubt) Spread() Spread {
	s := Spread{Value: d.Value, Runs: d.Runs}
	if d.Within == nil || d.Model || !(d.Value > 0) {
		return s
	}
	s.Degrees = Normal
	if d.Runs >= leastRuns {
		s.Degrees = d.Runs - 1
	}
	s.Deviation = math.Log(d.Within.High/d.Within.Low) / 2 / stats.Student((1+Confidence)/2, float64(s.Degrees))
	return s
}

// PerRun returns the variance of the logarithm of a single run.
func (s Spread) PerRun() float64 { return s.Deviation * s.Deviation * float64(max(s.Runs, 1)) }

// Told is the ratio of a figure to another, with what is known of it.
type Told struct {
	Low, High float64 // the ends of the 95 % interval, which hold the ratio
	// P is the probability of a ratio at least as far from 1 if both figures were the same; NaN: not known.
	P float64
	// Deviation is the standard deviation of the ratio's logarithm, with so many degrees of freedom.
	Deviation, Freedom float64
	First, Second      Spread // as they were compared
}

// Ratio tells b from a, by Welch's t on the logarithms.
func Ratio(a, b Spread) Told {
	if a.Degrees < 1 || b.Degrees < 1 {
		return Told{P: math.NaN(), First: a, Second: b}
	}
	log, r := math.Log(b.Value/a.Value), b.Value/a.Value
	t := beside(a, b)
	if t.Deviation == 0 {
		t.Low, t.High = r, r
		if r == 1 {
			t.P = 1
		}
		return t
	}
	half := stats.Student((1+Confidence)/2, t.Freedom) * t.Deviation
	t.Low, t.High = min(r, math.Exp(log-half)), max(r, math.Exp(log+half))
	t.P = 2 * stats.Survival(math.Abs(log)/t.Deviation, t.Freedom)
	return t
}

// beside returns two figures as they are compared, with the deviation of their difference and its degrees of freedom,
// after Welch and Satterthwaite. The repetitions of one or two runs don't say by how much runs differ. If the other
// figure is of enough runs to tell, these are taken to be off by as much at least: then one estimate of the deviation
// is that of both.
func beside(a, b Spread) Told {
	few, many, one := &a, &b, false
	if a.Runs > b.Runs {
		few, many = &b, &a
	}
	if few.Runs < leastRuns && many.Runs >= leastRuns {
		between := math.Sqrt(many.PerRun() / float64(max(few.Runs, 1)))
		if one = between > few.Deviation; one {
			few.Deviation, few.Degrees = between, many.Degrees
		}
	}
	x, y := a.Deviation*a.Deviation, b.Deviation*b.Deviation
	freedom := (x + y) * (x + y) / (x*x/float64(a.Degrees) + y*y/float64(b.Degrees))
	if one {
		freedom = float64(a.Degrees)
	}
	return Told{Deviation: math.Sqrt(x + y), Freedom: freedom, First: a, Second: b}
}
