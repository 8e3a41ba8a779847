package ranking

import (
	"slices"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/foreign"
)

// The benchmarks that have sections in rankings. Only the first two have a rating, and so a rank. For results of other
// programs, a class's rules are the name of the program.
const (
	bEff   = beff.Benchmark
	bEffIO = beffio.Benchmark
	probes = probe.Benchmark
	others = foreign.Benchmark
)

// order lists the benchmarks in the order of their sections.
var order = []string{bEff, bEffIO, probes, others}

// unrated reports whether results of a benchmark have no rating.
func unrated(benchmark string) bool { return benchmark != bEff && benchmark != bEffIO }

// Figures returns all figures of a benchmark's results.
func Figures(benchmark string) []rating.Figure {
	switch benchmark {
	case bEff:
		return beff.Figures.Declared()
	case bEffIO:
		return beffio.Figures.Declared()
	case probes:
		return probe.Figures.Declared()
	}
	return foreign.Figures.Declared()
}

// AllFigures returns the figures of all benchmarks, one for each key.
func AllFigures() (list []rating.Figure) {
	for _, benchmark := range order {
		for _, f := range Figures(benchmark) {
			if !slices.ContainsFunc(list, func(other rating.Figure) bool { return other.Key == f.Key }) {
				list = append(list, f)
			}
		}
	}
	return list
}

// Followed returns the figures that trends follow: those with the given keys, or by default the rating, or the listed
// figures of a benchmark without a rating.
func Followed(benchmark string, keys []string) []rating.Figure {
	return slices.DeleteFunc(Figures(benchmark), func(f rating.Figure) bool {
		switch {
		case len(keys) > 0:
			return !slices.Contains(keys, f.Key)
		case unrated(benchmark):
			return !f.Listed
		}
		return f.Key != benchmark
	})
}

// FigureKeys returns the keys of all figures.
func FigureKeys() []string {
	return lists.Each(AllFigures(), func(f rating.Figure) string { return f.Key })
}
