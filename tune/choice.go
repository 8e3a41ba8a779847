package tune

import (
	"cmp"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/stats"
)

// Phase says what a job was made for.
type Phase string

// The phases. What is proven is measured anew: the runs by which an algorithm was chosen make it look better than it
// is.
const (
	Choosing Phase = "choosing"
	Proving  Phase = "proving"
	// Possible jobs measure algorithms that the library doesn't have.
	Possible Phase = "possible"
)

// Settings of jobs that are no algorithms.
const (
	Default = "default" // as the user has it
	Ruled   = "rules"   // with the files of rules
)

// Sample is what a job measured of a collective.
type Sample struct {
	Phase      Phase  `json:"phase" jsonschema:"enum=choosing,enum=proving,enum=possible"`
	Collective string `json:"collective"`
	Processes  int    `json:"processes"`
	// An algorithm's name, or default, or rules.
	Setting string `json:"setting"`
	// Counted from 1. Jobs of a round were made one after the other, in random order.
	Round int `json:"round"`
	// Seconds of a call at each length of the plan; 0: it wasn't measured.
	Seconds []float64 `json:"seconds" jsonschema:"minimum=0"`
}

// Plan is what is measured, and by which rule algorithms are chosen.
type Plan struct {
	Collectives []string `json:"collectives" jsonschema:"minItems=1"`
	// Of jobs, rising.
	Processes []int `json:"processes" jsonschema:"minItems=1"`
	// Bytes, rising: those of the kernels that measure.
	Lengths []int64 `json:"lengths" jsonschema:"minItems=1"`
	Rounds  int     `json:"rounds"`
	// Of the proof, at most.
	Pairs int `json:"pairs"`
	// A chosen algorithm is more than so many times as fast as the default.
	Tolerance float64 `json:"tolerance"`
	// Relative half of the interval of a gain that is narrow enough.
	Within float64 `json:"within"`
	Seed   uint64  `json:"seed"`
}

// LengthsOf returns the lengths of a collective: 0 alone if it has none.
func (p *Plan) LengthsOf(collective string) []int64 {
	if collective == "Barrier" {
		return []int64{0}
	}
	return p.Lengths
}

// Cell is an algorithm beside the default at one length.
type Cell struct {
	Collective string `json:"collective"`
	Processes  int    `json:"processes"`
	Bytes      int64  `json:"bytes"`
	Algorithm  string `json:"algorithm"`
	// Seconds of a call: geometric mean over the rounds.
	Seconds float64 `json:"seconds"`
	// How many times as fast as the default it is: geometric mean over the rounds.
	Ratio float64 `json:"ratio"`
	// Interval of it by itself (95 %), times as fast; 0, like the other end, if it isn't known.
	Low float64 `json:"low"`
	// Times as fast.
	High float64 `json:"high"`
	// Probability, 0 to 1, that the ratio looks as large where it is no more than the tolerance.
	Probability float64 `json:"probability"`
	// The probability is so small that over all cells together any wrong win has one of at most 5 % (Holm).
	Wins bool `json:"wins"`
}

const (
	together = 0.05 // largest probability of any wrong win
	tail     = 0.025
	// least standard deviation of logarithms: less is no spread of a machine.
	least = 1e-6
)

// of returns the samples of a phase, collective and number of processes with a setting.
func of(samples []Sample, phase Phase, collective string, processes int, setting string) (list []Sample) {
	for _, s := range samples {
		if s.Phase == phase && s.Collective == collective && s.Processes == processes && s.Setting == setting {
			list = append(list, s)
		}
	}
	return list
}

// settings returns the settings of samples beside the default, in the order in which they come.
func settings(samples []Sample) (list []string) {
	for _, s := range samples {
		if s.Setting != Default && !slices.Contains(list, s.Setting) {
			list = append(list, s.Setting)
		}
	}
	return list
}

// ratios returns the logarithm of the ratio of the default's time to that of other samples at a length in each round
// that has both, and the geometric mean of the others' times.
func ratios(base, others []Sample, length int) (logs []float64, seconds float64) {
	for _, o := range others {
		i := slices.IndexFunc(base, func(b Sample) bool { return b.Round == o.Round })
		if i < 0 || length >= len(o.Seconds) || length >= len(base[i].Seconds) ||
			!(o.Seconds[length] > 0 && base[i].Seconds[length] > 0) {
			continue
		}
		logs = append(logs, math.Log(base[i].Seconds[length]/o.Seconds[length]))
		seconds += math.Log(o.Seconds[length])
	}
	return logs, math.Exp(seconds / float64(len(logs)))
}

// nothing is half of an interval of logarithms that says as good as nothing; more may have no end that is a number.
const nothing = 100

// seen returns the mean of logarithms as a ratio with its interval, whose ends are 0 if too little is known.
func seen(logs []float64, looks int, wrong float64) (s stats.Seen, ratio, low, high float64) {
	s = stats.Sequential{Looks: looks}.See(logs, least)
	if half := s.Half(wrong); half < nothing {
		low, high = math.Exp(s.Mean-half), math.Exp(s.Mean+half)
	}
	return s, math.Exp(s.Mean), low, high
}

// Cells returns all algorithms of a phase beside the default, whose jobs are those of the choice.
func (p *Plan) Cells(samples []Sample, phase Phase) (list []Cell) {
	for _, collective := range p.Collectives {
		for _, n := range p.Processes {
			base := of(samples, Choosing, collective, n, Default)
			here := slices.DeleteFunc(slices.Clone(samples), func(s Sample) bool {
				return s.Phase != phase || s.Collective != collective || s.Processes != n
			})
			for _, setting := range settings(here) {
				others := of(here, phase, collective, n, setting)
				for i, bytes := range p.LengthsOf(collective) {
					logs, seconds := ratios(base, others, i)
					if len(logs) == 0 {
						continue
					}
					c := Cell{Collective: collective, Processes: n, Bytes: bytes, Algorithm: setting, Seconds: seconds}
					var s stats.Seen
					s, c.Ratio, c.Low, c.High = seen(logs, 1, tail)
					s = s.Against(math.Log(p.Tolerance))
					c.Probability, _ = s.Wrong()
					list = append(list, c)
				}
			}
		}
	}
	wrong := make([]float64, len(list))
	for i, c := range list {
		wrong[i] = c.Probability
	}
	stand, _ := stats.Holm(wrong, together)
	for i := range list {
		list[i].Wins = stand[i]
	}
	return list
}

// Rules returns the rules that follow from cells: at each length the fastest algorithm that wins there; the one of the
// length before is kept where it wins, too, and is slower than the fastest by no more than the tolerance.
func (p *Plan) Rules(cells []Cell, algorithms func(collective string) []Algorithm) (rules []Rule) {
	for _, collective := range p.Collectives {
		lengths := p.LengthsOf(collective)
		for _, n := range p.Processes {
			before := ""
			for i, bytes := range lengths {
				name := p.chosen(cells, collective, n, bytes, before)
				k := slices.IndexFunc(algorithms(collective), func(a Algorithm) bool { return a.Name == name })
				below := 2 * bytes
				if i < len(lengths)-1 {
					below = lengths[i+1]
				}
				last := len(rules) - 1
				switch {
				case k < 0:
				case name == before:
					rules[last].To, rules[last].Below = bytes, below
				default:
					rules = append(rules, Rule{Collective: collective, Processes: n, From: bytes, To: bytes,
						Below: below, Algorithm: algorithms(collective)[k]})
				}
				before = name
			}
		}
	}
	return rules
}

// chosen returns the algorithm of a length, empty: the library goes on to decide.
func (p *Plan) chosen(cells []Cell, collective string, processes int, bytes int64, before string) string {
	var winners []Cell
	for _, c := range cells {
		if c.Wins && c.Collective == collective && c.Processes == processes && c.Bytes == bytes {
			winners = append(winners, c)
		}
	}
	if len(winners) == 0 {
		return ""
	}
	best := slices.MinFunc(winners, func(a, b Cell) int { return cmp.Compare(a.Seconds, b.Seconds) })
	for _, c := range winners {
		if c.Algorithm == before && c.Seconds <= best.Seconds*p.Tolerance {
			return before
		}
	}
	return best.Algorithm
}

// Hopeful returns the algorithms of which there is a length at which they were faster than the default in each round so
// far, and those that weren't measured.
func (p *Plan) Hopeful(samples []Sample, collective string, processes int, list []Algorithm) (kept []Algorithm) {
	base := of(samples, Choosing, collective, processes, Default)
	for _, a := range list {
		others := of(samples, Choosing, collective, processes, a.Name)
		hope := len(others) == 0
		for i := range p.LengthsOf(collective) {
			logs, _ := ratios(base, others, i)
			hope = hope || len(logs) > 0 && slices.Min(logs) > 0
		}
		if hope {
			kept = append(kept, a)
		}
	}
	return kept
}

// Gain is what rules gain at a length, by runs of the proof.
type Gain struct {
	Collective string `json:"collective"`
	Processes  int    `json:"processes"`
	Bytes      int64  `json:"bytes"`
	// The algorithm of the rule; empty: the library decides.
	Algorithm string `json:"algorithm"`
	// How many times as fast as by default it is with the rules: geometric mean over the pairs of jobs.
	Ratio float64 `json:"ratio"`
	// Interval of it, times as fast (95 % for all lengths of the collective and number of processes together, however
	// often it was looked at); 0, like the other end, if it isn't known.
	Low float64 `json:"low"`
	// Times as fast.
	High float64 `json:"high"`
	// Seconds of a call by default.
	Default float64 `json:"default_seconds"`
	// Seconds of a call with the rules.
	Ruled float64 `json:"rules_seconds"`
}

// at returns the algorithm that rules name at a length.
func at(rules []Rule, bytes int64) string {
	for _, r := range rules {
		if bytes >= r.From && bytes <= r.To {
			return r.Algorithm.Name
		}
	}
	return ""
}

// Gains returns the gain at each length of each collective and number of processes with rules.
func (p *Plan) Gains(samples []Sample, rules []Rule) (list []Gain) {
	for _, collective := range p.Collectives {
		for _, n := range sizes(rules, collective) {
			base := of(samples, Proving, collective, n, Default)
			others := of(samples, Proving, collective, n, Ruled)
			lengths := p.LengthsOf(collective)
			for i, bytes := range lengths {
				logs, seconds := ratios(base, others, i)
				if len(logs) == 0 {
					continue
				}
				g := Gain{Collective: collective, Processes: n, Bytes: bytes, Ruled: seconds,
					Algorithm: at(Of(rules, collective, n), bytes)}
				_, g.Ratio, g.Low, g.High = seen(logs, p.Pairs, tail/float64(len(lengths)))
				g.Default = g.Ratio * seconds
				list = append(list, g)
			}
		}
	}
	return list
}

// PairRatios returns for each pair of the proof of a collective on as many processes the ratio of the default's time to
// that with the rules: the geometric mean over the lengths that have a rule.
func (p *Plan) PairRatios(samples []Sample, rules []Rule, collective string, processes int) (list []float64) {
	own := Of(rules, collective, processes)
	for _, o := range of(samples, Proving, collective, processes, Ruled) {
		sum, there := 0.0, 0
		for i, bytes := range p.LengthsOf(collective) {
			logs, _ := ratios(of(samples, Proving, collective, processes, Default), []Sample{o}, i)
			if len(logs) > 0 && at(own, bytes) != "" {
				sum, there = sum+logs[0], there+1
			}
		}
		if there > 0 {
			list = append(list, math.Exp(sum/float64(there)))
		}
	}
	return list
}
