package ofior

import (
	"fmt"

	"github.com/effective-bandwidth/beff/ior"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/rating/journal"
	"github.com/effective-bandwidth/beff/report/prove"
)

// Verify reads a result document and proves it, with results as ofbeff.Verify has them.
func Verify(data []byte) (*ior.Result, error) {
	r, err := prove.Decoded[ior.Result](data, Shape())
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
	err = rating.Follows("derived", stated.Derived, r.Derived, by.Whole)
	if err == nil {
		err = by.SameVerdict(stated.Verdict, made.Verdict)
	}
	if err == nil {
		err = by.SameDigest(data, stated.Digest, func() (string, error) { return Form.Digest(&stated) })
	}
	r.Valid = r.Valid && err == nil
	return r, err
}

// Completed returns the result of a run that has not ended, as ofbeff.Completed does.
func Completed(left *journal.Journal) (r *ior.Result, unread int, err error) {
	if r, err = prove.Decoded[ior.Result](left.Head.Document, Shape()); err != nil {
		return nil, 0, err
	}
	m, unread, err := prove.Replayed(left.Records, (*ior.Measured).Add)
	if err != nil {
		return nil, 0, err
	}
	r.Samples, r.WallSeconds, r.Digest = append([]ior.Sample{}, m.Samples...), m.WallSeconds, ""
	r.Waits, r.Complete, r.Ended = left.Waits, false, rating.ErrUnderWay.Error()
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

// remade returns the result of the run that a result describes, and of the same samples. Ended is the reason of an
// incomplete one.
func remade(r *ior.Result, ended error) (*ior.Result, error) {
	plan, err := ior.NewPlan(r.Processes, ior.Config{Tests: r.Tests})
	if err != nil {
		return nil, fmt.Errorf("no run is like this: %w", err)
	}
	run := ior.Run{FileSystem: r.FileSystem, Run: rating.Run{Library: r.Engine, Host: r.Host,
		Layout: job.Layout{Placement: r.Placement, Memory: r.MemoryThere}, Load: r.Load, Started: r.Started,
		Resolution: r.ClockResolution, Joined: r.Joined, Waits: r.Waits, Schema: r.SchemaVersion}}
	if !r.Complete {
		run.Err = ended
	}
	return ior.NewResult(plan, &ior.Measured{Samples: r.Samples, WallSeconds: r.WallSeconds}, run), nil
}
