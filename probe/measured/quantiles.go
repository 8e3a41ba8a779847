package measured

import (
	"fmt"

	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/stats"
)

// Quantile is the time that a part of the repetitions doesn't exceed.
type Quantile struct {
	// That part of the repetitions, in percent.
	Percent float64 `json:"percent"`
	// Seconds; left out of too few repetitions.
	Value float64 `json:"value,omitempty"`
	// Seconds: the ends of its interval, which are those of two repetitions by their ranks (stats.QuantileRanks).
	Interval []float64 `json:"interval,omitempty"`
	// Repetitions that the interval needs; left out if there are as many.
	Needed int64 `json:"needed,omitempty"`
}

// check returns an error unless histograms from outside are those of a series.
func (c *Counted) check() error {
	if c.Max == nil || (c.Min == nil) != (c.Mean == nil) {
		return fmt.Errorf("a histogram is missing")
	}
	for _, h := range []*stats.Histogram{c.Max, c.Min, c.Mean} {
		if h == nil {
			continue
		}
		if err := h.Check(); err != nil {
			return err
		}
		if n, most := h.N(), int64(settings.MostCount); n != c.Max.N() || n > most {
			return fmt.Errorf("histograms of %d and %d repetitions, want up to %d", c.Max.N(), n, most)
		}
	}
	return nil
}

// Known reports whether there are enough repetitions for the quantile and its interval.
func (q *Quantile) Known() bool { return q.Needed == 0 }

// counted returns the figures of counted picoseconds, as statistics does of lists. An end of an interval is that of its
// bucket.
func counted(p *settings.Precision, quantiles []float64, h *stats.Histogram, unit float64) Statistics {
	n := h.N()
	mean, in := stats.MeanOf(n, h.Mean(), h.Deviation(), p.Confidence)
	outliers, rest := h.Outliers()
	x := Statistics{
		Mean: mean * unit, MeanInterval: ends(in, unit), Median: h.Quantile(0.5) * unit,
		MedianInterval: ends(ranked(h, 0.5, p.Confidence), unit),
		Min:            float64(h.Min) * unit, Max: float64(h.Max) * unit,
		P90: h.Quantile(0.9) * unit, P99: h.Quantile(0.99) * unit, Outliers: int(outliers),
	}
	if n > 1 {
		x.Deviation = h.Deviation() * unit
	}
	if outliers > 0 {
		x.OutlierShift = (mean - rest) * unit
	}
	for _, percent := range quantiles {
		q := Quantile{Percent: percent}
		if in := ranked(h, percent/100, p.Confidence); in.Known {
			q.Value, q.Interval = h.Quantile(percent/100)*unit, ends(in, unit)
		} else {
			q.Needed = stats.Needed(percent/100, p.Confidence)
		}
		x.Quantiles = append(x.Quantiles, q)
	}
	return x
}

// StatisticsOf returns the figures of counted picoseconds with settings; unit is seconds of a figure in one of them.
func StatisticsOf(s *settings.Settings, h *stats.Histogram, unit float64) Statistics {
	p := s.Rule()
	return counted(&p, s.Quantiles, h, unit)
}

// ranked returns the interval of a quantile of a histogram.
func ranked(h *stats.Histogram, p, confidence float64) stats.Interval {
	first, last, ok := stats.QuantileRanks(h.N(), p, confidence)
	if !ok {
		return stats.Interval{}
	}
	low, _ := h.Rank(first)
	_, high := h.Rank(last)
	return stats.Interval{Low: float64(low), High: float64(high), Known: true}
}

// countedFigure returns the row's statistic of counted times.
func countedFigure(p *settings.Precision, h *stats.Histogram, unit float64) float64 {
	x := counted(p, nil, h, unit)
	value, _ := x.Of(p.Statistic)
	return value
}
