package beff

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
)

// Separate methods send the messages of rings and random patterns by calls that the paper doesn't use. They are
// measured after the rating, in one pass, with the paper's loop lengths, and never count for b_eff.

// SeparateMethods holds the methods that were measured separately from the rating.
type SeparateMethods struct {
	// Names of these methods.
	Methods []string `json:"methods" jsonschema:"minItems=1,uniqueItems=true"`
	// Bytes per second, logavg_pat(avg_L(max_rep)) over rings and randoms, for each method; 0 if not measured.
	PerMethod []float64 `json:"per_method,omitempty" jsonschema:"minimum=0"`
	// Bytes per second, logavg_pat(max_rep), for each length and method; 0 if not measured.
	PerLengthMethod [][]float64 `json:"per_length_method,omitempty"`
	// Every measurement. Its method is an index into these methods.
	Samples []Sample `json:"samples"`
}

// separatePlan returns the plan that measures rings and random patterns by other methods, in one pass.
func (p *Plan) separatePlan(methods []Method) *Plan {
	q := *p
	q.Methods, q.Rules, q.Config.Passes, q.AtMost, q.Within, q.separate = methods, Rules2001, 0, 0, 0, nil
	q.template = &Result{}
	q.template.plan(&q, nil)
	rated := lists.Of(len(q.Patterns), func(i int) bool { return q.Patterns[i].Kind != patterns.KindDetail })
	q.inPass = [2][]bool{rated, rated}
	return &q
}

// SeparateMethods returns the methods that are measured separately.
func (p *Plan) SeparateMethods() []Method {
	if p.separate == nil {
		return nil
	}
	return p.separate.Methods
}

// measureSeparate makes the measurements of the separate methods that earlier parts of the run lack, and adds them to
// out.
func (p *Plan) measureSeparate(e mpi.Engine, watch rating.Observer[Measured], out *Measured) error {
	keep, before := watch.Keep, *out
	put := func(m Measured) {
		*out = before
		out.Separate, out.settledSeparate = m.Samples, m.settled
		out.WallSeconds, out.LoopSeconds = before.WallSeconds+m.WallSeconds, before.LoopSeconds+m.LoopSeconds
	}
	if keep != nil {
		watch.Keep = func(m Measured) { put(m); keep(*out) }
	}
	if from := watch.Earlier; from != nil {
		watch.Earlier = &Measured{Samples: from.Separate}
	}
	m, err := p.separate.measure(e, watch)
	if m != nil {
		put(*m)
	}
	return err
}

// asRated returns a copy of the result in which the separate methods take the place of the rating's methods.
func (r *Result) asRated() *Result {
	x := *r
	x.Methods, x.Samples, x.Separate = r.Separate.Methods, r.Separate.Samples, nil
	x.Rules, x.Passes, x.AtMost, x.Within = Rules2001, 0, 0, 0
	return &x
}

// derive sets the averages of the separate methods.
func (a *SeparateMethods) derive(r *Result) {
	g := NewGrid(r.asRated())
	a.PerMethod, a.PerLengthMethod = nil, nil
	for m := range a.Methods {
		a.PerMethod = append(a.PerMethod, zeroNaN(g.Both(func(p int) float64 {
			return Mean(0, len(r.Lengths), func(l int) float64 { return g.BestOf(p, l, m) })
		})))
	}
	for l := range r.Lengths {
		var row []float64
		for m := range a.Methods {
			row = append(row, zeroNaN(g.Both(func(p int) float64 { return g.BestOf(p, l, m) })))
		}
		a.PerLengthMethod = append(a.PerLengthMethod, row)
	}
}

// checkSeparate returns an error if the measurements of the separate methods are wrong.
func (r *Result) checkSeparate() error {
	if r.Separate == nil {
		return nil
	}
	for i, m := range r.Separate.Methods {
		if !slices.Contains(methodNames[methodCount:], m) || slices.Contains(r.Separate.Methods[:i], m) {
			return fmt.Errorf("separate methods: %q is unknown or occurs twice", m)
		}
	}
	x := r.asRated()
	if err := x.checkLists(); err != nil {
		return fmt.Errorf("separate methods: %w", err)
	}
	if err := x.checkSamples(); err != nil {
		return fmt.Errorf("separate methods: %w", err)
	}
	return nil
}
