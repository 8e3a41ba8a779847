package words

import (
	"fmt"
	"math"
	"strings"
)

// A Scale is the units in which readers see one kind of figure, from the smallest.
type Scale []Step

// A Step is a unit and its size in the unit that documents have: B/s, seconds, bytes, calls per second.
type Step struct {
	Name string
	Size float64
}

// The scales.
var (
	Bandwidths = Scale{{"B/s", 1}, {"kB/s", 1e3}, {"MB/s", 1e6}, {"GB/s", 1e9}, {"TB/s", 1e12}, {"PB/s", 1e15}}
	Times      = Scale{{"ns", 1e-9}, {"µs", 1e-6}, {"ms", 1e-3}, {"s", 1}}
	Lengths    = Scale{{"B", 1}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}}
	Rates      = Scale{{"ops/s", 1}, {"kops/s", 1e3}, {"Mops/s", 1e6}, {"Gops/s", 1e9}}
)

// Suiting returns the largest unit that a figure of so many digits has one of, at least the smallest.
func (s Scale) Suiting(x float64, digits int) Step {
	at := 0
	for at < len(s)-1 && x >= s[at+1].Size*(1-math.Pow10(-digits)/2) {
		at++
	}
	return s[at]
}

// Text returns a figure with its unit and so many digits.
func (s Scale) Text(x float64, digits int) string {
	of := s.Suiting(x, digits)
	return Digits(x/of.Size, digits) + " " + of.Name
}

// Short returns a figure with its unit and three digits, without zeros at their end.
func (s Scale) Short(x float64) string {
	of := s.Suiting(x, shortest)
	return Short(x/of.Size) + " " + of.Name
}

// most and least are the numbers from which on, and below which, one is written with an exponent.
const (
	most  = 1e7
	least = 1e-5
)

// Digits returns a number with so many digits, and zeros up to the decimal point if there are less: "not known" if it
// is none.
func Digits(x float64, digits int) string {
	a := math.Abs(x)
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return "not known"
	case a == 0:
		return "0"
	case a < least || a >= most:
		return fmt.Sprintf("%.*g", digits, x)
	}
	decimals := digits - 1 - int(math.Floor(math.Log10(a)+1e-9)) // not of the rounded one: digits may follow from x
	if decimals < 0 {
		scale := math.Pow(10, float64(-decimals))
		return fmt.Sprintf("%.0f", math.Round(x/scale)*scale)
	}
	return fmt.Sprintf("%.*f", decimals, x)
}

const shortest = 3 // digits of Short

// Short returns a number with three digits, or all before the decimal point, without zeros at the end.
func Short(x float64) string {
	if a := math.Abs(x); a >= 1000 && a < most {
		return fmt.Sprintf("%.0f", x)
	}
	text := Digits(x, shortest)
	if strings.Contains(text, ".") && !strings.Contains(text, "e") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}
