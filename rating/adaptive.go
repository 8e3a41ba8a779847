package rating

import (
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/stats"
)

// An adaptive run repeats the same measurements in passes or rounds until the interval between them is as narrow as the
// user asked for, or its time is up.

// MinPasses is the smallest number of passes that have an interval between them.
const MinPasses = 3

// CheckWithin returns an error unless within can be the relative half width of a figure's interval.
func CheckWithin(within float64, figure string) error {
	if !(within > 0 && within < 1) {
		return fmt.Errorf("an adaptive run needs an interval of %s between 0 and 100 %%, not %g %%", figure, 100*within)
	}
	return nil
}

// Narrow reports whether the interval after some passes is as narrow as the user asked for. It is true if there is no
// figure, because an interval will not come.
func Narrow(within float64, passes int, estimate Value) bool {
	in := estimate.Within
	return !(estimate.Value > 0) || passes >= MinPasses && in != nil && in.RelativeHalfWidth(estimate.Value) <= within
}

// PassesFor returns the number of passes after which an adaptive run should end, by the estimate after three or more
// passes: Student's interval between passes shrinks with the quantile and the root of their number.
func PassesFor(within float64, passes, maxPasses int, estimate Value) int {
	width := func(n int) float64 {
		return stats.Student((1+Confidence)/2, float64(n-1)) / math.Sqrt(float64(n))
	}
	n, wanted := passes, width(passes)*within/estimate.Within.RelativeHalfWidth(estimate.Value)
	for n < maxPasses && width(n) > wanted {
		n++
	}
	return n
}

// WithinSign returns the sign of an adaptive run whose interval isn't as narrow as the user asked for, or none if the
// interval isn't known.
func WithinSign(within float64, estimate Value, advice string) []Sign {
	if within == 0 || estimate.Within == nil {
		return nil
	}
	return []Sign{PartSign("within", "allow more time (--at-most), or a wider interval; "+advice,
		estimate.Within.RelativeHalfWidth(estimate.Value), within, "the interval reached is ± %s")}
}
