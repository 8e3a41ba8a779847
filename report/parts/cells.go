package parts

import (
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// Number returns a cell; a dash stands for what was not measured.
func Number(x float64, decimals int) document.Cell {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return document.Text("-")
	}
	return document.Number(x, fmt.Sprintf("%.*f", decimals, x))
}

// Bandwidth returns a cell in MB/s; small ones get decimals, so that one byte per message is not rounded away.
func Bandwidth(bytesPerSecond float64) document.Cell {
	x, decimals := bytesPerSecond/words.Mega, 1
	if x < 10 {
		decimals = 3
	}
	return Number(x, decimals)
}

// Microseconds returns a cell in µs.
func Microseconds(seconds float64) document.Cell { return Number(seconds/words.Micro, 3) }

// Columns returns columns by name and unit: the first one of texts, the others of numbers.
func Columns(first string, more ...[2]string) []document.Column {
	list := []document.Column{{Name: first}}
	for _, c := range more {
		list = append(list, document.Column{Name: c[0], Unit: c[1], Numbers: true})
	}
	return list
}

// Strong returns a cell in bold.
func Strong(c document.Cell) document.Cell {
	c.Strong = true
	return c
}
