package beff_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
)

// far is a machine whose messages take longer the farther away their receivers are, so that the rating depends on the
// order of the random patterns.
func far() *scripted.Engine {
	return &scripted.Engine{Processes: 16, Cost: func(s scripted.Step) float64 {
		seconds := 1e-9
		for _, p := range s.Program.Places {
			seconds += 1e-6 + float64(p.Length)*float64(1+p.Peer)/1e9
		}
		return seconds
	}}
}

// countingConfig returns a configuration of the patterns that count.
func countingConfig(rules beff.Rules) beff.Config {
	c := config(rules)
	c.Patterns = []string{"ring", "random"}
	return c
}

// Each pass is a rating of the same patterns. The run's rating is their geometric mean, with an interval from their
// differences. The machine becomes slower from pass to pass.
func TestPasses(t *testing.T) {
	for _, rules := range []beff.Rules{beff.Rules2001, beff.Rules36} {
		c := countingConfig(rules)
		one, err := rate(t, far(), c)
		require.NoError(t, err)
		c.Passes = 3
		e := far()
		cost, pass, slower := e.Cost, 0, 1.0
		e.Cost = func(s scripted.Step) float64 { return cost(s) * slower }
		plan, err := beff.NewPlan(e.Processes, c)
		require.NoError(t, err)
		m, err := plan.Measure(e, rating.Observer[beff.Measured]{Now: e.Now, Progress: func(p rating.Progress) {
			if _, err := fmt.Sscanf(p.Doing, "pass %d", &pass); err == nil {
				slower = 1 + 0.1*float64(pass-1)
			}
		}})
		require.NoError(t, err)
		r := beff.NewResult(plan, m, known(plan.Processes, rating.Run{}))
		require.NoError(t, r.Check())
		require.True(t, r.Valid, r.Criteria)
		require.Equal(t, 3, r.Passes)
		require.Len(t, r.Derived.Passes, 3)
		runs := r.Runs()
		require.Len(t, runs, 3)
		ratings := []float64{}
		for i, p := range r.Derived.Passes {
			require.Equal(t, one.Seed, runs[i].Seed)
			require.InEpsilon(t, one.Derived.BEff/(1+0.1*float64(i)), p.BEff, 2e-3)
			require.Equal(t, p.BEff, runs[i].Derived.BEff)
			ratings = append(ratings, p.BEff)
		}
		mean, _ := rating.OfPasses(ratings, r.Derived.PerRepetition)
		require.InEpsilon(t, mean, r.Derived.BEff, 1e-9)
		_, in := rating.GeometricMean(ratings)
		require.InEpsilon(t, in.Low, r.Derived.BEffInterval.Low, 1e-9)
		require.InEpsilon(t, in.High, r.Derived.BEffInterval.High, 1e-9)
		require.Equal(t, rating.ByPasses, r.Derived.BEffInterval.Method, "passes differ, repetitions don't")
		require.Len(t, r.Derived.PerLength, len(r.Lengths))
		g := beff.NewGrid(r)
		require.Len(t, g.Each(0, 0, 0), 9)
		last := len(r.Lengths) - 1
		want := 1.0
		for _, run := range runs {
			want *= beff.NewGrid(run).Best(10, last)
		}
		require.InEpsilon(t, math.Cbrt(want), g.Best(10, last), 1e-9)
		require.InEpsilon(t, r.Derived.PerLength[last], g.Both(func(p int) float64 { return g.Best(p, last) }), 1e-9)
	}
}

// Two passes have a mean and an interval from their repetitions. The signs are the worst pass's.
func TestTwoPasses(t *testing.T) {
	c := config(beff.Rules2001)
	c.Passes = 2
	all := 0
	var r *beff.Result
	for _, counting := range []bool{true, false} {
		s := far()
		cost := s.Cost
		s.Cost = func(x scripted.Step) float64 {
			if counting {
				all = x.Run
			} else if float64(x.Run) > 0.73*float64(all) { // the second and third repetition of the second pass
				return 3 * cost(x)
			}
			return cost(x)
		}
		var err error
		r, err = rate(t, s, c)
		require.NoError(t, err)
	}
	var each []float64
	for _, pass := range r.Runs() {
		each = append(each, pass.Derived.PerRepetition...)
	}
	_, in := rating.OfPasses([]float64{r.Derived.Passes[0].BEff, r.Derived.Passes[1].BEff}, each)
	require.Equal(t, in, r.Derived.BEffInterval)
	require.InEpsilon(t, math.Sqrt(r.Derived.Passes[0].BEff*r.Derived.Passes[1].BEff), r.Derived.BEff, 1e-12)
	require.True(t, r.Noisy)
	texts := map[string]string{}
	for _, x := range r.Signs {
		texts[x.Name] = x.Text
	}
	require.Contains(t, texts["spread"], ", in pass 2")
}

// A run that ended in its second pass has the figures of the first one. After a resumption it has the same samples as
// an uninterrupted run.
func TestPassesResumed(t *testing.T) {
	c := config(beff.Rules2001)
	c.Passes, c.Patterns = 3, []string{"ring", "random"}
	plan, err := beff.NewPlan(4, c)
	require.NoError(t, err)
	all := plan.Measurements()
	want, _ := journaled(t, plan, nil, all)
	_, kept := journaled(t, plan, nil, all/2)
	half := beff.NewResult(plan, kept, rating.Run{Err: rating.ErrStopped})
	require.NoError(t, half.Check())
	require.Len(t, half.Derived.Passes, 1)
	require.Equal(t, half.Derived.Passes[0].BEff, half.Derived.BEff)
	require.False(t, half.Valid)
	got, _ := journaled(t, plan, kept, all)
	require.Len(t, got.Samples, len(want.Samples))
	for i, s := range got.Samples {
		w := want.Samples[i]
		require.Equal(t, [5]int{w.Pass, w.Repetition, w.Length, w.Pattern, w.Method},
			[5]int{s.Pass, s.Repetition, s.Length, s.Pattern, s.Method})
	}
	begun := &beff.Measured{Samples: kept.Samples[:5]}
	first := beff.NewResult(plan, begun, rating.Run{Err: rating.ErrStopped})
	require.NoError(t, first.Check())
	require.Zero(t, first.Derived.BEff)
}

func TestPassesErrors(t *testing.T) {
	for want, c := range map[string]beff.Config{
		"-1 passes: want 1 to 1000":      {Rules: beff.Rules2001, Memory: gib, Passes: -1},
		"1001 passes":                    {Rules: beff.Rules2001, Memory: gib, Passes: 1001},
		"2 passes in at most 0s: want e": {Rules: beff.Rules2001, Within: 0.02, Memory: gib, Passes: 2},
		"a quick run isn't adaptive":     {Rules: beff.Rules2001, Within: 0.02, Memory: gib, Quick: true},
		"between 0 and 100 %, not 200":   {Rules: beff.Rules2001, Within: 2, Memory: gib},
		"want either a number or a time": {Rules: beff.Rules2001, Memory: gib, Passes: 2, AtMost: time.Second},
	} {
		_, err := beff.NewPlan(2, c)
		require.ErrorContains(t, err, want)
	}
	c := config(beff.Rules2001)
	c.Passes, c.Patterns = 2, []string{"ring"}
	for want, change := range map[string]func(r *beff.Result){
		"pass 2 of 2":         func(r *beff.Result) { r.Samples[7].Pass = 2 },
		"pass -1 of 2":        func(r *beff.Result) { r.Samples[7].Pass = -1 },
		"occurs twice":        func(r *beff.Result) { r.Samples[7].Pass = 1 },
		"complete is true":    func(r *beff.Result) { r.Samples = r.Samples[:len(r.Samples)/2] },
		"1 passes":            func(r *beff.Result) { r.Passes = 1 },
		"-1 passes":           func(r *beff.Result) { r.Passes = -1 },
		"1001 passes":         func(r *beff.Result) { r.Passes = 1001 },
		"more than 1048576 m": func(r *beff.Result) { r.Passes, r.Repetitions = 1000, 3 },
	} {
		r, err := rate(t, far(), c)
		require.NoError(t, err)
		if change(r); want == "more than 1048576 m" {
			r.Patterns = manyPatterns(100)
		}
		require.ErrorContains(t, r.Check(), want)
	}
}

// covering returns a plan of the counting patterns with the time of four and a half passes, and a run of one pass.
func covering(t *testing.T) (plan *beff.Plan, one *beff.Result) {
	one, err := rate(t, far(), countingConfig(beff.Rules2001))
	require.NoError(t, err)
	c := countingConfig(beff.Rules2001)
	c.AtMost = time.Duration(4.5 * one.WallSeconds * float64(time.Second))
	plan, err = beff.NewPlan(16, c)
	require.NoError(t, err)
	require.True(t, plan.Counts())
	require.Equal(t, 36*3*63, plan.Measurements(), "6 rings and 30 random patterns by 3 methods")
	return plan, one
}

// A run has as many passes of the same patterns as end within its time, at least one. None is begun that wouldn't end
// before the wall limit. It is complete either way.
func TestCoveringPasses(t *testing.T) {
	plan, one := covering(t)
	for limit, want := range map[float64]int{math.Inf(1): 4, 2.5: 2, 1.5: 1} {
		s := far()
		estimates := map[float64]bool{}
		watch := rating.Observer[beff.Measured]{Now: s.Now, Left: func() time.Duration {
			left := limit*one.WallSeconds - s.Now().Sub((&scripted.Engine{}).Now()).Seconds()
			return time.Duration(min(left, 1e6) * float64(time.Second))
		}, Progress: func(p rating.Progress) {
			estimates[p.Estimate.Value] = true
			first := strings.HasPrefix(p.Doing, "pass 1, repetition 1")
			require.Equal(t, first, p.Estimate.Value == 0, p.Doing)
			unknown := first || strings.HasPrefix(p.Doing, "pass 1, repetition 2")
			require.Equal(t, unknown, p.Estimate.Within == nil, p.Doing)
			left := p.Left.Seconds() + p.Worked.Seconds()
			if !strings.HasPrefix(p.Doing, "pass 1,") && limit > 4 {
				require.InEpsilon(t, 4*one.WallSeconds, left, 0.2, p.Doing)
			}
		}}
		m, err := plan.Measure(s, watch)
		require.NoError(t, err)
		r := beff.NewResult(plan, m, known(plan.Processes, rating.Run{}))
		require.NoError(t, r.Check())
		require.True(t, r.Complete && r.Valid, r.Criteria)
		require.Equal(t, want, max(1, r.Passes))
		require.Len(t, r.Samples, want*plan.Measurements())
		require.Equal(t, plan.AtMost.Seconds(), r.AtMost)
		require.LessOrEqual(t, r.WallSeconds, r.AtMost)
		require.InEpsilon(t, one.Derived.BEff, r.Derived.BEff, 2e-3, "the same set, however many passes there are")
		if want == 4 {
			passes := r.Derived.Passes
			require.Contains(t, estimates, passes[0].BEff)
			three, _ := rating.OfPasses([]float64{passes[0].BEff, passes[1].BEff, passes[2].BEff}, nil)
			require.Contains(t, estimates, three)
			r.Samples[0].Pass = 17
			require.ErrorContains(t, r.Check(), "the samples have 18")
		}
	}
}

// A resumed run makes the passes that it had begun, and further passes that fit into its remaining time.
func TestCoveringPassesResumed(t *testing.T) {
	plan, _ := covering(t)
	n, s := 0, far()
	kept, err := plan.Measure(s, rating.Observer[beff.Measured]{Now: s.Now,
		Keep: func(m beff.Measured) { n = len(m.Samples) },
		Stop: func() bool { return n > plan.Measurements()*5/2 }})
	require.ErrorIs(t, err, rating.ErrStopped)
	half := beff.NewResult(plan, kept, known(plan.Processes, rating.Run{Err: err}))
	require.NoError(t, half.Check())
	require.Equal(t, 3, half.Passes)
	require.Len(t, half.Derived.Passes, 2)
	require.True(t, half.Valid, "it has whole passes")
	require.NotNil(t, half.Derived.BEffInterval)
	s = far()
	m, err := plan.Measure(s, rating.Observer[beff.Measured]{Now: s.Now, Earlier: kept})
	require.NoError(t, err)
	passes := beff.NewResult(plan, m, rating.Run{}).Passes
	require.Equal(t, 4, passes)
	require.Len(t, m.Samples, passes*plan.Measurements())
	require.LessOrEqual(t, m.WallSeconds, plan.AtMost.Seconds())

	// No whole pass is lost, although the run didn't end in order.
	last := beff.Measured{Samples: m.Samples[:2*plan.Measurements()]}
	require.Len(t, beff.NewResult(plan, &last, rating.Run{Err: rating.ErrStopped}).Derived.Passes, 2)

	// The whole passes use all of the time.
	s = far()
	m, err = plan.Measure(s, rating.Observer[beff.Measured]{Now: s.Now, Earlier: m})
	require.NoError(t, err)
	require.Len(t, m.Samples, passes*plan.Measurements())
}

// Details are only in the first pass, and the ping-pong pair in all passes.
func TestDetailsOfPasses(t *testing.T) {
	c := config(beff.Rules2001)
	c.Patterns, c.Passes = nil, 3
	r, err := rate(t, far(), c)
	require.NoError(t, err)
	for i := range r.Samples { // this machine has all processes in all patterns
		r.Samples[i].Mean = 0
	}
	require.NoError(t, r.Check())
	in := make([]map[int]bool, len(r.Patterns))
	for _, s := range r.Samples {
		if in[s.Pattern] == nil {
			in[s.Pattern] = map[int]bool{}
		}
		in[s.Pattern][s.Pass] = true
	}
	for p, pattern := range r.Patterns {
		want := 3
		if pattern.Kind == patterns.KindDetail && pattern.Name != "ping-pong" {
			want = 1
		}
		require.Len(t, in[p], want, pattern.Name)
		require.Positive(t, r.Derived.PerPattern[p])
		require.Positive(t, beff.NewGrid(r).Best(p, 20))
	}
	require.Positive(t, r.Derived.LatencyPingPong)
	r.Samples = r.Samples[:len(r.Samples)-1]
	require.ErrorContains(t, r.Check(), "complete is true")
}

// A figure of some patterns has an interval by the passes and repetitions that measured them.
func TestIntervalOfFigures(t *testing.T) {
	c := countingConfig(beff.Rules2001)
	c.Passes = 3
	k := kind{begin: calm, noise: normal(0.02)}
	r := onScript(t, c, &k, rand.New(rand.NewPCG(1, 2)))
	var grids []*beff.Grid
	for _, pass := range r.Runs() {
		grids = append(grids, beff.NewGrid(pass))
	}
	all := func(g *beff.Grid) float64 {
		return g.Both(func(p int) float64 {
			return beff.Mean(0, len(g.Lengths), func(l int) float64 { return g.Best(p, l) })
		})
	}
	mean, in := beff.OfPasses(grids, all)
	require.InEpsilon(t, r.Derived.BEff, mean, 1e-12)
	require.InEpsilon(t, r.Derived.BEffInterval.Low, in.Low, 1e-6)
	one := func(g *beff.Grid) float64 { return g.BestOf(3, 20, 1) }
	_, narrow := beff.OfPasses(grids, one)
	require.Greater(t, narrow.RelativeHalfWidth(1), in.RelativeHalfWidth(1),
		"a single measurement is less sure than the mean of all")
	mean, in = beff.OfPasses(grids, func(*beff.Grid) float64 { return math.NaN() })
	require.True(t, math.IsNaN(mean))
	require.Nil(t, in)
}

// Only a rating of all patterns and methods by the paper's rules counts.
func TestCounts(t *testing.T) {
	for _, c := range []beff.Config{{Rules: beff.Rules36}, {Rules: beff.Rules2001, Quick: true},
		{Rules: beff.Rules2001, Patterns: []string{"ring"}}, {Rules: beff.Rules2001, Methods: []string{"sendrecv"}}} {
		c.Memory = gib
		plan, err := beff.NewPlan(2, c)
		require.NoError(t, err)
		require.False(t, plan.Counts(), "%+v", c)
	}
}
