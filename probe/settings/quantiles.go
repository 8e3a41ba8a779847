package settings

import (
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/stats"
)

// beyond is the number of repetitions that lie beyond the outermost quantile, unless the user says how many there are:
// its interval is then about a factor of two wide in what it leaves, and exists, which takes 3.7.
const beyond = 10

// InSeries reports whether the time of each repetition is read.
func (s *Settings) InSeries() bool {
	return s.Series.Precision != nil || s.CountsTimes() || s.Series.Skew != ""
}

// CountsTimes reports whether the times of repetitions are counted in histograms, and not kept one by one.
func (s *Settings) CountsTimes() bool { return len(s.Series.Quantiles) > 0 }

// outermost returns how far from 0 or 1 the outermost quantile is.
func (s *Settings) outermost() float64 {
	least := 1.0
	for _, q := range s.Series.Quantiles {
		least = min(least, q/100, 1-q/100)
	}
	return least
}

// countedRule returns the precision of rows whose repetitions are counted, unless the user gives one. Their figure is
// the median, because the mean is that of the tail.
func (s *Settings) countedRule() Precision {
	p := Default.Precision
	p.Least = int64(math.Ceil(beyond/s.outermost() - 1e-6))
	p.Most, p.Statistic = p.Least, ByMedian
	return p
}

// checkQuantiles returns an error if no run can have the quantiles.
func (s *Settings) checkQuantiles() error {
	if err := rating.CheckQuantiles(s.Series.Quantiles); err != nil {
		return err
	}
	for _, q := range s.Series.Quantiles {
		if n := stats.Needed(q/100, s.Rule().Confidence); n > MostCount/beyond {
			return fmt.Errorf("a quantile of %v %% needs %d repetitions: a series counts at most %d", q, n, MostCount)
		}
	}
	return nil
}
