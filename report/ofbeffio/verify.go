package ofbeffio

import (
	"cmp"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/rating/journal"
	"github.com/effective-bandwidth/beff/report/prove"
)

// Shape returns the JSON form that result documents must have.
var Shape = sync.OnceValue(func() *prove.Rule {
	return prove.RuleOf[beffio.Result](beffio.Benchmark, beffio.SchemaVersion)
})

// Verify reads a b_eff_io result document and proves it. It returns results as ofbeff.Verify does.
func Verify(data []byte) (*beffio.Result, error) {
	r, err := read(data)
	if err != nil {
		return nil, err
	}
	stated := *r
	// The samples come first: without them no figure can be compared.
	if err := r.Check(); err != nil {
		return nil, err
	}
	r.Derived, r.Valid = beffio.Derive(r), false
	made, err := remade(r, r.EndError(r.Complete))
	if err != nil {
		return r, err
	}
	rules := prove.RulesOf(r.Software, r.Environment, nil)
	r.Verdict = rules.Shown(stated.Verdict, made.Verdict)
	err = cmp.Or(rating.Follows("derived", stated.Derived, r.Derived), rules.SameVerdict(stated.Verdict, made.Verdict),
		prove.SameDigest(data, stated.Digest, func() (string, error) { return Form.Digest(&stated) }))
	r.Valid = r.Valid && err == nil
	return r, err
}

// read returns the result in a document, which must have the Shape.
func read(data []byte) (*beffio.Result, error) {
	return prove.Decoded[beffio.Result](data, Shape())
}

// Completed returns the result of a run that has not ended, as ofbeff.Completed does.
func Completed(left *journal.Journal) (*beffio.Result, int, error) {
	return prove.Completed(left, read, (*beffio.Measured).Add, func(r *beffio.Result, m *beffio.Measured) error {
		r.Samples, r.Files, r.Errors, r.HintsInForce = m.Samples, m.Files, m.Errors, m.Hints
		r.WallSeconds, r.Digest = m.WallSeconds, ""
		r.Waits, r.Complete, r.Ended = left.Waits, false, rating.ErrUnderWay.Error()
		if err := r.Check(); err != nil {
			return err
		}
		made, err := remade(r, rating.ErrUnderWay)
		if err == nil {
			r.Derived, r.Verdict, r.Ended = made.Derived, made.Verdict, made.Ended
		}
		return err
	})
}

// remade plans the run that a result describes, and returns the result of this plan with the same samples. ended is the
// reason why a result is incomplete.
func remade(r *beffio.Result, ended error) (*beffio.Result, error) {
	const longest = math.MaxInt64 / int64(time.Second) / 2
	if r.Duration > float64(longest) || r.AtMost > float64(longest) {
		return nil, fmt.Errorf("no run can have these settings: scheduled for %v s", r.Duration)
	}
	config := beffio.Config{
		Rules: r.Rules, Partitions: r.Partitions, Duration: time.Duration(
			math.Round(r.Duration * float64(time.Second))), Memory: r.MemoryPerProcess,
		TotalMemory: r.TotalMemory, MaxBytes: r.MaxBytes, RewriteAll: r.RewriteAll, NoShared: r.NoShared,
		NoUnique: r.NoUnique, Keep: r.Keep, Quick: r.Quick,
		Hints: r.Hints, Verify: r.Verify, Cold: r.Cold, Quantiles: r.Quantiles,
		Within: r.Within, AtMost: time.Duration(math.Round(r.AtMost * float64(time.Second))),
	}
	plan, err := beffio.NewPlan(r.Processes, config)
	if err != nil {
		return nil, fmt.Errorf("no run can have these settings: %w", err)
	}
	run := beffio.Run{FileSystem: r.FileSystem,
		Run: rating.RunFromHeader(r.Software, r.Machine, r.Period, r.Circumstances, ended)}
	measured := &beffio.Measured{Samples: r.Samples, Files: r.Files, Errors: r.Errors, Hints: r.HintsInForce,
		WallSeconds: r.WallSeconds}
	made := beffio.NewResult(plan, measured, run)
	switch { // Check compares the patterns
	case r.MPart != made.MPart:
		return nil, fmt.Errorf("m_part is %d, by the memory per process it is %d", r.MPart, made.MPart)
	case math.Abs(r.Duration-made.Duration) > rating.Tolerance*made.Duration:
		return nil, fmt.Errorf("duration is %v, in whole nanoseconds it is %v", r.Duration, made.Duration)
	}
	return made, nil
}
