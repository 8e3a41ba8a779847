package ranking

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// Document returns the list as a document: a table for each benchmark, with the first one on top, then the notes.
func Document(sections []Section, view View) *document.Document {
	has := lists.Where(sections, func(s Section) bool { return len(view.columns(&s)) > 0 })
	if len(has) > 0 { // others have none of the chosen columns
		sections = has
	}
	d := &document.Document{Title: "Effective bandwidth of systems", Subtitle: subtitle(sections),
		Notices: notices(sections)}
	notes := document.List{"1 MB/s = 10^6 bytes per second, 1 MiB = 2^20 bytes.",
		"Each class is ranked over all numbers of processes; --where processes=N ranks only results on N processes. " +
			"A rank is one more than the number of results that are surely ahead, and no better than the rank above. " +
			"Results of equal rank (=) can't be distinguished. A result without ± is ranked by its figure only (?). " +
			"Valid results, noisy or not, models and published results are ranked; the others follow below."}
	var means []string
	for i := range sections {
		s := &sections[i]
		used := view.columns(s)
		of := s.document(i, used, view)
		if i == 0 {
			rows := leading(sections)
			d.Lead.Table = of.Blocks[0].(*document.Table)
			d.Screen = append([]document.Fact{{Value: d.Title + ": " + d.Subtitle}}, rows...)
			for _, row := range rows {
				if row.Name == ranks || row.Name != hosts && !view.Pages { // the notices contain the hosts
					d.Lead.Sentences = append(d.Lead.Sentences, row.Name+": "+row.Value+".")
				}
			}
		}
		if f := s.Picture(id(i)+"-picture", view.Own); f != nil && i == 0 {
			d.Lead.Figure = f
		} else if f != nil {
			of.Blocks = append(of.Blocks, f)
		}
		if f := s.Sizes(id(i) + "-sizes"); f != nil {
			of.Blocks = append(of.Blocks, f)
		}
		d.Sections = append(d.Sections, of)
		for _, c := range used {
			if !s.fills(c) {
				continue
			}
			if c.about != "" && !slices.Contains(notes, c.about) {
				notes = append(notes, c.about)
			}
			if c.means != "" && !slices.Contains(means, c.means) {
				means = append(means, c.means)
			}
		}
	}
	if len(means) > 0 {
		notes = append(notes, strings.Join(means, "; ")+".")
	}
	if view.Every {
		notes = append(notes, "Results that share a row without --all share a rank, by their mean. It is shown with "+
			"the best of them.")
	}
	if published(sections) {
		notes = append(notes, "Paper 2001: Table 1 and Figure 3 of Rabenseifner and Koniges, Effective Communication "+
			"and File-I/O Bandwidth Benchmarks, LNCS 2131, 2001.")
	}
	d.Sections = append(d.Sections, document.Section{ID: "notes", Title: "Notes", Blocks: []document.Block{notes}})
	return d
}

// Names of the rows that explain the marks of ranks, and list systems that are named by their hosts.
const (
	ranks = "Marks"
	hosts = "Hosts"
)

// leading returns the rows of the first screen: the number of results of each class and of each benchmark, the meaning
// of the rank marks in the first table, and the systems that are named by their hosts.
func leading(sections []Section) (list []document.Fact) {
	first := &sections[0]
	if classes := first.classes(); len(classes) > 1 {
		list = append(list, document.Fact{Name: "Classes",
			Value: strings.Join(classes, "; ") + " (--where class=NAME)"})
	}
	others := lists.Each(sections[1:], func(s Section) string { return fmt.Sprintf("%s %d", s.Benchmark, s.results()) })
	if len(others) > 0 {
		list = append(list, document.Fact{Name: "Others",
			Value: strings.Join(others, ", ") + " (--where benchmark=NAME)"})
	}
	var marks []string
	add := func(text string, has func(*Row) bool) {
		if slices.ContainsFunc(first.Rows, func(r Row) bool { return has(&r) }) {
			marks = append(marks, text)
		}
	}
	add("± is half of the 95 % interval", func(r *Row) bool { return r.interval() != nil })
	add("1= shares rank 1: the results can't be distinguished", func(r *Row) bool { return r.Certainty == Tied })
	add("? ± not known", func(r *Row) bool { return r.Certainty == Unsure && r.Status != Published })
	if !unrated(first.Benchmark) {
		add("- not ranked: see its report", func(r *Row) bool { return !r.ranked() })
	}
	add("noisy: valid, but compare it by its ±, or measure again on a quiet machine",
		func(r *Row) bool { return r.Status == Noisy })
	add("slowed: valid, but a known cause made the number too low: see its report",
		func(r *Row) bool { return r.Status == Slowed })
	add("imported: printed by another program", func(r *Row) bool { return r.Status == Imported })
	add("DOUBTFUL: figures of its file contradict each other", func(r *Row) bool { return r.Status == Doubtful })
	add("full: the usual rules and the longest message", func(r *Row) bool { return label(r.Class) == "full" })
	if len(marks) > 0 {
		list = append(list, document.Fact{Name: ranks, Value: strings.Join(marks, "; ")})
	}
	if named := byHosts(sections); len(named) > 0 {
		list = append(list, document.Fact{Name: hosts,
			Value: words.Some(named) + ": name systems with --system or a system.yaml"})
	}
	return list
}

// classes lists the classes of a section with the number of results of each, in words.
func (s *Section) classes() []string {
	var labels []string
	counts, means := map[string]int{}, map[string]string{}
	for i := range s.Rows {
		name := label(s.Rows[i].Class)
		if !slices.Contains(labels, name) {
			labels = append(labels, name)
			means[name] = inWords(s.Rows[i].Class)
		}
		counts[name] += s.Rows[i].Runs
	}
	return lists.Each(labels, func(name string) string {
		return fmt.Sprintf("%s %d (%s)", name, counts[name], means[name])
	})
}

// results returns the number of a section's results.
func (s *Section) results() int {
	return lists.SumOf(s.Rows, func(x Row) int { return x.Runs })
}

// subtitle returns the numbers of results and systems, and the dates of the first and last measurement.
func subtitle(sections []Section) string {
	systems, results := map[string]bool{}, 0
	var first, last time.Time
	for _, s := range sections {
		results += s.results()
		for i := range s.Rows {
			systems[s.Rows[i].System.Name] = true
			for _, e := range s.Rows[i].runs {
				if d := e.Date; !d.IsZero() && e.Status != Computed {
					if first.IsZero() || d.Before(first) {
						first = d
					}
					if d.After(last) {
						last = d
					}
				}
			}
		}
	}
	text := words.Count(results, "result") + " of " + words.Count(len(systems), "system")
	const layout = "2006-01-02"
	switch from, to := first.Format(layout), last.Format(layout); {
	case first.IsZero():
	case from == to:
		text += ", measured " + to
	default:
		text += fmt.Sprintf(", measured %s to %s", from, to)
	}
	return text
}

// id returns the ID of table number i.
func id(i int) string {
	if i == 0 {
		return "ranking"
	}
	return fmt.Sprintf("ranking-%d", i+1)
}

// captions are the captions of tables without ratings.
var captions = map[string]string{probes: "Probes. beff report FILE shows all kernels.",
	others: "Results of other programs, as they printed them. beff report FILE shows all of them."}

// document returns section number i with the columns used.
func (s *Section) document(i int, used []column, view View) document.Section {
	t := &document.Table{ID: id(i), Sortable: true, Searchable: true, Tabs: class, Least: true,
		Caption: cmp.Or(captions[s.Benchmark], fmt.Sprintf("Systems by %s.", s.Benchmark))}
	rows := view.rows(s)
	t.Columns = lists.Each(used, func(c column) document.Column { return c.Column })
	for k := range rows {
		if k > 0 && view.Sort == "" && (rows[k].Class != rows[k-1].Class || rows[k].ranked() != rows[k-1].ranked()) {
			t.Breaks = append(t.Breaks, k)
		}
		var cells []document.Cell
		for _, c := range used {
			cell := c.cell(&rows[k])
			if c.key == "system" {
				cell.Text, cell.Strong = marked(cell.Text, view.Own), cell.Text == view.Own
			}
			cells = append(cells, cell)
		}
		t.Rows = append(t.Rows, cells)
	}
	if n := len(s.Rows) - len(rows); n > 0 {
		t.Caption += fmt.Sprintf(" The other %s left out.", words.Either(n == 1, "row is", fmt.Sprint(n, " rows are")))
	}
	return document.Section{ID: "table-" + fmt.Sprint(i+1), Title: s.title(), Blocks: []document.Block{t}}
}

// Mark precedes the name of the reader's own system.
const Mark = "► "

// marked returns the name of a system, with Mark if it is the reader's own.
func marked(name, mine string) string {
	return words.Either(name == mine, Mark+name, name)
}

// title returns the benchmark in words.
func (s *Section) title() string {
	return cmp.Or(map[string]string{probes: "Probes", others: "Other programs"}[s.Benchmark], s.Benchmark)
}

// fills reports whether some row has something in a column.
func (s *Section) fills(c column) bool {
	return slices.ContainsFunc(s.Rows, func(r Row) bool { return !isEmpty(c.cell(&r)) })
}

// published reports whether some row comes from the paper.
func published(sections []Section) bool {
	return slices.ContainsFunc(sections, func(s Section) bool {
		return slices.ContainsFunc(s.Rows, func(r Row) bool { return r.Status == Published })
	})
}

// notices returns the number of unverified results, the findings of probes, and the systems that are named by their
// hosts.
func notices(sections []Section) []document.Notice {
	unverified, all, found := 0, 0, []document.Notice(nil)
	for _, s := range sections {
		for _, r := range s.Rows {
			for _, e := range r.runs {
				all++
				for _, text := range e.Found {
					found = append(found, document.Notice{Level: document.Warning,
						Text: words.OneLine(e.System.Name) + ": " + text})
				}
				if e.Status == Unverified {
					unverified++
				}
			}
		}
	}
	var notices []document.Notice
	if unverified > 0 {
		notices = append(notices, document.Notice{Level: document.Bad, Text: fmt.Sprintf("UNVERIFIED: the figures of "+
			"%d of %s don't follow from their samples", unverified, words.Count(all, "result")),
			Remedy: "run beff verify FILE to see the errors"})
	}
	if more := len(found) - maxFound; more > 0 {
		found = append(found[:maxFound], document.Notice{Level: document.Warning,
			Text: fmt.Sprintf("%d more were found: see the reports of the probes", more)})
	}
	notices = append(notices, found...)
	if named := byHosts(sections); len(named) > 0 {
		notices = append(notices, document.Notice{Level: document.Note, Text: "named after the host of process 0: " +
			words.Some(named), Remedy: "name systems with --system, or with a system.yaml next to the results"})
	}
	return notices
}

// maxFound limits the number of findings of probes in a list.
const maxFound = 5

// byHosts returns the systems that are named by their hosts.
func byHosts(sections []Section) []string {
	rows := lists.Flat(sections, func(s Section) []Row { return s.Rows })
	named := lists.Where(rows, func(r Row) bool { return r.ByHost })
	return lists.Unique(lists.Each(named, func(r Row) string { return r.System.Name }))
}
