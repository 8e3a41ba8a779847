package report

import (
	"cmp"
	"fmt"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// Proven describes what was proven: the rating, or all figures of a result without a rating.
func (f *File) Proven() string {
	e, head := f.Entry(), f.report.Header()
	what := words.Either(head.Complete, "every figure of ", "every figure measured so far of ") +
		cmp.Or(e.Kernels, f.Benchmark())
	if e.Rating() > 0 {
		number, unit := words.ValueAndUnit(rating.Estimate{Value: e.Rating()})
		what = fmt.Sprintf("%s = %s %s", f.Benchmark(), number, unit)
	}
	return fmt.Sprintf("%s on %s follows from the samples", what, head.OnProcesses())
}
