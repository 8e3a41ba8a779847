package ofbeffio

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/rating/journal"
	"github.com/effective-bandwidth/beff/report/prove"
	"github.com/effective-bandwidth/beff/report/schema"
)

var bEffIO1 = prove.Compiled(func() string { return schema.Of(beffio.Benchmark, beffio.SchemaVersion) })

// Verify reads a b_eff_io result document and proves it, with results as ofbeff.Verify has them. An imported result has
// no times: its figures follow from the bandwidths that it has instead. Criteria that depend on facts that only the
// imported file had are not proven.
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
	made, err := remadeVerdict(r)
	if err != nil {
		return r, err
	}
	for _, prove := range []func() error{
		func() error {
			return rating.Follows("derived", stated.Derived, r.Derived)
		},
		func() error {
			return prove.SameCriteria(stated.Verdict, made.Criteria, stated.SchemaVersion)
		},
		func() error { return prove.SameSigns(stated.Verdict, made.Signs) },
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
	if len(r.Signs) == 0 { // of a version that had none
		r.Signs, r.Noisy = made.Signs, made.Noisy
	}
	return r, nil
}

// read returns the result in a document of the schema's shape.
func read(data []byte) (*beffio.Result, error) {
	decoded := func(text []byte) (*beffio.Result, error) {
		return prove.Decoded[beffio.Result](text, bEffIO1)
	}
	return Form.Read(data, nil, decoded)
}

// Completed returns the result of a run that has not ended, as ofbeff.Completed does.
func Completed(left *journal.Journal) (r *beffio.Result, unread int, err error) {
	if r, err = read(left.Head.Document); err != nil {
		return nil, 0, err
	}
	m, unread := journal.Replay(left.Records, (*beffio.Measured).Add)
	r.Samples, r.Files, r.Errors, r.HintsInForce = m.Samples, m.Files, m.Errors, m.Hints
	r.PilotErrors, r.PilotWrong = m.PilotErrors, m.PilotWrong
	r.WallSeconds, r.PilotSeconds, r.Digest = m.WallSeconds, m.PilotSeconds, ""
	r.Waits = left.Waits
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

// remadeVerdict returns the verdict on the run that a result describes, by its samples.
func remadeVerdict(r *beffio.Result) (rating.Verdict, error) {
	if r.Imported != "" {
		return rating.Verdict{Criteria: importedCriteria(r)}, nil
	}
	made, err := remade(r, rating.ErrStopped)
	if err != nil {
		return rating.Verdict{}, err
	}
	return made.Verdict, nil
}

// remade plans the run that a result describes, and returns the result of that plan and of the same samples. Ended is
// the reason of an incomplete one.
func remade(r *beffio.Result, ended error) (*beffio.Result, error) {
	const longest = math.MaxInt64 / int64(time.Second) / 2
	if r.Duration > float64(longest) {
		return nil, fmt.Errorf("no run is like this: scheduled for %v s", r.Duration)
	}
	config := beffio.Config{
		Rules: r.Rules, Partitions: r.Partitions, Duration: time.Duration(
			math.Round(r.Duration * float64(time.Second))), Memory: r.MemoryPerProcess,
		TotalMemory: r.TotalMemory, MaxBytes: r.MaxBytes, RewriteAll: r.RewriteAll, NoShared: r.NoShared,
		NoUnique: r.NoUnique, Keep: r.Keep, Quick: r.Quick,
		Hints: r.Hints, Verify: r.Verify,
	}
	plan, err := beffio.NewPlan(r.Processes, config)
	if err != nil {
		return nil, fmt.Errorf("no run is like this: %w", err)
	}
	run := beffio.Run{FileSystem: r.FileSystem, Run: rating.Run{Library: r.Engine, Host: r.Host,
		Layout: job.Layout{Placement: r.Placement, Memory: r.MemoryThere}, Load: r.Load, Started: r.Started,
		Resolution: r.ClockResolution, Joined: r.Joined, Waits: r.Waits}}
	if !r.Complete {
		run.Err = ended
	}
	measured := &beffio.Measured{Samples: r.Samples, Files: r.Files, Errors: r.Errors, Hints: r.HintsInForce,
		PilotErrors: r.PilotErrors, PilotWrong: r.PilotWrong,
		WallSeconds: r.WallSeconds, PilotSeconds: r.PilotSeconds}
	made := beffio.NewResult(plan, measured, run)
	switch { // Check compares the patterns
	case r.MPart != made.MPart:
		return nil, fmt.Errorf("m_part is %d, by the memory per process it is %d", r.MPart, made.MPart)
	case math.Abs(r.Duration-made.Duration) > rating.Tolerance*made.Duration:
		return nil, fmt.Errorf("duration is %v, in whole nanoseconds it is %v", r.Duration, made.Duration)
	}
	return made, nil
}

// importedCriteria returns the criteria that sum21.Read gives. The file alone says whether the time was enough to the
// second, and has further criteria: these stay as they are, where that is possible.
func importedCriteria(r *beffio.Result) []rating.Criterion {
	whole, wrong := r.Complete, r.WrongChunks(-1)
	for _, p := range r.Derived.Partitions {
		whole = whole && p.Release21 > 0
	}
	const rounding = 1e-9 // minutes have one decimal in a .sum file
	seconds := r.Duration / float64(len(r.Partitions)) * (1 + rounding)
	list := []rating.Criterion{
		{Name: "complete", Reached: whole},
		{Name: "time", Reached: seconds >= beffio.Rules21.LeastSeconds() && !r.Quick},
		{Name: "shared", Reached: !r.NoShared},
		{Name: "errors", Reached: wrong == 0},
	}
	if i := slices.IndexFunc(r.Criteria, func(c rating.Criterion) bool { return c.Name == "time" }); i >= 0 {
		list[1].Reached = list[1].Reached && r.Criteria[i].Reached
	}
	for _, c := range r.Criteria[min(len(list), len(r.Criteria)):] {
		list = append(list, rating.Criterion{Name: c.Name})
	}
	return list
}
