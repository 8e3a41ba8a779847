package versus

import (
	"github.com/effective-bandwidth/beff/report/document"
)

// Difference is that of an area: bandwidths in bytes per second, of all processes or, in a comparison PerProcess, of
// one.
type Difference struct {
	Name          string
	First, Second float64
	Interval      Interval
}

// Ratio of the second to the first.
func (d Difference) Ratio() float64 { return d.Second / d.First }

// LargerThanSpread says whether a ratio differs from 1 by more than the repetitions explain: their interval does not
// hold 1, and lies on the ratio's side of it. Of the best repetitions, which the ratio is of, and of the means one may
// be better and the other worse.
func (d Difference) LargerThanSpread() bool {
	return d.Interval.Known && (d.Interval.Low > 1 && d.Ratio() > 1 || d.Interval.High < 1 && d.Ratio() < 1)
}

// Comparison is a document, and how many times the first result's figure each of the others has; 0 where one of both
// has none.
type Comparison struct {
	Document *document.Document
	Ratios   []float64
}
