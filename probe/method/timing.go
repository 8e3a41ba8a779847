package method

import (
	"errors"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/stats"
)

// clocking holds the properties of a timing.
type clocking struct {
	kernel.SeriesTiming
	hasEnds bool // the begin and the end of each repetition are known
	// times returns this process's times of the repetitions of a batch, or nil if they don't count.
	times func(k *phaseRun, b *batch) ([]float64, error)
}

// clockings has a row for each timing.
var clockings = map[settings.Timing]clocking{
	settings.ByLoop:   {times: ownTimes},
	settings.ByMax:    {SeriesTiming: kernel.SeriesTiming{Synchronised: true}, times: ownTimes},
	settings.ByRoot:   {SeriesTiming: kernel.SeriesTiming{Synchronised: true, BarrierAfter: true}, times: rootTimes},
	settings.ByGlobal: {SeriesTiming: kernel.SeriesTiming{Synchronised: true}, hasEnds: true, times: globalTimes},
}

// batch holds one process's clock readings in the repetitions of a batch. It is empty outside of the groups.
type batch struct {
	n     int64     // repetitions
	begin float64   // first reading, seconds
	took  []float64 // seconds of each repetition
	start []float64 // begin of each repetition in seconds since begin, if hasEnds
	end   []float64 // end of each repetition in seconds since begin, if hasEnds
	part  []float64 // seconds of a part of each repetition, if the phase has one
}

// ownTimes returns the process's own times. The slowest process's time counts, and the mean of all (MPIBlib manual,
// 7.2.3.1).
func ownTimes(k *phaseRun, b *batch) ([]float64, error) { return k.counted(b.took), nil }

// rootTimes returns the root's times minus the time of a barrier, which may be negative (manual, 7.2.3.3).
func rootTimes(k *phaseRun, b *batch) (list []float64, err error) {
	if k.s.Comm == nil || k.s.Rank() != kernel.Root {
		return nil, nil
	}
	return lists.Each(b.took, func(t float64) float64 { return t - k.t.barrier }), nil
}

// globalTimes returns the times from the root's begin to this process's end (manual, 7.2.3.5). All readings are on the
// root's clock.
func globalTimes(k *phaseRun, b *batch) ([]float64, error) {
	if k.s.Comm == nil {
		return nil, nil
	}
	root := append([]float64{b.begin}, b.start...)
	if err := job.BroadcastNumbers(k.s.Comm, root); err != nil {
		return nil, err
	}
	took := make([]float64, b.n)
	for i := range took {
		took[i] = (b.begin - root[0]) + (b.end[i] - root[1+i])
	}
	return k.counted(took), nil
}

// spread holds the largest, the smallest and the mean time over the processes of each repetition. For times of the root
// it only has the largest.
type spread struct{ most, least, mean []float64 }

// maxReduced is the largest number of values of all groups in one reduction, so that its memory doesn't grow with
// their number.
const maxReduced = 1 << 18

// spreads returns the times of n repetitions in each group that is shown, from the times of each process, which are nil
// if they don't count. Groups that are shown as one have the mean of their means.
func (k *phaseRun) spreads(mine []float64, n int64) ([]spread, error) {
	shown, at := 1, 0
	if k.Settings.ShowsGroups() {
		shown, at = len(k.t.groups), k.t.group
	}
	list := make([]spread, shown)
	for each := max(1, maxReduced/int64(shown)); n > 0; n -= each {
		each = min(each, n)
		most, sum := slices.Repeat([]float64{math.Inf(-1)}, 2*shown*int(each)), make([]float64, shown*int(each))
		for i := range min(each, int64(len(mine))) {
			place := int64(at)*each + i
			most[2*place], most[2*place+1], sum[place] = mine[i], -mine[i], mine[i]*k.weight
		}
		mine = mine[min(each, int64(len(mine))):]
		if err := errors.Join(k.World.Allreduce(most, mpi.Max), k.World.Allreduce(sum, mpi.Sum)); err != nil {
			return nil, err
		}
		for i := range sum {
			x, largest, smallest := &list[i/int(each)], most[2*i], -most[2*i+1]
			x.most, x.least = append(x.most, largest), append(x.least, smallest)
			x.mean = append(x.mean, min(max(sum[i], smallest), largest)) // sums are rounded
		}
	}
	return list, nil
}

// counted returns times, or nil if this process only waits for others.
func (k *phaseRun) counted(times []float64) []float64 {
	if k.weight == 0 {
		return nil
	}
	return times
}

// weigh determines the weight of this process's times in means, which is 0 if it only waits for others.
func (k *phaseRun) weigh(counts bool) error {
	if k.weight = 0; k.s.Comm == nil {
		return nil
	}
	all := []float64{0}
	if counts {
		all[0] = 1
	}
	if err := k.s.Comm.Allreduce(all, mpi.Sum); err != nil || !counts {
		return err
	}
	if k.weight = 1 / all[0]; !k.Settings.ShowsGroups() {
		k.weight /= float64(len(k.t.groups))
	}
	return nil
}

// timeBarriers measures the time of a barrier on the root of each group, for the timing root.
func (m *Measurer) timeBarriers(t *Table) error {
	if m.Settings.Clocked() != settings.ByRoot || !t.way.Series || len(t.block.Barriers) > 0 {
		return nil // earlier parts of the run have measured it
	}
	if err := m.timeBarrier(t); err != nil {
		return err
	}
	list := make([]float64, len(t.groups))
	if t.comm != nil && t.comm.Rank() == kernel.Root {
		list[t.group] = t.barrier
	}
	err := m.World.Allreduce(list, mpi.Max)
	if m.First() {
		t.block.Barriers = lists.Each(list, rating.Picoseconds)
	}
	return err
}

// timeBarrier measures the time of a barrier on this process: the time of a series' largest number of successive
// barriers, divided by their number (manual, 7.2.3.2). If the statistic is the median, each barrier is timed and the
// median counts, so that disturbances affect neither the times nor the barrier.
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
	got, err := m.executeQuietly(p, mpi.Loops{Timed: rule.Max, Each: single})
	if err != nil {
		return err
	}
	t.barrier = got.Laps[1].Seconds / float64(rule.Max)
	if single {
		t.barrier = stats.Middle(got.Laps[1].Each)
	}
	return nil
}

// onRoot returns a batch with its times on the root's clock.
func onRoot(c *offsets, b batch) batch {
	on := b
	on.begin -= c.Ahead(b.begin)
	on.start, on.end = c.Even(b.start), c.Even(b.end)
	return on
}
