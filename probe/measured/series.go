package measured

import (
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/stats"
)

// Series holds the times of repetitions in whole picoseconds, because no clock is finer: one by one, or in histograms.
// Statistics are the figures that follow from the times.
type Series struct {
	// Name of the time, for kernels that have several: t_ovrl, t_pure, t_cpu, t_passive.
	Time string `json:"time,omitempty" jsonschema:"enum=t_ovrl,enum=t_pure,enum=t_cpu,enum=t_passive"`
	// Number of the group, if each group is shown.
	Group int `json:"group,omitempty" jsonschema:"minimum=0"`
	// Reason why there are no more repetitions.
	Ended settings.Ending `json:"ended" jsonschema:"enum=precision,enum=most,enum=time"`
	// Times in picoseconds, measured as the setting timing defines. With timing root they may be negative.
	Max []int64 `json:"max_ps,omitempty"`
	// Picoseconds of the quickest process, and the mean of all processes. Absent if the time belongs to one process.
	Min  []int64 `json:"min_ps,omitempty"`
	Mean []int64 `json:"mean_ps,omitempty"`
	// Histograms of the same times, if the settings have quantiles. Absent if the times are kept one by one.
	Counted *Counted `json:"counted,omitempty"`
}

// Counted holds the times of repetitions in histograms of picoseconds.
type Counted struct {
	// The times by the timing method.
	Max *stats.Histogram `json:"max"`
	// The times of the quickest process. Absent if the time belongs to one process.
	Min *stats.Histogram `json:"min,omitempty"`
	// The means of all processes. Absent if the time belongs to one process.
	Mean *stats.Histogram `json:"mean,omitempty"`
}

// AddTimes adds times of repetitions in picoseconds to the histograms.
func (x *Series) AddTimes(largest, smallest, mean []int64) {
	if x.Counted == nil {
		x.Counted = &Counted{Max: new(stats.Histogram)}
	}
	add := func(h **stats.Histogram, times []int64) {
		if *h == nil && len(times) > 0 {
			*h = new(stats.Histogram)
		}
		for _, t := range times {
			(*h).Add(t, 1)
		}
	}
	add(&x.Counted.Max, largest)
	add(&x.Counted.Min, smallest)
	add(&x.Counted.Mean, mean)
}

// N returns the number of repetitions.
func (x *Series) N() int64 {
	if x.Counted != nil {
		return x.Counted.Max.N()
	}
	return int64(len(x.Max))
}

// Next returns the number of repetitions in the next batch by the rule p, or the reason why no batch follows.
func (x *Series) Next(p *settings.Precision) (more int64, ended settings.Ending) {
	if x.Counted == nil {
		return p.Next(Numbers(x.Max))
	}
	s := counted(p, nil, x.Counted.Max, 1)
	half, known := s.HalfWidth(p.Statistic)
	value, _ := s.Of(p.Statistic)
	return p.After(x.N(), half/value, known && value > 0)
}
