package beffio

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/patterns"
)

// driven is a run on a file system that becomes a part slower from begin to end, evenly.
func driven(t *testing.T, slope float64, change func(*kindOfMachine)) (*Result, *times) {
	k := kindOfMachine{seconds: valid, noise: 0.1, once: 0.1, begin: func(*rand.Rand, float64) state {
		return func(now float64) (float64, float64, float64) {
			const step = 0.5
			i := math.Floor(now/step + 1e-6)
			return math.Exp(slope * i * step / valid), (i + 1) * step, 0
		}
	}}
	if change != nil {
		change(&k)
	}
	p := newPlan(t, 2, Config{Rules: RulesPaper, Partitions: []int{2}, Memory: 256 << 20, MaxBytes: 1 << 60,
		Duration: valid * time.Second})
	r := k.run(p, newRand(), nil)
	return r, timesOf(r)
}

// What is read again says how much the file system drifts.
func TestDriftByPasses(t *testing.T) {
	for _, slope := range []float64{-0.2, 0, 0.02, 0.2} {
		_, x := driven(t, slope, nil)
		all := x.to[wholeRun]
		require.InDelta(t, valid, all, 0.05*valid)
		require.InDelta(t, slope, x.drift.Value*valid, 1e-2, "%v", slope)
		require.Less(t, math.Sqrt(x.drift.Variance)*valid, 5e-3)
	}
	_, x := driven(t, 0.2, func(k *kindOfMachine) { k.resumed = true })
	require.Zero(t, x.drift.Value, "nothing was read again")
	require.InEpsilon(t, unseen, math.Sqrt(x.drift.Variance)*x.to[wholeRun], 1e-12)
	require.Positive(t, x.bend())
}

// The interval of b_eff_io is that of the middle of the run; that of an access method of the middle of its own time.
func TestDriftWidens(t *testing.T) {
	steady, _ := driven(t, 0, nil)
	r, x := driven(t, 0.2, nil)
	part := func(r *Result) float64 { return r.Derived.BEffIOInterval.Part(r.Derived.BEffIO) }
	require.Less(t, part(steady), 0.007)
	require.Greater(t, part(r), 0.02)
	of := func(r *Result, a Access) float64 {
		m := r.Derived.Partitions[0].Access(a)
		return m.Interval.Part(m.Bandwidth)
	}
	for _, a := range Accesses() {
		require.Greater(t, of(r, a), of(steady, a), a)
	}
	require.Zero(t, x.from[period{0, Write}])
	require.Greater(t, x.middle(period{0, Read}), x.middle(period{0, Rewrite}))
	require.InEpsilon(t, x.to[wholeRun]/2, x.middle(wholeRun), 1e-12)
}

// The first calls of a pattern are compared with as many of a later pass.
func TestRepeated(t *testing.T) {
	b := &Blocks{Calls: 10, Seconds: []float64{1, 2, 3}, Rest: 0.5}
	for n, want := range map[int64]float64{0: 0, 5: 0.5, 10: 1, 15: 2, 30: 6, 33: 6.25, 36: 6.5, 40: 6.5} {
		require.InDelta(t, want, b.first(n, 36), 1e-12, "%d calls", n)
	}
	first := &Sample{Bytes: 36, Repetitions: 36, Seconds: 7, Blocks: b}
	again, before := repeated(first, &Sample{Bytes: 15, Repetitions: 15, Seconds: 3.5})
	require.InEpsilon(t, 3., again, 1e-12, "without half a second for the view")
	require.InEpsilon(t, 2., before, 1e-12)
	first.Repetitions = 3600
	again, before = repeated(first, &Sample{Bytes: 15, Repetitions: 15, Seconds: 3.5})
	require.Zero(t, again+before, "too few of them")
}

// A stall in the initial write costs more than its seconds: the pattern has less of its share left, and all types and
// access methods that repeat its calls make fewer.
func TestCalm(t *testing.T) {
	k := kindOfMachine{seconds: short, begin: steadily, noise: 0.01, once: 0.01}
	p := newPlan(t, 2, Config{Rules: RulesPaper, Partitions: []int{2}, Memory: 256 << 20, MaxBytes: 1 << 60,
		Duration: short * time.Second})
	quiet := k.run(p, newRand(), nil).Derived.BEffIO
	k.begin = func(*rand.Rand, float64) state {
		stalled := false
		return func(now float64) (float64, float64, float64) {
			if now >= 9.5 && !stalled {
				stalled = true
				return 1, now, 1
			}
			if stalled {
				return 1, math.Inf(1), 0
			}
			return 1, 9.5, 0
		}
	}
	r := k.run(p, newRand(), nil)
	loss := 1 - r.Derived.BEffIO/quiet
	require.Greater(t, loss, 0.01)
	require.InDelta(t, loss, outliers(r), 0.4*loss)
	x := timesOf(r)
	u := x.of(0).uncertain(x.parts(&r.Derived.Partitions[0]), wholeRun)
	require.Less(t, u.outliers, loss/2, "its seconds alone")
	in := r.Derived.BEffIOInterval
	require.Less(t, in.Low, quiet)
	require.Greater(t, in.High, quiet)

	require.Zero(t, (&span{blocks: []float64{0, 0, 3}}).stalled())
	require.InEpsilon(t, 9., (&span{blocks: []float64{10, 1}, odd: 0.5}).stalled(), 1e-12)
	require.InEpsilon(t, 11., (&span{blocks: []float64{1, 10, 1}, odd: 2}).stalled(), 1e-12)
	require.Equal(t, patterns.Scatter, r.plan().Rows[3].Type)
}
