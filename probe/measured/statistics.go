package measured

import (
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/stats"
)

// Main returns the statistics of a row's main time in a group, or nil if the row has no series.
func (r *Row) Main(group int) *Statistics {
	for i := range r.Series {
		if r.Series[i].Group == group && i < len(r.Statistics) {
			return &r.Statistics[i]
		}
	}
	return nil
}

// Statistics are the figures of a series, in seconds of one repetition, or of the part of it that the kernel reports,
// such as half of a ping-pong.
type Statistics struct {
	// Mean in seconds.
	Mean float64 `json:"mean"`
	// Ends of the confidence interval of the mean in seconds (Student's t). Absent with fewer than 3 repetitions.
	MeanInterval []float64 `json:"mean_interval,omitempty"`
	// Standard deviation in seconds, with n-1.
	Deviation float64 `json:"deviation,omitempty"`
	// Median in seconds.
	Median float64 `json:"median"`
	// Ends of the confidence interval of the median in seconds (order statistics). Absent if there are too few
	// repetitions.
	MedianInterval []float64 `json:"median_interval,omitempty"`
	// Seconds of the quickest repetition.
	Min float64 `json:"min"`
	// Seconds of the slowest repetition.
	Max float64 `json:"max"`
	// Seconds that 90 % of the repetitions don't exceed.
	P90 float64 `json:"p90"`
	// Seconds that 99 % of the repetitions don't exceed.
	P99 float64 `json:"p99"`
	// The quantiles of the settings.
	Quantiles []rating.Quantile `json:"quantiles,omitempty"`
	// Number of repetitions beyond 1.5 interquartile ranges from the quartiles.
	Outliers int `json:"outliers,omitempty"`
	// Seconds by which the outliers move the mean.
	OutlierShift float64 `json:"outlier_shift,omitempty"`
}

// statistics returns the figures of times in picoseconds. unit converts picoseconds to the seconds of a figure.
func statistics(p *settings.Precision, times []float64, unit float64) Statistics {
	sorted := stats.Sorted(times)
	n := len(sorted)
	mean, in := stats.Mean(times, p.Confidence)
	median, order := stats.Median(sorted, p.Confidence)
	outliers, rest := stats.Outliers(sorted)
	x := Statistics{
		Mean: mean * unit, MeanInterval: ends(in, unit), Median: median * unit, MedianInterval: ends(order, unit),
		Min: sorted[0] * unit, Max: sorted[n-1] * unit,
		P90: stats.Quantile(sorted, 0.9) * unit, P99: stats.Quantile(sorted, 0.99) * unit, Outliers: outliers,
	}
	if n > 1 {
		x.Deviation = stats.Deviation(times) * unit
	}
	if outliers > 0 {
		x.OutlierShift = (mean - rest) * unit
	}
	return x
}

// ends returns the ends of an interval, or nil if it isn't known.
func ends(in stats.Interval, unit float64) []float64 {
	if !in.Known {
		return nil
	}
	return []float64{in.Low * unit, in.High * unit}
}

// Of returns the statistic that represents the row, and its interval, which is nil if it isn't known.
func (x *Statistics) Of(s settings.Statistic) (value float64, interval []float64) {
	if s == settings.ByMedian {
		return x.Median, x.MedianInterval
	}
	return x.Mean, x.MeanInterval
}

// HalfWidth returns half of the interval of the row's statistic; for a median, the larger side. ok is false if the
// interval isn't known.
func (x *Statistics) HalfWidth(s settings.Statistic) (half float64, ok bool) {
	value, in := x.Of(s)
	if in == nil {
		return 0, false
	}
	return max(value-in[0], in[1]-value), true
}

// UnitOf returns the factor that converts picoseconds of a kernel's series to seconds of its figures. It depends on the
// number of operations between two readings of the clock, and on Kernel.Divisor.
func UnitOf(s *settings.Settings, k *kernel.Kernel) float64 {
	return 1e-12 / float64(s.Rule().Inner*int64(max(k.Divisor, 1)))
}

// Numbers converts picoseconds to floating-point numbers.
func Numbers(picoseconds []int64) []float64 {
	return lists.Each(picoseconds, func(t int64) float64 { return float64(t) })
}

// deriveSeries sets the figures of a row that has series.
func (r *Row) deriveSeries(s *settings.Settings, k *kernel.Kernel, b *Block) {
	p, unit := s.Rule(), UnitOf(s, k)
	for i := range r.Series {
		x := &r.Series[i]
		if x.Counted != nil {
			r.Statistics = append(r.Statistics, StatisticsOf(s, x.Counted.Max, unit))
		} else {
			r.Statistics = append(r.Statistics, statistics(&p, Numbers(x.Max), unit))
		}
		for len(r.Derived) <= x.Group {
			r.Derived = append(r.Derived, kernel.Times{})
		}
		t := &r.Derived[x.Group]
		value, _ := r.Statistics[i].Of(p.Statistic)
		switch x.Time {
		case "t_ovrl":
			t.Overlapped = value
		case "t_pure":
			t.Pure = value
		case "t_cpu":
			t.Compute = value
		case "t_passive":
			t.Passive = value
		default:
			t.Max, t.Min, t.Mean = value, value, value
			switch c := x.Counted; {
			case len(x.Min) > 0:
				t.Min, t.Mean = figure(&p, x.Min, unit), figure(&p, x.Mean, unit)
			case c != nil && c.Min != nil:
				t.Min, t.Mean = countedFigure(&p, c.Min, unit), countedFigure(&p, c.Mean, unit)
			}
		}
	}
	for i := range r.Derived {
		complete(k, b, r, &r.Derived[i])
	}
}

// figure returns the statistic that p chooses, mean or median, of a list of times.
func figure(p *settings.Precision, times []int64, unit float64) float64 {
	x := statistics(p, Numbers(times), unit)
	value, _ := x.Of(p.Statistic)
	return value
}
