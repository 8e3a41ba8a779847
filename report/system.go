package report

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/ofbeff"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// SystemDocument returns one document about the system of several results: facts, numbers with the causes that limit
// them, and a section for each result with its findings, its first table and its pictures. It returns nil if there are
// fewer than two results, or if they aren't of one system.
func SystemDocument(files []*File) *document.Document {
	name := ""
	if len(files) > 1 {
		name = Side(files).system()
	}
	if name == "" {
		return nil
	}
	files = slices.Clone(files)
	slices.SortStableFunc(files, func(a, b *File) int {
		return cmp.Compare(topicRank(a.topic()), topicRank(b.topic()))
	})
	d := &document.Document{Title: name, Subtitle: "all results of a system", Upright: true,
		Screen: []document.Fact{{Value: words.Count(len(files), "result") + " of " + name}},
		Facts:  lists.Where(Side(files).facts(), func(f document.Fact) bool { return f.Value != "" })}
	numbers := &document.Table{ID: "numbers", Caption: "The results, with the 95 % intervals of their numbers.",
		Columns: document.Heads("result", "processes []", "number", "95 %", "verdict", "limited by", "file")}
	section := document.Section{ID: "all", Title: "The results", Blocks: []document.Block{numbers}}
	d.Sections = []document.Section{section}
	titles := distinct(lists.Each(files, (*File).topic))
	for i, own := range Documents(files) {
		f, h := files[i], own.Headline
		number, text := strings.TrimSpace(h.Value+" "+h.Unit), h.Badge
		for _, n := range own.Notices[:min(len(own.Notices), 1)] {
			if text = cmp.Or(text, n.Text); n.Level == document.Bad || n.Level == document.Warning {
				n.Text = titles[i] + ": " + n.Text
				d.Notices = append(d.Notices, n)
			}
		}
		if d.Date.Before(own.Date) {
			d.Date = own.Date
		}
		numbers.Add(titles[i], document.Whole(f.report.Header().Processes), cmp.Or(number, "-"), cmp.Or(h.Range, "-"),
			text, f.limit(), filepath.Base(f.Name()))
		d.Screen = append(d.Screen, document.Fact{Name: titles[i], Value: strings.TrimSuffix(
			cmp.Or(number+words.Either(number == "", "", ", "+text), text), ", ")})
		d.Sections = append(d.Sections, chapterOf(titles[i], own))
	}
	return d
}

// chapterOf returns the section about a result.
func chapterOf(title string, own *document.Document) document.Section {
	first := document.Section{}
	for _, n := range own.Notices[:min(len(own.Notices), 1)] {
		first.Blocks = append(first.Blocks, document.Paragraph(strings.TrimSuffix(n.Text, ".")+"."))
	}
	if len(own.Lead.Sentences) > 0 {
		first.Blocks = append(first.Blocks, document.List(own.Lead.Sentences))
	}
	if own.Lead.Figure != nil {
		first.Blocks = append(first.Blocks, own.Lead.Figure)
	}
	for i, s := range own.Sections {
		for _, b := range s.Blocks {
			_, figure := b.(*document.Figure)
			if t, table := b.(*document.Table); figure || i == 0 && table && !t.Detail {
				first.Blocks = append(first.Blocks, b)
			}
		}
	}
	return parts.Chapter(title, []document.Section{first})
}

// limit returns the cause that makes a result's number low, or the share of the links' speed that the result uses, or
// "" if neither is known.
func (f *File) limit() string {
	if cause := f.Entry().Cause.Name; cause != "" {
		return cause
	}
	if r, is := f.report.(ofbeff.Report); is {
		if part, rate := r.Result.LinkShare(); part > 0 && rate > 0 {
			return "sends " + rating.Percent(part) + " % of the speed of its links"
		}
	}
	return ""
}
