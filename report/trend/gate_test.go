package trend

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/ranking"
)

// TestGateErrors estimates how often the nightly gate is wrong, with 1,000 series of each kind of noise and a baseline
// of ten nights. docs/studies/data/gate.csv has the table that go test -run TestGateErrors -v ./report/trend prints.
// The limits in the test are what a prediction interval from ten nights can achieve with normal noise.
func TestGateErrors(t *testing.T) {
	const series, baseline, nightsAfter = 1000, 10, 20
	count := func(is bool) int { return map[bool]int{true: 1}[is] }
	kinds := []struct {
		name  string
		noise func(*rand.Rand) float64 // with a standard deviation of 1
	}{
		{"normal", (*rand.Rand).NormFloat64},
		{"skew", func(r *rand.Rand) float64 { return 1 - r.ExpFloat64() }},
		{"heavy tails", func(r *rand.Rand) float64 { // Student's t with 5 degrees
			squares := 0.0
			for range 5 {
				squares += math.Pow(r.NormFloat64(), 2)
			}
			return r.NormFloat64() / math.Sqrt(squares/3)
		}},
	}
	if !testing.Verbose() {
		kinds = kinds[:1]
	}
	for k, kind := range kinds {
		const noise = 0.02
		random := rand.New(rand.NewPCG(uint64(k), 11))
		value := func(fall float64) float64 { return 5e9 * math.Exp(noise*(kind.noise(random)-fall)) }
		alarms, found, dated, steps := 0, 0, 0, 0
		for range series {
			s := &Series{Of: ranking.Figures("b_eff")[0]}
			for i := range baseline + 1 {
				s.Points = append(s.Points, Point{Entry: ranking.Entry{Measurement: idOf(i), Figures: rating.Values{}}})
				s.Points[i].Figures[s.Of.Key] = rating.Value{Value: value(0)}
			}
			s.Levels, s.Last = []Level{{From: 0, To: baseline + 1}}, s.Points[baseline]
			f, ok, err := s.Against(Baseline{Result: idOf(baseline - 1)})
			require.True(t, ok)
			require.NoError(t, err)
			require.Equal(t, f.Ratio < f.Limit, f.Down)
			mean := s.Points[baseline].Figures[s.Of.Key].Value / f.Ratio
			for range nightsAfter { // the limit follows from the baseline only
				alarms += count(value(0)/mean < f.Limit)
				found += count(value(5)/mean < f.Limit)
			}
			var logs []float64
			for i := range 2 * baseline {
				logs = append(logs, math.Log(value(5*float64(count(i >= baseline)))))
			}
			if places, _ := rule.Find(logs); len(places) > 0 {
				steps++
				if places[0] == baseline && len(places) == 1 {
					dated++
				}
			}
		}
		part := func(n, of int) float64 { return 100 * float64(n) / float64(of) }
		t.Logf("| %s | %.2f | %.1f | %.1f | %.1f |", kind.name,
			part(alarms, series*nightsAfter), part(found, series*nightsAfter), part(steps, series), part(dated, series))
		if kind.name == "normal" {
			require.LessOrEqual(t, part(alarms, series*nightsAfter), 1.0)
			require.GreaterOrEqual(t, part(found, series*nightsAfter), 95.0)
			require.GreaterOrEqual(t, part(dated, series), 95.0)
		}
	}
}
