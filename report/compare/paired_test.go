package compare_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/report/compare"
)

// campaign returns how a campaign ends, on a machine whose runs spread by 1.5 % and that has another speed now and then
// for a while, of settings whose true ratio is given.
func campaign(draw *rand.Rand, turns compare.PairedRuns, ratio, other float64) compare.PairedResult {
	slow, ratios := false, []float64{}
	run := func(f float64) float64 {
		if draw.Float64() < 0.1 {
			slow = !slow
		}
		if slow {
			f *= other
		}
		return f * math.Exp(0.015*draw.NormFloat64())
	}
	for {
		a, b := 0.0, 0.0
		if draw.IntN(2) == 0 {
			a = run(1)
			b = run(ratio)
		} else {
			b = run(ratio)
			a = run(1)
		}
		ratios = append(ratios, b/a)
		if s := turns.Result(ratios); s.Over {
			return s
		}
	}
}

// Of 200 campaigns of A against A no more than 5 % find a difference, and of A against 5 % less 90 % do, with no more
// runs than were planned: on a machine that is 8 % slower for a while, and on one whose other state is half as fast.
func TestTurns(t *testing.T) {
	draw := rand.New(rand.NewPCG(5, 35))
	turns := compare.PairedRuns{MaxPairs: 40, Within: 0.02}
	const campaigns = 200
	for _, other := range []float64{0.92, 0.5} {
		alarms, found := 0, 0
		for range campaigns {
			if campaign(draw, turns, 1, other).Differs() {
				alarms++
			}
			s := campaign(draw, turns, 0.95, other)
			require.LessOrEqual(t, s.Pairs, turns.MaxPairs)
			if s.Differs() && s.High < 1 {
				found++
			}
		}
		t.Logf("%d false alarms, %d found of %d", alarms, found, campaigns)
		require.LessOrEqual(t, alarms, campaigns/20+6) // the probability of more is 2 % where it is 5 %
		require.GreaterOrEqual(t, found, campaigns*9/10)
	}
}

// What stands is said: nothing before five pairs, equality, a difference.
func TestPairedResult(t *testing.T) {
	turns := compare.PairedRuns{MaxPairs: 30, Within: 0.02}
	alike := []float64{1.001, 0.999, 1.0005, 0.9995, 1.0002, 0.9998}
	require.Contains(t, turns.Result(alike[:1]).Words("A", "B", "b_eff"), "not known after 1 pair: it takes")
	require.Contains(t, turns.Result(alike[:3]).Words("A", "B", "b_eff"), "not known after 3 pairs")
	s := turns.Result(alike)
	require.True(t, s.Over && s.Equal() && !s.Differs())
	require.Contains(t, s.Words("A", "B", "b_eff"), "equal within 2 %")
	worse := []float64{0.95, 0.951, 0.949, 0.9505, 0.9495, 0.95}
	s = turns.Result(worse)
	require.True(t, s.Over && s.Differs() && !s.Equal())
	require.Contains(t, s.Words("A", "B", "b_eff"), "B is worse than A: -5.00 %")
	require.False(t, turns.Result(nil).Over)
	s = turns.Result([]float64{0.5, 3, 0.2, 4, 0.4})
	require.Regexp(t, `undecided: B against A: 0\.\d+ times \(95 %: 0\.\d+ to [1-9]\S* times; 5 pairs\)$`,
		s.Words("A", "B", "b_eff"))
	s = turns.Result([]float64{5.9, 6, 6.1, 5.8, 6})
	require.Regexp(t, `B is better than A: 5\.\d+ times \(95 %: 5\.\d+ to 6\.\d+ times; 5 pairs\)$`,
		s.Words("A", "B", "b_eff"))
}
