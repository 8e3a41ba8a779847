package ofior

import (
	"cmp"
	"fmt"

	"github.com/effective-bandwidth/beff/ior"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/rating/journal"
	"github.com/effective-bandwidth/beff/report/prove"
)

// Verify reads a result document and proves it, with results as ofbeff.Verify has them.
func Verify(data []byte) (*ior.Result, error) {
	r, err := read(data)
	if err != nil {
		return nil, err
	}
	if err := r.Check(); err != nil {
		return nil, err
	}
	stated := *r
	r.Derived, r.Valid = ior.Derive(r), false
	made, err := remade(r, prove.Reason(r.Period, r.Verdict, r.Complete))
	if err != nil {
		return r, err
	}
	by := prove.RulesOf(r.Identity, r.Software, r.Environment, nil)
	r.Verdict = by.Shown(stated.Verdict, made.Verdict)
	err = cmp.Or(rating.Follows("derived", stated.Derived, r.Derived, by.Whole),
		by.SameVerdict(stated.Verdict, made.Verdict),
		by.SameDigest(data, stated.Digest, func() (string, error) { return Form.Digest(&stated) }))
	r.Valid = r.Valid && err == nil
	return r, err
}

// read returns the result in a document of the schema's shape.
func read(data []byte) (*ior.Result, error) { return prove.Decoded[ior.Result](data, Shape()) }

// Completed returns the result of a run that has not ended, as ofbeff.Completed does.
func Completed(left *journal.Journal) (*ior.Result, int, error) {
	return prove.Completed(left, read, (*ior.Measured).Add, func(r *ior.Result, m *ior.Measured) error {
		r.Samples, r.WallSeconds, r.Digest = append([]ior.Sample{}, m.Samples...), m.WallSeconds, ""
		r.Waits, r.Complete, r.Ended = left.Waits, false, rating.ErrUnderWay.Error()
		if err := r.Check(); err != nil {
			return err
		}
		made, err := remade(r, rating.ErrUnderWay)
		if err == nil {
			r.Derived, r.Verdict = made.Derived, made.Verdict
		}
		return err
	})
}

// remade returns the result of the run that a result describes, and of the same samples. Ended is the reason of an
// incomplete one.
func remade(r *ior.Result, ended error) (*ior.Result, error) {
	plan, err := ior.NewPlan(r.Processes, ior.Config{Tests: r.Tests})
	if err != nil {
		return nil, fmt.Errorf("no run is like this: %w", err)
	}
	run := ior.Run{FileSystem: r.FileSystem,
		Run: rating.RunAgain(r.Identity, r.Software, r.Machine, r.Period, r.Waits, ended)}
	return ior.NewResult(plan, &ior.Measured{Samples: r.Samples, WallSeconds: r.WallSeconds}, run), nil
}
