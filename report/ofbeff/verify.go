package ofbeff

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/rating/journal"
	"github.com/effective-bandwidth/beff/report/prove"
)

// Verify reads a b_eff result document and proves it. The error names the first thing that is wrong. If the samples
// can't be averaged, the result is nil. Otherwise the result's figures are computed again from the samples. If there is
// an error as well, the result is marked not valid, and an unverified report may show it.
func Verify(data []byte) (*beff.Result, error) {
	r, err := read(data)
	if err != nil {
		return nil, err
	}
	// The samples come first: without them no figure can be compared.
	if err := r.Check(); err != nil {
		return nil, err
	}
	stated := *r
	r.Derived, r.Valid = beff.Derived{}, false
	made, err := remade(r, r.EndError(r.Complete))
	if err != nil {
		r.Derived = beff.Derive(r)
		return r, err
	}
	rules := prove.RulesOf(r.Software, r.Environment, nil)
	have := stated.Verdict
	r.Derived, r.Separate = made.Derived, made.Separate
	r.Verdict = rules.Shown(have, made.Verdict)
	err = rating.Follows("derived", stated.Derived, made.Derived)
	if made.Separate != nil {
		err = cmp.Or(err, rating.Follows("apart", *stated.Separate, *made.Separate))
	}
	err = cmp.Or(err, rules.SameVerdict(have, made.Verdict),
		prove.SameDigest(data, stated.Digest, func() (string, error) { return Form.Digest(&stated) }))
	r.Valid = r.Valid && err == nil
	return r, err
}

// sampleBuffers holds the samples of discarded results. The next results are read into them, because samples take most
// of a result's memory.
var sampleBuffers sync.Pool

// Recycle keeps the samples for reuse by a result that is read later. The caller must not use them any more.
func (r Report) Recycle() {
	sampleBuffers.Put(&r.Samples)
}

// read returns the result in a document, which must have the Shape.
func read(data []byte) (*beff.Result, error) {
	r := new(beff.Result)
	if samples, ok := sampleBuffers.Get().(*[]beff.Sample); ok {
		r.Samples = (*samples)[:0]
	}
	if err := Shape().Decode(data, r); err != nil {
		return nil, err
	}
	return r, nil
}

// Shape returns the JSON form that result documents must have.
var Shape = sync.OnceValue(func() *prove.Rule {
	methods := lists.Each(beff.Methods(), beff.Method.String)
	return prove.RuleOf[beff.Result](beff.Benchmark, beff.SchemaVersion).Only("methods", methods...)
})

// Completed returns the result of a run that has not ended: the document that it began with, and the samples and waits
// of its journal. It also returns the number of records that could not be read.
func Completed(left *journal.Journal) (*beff.Result, int, error) {
	return prove.Completed(left, read, (*beff.Measured).Add, func(r *beff.Result, m *beff.Measured) error {
		r.Samples, r.WallSeconds, r.LoopSeconds, r.Digest = m.Samples, m.WallSeconds, m.LoopSeconds, ""
		if r.Separate != nil {
			r.Separate.Samples = m.Separate
		}
		r.Waits, r.Complete, r.Ended = left.Waits, false, rating.ErrUnderWay.Error()
		r.CountPasses()
		if err := r.Check(); err != nil {
			return err
		}
		made, err := remade(r, rating.ErrUnderWay)
		if err == nil {
			r.Derived, r.Separate, r.Verdict, r.Ended = made.Derived, made.Separate, made.Verdict, made.Ended
		}
		return err
	})
}

// remade plans the run that a result describes, and returns the result of this plan with the same samples. ended is the
// reason why a result is incomplete.
func remade(r *beff.Result, ended error) (*beff.Result, error) {
	config := beff.Config{Rules: r.Rules, Memory: r.MemoryPerProcess, Seed: r.Seed, Quick: r.Quick, Prove: r.Prove,
		Methods: r.Methods, Within: r.Within, MessageMemory: r.MessageMemory,
		AtMost: time.Duration(math.Round(r.AtMost * float64(time.Second)))}
	if config.AtMost == 0 { // otherwise as many as have samples
		config.Passes = r.Passes
	}
	var apart []beff.Sample
	if r.Separate != nil {
		config.Methods, apart = slices.Concat(r.Methods, r.Separate.Methods), r.Separate.Samples
	}
	config.Patterns = lists.Each(r.Patterns, func(p beff.Pattern) string { return p.Name })
	plan, err := beff.NewPlan(r.Processes, config)
	if err != nil {
		return nil, fmt.Errorf("no run can have these settings: %w", err)
	}
	run := rating.RunFromHeader(r.Software, r.Machine, r.Period, r.Circumstances, ended)
	// Samples are indices into the result's lists, so the plan must have the same lists.
	if err := r.CheckPlan(plan); err != nil {
		return nil, err
	}
	return beff.NewResult(plan, &beff.Measured{WallSeconds: r.WallSeconds, LoopSeconds: r.LoopSeconds,
		Samples: r.Samples, Separate: apart}, run), nil
}
