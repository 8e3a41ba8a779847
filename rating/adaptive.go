package rating

import (
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/stats"
)

// An adaptive run measures the same in passes or rounds, until the interval between them is as narrow as it was asked
// for, or until its time has come.

// LeastPasses is the number of passes from which on there is an interval between them.
const LeastPasses = 3

// CheckWithin returns an error unless an adaptive run can reach a part of a figure.
func CheckWithin(within float64, figure string) error {
	if !(within > 0 && within < 1) {
		return fmt.Errorf("an adaptive run needs a part of %s between 0 and 100 %%, not %g %%", figure, 100*within)
	}
	return nil
}

// Narrow reports whether some passes have as narrow an interval as an adaptive run was asked for. Without a figure
// there will be none.
func Narrow(within float64, passes int, estimate Value) bool {
	in := estimate.Within
	return !(estimate.Value > 0) || passes >= LeastPasses && in != nil && in.Part(estimate.Value) <= within
}

// PassesFor returns the number of passes after which an adaptive run is expected to end, by the estimate of three or
// more: Student's interval between them becomes narrow by the quantile and the root of their number.
func PassesFor(within float64, passes, most int, estimate Value) int {
	width := func(n int) float64 {
		return stats.Student((1+Confidence)/2, float64(n-1)) / math.Sqrt(float64(n))
	}
	n, wanted := passes, width(passes)*within/estimate.Within.Part(estimate.Value)
	for n < most && width(n) > wanted {
		n++
	}
	return n
}

// WithinSign returns the sign of an adaptive run whose interval isn't as narrow as it was asked for; none where it
// isn't known.
func WithinSign(within float64, estimate Value, advice string) []Sign {
	if within == 0 || estimate.Within == nil {
		return nil
	}
	return []Sign{PartSign("within", "give more time (--at-most), or ask for less; "+advice,
		estimate.Within.Part(estimate.Value), within, "the interval that was reached is ± %s")}
}
