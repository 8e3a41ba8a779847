package versus

import (
	"github.com/effective-bandwidth/beff/report/document"
)

// Difference holds the bandwidths of two results in one area of a benchmark, in bytes per second: of all processes, or
// of one process in a comparison PerProcess.
type Difference struct {
	Name          string
	First, Second float64
	Interval      Interval
}

// Ratio returns the second bandwidth divided by the first.
func (d Difference) Ratio() float64 { return d.Second / d.First }

// LargerThanSpread reports whether the ratio differs from 1 by more than the spread of the repetitions explains: their
// interval does not contain 1 and lies on the same side of 1 as the ratio. The sides may differ, because the ratio is
// that of the best repetitions and the interval that of the means.
func (d Difference) LargerThanSpread() bool {
	return d.Interval.Known && (d.Interval.Low > 1 && d.Ratio() > 1 || d.Interval.High < 1 && d.Ratio() < 1)
}

// Comparison is a document, with the ratio of each other result's figure to that of the first; 0 if either has none.
type Comparison struct {
	Document *document.Document
	Ratios   []float64
}
