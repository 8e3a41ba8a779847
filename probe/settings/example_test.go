package settings_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/stats"
)

// Time an operation of your own until its median is known to 1 %.
func ExamplePrecision_Next() {
	random := rand.New(rand.NewPCG(1, 2))
	operation := func() (seconds float64) { // in a program: time.Since(start).Seconds()
		return 1e-3 * (1 + 0.05*random.NormFloat64())
	}
	p := settings.Default.Precision
	p.Statistic, p.Relative, p.Max = settings.ByMedian, 0.01, 1000
	if err := p.Check(); err != nil {
		fmt.Println(err)
		return
	}
	for range 10 { // the first ones may be slower
		operation()
	}
	var times []float64
	var ended settings.Ending
	for more := p.First(); ended == ""; more, ended = p.Next(times) {
		for range more {
			times = append(times, operation())
		}
	}
	median, in := stats.Median(stats.Sorted(times), p.Confidence)
	fmt.Printf("%.4f ms (%.4f to %.4f) by %d repetitions, ended by %s\n", 1e3*median, 1e3*in.Low, 1e3*in.High,
		len(times), ended)
	// Output:
	// 1.0013 ms (0.9962 to 1.0080) by 160 repetitions, ended by precision
}
