package method

import (
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
)

// spreadOf returns the times of groups of processes by a timing, as process 0 has them. prepare makes the batch of each
// process, and returns whether it counts.
func spreadOf(t *testing.T, timing settings.Timing, groups [][]int, apart bool,
	prepare func(k *phaseRun, rank int) (b batch, counts bool)) (got []spread) {
	t.Helper()
	require.NoError(t, local.Run(len(slices.Concat(groups...)), func(e mpi.Engine) error {
		m := &Measurer{Process: rating.NewProcess(e, rating.Observer[measured.Outcome]{}),
			Settings: &settings.Settings{}}
		if outflag := 1; apart {
			m.Settings.Who.Multi = &outflag
		}
		table := &Table{kernel: &kernel.Kernel{Builder: &kernel.Builder{}}, groups: groups}
		if err := m.joinGroup(table); err != nil {
			return err
		}
		k := &phaseRun{Measurer: m, t: table, s: &kernel.Setup{Comm: table.comm}, clocking: clockings[timing]}
		b, counts := prepare(k, e.World().Rank())
		if err := k.weigh(counts); err != nil {
			return err
		}
		mine, err := k.times(k, &b)
		if err != nil {
			return err
		}
		list, err := k.spreads(mine, int64(max(len(b.took), len(b.end))))
		if e.World().Rank() == 0 {
			got = list
		}
		return errors.Join(err, table.comm.Free())
	}))
	return got
}

// Known answers of the timings (MPIBlib manual, 7.2.3).
func TestTimings(t *testing.T) {
	group := [][]int{{0, 1, 2}}
	waits := -1
	took := func(_ *phaseRun, rank int) (batch, bool) {
		return batch{n: 1, took: []float64{[]float64{3, 5, 4}[rank]}}, rank != waits
	}
	for _, timing := range []settings.Timing{settings.ByLoop, settings.ByMax} {
		require.Equal(t, []spread{{[]float64{5}, []float64{3}, []float64{4}}}, spreadOf(t, timing, group, false, took))
	}
	waits = 1
	require.Equal(t, []spread{{[]float64{4}, []float64{3}, []float64{3.5}}},
		spreadOf(t, settings.ByMax, group, false, took))

	for barrier, want := range map[float64]float64{2: 7, 11: -2} { // negative times are kept
		got := spreadOf(t, settings.ByRoot, group, false, func(k *phaseRun, rank int) (batch, bool) {
			k.t.barrier = barrier
			return batch{n: 1, took: []float64{[]float64{9, 100, 100}[rank]}}, true
		})
		require.Equal(t, []float64{want}, got[0].most)
	}

	got := spreadOf(t, settings.ByGlobal, group, false, func(_ *phaseRun, rank int) (batch, bool) {
		end, ahead := []float64{104, 1106, 95}[rank], []float64{0, 1000, -11}[rank]
		c := offsets{Before: offset{Seconds: ahead}, After: offset{At: 2000, Seconds: ahead}}
		return onRoot(&c, batch{n: 1, start: []float64{100 + ahead}, end: []float64{end}}), true
	})
	require.Equal(t, []float64{6}, got[0].most)
}

// TestSpreads checks that groups shown as one have the longest and the shortest time and the mean of the means, and
// that otherwise each has its own.
func TestSpreads(t *testing.T) {
	groups := [][]int{{0, 3}, {2, 1}}
	took := func(_ *phaseRun, rank int) (batch, bool) {
		return batch{n: 2, took: [][]float64{{5, 1}, {2, 3}, {4, 9}, {3, 1}}[rank]}, true
	}
	require.Equal(t, []spread{{[]float64{5, 9}, []float64{2, 1}, []float64{3.5, 3.5}}},
		spreadOf(t, settings.ByLoop, groups, false, took))
	require.Equal(t, []spread{{[]float64{5, 1}, []float64{3, 1}, []float64{4, 1}},
		{[]float64{4, 9}, []float64{2, 3}, []float64{3, 6}}}, spreadOf(t, settings.ByLoop, groups, true, took))
}

// Many repetitions are combined in parts, and stay in their order.
func TestSpreadsInParts(t *testing.T) {
	const n = maxReduced/2 + 3 // two parts of two groups
	got := spreadOf(t, settings.ByLoop, [][]int{{0}, {1}}, true, func(_ *phaseRun, rank int) (batch, bool) {
		b := batch{n: n}
		for i := range n {
			b.took = append(b.took, float64(i+rank))
		}
		return b, true
	})
	require.Len(t, got, 2)
	for rank, x := range got {
		require.Len(t, x.most, n)
		require.Equal(t, x.most, x.least)
		require.Equal(t, x.most, x.mean)
		require.Equal(t, []float64{float64(rank), float64(n - 1 + rank)}, []float64{x.most[0], x.most[n-1]})
		require.True(t, slices.IsSorted(x.most))
	}
}

// A batch that is converted to the root's clock has the root's times, even if the offset drifts.
func TestDrift(t *testing.T) {
	const ahead, drift = 5.0, 1.0 / 1024
	own := func(at float64) float64 { return at + ahead + drift*at } // a process's clock at a time of the root's
	at := func(x float64) offset { return offset{At: own(x), Seconds: own(x) - x} }
	c := offsets{Before: at(0), After: at(1000)}
	b := batch{begin: own(100), start: []float64{own(101) - own(100)}, end: []float64{own(103) - own(100)}}
	on := onRoot(&c, b)
	require.InDelta(t, 100, on.begin, 1e-9)
	require.InDelta(t, 101, on.begin+on.start[0], 1e-9)
	require.InDelta(t, 103, on.begin+on.end[0], 1e-9)
	require.InDelta(t, drift/(1+drift), c.Drift(), 1e-9)
}

// readLaps adds up all laps of a repetition except for its barriers.
func TestReadLaps(t *testing.T) {
	got := mpi.Measurement{Begin: 7, Loops: 2, Laps: make([]mpi.LapTime, kernel.Finished+1)}
	for lap, each := range map[int][]float64{kernel.Elsewhere: {1, 2}, kernel.Computing: {3, 4},
		kernel.Synchronised: {10, 20},
		kernel.Finished:     {5, 6}} {
		got.Laps[lap].Each = each
	}
	var b batch
	b.readLaps(got)
	require.Equal(t, []float64{9, 12}, b.took)
	require.Equal(t, []float64{10, 39}, b.start)
	require.Equal(t, []float64{19, 51}, b.end)
}
