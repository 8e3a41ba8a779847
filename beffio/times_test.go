package beffio

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// drifted returns a run on a file system that becomes evenly slower, by slope over the run.
func drifted(t *testing.T, slope float64, change func(*kindOfMachine)) *Result {
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
	return k.run(p, newRand(), nil)
}

// Later passes show how much the file system drifts. Without later passes, 18 % are assumed.
func TestDriftByPasses(t *testing.T) {
	for _, slope := range []float64{-0.2, 0.02, 0.2} {
		d := driftOf(drifted(t, slope, nil))
		require.InDelta(t, math.Abs(slope), math.Sqrt(d.variance)*valid, 1e-2, "%v", slope)
		require.Greater(t, d.freedom, 10.)
	}
	require.Less(t, math.Sqrt(driftOf(drifted(t, 0, nil)).variance)*valid, 1e-2)
	r := drifted(t, 0.2, func(k *kindOfMachine) { k.resumed = true })
	seconds := 0.0
	for _, s := range r.Samples {
		seconds += s.Seconds
	}
	require.InEpsilon(t, assumedDrift, math.Sqrt(driftOf(r).variance)*seconds, 1e-12)
}

// A drift widens the interval of each figure by a fifth of its effect during the figure's time.
func TestDriftWidens(t *testing.T) {
	steady, r := drifted(t, 0, nil), drifted(t, 0.2, nil)
	part := func(r *Result) float64 { return r.Derived.BEffIOInterval.RelativeHalfWidth(r.Derived.BEffIO) }
	require.Less(t, part(steady), 0.007)
	require.InDelta(t, 2*offMiddle*0.2, part(r), 0.02)
	for _, a := range Accesses() {
		width := func(r *Result) float64 {
			m := r.Derived.Partitions[0].Access(a)
			return m.Interval.RelativeHalfWidth(m.Bandwidth)
		}
		require.Greater(t, width(r), width(steady), a)
		require.Less(t, width(r), part(r), "its time is a part of the run")
	}
}

// The spread of a one-time cost is its distance from a line over the bytes, for all partitions together. For fewer than
// five costs it isn't known. The close of the last pass counts.
func TestOnce(t *testing.T) {
	list := make([]times, 2)
	for i, off := range []float64{1.1, 0.9, 1.1, 0.9, 1.1, 0.9} {
		bytes := int64(1000 * (i + 1))
		list[i%2].spans = append(list[i%2].spans, span{seconds: off * (1 + float64(bytes)/1e3), bytes: bytes,
			once: once{"sync", Write}})
	}
	list[0].spans = append(list[0].spans, span{seconds: 1, once: once{what: "open"}})
	setSpread(list)
	got := list[1].spread[once{"sync", Write}]
	require.InDelta(t, 0.1*0.1*6/4, got.variance, 0.005)
	require.EqualValues(t, 4, got.freedom)
	require.Equal(t, estimate{unfitted, 1}, list[0].spread[once{what: "open"}])

	r := drifted(t, 0, nil)
	last := r.Files[len(r.Files)-1]
	closes := 0.0
	for _, s := range timesOf(r)[0].spans {
		if s.once == (once{"close", Read}) && s.typ == TypeNamed(last.Type) {
			closes += s.seconds
		}
	}
	require.Positive(t, last.Pass)
	require.Equal(t, last.Close, closes)
}

// The first calls of a pattern are compared with the same number of calls in a later pass.
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
	require.Zero(t, again+before, "too few calls")
}

// A stall in the initial write costs more than its seconds: the pattern has less of its share left, and all types and
// access methods that repeat its calls make fewer.
func TestStalls(t *testing.T) {
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
	require.Greater(t, outliers(r), 0.1*loss, "only its seconds")
	require.Less(t, outliers(r), loss)
	in := r.Derived.BEffIOInterval
	require.Less(t, in.Low, quiet)
	require.Greater(t, in.High, quiet)

	require.Zero(t, (&span{blocks: []float64{0, 0, 3}}).stalled())
	require.InEpsilon(t, 9., (&span{blocks: []float64{10, 1}}).stalled(), 1e-12)
	require.InEpsilon(t, 9., (&span{blocks: []float64{1, 10, 1}}).stalled(), 1e-12)
}
