package settings

import (
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/stats"
)

// repetitionsBeyond is the default number of repetitions beyond the outermost quantile. With 3.7 or more the quantile's
// interval is known; with 10, half to twice as many repetitions are beyond its ends.
const repetitionsBeyond = 10

// InSeries reports whether the time of each repetition is read.
func (s *Settings) InSeries() bool {
	return s.Series.Precision != nil || s.CountsTimes() || s.Series.Skew != ""
}

// CountsTimes reports whether the times of repetitions are counted in histograms instead of kept one by one.
func (s *Settings) CountsTimes() bool { return len(s.Series.Quantiles) > 0 }

// outermost returns the distance of the outermost quantile from 0 or 1.
func (s *Settings) outermost() float64 {
	least := 1.0
	for _, q := range s.Series.Quantiles {
		least = min(least, q/100, 1-q/100)
	}
	return least
}

// quantileRule returns the default precision of rows whose repetitions are counted. Their figure is the median, because
// the tail dominates the mean.
func (s *Settings) quantileRule() Precision {
	p := Default.Precision
	p.Min = int64(math.Ceil(repetitionsBeyond/s.outermost() - 1e-6))
	p.Max, p.Statistic = p.Min, ByMedian
	return p
}

// checkQuantiles returns an error if no run can have the quantiles.
func (s *Settings) checkQuantiles() error {
	if err := rating.CheckQuantiles(s.Series.Quantiles); err != nil {
		return err
	}
	for _, q := range s.Series.Quantiles {
		if n := stats.Needed(q/100, s.Rule().Confidence); n > MaxCount/repetitionsBeyond {
			return fmt.Errorf("a quantile of %v %% needs %d repetitions: a series counts at most %d", q, n, MaxCount)
		}
	}
	return nil
}
