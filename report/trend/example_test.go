package trend_test

import (
	"fmt"
	"time"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/report/trend"
)

// Warn when tonight's b_eff is below the ten nights before. With result files a point of a report.File f is
// trend.Point{Entry: f.Entry(), Path: f.Path, Facts: f.Facts(), Known: f.RecordsEnvironment()}.
func ExampleGate_Judge() {
	first := time.Date(2026, 11, 1, 3, 0, 0, 0, time.UTC)
	var points []trend.Point
	for i, x := range []float64{5.01, 4.97, 5.02, 4.99, 5.03, 4.98, 5.00, 5.02, 4.96, 5.01, 4.20} {
		date := first.AddDate(0, 0, i)
		points = append(points, trend.Point{Entry: ranking.Entry{Class: rating.Class{Benchmark: "b_eff"},
			System: rating.System{Name: "Hawk"}, Processes: 64, Date: date,
			Measurement: rating.Measurement{Started: date.Unix()},
			Figures:     rating.Values{"b_eff": {Value: x * 1e9}}}})
	}
	series, _ := trend.Of(points, []string{"b_eff"})
	gate := trend.Gate{Baseline: trend.Baseline{Date: first.AddDate(0, 0, 9)}}
	notices, below, err := gate.Judge(series, points)
	fmt.Println(len(below), err, notices[0].Text)
	// Output:
	// 1 <nil> Hawk, 64 processes: b_eff is below the baseline: −16.0 %, limit −1.4 % by 10 results
}
