package plots

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
)

// scale is where values are on an axis: at gives the place of a value, min and max are places, as are those of the
// ticks.
type scale struct {
	at       func(float64) float64
	min, max float64
	floor    float64 // the value whose place is min
	ticks    []plot.Tick
}

// Ticks implements plot.Ticker.
func (s scale) Ticks(float64, float64) []plot.Tick { return s.ticks }

func identity(x float64) float64 { return x }

// usable says whether a value is shown: a positive number.
func usable(x float64) bool { return x > 0 && !math.IsInf(x, 0) }

// span is the range of the usable values; of 1 if there are none.
func span(values []float64) (low, high float64) {
	low, high = math.Inf(1), 0
	for _, v := range values {
		if usable(v) {
			low, high = min(low, v), max(high, v)
		}
	}
	if high == 0 {
		return 1, 1
	}
	return low, high
}

// room is what an axis has for labels: how many, and over how many decades 1, 2 and 5 are labelled.
type room struct {
	most int
	few  float64
}

// The y axis is shorter, but on it labels lie on top of each other.
var (
	xRoom = room{most: 6, few: 1.2}
	yRoom = room{most: 9, few: 3}
)

// tolerance is for logarithms of round numbers.
const tolerance = 1e-9

// decades is a logarithmic scale over the values, from and to the next 1, 2 or 5.
func decades(values []float64, r room) scale {
	low, high := span(values)
	s := scale{at: math.Log10, min: round125(math.Log10(low)+tolerance, false),
		max: round125(math.Log10(high)-tolerance, true)}
	if s.max-s.min < tolerance {
		s.min, s.max = round125(s.min-2*tolerance, false), round125(s.max+2*tolerance, true)
	}
	s.floor = math.Pow(10, s.min)
	first, last := int(math.Floor(s.min+tolerance)), int(math.Ceil(s.max-tolerance))
	every := (last-first)/r.most + 1
	for d := first; d <= last; d++ {
		for m := 1; m < 10; m++ {
			tick := plot.Tick{Value: float64(d) + math.Log10(float64(m))}
			labelled := m == 1 && (d-first)%every == 0 || (m == 2 || m == 5) && s.max-s.min < r.few
			if labelled {
				tick.Label = decimal(m, d)
			}
			inside := tick.Value > s.min-tolerance && tick.Value < s.max+tolerance
			if inside && (labelled || every == 1) {
				s.ticks = append(s.ticks, tick)
			}
		}
	}
	return s
}

// round125 is the next 1, 2 or 5 times a power of ten, below or above, everything in decimal logarithms.
func round125(place float64, up bool) float64 {
	d := math.Floor(place)
	steps := []float64{0, math.Log10(2), math.Log10(5), 1}
	below := d
	for _, step := range steps {
		switch {
		case up && d+step >= place:
			return d + step
		case d+step <= place:
			below = d + step
		}
	}
	return below
}

// powers is a scale in powers of two, a little wider than the values, with labels at every one, second, fourth and so
// on.
func powers(values []float64, label func(float64) string) scale {
	const margin, mostPowers = 0.35, 9
	low, high := span(values)
	s := scale{at: math.Log2, min: math.Log2(low) - margin, max: math.Log2(high) + margin}
	if s.max-s.min < 2 {
		s.min, s.max = s.min-1, s.max+1
	}
	every := 1
	for (s.max-s.min)/float64(every) > mostPowers {
		every *= 2
	}
	for k := int(math.Ceil(s.min)); float64(k) <= s.max; k++ {
		tick := plot.Tick{Value: float64(k)}
		if k >= 0 && k%every == 0 {
			tick.Label = label(math.Ldexp(1, k))
		}
		if tick.Label != "" || every <= 16 {
			s.ticks = append(s.ticks, tick)
		}
	}
	return s
}

// lengths is the scale of message lengths.
func lengths(values []float64) scale { return powers(values, binary) }

// counts is the scale of numbers of processes.
func counts(values []float64) scale {
	const longest = 1 << 23 // in decimal, or labels overlap
	return powers(values, func(x float64) string {
		if x > longest {
			return fmt.Sprintf("2^%.0f", math.Log2(x))
		}
		return plain(x)
	})
}

// linear is a scale from zero to the next round number.
func linear(values []float64) scale {
	_, high := span(values)
	step := math.Pow(10, round125(math.Log10(high/6), true))
	if !usable(step) {
		step = high
	}
	n := math.Ceil(high/step - tolerance)
	s := scale{at: identity, max: max(high, n*step)}
	for i := 0.0; i <= n; i++ {
		s.ticks = append(s.ticks, plot.Tick{Value: i * step, Label: plain(i * step)})
	}
	return s
}

// fitting is linear, unless the values differ by more than a ratio.
func fitting(values []float64, ratio float64, r room) scale {
	if low, high := span(values); high/ratio <= low {
		return linear(values)
	}
	return decades(values, r)
}

// even is a scale of places 0, 1, 2 and so on with a name each, the first one on top.
func even(names []string) scale {
	s := scale{at: identity, min: -0.5, max: float64(len(names)) - 0.5}
	for i, name := range names {
		s.ticks = append(s.ticks, plot.Tick{Value: s.max - 0.5 - float64(i), Label: name})
	}
	return s
}
