package method

import (
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/probe/clocks"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/stats"
)

// clocking holds the properties of a timing.
type clocking struct {
	kernel.Pace
	dated   bool // it is known when each repetition began and ended
	combine func(group []batch) spread
}

// clockings has a row for each timing.
var clockings = map[settings.Timing]clocking{
	settings.ByLoop:   {combine: slowest},
	settings.ByMax:    {Pace: kernel.Pace{Synchronised: true}, combine: slowest},
	settings.ByRoot:   {Pace: kernel.Pace{Synchronised: true, Behind: true}, combine: untilRoot},
	settings.ByGlobal: {Pace: kernel.Pace{Synchronised: true}, dated: true, combine: throughout},
}

// batch holds the clock readings of one process in the repetitions of one batch.
type batch struct {
	n       int64     // repetitions
	counts  bool      // the process' time counts, because it doesn't only wait for others
	begin   float64   // the first reading, seconds
	barrier float64   // seconds of a barrier, of ByRoot
	took    []float64 // seconds of each repetition
	start   []float64 // when each one began, seconds since begin, if it is dated
	end     []float64 // and ended
	part    []float64 // seconds of a part of each one, if the phase has such a part
}

// spread holds the times of repetitions: the largest and the smallest of the processes, and their mean. Of one process'
// times there are the largest alone.
type spread struct{ most, least, mean []float64 }

// slowest returns the times of the slowest and the quickest process, and the mean of all (MPIBlib manual, 7.2.3.1).
func slowest(group []batch) spread {
	return extremesOf(group, func(b *batch, i int) float64 { return b.took[i] })
}

// extremesOf returns the largest, the smallest and the mean of the values of the processes that count.
func extremesOf(group []batch, value func(b *batch, i int) float64) (x spread) {
	for i := range group[kernel.Root].took {
		most, least, sum, count := math.Inf(-1), math.Inf(1), 0.0, 0.0
		for k := range group {
			if b := &group[k]; b.counts {
				v := value(b, i)
				most, least, sum, count = max(most, v), min(least, v), sum+v, count+1
			}
		}
		x.most, x.least, x.mean = append(x.most, most), append(x.least, least), append(x.mean, sum/count)
	}
	return x
}

// untilRoot returns the root's times less the time of a barrier, which may leave less than nothing (manual, 7.2.3.3).
func untilRoot(group []batch) (x spread) {
	for _, t := range group[kernel.Root].took {
		x.most = append(x.most, t-group[kernel.Root].barrier)
	}
	return x
}

// throughout returns the times from the root's start to the others' ends (manual, 7.2.3.5). All readings are on the
// root's clock.
func throughout(group []batch) spread {
	first := &group[kernel.Root]
	return extremesOf(group, func(b *batch, i int) float64 {
		return (b.begin - first.begin) + (b.end[i] - first.start[i])
	})
}

// together returns the times of several groups as those of one, in a list of one.
func together(groups []spread) []spread {
	if len(groups) < 2 {
		return groups
	}
	all := spread{most: slices.Clone(groups[0].most), least: slices.Clone(groups[0].least),
		mean: make([]float64, len(groups[0].mean))}
	for _, g := range groups {
		for i := range g.most {
			all.most[i] = max(all.most[i], g.most[i])
		}
		for i := range g.least {
			all.least[i] = min(all.least[i], g.least[i])
			all.mean[i] += g.mean[i] / float64(len(groups))
		}
	}
	return []spread{all}
}

// timeBarriers measures the time of a barrier on the root of each group, for the timing root.
func (m *Measurer) timeBarriers(t *Table) error {
	if m.Settings.Clocked() != settings.ByRoot || !t.way.Series || len(t.block.Barriers) > 0 {
		return nil // earlier parts of the run have it
	}
	if err := m.timeBarrier(t); err != nil {
		return err
	}
	all, err := job.Gathered(m.World, []float64{t.barrier})
	for i := 0; all != nil && i < len(t.groups); i++ {
		t.block.Barriers = append(t.block.Barriers, rating.Picoseconds(all[t.groups[i][kernel.Root]][0]))
	}
	return err
}

// timeBarrier measures the time of a barrier on this process: that of as many in a row as a series has repetitions at
// most, over their number (manual, 7.2.3.2). Of medians it is the median of the barriers, each by itself, so that a
// disturbance of some moves neither.
func (m *Measurer) timeBarrier(t *Table) error {
	if t.comm == nil {
		return nil
	}
	barrier, lap := mpi.Call{Op: mpi.Barrier}, mpi.Call{Op: mpi.Lap, Root: 1}
	p := &mpi.Program{Comm: t.comm, Start: t.comm, Before: []mpi.Call{barrier, barrier, {Op: mpi.Lap}},
		Loop: []mpi.Call{barrier}, After: []mpi.Call{lap}}
	rule := m.Settings.Rule()
	single := rule.Statistic == settings.ByMedian
	if single {
		p.Loop, p.After = []mpi.Call{barrier, lap}, nil
	}
	got, err := m.calmly(p, mpi.Loops{Timed: rule.Most, Each: single})
	if err != nil {
		return err
	}
	t.barrier = got.Laps[1].Seconds / float64(rule.Most)
	if single {
		t.barrier = stats.Middle(got.Laps[1].Each)
	}
	return nil
}

// onRoot returns a batch with its times on the root's clock.
func onRoot(c *clocks.Clock, b batch) batch {
	on := b
	on.begin -= c.Ahead(b.begin)
	on.start, on.end = c.Even(b.start), c.Even(b.end)
	return on
}
