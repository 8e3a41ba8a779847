package words

import (
	"fmt"
	"math"
	"strings"
)

// A Scale lists the units in which readers see one kind of figure, the smallest first.
type Scale []Step

// A Step is a unit. Its size is in the unit of result documents: B/s, seconds, bytes, or calls per second.
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

// UnitFor returns the largest unit in which x, rounded to that many digits, is at least 1, or else the smallest unit.
func (s Scale) UnitFor(x float64, digits int) Step {
	at := 0
	for at < len(s)-1 && x >= s[at+1].Size*(1-math.Pow10(-digits)/2) {
		at++
	}
	return s[at]
}

// Text formats a figure with its unit and that many digits.
func (s Scale) Text(x float64, digits int) string {
	of := s.UnitFor(x, digits)
	return Digits(x/of.Size, digits) + " " + of.Name
}

// Short formats a figure with its unit and three digits, without trailing zeros.
func (s Scale) Short(x float64) string {
	of := s.UnitFor(x, shortest)
	return Short(x/of.Size) + " " + of.Name
}

// Numbers from most upwards, and those below least, are written with an exponent.
const (
	most  = 1e7
	least = 1e-5
)

// Digits formats a number with that many digits, with zeros up to the decimal point if necessary. NaN and infinity
// become "not known".
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
	decimals := digits - 1 - int(math.Floor(math.Log10(a)+1e-9)) // of the unrounded x, since digits may depend on it
	if decimals < 0 {
		scale := math.Pow(10, float64(-decimals))
		return fmt.Sprintf("%.0f", math.Round(x/scale)*scale)
	}
	return fmt.Sprintf("%.*f", decimals, x)
}

const shortest = 3 // digits of Short

// Short formats a number with three digits, or with all digits of a larger integer part, without trailing zeros.
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
