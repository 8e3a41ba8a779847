package ofbeff

import (
	"fmt"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/format/resultfile"
	"github.com/effective-bandwidth/beff/report/prove"
	"github.com/effective-bandwidth/beff/report/schema"
)

// Verify reads a b_eff result document and proves it. The error is the first thing that does not hold. The result then
// is nil, or, where the samples can be averaged at all, what an unverified report may show: its figures follow from the
// samples, and it is not valid.
func Verify(data []byte) (*beff.Result, error) {
	r, err := read(data)
	if err != nil {
		return nil, err
	}
	// First whether it can be averaged at all; what it says of itself comes after that.
	if err := r.Check(); err != nil {
		return nil, err
	}
	stated := *r
	r.Derived, r.Valid = beff.Derived{}, false
	made, err := remade(r)
	if err != nil {
		r.Derived = beff.Derive(r)
		return r, err
	}
	r.Derived = made.Derived
	for _, prove := range []func() error{
		func() error { return rating.Follows("derived", stated.Derived, made.Derived) },
		func() error { return prove.SameCriteria(stated.Verdict, made.Criteria, stated.SchemaVersion) },
		func() error {
			return prove.SameDigest(data, stated.Digest,
				func() (string, error) { return resultfile.BEff.Digest(&stated) })
		},
	} {
		if err := prove(); err != nil {
			return r, err
		}
	}
	r.Valid = stated.Valid
	return r, nil
}

// read checks the shape, and decodes. Where the samples are in lines of their own, shape and decoding are for the rest.
func read(data []byte) (*beff.Result, error) {
	head, samples, ok := resultfile.Split(data)
	if !ok {
		head = data
	}
	r, err := prove.Decoded[beff.Result](head, bEff1)
	if err != nil {
		return nil, err
	}
	if ok {
		r.Samples = samples
	}
	return r, nil
}

var bEff1 = prove.Compiled(func() string { return schema.Of(beff.Benchmark, beff.SchemaVersion) })

// remade plans the run that a result says it is, and makes the result anew of its samples.
func remade(r *beff.Result) (*beff.Result, error) {
	config := beff.Config{Rules: r.Rules, Memory: r.MemoryPerProcess, Seed: r.Seed, Quick: r.Quick, Methods: r.Methods}
	for _, p := range r.Patterns {
		config.Patterns = append(config.Patterns, p.Name)
	}
	plan, err := beff.NewPlan(r.Processes, config)
	if err != nil {
		return nil, fmt.Errorf("no run is like this: %w", err)
	}
	run := rating.Run{Library: r.Engine, Host: r.Host, Layout: job.Layout{Placement: r.Placement}, Started: r.Started}
	if !r.Complete {
		run.Err = rating.ErrStopped
	}
	// Derive counts on the lists that the samples point to.
	if err := r.CheckPlan(plan); err != nil {
		return nil, err
	}
	return beff.NewResult(plan, &beff.Measured{WallSeconds: r.WallSeconds, LoopSeconds: r.LoopSeconds,
		Samples: r.Samples}, run), nil
}
