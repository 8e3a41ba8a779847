package ranking

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// Document returns the list as a document: a section for each class, then the notes.
func Document(sections []Section, view View) *document.Document {
	rows := 0
	for _, s := range sections {
		rows += len(s.Rows)
	}
	d := &document.Document{Title: "Effective bandwidth of systems", Notices: notices(sections, rows)}
	tables, means := 0, []string(nil)
	notes := document.List{"1 MB/s = 10^6 bytes per second, 1 MiB = 2^20 bytes.",
		"A class is the benchmark, the kind of engine, the rules of the loops or of the formula, the longest " +
			"message or chunk (full where it is 1/128 of the memory that is there, within a tenth, or that isn't " +
			"known), the number of processes and the number of them on a node. Each class has a section and ranks " +
			"of its own; of those that differ in processes alone the largest stands first. Ranked are valid results " +
			"and published ones; the others stand below them, without a rank."}
	for i := range sections {
		columns, classes := view.columns(&sections[i]), sections[i].classes(view)
		for _, of := range classes {
			d.Sections = append(d.Sections, of.document(tables, columns, view))
			tables++
		}
		if f := sections[i].Dots(id(i) + "-bars"); f != nil {
			if len(classes) > 1 {
				d.Sections = append(d.Sections, document.Section{ID: fmt.Sprint("sizes-", i+1),
					Title:  fmt.Sprintf("%v, all %d sizes", sections[i].Class, len(classes)),
					Blocks: []document.Block{document.Paragraph(inOne)}})
			}
			last := &d.Sections[len(d.Sections)-1]
			last.Blocks = append(last.Blocks, f)
		}
		for _, c := range columns {
			if !sections[i].fills(c) {
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
		notes = append(notes, "Of the results of a row the best one has its rank, which is that of their mean.")
	}
	if published(sections) {
		notes = append(notes, "Paper 2001: Table 1 of Rabenseifner and Koniges, Effective Communication and File-I/O "+
			"Bandwidth Benchmarks, LNCS 2131, 2001.")
	}
	d.Subtitle = subtitle(sections, tables)
	d.Sections = append(d.Sections, document.Section{ID: "notes", Title: "Notes", Blocks: []document.Block{notes}})
	return d
}

// inOne says where sizes stand together.
const inOne = "Ratings of different sizes answer different questions. Column \"of all sizes\" above ranks them " +
	"all the same, and `beff list --sort of-all-sizes` has them in one table."

// subtitle returns the numbers of results, systems and tables, and from when to when they were measured.
func subtitle(sections []Section, tables int) string {
	systems, results := map[string]bool{}, 0
	var first, last time.Time
	for _, s := range sections {
		for _, r := range s.Rows {
			systems[r.System.Name] = true
			results += r.Runs
			if d := r.Date; !d.IsZero() {
				if first.IsZero() || d.Before(first) {
					first = d
				}
				if d.After(last) {
					last = d
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
	if tables > 1 {
		text += fmt.Sprintf(", in %d sections", tables)
	}
	return text
}

// classes returns a section for each size, in their order. In an order of the reader's own all sizes stand together,
// and so do results without a rating, which have no class to be ranked in.
func (s *Section) classes(view View) (list []Section) {
	if view.Sort != "" || unrated(s.Class.Benchmark) {
		return []Section{*s}
	}
	for _, at := range s.sizes() {
		of := Section{Class: s.Class}
		for _, r := range s.Rows {
			if r.size() == at {
				of.Rows = append(of.Rows, r)
			}
		}
		list = append(list, of)
	}
	return list
}

// id returns the ID of the i-th table.
func id(i int) string {
	if i == 0 {
		return "ranking"
	}
	return fmt.Sprintf("ranking-%d", i+1)
}

// document returns the i-th section, with the columns.
func (s *Section) document(i int, used []column, view View) document.Section {
	t := &document.Table{ID: id(i), Sortable: true, Searchable: true,
		Caption: fmt.Sprintf("Systems by %s.", s.Class.Benchmark)}
	switch s.Class.Benchmark {
	case probes:
		t.Caption = "Probes. beff report FILE shows all kernels."
	case others:
		t.Caption = "Results of " + s.Class.Rules + ", as it printed them. beff report FILE shows all of them."
	}
	rows := view.rows(s)
	for _, c := range used {
		t.Columns = append(t.Columns, c.Column)
	}
	for i := range rows {
		if i > 0 && view.Sort == "" && (rows[i].size() != rows[i-1].size() || rows[i].ranked() != rows[i-1].ranked()) {
			t.Breaks = append(t.Breaks, i)
		}
		var cells []document.Cell
		for _, c := range used {
			cells = append(cells, c.cell(&rows[i]))
		}
		t.Rows = append(t.Rows, cells)
	}
	if n := len(s.Rows) - len(rows); n > 0 {
		t.Caption += fmt.Sprintf(" The other %s left out.", words.Either(n == 1, "row is", fmt.Sprint(n, " rows are")))
	}
	return document.Section{ID: "class-" + fmt.Sprint(i+1), Title: s.title(), Blocks: []document.Block{t}}
}

// sizes returns the sizes of a section in their order.
func (s *Section) sizes() (list []size) {
	for i := range s.Rows {
		if at := s.Rows[i].size(); !slices.Contains(list, at) {
			list = append(list, at)
		}
	}
	return list
}

// title returns the class in words, with its size or how many sizes there are.
func (s *Section) title() string {
	sizes := s.sizes()
	switch {
	case s.Class.Benchmark == others:
		return s.Class.String()
	case len(sizes) > 1 && unrated(s.Class.Benchmark):
		return s.Class.String()
	case len(sizes) > 1:
		return fmt.Sprintf("%v: %d sizes, each ranked by itself", s.Class, len(sizes))
	case len(sizes) == 0 || sizes[0].processes == 0:
		return s.Class.String()
	}
	return fmt.Sprintf("%v, %v", s.Class, sizes[0])
}

// String returns the size in words.
func (s size) String() string {
	if s.perNode == 0 {
		return words.Processes(s.processes)
	}
	return fmt.Sprintf("%s, %d per node", words.Processes(s.processes), s.perNode)
}

// fills reports whether a column has something in any row. The rank over sizes is only of interest where there are
// several.
func (s *Section) fills(c column) bool {
	if c.Name == overSizes {
		return len(s.sizes()) > 1
	}
	return slices.ContainsFunc(s.Rows, func(r Row) bool {
		return !isEmpty(c.cell(&r))
	})
}

// Dots returns the picture of the ranked systems, nil if there are less than two.
func (s *Section) Dots(id string) *document.Figure {
	rows := slices.Clone(s.Rows)
	slices.SortStableFunc(rows, func(a, b Row) int { return -cmp.Compare(a.Rating(), b.Rating()) })
	title := s.Class.Benchmark + " of the ranked systems, with their numbers of processes"
	d := chart.Dots{ID: id, Title: title, Caption: title + ".", X: chart.Bandwidth.Called(s.Class.Benchmark),
		Of: "systems", Most: mostDots}
	byLibrary := s.byLibrary()
	for i := range rows {
		if r := &rows[i]; r.Rank > 0 {
			name := fmt.Sprintf("%s, %d", r.System.Name, r.Processes)
			if byLibrary {
				name += ", " + r.Library
			}
			d.Groups = append(d.Groups, chart.Group{Name: name,
				Dots: []chart.Dot{{Spread: chart.Within(r.Rating(), r.interval())}}})
		}
	}
	f := d.Figure()
	if len(d.Groups) < 2 || f == nil {
		return nil
	}
	f.Source, f.Stamp = s.title(), words.Either(s.Class.Engine == rating.Simulated, "MODEL", "")
	return f
}

// mostDots is the number of systems that a picture has room for.
const mostDots = 40

// published reports whether a row is of the paper.
func published(sections []Section) bool {
	return slices.ContainsFunc(sections, func(s Section) bool {
		return slices.ContainsFunc(s.Rows, func(r Row) bool { return r.Status == Published })
	})
}

// notices returns the systems that are named by their hosts, and the numbers of rows that are not verified or not
// valid.
func notices(sections []Section, rows int) []document.Notice {
	counts := map[Status]int{}
	var hosts []string
	for _, s := range sections {
		for _, r := range s.Rows {
			counts[r.Status]++
			if r.ByHost && !slices.Contains(hosts, r.System.Name) {
				hosts = append(hosts, r.System.Name)
			}
		}
	}
	var notices []document.Notice
	if len(hosts) > 0 {
		notices = append(notices, document.Notice{Level: document.Note, Text: fmt.Sprintf("named by %s of process "+
			"0: %s. Runs that begin on another node of a machine are another system here, and nodes of one name are "+
			"one system", words.Either(len(hosts) > 1, "the hosts", "the host"), words.Some(hosts)),
			Remedy: "give the system's name to the run (--system), to its results (beff tag), or in a system.yaml"})
	}
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
