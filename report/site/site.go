// Package site makes a static web site of many results: a page with their ranking, which readers filter and sort in the
// browser, a page for each system with its newest pictures and its trends, and pages of comparisons and reports. The
// site needs no server and no network: its pages contain all data, and run only their own scripts.
package site

import (
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/report/trend"
	"github.com/effective-bandwidth/beff/report/words"
)

// Result is a result of the site. Its ID is unique and needs no escape in an address.
type Result struct {
	trend.Point
	ID string
	// Picture is the first picture of its report, or nil.
	Picture *document.Figure
	// HasReport and HasDocument report whether the site has these files for the result.
	HasReport, HasDocument bool
}

// File is a file of the site. Path is relative to the site's directory.
type File struct {
	Path  string
	Write func(io.Writer) error
}

// ReportPath and DocumentPath return the paths of a result's files.
func ReportPath(id string) string   { return "reports/" + id + ".html" }
func DocumentPath(id string) string { return "results/" + id + ".json.gz" }

// Files returns the pages of a site except reports, comparisons and documents, which the caller writes. The index marks
// the reader's own system, and shows notices on top.
func Files(title, own string, results []Result, comparisons []Comparison, notices []document.Notice) []File {
	files := []File{{"index.html", func(w io.Writer) error {
		return document.HTML(w, index(title, own, results, comparisons, notices))
	}}}
	for _, s := range systems(results) {
		files = append(files, File{s.path, func(w io.Writer) error { return document.HTML(w, s.document(title)) }})
	}
	return files
}

// Comparison is a page that compares systems of one class and size.
type Comparison struct {
	Name  string
	Path  string
	Sides [][]string // IDs of the results of each system, the best system first
}

// maxCompared limits the systems that a page compares, maxRuns the newest runs of each.
const (
	maxCompared = 6
	maxRuns     = 5
)

// Comparisons returns the comparisons of a site: one for each class and size in which two or more systems have ranked
// results that may be compared. If a system has several libraries there, its best mean counts.
func Comparisons(results []Result) (list []Comparison) {
	var cells rating.Cells
	var of [][]ranking.Row // best row of each system, by cell
	for _, section := range ranking.Rank(entriesOf(results), false) {
		for _, r := range section.Rows {
			if r.Rank == 0 {
				continue
			}
			n, first := cells.Of(r.Basis().OfClass())
			if first {
				of = append(of, nil)
			}
			same := func(other ranking.Row) bool { return other.System.Name == r.System.Name }
			if !slices.ContainsFunc(of[n], same) {
				of[n] = append(of[n], r)
			}
		}
	}
	for _, rows := range of {
		if len(rows) < 2 {
			continue
		}
		c := Comparison{Path: fmt.Sprintf("comparisons/%d.html", len(list)+1)}
		var systems []string
		for _, r := range rows[:min(len(rows), maxCompared)] {
			runs := r.Files()
			c.Sides, systems = append(c.Sides, runs[:min(len(runs), maxRuns)]), append(systems, r.System.Name)
		}
		c.Name = fmt.Sprintf("%s: %s on %s", rows[0].Benchmark, words.Joined(systems, "and"),
			words.Processes(rows[0].Processes))
		if rows[0].PerNode > 0 {
			c.Name += fmt.Sprintf(", %d a node", rows[0].PerNode)
		}
		list = append(list, c)
	}
	return list
}

// entriesOf returns the results for a ranking, with their IDs as files, since rows are sorted.
func entriesOf(results []Result) (list []ranking.Entry) {
	for _, r := range results {
		e := r.Entry
		e.File = r.ID
		list = append(list, e)
	}
	return list
}

// IDs returns an ID for each name, made of its letters and digits, and a number if the ID exists already.
func IDs(names []string) []string {
	list, seen := make([]string, len(names)), map[string]bool{}
	for i, name := range names {
		id := slug(name)
		for n := 2; seen[id]; n++ {
			id = fmt.Sprintf("%s-%d", slug(name), n)
		}
		seen[id] = true
		list[i] = id
	}
	return list
}

// slug returns a name in a form that suits the name of a file and an address.
func slug(name string) string {
	text := strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' {
			return c
		}
		return '-'
	}, name)
	const most = 80
	if text = strings.Trim(text, "-."); text == "" {
		return "unnamed"
	}
	return text[:min(len(text), most)]
}

// system is a system with its results.
type system struct {
	name, path string
	results    []Result
}

// systems returns the systems, sorted by name.
func systems(results []Result) []*system {
	var list []*system
	at := map[string]*system{}
	for _, r := range results {
		s := at[r.System.Name]
		if s == nil {
			s = &system{name: r.System.Name}
			at[s.name], list = s, append(list, s)
		}
		s.results = append(s.results, r)
	}
	slices.SortFunc(list, func(a, b *system) int { return strings.Compare(a.name, b.name) })
	names := lists.Each(list, func(s *system) string { return s.name })
	for i, id := range IDs(names) {
		list[i].path = "systems/" + id + ".html"
	}
	return list
}

// document returns the page of a system: its results by class, and its trends.
func (s *system) document(title string) *document.Document {
	points := lists.Each(s.results, func(r Result) trend.Point { return r.Point })
	slices.SortStableFunc(s.results, func(a, b Result) int { return -a.Date.Compare(b.Date) })
	newest := s.results[0]
	d := &document.Document{Title: s.name, Subtitle: words.Count(len(s.results), "result") + " in " + title}
	d.Lead.Links = []document.Link{{Text: "All systems", Address: "../index.html"}}
	for _, x := range [][2]string{{"site", newest.System.Site}, {"note", newest.System.Note}} {
		if x[1] != "" {
			d.Facts = append(d.Facts, document.Fact{Name: x[0], Value: x[1]})
		}
	}
	d.Sections = append(s.classes(), s.pictures()...)
	series, _ := trend.Of(points, nil)
	d.Sections = append(d.Sections, trend.Sections(series)...)
	return d
}

// maxPictures limits the pictures on a system's page.
const maxPictures = 4

// pictures returns the section of the newest results' pictures.
func (s *system) pictures() []document.Section {
	section := document.Section{ID: "newest", Title: "Newest results"}
	for _, r := range s.results {
		if r.Picture != nil && len(section.Blocks) < maxPictures {
			f := *r.Picture
			f.ID = fmt.Sprint("newest-", len(section.Blocks)+1)
			section.Blocks = append(section.Blocks, &f)
		}
	}
	if section.Blocks == nil {
		return nil
	}
	return []document.Section{section}
}

// classes returns a section for each benchmark, with a table of all results, the newest first, and links to their
// files.
func (s *system) classes() []document.Section {
	view := ranking.View{Every: true, Filled: true, Sort: "date", Falling: true}
	d := ranking.Document(ranking.Rank(entriesOf(s.results), true), view)
	sections := d.Sections[:len(d.Sections)-1]
	for i := range sections {
		t := sections[i].Blocks[0].(*document.Table)
		sections[i].Blocks = []document.Block{t}
		t.Caption = "Results, the newest first."
		t.Drop("system", "rank")
		link(t, s.results, "../")
		sections[i].ID = fmt.Sprint("results-of-", i+1)
	}
	return sections
}

// link replaces the column of files, which names the result or the newest one of a mean, by links to report and
// document.
func link(t *document.Table, results []Result, top string) {
	by := map[string]Result{}
	for _, r := range results {
		by[r.ID] = r
	}
	at := slices.IndexFunc(t.Columns, func(c document.Column) bool { return c.Name == "file" })
	t.Columns[at].Name = "report"
	t.Columns = slices.Insert(t.Columns, at+1, document.Column{Name: "document"})
	for k, row := range t.Rows {
		r := by[row[at].Text]
		row = slices.Insert(row, at+1, document.Text("-"))
		row[at] = document.Text("-")
		if r.HasReport {
			row[at] = document.Cell{Text: "report", Link: address(top + ReportPath(r.ID))}
		}
		if r.HasDocument {
			row[at+1] = document.Cell{Text: "JSON", Link: address(top + DocumentPath(r.ID))}
		}
		t.Rows[k] = row
	}
}

// address converts a path of the site to an address.
func address(path string) string { return (&url.URL{Path: path}).String() }

// index returns the page of the ranking: a table for each benchmark, whose rows link to the pages of their systems and
// to the newest reports, then the comparisons. The system with the name own is marked.
func index(title, own string, results []Result, comparisons []Comparison,
	notices []document.Notice) *document.Document {
	sections := ranking.Rank(entriesOf(results), false)
	for _, s := range sections {
		for _, r := range s.Rows {
			r.File = r.Files()[0] // a mean links to its newest run
		}
	}
	d := ranking.Document(sections, ranking.View{Columns: []string{"+file"}, Own: own, Pages: true})
	d.Title, d.Lead.Table, d.Notices = title, nil, append(d.Notices, notices...)
	pages := map[string]string{}
	for _, s := range systems(results) {
		pages[s.name] = s.path
	}
	for i := range d.Sections[:len(d.Sections)-1] {
		t := d.Sections[i].Blocks[0].(*document.Table)
		link(t, results, "")
		for at, c := range t.Columns {
			for _, row := range t.Rows {
				if c.Name == "system" {
					row[at].Link = address(pages[strings.TrimPrefix(row[at].Text, ranking.Mark)])
				}
			}
		}
	}
	if len(comparisons) > 0 {
		t := &document.Table{ID: "comparisons", Caption: "Comparisons of systems of one class and size.",
			Columns: document.Heads("comparison")}
		for _, c := range comparisons {
			t.Add(document.Cell{Text: c.Name, Link: address(c.Path)})
		}
		last := len(d.Sections) - 1
		d.Sections = append(d.Sections[:last:last], document.Section{ID: "comparisons-of-systems",
			Title: "Comparisons", Blocks: []document.Block{t}}, d.Sections[last])
	}
	return d
}
