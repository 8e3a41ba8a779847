package beff_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
)

// far is a machine on which a process' messages take longer the farther away their receivers are, so that each order of
// the random patterns has a rating of its own.
func far() *scripted.Engine {
	return &scripted.Engine{Processes: 16, Cost: func(s scripted.Step) float64 {
		seconds := 1e-9
		for _, p := range s.Program.Places {
			seconds += 1e-6 + float64(p.Length)*float64(1+p.Peer)/1e9
		}
		return seconds
	}}
}

// ofRating returns a configuration of the patterns that count.
func ofRating(rules beff.Rules) beff.Config {
	c := config(rules)
	c.Patterns = []string{"ring", "random"}
	return c
}

// Each pass is the rating of a run with its seed, and the rating of all is their geometric mean, with the interval
// between them.
func TestPasses(t *testing.T) {
	for _, rules := range []beff.Rules{beff.Rules2001, beff.Rules36} {
		c := ofRating(rules)
		c.Passes = 3
		r, err := rate(t, far(), c)
		require.NoError(t, err)
		require.NoError(t, r.Check())
		require.True(t, r.Valid, r.Criteria)
		require.Equal(t, 3, r.Passes)
		require.Len(t, r.Derived.Passes, 3)
		runs := r.Runs()
		require.Len(t, runs, 3)
		ratings, rings, reference := []float64{}, []float64{}, []*beff.Result{}
		for i, p := range r.Derived.Passes {
			alone := ofRating(rules)
			alone.Seed += uint64(i)
			want, err := rate(t, far(), alone)
			require.NoError(t, err)
			require.Equal(t, alone.Seed, p.Seed)
			require.InEpsilon(t, want.Derived.BEff, p.BEff, 1e-9)
			require.InEpsilon(t, want.Derived.Randoms, runs[i].Derived.Randoms, 1e-9)
			ratings, rings, reference = append(ratings, want.Derived.BEff), append(rings, want.Derived.Rings),
				append(reference, want)
		}
		require.NotEqual(t, ratings[0], ratings[1], "seeds change")
		mean, in := rating.Between(ratings)
		require.InEpsilon(t, mean, r.Derived.BEff, 1e-9)
		require.InEpsilon(t, in.Low, r.Derived.BEffInterval.Low, 1e-9)
		require.InEpsilon(t, in.High, r.Derived.BEffInterval.High, 1e-9)
		require.Equal(t, rating.ByPasses, r.Derived.BEffInterval.Method, "passes differ, repetitions don't")
		require.InEpsilon(t, rings[0], r.Derived.Rings, 1e-9, "rings are the same in all passes")
		require.Len(t, r.Derived.PerLength, len(r.Lengths))
		g := beff.NewGrid(r)
		require.Len(t, g.Each(0, 0, 0), 9)
		last := len(r.Lengths) - 1
		want := 1.0
		for _, one := range reference {
			want *= beff.NewGrid(one).Best(10, last)
		}
		require.InEpsilon(t, math.Cbrt(want), g.Best(10, last), 1e-9)
		require.InEpsilon(t, r.Derived.PerLength[last], g.Both(func(p int) float64 { return g.Best(p, last) }), 1e-9)
	}
}

// Two passes have a mean, and the interval that they say. Signs are those of the worst pass.
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
	half := math.Log(r.Derived.Passes[1].BEffInterval.High / r.Derived.Passes[1].BEff)
	require.InEpsilon(t, half, math.Log(r.Derived.BEffInterval.High/r.Derived.BEff), 1e-6,
		"the first one may have met one state alone")
	require.InEpsilon(t, math.Sqrt(r.Derived.Passes[0].BEff*r.Derived.Passes[1].BEff), r.Derived.BEff, 1e-12)
	require.True(t, r.Noisy)
	states := map[string]string{}
	for _, x := range r.Signs {
		states[x.Name] = x.Text
	}
	require.Contains(t, states["states"], ", in pass 2")
}

// A run that ended in its second pass has the figures of the first, and goes on to what it would have been.
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

func TestPassesRefused(t *testing.T) {
	for want, c := range map[string]beff.Config{
		"-1 passes: want 1 to 1000":            {Rules: beff.Rules2001, Memory: gib, Passes: -1},
		"1001 passes":                          {Rules: beff.Rules2001, Memory: gib, Passes: 1001},
		"as many passes as its interval needs": {Rules: beff.RulesAdaptive, Within: 0.02, Memory: gib, Passes: 2},
		"want a number or a time":              {Rules: beff.Rules2001, Memory: gib, Passes: 2, AtMost: time.Second},
	} {
		_, err := beff.NewPlan(2, c)
		require.ErrorContains(t, err, want)
	}
	c := config(beff.Rules2001)
	c.Passes, c.Patterns = 2, []string{"ring"}
	for want, change := range map[string]func(r *beff.Result){
		"pass 2 of 2":         func(r *beff.Result) { r.Samples[7].Pass = 2 },
		"pass -1 of 2":        func(r *beff.Result) { r.Samples[7].Pass = -1 },
		"is there twice":      func(r *beff.Result) { r.Samples[7].Pass = 1 },
		"said to be complete": func(r *beff.Result) { r.Samples = r.Samples[:len(r.Samples)/2] },
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

// covering is a plan of the patterns that count whose short passes end within the time of two and a half whole ones,
// and a run of one whole pass.
func covering(t *testing.T) (plan *beff.Plan, one *beff.Result) {
	one, err := rate(t, far(), ofRating(beff.Rules2001))
	require.NoError(t, err)
	c := ofRating(beff.Rules2001)
	c.AtMost = time.Duration(2.5 * one.WallSeconds * float64(time.Second))
	plan, err = beff.NewPlan(16, c)
	require.NoError(t, err)
	require.True(t, plan.Counts())
	require.Equal(t, 33*63, plan.Measurements(), "6 rings and 5 random patterns by 3 methods")
	return plan, one
}

// A run has a round of short passes, and as many further ones as end within its time. None is begun that wouldn't end
// before the wall limit. It is complete either way.
func TestCoveringPasses(t *testing.T) {
	plan, one := covering(t)
	for limit, most := range map[float64]int{math.Inf(1): 100, 1: 5, 0.4: 1} {
		s := far()
		estimates := map[float64]bool{}
		watch := rating.Observer[beff.Measured]{Now: s.Now, Left: func() time.Duration {
			left := limit*one.WallSeconds - s.Now().Sub((&scripted.Engine{}).Now()).Seconds()
			return time.Duration(min(left, 1e6) * float64(time.Second))
		}, Progress: func(p rating.Progress) {
			estimates[p.Estimate.Value] = true
			require.Equal(t, strings.HasPrefix(p.Doing, "pass 1, repetition 1"), p.Estimate.Value == 0, p.Doing)
			require.Equal(t, strings.HasPrefix(p.Doing, "pass 1, repetition 1") ||
				strings.HasPrefix(p.Doing, "pass 1, repetition 2"), p.Estimate.Within == nil, p.Doing)
			left := p.Left.Seconds() + p.Worked.Seconds()
			if !strings.HasPrefix(p.Doing, "pass 1,") && limit > 1 {
				require.InEpsilon(t, plan.AtMost.Seconds(), left, 0.2, p.Doing)
			}
		}}
		m, err := plan.Measure(s, watch)
		require.NoError(t, err)
		r := beff.NewResult(plan, m, known(plan.Processes, rating.Run{}))
		require.NoError(t, r.Check())
		require.True(t, r.Complete && r.Valid, r.Criteria)
		passes := max(1, r.Passes)
		require.LessOrEqual(t, passes, most)
		require.Len(t, r.Samples, passes*plan.Measurements())
		require.Equal(t, plan.AtMost.Seconds(), r.AtMost)
		class := "" // a round has all random patterns; a part of one is of a class of its own
		if passes < 6 {
			class = fmt.Sprintf("%d of 30 randoms", 5*passes)
		}
		require.Equal(t, []any{class, class, class == ""}, []any{r.Part(), r.Criteria[1].Class, r.Criteria[1].Reached})
		if limit == 0.4 {
			continue
		}
		require.LessOrEqual(t, r.WallSeconds, min(limit*one.WallSeconds, r.AtMost))
		require.Contains(t, estimates, r.Derived.Passes[0].BEff)
		if limit == 1 {
			require.Greater(t, passes, 1)
			continue
		}
		require.Greater(t, r.WallSeconds*(1+1.1/float64(passes)), r.AtMost, "one more wouldn't fit")
		require.Greater(t, passes, 6)
		isRound(t, r, one)
		r.AtMost = 1
		r.Samples[0].Pass = 17
		require.ErrorContains(t, r.Check(), "the samples are of 18")
	}
}

// isRound tests that the first six passes of a run have all random patterns that a run of one whole pass has, and the
// figures of it.
func isRound(t *testing.T, r, one *beff.Result) {
	randoms := 1.0
	for i, pass := range r.Runs()[:6] {
		require.Equal(t, one.Seed, pass.Seed)
		require.InEpsilon(t, one.Derived.Rings, pass.Derived.Rings, 1e-3)
		for p, x := range pass.Derived.PerPattern {
			want := one.Derived.PerPattern[p]
			if p >= 6 && p%6 != i {
				want = 0
			}
			require.InDelta(t, want, x, 1e-3*want, "pass %d, pattern %d", i, p)
		}
		randoms *= pass.Derived.Randoms
	}
	require.InEpsilon(t, one.Derived.Randoms, math.Pow(randoms, 1./6), 1e-3)
	require.Equal(t, one.Seed+1, r.Derived.Passes[6].Seed)
	require.NotContains(t, r.Derived.PerPattern, 0.)
}

// A run that goes on has the passes that it has begun, and those that cover what is missing of the time.
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
	require.Greater(t, passes, 6)
	require.Len(t, m.Samples, passes*plan.Measurements())
	require.LessOrEqual(t, m.WallSeconds, plan.AtMost.Seconds())

	// Of passes that ended whole none is lost, although the run didn't end in order.
	last := beff.Measured{Samples: m.Samples[:2*plan.Measurements()]}
	require.Len(t, beff.NewResult(plan, &last, rating.Run{Err: rating.ErrStopped}).Derived.Passes, 2)

	// Nothing but whole passes, which cover the time: nothing is missing.
	s = far()
	m, err = plan.Measure(s, rating.Observer[beff.Measured]{Now: s.Now, Earlier: m})
	require.NoError(t, err)
	require.Len(t, m.Samples, passes*plan.Measurements())
}

// Each detail is in one short pass of the first round, and the ping-pong pair in all.
func TestDetailsOfShortPasses(t *testing.T) {
	c := config(beff.Rules2001)
	c.Patterns, c.AtMost = nil, time.Microsecond
	r, err := rate(t, far(), c)
	require.NoError(t, err)
	for i := range r.Samples { // this machine has all processes in all patterns
		r.Samples[i].Mean = 0
	}
	require.NoError(t, r.Check())
	require.Equal(t, 6, r.Passes)
	in := make([]map[int]bool, len(r.Patterns))
	for _, s := range r.Samples {
		if in[s.Pattern] == nil {
			in[s.Pattern] = map[int]bool{}
		}
		in[s.Pattern][s.Pass] = true
	}
	for p, pattern := range r.Patterns {
		want := 1
		if pattern.Kind == patterns.KindRing || pattern.Name == "ping-pong" {
			want = 6
		}
		require.Len(t, in[p], want, pattern.Name)
		require.Positive(t, r.Derived.PerPattern[p])
		require.Positive(t, beff.NewGrid(r).Best(p, 20))
	}
	require.Positive(t, r.Derived.LatencyPingPong)
	r.Samples = r.Samples[:len(r.Samples)-1]
	require.ErrorContains(t, r.Check(), "said to be complete")
}

// A rating by the paper's rules of all patterns and methods counts.
func TestCounts(t *testing.T) {
	for _, c := range []beff.Config{{Rules: beff.Rules36}, {Rules: beff.Rules2001, Quick: true},
		{Rules: beff.Rules2001, Patterns: []string{"ring"}}, {Rules: beff.Rules2001, Methods: []string{"sendrecv"}},
		{Rules: beff.RulesAdaptive, Within: 0.02}} {
		c.Memory = gib
		plan, err := beff.NewPlan(2, c)
		require.NoError(t, err)
		require.False(t, plan.Counts(), "%+v", c)
	}
}
