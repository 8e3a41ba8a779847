package words

import (
	"fmt"
	"math"
	"strconv"

	"github.com/effective-bandwidth/beff/rating"
)

// Rated returns a bandwidth in bytes per second by its number and its unit, with the digits that it bears.
func Rated(d rating.Doubt) (number, unit string) {
	of := Bandwidths.Suiting(d.Value, d.Digits())
	if !(d.Value > 0) {
		return Figure(d.Value, 0), of.Name
	}
	return Digits(d.Value/of.Size, d.Digits()), of.Name
}

// Megabytes returns one of n parts of a bandwidth in MB/s for scripts: with three decimals as b_eff's own summary, and
// more where seven digits need them, or the product of the part and n.
func Megabytes(x float64, n int) string {
	x /= Mega
	decimals := max(3, 6-int(math.Floor(math.Log10(x)))) + int(math.Ceil(math.Log10(float64(n))))
	return strconv.FormatFloat(x/float64(n), 'f', decimals, 64)
}

// Range returns the ends of a bandwidth's interval with its unit, such as "4.1 to 5.3 GB/s"; empty if none is known.
func Range(d rating.Doubt) string {
	if math.IsNaN(d.Part()) {
		return ""
	}
	of := Bandwidths.Suiting(d.Value, d.Digits())
	decimals := max(0, d.Digits()-1-int(math.Floor(math.Log10(d.Value/of.Size))))
	return fmt.Sprintf("%.*f to %.*f %s", decimals, d.Within.Low/of.Size, decimals, d.Within.High/of.Size, of.Name)
}

// Sure returns a bandwidth with what is known of its error: "4.1 to 5.3 GB/s at 95 % (4.7 GB/s ± 13 %)".
func Sure(d rating.Doubt) string {
	number, unit := Rated(d)
	text := number + " " + unit
	switch kind := d.Kind(); {
	case kind == rating.OfModel:
		return text
	case kind == rating.NotKnown || d.Wild():
		return text + " (" + d.String() + ")"
	case kind == rating.Uneven:
		return Range(d) + " at 95 %, most likely " + text
	}
	return Range(d) + " at 95 % (" + text + " " + d.String() + ")"
}

// SoFar returns the estimate of a rating while a run measures, such as "4.73 GB/s ± 2 %; ", empty if there is none.
func SoFar(v rating.Value) string {
	if !v.Known() {
		return ""
	}
	number, unit := Rated(v.Doubt())
	if v.Within == nil {
		return number + " " + unit + "; "
	}
	return number + " " + unit + " " + v.Doubt().String() + "; "
}
