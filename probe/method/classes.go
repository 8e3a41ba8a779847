package method

import (
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/rating"
)

// classMeasurement describes how the methods measure a class of kernels. A new class needs a name (Class), a row here,
// a row in classes if it has its own figures, and columns in report/format/imb.
type classMeasurement struct {
	sample func(x *totals) measured.Sample // of a group's processes, from loops
	phases func(k *kernel.Kernel) []phase  // the phases to measure, in this order

	each     bool // the sample has the time of each process
	computes bool // the kernel computes during its communication, so Exploit is calibrated
	series   bool // its rows are always series, with a specific timing
	// laps stores the split times of a run in r; nil if there are none.
	laps func(s *kernel.Setup, r *reading)
}

// timed measures most classes: the time of a repetition on each process.
var timed = classMeasurement{sample: minMaxMean, phases: wholePhase}

// classMeasurements has a row for each class, except for classes with a method of their own, such as pairs.
var classMeasurements = map[kernel.Class]classMeasurement{
	kernel.Single: timed, kernel.Multiple: timed, kernel.Parallel: timed, kernel.Collective: timed, kernel.Sync: timed,
	kernel.Rate: timed, kernel.Traffic: timed, kernel.Averaged: timed, kernel.Stream: timed,
	kernel.CallAndMockUp: timed,
	kernel.Band:          timed, kernel.Congestion: timed,
	kernel.Compared:     {sample: comparedSample, phases: wholePhase, laps: comparedLaps},
	kernel.Persistent:   {sample: comparedSample, phases: wholePhase, laps: comparedLaps},
	kernel.StartingMPI:  {sample: sessionSample, phases: wholePhase},
	kernel.Partition:    {sample: partitionSample, phases: wholePhase, laps: partitionLaps},
	kernel.OverlapParts: {sample: hiddenSample, phases: hiddenPhases},
	kernel.Acked:        {phases: ackPhases, series: true},
	kernel.Overlap:      {sample: overlapSample, phases: overlapPhases, computes: true},
	kernel.Passive:      {sample: passiveSample, phases: passivePhases, computes: true},
	kernel.Partners:     {sample: originSample, phases: wholePhase, each: true},
	kernel.Metadata:     {sample: originSample, phases: wholePhase, each: true},
}

// minMaxMean returns the smallest, the largest and the mean time of the processes whose times count.
func minMaxMean(x *totals) measured.Sample {
	return measured.Sample{Min: rating.Picoseconds(x.least), Max: rating.Picoseconds(x.most.Seconds),
		Mean: rating.Picoseconds(x.sum.Seconds / x.count)}
}

// overlapSample returns the three times of the process whose communication with computing took longest.
func overlapSample(x *totals) measured.Sample {
	return measured.Sample{Pure: rating.Picoseconds(x.slowest.Seconds),
		Overlapped: rating.Picoseconds(x.slowest.Overlapped), Compute: rating.Picoseconds(x.slowest.Compute)}
}

// passiveSample returns the largest of each of the two times of Truly_passive_put.
func passiveSample(x *totals) measured.Sample {
	return measured.Sample{Pure: rating.Picoseconds(x.most.Seconds), Passive: rating.Picoseconds(x.most.Overlapped)}
}

// TimesItself reports whether a kernel's rows are always series, with a specific timing.
func TimesItself(k *kernel.Kernel) bool { return classMeasurements[k.Class].series }

// originSample returns the extremes and the mean of the times that count, and the times themselves.
func originSample(x *totals) measured.Sample {
	s := minMaxMean(x)
	s.Each = lists.Each(x.each, rating.Picoseconds)
	return s
}
