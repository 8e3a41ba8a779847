package method

import (
	"cmp"
	"math"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
)

// phaseRun measures a phase of a row on one process. Process 0 has the series.
type phaseRun struct {
	*Measurer
	t     *Table
	s     *kernel.Setup
	o     *session
	phase phase
	clocking
	rule    *settings.Precision
	weight  float64           // of this process's times in means; 0 if they don't count
	batches []batch           // of this process; none if the times are counted
	sum     float64           // seconds of all repetitions that are kept or counted, on this process
	n       int64             // these repetitions
	series  []measured.Series // of each group that is shown
	parts   []measured.Series // of the phase's part
	spent   float64           // seconds of process 0 in loops
	loops   int64             // including untimed ones
	slow    []rating.SlowCall // of this process on a file; none unless the times are counted
}

// measure runs a phase in batches of repetitions. Process 0 decides the size of each batch from the batches before it.
// All batches are runs of one program, which begins with the warm-up.
func (k *phaseRun) measure(c *offsets, r *reading) error {
	s := k.s
	s.Run.Series, s.Run.Repetitions = &k.SeriesTiming, k.rule.Max*k.Inner
	defer func() { s.Run.Series, s.Run.Overlapped = nil, false }()
	if err := k.open(r); err != nil {
		return err
	}
	if warm := warmUpOf(k.Settings); warm > 0 {
		if _, err := k.run(mpi.Loops{Timed: warm}); err != nil {
			return err
		}
	}
	more, err := k.first()
	for more > 0 && err == nil {
		var got mpi.Measurement
		cold, first := k.discarded(), k.loops
		began := k.Seconds()
		if got, err = k.run(mpi.Loops{Timed: cold + more, Each: true}); err != nil {
			return err
		}
		b := k.read(got).cut(cold, cold+more)
		for _, t := range b.took {
			k.sum, k.n = k.sum+t, k.n+1
		}
		if !k.Settings.CountsTimes() {
			k.batches = append(k.batches, b)
		} else if s.Comm != nil && s.Kernel.Builder.File != nil {
			k.keepSlowest(b, first, began)
		}
		if err = k.collect(b, c); err == nil {
			more, err = k.next()
		}
	}
	if err != nil || s.Comm == nil {
		return err
	}
	return k.end(r)
}

// keepSlowest merges a batch's calls into the slowest calls of this process. first is the index of the batch's first
// repetition, and began the seconds from the run's begin to the batch's.
func (k *phaseRun) keepSlowest(b batch, first int64, began float64) {
	at, kept := began, len(k.slow)
	for i, took := range b.took {
		if len(b.start) > i {
			at = began + b.start[i]
		}
		if kept == mpi.MaxSlowest && took <= k.slow[kept-1].Seconds {
			at += took
			continue
		}
		offset, _ := k.s.Kernel.Builder.File.Range(k.s, first+int64(i))
		position, _ := k.s.Files.Position(offset)
		k.slow = append(k.slow, rating.SlowCall{Seconds: rating.Picoseconds(took), At: rating.Picoseconds(at),
			Rank: int64(k.World.Rank()), Repetition: first + int64(i), Offset: position})
		at += took
	}
	k.slow = rating.Slowest(k.slow)
}

// discarded returns the number of discarded repetitions at the beginning of a batch, which is the warm-up of a row.
// Processes enter a batch after the decision about it, at different times and with other data in their caches, and
// without barriers the first repetition fills a pipeline that later ones find full. Files have a place for each
// repetition, so none is discarded.
func (k *phaseRun) discarded() int64 {
	if k.t.kernel.Component.Files() || k.t.kernel.Builder.File != nil || TimesItself(k.t.kernel) {
		return 0
	}
	return warmUpOf(k.Settings)
}

// open makes the phase's program. Processes outside of the groups have none.
func (k *phaseRun) open(r *reading) (err error) {
	s := k.s
	if k.phase.overlaps && !k.phase.computesOnly {
		if err := k.computeFor(s, r.Seconds); err != nil {
			return err
		}
	}
	s.Run.Overlapped = k.phase.overlaps
	if !k.phase.computesOnly {
		k.o, err = k.Measurer.open(s, true)
	} else {
		k.o = &session{Measurer: k.Measurer, s: s}
		if s.Comm != nil {
			k.o.steps = []*kernel.Step{{Each: s.Compute()}}
		}
		if err = k.o.compile((*kernel.Setup).Program); err == nil {
			err = k.World.Barrier()
		}
	}
	if err != nil {
		return err
	}
	k.o.calm()
	return k.weigh(s.Comm != nil && !k.o.steps[0].Silent)
}

// run runs a number of loops, on processes in groups.
func (k *phaseRun) run(l mpi.Loops) (mpi.Measurement, error) {
	before := k.looped
	got, err := k.o.run(l)
	k.spent += (k.looped - before).Seconds()
	k.loops += l.Timed
	return got, err
}

// read returns this process's times of a run.
func (k *phaseRun) read(got mpi.Measurement) batch {
	b := batch{begin: got.Begin}
	switch {
	case k.s.Comm == nil:
	case k.phase.times != nil:
		b.took = k.phase.times(k.s, got)
	case k.phase.lap != whole && k.phase.lap < len(got.Laps):
		b.took = got.Laps[k.phase.lap].Each
	case k.phase.lap != whole:
		b.took = make([]float64, got.Loops) // it only waits for others
	case !k.Synchronised:
		b.took = got.Each
	default:
		b.readLaps(got)
	}
	if k.phase.part != "" && k.s.Comm != nil {
		b.part = got.Laps[kernel.Computing].Each
	}
	return b
}

// readLaps takes the times from the split times of a synchronised program.
func (b *batch) readLaps(got mpi.Measurement) {
	now := 0.0
	for i := range got.Loops {
		now += got.Laps[kernel.Synchronised].Each[i]
		b.start = append(b.start, now)
		took := 0.0
		for lap := range got.Laps {
			if lap != kernel.Synchronised {
				took += got.Laps[lap].Each[i]
			}
		}
		now += took
		b.took, b.end = append(b.took, took), append(b.end, now)
	}
}

// collect adds the times of a batch on all processes to process 0's series.
func (k *phaseRun) collect(b batch, c *offsets) error {
	if k.hasEnds {
		b = onRoot(c, b)
	}
	mine, err := k.times(k, &b)
	if err != nil {
		return err
	}
	whole, err := k.spreads(mine, b.n)
	if err != nil {
		return err
	}
	if k.BarrierAfter { // only the root's times count
		for i, x := range whole {
			whole[i] = spread{most: x.most}
		}
	}
	var parts []spread
	if k.phase.part != "" {
		if parts, err = k.spreads(k.counted(b.part), b.n); err != nil {
			return err
		}
	}
	if k.First() {
		k.series = k.extended(k.series, k.phase.time, whole)
		k.parts = k.extended(k.parts, k.phase.part, parts)
	}
	return nil
}

// cut returns the repetitions of a batch from first to before end. Processes outside of the groups have none.
func (b batch) cut(first, end int64) batch {
	for _, list := range []*[]float64{&b.took, &b.start, &b.end, &b.part} {
		if len(*list) > 0 {
			*list = (*list)[first:end]
		}
	}
	b.n = end - first
	return b
}

// extended returns the series of groups with the times of another batch, either kept or counted.
func (k *phaseRun) extended(list []measured.Series, time string, batch []spread) []measured.Series {
	for g, more := range batch {
		if g == len(list) {
			list = append(list, measured.Series{Time: time, Group: g})
		}
		x := &list[g]
		if k.Settings.CountsTimes() {
			x.AddTimes(picoseconds(more.most), picoseconds(more.least), picoseconds(more.mean))
			continue
		}
		x.Max, x.Min = append(x.Max, picoseconds(more.most)...), append(x.Min, picoseconds(more.least)...)
		x.Mean = append(x.Mean, picoseconds(more.mean)...)
	}
	return list
}

func picoseconds(seconds []float64) []int64 {
	return lists.Each(seconds, func(t float64) int64 { return int64(math.Round(t * 1e12)) })
}

// first returns the number of repetitions in the first batch. It is smaller than the rule's if these would take longer
// than the row may, judged by the warm-up.
func (k *phaseRun) first() (int64, error) {
	return k.decided(func() int64 { return max(1, k.fitting(k.batchSize(k.rule.First()))) })
}

// next returns the number of repetitions in the next batch, or 0 if there is none.
func (k *phaseRun) next() (int64, error) {
	return k.decided(func() (more int64) {
		for x := range lists.Elements(k.series) {
			var n int64
			n, x.Ended = x.Next(k.rule)
			more = max(more, k.batchSize(n))
		}
		fits := k.fitting(more)
		for i := range k.series {
			if x := &k.series[i]; fits == 0 && x.Ended == "" {
				x.Ended = settings.OutOfTime
			}
		}
		return fits
	})
}

// maxCounted is the largest number of repetitions in a batch whose times are counted. It limits the memory for
// readings of the clock, which take 8 bytes each.
const maxCounted = 1 << 16

// batchSize returns the number of repetitions that a batch can have, up to the given number.
func (k *phaseRun) batchSize(repetitions int64) int64 {
	if k.Settings.CountsTimes() {
		return min(repetitions, maxCounted)
	}
	return repetitions
}

// decided returns process 0's decision on all processes.
func (k *phaseRun) decided(decide func() int64) (int64, error) {
	number := []int64{0}
	if k.First() {
		number[0] = decide()
	}
	err := job.BroadcastNumbers(k.World, number)
	return number[0], err
}

// fitting returns how many repetitions fit into the remaining time for the row, in addition to the discarded ones.
func (k *phaseRun) fitting(repetitions int64) int64 {
	if k.loops == 0 {
		return repetitions
	}
	left := cmp.Or(k.Settings.Repetitions.SampleTime, settings.Default.SampleTime) - k.spent
	fits := math.Floor(left*float64(k.loops)/k.spent) - float64(k.discarded())
	if !(fits < float64(repetitions)) { // also true if no time was spent
		return repetitions
	}
	return int64(max(fits, 0))
}

// end completes the phase, and checks the data that its last repetition has left.
func (k *phaseRun) end(r *reading) error {
	s := k.s
	operations := k.loops * k.Inner
	if !k.phase.overlaps {
		r.Seconds = k.sum / float64(k.n) / float64(k.Inner)
		r.last = operations
		if s.FixedRoot() {
			r.last = 1
		}
	}
	if k.phase.computesOnly {
		k.o.shut()
		return nil
	}
	s.Run.Repetitions = operations
	s.Results.Used += operations
	k.o.steps = k.begin(s).steps // the expected data depend on the repetitions
	return k.o.close(r)
}

// recompute recomputes the series with the offsets of the clocks before and after the row.
func (k *phaseRun) recompute(c *offsets) error {
	for _, list := range [][]measured.Series{k.series, k.parts} {
		for i := range list {
			list[i].Max, list[i].Min, list[i].Mean = nil, nil, nil
		}
	}
	return lists.Try(k.batches, func(b batch) error { return k.collect(b, c) })
}
