package words

import (
	"fmt"
	"math"
	"strings"

	"github.com/effective-bandwidth/beff/rating"
)

// Digits of a rating: at least two, at most four, three if its interval is not known.
const (
	leastDigits   = 2
	mostDigits    = 4
	unknownDigits = 3
)

// Rated returns a bandwidth in bytes per second by its number and its unit, with the digits that it bears: the last one
// is the second digit of the distance to an end of its interval. part is that distance over the bandwidth, NaN if it
// is not known.
func Rated(x, part float64) (number, unit string) {
	units := []string{"B/s", "kB/s", "MB/s", "GB/s", "TB/s", "PB/s"}
	i := 0
	for ; x >= 1000 && i < len(units)-1; i++ {
		x /= 1000
	}
	if !(x > 0) {
		return Figure(x, 0), units[i]
	}
	return Digits(x, Borne(x, part)), units[i]
}

// Borne returns the number of digits that a positive figure bears, whose interval is that part of it to each side; NaN:
// it is not known.
func Borne(x, part float64) int {
	switch {
	case math.IsNaN(part):
		return unknownDigits
	case part == 0:
		return mostDigits
	}
	digits := int(math.Floor(math.Log10(x))-math.Floor(math.Log10(part*x))) + 2
	return min(max(digits, leastDigits), mostDigits)
}

// Digits returns a positive number with so many digits, and zeros up to the decimal point if there are less.
func Digits(x float64, digits int) string {
	decimals := digits - 1 - int(math.Floor(math.Log10(x)))
	if decimals < 0 {
		scale := math.Pow(10, float64(-decimals))
		return fmt.Sprintf("%.0f", math.Round(x/scale)*scale)
	}
	return fmt.Sprintf("%.*f", decimals, x)
}

// Within returns the distance of a figure from the ends of its interval as text, such as "± 3.2 %"; nothing if it is
// not known. part is the distance over the figure.
func Within(part float64) string {
	switch {
	case math.IsNaN(part):
		return ""
	case part < 1e-8: // what rounding leaves of machines without noise
		return "± 0 %"
	case part < 0.01:
		return fmt.Sprintf("± %.1g %%", 100*part)
	case part >= 0.995: // not 1e+02
		return fmt.Sprintf("± %.0f %%", 100*part)
	}
	return fmt.Sprintf("± %.2g %%", 100*part)
}

// SoFar returns the estimate of a rating while a run measures, such as "4.73 GB/s ± 2 %; ", empty if there is none.
func SoFar(v rating.Value) string {
	if !v.Known() {
		return ""
	}
	part := v.Within.Part(v.Value)
	number, unit := Rated(v.Value, part)
	return strings.TrimSpace(number+" "+unit+" "+Within(part)) + "; "
}
