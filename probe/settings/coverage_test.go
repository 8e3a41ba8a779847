package settings

import (
	"flag"
	"fmt"
	"math"
	rand "math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/stats"
)

// coverageRows is the number of rows of each line of docs/studies/data/coverage.csv: make coverage.
var coverageRows = flag.Int("coverage", 0, "rows of each line of the coverage table, which is printed; 0: few, not "+
	"printed")

// noise is a distribution of times around 1.
type noise struct {
	name         string
	draw         func(r *rand.Rand) float64
	mean, median float64
}

var noises = []noise{
	{"normal, 2 %", func(r *rand.Rand) float64 { return 1 + 0.02*r.NormFloat64() }, 1, 1},
	{"normal, 10 %", func(r *rand.Rand) float64 { return 1 + 0.1*r.NormFloat64() }, 1, 1},
	{"exponential tail, 10 %", func(r *rand.Rand) float64 { return 1 + 0.1*r.ExpFloat64() }, 1.1, 1 + 0.1*math.Ln2},
	{"lognormal, 50 %", func(r *rand.Rand) float64 { return math.Exp(0.5 * r.NormFloat64()) }, math.Exp(0.125), 1},
	{"normal, 2 %, 1 in 50 five times as long", func(r *rand.Rand) float64 {
		t := 1 + 0.02*r.NormFloat64()
		if r.IntN(50) == 0 {
			t *= 5
		}
		return t
	}, 1.08, 1.0005}, // the median is the quantile 0.5/0.98 of the normal part
}

// stopping is a rule for the number of repetitions.
type stopping struct {
	name string
	take func(draw func() float64) []float64
}

// fixed returns the rule that takes n repetitions.
func fixed(n int) stopping {
	return stopping{fmt.Sprintf("%d repetitions", n), func(draw func() float64) (times []float64) {
		for range n {
			times = append(times, draw())
		}
		return times
	}}
}

// inBatches returns the rule of a series. With each, it checks the precision after each repetition, as MPIBlib does.
func inBatches(name string, p Precision, each bool) stopping {
	return stopping{name, func(draw func() float64) (times []float64) {
		for more := p.First(); more > 0; {
			for range more {
				times = append(times, draw())
			}
			var ended Ending
			if more, ended = p.Next(times); each && ended == "" {
				more = 1
			}
		}
		return times
	}}
}

func stoppings() []stopping {
	mean, median := Default.Precision, Default.Precision
	mean.Max, median.Max = 1000, 1000
	median.Statistic = ByMedian
	return []stopping{fixed(5), fixed(10), fixed(20), fixed(100), inBatches("until ±2.5 %, batches", mean, false),
		inBatches("until ±2.5 %, each repetition", mean, true), inBatches("median until ±2.5 %", median, false)}
}

// covered is a line of the table.
type covered struct {
	mean, median float64 // parts of the rows whose interval contains the true value; NaN without intervals
	repetitions  float64 // mean number
}

// cover draws rows and returns the parts of the intervals that contain the true value.
func cover(n noise, s stopping, rows int) covered {
	random := rand.New(rand.NewPCG(20261122, 11))
	var means, medians, known, all int
	for range rows {
		times := s.take(func() float64 { return n.draw(random) })
		all += len(times)
		if _, in := stats.Mean(times, 0.95); in.Low <= n.mean && n.mean <= in.High {
			means++
		}
		if _, in := stats.Median(stats.Sorted(times), 0.95); in.Known {
			known++
			if in.Low <= n.median && n.median <= in.High {
				medians++
			}
		}
	}
	return covered{float64(means) / float64(rows), float64(medians) / float64(known), float64(all) / float64(rows)}
}

// The interval of a fixed number of normal times covers the mean in 95 % of the rows, whatever their number, and the
// median's interval covers the median in at least as many, for any distribution. A series that stops when its interval
// is narrow covers the mean less often, and least if it checks after each repetition.
func TestCoverage(t *testing.T) {
	const slack, few, fewStopped, normal = 0.01, 1000, 100, 10000
	if *coverageRows > 0 {
		fmt.Printf("| times | series | repetitions | mean in its interval | median in its interval " +
			"|\n|---|---|---|---|---|\n")
	}
	for _, n := range noises {
		var batches, each float64
		for i, s := range stoppings() {
			isFixed, isNormal := i < 4, n.mean == 1 && n.median == 1
			rows := *coverageRows
			switch {
			case rows == 0 && isFixed && isNormal:
				rows = normal
			case rows == 0 && isFixed:
				rows = few
			case rows == 0:
				rows = fewStopped
			}
			c := cover(n, s, rows)
			if *coverageRows > 0 {
				fmt.Printf("| %s | %s | %.0f | %s | %s |\n", n.name, s.name, c.repetitions, inPercent(c.mean),
					inPercent(c.median))
			}
			if isNormal && isFixed {
				require.InDelta(t, 0.95, c.mean, slack, "%s, %s", n.name, s.name)
			}
			if isFixed && !math.IsNaN(c.median) {
				require.GreaterOrEqual(t, c.median, 0.95-2*slack, "%s, %s", n.name, s.name)
			}
			switch i {
			case 4:
				batches = c.mean
			case 5:
				each = c.mean
			}
		}
		require.GreaterOrEqual(t, batches, each-2*slack, n.name)
	}
}

// inPercent returns a part in percent, a dash if there is none.
func inPercent(part float64) string {
	if math.IsNaN(part) {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*part)
}
