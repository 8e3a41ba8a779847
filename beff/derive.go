package beff

import (
	"math"
	"reflect"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
)

// Derived holds all figures derived from the samples. Bandwidths are in bytes per second, summed over the processes
// unless the name has PerProcess. Latencies are in seconds. A figure whose patterns were not measured is left out, or 0
// in a list.
type Derived struct {
	// The rating in bytes per second; left out unless all 6 rings and 30 randoms were measured.
	BEff float64 `json:"b_eff,omitempty" jsonschema:"minimum=0"`
	// Interval of b_eff within the run in bytes per second, from the spread of repetitions and passes; left out if
	// there is only one repetition.
	BEffInterval *rating.Interval `json:"b_eff_interval,omitempty"`
	// Bytes per second.
	BEffPerProcess float64 `json:"b_eff_per_process,omitempty" jsonschema:"minimum=0"`

	// Bytes per second at the longest message over rings and randoms.
	AtLmax float64 `json:"at_lmax,omitempty" jsonschema:"minimum=0"`
	// Bytes per second.
	AtLmaxPerProcess float64 `json:"at_lmax_per_process,omitempty" jsonschema:"minimum=0"`
	// Bytes per second at the longest message over rings.
	RingsAtLmax float64 `json:"rings_at_lmax,omitempty" jsonschema:"minimum=0"`
	// Bytes per second.
	RingsAtLmaxPerProcess float64 `json:"rings_at_lmax_per_process,omitempty" jsonschema:"minimum=0"`
	// Bytes per second at the longest message between ranks 0 and 1.
	PingPongAtLmax float64 `json:"ping_pong_at_lmax,omitempty" jsonschema:"minimum=0"`

	// Seconds of one exchange of a process at the shortest message.
	LatencyRingsAndRandoms float64 `json:"latency_rings_and_randoms,omitempty" jsonschema:"minimum=0"`
	// Seconds of one exchange of a process at the shortest message.
	LatencyRings float64 `json:"latency_rings,omitempty" jsonschema:"minimum=0"`
	// Seconds of one message of the shortest length between ranks 0 and 1.
	LatencyPingPong float64 `json:"latency_ping_pong,omitempty" jsonschema:"minimum=0"`

	// Bytes per second, logavg_pat(avg_L(max)) over rings: one half of b_eff.
	Rings float64 `json:"rings,omitempty" jsonschema:"minimum=0"`
	// Bytes per second, logavg_pat(avg_L(max)) over randoms: the other half of b_eff.
	Randoms float64 `json:"randoms,omitempty" jsonschema:"minimum=0"`
	// Bytes per second, logavg_pat(avg_L(max_rep)), for each method; 0 if not measured.
	PerMethod []float64 `json:"per_method,omitempty" jsonschema:"minimum=0"`
	// Bytes per second, logavg_pat(max_mthd(avg_L(max_rep))): the best method of each pattern is chosen after averaging
	// over lengths.
	BestMethod float64 `json:"best_method_after_averaging,omitempty" jsonschema:"minimum=0"`
	// Bytes per second, logavg_pat(avg_L(max_mthd)), for each repetition, with the mean over the passes; 0 if not
	// measured.
	PerRepetition []float64 `json:"per_repetition,omitempty" jsonschema:"minimum=0"`
	// Bytes per second, logavg_pat(max), for each length; 0 if not measured.
	PerLength []float64 `json:"per_length,omitempty" jsonschema:"minimum=0"`
	// Bytes per second, logavg_pat(max_rep), for each length and method; 0 if not measured.
	PerLengthMethod [][]float64 `json:"per_length_method,omitempty"`
	// Bytes per second, avg_L(max), for each pattern; 0 if not measured.
	PerPattern []float64 `json:"per_pattern,omitempty" jsonschema:"minimum=0"`
	// Figures of each whole pass; left out if there is only one.
	Passes []Pass `json:"passes,omitempty"`
}

// Derive returns all averages over the samples of a result (paper, Sec. 3). Their indices must be right: see
// Result.Check.
//
//	b_eff = logavg( logavg over rings   ( avg over L ( max over methods ( max over repetitions ( b )))),
//	                logavg over randoms ( the same ))
//	b     = L · messages of the pattern · loops / seconds of the slowest process
//
// With several passes, figures are the geometric means of the passes' figures.
func Derive(r *Result) Derived {
	d, _ := derived(r)
	return d
}

// derived returns the figures, and the grids of the passes, which the signs of noise need.
func derived(r *Result) (Derived, []*Grid) {
	if r.Passes > 1 {
		grids := r.grids()
		return combined(runsOf(grids)), grids
	}
	g := NewGrid(r)
	return g.derive(), []*Grid{g}
}

// derive returns all averages over the samples of one pass.
func (g *Grid) derive() Derived {
	r := g.Result
	var d Derived
	mean := func(f func(p, l int) float64) func(p int) float64 {
		return func(p int) float64 { return Mean(0, len(r.Lengths), func(l int) float64 { return f(p, l) }) }
	}
	d.BEff = math.NaN()
	if r.hasAllPatterns() {
		d.BEff = g.Both(g.average)
	}
	d.Rings = g.LogAverage(patterns.KindRing, g.average)
	d.Randoms = g.LogAverage(patterns.KindRandom, g.average)
	for m := range r.Methods {
		d.PerMethod = append(d.PerMethod, g.Both(mean(func(p, l int) float64 { return g.OfMethod(p, l, m) })))
	}
	d.BestMethod = g.Both(func(p int) float64 {
		return largest(lists.Of(len(r.Methods), func(m int) float64 {
			return mean(func(p, l int) float64 { return g.OfMethod(p, l, m) })(p)
		}))
	})
	for rep := range r.Repetitions {
		d.PerRepetition = append(d.PerRepetition, g.Both(mean(
			func(p, l int) float64 { return g.InRepetition(p, l, rep) })))
	}
	if d.BEff > 0 {
		_, d.BEffInterval = rating.OfPasses([]float64{d.BEff}, d.PerRepetition)
	}
	for l := range r.Lengths {
		d.PerLength = append(d.PerLength, g.Both(func(p int) float64 { return g.Best(p, l) }))
		var row []float64
		for m := range r.Methods {
			row = append(row, g.Both(func(p int) float64 { return g.OfMethod(p, l, m) }))
		}
		d.PerLengthMethod = append(d.PerLengthMethod, row)
	}
	for p := range r.Patterns {
		d.PerPattern = append(d.PerPattern, zeroNaN(g.average(p)))
	}
	d.edges(r, g)
	d.clean()
	return d
}

// edges sets the figures of the longest and the shortest message.
func (d *Derived) edges(r *Result, g *Grid) {
	first, last, processes := 0, len(r.Lengths)-1, float64(r.Processes)
	shortest := func(p int) float64 { return g.Best(p, first) }
	longest := func(p int) float64 { return g.Best(p, last) }
	d.BEffPerProcess = d.BEff / processes
	d.AtLmax = g.Both(longest)
	d.AtLmaxPerProcess = d.AtLmax / processes
	d.RingsAtLmax = g.LogAverage(patterns.KindRing, longest)
	d.RingsAtLmaxPerProcess = d.RingsAtLmax / processes
	// A process makes bandwidth/length/processes exchanges in a second.
	l := float64(r.Lengths[first])
	d.LatencyRingsAndRandoms = processes * l / g.Both(shortest)
	d.LatencyRings = processes * l / g.LogAverage(patterns.KindRing, shortest)
	for i, p := range r.Patterns {
		if p.Name == pingPong {
			d.PingPongAtLmax = longest(i)
			d.LatencyPingPong = l / shortest(i)
		}
	}
}

// clean sets NaN and infinite figures to 0, which leaves them out of the document, because JSON has no NaN.
func (d *Derived) clean() {
	figures := reflect.ValueOf(d).Elem()
	for i := range figures.NumField() {
		if f := figures.Field(i); f.Kind() == reflect.Float64 {
			f.SetFloat(zeroNaN(f.Float()))
		}
	}
	for _, list := range append(d.PerLengthMethod, d.PerMethod, d.PerRepetition, d.PerLength) {
		for i := range list {
			list[i] = zeroNaN(list[i])
		}
	}
}

func zeroNaN(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x
}
