package ofbeffio

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
)

// Joint is one report of several runs of the same system, configuration and shape. Its result is the first run's, with
// the geometric means of all figures and without samples.
type Joint struct {
	Report
	results []*beffio.Result
	runs    parts.Runs
}

// Shape returns the properties that results must share if their figures are to be shown together.
func (r Report) Shape() string {
	return fmt.Sprint(r.Quick, r.Partitions, len(r.Patterns), options(r.Result))
}

// JoinedReport returns the report of results with the same Shape. names has a name for each result.
func JoinedReport(names []string, results []*beffio.Result) Joint {
	r := *results[0]
	var figures []beffio.Derived
	var rated []parts.Run
	for i, one := range results {
		figures = append(figures, one.Derived)
		rated = append(rated, parts.Run{Name: names[i], Started: one.Started, Rating: one.Derived.BEffIO,
			Within: one.Derived.BEffIOInterval, Verdict: one.Verdict, Facts: facts(one), Around: one.Circumstances})
		if one.Started.After(r.Started) {
			r.Started = one.Started
		}
	}
	r.Digest, r.Samples, r.Files, r.Derived = "", nil, nil, rating.Means(figures)
	r.HintsInForce, r.Errors = nil, nil
	j := Joint{Report{&r}, results, parts.RunsOf(beffio.Benchmark, rated)}
	r.Verdict, r.Derived.BEffIOInterval = j.runs.Verdict(), j.runs.Between
	return j
}

// Document returns the report of all runs.
func (j Joint) Document() *document.Document {
	r, d := j.Result, j.Report.Document()
	j.runs.Complete(d, "by "+formulas[r.Rules]+"'s formula")
	d.Sections = slices.Insert(d.Sections, 1, j.spreads())
	return d
}

// spreads returns a section with the figures that comparisons have, and their spread over the runs.
func (j Joint) spreads() document.Section {
	t := &document.Table{ID: "figures-table",
		Caption: "Geometric means of the runs' bandwidths on the rated partition, with half of the 95 % interval " +
			"between the runs.",
		Columns: document.Heads("figure", "mean [MB/s]", "interval [± %]", "lowest [MB/s]", "highest [MB/s]")}
	runs := lists.Each(j.results, newView)
	for _, area := range areas(runs[0], runs[0]) {
		each := lists.Each(runs, area.all)
		mean, in := rating.GeometricMean(each)
		if math.IsNaN(mean) {
			continue
		}
		part := in.RelativeHalfWidth(mean)
		t.Add(area.name, parts.BandwidthWithin(mean, part), parts.HalfWidth(part),
			parts.BandwidthWithin(slices.Min(each), part), parts.BandwidthWithin(slices.Max(each), part))
	}
	return document.Section{ID: "spreads", Title: "Spread of the runs", Blocks: []document.Block{t}}
}

// KeyValue writes the means of all runs for scripts.
func (j Joint) KeyValue(w io.Writer, verified bool) error {
	return keyValue(w, j.Result, verified, j.runs.Keys)
}

// Texts returns nil, because the formats of Report.Texts describe single runs.
func (j Joint) Texts() []parts.Text { return nil }
