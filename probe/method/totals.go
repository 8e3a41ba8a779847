package method

import (
	"errors"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
)

// totals are the times of a group's processes, as far as samples need them.
type totals struct {
	least       float64 // of Seconds that count, which aren't negative
	most        times   // the largest of each time, or 0
	sum         times   // over the processes whose Seconds count
	count       float64 // of these processes
	first, last times   // of the first and of the last process
	slowest     times   // of the process with the largest Overlapped
	each        []float64
}

// list returns all times.
func (t *times) list() []float64 {
	return append([]float64{t.Seconds, t.Overlapped, t.Compute}, t.Parts[:]...)
}

func timesIn(list []float64) times {
	return times{list[0], list[1], list[2], [5]float64(list[3:])}
}

// totalsOf returns the totals of the times of all processes.
func totalsOf(all []times) *totals {
	x := &totals{least: math.Inf(1), first: all[0], last: all[len(all)-1], slowest: all[0]}
	most, sum := x.most.list(), x.sum.list()
	for _, t := range all {
		for i, seconds := range t.list() {
			if most[i] = max(most[i], seconds); t.Seconds >= 0 {
				sum[i] += seconds
			}
		}
		if t.Seconds >= 0 {
			x.least, x.count, x.each = min(x.least, t.Seconds), x.count+1, append(x.each, t.Seconds)
		}
		if t.Overlapped > x.slowest.Overlapped {
			x.slowest = t
		}
	}
	x.most, x.sum = timesIn(most), timesIn(sum)
	return x
}

// reduced returns the totals of all groups' times, without the list each. All processes of the world call it.
func (m *Measurer) reduced(t *Table, mine times) (*totals, error) {
	all := &totals{least: math.Inf(1)}
	if t.group >= 0 {
		all = totalsOf([]times{mine})
	}
	me, last := m.World.Rank(), t.groups[len(t.groups)-1]
	overlapped, none := math.Inf(-1), slices.Repeat([]float64{math.Inf(-1)}, len(mine.list()))
	if t.group >= 0 {
		overlapped = mine.Overlapped
	}
	most := append(all.most.list(), -all.least, overlapped)
	for _, is := range []bool{me == t.groups[0][0], me == last[len(last)-1]} {
		if is {
			most = append(most, mine.list()...)
		} else {
			most = append(most, none...)
		}
	}
	sum := append(all.sum.list(), all.count)
	if err := errors.Join(m.World.Allreduce(most, mpi.Max), m.World.Allreduce(sum, mpi.Sum)); err != nil {
		return nil, err
	}
	n := len(none)
	all = &totals{least: -most[n], most: timesIn(most), sum: timesIn(sum), count: sum[n], first: timesIn(most[n+2:]),
		last: timesIn(most[2*n+2:])}
	// If several processes have the same time, the first one counts.
	slowest := []float64{math.Inf(1)}
	if overlapped == most[n+1] {
		slowest[0] = float64(me)
	}
	if err := m.World.Allreduce(slowest, mpi.Min); err != nil {
		return nil, err
	}
	if slowest[0] == float64(me) {
		none = mine.list()
	}
	err := m.World.Allreduce(none, mpi.Max)
	all.slowest = timesIn(none)
	return all, err
}

// mean returns the means of the times that count.
func (x *totals) mean() times {
	list := x.sum.list()
	for i := range list {
		list[i] /= x.count
	}
	return timesIn(list)
}
