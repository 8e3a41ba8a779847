package words

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/rating"
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

// Numbers below smallestPlain, and from largestPlain upwards, are written with an exponent.
const (
	largestPlain  = 1e7
	smallestPlain = 1e-5
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
	case a < smallestPlain || a >= largestPlain:
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
	if a := math.Abs(x); a >= 1000 && a < largestPlain {
		return fmt.Sprintf("%.0f", x)
	}
	text := Digits(x, shortest)
	if strings.Contains(text, ".") && !strings.Contains(text, "e") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// Factors from bytes, seconds and bytes per second, the units of result documents, to the units that readers see.
const (
	Mega  = 1e6     // MB/s
	Mebi  = 1 << 20 // MiB, for memory and lengths
	Micro = 1e-6
)

// Memory formats a size of memory in MB of 2^20 bytes as b_eff's summary lines do: an integer, or two digits below 1.
func Memory(bytes int64) string {
	if bytes < Mebi {
		return fmt.Sprintf("%.2g", float64(bytes)/Mebi)
	}
	return fmt.Sprint(bytes / Mebi)
}

// Length formats a length exactly: in MiB or KiB if it is a whole number of them, otherwise in bytes, with MiB if
// large.
func Length(bytes int64) string {
	switch {
	case bytes >= Mebi && bytes%Mebi == 0:
		return fmt.Sprintf("%d MiB", bytes/Mebi)
	case bytes >= 1024 && bytes < Mebi && bytes%1024 == 0:
		return fmt.Sprintf("%d KiB", bytes/1024)
	case bytes >= Mebi:
		return fmt.Sprintf("%.4g MiB (%d bytes)", float64(bytes)/Mebi, bytes)
	}
	return fmt.Sprintf("%d bytes", bytes)
}

// ValueAndUnit returns the number and the unit of a bandwidth in bytes per second, with the digits that its error
// justifies.
func ValueAndUnit(d rating.Estimate) (number, unit string) {
	of := Bandwidths.UnitFor(d.Value, d.Digits())
	if !(d.Value > 0) {
		return Figure(d.Value, 0), of.Name
	}
	return Digits(d.Value/of.Size, d.Digits()), of.Name
}

// Megabytes returns x/n, where x is a bandwidth in bytes per second, in MB/s for scripts. It has three decimals like
// b_eff's own summary, or more if seven digits need them, so that n times the result is exact, too.
func Megabytes(x float64, n int) string {
	x /= Mega
	decimals := max(3, 6-int(math.Floor(math.Log10(x)))) + int(math.Ceil(math.Log10(float64(n))))
	return strconv.FormatFloat(x/float64(n), 'f', decimals, 64)
}

// Range returns the ends of a bandwidth's interval with their unit, such as "4.1 to 5.3 GB/s", or "" if it isn't known.
func Range(d rating.Estimate) string {
	if math.IsNaN(d.RelativeHalfWidth()) {
		return ""
	}
	return RangeIn(d, Bandwidths.UnitFor(d.Value, d.Digits()))
}

// RangeIn returns the ends of a known interval in a unit.
func RangeIn(d rating.Estimate, of Step) string {
	decimals := max(0, d.Digits()-1-int(math.Floor(math.Log10(d.Value/of.Size))))
	return fmt.Sprintf("%.*f to %.*f %s", decimals, d.Within.Low/of.Size, decimals, d.Within.High/of.Size, of.Name)
}

// WithRange returns a bandwidth with its error, as far as known: "4.1 to 5.3 GB/s at 95 % (4.7 GB/s ± 13 %)".
func WithRange(d rating.Estimate) string {
	number, unit := ValueAndUnit(d)
	text := number + " " + unit
	switch kind := d.Kind(); {
	case kind == rating.OfModel:
		return text
	case kind == rating.NotKnown || d.TooWide():
		return text + " (" + d.String() + ")"
	case kind == rating.Uneven:
		return Range(d) + " at 95 %, most likely " + text
	}
	return Range(d) + " at 95 % (" + text + " " + d.String() + ")"
}

// EstimateSoFar returns the current estimate of a rating during a run, such as "4.73 GB/s ± 2 %; ", or "" if there is
// none.
func EstimateSoFar(v rating.Value) string {
	if !v.Known() {
		return ""
	}
	number, unit := ValueAndUnit(v.Estimate())
	if v.Within == nil {
		return number + " " + unit + "; "
	}
	return number + " " + unit + " " + v.Estimate().String() + "; "
}
