package beff_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/rating"
)

// machine is a scripted job of 4 processes. The cost of its loops depends on their message length in bytes.
type machine struct {
	*scripted.Engine
	runs []int64 // timed loops of each run that moves data, in order
}

func newMachine(cost func(bytes int64) float64) *machine {
	m := &machine{Engine: &scripted.Engine{Processes: 4}}
	m.Cost = func(s scripted.Step) float64 {
		if s.Messages == 0 {
			return 0
		}
		m.runs = append(m.runs, s.Loops.Timed)
		return cost(s.Program.Places[0].Length)
	}
	return m
}

// constant returns the cost in a network that has only a latency.
func constant(seconds float64) func(int64) float64 { return func(int64) float64 { return seconds } }

// doubling is a memory size for which Lmax is 1 MiB, so that each length is twice the previous one: 8 steps from 4 kB =
// 2^12 to 2^20.
const doubling = 128 << 20

// loopsOf returns the loops of a result's samples, in order.
func loopsOf(r *beff.Result) []int64 {
	var list []int64
	for _, s := range r.Samples {
		list = append(list, s.Loops)
	}
	return list
}

// "The loop length is 300 for the shortest message"; it is adapted so that a loop takes 2.5 to 5 ms (paper, Sec. 3).
// The target is the geometric middle, √(2.5·5) ms = 3.5355 ms, or a fifth of that in a quick run. Because the time of a
// loop is not known at first, a sixteenth of the expected loops is tried. It counts if it takes 2 ms (quick: 0.4 ms),
// four fifths of the window's lower end. Otherwise it is repeated with as many loops as fit, but at most a hundred
// times and at least twice as many.
func TestLoopsOfPaper(t *testing.T) {
	for _, c := range []struct {
		seconds float64 // of a loop, whatever its length
		quick   bool
		first   []int64 // tried for the shortest message
		second  []int64 // for the next one
		later   int64   // in the second and the third repetition: 3.5355 ms by the seconds
	}{
		{1e-5, false, []int64{18, 354}, []int64{22, 354}, 354},               // 300/16, 353.55/16
		{1e-7, false, []int64{18, 1800, 35355}, []int64{2209, 35355}, 35355}, // at most a hundred times as many
		{1.1e-4, false, []int64{18, 36}, []int64{2, 32}, 32},                 // 18 take 1.98 ms: at least twice as many
		{1.12e-4, false, []int64{18}, []int64{2, 32}, 32},                    // 18 take 2.016 ms
		{1e-3, false, []int64{18}, []int64{1, 4}, 4},                         // 3.5
		{1.9e-3, false, []int64{18}, []int64{1, 2}, 2},                       // 1.86
		{2.1e-3, false, []int64{18}, []int64{1}, 2},                          // 1.68
		{2.5e-3, false, []int64{18}, []int64{1}, 1},                          // 1.41
		{1, false, []int64{18}, []int64{1}, 1},                               // never less than one
		{1e-5, true, []int64{18, 71}, []int64{4, 71}, 71},                    // 0.7071 ms
		{2.2e-5, true, []int64{18, 36}, []int64{2, 32}, 32},                  // 18 take 0.396 ms
		{2.3e-5, true, []int64{18}, []int64{1, 31}, 31},                      // 18 take 0.414 ms; 30.7/16
		{1e-8, true, []int64{18, 1800, 70711}, []int64{4419, 70711}, 70711},  // 18 µs are too short as well
		{1e-10, true, []int64{18, 1800, 180_000, 7071068}, []int64{441941, 7071068}, 7071068},
	} {
		m := newMachine(constant(c.seconds))
		config := beff.Config{Rules: beff.Rules2001, Memory: doubling, Patterns: []string{"ring-2[*]2fix"},
			Methods: []string{"sendrecv"}, Quick: c.quick}
		r, err := rate(t, m.Engine, config)
		require.NoError(t, err)
		want := slices.Clone(c.first)
		for range 20 {
			want = append(want, c.second...)
		}
		samples := []int64{c.first[len(c.first)-1]}
		samples = append(samples, slices.Repeat(c.second[len(c.second)-1:], 20)...)
		if !c.quick {
			want = append(want, slices.Repeat([]int64{c.later}, 2*21)...)
			samples = append(samples, slices.Repeat([]int64{c.later}, 2*21)...)
		}
		require.Equal(t, want, m.runs, "%v", c)
		require.Equal(t, samples, loopsOf(r), "%v", c)
	}
}

// Each pattern and method has its own loop length. A method that is four times as slow has a quarter of the loops.
func TestLoopsOfPaperDiffer(t *testing.T) {
	s := &scripted.Engine{Processes: 4}
	var now string                  // the pattern
	seconds := map[string]float64{} // by pattern
	s.Cost = func(x scripted.Step) float64 {
		if _, ok := seconds[now]; !ok {
			seconds[now] = 1e-6 * float64(1+len(seconds))
		}
		return seconds[now] * map[string]float64{"MPI_Sendrecv": 1, "MPI_Alltoallv": 4}[fmt.Sprint(x.Method)]
	}
	plan, err := beff.NewPlan(4, beff.Config{Rules: beff.Rules2001, Memory: doubling, Patterns: []string{"ring"},
		Methods: []string{"sendrecv", "alltoallv"}})
	require.NoError(t, err)
	calls := 0
	m, err := plan.Measure(s, rating.Observer[beff.Measured]{Now: s.Now, Progress: func(rating.Progress) {
		now = plan.Patterns[calls/len(plan.Methods)%len(plan.Patterns)].Name
		calls++
	}})
	require.NoError(t, err)
	for _, x := range m.Samples {
		if x.Repetition == 0 {
			continue
		}
		loop := seconds[plan.Patterns[x.Pattern].Name] * []float64{1, 4}[x.Method]
		require.EqualValues(t, math.Round(math.Sqrt(2.5e-3*5e-3)/loop), x.Loops, "%+v", x)
	}
}

// Release 3.6 runs 10 loops of the shortest message before each repetition. Then one length and method should take 0.5
// s summed over all patterns: with n loops of 6 patterns of 10 µs, n = 0.5/(6·1e-5) = 8333. The loops start at half of
// that and never exceed it. From one length to the next they are divided by the ratio of the lengths, here 2. If the
// last length took less than 0.5 s, they are multiplied by 0.5 s and divided by that time.
func TestLoopsOf36(t *testing.T) {
	for name, c := range map[string]struct {
		cost  func(bytes int64) float64
		quick bool
		want  func(length int) int64 // loops of the length with that index
	}{
		// 4166 loops take 0.24996 s: the next ones are 4166/2 · 0.5/0.24996 = 4166.7, and so on
		"the same for all lengths": {constant(1e-5), false, func(int) int64 { return 4166 }},
		// The target is 0.1 s. 833 loops take 0.04998 s, so the next ones are 833/2 · 0.1/0.04998 = 833.3.
		"the same for all lengths, quick": {constant(1e-5), true, func(int) int64 { return 833 }},
		// The shortest message takes 0.24999996 s, and all others 0.5 s.
		"by the length": {func(bytes int64) float64 { return 1e-8 * float64(bytes) }, false, func(length int) int64 {
			if length < 2 {
				return 4166666 // half of 0.5/(6·1e-8); with 2 bytes this takes 0.5 s
			}
			return 4166666 >> (length - 1)
		}},
		// If only the shortest message is slow, its limit remains: 833 loops.
		"only the shortest is slow": {func(bytes int64) float64 {
			return map[bool]float64{true: 1e-4,
				false: 1e-7}[bytes == 1]
		},
			false, func(length int) int64 {
				return map[bool]int64{true: 416, false: 833}[length < 2]
			}},
		// With a second for each loop, the limit is its minimum of 10 loops, the start is 5, and there is always at
		// least one.
		"slow at first": {func(bytes int64) float64 { return map[bool]float64{true: 1, false: 1e-4}[bytes == 1] },
			false,
			func(length int) int64 { return []int64{5, 2, 10}[min(length, 2)] }},
		"slow": {constant(1), false, func(length int) int64 { return []int64{5, 2, 1}[min(length, 2)] }},
	} {
		m := newMachine(c.cost)
		config := beff.Config{Rules: beff.Rules36, Memory: doubling, Patterns: []string{"ring"}, Quick: c.quick,
			Methods: []string{"nonblocking"}}
		r, err := rate(t, m.Engine, config)
		require.NoError(t, err)
		require.Equal(t, slices.Repeat([]int64{10}, 6), m.runs[:6], "the loops before a repetition, %s", name)
		for _, x := range r.Samples {
			require.Equal(t, c.want(x.Length), x.Loops, "%s: %+v", name, x)
		}
		require.Len(t, m.runs, len(r.Samples)+6*r.Repetitions, "nothing else is run, %s", name)
	}
}

// The ratio of the lengths is 2 up to 4 kB, and about 2.594 from there to 8 MiB: 0.5/(6·1e-5) loops are divided by it.
func TestLoopsOf36FollowTheLengths(t *testing.T) {
	m := newMachine(constant(1e-5))
	r, err := rate(t, m.Engine, beff.Config{Rules: beff.Rules36, Memory: gib, Patterns: []string{"ring"},
		Methods: []string{"nonblocking"}})
	require.NoError(t, err)
	for _, x := range r.Samples {
		want := int64(4166)
		if x.Length >= 13 {
			want = int64(0.5 / 6e-5 * float64(r.Lengths[x.Length-1]) / float64(r.Lengths[x.Length]))
		}
		require.Equal(t, want, x.Loops, "%+v", x)
	}
}

// The expected time of a rating is its rule's target: 3.75 ms for each sample by the paper's rules, and a fifth of that
// in a quick run. By release 3.6 it is a little more than half of 0.5 s for all patterns together. It is never less
// than the time of one loop in which each process moves its messages.
func TestExpected(t *testing.T) {
	config := beff.Config{Rules: beff.Rules2001, Memory: doubling, Patterns: []string{"ring-2[*]2fix", "ring-1[*]4fix"},
		Methods: []string{"sendrecv"}}
	expected := func(rate float64) float64 {
		plan, err := beff.NewPlan(4, config)
		require.NoError(t, err)
		require.Len(t, plan.Patterns, 2)
		lasts, _ := plan.Expected(rate)
		return lasts.Seconds()
	}
	const fast, slow = 1e15, 1e3
	require.InEpsilon(t, 3*21*2*3.75e-3, expected(fast), 1e-6)
	// A process sends one message in a ring of 2, and two in a ring of 4. At 1000 B/s messages of 4 bytes and more take
	// longer than 3.75 ms, and so do two messages of 2 bytes. So the bytes of all lengths, 2^21 - 1, count without 1
	// and 2, or without 1.
	bytes := float64(1<<21-1-3) + 2*float64(1<<21-1-1)
	require.InEpsilon(t, 3*(bytes/slow+3*3.75e-3), expected(slow), 1e-6)
	config.Quick = true
	require.InEpsilon(t, 21*2*0.75e-3, expected(fast), 1e-6)
	config.Rules = beff.Rules36
	require.InEpsilon(t, 21*0.1*0.6, expected(fast), 1e-6)
	config.Quick = false
	require.InEpsilon(t, 3*21*0.5*0.6, expected(fast), 1e-6)
}

// Messages that are on their way at the same time or one after the other differ in the lowest byte of their marks,
// because a message of one byte carries no more.
func TestMarksDiffer(t *testing.T) {
	var before mpi.Mark
	s := &scripted.Engine{Processes: 4, Cost: func(x scripted.Step) float64 {
		if x.Messages < 2 {
			return 1e-3
		}
		seen := map[byte]bool{}
		for _, c := range x.Program.Loop {
			if c.Op != mpi.Stamp {
				continue
			}
			for _, place := range x.Program.Places[c.Send.First : c.Send.First+c.Send.Count] {
				require.False(t, seen[byte(place.Mark.Key)], "exchanges of a step")
				seen[byte(place.Mark.Key)] = true
				require.EqualValues(t, 1, place.Mark.PerLoop%2, "256 loops differ")
				width := map[bool]int{true: 8, false: 1}[place.Length >= 16]
				require.Equal(t, width, place.Mark.Width, "%d bytes", place.Length)
			}
		}
		first := x.Program.Places[0].Mark
		require.NotEqual(t, byte(before.Key), byte(first.Key), "measurements one after the other")
		before = first
		return 1e-3
	}}
	_, err := rate(t, s, beff.Config{Rules: beff.Rules2001, Memory: doubling, Quick: true,
		Patterns: []string{"ring-1[*]4fix", "cart2d-cyclic-all"}})
	require.NoError(t, err)
}

// The measurements of the two longest messages are shortened if they would take more than 60 s: 6 patterns, 3 methods
// and 3 repetitions, 4 times as long as the fastest pattern now takes, with messages of twice and four times the
// length. 6·3·3·4·(2+4) = 1296 loops of 46.3 ms take 60 s.
func TestLastTwoLengthsOf36(t *testing.T) {
	for seconds, shortened := range map[float64]bool{0.0455: false, 0.0462: false, 0.0464: true, 0.047: true,
		0.1: true} {
		m := newMachine(func(bytes int64) float64 {
			const thirdLongest = 1 << 18
			return seconds * float64(bytes) / thirdLongest
		})
		r, err := rate(t, m.Engine, beff.Config{Rules: beff.Rules36, Memory: doubling, Patterns: []string{"ring"}})
		require.NoError(t, err)
		samples := [21]int{}
		for _, x := range r.Samples {
			samples[x.Length]++
		}
		require.Equal(t, 6*3*3, samples[18])
		if shortened {
			require.Equal(t, []int{6 * 3, 6 * 2}, samples[19:], "one method, and two repetitions of the longest: %v s",
				seconds)
		} else {
			require.Equal(t, []int{6 * 3 * 3, 6 * 3 * 3}, samples[19:], "%v s", seconds)
		}
	}
}

// The last two lengths are measured by the method that was fastest at the third longest, for each pattern.
func TestFastestMethodOf36(t *testing.T) {
	s := &scripted.Engine{Processes: 4}
	var now string              // the pattern
	fastest := map[string]int{} // by pattern
	s.Cost = func(x scripted.Step) float64 {
		if x.Messages == 0 {
			return 0
		}
		if _, ok := fastest[now]; !ok && now != "" {
			fastest[now] = len(fastest) % 3
		}
		method := slices.Index([]string{"MPI_Sendrecv", "MPI_Alltoallv", "MPI_Isend"}, fmt.Sprint(x.Method))
		seconds := 4e-7 * float64(x.Program.Places[0].Length)
		// Longer and shorter messages have other winners, which don't count.
		if x.Program.Places[0].Length == 1<<18 == (method == fastest[now]) {
			return seconds / 1.5
		}
		return seconds
	}
	plan, err := beff.NewPlan(4, beff.Config{Rules: beff.Rules36, Memory: doubling, Patterns: []string{"ring"}})
	require.NoError(t, err)
	calls := 0
	m, err := plan.Measure(s, rating.Observer[beff.Measured]{Now: s.Now, Progress: func(rating.Progress) {
		now = plan.Patterns[calls/len(plan.Methods)%len(plan.Patterns)].Name
		calls++
	}})
	require.NoError(t, err)
	seen := 0
	for _, x := range m.Samples {
		if x.Length < 19 {
			continue
		}
		seen++
		require.EqualValues(t, 1, x.Loops)
		require.Equal(t, fastest[plan.Patterns[x.Pattern].Name], x.Method, "%+v", x)
	}
	require.Equal(t, 6*3+6*2, seen)
}

// By rules 3.6, ten loops without a tick of the clock are followed by 10000, and a clock that does not advance is given
// up at 2^40 loops. By the paper's rules, which run a hundred times as many each time, it is given up at 2^41.
func TestLoopsOfClock(t *testing.T) {
	config := beff.Config{Rules: beff.Rules36, Memory: doubling, Patterns: []string{"ring"},
		Methods: []string{"sendrecv"}}
	m := newMachine(constant(1e-5))
	m.Resolution = 1e-3
	r, err := rate(t, m.Engine, config)
	require.NoError(t, err)
	require.EqualValues(t, 10000, r.Samples[0].Loops)
	require.EqualValues(t, 5000, r.Samples[6].Loops, "6 times 0.1 s were enough")
	require.EqualValues(t, 4166, r.Samples[12].Loops, "6 times 0.05 s were too little: 5000/2 · 0.5/0.3")

	// 10000 loops of 1 ns take no tick either, but after some doublings they do.
	m = newMachine(constant(1e-9))
	m.Resolution = 1e-3
	r, err = rate(t, m.Engine, config)
	require.NoError(t, err)
	require.EqualValues(t, 10000<<7, r.Samples[0].Loops)

	for rules, loops := range map[beff.Rules]int64{beff.Rules36: 10000 << 27, beff.Rules2001: 2 << 40} {
		config.Rules = rules
		_, err = rate(t, newMachine(constant(0)).Engine, config)
		require.ErrorContains(t, err, fmt.Sprintf("the clock does not advance in %d loops", loops))
		require.True(t, strings.HasPrefix(err.Error(), "measure ring-2*2fix"), err)
	}
}
