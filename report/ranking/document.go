package ranking

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// Document returns the list as a document: a section for each class, then the notes.
func Document(sections []Section) *document.Document {
	rows := 0
	for _, s := range sections {
		rows += len(s.Rows)
	}
	d := &document.Document{
		Title: "Effective bandwidth of systems", Subtitle: words.Count(rows, "row"), Date: newest(sections),
		Notices: notices(sections, rows),
	}
	if len(sections) > 1 {
		d.Subtitle += fmt.Sprintf(" in %d classes, each with ranks of its own", len(sections))
	}
	notes := document.List{"1 MB/s = 10^6 bytes per second, 1 MiB = 2^20 bytes.",
		"A class is the benchmark, the kind of engine, the rules of the loops or of the formula, and the longest " +
			"message or chunk: full where it is 1/128 of the memory that is there, within a tenth, or that isn't " +
			"known. " +
			"Ranked are valid " +
			"results and published ones; the others stand below, without a rank."}
	for i := range sections {
		section, columns := sections[i].document(i)
		d.Sections = append(d.Sections, section)
		for _, c := range columns {
			if c.about != "" && !slices.Contains(notes, c.about) {
				notes = append(notes, c.about)
			}
		}
	}
	if published(sections) {
		notes = append(notes, "Paper 2001: Table 1 of Rabenseifner and Koniges, Effective Communication and File-I/O "+
			"Bandwidth Benchmarks, LNCS 2131, 2001.")
	}
	d.Sections = append(d.Sections, document.Section{ID: "notes", Title: "Notes", Blocks: []document.Block{notes}})
	return d
}

// document returns the section of a class, which is the i-th, and its columns.
func (s *Section) document(i int) (document.Section, []column) {
	id := "ranking"
	if i > 0 {
		id = fmt.Sprintf("ranking-%d", i+1)
	}
	t := &document.Table{ID: id, Sortable: true, Caption: fmt.Sprintf("Systems by %s.", s.Class.Benchmark)}
	var used []column
	for _, c := range list {
		if (c.of == "" || c.of == s.Class.Benchmark) && (!c.optional || s.fills(c)) {
			used = append(used, c)
			t.Columns = append(t.Columns, c.Column)
		}
	}
	for i := range s.Rows {
		var cells []document.Cell
		for _, c := range used {
			cells = append(cells, c.cell(&s.Rows[i]))
		}
		t.Rows = append(t.Rows, cells)
	}
	section := document.Section{ID: "class-" + fmt.Sprint(i+1), Title: s.Class.String(), Blocks: []document.Block{t}}
	if f := s.bars(id + "-bars"); f != nil {
		section.Blocks = append(section.Blocks, f)
	}
	return section, used
}

// fills reports whether a column has something in any row. The rank of a size is only of interest where a size has
// several rows, and not all have one.
func (s *Section) fills(c column) bool {
	if c.Name == ofItsSize {
		return s.severalSizes()
	}
	return slices.ContainsFunc(s.Rows, func(r Row) bool {
		cell := c.cell(&r)
		return cell.Text != "" && cell.Text != "-"
	})
}

// severalSizes reports whether ranked rows have different sizes, and some of them the same.
func (s *Section) severalSizes() bool {
	sizes, ranked := map[size]int{}, 0
	for i := range s.Rows {
		if s.Rows[i].Rank > 0 {
			ranked++
			sizes[s.Rows[i].size()]++
		}
	}
	return len(sizes) > 1 && len(sizes) < ranked
}

// bars returns a bar chart of the ranked systems, nil if there are less than two.
func (s *Section) bars(id string) *document.Figure {
	var list []chart.Ranked
	for i := range s.Rows {
		if r := &s.Rows[i]; r.Rank > 0 {
			row := chart.Ranked{Name: fmt.Sprintf("%s, %d", r.System.Name, r.Processes), Value: r.Rating}
			if in := cmp.Or(r.Between, r.Within); in != nil {
				row.Low, row.High = in.Low, in.High
			}
			list = append(list, row)
		}
	}
	if len(list) < 2 {
		return nil
	}
	return chart.Ranking(id, s.Class.Benchmark+" of the ranked systems, with their numbers of processes.", list)
}

// published reports whether a row is of the paper.
func published(sections []Section) bool {
	return slices.ContainsFunc(sections, func(s Section) bool {
		return slices.ContainsFunc(s.Rows, func(r Row) bool { return r.Status == Published })
	})
}

func newest(sections []Section) time.Time {
	var date time.Time
	for _, s := range sections {
		for _, r := range s.Rows {
			if r.Date.After(date) {
				date = r.Date
			}
		}
	}
	return date
}

// notices returns the numbers of rows that are not verified or not valid, as notices.
func notices(sections []Section, rows int) []document.Notice {
	counts := map[Status]int{}
	for _, s := range sections {
		for _, r := range s.Rows {
			counts[r.Status]++
		}
	}
	var notices []document.Notice
	if n := counts[Unverified]; n > 0 {
		notices = append(notices, document.Notice{Level: document.Bad, Text: fmt.Sprintf("UNVERIFIED: %d of %d rows "+
			"hold results that don't follow from their samples", n, rows),
			Remedy: "beff verify FILE says what is wrong"})
	}
	if n := counts[NotValid]; n > 0 {
		notices = append(notices, document.Notice{Level: document.Warning,
			Text:   fmt.Sprintf("%d of %d rows hold results that are not valid for comparison", n, rows),
			Remedy: "beff report FILE says why"})
	}
	return notices
}
