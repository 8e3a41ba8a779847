package method

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/clocks"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// oneTime returns a batch of one repetition.
func oneTime(took float64) batch { return batch{n: 1, counts: true, took: []float64{took}} }

// Known answers of the timings (MPIBlib manual, 7.2.3).
func TestTimings(t *testing.T) {
	group := []batch{oneTime(3), oneTime(5), oneTime(4)}
	for _, timing := range []settings.Timing{settings.ByLoop, settings.ByMax} {
		require.Equal(t, spread{[]float64{5}, []float64{3}, []float64{4}}, clockings[timing].combine(group))
	}
	group[1].counts = false // it waits for others
	require.Equal(t, spread{[]float64{4}, []float64{3}, []float64{3.5}}, clockings[settings.ByMax].combine(group))

	first := oneTime(9)
	first.barrier = 20.0 / 10
	got := clockings[settings.ByRoot].combine([]batch{first, oneTime(100)})
	require.Equal(t, spread{most: []float64{7}}, got)
	first.barrier = 11
	require.Equal(t, []float64{-2}, clockings[settings.ByRoot].combine([]batch{first}).most,
		"less than nothing is kept")

	group = nil
	for _, p := range []struct{ end, ahead float64 }{{104, 0}, {1106, 1000}, {95, -11}} {
		b := batch{n: 1, counts: true, took: []float64{0}, start: []float64{100 + p.ahead}, end: []float64{p.end}}
		c := clocks.Clock{Before: clocks.Offset{Seconds: p.ahead}, After: clocks.Offset{At: 2000, Seconds: p.ahead}}
		group = append(group, onRoot(&c, b))
	}
	require.Equal(t, []float64{6}, clockings[settings.ByGlobal].combine(group).most)
}

// Groups that are shown as one: the longest and the shortest time, and the mean of the means.
func TestTogether(t *testing.T) {
	a, b := spread{[]float64{5, 1}, []float64{3, 1}, []float64{4, 1}},
		spread{[]float64{4, 9}, []float64{2, 3}, []float64{3, 5}}
	require.Equal(t, []spread{{[]float64{5, 9}, []float64{2, 1}, []float64{3.5, 3}}}, together([]spread{a, b}))
	require.Equal(t, []float64{7}, together([]spread{{most: []float64{2}}, {most: []float64{7}}})[0].most)
	require.Equal(t, []float64{5, 1}, a.most)
}

// Offsets that drift cancel exactly: a batch on the root's clock has the times that all processes saw.
func TestDrift(t *testing.T) {
	const ahead, drift = 5.0, 1.0 / 1024
	own := func(at float64) float64 { return at + ahead + drift*at } // a process' clock at a time of the root's
	at := func(x float64) clocks.Offset { return clocks.Offset{At: own(x), Seconds: own(x) - x} }
	c := clocks.Clock{Before: at(0), After: at(1000)}
	b := batch{begin: own(100), start: []float64{own(101) - own(100)}, end: []float64{own(103) - own(100)}}
	on := onRoot(&c, b)
	require.InDelta(t, 100, on.begin, 1e-9)
	require.InDelta(t, 101, on.begin+on.start[0], 1e-9)
	require.InDelta(t, 103, on.begin+on.end[0], 1e-9)
	require.InDelta(t, drift/(1+drift), c.Drift(), 1e-9)
}

// The laps of a synchronised program: barriers, the kernel's own laps, the rest.
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
