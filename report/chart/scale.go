package chart

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
)

// Scale maps values to positions on an axis. At returns the position of a value. Min, Max and the values of Ticks are
// positions.
type Scale struct {
	At       func(float64) float64
	Min, Max float64
	Ticks    []plot.Tick
	log      bool // logarithmic
}

// labelled returns the scale with other texts at its ticks, made from their values.
func (s Scale) labelled(text func(float64) string) Scale {
	ticks := make([]plot.Tick, len(s.Ticks))
	for i, t := range s.Ticks {
		if ticks[i] = t; t.Label != "" {
			x := t.Value
			if s.log {
				x = math.Pow(10, x)
			}
			ticks[i].Label = text(x)
		}
	}
	s.Ticks = ticks
	return s
}

// ticker makes gonum draw the ticks of a scale instead of its own.
type ticker []plot.Tick

// Ticks implements plot.Ticker.
func (t ticker) Ticks(float64, float64) []plot.Tick { return t }

// Identity returns x.
func Identity(x float64) float64 { return x }

// Usable reports whether a value can be drawn: it is positive and finite.
func Usable(x float64) bool { return x > 0 && !math.IsInf(x, 0) }

// Span returns the least and the largest usable value, or 1 and 1 if there are none.
func Span(values []float64) (low, high float64) {
	low, high = math.Inf(1), 0
	for _, v := range values {
		if Usable(v) {
			low, high = min(low, v), max(high, v)
		}
	}
	if high == 0 {
		return 1, 1
	}
	return low, high
}

// room is the room for labels on an axis. most is the number of labels. On an axis of less than few decades, 2 and 5
// are labelled in addition to 1.
type room struct {
	most int
	few  float64
}

// The y axis is shorter, but has room for more labels, because they are above each other.
var (
	xRoom = room{most: 6, few: 1.2}
	YRoom = room{most: 9, few: 3}
)

// Tolerance allows for rounding errors in the logarithms of round numbers.
const Tolerance = 1e-9

// Decades returns a logarithmic scale over the values. Its ends are rounded outwards to 1, 2 or 5 times a power of ten.
func Decades(values []float64, r room) Scale {
	low, high := Span(values)
	s := Scale{At: math.Log10, log: true, Min: round125(math.Log10(low)+Tolerance, false),
		Max: round125(math.Log10(high)-Tolerance, true)}
	if s.Max-s.Min < Tolerance {
		s.Min, s.Max = round125(s.Min-2*Tolerance, false), round125(s.Max+2*Tolerance, true)
	}
	first, last := int(math.Floor(s.Min+Tolerance)), int(math.Ceil(s.Max-Tolerance))
	every := (last-first)/r.most + 1
	for d := first; d <= last; d++ {
		for m := 1; m < 10; m++ {
			tick := plot.Tick{Value: float64(d) + math.Log10(float64(m))}
			labelled := m == 1 && (d-first)%every == 0 || (m == 2 || m == 5) && s.Max-s.Min < r.few
			if labelled {
				tick.Label = decimal(m, d)
			}
			inside := tick.Value > s.Min-Tolerance && tick.Value < s.Max+Tolerance
			if inside && (labelled || every == 1) {
				s.Ticks = append(s.Ticks, tick)
			}
		}
	}
	return s
}

// round125 returns the next 1, 2 or 5 times a power of ten below or above place. Both are decimal logarithms.
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

// powers returns a scale in powers of two, a little wider than the values. It labels each, each second, each fourth
// power and so on.
func powers(values []float64, label func(float64) string) Scale {
	const margin, maxPowers = 0.35, 9
	low, high := Span(values)
	s := Scale{At: math.Log2, Min: math.Log2(low) - margin, Max: math.Log2(high) + margin}
	if s.Max-s.Min < 1 { // one value
		s.Min, s.Max = s.Min-0.5, s.Max+0.5
	}
	every := 1
	for (s.Max-s.Min)/float64(every) > maxPowers {
		every *= 2
	}
	for k := int(math.Ceil(s.Min)); float64(k) <= s.Max; k++ {
		tick := plot.Tick{Value: float64(k)}
		if k >= 0 && k%every == 0 {
			tick.Label = label(math.Ldexp(1, k))
		}
		if tick.Label != "" || every <= 16 {
			s.Ticks = append(s.Ticks, tick)
		}
	}
	return s
}

// Lengths returns the scale of message lengths.
func Lengths(values []float64) Scale { return powers(values, Binary) }

// Counts returns the scale of numbers of processes.
func Counts(values []float64) Scale {
	const longest = 1 << 23 // largest power in decimal; longer labels would overlap
	return powers(values, func(x float64) string {
		if x > longest {
			return fmt.Sprintf("2^%.0f", math.Log2(x))
		}
		return plain(x)
	})
}

// stepped returns a linear scale between round numbers around two values, with ticks at about that many steps.
func stepped(low, high, steps float64, label func(float64) string) Scale {
	step := math.Pow(10, round125(math.Log10((high-low)/steps), true))
	if !Usable(step) {
		step = high
	}
	first, last := math.Floor(low/step+Tolerance), math.Ceil(high/step-Tolerance)
	s := Scale{At: Identity, Min: first * step, Max: max(high, last*step)}
	for i := first; i <= last; i++ {
		s.Ticks = append(s.Ticks, plot.Tick{Value: i * step, Label: label(i * step)})
	}
	return s
}

// linear returns a scale from zero to the next round number above the values.
func linear(values []float64) Scale {
	_, high := Span(values)
	s := stepped(0, high, 6, plain)
	s.Max = max(s.Max, 1.02*high) // a line on the frame would be half as wide
	return s
}

// between returns a linear scale that starts near the least value. It doesn't exaggerate a difference of 1 %.
func between(low, high float64) Scale {
	middle := (low + high) / 2
	return stepped(min(low, 0.98*middle), max(high, 1.02*middle), 4, plain)
}

// LinearOrLog returns a linear scale, or a logarithmic one if the values differ by more than a factor of ratio.
func LinearOrLog(values []float64, ratio float64, r room) Scale {
	if low, high := Span(values); high/ratio <= low {
		return linear(values)
	}
	return Decades(values, r)
}

// even returns a scale with a name at each of the positions 1, 2, 3 and so on, with the first name at the top.
func even(names []string) Scale {
	s := Scale{At: Identity, Min: 0.5, Max: float64(len(names)) + 0.5}
	for i, name := range names {
		s.Ticks = append(s.Ticks, plot.Tick{Value: s.Max - 0.5 - float64(i), Label: name})
	}
	return s
}
