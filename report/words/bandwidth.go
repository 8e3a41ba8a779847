package words

import (
	"fmt"
	"math"
	"strconv"

	"github.com/effective-bandwidth/beff/rating"
)

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
	of := Bandwidths.UnitFor(d.Value, d.Digits())
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
