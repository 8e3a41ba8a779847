package measured

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/stats"
)

// CongestorGroup is a group of congestors of a split.
type CongestorGroup struct {
	// The pattern, which is one of the settings' congestors.
	Congestor string `json:"congestor"`
	// Ranks of the world. The first rank is the root of incasts and broadcasts.
	Ranks []int `json:"ranks"`
}

// CongestorRange describes groups of congestors that follow each other in the documents of large jobs.
type CongestorRange struct {
	Congestor string `json:"congestor"`
	// Number of processes in a group.
	Processes int `json:"processes" jsonschema:"minimum=1"`
	GroupRange
}

// Load holds the measurements of a split: the times of the victims with and without congestors, by turns, and how much
// the congestors moved meanwhile.
type Load struct {
	// Picoseconds of each repetition on each victim's process, while the congestors wait.
	Isolated *stats.Histogram `json:"alone,omitempty"`
	// Picoseconds of each repetition on each victim's process, while the congestors run.
	Congested *stats.Histogram `json:"beside,omitempty"`
	// Mean of each block without congestors in picoseconds, in their order.
	IsolatedMeans []int64 `json:"alone_means,omitempty"`
	// Mean of each block with congestors in picoseconds. Each follows a block without them.
	CongestedMeans []int64 `json:"beside_means,omitempty"`
	// Mean on the slowest process in each block without congestors, in picoseconds.
	IsolatedWorst []int64 `json:"alone_worst,omitempty"`
	// Mean on the slowest process in each block with congestors, in picoseconds.
	CongestedWorst []int64 `json:"beside_worst,omitempty"`
	// Data that each kind of congestors moved while the victims' clock ran, or without victims.
	Moved []Moved `json:"moved,omitempty"`
}

// Moved is how much one kind of congestors moved.
type Moved struct {
	Congestor string `json:"congestor"`
	// Number of processes that send or fetch data. A root isn't counted, because it only receives.
	Processes int `json:"processes" jsonschema:"minimum=1"`
	// Mean bandwidth of one of these processes in bytes per second.
	Bandwidth float64 `json:"bandwidth" jsonschema:"minimum=0"`
	// Part of the time that bursts took (0 to 1). Absent for congestors that don't pause.
	Duty float64 `json:"duty,omitempty" jsonschema:"minimum=0"`
}

// Impact describes how much congestors slow a victim down, over all splits.
type Impact struct {
	Kernel     string           `json:"kernel"`
	Component  kernel.Component `json:"component"`
	Bytes      int64            `json:"bytes" jsonschema:"minimum=0"`
	Congestors string           `json:"beside"`
	Splits     int              `json:"splits" jsonschema:"minimum=1"`
	// Factor of the mean time of a repetition.
	Mean Factor `json:"mean"`
	// Factor of the time that 99 % of the repetitions don't exceed.
	P99 Factor `json:"p99"`
	// Factor of the time that 99.9 % of the repetitions don't exceed.
	P999 Factor `json:"p99.9"`
}

// Factor is the ratio of a victim's time with congestors to its time without them.
type Factor struct {
	// Seconds without congestors: the geometric mean of the splits. Absent if there are too few repetitions.
	Isolated float64 `json:"alone,omitempty" jsonschema:"minimum=0"`
	// Seconds with congestors: the geometric mean of the splits.
	Congested float64 `json:"beside,omitempty" jsonschema:"minimum=0"`
	// How many times as long it takes with congestors as without: 2 if twice as long.
	Factor float64 `json:"factor,omitempty" jsonschema:"minimum=0"`
	// Ends of the factor's confidence interval (times as long), by Student's t of the logarithms of the splits'
	// factors, or of the blocks' factors if there is a single split. Absent with fewer than three factors.
	Interval []float64 `json:"interval,omitempty"`
	// Repetitions that a split needs for this figure. Absent if there are enough.
	Needed int64 `json:"needed,omitempty"`
}

// Words describes in words how congestors change the victim's mean time.
func (x *Impact) Words() string {
	name := map[string]string{"Multiple_allreduce": "Allreduce", "Multiple_alltoall": "Alltoall"}[x.Kernel]
	text := fmt.Sprintf("%s of %s takes %s times as long", cmp.Or(name, x.Kernel), rating.Bytes(x.Bytes),
		x.Mean.digits(x.Mean.Factor))
	if in := x.Mean.Interval; in != nil {
		text += fmt.Sprintf(" (%s to %s)", x.Mean.digits(in[0]), x.Mean.digits(in[1]))
	}
	return text + " with " + x.Congestors
}

// digits formats a factor with three decimals if its interval is narrower than 0.1, otherwise with two below 10.
func (f *Factor) digits(x float64) string {
	if len(f.Interval) == 2 && f.Interval[1]-f.Interval[0] < 0.1 {
		return fmt.Sprintf("%.3f", x)
	}
	if x < 10 {
		return fmt.Sprintf("%.2f", x)
	}
	return fmt.Sprintf("%.0f", x)
}

// Hit reports whether a factor is significantly above 1.
func (f *Factor) Hit() bool { return len(f.Interval) == 2 && f.Interval[0] > 1 }

// With merges the times of two passes of a split. The receiver may be nil.
func (l *Load) With(next *Load) *Load {
	if l == nil {
		return next
	}
	sum := &Load{Isolated: new(stats.Histogram), Congested: new(stats.Histogram)}
	for _, x := range []*Load{l, next} {
		sum.Isolated.Merge(x.Isolated)
		sum.Congested.Merge(x.Congested)
		n := min(len(x.IsolatedMeans), len(x.CongestedMeans)) // pairs of blocks
		sum.IsolatedMeans = append(sum.IsolatedMeans, x.IsolatedMeans[:n]...)
		sum.CongestedMeans = append(sum.CongestedMeans, x.CongestedMeans[:n]...)
	}
	return sum
}

// FactorsOf returns the factors of a victim's splits for the mean, P99, and P99.9. unit converts picoseconds to the
// seconds of a figure. The uncertainty of a factor comes mostly from differences between splits, such as which
// processes share a link, and all blocks of a split have these in common. So the splits are the samples, rather than
// the blocks or repetitions.
func FactorsOf(splits []*Load, confidence, unit float64) (mean, p99, p999 Factor) {
	of := func(p float64) Factor {
		var isolated, congested []float64
		for _, l := range splits {
			needed := stats.Needed(p, confidence)
			if min(l.Isolated.N(), l.Congested.N()) < needed {
				return Factor{Needed: needed}
			}
			isolated, congested = append(isolated, l.Isolated.Quantile(p)), append(congested, l.Congested.Quantile(p))
		}
		return factorOf(isolated, congested, confidence, unit)
	}
	var isolated, congested []float64
	for _, l := range splits {
		isolated, congested = append(isolated, l.Isolated.Mean()), append(congested, l.Congested.Mean())
	}
	if len(splits) == 1 {
		n := min(len(splits[0].IsolatedMeans), len(splits[0].CongestedMeans))
		isolated, congested = Numbers(splits[0].IsolatedMeans[:n]), Numbers(splits[0].CongestedMeans[:n])
	}
	return factorOf(isolated, congested, confidence, unit), of(0.99), of(0.999)
}

// factorOf returns the factor of pairs of times in picoseconds.
func factorOf(isolated, congested []float64, confidence, unit float64) (f Factor) {
	if len(isolated) == 0 {
		return f
	}
	ratios := make([]float64, len(isolated))
	sum := 0.0
	for i := range isolated {
		if !(isolated[i] > 0 && congested[i] > 0) {
			return Factor{}
		}
		ratios[i] = math.Log(congested[i] / isolated[i])
		sum += math.Log(isolated[i])
	}
	log, in := stats.Mean(ratios, confidence)
	f.Isolated, f.Factor = math.Exp(sum/float64(len(isolated)))*unit, math.Exp(log)
	f.Congested = f.Isolated * f.Factor
	if in.Known {
		f.Interval = []float64{math.Exp(in.Low), math.Exp(in.High)}
	}
	return f
}

// times returns the figures of a row. They describe the victims without congestors, or with them if nothing else was
// measured. Without victims they describe how much data a congestor moves.
func (l *Load) times(k *kernel.Kernel, b *Block, r *Row) (t kernel.Times) {
	h := l.Isolated
	h = cmp.Or(h, l.Congested)
	if h == nil {
		for _, m := range l.Moved {
			t.Bandwidth += m.Bandwidth / float64(len(l.Moved))
		}
		return t
	}
	unit := 1e-12 / float64(b.Divisor(k))
	mean := kernel.Times{Mean: h.Mean() * unit, Max: h.Mean() * unit}
	complete(k, b, r, &mean)
	mean.Min, mean.Max = float64(h.Min)*unit, float64(h.Max)*unit
	return mean
}

// check returns an error unless a row of the block can have this load.
func (l *Load) check(b *Block, processes int) error {
	groups := len(b.CongestorGroups)
	kinds := lists.Unique(lists.Each(b.CongestorGroups, func(c CongestorGroup) string { return c.Congestor }))
	moved := lists.Each(l.Moved, func(m Moved) string { return m.Congestor })
	switch {
	case (l.Congested != nil) != (groups > 0 && len(b.Groups) > 0), (l.Isolated != nil) != (len(b.Groups) > 0):
		return fmt.Errorf("a load of %d groups of victims and %d groups of congestors lacks times, or has too many",
			len(b.Groups), groups)
	case !slices.Equal(kinds, moved):
		return fmt.Errorf("congestors %v, but %v moved data", kinds, moved)
	case len(l.IsolatedMeans) > settings.MaxSplits:
		return fmt.Errorf("%d blocks without congestors: want up to %d", len(l.IsolatedMeans), settings.MaxSplits)
	case len(l.IsolatedWorst) != len(l.IsolatedMeans) || len(l.CongestedWorst) != len(l.CongestedMeans),
		len(l.CongestedMeans) > len(l.IsolatedMeans), (l.Isolated != nil) != (len(l.IsolatedMeans) > 0),
		(l.Congested != nil) != (len(l.CongestedMeans) > 0):
		return fmt.Errorf("%d blocks without congestors and %d with them", len(l.IsolatedMeans), len(l.CongestedMeans))
	}
	for _, h := range []*stats.Histogram{l.Isolated, l.Congested} {
		if h == nil {
			continue
		}
		if err := h.Check(); err != nil {
			return err
		}
	}
	for _, mean := range slices.Concat(l.IsolatedMeans, l.CongestedMeans, l.IsolatedWorst, l.CongestedWorst) {
		if mean < 0 {
			return fmt.Errorf("a block's mean is %d ps", mean)
		}
	}
	for _, m := range l.Moved {
		if m.Processes < 1 || m.Processes > processes || !(m.Bandwidth >= 0 && m.Bandwidth < 1e18) ||
			!(m.Duty >= 0 && m.Duty <= 1) {
			return fmt.Errorf("%d processes of %s moved %g bytes per second for %g of the time", m.Processes,
				m.Congestor, m.Bandwidth, m.Duty)
		}
	}
	return nil
}
