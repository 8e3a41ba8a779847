package tools

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/report/foreign"
)

// Units in base units: seconds, bytes, bytes per second.
const (
	micro = 1e-6
	milli = 1e-3
	mega  = 1e6
	giga  = 1e9
	mebi  = 1 << 20
	gibi  = 1 << 30
)

// mostNumber is more than any clock or counter returns.
const mostNumber = 1e18

// number parses a number that a program printed: decimal, not negative, and finite.
func number(field string) (float64, error) {
	x, err := strconv.ParseFloat(field, 64)
	if err != nil || !(x >= 0 && x <= mostNumber) || strings.ContainsAny(field, "xXpP_") {
		return 0, fmt.Errorf("%.40q is not a number", field)
	}
	return x, nil
}

// exponents are the exponents of decimal units.
var exponents = map[float64]string{micro: "e-6", milli: "e-3", mega: "e6", giga: "e9"}

// figure converts a printed number to base units. For decimal units it keeps the digits: 0.2 µs become 2e-07 s, whereas
// a product would have further digits.
func figure(field string, unit float64) (float64, error) {
	x, err := number(field)
	if e := exponents[unit]; err == nil && e != "" && !strings.ContainsAny(field, "eE") {
		return number(field + e)
	}
	return x * unit, err
}

// digits is a number as it was printed, with half a unit of its last digit, which is its uncertainty.
type digits struct{ x, half float64 }

// digitsOf returns a printed number, and whether field is a number.
func digitsOf(field string) (digits, bool) {
	x, err := number(field)
	_, decimals, _ := strings.Cut(field, ".")
	if strings.ContainsAny(field, "eE") {
		return digits{x, x * 1e-5}, err == nil
	}
	return digits{x, math.Pow10(-len(decimals)) / 2}, err == nil
}

// meets reports whether two printed numbers may be the same number. It allows for the rounding of decimal fractions,
// too.
func (d digits) meets(other digits) bool {
	return math.Abs(d.x-other.x) <= (d.half+other.half)*1.001+d.x*1e-12
}

// ordered records a doubt unless three figures are in order. The doubt's text begins with what.
func (t *run) ordered(what string, least, mean, most float64) {
	if least > mean || mean > most {
		t.doubt("%sMin %g, Mean %g and Max %g are not in this order", what, least, mean, most)
	}
}

// whole parses a whole number.
func whole(field string) (int64, error) {
	n, err := strconv.ParseInt(field, 10, 64)
	if err != nil || n < 0 || n > 1<<60 {
		return 0, fmt.Errorf("%.40q is not a whole number", field)
	}
	return n, nil
}

// column returns a column.
func column(name string, q foreign.Quantity, printed string) foreign.Column {
	return foreign.Column{Name: name, Quantity: q, Printed: printed}
}

// mainColumn returns a column that represents its quantity.
func mainColumn(name string, q foreign.Quantity, printed string) foreign.Column {
	c := column(name, q, printed)
	c.Main = true
	return c
}

// started stores the start of a run, using the first layout that fits. A time without a zone is the site's local time.
func started(r *foreign.Result, text string, layouts ...string) {
	text = strings.Join(strings.Fields(text), " ")
	for _, l := range layouts {
		if d, err := time.Parse(l, text); err == nil && d.Year() > 1990 && d.Year() < 2200 {
			r.Started, r.LocalTime = d, !strings.Contains(l, "07")
			return
		}
	}
}

// zonedDate is the layout of dates in beff's own texts, with single blanks.
const zonedDate = iorDate + " -0700"
