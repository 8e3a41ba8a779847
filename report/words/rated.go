package words

import (
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/rating"
)

// units of bandwidths, each 1000 times the one before.
var units = []string{"B/s", "kB/s", "MB/s", "GB/s", "TB/s", "PB/s"}

// scaled returns the unit that suits a bandwidth in bytes per second, and its size.
func scaled(x float64) (unit string, size float64) {
	i := 0
	for size = 1; x >= 1000 && i < len(units)-1; i++ {
		x, size = x/1000, size*1000
	}
	return units[i], size
}

// Rated returns a bandwidth in bytes per second by its number and its unit, with the digits that it bears.
func Rated(d rating.Doubt) (number, unit string) {
	unit, size := scaled(d.Value)
	if !(d.Value > 0) {
		return Figure(d.Value, 0), unit
	}
	return Digits(d.Value/size, d.Digits()), unit
}

// Range returns the ends of a bandwidth's interval with its unit, such as "4.1 to 5.3 GB/s"; empty if none is known.
func Range(d rating.Doubt) string {
	if math.IsNaN(d.Part()) {
		return ""
	}
	unit, size := scaled(d.Value)
	decimals := max(0, d.Digits()-1-int(math.Floor(math.Log10(d.Value/size))))
	return fmt.Sprintf("%.*f to %.*f %s", decimals, d.Within.Low/size, decimals, d.Within.High/size, unit)
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
