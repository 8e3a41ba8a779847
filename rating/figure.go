package rating

import (
	"math"

	"github.com/effective-bandwidth/beff/internal/lists"
)

// Figure is a number that results of a benchmark have, such as b_eff or a latency. Each benchmark has one list of its
// figures. Code that shows, sorts, filters, compares, judges or exports figures loops over such lists.
type Figure struct {
	// Key names the figure in all outputs. It is the name of its field in the result document, if there is one. The
	// rating's key is the benchmark's name.
	Key   string
	Name  string // in words, as the head of a column
	About string // what it is
	Unit  Unit
	Less  bool // smaller is better
	// Rated figures are the rating, a part of it or computed from it. Without their own interval they are shown with
	// the digits that the rating's interval allows.
	Rated bool
	// OfAll figures are of all processes together. Each is followed by the same figure with PerProcess set.
	OfAll, PerProcess bool
	// Listed figures are shown for models, and followed over time for benchmarks without a rating, unless the user asks
	// for others.
	Listed bool
}

// Unit is the unit of a figure.
type Unit struct {
	Base  string  // unit of values, such as B/s or s; empty for a mere number
	Shown string  // unit in tables
	Scale float64 // size of the shown unit in base units
}

// The units.
var (
	Bandwidth = Unit{"B/s", "MB/s", 1e6}
	Latency   = Unit{"s", "µs", 1e-6}
	Duration  = Unit{"s", "s", 1}
	Length    = Unit{"B", "B", 1}
	Rate      = Unit{"1/s", "1/s", 1}
	Score     = Unit{"", "", 1}
	Part      = Unit{"%", "%", 1}
)

// In returns a value in the shown unit.
func (u Unit) In(value float64) float64 { return value / u.Scale }

// Value is a figure of a result in its base unit, with its interval within the run.
type Value struct {
	Value  float64   // above 0 if known
	Within *Interval // nil if not known
}

// Known reports whether there is a value.
func (v Value) Known() bool { return v.Value > 0 && !math.IsInf(v.Value, 0) }

// Ends returns the ends of the interval, or NaN if they aren't known or too far away to be meaningful
// (Estimate.TooWide).
func (v Value) Ends() Interval {
	if v.Within == nil || v.Estimate().TooWide() {
		return Interval{Low: math.NaN(), High: math.NaN()}
	}
	return *v.Within
}

// Over returns the value divided by a number.
func (v Value) Over(n float64) Value {
	v.Value /= n
	if in := v.Within; in != nil {
		v.Within = &Interval{Low: in.Low / n, High: in.High / n, Confidence: in.Confidence, Method: in.Method}
	}
	return v
}

// Values holds the known figures of a result by their keys.
type Values map[string]Value

// FigureOf is a figure and the function that computes it from a result.
type FigureOf[R any] struct {
	Figure
	Of func(*R) Value
}

// Figures holds all figures of a benchmark in their order.
type Figures[R any] []FigureOf[R]

// Declared returns the figures without their functions.
func (list Figures[R]) Declared() []Figure {
	return lists.Each(list, func(f FigureOf[R]) Figure { return f.Figure })
}

// Values returns the known figures of a result.
func (list Figures[R]) Values(r *R) Values {
	values := Values{}
	for _, f := range list {
		if v := f.Of(r); v.Known() {
			values[f.Key] = v
		}
	}
	return values
}

// WithPerProcess returns the figures, each OfAll figure followed by its value per process.
func (list Figures[R]) WithPerProcess(processes func(*R) int) (all Figures[R]) {
	for _, f := range list {
		all = append(all, f)
		if !f.OfAll {
			continue
		}
		one := f
		one.Key, one.Name, one.About = f.Key+"_per_process", f.Name+" per process", f.About+", per process"
		one.OfAll, one.PerProcess = false, true
		one.Of = func(r *R) Value { return f.Of(r).Over(float64(processes(r))) }
		all = append(all, one)
	}
	return all
}

// MeanOf returns the geometric means of the figures that all runs have.
func MeanOf(runs []Values) Values {
	mean := Values{}
	for key := range runs[0] {
		each := lists.Each(runs, func(v Values) float64 { return v[key].Value })
		if x, _ := GeometricMean(each); x > 0 {
			mean[key] = Value{Value: x}
		}
	}
	return mean
}
