package rating

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// Tolerance is the allowed relative difference of a figure computed by two processors, because some fuse a
// multiplication and an addition into one rounding.
const Tolerance = 1e-9

// Follows returns an error if the figures of a document differ from those derived from its samples. The error gives the
// path of the first difference in the document, which begins with name.
//
// have and want are of the same type: a struct with JSON names, a list, a number or a text.
func Follows(name string, have, want any) error {
	return follows(name, reflect.ValueOf(have), reflect.ValueOf(want))
}

func follows(name string, have, want reflect.Value) error {
	switch have.Kind() {
	case reflect.Pointer:
		switch {
		case have.IsNil() && want.IsNil():
			return nil
		case have.IsNil():
			return fmt.Errorf("%s is missing, the samples give one", name)
		case want.IsNil():
			return fmt.Errorf("%s is there, the samples give none", name)
		}
		return follows(name, have.Elem(), want.Elem())
	case reflect.Struct:
		for i := range have.NumField() {
			field, _, _ := strings.Cut(have.Type().Field(i).Tag.Get("json"), ",")
			if err := follows(name+"."+field, have.Field(i), want.Field(i)); err != nil {
				return err
			}
		}
		return nil
	case reflect.Slice:
		if have.Len() != want.Len() {
			return fmt.Errorf("%s has %d figures, the samples give %d", name, have.Len(), want.Len())
		}
		for i := range have.Len() {
			h, w := have.Index(i), want.Index(i)
			if h.Kind() == reflect.Float64 && Near(h.Float(), w.Float()) {
				continue // before a name is built, because lists have hundreds of figures
			}
			if err := follows(fmt.Sprintf("%s[%d]", name, i), h, w); err != nil {
				return err
			}
		}
		return nil
	case reflect.Float64:
		if Near(have.Float(), want.Float()) {
			return nil
		}
	default:
		if have.Equal(want) {
			return nil
		}
	}
	return fmt.Errorf("%s is %v, the samples give %v", name, have, want)
}

// Near reports whether a figure is within Tolerance of the wanted one.
func Near(have, want float64) bool { return math.Abs(have-want) <= Tolerance*math.Abs(want) }

// IsTime reports whether a number of seconds can come from a clock: finite and not negative.
func IsTime(seconds float64) bool { return seconds >= 0 && !math.IsInf(seconds, 1) }

// Picoseconds rounds seconds to 1e-12 s. No clock is finer. Further digits come from subtractions, and make a document
// a fifth longer and slower to read. A time that would become 0 is returned as it is.
func Picoseconds(seconds float64) float64 {
	if rounded := math.Round(seconds*1e12) / 1e12; rounded > 0 {
		return rounded
	}
	return seconds
}

// Mebibytes returns an amount of memory in units of 2^20 bytes, as text.
func Mebibytes(bytes int64) string { return Rounded(float64(bytes)/(1<<20), 4) + " MiB" }

// Gibibytes returns an amount of memory in units of 2^30 bytes, as text.
func Gibibytes(bytes int64) string { return Rounded(float64(bytes)/(1<<30), 4) + " GiB" }

// Bytes returns an amount of bytes in the largest power of 1024 in which it is at least 1, with at most 4 digits.
func Bytes(bytes int64) string {
	v, units := float64(bytes), []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB"}
	i := 0
	for ; v >= 1024 && i < len(units)-1; i++ {
		v /= 1024
	}
	return Rounded(v, 4) + " " + units[i]
}

// Rounded returns a number rounded to the given number of significant digits, without an exponent and without zeros
// at the end; "not known" for NaN and infinities.
func Rounded(x float64, digits int) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "not known"
	}
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', digits-1, 64), 64)
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

// Time returns a time in seconds as text, with at most three digits, in the largest of ns, µs, ms and s in which it is
// at least 1 after rounding.
func Time(seconds float64) string {
	units, i := []string{"ns", "µs", "ms", "s"}, 0
	x := seconds * 1e9
	for ; i < len(units)-1 && x >= 999.5; i++ {
		x /= 1e3
	}
	return Rounded(x, 3) + " " + units[i]
}
