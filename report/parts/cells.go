package parts

import (
	"fmt"
	"math"
	"strings"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// Number returns a cell with a number, or a dash for a value that was not measured.
func Number(x float64, decimals int) document.Cell {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return document.Text("-")
	}
	return document.Number(x, fmt.Sprintf("%.*f", decimals, x))
}

// Share returns a cell with a part in percent, or a dash for NaN. Unlike Number it shows 0 as 0.0.
func Share(part float64) document.Cell {
	if math.IsNaN(part) {
		return document.Text("-")
	}
	return document.Number(100*part, fmt.Sprintf("%.1f", 100*part))
}

// Bandwidth returns a cell in MB/s. Small values get three decimals, so that one byte per message is not rounded away.
func Bandwidth(bytesPerSecond float64) document.Cell {
	x, decimals := bytesPerSecond/words.Mega, 1
	if x < 10 {
		decimals = 3
	}
	return Number(x, decimals)
}

// BandwidthWithin returns a cell in MB/s with as many digits as an interval justifies, if part isn't NaN, and like
// Bandwidth otherwise.
func BandwidthWithin(bytesPerSecond, part float64) document.Cell {
	if math.IsNaN(part) {
		return Bandwidth(bytesPerSecond)
	}
	return Rounded(bytesPerSecond/words.Mega, part)
}

// FourDigits returns a cell with four significant digits, or with all digits of a larger integer part, or a dash for a
// value that was not measured.
func FourDigits(x float64) document.Cell {
	const small = 0.001
	if x > 0 && x < small { // not 0.000
		return document.Number(x, fmt.Sprintf("%.2g", x))
	}
	decimals := 3
	for limit := 10.0; x >= limit && decimals > 0; limit *= 10 {
		decimals--
	}
	return Number(x, decimals)
}

// Rounded returns a cell with as many digits as the number's interval justifies. part is half of the interval relative
// to x; NaN means that it isn't known.
func Rounded(x, part float64) document.Cell {
	if !(x > 0) || math.IsInf(x, 0) {
		return document.Text("-")
	}
	c := document.Number(x, "")
	c.Digits = rating.SignificantDigits(x, part)
	c.Text = words.Digits(x, c.Digits)
	return c
}

// HalfWidth returns a cell with half of an interval in percent, or a dash if it isn't known. part is relative to the
// figure.
func HalfWidth(part float64) document.Cell {
	if math.IsNaN(part) || math.IsInf(part, 0) {
		return document.Text("-")
	}
	return document.Number(100*part, strings.Replace(rating.Percent(part), "more than ", "> ", 1))
}

// FigureCell returns a cell with a figure in the shown unit, like Borne if it has an interval or is rated, else like
// Four.
func FigureCell(f rating.Figure, x, part float64) document.Cell {
	if f.Rated || !math.IsNaN(part) {
		return Rounded(x, part)
	}
	return FourDigits(x)
}

// Microseconds returns a cell with a time in µs.
func Microseconds(seconds float64) document.Cell { return Number(seconds/words.Micro, 3) }

// Strong returns c in bold.
func Strong(c document.Cell) document.Cell {
	c.Strong = true
	return c
}
