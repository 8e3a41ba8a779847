package ofbeff

import (
	"fmt"
	"io"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// Joint is one report of several runs of the same system, configuration and shape. Its result has all their samples, as
// if the runs were passes, and the geometric means of their figures.
type Joint struct {
	Report
	runs parts.Runs
}

// Shape returns the properties that results must share if their samples are to be shown together.
func (r Report) Shape() string {
	return fmt.Sprint(r.Quick, r.Prove, r.Repetitions, len(r.Lengths), r.Methods, r.Patterns)
}

// JoinedReport returns the report of results with the same Shape. names has a name for each result.
func JoinedReport(names []string, results []*beff.Result) Joint {
	passes := lists.Flat(results, (*beff.Result).Runs)
	r := *joined(results)
	r.Digest, r.Passes, r.Samples, r.Joined, r.Derived.Passes = "", len(passes), nil, nil, nil
	r.WallSeconds, r.LoopSeconds = 0, 0
	for _, one := range results {
		r.WallSeconds, r.LoopSeconds = r.WallSeconds+one.WallSeconds, r.LoopSeconds+one.LoopSeconds
		r.Repetitions = max(r.Repetitions, one.Repetitions)
	}
	for pass, one := range passes {
		for _, s := range one.Samples {
			s.Pass = pass
			r.Samples = append(r.Samples, s)
		}
	}
	j := Joint{Report{&r}, parts.RunsOf(beff.Benchmark, rated(names, results))}
	r.Verdict = j.runs.Verdict()
	return j
}

// rated returns results as runs of a joint report.
func rated(names []string, results []*beff.Result) (list []parts.Run) {
	for i, r := range results {
		list = append(list, parts.Run{Name: names[i], Started: r.Started, Seed: fmt.Sprint(r.Seed),
			Rating: r.Derived.BEff, Within: r.Interval(), Verdict: r.Verdict, Facts: facts(r), Around: r.Circumstances})
	}
	return list
}

// Document returns the report of all runs.
func (j Joint) Document() *document.Document {
	r, d := j.Result, j.Report.Document()
	each, unit := words.ValueAndUnit(j.runs.Estimate().Over(r.Processes))
	j.runs.Complete(d, fmt.Sprintf("%s %s per process on %s", each, unit, words.Processes(r.Processes)))
	if onePair(r) != "" {
		d.Notices = append(d.Notices, document.Notice{Level: document.Note, Text: onePair(r)})
	}
	return d
}

// KeyValue writes the means of all runs for scripts.
func (j Joint) KeyValue(w io.Writer, verified bool) error {
	return keyValue(w, j.Result, verified, j.runs.Keys)
}

// Texts returns nil, because the formats of Report.Texts describe single runs.
func (j Joint) Texts() []parts.Text { return nil }
