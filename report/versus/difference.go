package versus

import (
	"math"

	"github.com/effective-bandwidth/beff/report/document"
)

// Difference holds the bandwidths of two results in one area of a benchmark, in bytes per second: of all processes, or
// of one process in a comparison PerProcess.
type Difference struct {
	Name          string
	First, Second float64
	Interval      Interval
}

// Measured reports whether both results have a bandwidth.
func (d Difference) Measured() bool {
	return d.First > 0 && d.Second > 0 && !math.IsInf(d.First, 0) && !math.IsInf(d.Second, 0)
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

// Made returns a document's comparison of other results with the first one, each with its ratio.
func Made[Other any](d *document.Document, others []Other, ratio func(Other) float64) *Comparison {
	c := &Comparison{Document: d}
	for _, o := range others {
		c.Ratios = append(c.Ratios, ratio(o))
	}
	return c
}
