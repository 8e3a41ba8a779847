package ranking

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// maxDots is the number of systems that fit into a picture.
const maxDots = 40

// dotStyles are the kinds of dots, with the rows that they mark. The first kind that fits a row is used.
var dotStyles = []struct {
	name string
	of   func(*Row) bool
}{
	{"valid", func(r *Row) bool { return r.Status == Valid && r.Certainty != Unsure }},
	{"noisy, slowed, or ± not known", func(r *Row) bool { return r.Status <= Slowed }},
	{"computed by a model", func(r *Row) bool { return r.Status == Computed }},
	{"imported", func(r *Row) bool { return r.Status == Imported }},
	{"paper of 2001", func(r *Row) bool { return true }},
}

// dotStyle returns the index of a row's kind of dot.
func (r *Row) dotStyle() int {
	for i, l := range dotStyles {
		if l.of(r) {
			return i
		}
	}
	return 0
}

// Picture draws the ranked systems of all classes in the order of the table, with the reader's own one marked. It
// returns nil for less than two systems.
func (s *Section) Picture(id, mine string) *document.Figure {
	has := func(is func(Row) bool) bool {
		return slices.ContainsFunc(s.Rows, func(r Row) bool { return r.Rank > 0 && is(r) })
	}
	with := words.Either(has(func(r Row) bool { return r.interval() != nil }), ", with 95 % intervals", "")
	d := chart.Dots{ID: id, Title: s.Benchmark + " of systems" + with, Of: "systems", MaxGroups: maxDots,
		X: chart.Bandwidth.Named(s.Benchmark)}
	d.Caption = d.Title + ". The number after each name is the number of processes."
	for _, l := range dotStyles {
		d.Legend = append(d.Legend, l.name)
	}
	classes, libraries := len(s.classes()) > 1, s.byLibrary()
	for r := range lists.Elements(s.Rows) {
		if r.Rank == 0 {
			continue
		}
		name := fmt.Sprintf("%s, %d", marked(r.System.Name, mine), r.Processes)
		if libraries && r.Engine != rating.Simulated && r.LibraryName != "" {
			name += ", " + r.LibraryName
		}
		if classes {
			name += ", " + label(r.Class)
		}
		d.Groups = append(d.Groups, chart.Group{Name: name,
			Dots: []chart.Dot{{Spread: chart.Within(r.Rating(), r.interval()), StyleIndex: r.dotStyle()}}})
	}
	f := d.Figure()
	if len(d.Groups) < 2 || f == nil {
		return nil
	}
	f.Source = words.Count(len(d.Groups), "rating") + words.Either(has(func(r Row) bool { return r.Runs > 1 }),
		", each the mean of its runs", "")
	f.Label = s.modelLabel()
	return f
}

// modelLabel returns the label of a picture in which a model computed all ratings, or "".
func (s *Section) modelLabel() string {
	measured := func(r Row) bool { return r.Rank > 0 && r.Engine != rating.Simulated }
	return words.Either(slices.ContainsFunc(s.Rows, measured), "", parts.OfModel)
}

// byLibrary reports whether a system has several rows of one class and size that differ in the library.
func (s *Section) byLibrary() bool {
	seen := map[rating.Basis]string{}
	for r := range lists.Elements(s.Rows) {
		at := rating.Basis{Class: r.Class, System: r.System.Name, Processes: r.Processes, PerNode: r.PerNode,
			Numbering: r.Numbering}
		if other, again := seen[at]; again && other != r.Library {
			return true
		}
		seen[at] = r.Library
	}
	return false
}
