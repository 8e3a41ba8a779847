package probe

import (
	"math"

	"github.com/effective-bandwidth/beff/rating"
)

// Class sets the figures of a kernel and their meaning (guide, "Classification of MPI-1 Benchmarks" and its
// counterparts).
type Class string

// The classes, with the figures of their rows. Single: a time and a bandwidth. Parallel: minimum, maximum and average
// time, and a bandwidth by the maximum. Collective: the three times alone. Sync: the same without lengths. Overlap: the
// times of Overlapped. Passive: the two times of Truly_passive_put.
const (
	Single     Class = "single transfer"
	Multiple   Class = "multiple transfer" // RMA: one process with all others; figures as Single
	Parallel   Class = "parallel transfer"
	Collective Class = "collective"
	Sync       Class = "synchronisation"
	Overlap    Class = "overlap"
	Passive    Class = "passive"
	Rate       Class = "message rate" // of windows of messages: a bandwidth, and messages per second
	Partners   Class = "partners"     // the three times, and bandwidths over all origins
	Pairs      Class = "pairs"        // the three times over all pairs
	Acked      Class = "acknowledged" // one time, of the root
	Traffic    Class = "traffic"      // of all processes: their mean time, a bandwidth, and messages per second
)

// class holds the functions that measure the rows of a class of kernels and derive their figures. A further class needs
// a name (Class), a row of the table, and its columns in report/format/imb.
type class struct {
	// fill measures a whole row; nil: repetitions of one program, by measure and sample.
	fill    func(m *measurer, t *table, s *scene, row *Row) error
	measure func(m *measurer, s *scene, n int64) (reading, error)
	sample  func(list []reading) Sample // of a group's processes
	// partners returns the number of processes with each of which one moves Kernel.Moved lengths; nil: one.
	partners func(b *Block) float64
	derive   func(t *Times)                               // adds figures of the class; nil: none
	computes bool                                         // beside its communication: Exploit is calibrated
	each     func(k *Kernel, r *Row, x *Sample, t *Times) // adds figures of single processes' times; nil: none
	phases   func(k *Kernel) []phase                      // of a series
	series   bool                                         // rows are series with any settings, by a timing of their own
	times    []Time                                       // that reports show; nil: that of the slowest process
}

// Time is one of a row's times.
type Time struct {
	Name string
	Of   func(*Times) float64 // seconds
}

// Times returns the times that reports show of a kernel, the most important one first.
func (k *Kernel) Times() []Time {
	if times := classes[k.Class].times; times != nil {
		return times
	}
	return []Time{{"t", func(t *Times) float64 { return t.Max }}}
}

// pure is the time of communication alone.
func pure(t *Times) float64 { return t.Pure }

// classes has a row for each class.
var classes = map[Class]class{
	Single:     {measure: measurePlain, sample: extremes, phases: wholePhase},
	Multiple:   {measure: measurePlain, sample: extremes, phases: wholePhase, partners: others},
	Parallel:   {measure: measurePlain, sample: extremes, phases: wholePhase},
	Collective: {measure: measurePlain, sample: extremes, phases: wholePhase},
	Acked:      {phases: ackPhases, series: true},
	Sync:       {measure: measurePlain, sample: extremes, phases: wholePhase},
	Overlap: {measure: measureOverlap, sample: slowestBeside, derive: overlap, computes: true, phases: overlapPhases,
		times: []Time{{"t_ovrl", func(t *Times) float64 { return t.Overlapped }}, {"t_pure", pure}}},
	Passive: {measure: measurePassive, sample: originTimes, computes: true, phases: passivePhases,
		times: []Time{{"t_pure", pure}, {"t_ovrl", func(t *Times) float64 { return t.Passive }}}},
	Rate:     {measure: measurePlain, sample: extremes, phases: wholePhase, partners: inWindows},
	Partners: {measure: measureOrigins, sample: origins, each: overOrigins, phases: wholePhase},
	Pairs:    {fill: (*measurer).pairs},
	Traffic: {measure: measurePlain, sample: extremes, phases: wholePhase, partners: everyone,
		times: []Time{{"t", func(t *Times) float64 { return t.Mean }}}},
}

// others returns the number of a group's processes but one.
func others(b *Block) float64 { return float64(b.Processes - 1) }

// everyone returns the number of a group's processes.
func everyone(b *Block) float64 { return float64(b.Processes) }

// extremes returns the smallest, the largest and the mean time of the processes whose times count.
func extremes(list []reading) Sample {
	x := Sample{Min: math.Inf(1)}
	sum, count := 0.0, 0
	for _, r := range list {
		if r.seconds < 0 {
			continue
		}
		x.Min, x.Max = min(x.Min, r.seconds), max(x.Max, r.seconds)
		sum += r.seconds
		count++
	}
	x.Min, x.Max, x.Mean = rating.Picoseconds(x.Min), rating.Picoseconds(x.Max), rating.Picoseconds(sum/float64(count))
	return x
}

// slowestBeside returns the three times of the process that took longest with computing beside its communication.
func slowestBeside(list []reading) Sample {
	slowest := list[0]
	for _, r := range list {
		if r.overlapped > slowest.overlapped {
			slowest = r
		}
	}
	return Sample{Pure: rating.Picoseconds(slowest.seconds), Overlapped: rating.Picoseconds(slowest.overlapped),
		Compute: rating.Picoseconds(slowest.compute)}
}

// originTimes returns the largest of each of the two times of Truly_passive_put.
func originTimes(list []reading) (x Sample) {
	for _, r := range list {
		x.Pure, x.Passive = max(x.Pure, rating.Picoseconds(r.seconds)), max(x.Passive, rating.Picoseconds(r.overlapped))
	}
	return x
}

// overlap sets the part of the shorter of two times that was hidden (guide, "Measuring Communication and Computation
// Overlap").
func overlap(t *Times) {
	if shorter := min(t.Pure, t.Compute); shorter > 0 {
		t.Overlap = max(0, min(1, (t.Pure+t.Compute-t.Overlapped)/shorter))
	}
}
