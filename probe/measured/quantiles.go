package measured

import (
	"fmt"

	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/stats"
)

// check returns an error unless the histograms can belong to a series.
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
		if n, most := h.N(), int64(settings.MaxCount); n != c.Max.N() || n > most {
			return fmt.Errorf("histograms of %d and %d repetitions, want up to %d", c.Max.N(), n, most)
		}
	}
	return nil
}

// counted returns the figures of a histogram of picoseconds, as statistics does for a list. The ends of an interval are
// rounded to buckets.
func counted(p *settings.Precision, quantiles []float64, h *stats.Histogram, unit float64) Statistics {
	n := h.N()
	mean, in := stats.MeanOf(n, h.Mean(), h.Deviation(), p.Confidence)
	outliers, rest := h.Outliers()
	x := Statistics{
		Mean: mean * unit, MeanInterval: ends(in, unit), Median: h.Quantile(0.5) * unit,
		MedianInterval: ends(rating.RankedInterval(h, 0.5, p.Confidence), unit),
		Min:            float64(h.Min) * unit, Max: float64(h.Max) * unit,
		P90: h.Quantile(0.9) * unit, P99: h.Quantile(0.99) * unit, Outliers: int(outliers),
	}
	if n > 1 {
		x.Deviation = h.Deviation() * unit
	}
	if outliers > 0 {
		x.OutlierShift = (mean - rest) * unit
	}
	x.Quantiles = rating.Quantiles(h, quantiles, p.Confidence, unit)
	return x
}

// StatisticsOf returns the figures of a histogram of picoseconds. unit converts picoseconds to the seconds of a figure.
func StatisticsOf(s *settings.Settings, h *stats.Histogram, unit float64) Statistics {
	p := s.Rule()
	return counted(&p, s.Series.Quantiles, h, unit)
}

// countedFigure returns the statistic that p chooses, mean or median, of a histogram of times.
func countedFigure(p *settings.Precision, h *stats.Histogram, unit float64) float64 {
	x := counted(p, nil, h, unit)
	value, _ := x.Of(p.Statistic)
	return value
}
