package beffio

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/rating"
)

// Figures lists the figures of b_eff_io: the ratings, then the main partition's figures, which OfPartition lists.
var Figures = slices.Concat(rating.Figures[Result]{
	{Figure: rating.Figure{Key: Benchmark, Name: Benchmark, About: "effective I/O bandwidth of the best partition",
		Unit: rating.Bandwidth, Rated: true, Listed: true},
		Of: func(r *Result) rating.Value {
			return rating.Value{Value: r.Derived.BEffIO, Within: r.Derived.BEffIOInterval}
		}},
	{Figure: rating.Figure{Key: "b_eff_io_paper", Name: "b_eff_io by the paper",
		About: "b_eff_io of the partition that is best by the paper's formula", Unit: rating.Bandwidth, Rated: true},
		Of: func(r *Result) rating.Value { return r.byFormula(RulesPaper, r.Derived.Paper) }},
	{Figure: rating.Figure{Key: "b_eff_io_2_1", Name: "b_eff_io by release 2.1",
		About: "b_eff_io of the partition that is best by release 2.1's formula", Unit: rating.Bandwidth, Rated: true},
		Of: func(r *Result) rating.Value { return r.byFormula(Rules21, r.Derived.Release21) }},
}, ofMain(OfPartition), rating.Figures[Result]{
	{Figure: rating.Figure{Key: "memory_written", Name: "memory written",
		About: "time in which b_eff_io would write the memory of all nodes in use, or of all processes if the nodes' " +
			"memory isn't known; about 10 minutes on a well-balanced system (paper, Sec. 1)",
		Unit: rating.Duration, Less: true, Rated: true, Listed: true},
		Of: func(r *Result) rating.Value {
			memory := cmp.Or(r.TotalMemory, r.MemoryPerProcess*int64(r.Processes))
			return rating.Value{Value: float64(memory) / r.main().Access(Write).Bandwidth}
		}},
})

// OfPartition lists the figures of a partition: its access methods, then the pattern types of each.
var OfPartition = slices.Concat(accesses(), types())

func accesses() (list rating.Figures[Partition]) {
	for _, a := range Accesses() {
		list = append(list, rating.FigureOf[Partition]{
			Figure: rating.Figure{Key: string(a), Name: string(a),
				About: fmt.Sprintf("bandwidth of access method %s: mean over the pattern types", a),
				Unit:  rating.Bandwidth, Rated: true},
			Of: func(p *Partition) rating.Value {
				m := p.Access(a)
				return rating.Value{Value: m.Bandwidth, Within: m.Interval}
			}})
	}
	return list
}

func types() (list rating.Figures[Partition]) {
	for _, a := range Accesses() {
		for _, t := range Types() {
			list = append(list, rating.FigureOf[Partition]{
				Figure: rating.Figure{Key: fmt.Sprintf("%s_%v", a, t), Name: fmt.Sprintf("%s, %v", a, t),
					About: fmt.Sprintf("bandwidth of pattern type %v with access method %s", t, a),
					Unit:  rating.Bandwidth, Rated: true},
				Of: func(p *Partition) rating.Value { return rating.Value{Value: p.Access(a).Types[t]} }})
		}
	}
	return list
}

// ofMain turns figures of a partition into figures of a result, which has its main partition's values.
func ofMain(list rating.Figures[Partition]) (figures rating.Figures[Result]) {
	for _, f := range list {
		figures = append(figures, rating.FigureOf[Result]{Figure: f.Figure,
			Of: func(r *Result) rating.Value { return f.Of(r.main()) }})
	}
	return figures
}

// byFormula returns the rating x by a formula, with its interval if the run uses the same rules.
func (r *Result) byFormula(rules Rules, x float64) rating.Value {
	v := rating.Value{Value: x}
	if r.Rules == rules {
		v.Within = r.Derived.BEffIOInterval
	}
	return v
}

// Main returns the index of the partition whose figures represent the result: the rated one or, without a rating, the
// largest with samples. It is negative if there is none.
func (r *Result) Main() int {
	main := r.Rated()
	for n, p := range r.Derived.Partitions {
		if r.Derived.BEffIO == 0 && len(p.Accesses) > 0 && (main < 0 || p.Processes > r.Partitions[main]) {
			main = n
		}
	}
	return main
}

// main returns the partition with index Main, or one without figures if there is none.
func (r *Result) main() *Partition {
	if n := r.Main(); n >= 0 {
		return &r.Derived.Partitions[n]
	}
	return &Partition{}
}

// WithRules returns the result as rated by rules, with the best partition by them. With other rules than the run's, no
// interval is known.
func (r *Result) WithRules(rules Rules) *Result {
	if r.Rules == rules {
		return r
	}
	other := *r
	d := &other.Derived
	d.rate(rules)
	d.BEffIOInterval, d.ReadInterval = nil, nil
	return &other
}
