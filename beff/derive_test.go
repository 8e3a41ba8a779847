package beff_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
)

const (
	rings   = 6
	randoms = 30
	pair    = rings + randoms // index of the ping-pong pair
)

// cubeOf returns a result of all rings and randoms and the ping-pong pair on 4 processes. bandwidth returns each
// measurement's bandwidth, or 0 if it was left out.
func cubeOf(lengths []int64, methods, repetitions int,
	bandwidth func(pattern, length, method, repetition int) float64) *beff.Result {
	r := &beff.Result{
		Identity: rating.Identity{Benchmark: beff.Benchmark, SchemaVersion: beff.SchemaVersion}, Rules: beff.Rules2001,
		Processes: 4, MemoryPerProcess: 1 << 30, Lmax: lengths[len(lengths)-1], Lengths: lengths,
		Repetitions: repetitions, Complete: true,
	}
	for _, m := range beff.Methods()[:methods] {
		r.Methods = append(r.Methods, m.String())
	}
	for i := range rings {
		r.Patterns = append(r.Patterns, beff.Pattern{Name: fmt.Sprint("ring-", i), Kind: patterns.KindRing,
			Processes: 4, Messages: 8})
	}
	for i := range randoms {
		r.Patterns = append(r.Patterns, beff.Pattern{Name: fmt.Sprint("random-", i), Kind: patterns.KindRandom,
			Processes: 4, Messages: 8})
	}
	r.Patterns = append(r.Patterns, beff.Pattern{Name: "ping-pong", Kind: patterns.KindDetail, Processes: 2,
		Messages: 2})
	for pattern, p := range r.Patterns {
		for length, l := range lengths {
			for method := range methods {
				for repetition := range repetitions {
					b := bandwidth(pattern, length, method, repetition)
					if b == 0 || pattern == pair && method > 0 {
						continue
					}
					const loops = 5
					seconds := float64(l) * float64(p.Messages) * loops / b
					r.Samples = append(r.Samples, beff.Sample{
						Pattern: pattern, Length: length, Method: method, Repetition: repetition, Loops: loops,
						Seconds: seconds, Min: seconds, Mean: seconds,
					})
				}
			}
		}
	}
	return r
}

// handmade returns a cube that can be averaged with a pencil. The base, [length][method][repetition]:
//
//	           method 0   method 1    best of method 0, 1    best
//	length 0     2,  4      6, 1              4, 6             6
//	length 1    10,  6      2, 4             10, 4            10
//
// average over lengths: best (6+10)/2 = 8; method 0 (4+10)/2 = 7; method 1 (6+4)/2 = 5;
// repetition 0 (6+10)/2 = 8; repetition 1 (4+6)/2 = 5.
//
// The rings are the base times 1/4, 1/2, 1, 1, 2, 4: a geometric mean of 1. Half of the randoms are the base, the
// others 4 times the base: a geometric mean of 2. The pair is 100 times the base, and doesn't count.
func handmade() *beff.Result {
	base := [2][2][2]float64{{{2, 4}, {6, 1}}, {{10, 6}, {2, 4}}}
	factors := []float64{1. / 4, 1. / 2, 1, 1, 2, 4}
	factors = append(factors, slices.Concat(slices.Repeat([]float64{1}, 15), slices.Repeat([]float64{4}, 15),
		[]float64{100})...)
	return cubeOf([]int64{1, 4096}, 2, 2, func(p, l, m, rep int) float64 { return base[l][m][rep] * factors[p] })
}

func TestDeriveByHand(t *testing.T) {
	d := beff.Derive(handmade())
	is := func(want, got float64) {
		t.Helper()
		require.InEpsilon(t, want, got, 1e-14)
	}
	root2 := math.Sqrt2 // the randoms' figures are twice the rings', so both together give √(x·2x) = x√2

	is(8, d.Rings)
	is(16, d.Randoms)
	is(8*root2, d.BEff)
	is(8*root2/4, d.BEffPerProcess)

	is(10*root2, d.AtLmax)
	is(10*root2/4, d.AtLmaxPerProcess)
	is(10, d.RingsAtLmax)
	is(2.5, d.RingsAtLmaxPerProcess)
	is(100*10, d.PingPongAtLmax) // only method 0

	// 4 processes that together move 6√2 (rings: 6) messages of 1 byte in a second need 4/(6√2) seconds for each of
	// their messages.
	is(4/(6*root2), d.LatencyRingsAndRandoms)
	is(4./6, d.LatencyRings)
	is(1./(100*4), d.LatencyPingPong)

	is(7*root2, d.PerMethod[0])
	is(5*root2, d.PerMethod[1])
	is(7*root2, d.BestMethod)
	is(8*root2, d.PerRepetition[0])
	is(5*root2, d.PerRepetition[1])
	is(6*root2, d.PerLength[0])
	is(10*root2, d.PerLength[1])
	for l, row := range [2][2]float64{{4, 6}, {10, 4}} {
		for m, x := range row {
			is(x*root2, d.PerLengthMethod[l][m])
		}
	}
	is(8./4, d.PerPattern[0])
	is(8*4, d.PerPattern[5])
	is(8, d.PerPattern[rings])
	is(8*4, d.PerPattern[rings+randoms-1])
	is(100*(4+10)/2, d.PerPattern[pair])
	require.Equal(t, []int{2, 2, 2, 2, 37}, []int{len(d.PerMethod), len(d.PerRepetition), len(d.PerLength),
		len(d.PerLengthMethod), len(d.PerPattern)})
}

// The bandwidth of a sample counts all messages of the pattern, by the slowest process.
func TestBandwidthOfASample(t *testing.T) {
	r := cubeOf([]int64{1000}, 1, 1, func(int, int, int, int) float64 { return 1 })
	for i := range r.Samples {
		r.Samples[i].Loops, r.Samples[i].Seconds, r.Samples[i].Min, r.Samples[i].Mean = 10, 0.5, 0.1, 0.2
	}
	// 1000 bytes · 8 messages · 10 loops / 0.5 s
	require.InEpsilon(t, 160_000, beff.Derive(r).BEff, 1e-14)
}

// paper returns b_eff by the paper's formula, in the formula's order.
func paper(r *beff.Result) float64 {
	logavg := func(kind patterns.Kind) float64 {
		product, n := 1.0, 0
		for pattern, p := range r.Patterns {
			if p.Kind != kind {
				continue
			}
			sum := 0.0
			for length, l := range r.Lengths {
				best := 0.0
				for _, s := range r.Samples {
					if s.Pattern == pattern && s.Length == length {
						best = max(best, float64(l)*float64(p.Messages)*float64(s.Loops)/s.Seconds)
					}
				}
				sum += best
			}
			product *= sum / float64(len(r.Lengths))
			n++
		}
		return math.Pow(product, 1/float64(n))
	}
	return math.Sqrt(logavg(patterns.KindRing) * logavg(patterns.KindRandom))
}

// anyCube returns a result with random bandwidths between 0.5 and 2.
func anyCube(seed uint64) *beff.Result {
	random := rand.New(rand.NewPCG(seed, 0))
	return cubeOf([]int64{1, 2, 64, 4096}, 3, 3, func(int, int, int, int) float64 {
		return math.Exp2(2*random.Float64() - 1)
	})
}

func TestPaper(t *testing.T) {
	for seed := range uint64(10) {
		r := anyCube(seed)
		require.InEpsilon(t, paper(r), beff.Derive(r).BEff, 1e-12)
	}
}

func TestAllEqual(t *testing.T) {
	d := beff.Derive(cubeOf([]int64{1, 2, 4096}, 3, 3, func(int, int, int, int) float64 { return 3e9 }))
	all := []float64{d.BEff, 4 * d.BEffPerProcess, d.AtLmax, 4 * d.AtLmaxPerProcess, d.RingsAtLmax, d.PingPongAtLmax,
		d.Rings, d.Randoms, d.BestMethod}
	all = slices.Concat(all, d.PerMethod, d.PerRepetition, d.PerLength, d.PerPattern)
	for _, row := range d.PerLengthMethod {
		all = append(all, row...)
	}
	for _, x := range all {
		require.InEpsilon(t, 3e9, x, 1e-14)
	}
}

func TestScaling(t *testing.T) {
	for seed := range uint64(5) {
		r, slower := anyCube(seed), anyCube(seed)
		for i := range slower.Samples {
			slower.Samples[i].Seconds *= 7
		}
		a, b := beff.Derive(r), beff.Derive(slower)
		require.InEpsilon(t, a.BEff/7, b.BEff, 1e-13)
		require.InEpsilon(t, a.AtLmax/7, b.AtLmax, 1e-13)
		require.InEpsilon(t, a.LatencyRings*7, b.LatencyRings, 1e-13)
		require.InEpsilon(t, a.LatencyPingPong*7, b.LatencyPingPong, 1e-13)
	}
}

func TestMoreRepetitionsNeverLower(t *testing.T) {
	for seed := range uint64(5) {
		last := 0.0
		for n := 1; n <= 3; n++ {
			r := anyCube(seed)
			r.Repetitions = n
			r.Samples = slices.DeleteFunc(r.Samples, func(s beff.Sample) bool { return s.Repetition >= n })
			d := beff.Derive(r)
			require.GreaterOrEqual(t, d.BEff, last)
			require.Len(t, d.PerRepetition, n)
			last = d.BEff
		}
	}
}

// Averages lie between the smallest and the largest of their values, and no choice is better than b_eff's.
func TestBetween(t *testing.T) {
	for seed := range uint64(5) {
		d := beff.Derive(anyCube(seed))
		require.Greater(t, d.BEff, 0.5)
		require.Less(t, d.BEff, 2.0)
		counting := d.PerPattern[:pair]
		require.Greater(t, d.BEff, slices.Min(counting))
		require.Less(t, d.BEff, slices.Max(counting))
		require.LessOrEqual(t, d.BestMethod, d.BEff)
		require.LessOrEqual(t, slices.Max(d.PerMethod), d.BestMethod)
		require.LessOrEqual(t, slices.Max(d.PerRepetition), d.BEff)
	}
}

func TestLatencyIsReciprocal(t *testing.T) {
	d := beff.Derive(anyCube(1))
	require.InEpsilon(t, 4/d.PerLength[0], d.LatencyRingsAndRandoms, 1e-14)

	// A loop takes 10 µs, with 2 exchanges of each of the 4 processes, or 1 message each way of the pair: 5 µs each.
	r := anyCube(1)
	for i := range r.Samples {
		r.Samples[i].Seconds = 10e-6 * float64(r.Samples[i].Loops)
	}
	d = beff.Derive(r)
	require.InEpsilon(t, 5e-6, d.LatencyRingsAndRandoms, 1e-13)
	require.InEpsilon(t, 5e-6, d.LatencyRings, 1e-13)
	require.InEpsilon(t, 5e-6, d.LatencyPingPong, 1e-13)
}

// without removes the samples for which gone returns true.
func without(r *beff.Result, gone func(beff.Sample) bool) *beff.Result {
	r.Samples = slices.DeleteFunc(r.Samples, gone)
	return r
}

// subset keeps the patterns of some kinds, and their samples.
func subset(r *beff.Result, kinds ...patterns.Kind) *beff.Result {
	var list []beff.Pattern
	index := map[int]int{}
	for i, p := range r.Patterns {
		if slices.Contains(kinds, p.Kind) {
			index[i] = len(list)
			list = append(list, p)
		}
	}
	without(r, func(s beff.Sample) bool { _, kept := index[s.Pattern]; return !kept })
	for i := range r.Samples {
		r.Samples[i].Pattern = index[r.Samples[i].Pattern]
	}
	r.Patterns = list
	return r
}

func TestWithoutRandoms(t *testing.T) {
	d := beff.Derive(subset(handmade(), patterns.KindRing))
	require.InEpsilon(t, 8, d.Rings, 1e-14)
	require.InEpsilon(t, 10, d.RingsAtLmax, 1e-14)
	require.InEpsilon(t, 4./6, d.LatencyRings, 1e-14)
	require.Len(t, d.PerPattern, rings)

	data, err := json.Marshal(d)
	require.NoError(t, err)
	for _, name := range []string{"b_eff", "b_eff_per_process", "at_lmax", "at_lmax_per_process", "randoms",
		"latency_rings_and_randoms", "latency_ping_pong", "ping_pong_at_lmax", "best_method_after_averaging"} {
		require.NotContains(t, string(data), fmt.Sprintf("%q:", name))
	}
	require.Equal(t, []float64{0, 0}, d.PerMethod)
	require.Equal(t, []float64{0, 0}, d.PerLength)
}

func TestWithoutRings(t *testing.T) {
	d := beff.Derive(subset(handmade(), patterns.KindRandom, patterns.KindDetail))
	require.InEpsilon(t, 16, d.Randoms, 1e-14)
	require.InEpsilon(t, 1000, d.PingPongAtLmax, 1e-14)
	require.Zero(t, d.BEff+d.BEffPerProcess+d.Rings+d.LatencyRings+d.RingsAtLmax+d.AtLmax)
}

// A result with a part of the rings and randoms has their averages, but no b_eff.
func TestPartOfThePatterns(t *testing.T) {
	r := handmade()
	r.Patterns = r.Patterns[:pair-1]
	d := beff.Derive(without(r, func(s beff.Sample) bool { return s.Pattern >= pair-1 }))
	require.Zero(t, d.BEff)
	require.Zero(t, d.BEffPerProcess)
	require.InEpsilon(t, 8, d.Rings, 1e-14)
	require.Positive(t, d.Randoms)
}

// A run that ended early has no average over missing measurements.
func TestEndedEarly(t *testing.T) {
	d := beff.Derive(without(handmade(), func(s beff.Sample) bool { return s.Pattern == rings && s.Length == 1 }))
	require.Zero(t, d.BEff)
	require.Zero(t, d.Randoms)
	require.Zero(t, d.PerPattern[rings])
	require.Zero(t, d.PerLength[1])
	require.InEpsilon(t, 8, d.Rings, 1e-14)
	require.InEpsilon(t, 6*math.Sqrt2, d.PerLength[0], 1e-14)
	require.InEpsilon(t, 8, d.PerPattern[rings+1], 1e-14)

	r := handmade()
	r.Samples = nil
	d = beff.Derive(r)
	require.Zero(t, d.BEff+d.Rings+d.Randoms+d.BestMethod+d.LatencyRings+d.LatencyPingPong)
	require.Equal(t, make([]float64, 37), d.PerPattern)
}

// The b_eff of a run that ended in the second repetition follows from the samples until then.
func TestEndedInLaterRepetition(t *testing.T) {
	d := beff.Derive(without(handmade(), func(s beff.Sample) bool { return s.Repetition == 1 && s.Length == 1 }))
	// best: length 0: max(2, 4, 6, 1) = 6; length 1: max(10, 2) = 10
	require.InEpsilon(t, 8*math.Sqrt2, d.BEff, 1e-14)
	require.NotZero(t, d.PerRepetition[0])
	require.Zero(t, d.PerRepetition[1], "it was not measured")
}

// Release 3.6 measures the last two lengths by the fastest method only, and the last length only twice.
func TestShortenedLengths(t *testing.T) {
	const slow, fast = 0, 1
	whole := func() *beff.Result {
		return cubeOf([]int64{1, 2, 4}, 2, 3, func(_, l, m, rep int) float64 {
			// repetitions at length 0: 1, 2, 3 (slow) and 2, 4, 6 (fast); ten times as much with each longer length
			return math.Pow(10, float64(l)) * float64(m+1) * float64(rep+1)
		})
	}
	r := without(whole(), func(s beff.Sample) bool {
		return s.Pattern != pair && s.Length >= 1 && s.Method == slow || s.Length == 2 && s.Repetition == 2
	})
	r.Rules = beff.Rules36
	d := beff.Derive(r)
	is := func(want, got float64) {
		t.Helper()
		require.InEpsilon(t, want, got, 1e-14)
	}
	is((6.+60+400)/3, d.BEff)
	is(400, d.AtLmax)
	is((6.+60+400)/3, d.PerMethod[fast])
	is((3.+60+400)/3, d.PerMethod[slow]) // at lengths 1 and 2 the other method's value is used
	is((2.+20+200)/3, d.PerRepetition[0])
	is((6.+60+200)/3, d.PerRepetition[2]) // at length 2 the first repetition's value is used
	is(200, d.PingPongAtLmax)
	// Leaving out measurements never raises b_eff.
	require.Less(t, d.BEff, beff.Derive(whole()).BEff)
}
