package site

import (
	"strings"

	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/ranking"
)

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
			Columns: document.Heads("of")}
		for _, c := range comparisons {
			t.Add(document.Cell{Text: c.Name, Link: address(c.Path)})
		}
		last := len(d.Sections) - 1
		d.Sections = append(d.Sections[:last:last], document.Section{ID: "comparisons-of-systems",
			Title: "Comparisons", Blocks: []document.Block{t}}, d.Sections[last])
	}
	return d
}
