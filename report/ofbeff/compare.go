package ofbeff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/compare"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// Compared compares sides with the first one. The results have passed beff's Result.Check. If the numbers of processes
// differ, figures are per process.
func Compared(names []string, sides [][]*beff.Result) (*compare.Comparison, error) {
	var list []side
	perProcess := false
	for _, runs := range sides {
		perProcess = perProcess || runs[0].Processes != sides[0][0].Processes
		list = append(list, sideOf(runs))
	}
	return compare.Kind[beff.Result]{
		Title: beff.Benchmark, Meaning: meaning,
		Figures: beff.Figures, PerProcess: perProcess, Aspects: aspects, Each: "area",
		Header: func(r *beff.Result) parts.Header { return Report{r}.Header() },
		Fact:   func(r *beff.Result) string { return "rules " + string(r.Rules) },
		Shown:  "Bandwidths" + words.Either(perProcess, " per process", ""),
		Terms: "Rings: the processes form rings and send to their neighbours. Randoms: the same in random order. " +
			"Lmax: the longest message. Latency × bandwidth: the length from which messages use at least half of the " +
			"bandwidth at Lmax. Memory communicated: the time in which b_eff sends as much as all memory holds.",
		Nothing:  "both results need all ring and random patterns",
		SpreadOf: func(key string, i int) compare.Sampled { return list[i].spreadOf(key) },
		Against: func(i int) compare.Pair {
			p := against(list[0], list[i], perProcess, names[0], names[i])
			if both := systemsOf(names, [][]*beff.Result{sides[0], sides[i]}); len(both) == 2 && p.Groups != nil {
				p.Lengths = atLengths(both[0], both[1], system.at)
			}
			return p
		},
		Pictures: func([]compare.Pair) []*document.Figure {
			below, patterns := Ratios(names, sides)
			return append(Overlay(names, lists.Each(sides, joined), below), patterns...)
		},
		Method: []string{"The 11 message lengths up to 1 kB are short, the next six are middle, and the last four, " +
			"up to Lmax, are long. Lengths and rings are paired by their position in the list."},
		Spread: "Each figure has an interval within its run as b_eff has, computed from the differences between the " +
			"passes and between their repetitions.",
	}.Compare(names, sides)
}

// aspects are the facts that results should have in common to be compared.
var aspects = []compare.Aspect[beff.Result]{
	{Level: document.Bad, Names: "rules",
		Of:     func(r *beff.Result) string { return string(r.Rules) },
		Remedy: "rules determine loop lengths: compare results of the same rules"},
	{Level: document.Bad, Names: "longest messages",
		Of: func(r *beff.Result) string { return words.Length(r.Lmax) },
		Remedy: "b_eff depends on the longest message, so these ratings do not measure the same thing: use the " +
			"same --memory"},
	{Level: document.Bad, Names: "memory of messages",
		Of:     func(r *beff.Result) string { return cmp.Or(r.Place(), "host") },
		Remedy: "the ratings are of different classes: measure both with the same --buffers and --staged"},
	{Level: document.Warning, Names: "numbers of processes",
		Of:     func(r *beff.Result) string { return fmt.Sprint(r.Processes) },
		Remedy: "all figures but latencies and ping-pong are per process"},
	{Level: document.Warning, Names: "numbers of processes per node",
		Of:     func(r *beff.Result) string { return compare.Counted(r.PerNode()) },
		Remedy: "within a node messages go through its memory, between nodes through the network"},
}

// side holds the runs of one side.
type side []run

// run is a run of a side, with the grids of its passes.
type run struct {
	*beff.Result
	passes []*beff.Grid
}

func sideOf(results []*beff.Result) side {
	return lists.Each(results, func(r *beff.Result) run { return run{r, lists.Each(r.Runs(), beff.NewGrid)} })
}

// joined returns one result to show for the runs of a side. Its figures are their means.
func joined(results []*beff.Result) *beff.Result {
	if len(results) == 1 {
		return results[0]
	}
	whole := *results[0]
	whole.Derived = beff.Combined(results)
	for _, r := range results {
		whole.Valid = whole.Valid && r.Valid
		if r.Started.After(whole.Started) {
			whole.Started = r.Started
		}
	}
	return &whole
}

// all reports whether the runs of a side have all message lengths.
func (s side) all() bool {
	return !slices.ContainsFunc(s, func(r run) bool { return len(r.Lengths) != allLengths })
}

// of returns a bandwidth of a side. figure returns the bandwidth in a run, with the interval within the run.
func (s side) of(perProcess bool, figure func(run) (float64, *rating.Interval)) compare.Sampled {
	var runs []compare.Sampled
	for _, r := range s {
		x, in := figure(r)
		one := compare.OfRun(r.Engine.Kind().Simulated, x, in)
		if perProcess {
			one.Value /= float64(r.Processes)
		}
		runs = append(runs, one)
	}
	return compare.OfRuns(runs)
}

// against compares two sides.
func against(a, b side, perProcess bool, first, second string) compare.Pair {
	of := func(figure func(run) (float64, *rating.Interval)) (x, y compare.Sampled) {
		return a.of(perProcess, figure), b.of(perProcess, figure)
	}
	p := compare.Pair{Main: compare.Difference{Name: beff.Benchmark + words.Either(perProcess, " per process", "")}}
	p.Main.First, p.Main.Second = of(func(r run) (float64, *rating.Interval) {
		return r.Derived.BEff, r.Derived.BEffInterval
	})
	if !a.all() || !b.all() {
		return p
	}
	rows := []compare.Row{compare.OfBandwidth(beff.Benchmark, p.Main.First, p.Main.Second)}
	rows[0].Main = true
	for _, area := range areas(a[0].passes[0]) {
		x, y := of(area.of)
		rows = append(rows, compare.OfBandwidth(area.name, x, y))
	}
	p.Groups = compare.Ungrouped(rows)
	var lengths document.List
	for _, class := range classes {
		x, y := class.in(a[0].Lengths), class.in(b[0].Lengths)
		if x != y {
			x = strings.Join([]string{x, "of", first + ",", y, "of", second}, " ")
		}
		lengths = append(lengths, class.name+": "+x)
	}
	p.Remarks = []document.Block{lengths}
	return p
}
