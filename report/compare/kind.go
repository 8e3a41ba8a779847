package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// Kind defines how results of type R are compared. A side is a result, or several runs of one system and configuration.
type Kind[R any] struct {
	Title   string
	Meaning string // explains the benchmark to readers who never ran MPI
	By      string // formula of the ratings, if there are several
	Figures rating.Figures[R]
	// PerProcess compares figures of all processes per process.
	PerProcess bool
	// As converts a result to the form that is compared; nil for no conversion.
	As      func(*R) *R
	Header  func(*R) parts.Header
	Fact    func(*R) string            // further important fact about a result, or empty
	Notices func(*R) []document.Notice // about a single result; may be nil
	Aspects []Aspect[R]
	// SpreadOf returns the spread of figure key on side i, for figures without an interval. If SpreadOf is nil or the
	// result has no degrees of freedom, a figure derived from the rating gets the rating's spread.
	SpreadOf func(key string, i int) Sampled
	// Against compares side i, counted from 1, with the first one, which is 0.
	Against func(i int) Pair
	Each    string   // kind of a table's rows: "area", "kernel"
	Shown   string   // description of the figures of rows
	Columns []string // headings of Group.Words
	Terms   string   // explains names of figures; may be empty
	// Nothing is the condition for results to have something in common.
	Nothing string
	// Pictures returns the pictures of all sides, which show the mean of a side's runs.
	Pictures func(pairs []Pair) []*document.Figure
	Method   []string
	// Spread explains how intervals are computed, Unknown why there are none.
	Spread, Unknown string
}

// Aspect is a fact that compared runs should share. An unknown fact, "", differs from no other.
type Aspect[R any] struct {
	Level  document.Level
	Names  string // plural
	Of     func(*R) string
	Remedy string
}

// Pair holds the rows that a side has in common with the first one.
type Pair struct {
	Name string // name of the side
	// Main is the main difference: of the ratings, or of the speed, which is the geometric mean over all rows. It is
	// not measured if a side lacks it.
	Main   Difference
	Groups []Group
	// Lengths are the means over all groups at each message length, which only a picture shows.
	Lengths []Row
	// OnlyFirst and OnlySecond name the rows that the other side lacks.
	OnlyFirst, OnlySecond []string
	Notices               []document.Notice
	Remarks               []document.Block // after the first table
}

// Group holds the rows of a kernel or a test. A group without a name is the only one.
type Group struct {
	Name  string
	Words []string // in Kind.Columns
	Rows  []Row
	Of    [2]int // indices of the matched tables

	NotAveraged bool // counts in no mean over all groups (see Table)
}

// Row is a line that both sides have: an area, a length, a label.
type Row struct {
	Difference // of speeds: figures, or reciprocals of times
	Bytes      int64
	Main       bool // the main row of the comparison
	Shown      []Shown
}

// Shown is a figure of a row with the values of both sides.
type Shown struct {
	rating.Figure
	Of [2]float64
}

// OfBandwidth returns a row with the bandwidths in an area.
func OfBandwidth(area string, first, second Sampled) Row {
	return Row{Difference: Difference{Name: area, First: first, Second: second},
		Shown: []Shown{{rating.Figure{Name: "bandwidth", Unit: rating.Bandwidth, Rated: true},
			[2]float64{first.Value, second.Value}}}}
}

// Ungrouped returns the rows that both sides have as a group without a name, or no group if there are none.
func Ungrouped(rows []Row) []Group {
	rows = slices.DeleteFunc(rows, func(r Row) bool { return !r.Measured() })
	if len(rows) == 0 {
		return nil
	}
	return []Group{{Rows: rows}}
}

// Counted formats a number. 0 means that it isn't known.
func Counted(n int) string { return words.Either(n > 0, fmt.Sprint(n), "not known") }

// Comparison is a document, with the comparison of each further side with the first one.
type Comparison struct {
	Document *document.Document
	Sides    []Side
	Pairs    []Pair
	// Source describes the pictures: the sides, their processes, and whether they were measured. Without is the same
	// without processes.
	Source, Without string

	benchmark string // the title of its kind
}

// Compare compares two or more sides, whose results must have passed their benchmark's check. The names must differ.
func (k Kind[R]) Compare(names []string, sides [][]*R) (*Comparison, error) {
	if len(sides) < 2 || len(names) != len(sides) {
		return nil, fmt.Errorf("compare: %d results with %d names: need two or more", len(sides), len(names))
	}
	p := page{title: k.Title, meaning: k.Meaning, by: k.By, each: k.Each, shown: k.Shown, nothing: k.Nothing,
		columns: k.Columns, terms: k.Terms}
	for i, runs := range sides {
		p.sides = append(p.sides, k.side(names[i], runs))
	}
	p.notices = k.notices(names, sides)
	for i := 1; i < len(sides); i++ {
		pair := k.Against(i)
		pair.Name = names[i]
		pair.test()
		p.pairs = append(p.pairs, pair)
	}
	p.differing = k.differing(names, sides)
	p.figures = k.figures(sides)
	p.pictures = k.Pictures(p.pairs)
	p.method = append(slices.Clone(k.Method), p.methods(k.Spread, k.Unknown)...)
	return &Comparison{p.document(), p.sides, p.pairs, p.source(true), p.source(false), k.Title}, nil
}

// Mains returns the main difference of each side except the first.
func (c *Comparison) Mains() []Difference {
	return lists.Each(c.Pairs, func(p Pair) Difference { return p.Main })
}

// test decides which rows are significant, testing the main row separately.
func (p *Pair) test() {
	lengths := lists.Each(p.Lengths, func(r Row) Difference { return r.Difference })
	Test(lengths)
	for i, d := range lengths {
		p.Lengths[i].Difference = d
	}
	alone := []Difference{p.Main}
	Test(alone)
	p.Main = alone[0]
	var list []Difference
	main := -1
	for _, g := range p.Groups {
		for _, r := range g.Rows {
			if r.Main {
				main = len(list)
			}
			list = append(list, r.Difference)
		}
	}
	TestWithMain(list, main)
	for _, g := range p.Groups {
		for i := range g.Rows {
			g.Rows[i].Significant = list[i].Significant
		}
		list = list[len(g.Rows):]
	}
}

// rows returns all rows.
func (p *Pair) rows() []Row { return lists.Flat(p.Groups, func(g Group) []Row { return g.Rows }) }

// averaged returns the rows of all groups that count in means over all groups.
func (p *Pair) averaged() []Row {
	return lists.Flat(lists.Where(p.Groups, func(g Group) bool { return !g.NotAveraged }), Group.counted)
}

// counted returns the rows that count in means. If there are longer messages, rows of 0 bytes don't count, because
// their calls move nothing and may return at once.
func (g Group) counted() []Row {
	if !slices.ContainsFunc(g.Rows, func(r Row) bool { return r.Bytes > 0 }) {
		return g.Rows
	}
	return lists.Where(g.Rows, func(r Row) bool { return r.Bytes > 0 || r.Name != "" })
}

// as converts a result to the form that is compared.
func (k Kind[R]) as(r *R) *R {
	if k.As == nil {
		return r
	}
	return k.As(r)
}

// notices returns the distinct notices about the runs of all sides, each with the names of its sides.
func (k Kind[R]) notices(names []string, sides [][]*R) (list []document.Notice) {
	var of [][]string
	for i, runs := range sides {
		for _, r := range runs {
			var own []document.Notice
			if k.Notices != nil {
				own = k.Notices(r)
			}
			for _, w := range rating.CrowdedWarning(k.Header(r).Placement) {
				own = append(own, document.Notice{Level: document.Warning, Text: w.Text, Remedy: w.Remedy})
			}
			for _, n := range own {
				at := slices.IndexFunc(list, func(x document.Notice) bool { return x.Text == n.Text })
				if at < 0 {
					at, list, of = len(list), append(list, n), append(of, nil)
				}
				of[at] = lists.Unique(append(of[at], names[i]))
			}
		}
	}
	for i := range list {
		list[i].Text = words.Joined(of[i], "and") + ": " + list[i].Text
	}
	return list
}

// known reports whether a list has a notice with this text.
func known(list []document.Notice, n document.Notice) bool {
	return slices.ContainsFunc(list, func(x document.Notice) bool { return x.Text == n.Text })
}

// differing returns a notice for each aspect in which the sides differ: those of all benchmarks, then the kind's.
func (k Kind[R]) differing(names []string, sides [][]*R) (list []document.Notice) {
	for _, a := range append([]Aspect[R]{
		{document.Bad, "engines", func(r *R) string { return rating.EngineOf(k.Header(r).Engine.Kind()).String() },
			"the embedded engine shows one machine's memory and files, not an MPI or a network"},
		{document.Warning, "origins",
			func(r *R) string { return words.Either(k.Header(r).Imported == "", "measured", "imported") },
			"imported figures were measured by other programs, which printed only some of their digits"},
		{document.Warning, "numberings of the ranks over the nodes",
			func(r *R) string { return job.Numbering(k.Header(r).Placement) },
			"ranks numbered by blocks have neighbours on one node, and ranks numbered in turn have them on others: " +
				"map the ranks alike"},
	}, k.Aspects...) {
		var values []string
		first, differ := a.Of(k.as(sides[0][0])), false
		for i, runs := range sides {
			value := a.Of(k.as(runs[0]))
			differ = differ || first != "" && value != "" && value != first
			values = append(values, strings.TrimSpace(names[i]+" "+value))
		}
		if differ {
			list = append(list, document.Notice{Level: a.Level, Remedy: a.Remedy,
				Text: fmt.Sprintf("the %s differ: %s", a.Names, strings.Join(values, ", "))})
		}
	}
	return list
}

// sampled returns a figure of a side over all of its runs.
func (k Kind[R]) sampled(f rating.FigureOf[R], runs []*R) Sampled {
	var list []Sampled
	for _, r := range runs {
		v := f.Of(k.as(r))
		list = append(list, OfRun(k.Header(r).Engine.Kind().Simulated, v.Value, v.Within))
	}
	return OfRuns(list)
}

// figures returns the figures of all sides. Figures derived from the rating that have no interval inherit the rating's.
func (k Kind[R]) figures(sides [][]*R) (lines []figureLine) {
	for _, f := range k.Figures {
		if f.OfAll && k.PerProcess || f.PerProcess && !k.PerProcess {
			continue
		}
		line := figureLine{Figure: f.Figure}
		for i, runs := range sides {
			s := k.sampled(f, runs)
			value := s.Value
			if s.Degrees == 0 && !s.Model && k.SpreadOf != nil {
				s = k.SpreadOf(f.Key, i)
			}
			if s.Degrees == 0 && f.Rated {
				s = k.sampled(k.Figures[0], runs)
			}
			s.Value = value
			line.sides = append(line.sides, s)
		}
		lines = append(lines, line)
	}
	return lines
}
