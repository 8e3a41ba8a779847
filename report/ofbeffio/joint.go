package ofbeffio

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// Joint is the report of several runs of one system, configuration and shape as one. Its result is the first run's,
// with the geometric means of all figures and without samples.
type Joint struct {
	Report
	names   []string
	results []*beffio.Result // of each name
	runs    parts.Runs
}

// Shape returns what results share whose figures can stand side by side.
func (r Report) Shape() string {
	return fmt.Sprint(r.Quick, r.Imported != "", r.Partitions, len(r.Patterns), options(r.Result))
}

// JoinedReport returns the report of results of one shape. names has one for each.
func JoinedReport(names []string, results []*beffio.Result) Joint {
	r := *results[0]
	var figures []beffio.Derived
	var rated []parts.Rated
	for i, one := range results {
		figures = append(figures, one.Derived)
		rated = append(rated, parts.Rated{Name: names[i], Started: one.Started, Rating: one.Derived.BEffIO,
			Within: one.Derived.BEffIOInterval, Verdict: one.Verdict})
		if one.Started.After(r.Started) {
			r.Started = one.Started
		}
	}
	r.Digest, r.Tags, r.Samples, r.Files, r.Derived = "", nil, nil, nil, rating.Means(figures)
	j := Joint{Report{&r}, names, results, parts.RunsOf(beffio.Benchmark, rated)}
	r.Verdict, r.Derived.BEffIOInterval = j.runs.Together(), j.runs.Between
	return j
}

// Document returns the report of all runs, with the runs as dots on its first page.
func (j Joint) Document() *document.Document {
	r := j.Result
	d := &document.Document{
		Title: "b_eff_io of " + parts.NameOf(r.System, r.Host), Subtitle: "effective I/O bandwidth, " + j.runs.Count(),
		Notices: j.runs.Notices(), Date: r.Started,
	}
	d.Headline = j.runs.Headline("by " + formulas[r.Rules] + words.Either(r.Imported != "", ", imported", ""))
	d.Lead = parts.Lead(meaning, []string{j.runs.Sentence()})
	d.Lead.Figure = j.runs.Figure()
	var lists [][]document.Fact
	var around []rating.Circumstances
	for _, one := range j.results {
		lists, around = append(lists, facts(one)), append(around, one.Circumstances)
	}
	d.Facts = parts.SharedFacts(lists)
	for _, section := range []document.Section{j.runs.Section(), j.spreads(), ratingsSection(r), typesSection(r),
		parts.VerdictSection(r.Verdict), parts.EnvironmentsDiffer(j.names, around)} {
		if len(section.Blocks) > 0 {
			d.Sections = append(d.Sections, section)
		}
	}
	return d
}

// spreads returns the section of the figures that comparisons have, with what they spread over the runs.
func (j Joint) spreads() document.Section {
	t := &document.Table{ID: "figures-table",
		Caption: "Geometric means of the runs' bandwidths on the rated partition, with half of the 95 % interval " +
			"between the runs.",
		Columns: parts.Columns("figure", [2]string{"mean", "MB/s"}, [2]string{"interval", "± %"},
			[2]string{"lowest", "MB/s"}, [2]string{"highest", "MB/s"})}
	var runs side
	for _, one := range j.results {
		runs = append(runs, newView(one))
	}
	for _, area := range areas(runs[0], runs[0]) {
		var each []float64
		for _, v := range runs {
			each = append(each, area.all(v))
		}
		mean, in := rating.Between(each)
		if math.IsNaN(mean) {
			continue
		}
		t.Rows = append(t.Rows, []document.Cell{document.Text(area.name), parts.Bandwidth(mean),
			parts.Number(100*in.Part(mean), 1), parts.Bandwidth(slices.Min(each)), parts.Bandwidth(slices.Max(each))})
	}
	return document.Section{ID: "spreads", Title: "What the runs spread", Blocks: []document.Block{t}}
}

// KeyValue writes the means of all runs for scripts.
func (j Joint) KeyValue(w io.Writer, verified bool) error {
	return keyValue(w, j.Result, verified, j.runs.Keys)
}

// Texts returns none: they are of single runs.
func (j Joint) Texts() []parts.Text { return nil }
