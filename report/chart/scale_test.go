package chart

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// ticksOf returns the values of all ticks of a scale, and those of the labelled ones. place is the inverse of the
// scale.
func ticksOf(s Scale, place func(float64) float64) (all, labelled []float64) {
	for _, t := range s.Ticks {
		v := math.Round(place(t.Value)*1e6) / 1e6
		all = append(all, v)
		if t.Label != "" {
			labelled = append(labelled, v)
		}
	}
	return all, labelled
}

func tenTo(x float64) float64 { return math.Pow(10, x) }

// A logarithmic scale goes from 1, 2 or 5 times a power of ten below the values to the next one above them. Labels are
// at 1, 2 and 5 over few decades, otherwise at powers of ten, and at each second, third … power over many decades.
func TestDecades(t *testing.T) {
	for _, c := range []struct {
		values        []float64
		r             room
		low, high     float64
		all, labelled []float64
	}{
		{[]float64{30, 400}, YRoom, 20, 500, []float64{20, 30, 40, 50, 60, 70, 80, 90, 100, 200, 300, 400, 500},
			[]float64{20, 50, 100, 200, 500}},
		{[]float64{30, 400}, xRoom, 20, 500, []float64{20, 30, 40, 50, 60, 70, 80, 90, 100, 200, 300, 400, 500},
			[]float64{100}},
		{[]float64{3, 0, math.Inf(1), math.NaN(), 7}, xRoom, 2, 10, []float64{2, 3, 4, 5, 6, 7, 8, 9, 10},
			[]float64{2, 5, 10}},
		{[]float64{100}, YRoom, 50, 200, []float64{50, 60, 70, 80, 90, 100, 200}, []float64{50, 100, 200}},
		{[]float64{20}, YRoom, 10, 50, []float64{10, 20, 30, 40, 50}, []float64{10, 20, 50}},
		{[]float64{2, 50}, YRoom, 2, 50, []float64{2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 30, 40, 50},
			[]float64{2, 5, 10, 20, 50}},
		{[]float64{1, 1e12}, xRoom, 1, 1e12, []float64{1, 1e3, 1e6, 1e9, 1e12}, []float64{1, 1e3, 1e6, 1e9, 1e12}},
		{[]float64{1, 1e6}, xRoom, 1, 1e6, []float64{1, 1e2, 1e4, 1e6}, []float64{1, 1e2, 1e4, 1e6}},
		{nil, YRoom, 0.5, 2, []float64{0.5, 0.6, 0.7, 0.8, 0.9, 1, 2}, []float64{0.5, 1, 2}},
	} {
		s := Decades(c.values, c.r)
		require.InEpsilon(t, c.low, tenTo(s.Min), 1e-6, "%v", c.values)
		require.InEpsilon(t, c.high, tenTo(s.Max), 1e-6, "%v", c.values)
		require.InEpsilon(t, c.low, math.Pow(10, s.Min), 1e-6)
		require.InEpsilon(t, 2., s.At(100), 1e-12)
		all, labelled := ticksOf(s, tenTo)
		require.Equal(t, c.all, all, "%v", c.values)
		require.Equal(t, c.labelled, labelled, "%v", c.values)
	}
}

// A scale of powers of two extends 0.35 powers beyond the values, or 0.85 around a single one. It has at most nine
// labels.
func TestPowers(t *testing.T) {
	for _, c := range []struct {
		low, high     float64
		min, max      float64
		all, labelled int
	}{
		{1, 4096, -0.35, 12.35, 13, 7}, // every second
		{1, 256, -0.35, 8.35, 9, 9},
		{2, 1 << 9, 0.65, 9.35, 9, 9},
		{8, 8, 2.15, 3.85, 1, 1},          // a single value
		{1, 1 << 27, -0.35, 27.35, 28, 7}, // every fourth
		{0.25, 4, -2.35, 2.35, 5, 3},      // nothing below 1 has a label
		{4, 8, 1.65, 3.35, 2, 2},          // nothing beyond two values
	} {
		s := Lengths([]float64{c.low, c.high})
		all, labelled := ticksOf(s, math.Exp2)
		require.InDelta(t, c.min, s.Min, 1e-9, "%v", c)
		require.InDelta(t, c.max, s.Max, 1e-9, "%v", c)
		require.Len(t, all, c.all, "%v", c)
		require.Len(t, labelled, c.labelled, "%v", c)
		for i := 1; i < len(all); i++ {
			require.InEpsilon(t, 2*all[i-1], all[i], 1e-6)
		}
	}
	require.Equal(t, "2^24", Counts([]float64{1, 1 << 24}).Ticks[24].Label)
	require.Equal(t, "65536", Counts([]float64{1, 1 << 24}).Ticks[16].Label)
}

// A linear scale goes from 0 to a little above the values, in at most six steps of 1, 2 or 5 times a power of ten.
func TestLinear(t *testing.T) {
	for high, want := range map[float64][]float64{
		6: {0, 1, 2, 3, 4, 5, 6}, 6.1: {0, 2, 4, 6, 8}, 12: {0, 2, 4, 6, 8, 10, 12}, 13: {0, 5, 10, 15},
		87: {0, 20, 40, 60, 80, 100}, 300: {0, 50, 100, 150, 200, 250, 300}, 0.5: {0, 0.1, 0.2, 0.3, 0.4, 0.5},
	} {
		s := LinearOrLog([]float64{high, high / 2}, 2, YRoom)
		all, labelled := ticksOf(s, Identity)
		require.Equal(t, want, all, "%v", high)
		require.Equal(t, want, labelled)
		require.Zero(t, s.Min)
		require.InEpsilon(t, max(want[len(want)-1], 1.02*high), s.Max, 1e-9)
	}
	// Values further apart than the ratio are on a logarithmic scale.
	require.InEpsilon(t, 1., LinearOrLog([]float64{1, 2.1}, 2, YRoom).At(10), 1e-12)
	require.InEpsilon(t, 10., LinearOrLog([]float64{1, 2}, 2, YRoom).At(10), 1e-12)
}

// Names are below each other, the first at the top.
// An axis of small values that begins at zero says 0.
func TestZoomedFromZero(t *testing.T) {
	s := Zoomed([]float64{0.02, 1})
	require.Equal(t, "0", s.Ticks[0].Label)
	require.Equal(t, "0.2", s.Ticks[1].Label)
}

func TestEven(t *testing.T) {
	s := even([]string{"a", "b", "c"})
	require.Equal(t, []float64{0.5, 3.5}, []float64{s.Min, s.Max})
	for i, name := range []string{"a", "b", "c"} {
		require.Equal(t, name, s.Ticks[i].Label)
		require.Equal(t, float64(3-i), s.Ticks[i].Value)
	}
}

func TestSpread(t *testing.T) {
	require.Equal(t, Spread{2, 4, 8}, rounded(SpreadOf([]float64{8, 2})))
	for _, wrong := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		require.True(t, math.IsNaN(SpreadOf([]float64{1, wrong}).Mean), "nothing is averaged over a part")
	}
	require.True(t, math.IsNaN(SpreadOf(nil).Low))
	require.InEpsilon(t, 0.75, Worst([]float64{2, math.NaN(), 8, 4}), 1e-12)
	require.Zero(t, Worst([]float64{3, 3}))
	require.True(t, math.IsNaN(Worst([]float64{3, math.NaN()})))
	low, high := Span([]float64{5, 0, 3, math.Inf(1), 9, -2})
	require.Equal(t, []float64{3, 9}, []float64{low, high})
}

func rounded(s Spread) Spread {
	s.Mean = math.Round(s.Mean*1e9) / 1e9
	return s
}
