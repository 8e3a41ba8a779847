package site

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/ranking"
)

// index returns the page of the ranking: of each class its systems, their picture, comparisons of the best, and a table
// of each result.
func index(title string, results []Result, comparisons []Comparison) *document.Document {
	view := ranking.View{Filled: true, Sort: "processes", Falling: true, Columns: slices.Concat(
		[]string{"rank", "of-all-sizes", "system"}, columns(), []string{"runs", "site", "note", "file"})}
	d := ranking.Document(ranking.Rank(entriesOf(results), false), view)
	view.Every = true
	each := ranking.Document(ranking.Rank(entriesOf(results), true), view)
	d.Title = title
	pages := map[string]string{}
	for _, s := range systems(results) {
		pages[s.name] = s.path
	}
	for i := range each.Sections[:len(each.Sections)-1] {
		section, all := &d.Sections[i], each.Sections[i].Blocks[0].(*document.Table)
		all.ID, all.Detail = fmt.Sprint("each-", i+1), true
		all.Caption = "Each result, not the mean of a system's runs."
		for _, t := range []*document.Table{section.Blocks[0].(*document.Table), all} {
			link(t, results, "")
			for _, row := range t.Rows {
				at := slices.IndexFunc(t.Columns, func(c document.Column) bool { return c.Name == "system" })
				row[at].Link = address(pages[row[at].Text])
			}
		}
		best := &document.Table{ID: fmt.Sprint("best-", i+1), Caption: "Comparisons of the best.",
			Columns: document.Heads("of")}
		for _, c := range comparisons {
			if c.Class == i {
				best.Add(document.Cell{Text: c.Name, Link: address(c.Path)})
			}
		}
		if len(best.Rows) > 0 {
			section.Blocks = append(section.Blocks, best)
		}
		section.Blocks = append(section.Blocks, all)
	}
	return d
}
