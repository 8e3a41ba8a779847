package accept

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/compare"
	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/report/trend"
	"github.com/effective-bandwidth/beff/stats"
)

// Two systems differ by -50 to +50 %, with a noise of 1 to 40 % and up to five runs each. In 10,000 cases, rank,
// compare, trend and accept never contradict each other. Trend and accept only see cases with at least three runs of
// the first system.
func TestOneJudgement(t *testing.T) {
	const cases = 10_000
	random := rand.New(rand.NewPCG(50, 2))
	seen := map[rating.Order]int{}
	falls, misses := 0, 0
	for range cases {
		noise := 0.01 + 0.39*random.Float64()
		runsOf := func(system string, n int, level float64, from int) (list []ranking.Entry) {
			for i := range n {
				x := level * math.Exp(noise*random.NormFloat64())
				e := ranking.Entry{Class: rating.Class{Benchmark: "b_eff", Rules: "2001"}, Processes: 4,
					File: fmt.Sprint(system, i), Date: time.Date(2026, 1, 1+from+i, 0, 0, 0, 0, time.UTC),
					Measurement: rating.Measurement{Started: int64(from + i + 1)},
					Figures: rating.Values{"b_eff": {Value: x,
						Within: rating.Around(x, 1.96*noise*(0.5+random.Float64()), rating.ByPasses)}}}
				e.System.Name = system
				list = append(list, e)
			}
			return list
		}
		n := 1 + random.IntN(5)
		first := runsOf("A", n, 1e9, 0)
		second := runsOf("B", 1+random.IntN(5), 1e9*(0.5+random.Float64()), n)

		sampled := func(list []ranking.Entry) compare.Sampled {
			return compare.OfRuns(lists.Each(list, func(e ranking.Entry) compare.Sampled {
				return compare.OfRating(e.Rating(), e.Within())
			}))
		}
		d := compare.Difference{Name: "b_eff", First: sampled(first), Second: sampled(second)}
		order := d.Comparison().Order()
		seen[order]++
		ranks := map[string]int{}
		for _, r := range ranking.Rank(append(first, second...), false)[0].Rows {
			ranks[r.System.Name] = r.Rank
		}
		want := map[rating.Order][2]int{rating.Alike: {1, 1}, rating.Larger: {2, 1}, rating.Smaller: {1, 2}}[order]
		require.Equal(t, want, [2]int{ranks["A"], ranks["B"]}, "rank and compare: %+v", d)
		require.Equal(t, order == rating.Smaller, d.Comparison().AtLeast(1, false) == rating.Failed, "the gate: %+v", d)
		list := []compare.Difference{d}
		compare.Test(list)
		require.Equal(t, order != rating.Alike, list[0].Significant, "the table: %+v", d)
		if n < rating.MinRuns {
			continue
		}

		// The newest night is a run of the first system at the second system's mean.
		night := runsOf("A", 1, d.Second.Value, n)
		points := lists.Each(append(first, night...), func(e ranking.Entry) trend.Point {
			return trend.Point{Entry: e}
		})
		series, _ := trend.Of(points, nil)
		fall, ok, err := series[0].Against(trend.Baseline{Result: first[n-1].Measurement})
		require.True(t, ok)
		told := compare.Difference{First: sampled(first), Second: sampled(night)}.Comparison()
		if err == nil && fall.Down {
			falls++
			require.Equal(t, rating.Smaller, told.Order(), "trend and compare: %+v %+v", fall, told)
		}
		if math.Exp(-tolerated*stats.Deviation(logsOf(first))) < minLimit {
			continue // no sheet is made from such runs
		}
		sheet := fmt.Sprintf("title = \"A\"\nspread = \"%.4f %%\"\n[[requirement]]\nid = \"r\"\nfigure = \"b_eff\"\n"+
			"threshold = \"min %.6f MB/s\"\n", 100*max(stats.Deviation(logsOf(first)), minSpread), d.First.Value/1e6)
		s, err := Parse("sheet.toml", []byte(sheet), nil)
		require.NoError(t, err)
		e := s.Evidence(time.Now())
		for i, x := range second {
			e.runs[s.Requirements[0]] = append(e.runs[s.Requirements[0]], Run{File: x.File, System: "B",
				Value: x.Rating(), Date: x.Date, measurement: rating.Measurement{Started: int64(i + 1)}, Processes: 4})
		}
		a := e.Judge()
		switch a.Verdict {
		case Missed:
			misses++
			require.NotEqual(t, rating.Larger, order, "accept and compare: %+v", d)
		case Met:
			require.NotEqual(t, rating.Smaller, order, "accept and compare: %+v", d)
		}
	}
	for _, o := range []rating.Order{rating.Alike, rating.Larger, rating.Smaller} {
		require.Greater(t, seen[o], cases/50)
	}
	require.Greater(t, falls, 0)
	require.Greater(t, misses, 0)
	t.Log(seen, falls, misses)
}

// logsOf returns the logarithms of ratings.
func logsOf(list []ranking.Entry) []float64 {
	return lists.Each(list, func(e ranking.Entry) float64 { return math.Log(e.Rating()) })
}
