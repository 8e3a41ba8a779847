// Command splits prints how often comparisons between runs of one system are significant, for
// docs/studies/statistics.md. Its arguments are results of b_eff of one engine. For each result it also prints where in
// the run the samples lie that count for b_eff.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/combin"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/compare"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "splits:", err)
		os.Exit(1)
	}
}

// run reads the results and prints a line for each number of runs on both sides.
func run(paths []string, stdout io.Writer) error {
	if len(paths) < 3 {
		return errors.New("want three results of b_eff or more")
	}
	var runs []compare.Sampled
	for _, path := range paths {
		s, where, err := read(path)
		if err != nil {
			return err
		}
		runs = append(runs, s)
		if len(where) > 0 {
			at := func(p float64) float64 { return stat.Quantile(p, stat.Empirical, where, nil) }
			fmt.Fprintf(stdout, "%s: 10, 50, 90 %% of the best samples come before %.2f, %.2f, %.2f of the run\n",
				path, at(0.1), at(0.5), at(0.9))
		}
	}
	squares := 0.0
	for _, r := range runs {
		squares += r.Deviation * r.Deviation
	}
	n := float64(len(runs))
	fmt.Fprintf(stdout, "%d runs differ by %.1f %%, their intervals give %.1f %%\n", len(runs),
		100*math.Sqrt(n)*compare.OfRuns(runs).Deviation, 100*math.Sqrt(squares/n))
	unspread := func(list []compare.Sampled) compare.Sampled { // without the other side's spread between runs
		s := compare.OfRuns(list)
		s.Runs = 0
		return s
	}
	for _, c := range []struct {
		name string
		a, b int
		side func([]compare.Sampled) compare.Sampled
	}{
		{"by itself", 1, 3, unspread},
		{"as compared", 1, 1, compare.OfRuns},
		{"as compared", 1, 3, compare.OfRuns},
		{"as compared", 3, 3, compare.OfRuns},
		{"as compared", 5, 5, compare.OfRuns},
	} {
		if c.a+c.b <= len(runs) {
			significant, n := splits(runs, c.a, c.b, c.side)
			fmt.Fprintf(stdout, "%d and %d, %s: %.1f %% of %d significant\n", c.a, c.b, c.name,
				100*float64(significant)/float64(n), n)
		}
	}
	return nil
}

// read returns the rating of a result with its interval within the run, and the places of the samples that count.
func read(path string) (compare.Sampled, []float64, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return compare.Sampled{}, nil, err
	}
	r := &beff.Result{}
	if err := json.Unmarshal(text, r); err != nil {
		return compare.Sampled{}, nil, fmt.Errorf("%s: %w", path, err)
	}
	s := compare.OfRating(r.Derived.BEff, r.Derived.BEffInterval)
	if s.Degrees == 0 {
		return s, nil, fmt.Errorf("%s: no b_eff with an interval", path)
	}
	return s, places(r), nil
}

// places returns where in a run the samples lie that count for b_eff, as sorted fractions of the run: the best ones of
// each pass, pattern and length.
func places(r *beff.Result) (list []float64) {
	best := map[[3]int]int{}
	each := func(i int) float64 { return r.Samples[i].Seconds / float64(r.Samples[i].Loops) }
	for i, s := range r.Samples {
		key := [3]int{s.Pass, s.Pattern, s.Length}
		if at, is := best[key]; r.Patterns[s.Pattern].Kind != patterns.KindDetail && (!is || each(i) < each(at)) {
			best[key] = i
		}
	}
	for _, i := range best {
		list = append(list, (float64(i)+0.5)/float64(len(r.Samples)))
	}
	slices.Sort(list)
	return list
}

// splits returns how many comparisons of a of the runs with b others are significant, over all ways to choose them.
func splits(runs []compare.Sampled, a, b int, side func([]compare.Sampled) compare.Sampled) (significant, all int) {
	for _, first := range combin.Combinations(len(runs), a) {
		var chosen, rest []compare.Sampled
		for i, r := range runs {
			if slices.Contains(first, i) {
				chosen = append(chosen, r)
			} else {
				rest = append(rest, r)
			}
		}
		for _, second := range combin.Combinations(len(rest), b) {
			var others []compare.Sampled
			for _, i := range second {
				others = append(others, rest[i])
			}
			all++
			if d := (compare.Difference{First: side(chosen), Second: side(others)}); !d.Interval().Holds(1) {
				significant++
			}
		}
	}
	return significant, all
}
