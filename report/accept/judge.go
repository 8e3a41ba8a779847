package accept

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/words"
	"github.com/effective-bandwidth/beff/stats"
)

// Verdict is the verdict on a requirement or on a sheet.
type Verdict string

// The verdicts.
const (
	Met             Verdict = "met"
	Missed          Verdict = "missed"
	Undecided       Verdict = "undecided"
	NotMeasured     Verdict = "not measured"
	ConditionFailed Verdict = "condition failed" // there are runs, but none counts
	MayMiss         Verdict = "may miss"         // not met, but one of the lengths of its list that may miss
	Reported        Verdict = "reported"         // the requirement has no threshold
)

// Verdicts lists the verdicts, starting with the one that decides a sheet's verdict first.
var Verdicts = []Verdict{Missed, ConditionFailed, NotMeasured, Undecided, Met, MayMiss, Reported}

// Judged is a requirement with its verdict.
type Judged struct {
	*Requirement
	Verdict        Verdict
	Reason         string  // in words
	Runs           []Run   // all runs, the oldest first; a run that doesn't count has a reason in Refused
	Used           int     // number of runs that count
	Units          int     // number of independent values: days or runs
	Value          float64 // geometric mean of these values; NaN if none is known
	Low            float64 // lower bound of the true value, with the sheet's error probability; NaN if not known
	High           float64 // upper bound, likewise
	Margin         float64 // relative distance to the nearer limit, negative on its wrong side; NaN without limits
	PValue         float64 // probability of data at least as clear if the verdict were wrong; NaN if not known
	MoreUnits      int     // further units needed if value and spread stay, 0 for none, or -1 if not known or very many
	SpreadMeasured bool    // the spread is estimated from the runs, not stated in the sheet

	maxPValue float64 // largest PValue with which the verdict is met or missed
	direction float64 // verdict with the smaller PValue: 1 met, -1 missed
	test      stats.MeanTest
}

// Acceptance is a sheet with its verdicts.
type Acceptance struct {
	*Evidence
	Verdict  Verdict
	Judged   []*Judged
	System   string // system of the results
	Library  string
	Notes    []string  // remarks on the runs that count
	Started  time.Time // date of the first run that counts
	Finished time.Time // date of the last run that counts
}

// Judge returns the verdicts of the sheet on each system of results. It skips files that aren't usable, which callers
// should name with their Problem, and copies of a measurement.
func (s *Sheet) Judge(files []*report.File, now time.Time) []*Acceptance {
	e := s.Evidence(now)
	var copies report.Copies
	for _, f := range copies.Drop(lists.Where(files, func(f *report.File) bool { return f.Usable })) {
		t := e.Take(f)
		e.Add(t)
		e.See(Read{File: f.Name(), Status: t.Status, System: t.System})
	}
	return lists.Each(e.Systems(), (*Evidence).Judge)
}

// Judge returns the verdicts on one system. If runs are of different classes, they can't be averaged, so only the class
// with the most runs counts. The others are listed.
func (e *Evidence) Judge() *Acceptance {
	a := &Acceptance{Evidence: e, System: e.name}
	for _, r := range e.Requirements {
		j := &Judged{Requirement: r, Value: math.NaN(), Low: math.NaN(), High: math.NaN(), Margin: math.NaN(),
			PValue: math.NaN()}
		j.Runs = slices.Clone(e.runs[r])
		slices.SortStableFunc(j.Runs, func(x, y Run) int {
			return cmp.Or(x.Date.Compare(y.Date), strings.Compare(x.File, y.File))
		})
		a.Judged = append(a.Judged, j)
	}
	a.keepSameRuns()
	for _, j := range a.Judged {
		if text := j.keepOneClass(); text != "" && !slices.Contains(a.Notes, text) {
			a.Notes = append(a.Notes, text)
		}
	}
	a.keepSameRuns()
	for _, j := range a.Judged {
		for _, run := range j.counted() {
			if a.Library == "" {
				a.System, a.Library = run.System, run.Library
			}
			if !run.Date.IsZero() && (a.Started.IsZero() || run.Date.Before(a.Started)) {
				a.Started = run.Date
			}
			if run.Date.After(a.Finished) {
				a.Finished = run.Date
			}
		}
		j.measure(e.Sheet)
	}
	a.decide()
	return a
}

// counted returns the runs that count.
func (j *Judged) counted() []Run {
	return slices.DeleteFunc(slices.Clone(j.Runs), func(r Run) bool { return r.Refused != "" })
}

// keepSameRuns refuses runs that lack a figure which the sheet requires from the same run. It repeats this until
// nothing changes, since a refused run may be required by others.
func (a *Acceptance) keepSameRuns() {
	for a.refuseSameRuns() {
	}
}

// refuseSameRuns is one step of keepSameRuns. It reports whether it refused any run.
func (a *Acceptance) refuseSameRuns() (refused bool) {
	has := map[string]map[rating.Measurement]bool{}
	for _, j := range a.Judged {
		has[j.ID] = map[rating.Measurement]bool{}
		for _, run := range j.counted() {
			has[j.ID][run.measurement] = true
		}
	}
	for _, j := range a.Judged {
		for i := range j.Runs {
			for _, id := range j.SameRun {
				if run := &j.Runs[i]; run.Refused == "" && !has[id][run.measurement] {
					run.Refused, refused = "this run has no value that counts for "+id, true
				}
			}
		}
	}
	return refused
}

// keepOneClass refuses runs that can't be averaged with the others, because most runs have another class, size or
// library. If several groups are equally large, it keeps the group with the newest run, and returns a remark.
func (j *Judged) keepOneClass() (remark string) {
	var cells rating.Cells
	runsOf := map[int][]*Run{}
	largest := 0
	for i := range j.Runs {
		run := &j.Runs[i]
		if run.Refused != "" {
			continue
		}
		b := run.basis
		b.Processes, b.PerNode, b.System = run.Processes, words.Either(j.Processes > 0, 0, b.PerNode), ""
		n, _ := cells.Of(b)
		if runsOf[n] = append(runsOf[n], run); len(runsOf[n]) >= len(runsOf[largest]) {
			largest = n
		}
	}
	for n := range len(runsOf) {
		runs := runsOf[n]
		if n == largest {
			continue
		}
		kept, reason := runsOf[largest][0].basis, "not in the class of most results: "
		equal := len(runs) == len(runsOf[largest])
		if equal {
			reason = "not in the class of the newest result, which has as many results: "
		}
		for _, run := range runs {
			differences := kept.Differs(run.basis)
			if kept.Library != run.basis.Library {
				differences = append(differences, "libraries "+kept.Library+" and "+run.basis.Library)
			}
			text := words.Joined(differences, "and")
			if run.Refused = reason + text; equal {
				remark = "two classes have equally many results, so only the class of the newest result counts (" +
					text + "): choose by where in the sheet"
			}
		}
	}
	return remark
}

// units returns the logarithms of the independent values: a mean for each day, or a value for each run, by the sheet's
// unit. Runs without a date count as one day.
func (j *Judged) units(unit string) (list []float64) {
	dayIndex := map[string]int{}
	var groups [][]float64
	for i, run := range j.counted() {
		key := run.Date.UTC().Format(time.DateOnly)
		if unit == EachRun {
			key = fmt.Sprint(i)
		}
		if _, seen := dayIndex[key]; !seen {
			dayIndex[key] = len(groups)
			groups = append(groups, nil)
		}
		groups[dayIndex[key]] = append(groups[dayIndex[key]], math.Log(run.Value))
	}
	for _, logs := range groups {
		mean, _ := stats.Mean(logs, defaultConfidence)
		list = append(list, mean)
	}
	return list
}

// measure computes the value, its bounds, the margin, and the p-value of the verdict.
func (j *Judged) measure(s *Sheet) {
	runs := j.counted()
	if j.Used = len(runs); j.Used == 0 {
		return
	}
	logs, withinRuns := j.units(s.Unit), 0.0
	for _, run := range runs {
		withinRuns += run.Within / float64(j.Used)
	}
	j.Units = len(logs)
	j.test = stats.Sequential{Looks: s.MaxUnits, Spread: j.Requirement.Spread}.Test(logs, withinRuns)
	j.Value, j.SpreadMeasured = math.Exp(j.test.Mean), j.test.By == stats.MeasuredSpread
	if half := j.test.Half(1 - s.Confidence); !math.IsNaN(half) {
		j.Low, j.High = j.Value*math.Exp(-half), j.Value*math.Exp(half)
	}
	if runs[0].model {
		j.Low, j.High = j.Value, j.Value
	}
	t := j.Threshold
	if !t.Given() {
		return
	}
	// Each bound is tested separately. The requirement is met if it meets all bounds, and missed if it misses one.
	met, missed := 0.0, 1.0
	for _, b := range []struct{ limit, sign float64 }{{t.Low, 1}, {t.High, -1}} {
		if math.IsInf(b.limit, 0) || b.limit <= 0 {
			continue
		}
		margin := b.sign * (j.Value/b.limit - 1)
		if math.IsNaN(j.Margin) || margin < j.Margin {
			j.Margin = margin
		}
		above, below := j.pValues(b.limit, b.sign, runs[0].model)
		met, missed = max(met, above), min(missed, below)
	}
	if !math.IsInf(t.Low, 0) && !math.IsInf(t.High, 0) {
		missed = min(1, 2*missed)
	}
	if j.PValue, j.direction = met, 1; missed < met {
		j.PValue, j.direction = missed, -1
	}
}

// pValues returns the p-values of the verdicts met and missed at a limit. sign is 1 if values above the limit are good,
// and -1 if values below are. A model has no noise.
func (j *Judged) pValues(limit, sign float64, model bool) (met, missed float64) {
	distance := sign * (j.test.Mean - math.Log(limit))
	if model {
		if distance >= 0 {
			return 0, 1
		}
		return 1, 0
	}
	test := j.test.Against(math.Log(limit))
	above, below := test.PValues()
	if sign < 0 {
		above, below = below, above
	}
	return above, below
}

// decide sets the verdicts that hold together by Holm's rule over all requirements with thresholds.
func (a *Acceptance) decide() {
	var tested []*Judged
	var pValues []float64
	for _, j := range a.Judged {
		if j.Threshold.Given() {
			tested = append(tested, j)
			pValues = append(pValues, words.Either(math.IsNaN(j.PValue), 1, j.PValue))
		}
	}
	decided, levels := stats.Holm(pValues, 1-a.Confidence)
	for i, j := range tested {
		j.maxPValue = levels[i]
		switch {
		case j.Used > 0 && decided[i] && j.Used >= j.MinRuns:
			j.Verdict = words.Either(j.direction > 0, Met, Missed)
		case j.Used > 0:
			j.Verdict = Undecided
			j.setMoreUnits(a.Sheet)
		}
	}
	for _, j := range a.Judged {
		switch {
		case j.Used == 0 && (len(j.Runs) > 0 || a.noneVerifies()):
			j.Verdict = ConditionFailed
		case j.Used == 0:
			j.Verdict = NotMeasured
		case !j.Threshold.Given():
			j.Verdict = Reported
		}
		j.Reason = j.reason(a.Sheet, a.read)
	}
	a.allowMisses()
	a.Verdict = first(lists.Each(a.Judged, func(j *Judged) Verdict { return j.Verdict }))
}

// allowMisses lets lengths of a list miss their limits, as many as the sheet allows. Each length is tested like any
// other requirement. With the sheet's confidence none of the verdicts is wrong, so the number of misses isn't, either.
func (a *Acceptance) allowMisses() {
	has := func(of *Lengths, v Verdict) int {
		return len(lists.Where(a.with(v), func(j *Judged) bool { return j.Lengths == of }))
	}
	type allowed struct{ missed, others bool }
	of := map[*Lengths]allowed{}
	for _, j := range a.Judged {
		if l := j.Lengths; l != nil && l.MayMiss > 0 {
			of[l] = allowed{has(l, Missed) <= l.MayMiss, has(l, Met) >= len(l.Bytes)-l.MayMiss}
		}
	}
	for _, j := range a.Judged {
		if may := of[j.Lengths]; j.Verdict == Missed && may.missed || j.Verdict != Met && may.others {
			j.Reason, j.Verdict = fmt.Sprintf("%s, but %s", j.Verdict, j.Lengths.allowance()), MayMiss
		}
	}
}

// first returns the verdict that comes first in Verdicts.
func first(list []Verdict) Verdict {
	return cmp.Or(lists.First(Verdicts, func(v Verdict) bool { return slices.Contains(list, v) }), Reported)
}

// maxMore is the largest number of further units that is printed.
const maxMore = 1000

// setMoreUnits sets the number of further units that are needed for a verdict at the nearer limit.
func (j *Judged) setMoreUnits(s *Sheet) {
	if j.MinRuns > j.Used && j.PValue <= j.maxPValue {
		j.MoreUnits = j.MinRuns - j.Used
		return
	}
	limit := j.Threshold.Low
	distance := func(limit float64) float64 { return math.Abs(math.Log(j.Value / limit)) }
	if math.IsInf(limit, 0) || limit <= 0 || distance(j.Threshold.High) < distance(limit) {
		limit = j.Threshold.High
	}
	test := j.test.Against(math.Log(limit))
	j.MoreUnits = -1
	if n := test.Needed(j.maxPValue, maxMore); n > 0 {
		j.MoreUnits = max(n-j.Units, 1)
		if s.Unit == EachRun {
			j.MoreUnits = max(j.MoreUnits, j.MinRuns-j.Used)
		}
	}
}

// Deselected is the reason why files are skipped that the command line excludes, and NotVerified the beginning of the
// reason for files whose figures don't follow from their samples.
const (
	Deselected  = "excluded by --where or --since"
	NotVerified = "not verified: "
)

// noneVerifies reports whether all files that were read fail their verification.
func (e *Evidence) noneVerifies() bool {
	proven := func(r Read) bool { return !strings.HasPrefix(r.Skipped, NotVerified) }
	return len(e.read) > 0 && !slices.ContainsFunc(e.read, proven)
}

// reason explains the verdict.
func (j *Judged) reason(s *Sheet, read []Read) string {
	switch j.Verdict {
	case NotMeasured:
		if j.lacks != "" {
			return j.unknown()
		}
		if j.Measure == nil {
			return fmt.Sprintf("no result has it: run %s, then beff import on its output", j.Program())
		}
		if slices.ContainsFunc(read, func(r Read) bool { return r.Skipped == Deselected }) {
			return "no result that --where and --since select has it at this size"
		}
		return "no result has it at this size"
	case ConditionFailed:
		if len(j.Runs) == 0 {
			return "no file verifies: " + strings.TrimPrefix(read[0].Skipped, NotVerified)
		}
		return words.Count(len(j.Runs), "run") + ", and none counts: " + j.Runs[len(j.Runs)-1].Refused
	case Undecided:
		return j.neededText(s)
	case Reported:
		return "no threshold: only the value is reported"
	}
	return ""
}

// neededText returns how many more units are needed, in words.
func (j *Judged) neededText(s *Sheet) string {
	unit := words.Either(s.Unit == Day, "day", "run")
	again := words.Either(s.Unit == Day, "run it on ", "do ") + words.Count(j.MoreUnits, "more "+unit)
	switch {
	case j.MoreUnits < 0:
		return fmt.Sprintf("too near the limit: it takes more than %d %ss", maxMore, unit)
	case j.PValue <= j.maxPValue:
		return fmt.Sprintf("%s are required: run it %s", words.Count(j.MinRuns, "run"),
			words.Count(j.MoreUnits, "more time"))
	case j.test.By == stats.UnknownSpread:
		return "its spread isn't known: " + again
	}
	return again
}
