package beffio

import (
	"cmp"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/patterns"
)

// Weight returns the weight of a pattern type in a mean over types: scatter, type 0, counts twice (paper, Sec. 5).
func Weight(t patterns.IOType) float64 {
	if t == patterns.Scatter {
		return 2
	}
	return 1
}

// MeanOfTypes returns the weighted mean of a figure over pattern types, or NaN if there are no types.
func MeanOfTypes(types []patterns.IOType, figure func(t patterns.IOType) float64) float64 {
	sum, weights := 0.0, 0.0
	for _, t := range types {
		sum, weights = sum+Weight(t)*figure(t), weights+Weight(t)
	}
	return sum / weights
}

// Share returns the term of a type in the access method's bandwidth, or 0 if the type was not measured.
func (m AccessMethod) Share(t patterns.IOType) float64 {
	weights := 0.0
	for _, other := range Types() {
		if m.Types[other] > 0 {
			weights += Weight(other)
		}
	}
	if weights == 0 {
		return 0
	}
	return Weight(t) / weights * m.Types[t]
}

// Formula defines b_eff_io of a partition as the product of its factors, raised to a power.
type Formula struct {
	Power   float64
	Factors []Factor
}

// Factor is the sum of its terms, divided by Over.
type Factor struct {
	Over  float64
	Terms []Term
}

// Term is a weight times a bandwidth with an access method, of one pattern type or the mean over types.
type Term struct {
	Weight float64
	Access Access
	Type   patterns.IOType // allTypes for the mean over the types

	share bool // only the term of Type in the mean over types
}

// allTypes denotes the mean over the types.
const allTypes patterns.IOType = -1

// formulas holds the formulas of the paper (Sec. 5) and of release 2.1. The latter counts each type of the initial
// write and the rewriting of scatter once, whatever else was rewritten.
var formulas = map[Rules]Formula{
	RulesPaper: {1, []Factor{{1, []Term{{Weight: 0.25, Access: Write, Type: allTypes},
		{Weight: 0.25, Access: Rewrite, Type: allTypes}, {Weight: 0.50, Access: Read, Type: allTypes}}}}},
	Rules21: {0.5, []Factor{{6, []Term{{Weight: 1, Access: Rewrite, Type: patterns.Scatter},
		{Weight: 1, Access: Write, Type: patterns.Scatter}, {Weight: 1, Access: Write, Type: patterns.Shared},
		{Weight: 1, Access: Write, Type: patterns.Separated}, {Weight: 1, Access: Write, Type: patterns.Segmented},
		{Weight: 1, Access: Write, Type: patterns.SegmentedCollective}}},
		{1, []Term{{Weight: 1, Access: Read, Type: allTypes}}}}},
}

// Formula returns the formula of the rules.
func (rules Rules) Formula() Formula { return formulas[rules] }

// Of computes the formula for a partition in bytes per second. It returns 0 if an access method has no bandwidth.
func (f Formula) Of(p *Partition) float64 {
	for _, a := range Accesses() {
		if p.Access(a).Bandwidth == 0 {
			return 0
		}
	}
	product := 1.0
	for _, factor := range f.Factors {
		product *= factor.Of(p)
	}
	return math.Pow(product, f.Power)
}

// Of computes the factor for a partition in bytes per second.
func (f Factor) Of(p *Partition) float64 {
	return lists.SumOf(f.Terms, func(t Term) float64 { return t.Weight * t.Of(p) }) / f.Over
}

// Split returns the factor as a sum of terms of one type each, in measuring order.
func (f Factor) Split() Factor {
	split := Factor{Over: 1}
	for _, term := range f.Terms {
		types, share := []patterns.IOType{term.Type}, false
		if term.Type == allTypes {
			types, share = Types(), true
		}
		for _, t := range types {
			split.Terms = append(split.Terms, Term{term.Weight / f.Over, term.Access, t, share})
		}
	}
	slices.SortStableFunc(split.Terms, func(a, b Term) int {
		return cmp.Or(slices.Index(Accesses(), a.Access)-slices.Index(Accesses(), b.Access), int(a.Type-b.Type))
	})
	return split
}

// Of returns the term's bandwidth for a partition without its weight, in bytes per second.
func (t Term) Of(p *Partition) float64 {
	m := p.Access(t.Access)
	switch {
	case t.Type == allTypes:
		return m.Bandwidth
	case t.share:
		return m.Share(t.Type)
	}
	return m.Types[t.Type]
}

// Rating returns b_eff_io of the partition by the rules, in bytes per second, or 0 if there is none.
func (p *Partition) Rating(rules Rules) float64 {
	if rules == Rules21 {
		return p.Release21
	}
	return p.Paper
}
