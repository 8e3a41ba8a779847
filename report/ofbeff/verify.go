package ofbeff

import (
	"fmt"
	"math"
	"time"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/rating/journal"
	"github.com/effective-bandwidth/beff/report/prove"
	"github.com/effective-bandwidth/beff/report/schema"
)

// Verify reads a b_eff result document and proves it. The error names the first thing that does not hold. The result
// then is nil if the samples can't be averaged. If they can, an unverified report may show it: its figures follow from
// the samples, and it is not valid.
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
	made, err := remade(r, rating.ErrStopped)
	if err != nil {
		r.Derived = beff.Derive(r)
		return r, err
	}
	r.Derived = made.Derived
	before := r.JudgedBefore()
	if before {
		judge(r, made)
	} else if len(r.Signs) == 0 { // of a version that had none
		r.Signs, r.Noisy = made.Signs, made.Noisy
	}
	for _, prove := range []func() error{
		func() error { return rating.Follows("derived", stated.Derived, made.Derived) },
		func() error { return prove.SameCriteria(stated.Verdict, made.Criteria, stated.SchemaVersion) },
		func() error {
			if before {
				return nil
			}
			return prove.SameSigns(stated.Verdict, made.Signs)
		},
		func() error {
			return prove.SameDigest(data, stated.Digest,
				func() (string, error) { return Form.Digest(&stated) })
		},
	} {
		if err := prove(); err != nil {
			return r, err
		}
	}
	r.Valid = stated.Valid
	return r, nil
}

// judge gives a result the signs of noise by today's limits, and the warnings about them.
func judge(r, made *beff.Result) {
	about, _ := rating.AboutSigns(made.Warnings, made.Signs)
	_, others := rating.AboutSigns(r.Warnings, made.Signs)
	r.Warnings = append(about, others...)
	r.Signs, r.Noisy = made.Signs, made.Noisy
}

// read returns the result in a document of the schema's shape. Samples are nearly all of a document: they are read one
// by one, and only the rest goes through schema and encoding/json, with the same result as if all of it did.
func read(data []byte) (*beff.Result, error) {
	return Form.Read(data, readSample,
		func(text []byte) (*beff.Result, error) { return prove.Decoded[beff.Result](text, bEff1) })
}

var bEff1 = prove.Compiled(func() string { return schema.Of(beff.Benchmark, beff.SchemaVersion) })

// Completed returns the result of a run that has not ended: the document that it began with, with the samples and the
// waits of its journal. It also returns the number of records that could not be read.
func Completed(left *journal.Journal) (r *beff.Result, unread int, err error) {
	if r, err = read(left.Head.Document); err != nil {
		return nil, 0, err
	}
	m, unread := journal.Replay(left.Records, (*beff.Measured).Add)
	r.Samples, r.WallSeconds, r.LoopSeconds, r.Digest = m.Samples, m.WallSeconds, m.LoopSeconds, ""
	r.Waits = left.Waits
	r.Count()
	if err := r.Check(); err != nil {
		return nil, unread, err
	}
	made, err := remade(r, rating.ErrUnderWay)
	if err != nil {
		return nil, unread, err
	}
	r.Derived, r.Verdict = made.Derived, made.Verdict
	return r, unread, nil
}

// duration returns seconds as a duration.
func duration(seconds float64) time.Duration {
	return time.Duration(math.Round(seconds * float64(time.Second)))
}

// remade plans the run that a result describes, and returns the result of that plan and of the same samples. Ended is
// the reason of an incomplete one.
func remade(r *beff.Result, ended error) (*beff.Result, error) {
	config := beff.Config{Rules: r.Rules, Memory: r.MemoryPerProcess, Seed: r.Seed, Quick: r.Quick, Methods: r.Methods,
		Passes: r.Passes, Within: r.Within, AtMost: duration(r.AtMost), AtLeast: duration(r.AtLeast)}
	if config.AtLeast > 0 {
		config.Passes = 0 // those that there are samples of
	}
	for _, p := range r.Patterns {
		config.Patterns = append(config.Patterns, p.Name)
	}
	plan, err := beff.NewPlan(r.Processes, config)
	if err != nil {
		return nil, fmt.Errorf("no run is like this: %w", err)
	}
	run := rating.Run{Library: r.Engine, Host: r.Host, Layout: job.Layout{Placement: r.Placement,
		Memory: r.MemoryThere}, Load: r.Load, Started: r.Started, Resolution: r.ClockResolution,
		Joined: r.Joined, Waits: r.Waits}
	if !r.Complete {
		run.Err = ended
	}
	// NewResult needs the lists that the samples point to.
	if err := r.CheckPlan(plan); err != nil {
		return nil, err
	}
	return beff.NewResult(plan, &beff.Measured{WallSeconds: r.WallSeconds, LoopSeconds: r.LoopSeconds,
		Samples: r.Samples}, run), nil
}
