package ranking

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// Entry is what lists need of a result. It knows no benchmark: its figures are those that the benchmark has declared.
type Entry struct {
	rating.Class
	System           rating.System // its Name is not empty
	ByHost           bool          // it is that of a host
	Processes        int
	PerNode          int   // the most on a node; 0: not known
	Longest          int64 // Lmax or M_PART; 0: not known
	MemoryPerProcess int64 // 0: not known
	Nodes            int   // 0: not known
	Date             time.Time
	Library          string // that the processes communicated through, with its version
	LibraryName      string // without it
	Machine          string // the description of a model's
	Measurement      rating.Measurement
	File             string
	Kernels          string // of a probe
	Way              string // how a probe measured, in words
	Status           Status
	Remark           string // shown after the status, such as "imported"
	Figures          rating.Values
}

// Rating returns the benchmark's own number, 0 if the result has none.
func (e *Entry) Rating() float64 { return e.Figures[e.Benchmark].Value }

// Within returns the interval of the rating within the run; nil if it isn't known.
func (e *Entry) Within() *rating.Interval { return e.Figures[e.Benchmark].Within }

// Status is how trustworthy a result is. Lower is better.
type Status int

// The states.
const (
	Valid      Status = iota
	Noisy             // all of its criteria are met, but something disturbed the run
	Computed          // by a model: nothing was measured
	Published         // printed in the 2001 paper, without samples
	NotValid          // not all of its criteria are met
	Unverified        // it does not follow from its samples, or the document is not complete
)

// StatusOf returns the status of a result that is proven.
func StatusOf(v rating.Verdict) Status {
	return map[rating.State]Status{rating.IsValid: Valid, rating.IsNoisy: Noisy, rating.IsModel: Computed,
		rating.IsNotValid: NotValid}[v.State()]
}

// String returns the status as lists show it.
func (s Status) String() string {
	return [...]string{"valid", "valid, but noisy", "computed by a model", "paper 2001", "NOT VALID", "UNVERIFIED"}[s]
}

// Valid reports whether all criteria are met.
func (s Status) Valid() bool { return s <= Computed }

// ranked reports whether a result gets a rank. The others are listed after the ranked ones.
func (s Status) ranked() bool { return s <= Published }

// Basis returns what decides which other results the entry may be compared with.
func (e *Entry) Basis() rating.Basis {
	b := rating.Basis{Name: e.File, Class: e.Class, System: e.System.Name, Processes: e.Processes, PerNode: e.PerNode,
		Longest: e.Longest, Library: e.LibraryName, Version: strings.TrimPrefix(e.Library, e.LibraryName) + e.Machine,
		Way: e.Way, Measurement: e.Measurement}
	if !e.Status.Valid() {
		b.Problem = e.Status.String()
	}
	return b
}

// size is the number of processes of a run, and the most of them on a node.
type size struct{ processes, perNode int }

func (e *Entry) size() size { return size{e.Processes, e.PerNode} }

// Row is a system on a number of processes by a library: its runs of one class, joined.
type Row struct {
	*Entry
	Rank  int // 1 for the best of its class and size; 0: not ranked
	OfAll int // the same among the rows of all sizes; 0: not ranked
	Runs  int // results of this cell, shown or not
	Shown int // those that the figures are of: the ones of the best status
	// Between is the interval of the rating between the runs; nil for less than three, and for models.
	Between *rating.Interval
	// IO is the system's best b_eff_io result, of any class and size, beside its b_eff; nil: there is none.
	IO *Entry

	runs []*Entry
	best *Entry // of them
}

// Section is the ranking of one class.
type Section struct {
	Class rating.Class
	Rows  []Row
}

// inOrder returns the order of the sections of classes: b_eff first, then by engine, the full class before others,
// longer messages before shorter ones, the rules last.
func inOrder(c, d rating.Class) int {
	return cmp.Or(cmp.Compare(slices.Index(order, c.Benchmark), slices.Index(order, d.Benchmark)),
		cmp.Compare(c.Engine, d.Engine),
		-compareBool(c.Limited == 0, d.Limited == 0), -cmp.Compare(c.Limited, d.Limited), cmp.Compare(c.Rules, d.Rules))
}

// Rank returns a section for each class, in which the valid and the published results come first: those of the most
// processes, then those of the most on a node, by their rating.
// Results that may stand in one cell (rating.Cells) share a row, whose figures are the geometric means of those with
// the best status. With every, each result has a row of its own, and the best one of a cell has the rank of the cell's
// mean, so that ranks are the same ones. Published results, and those without a rating, have a row of their own always.
func Rank(entries []Entry, every bool) []Section {
	var sections []Section
	at := map[rating.Class]int{}
	for _, r := range join(entries) {
		i, seen := at[r.Class]
		if !seen {
			i = len(sections)
			at[r.Class] = i
			sections = append(sections, Section{Class: r.Class})
		}
		sections[i].Rows = append(sections[i].Rows, r)
	}
	slices.SortFunc(sections, func(a, b Section) int { return inOrder(a.Class, b.Class) })
	for i := range sections {
		s := &sections[i]
		s.rank()
		if every {
			s.part()
		}
		s.order()
	}
	return sections
}

// order puts the rows that have a rank first, those of the most processes before others.
func (s *Section) order() {
	slices.SortStableFunc(s.Rows, func(a, b Row) int {
		return cmp.Or(-compareBool(a.ranked(), b.ranked()), -cmp.Compare(a.Processes, b.Processes),
			-cmp.Compare(a.PerNode, b.PerNode), -cmp.Compare(a.Rating(), b.Rating()),
			strings.Compare(a.System.Name, b.System.Name))
	})
}

// rank numbers the rows that get a rank.
func (s *Section) rank() {
	slices.SortStableFunc(s.Rows, func(a, b Row) int { return -cmp.Compare(a.Rating(), b.Rating()) })
	var all counter
	sizes := map[size]*counter{}
	for i := range s.Rows {
		r := &s.Rows[i]
		if !r.ranked() {
			continue
		}
		if sizes[r.size()] == nil {
			sizes[r.size()] = &counter{}
		}
		r.Rank, r.OfAll = sizes[r.size()].next(r.Rating()), all.next(r.Rating())
	}
}

// part gives each result a row of its own. The best one of a row has its rank.
func (s *Section) part() {
	var rows []Row
	for _, r := range s.Rows {
		for _, e := range r.runs {
			one := Row{Entry: e, Runs: 1, Shown: 1, IO: r.IO, runs: []*Entry{e}}
			if e == r.best {
				one.Rank, one.OfAll = r.Rank, r.OfAll
			}
			rows = append(rows, one)
		}
	}
	s.Rows = rows
}

// counter numbers ratings that come in falling order. Equal ones get one number.
type counter struct {
	count, number int
	last          float64
}

func (c *counter) next(rating float64) int {
	if c.count++; c.count == 1 || rating != c.last {
		c.number, c.last = c.count, rating
	}
	return c.number
}

// ranked reports whether a row gets a rank.
func (r *Row) ranked() bool { return r.Status.ranked() && r.Rating() > 0 }

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// join returns the rows, in the order in which they first appear.
func join(entries []Entry) []Row {
	var cells rating.Cells
	var groups [][]*Entry
	at := map[int]int{}       // a cell's group
	io := map[string]*Entry{} // the best b_eff_io of each system
	for i := range entries {
		e := &entries[i]
		if e.Benchmark == bEffIO {
			io[e.System.Name] = better(io[e.System.Name], e)
		}
		if e.Status == Published || unrated(e.Benchmark) {
			groups = append(groups, []*Entry{e})
			continue
		}
		n, first := cells.Of(e.Basis())
		if first {
			at[n] = len(groups)
			groups = append(groups, nil)
		}
		groups[at[n]] = append(groups[at[n]], e)
	}
	rows := make([]Row, len(groups))
	for i, runs := range groups {
		rows[i] = joined(runs)
		if rows[i].Benchmark == bEff && rows[i].Status != Published {
			rows[i].IO = io[rows[i].System.Name]
		}
	}
	return rows
}

// joined returns the row of the runs of one cell: the geometric means over the valid ones, noisy or
// not, or over those of the best status. The row's status is the worst of these.
func joined(runs []*Entry) Row {
	var best *Entry
	for _, e := range runs {
		best = better(best, e)
	}
	shown := slices.DeleteFunc(slices.Clone(runs), func(e *Entry) bool {
		return e.Status.Valid() != best.Status.Valid() || !best.Status.Valid() && e.Status != best.Status ||
			(e.Rating() > 0) != (best.Rating() > 0)
	})
	row := Row{Entry: best, Runs: len(runs), Shown: len(shown), runs: runs, best: best}
	if len(shown) == 1 {
		return row
	}
	whole := *best
	row.Entry = &whole
	var ratings []float64
	var figures []rating.Values
	files := map[string]bool{}
	for _, e := range shown {
		ratings, figures, files[e.File] = append(ratings, e.Rating()), append(figures, e.Figures), true
		whole.Status = max(whole.Status, e.Status)
		if e.Date.After(whole.Date) {
			whole.Date = e.Date
		}
	}
	if n := len(files); n > 1 {
		whole.File = words.Count(n, "file")
	}
	whole.Figures = rating.MeanOf(figures) // the runs' own intervals say less than what is between them
	if whole.Status != Computed {
		_, row.Between = rating.Between(ratings)
	}
	return row
}

// better returns the entry to show: the one with the better status, then that of the better kind of engine, the larger
// one, the newer one. a may be nil.
func better(a, b *Entry) *Entry {
	if a == nil || cmp.Or(cmp.Compare(b.Status, a.Status), cmp.Compare(b.Engine, a.Engine),
		-cmp.Compare(b.Rating(), a.Rating()), -b.Date.Compare(a.Date)) < 0 {
		return b
	}
	return a
}
