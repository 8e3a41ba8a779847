package report

import (
	"fmt"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// Proven says what of a proven result holds: its number, or the kernels of one without a number.
func (f *File) Proven() string {
	e := f.Entry()
	what := f.Benchmark()
	switch {
	case e.Rating() > 0:
		number, unit := words.Rated(rating.Doubt{Value: e.Rating()})
		what = fmt.Sprintf("%s = %s %s", what, number, unit)
	case e.Kernels != "":
		what = e.Kernels
	}
	return fmt.Sprintf("%s on %s follows from the samples", what, words.Processes(f.report.Head().Processes))
}
