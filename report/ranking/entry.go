package ranking

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// Entry holds the facts and figures of a result that lists need. Its figures are those that its benchmark declares.
type Entry struct {
	rating.Class
	System           rating.System // with a Name
	ByHost           bool          // System.Name is the name of a host
	Processes        int
	PerNode          int    // most processes on a node; 0 if not known
	Longest          int64  // Lmax of b_eff, or the longest chunk of b_eff_io (M_PART); 0 if not known
	MemoryPerProcess int64  // 0 if not known
	Nodes            int    // 0 if not known
	Numbering        string // of ranks on nodes (job.Numbering)
	Date             time.Time
	CPU, Network     string // as the run found them
	Library          string // MPI library with its version
	LibraryName      string // library without version
	Machine          string // description of a simulated machine
	Measurement      rating.Measurement
	File             string
	Kernels          string   // kernels of a probe
	Found            []string // faults of the machine that a probe found, a sentence for each
	Way              string   // a probe's method in words
	Status           Status
	Cause            rating.Cause // of a low number, the one that explains most; zero if none is known
	UnderWay         bool         // the run has not ended, or was stopped early
	Figures          rating.Values
}

// Rating returns the benchmark's own number, or 0 if the result has none.
func (e *Entry) Rating() float64 { return e.Figures[e.Benchmark].Value }

// Within returns the interval of the rating within the run, or nil if it isn't known.
func (e *Entry) Within() *rating.Interval { return e.Figures[e.Benchmark].Within }

// Status tells how trustworthy a result is. Lower is better.
type Status int

// The states, the best first.
const (
	Valid      Status = iota
	Noisy             // all criteria are met, but something disturbed the run
	Slowed            // all criteria are met, but a known cause made the number too low
	Computed          // by a model: nothing was measured
	Imported          // from another program: beff has no verdict
	Published         // printed in the 2001 paper, without samples
	Doubtful          // from another program, and its figures contradict each other
	NotValid          // some criteria aren't met
	Unverified        // the result doesn't follow from its samples, or the document isn't complete
)

// StatusOf returns the status of a result that was verified.
func StatusOf(v rating.Verdict) Status {
	return map[rating.State]Status{rating.IsValid: Valid, rating.IsNoisy: Noisy, rating.IsSlowed: Slowed,
		rating.IsModel:    Computed,
		rating.IsNotValid: NotValid}[v.State()]
}

// CauseOf returns the cause of a low number: the one that spoils it, or else the one that explains most. It is zero if
// none is known.
func CauseOf(v rating.Verdict) rating.Cause {
	if c := v.SlowedBy(); c != nil {
		return *c
	}
	if len(v.Causes) > 0 {
		return v.Causes[0]
	}
	return rating.Cause{}
}

// String returns the status as lists show it.
func (s Status) String() string {
	return [...]string{"valid", "noisy", "slowed", "model", "imported", "paper 2001", "DOUBTFUL", "NOT VALID",
		"UNVERIFIED"}[s]
}

// Valid reports whether all criteria are met.
func (s Status) Valid() bool { return s <= Computed }

// Counts reports whether a result may be judged and averaged, since nothing speaks against it.
func (s Status) Counts() bool { return s <= Imported }

// Basis returns the facts that decide which other results the entry may be compared with.
func (e *Entry) Basis() rating.Basis {
	b := rating.Basis{Name: e.File, Class: e.Class, System: e.System.Name, Processes: e.Processes, PerNode: e.PerNode,
		Numbering: e.Numbering, Longest: e.Longest, Library: e.LibraryName,
		Version: strings.TrimPrefix(e.Library, e.LibraryName) + e.Machine,
		Way:     e.Way, Measurement: e.Measurement}
	switch {
	case !e.Status.Counts():
		b.Problem = e.Status.String()
	case e.UnderWay:
		b.Problem = "not ended"
	}
	return b
}

// Row is a system with a number of processes and a library, as the average of its runs of one class.
type Row struct {
	*Entry
	Rank      int       // 1 for the best of its class; 0 if not ranked
	Certainty Certainty // certainty of Rank
	Runs      int       // number of results, averaged or not
	// Between is the interval of the rating between the runs; nil for models and with less than three runs.
	Between *rating.Interval
	// IO is the system's best b_eff_io result, of any class and size, for a row of b_eff; otherwise nil.
	IO *Entry

	runs []*Entry
	best *Entry // best of runs
}

// Section is the ranking of one benchmark: its classes one after the other, each with its own ranks.
type Section struct {
	Benchmark string
	Rows      []Row
}

// inOrder compares classes: b_eff first, then by engine, by the memory of messages, the full class before others,
// longer messages before shorter ones, and then by rules.
func inOrder(c, d rating.Class) int {
	return cmp.Or(cmp.Compare(slices.Index(order, c.Benchmark), slices.Index(order, d.Benchmark)),
		cmp.Compare(c.Engine, d.Engine), cmp.Compare(c.Memory, d.Memory),
		-compareBool(c.Limited == 0, d.Limited == 0), -cmp.Compare(c.Limited, d.Limited), cmp.Compare(c.Rules, d.Rules))
}

// Rank returns a section for each benchmark. It has the classes one after the other, each with its ranked rows by
// rating, and then all rows without a rank.
//
// Results of one cell (rating.Cells) share a row, whose figures are the geometric means over the results with the best
// status. If every is set, each result has its own row, and the best result of a cell gets the rank of the cell's mean,
// so the ranks are the same. Published results, and those without a rating, always have their own row.
func Rank(entries []Entry, every bool) []Section {
	rows := join(entries)
	slices.SortStableFunc(rows, before)
	var sections []Section
	for i := 0; i < len(rows); {
		s := Section{Benchmark: rows[i].Benchmark}
		for ; i < len(rows) && rows[i].Benchmark == s.Benchmark; i++ {
			s.Rows = append(s.Rows, rows[i])
		}
		s.rank()
		if every {
			s.part()
		}
		sections = append(sections, s)
	}
	return sections
}

// before compares rows.
func before(a, b Row) int {
	return cmp.Or(cmp.Compare(slices.Index(order, a.Benchmark), slices.Index(order, b.Benchmark)),
		-compareBool(a.ranked(), b.ranked()), inOrder(a.Class, b.Class), -cmp.Compare(a.Rating(), b.Rating()),
		-cmp.Compare(a.Processes, b.Processes), -cmp.Compare(a.PerNode, b.PerNode),
		strings.Compare(a.System.Name, b.System.Name))
}

// part gives each result its own row. The best one of a row keeps its rank.
func (s *Section) part() {
	var rows []Row
	for _, r := range s.Rows {
		for _, e := range r.runs {
			one := Row{Entry: e, Runs: 1, IO: r.IO, runs: []*Entry{e}}
			if e == r.best {
				one.Rank, one.Certainty = r.Rank, r.Certainty
			}
			rows = append(rows, one)
		}
	}
	s.Rows = rows
}

// Files returns the files of the runs that a row averages, the newest first.
func (r *Row) Files() []string {
	runs := shownOf(r.runs)
	slices.SortStableFunc(runs, func(a, b *Entry) int { return -a.Date.Compare(b.Date) })
	return lists.Each(runs, func(e *Entry) string { return e.File })
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// join returns the rows in the order in which they first appear.
func join(entries []Entry) []Row {
	var cells rating.Cells
	var groups [][]*Entry
	at := map[int]int{}       // index of a cell's group
	io := map[string]*Entry{} // best b_eff_io of each system
	for e := range lists.Elements(entries) {
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

// joined returns the row for the runs of one cell: the geometric means over the valid ones, noisy or not, or over those
// with the best status. The row's status is the worst of these.
func joined(runs []*Entry) Row {
	shown, best := shownOf(runs), bestOf(runs)
	row := Row{Entry: best, Runs: len(runs), runs: runs, best: best}
	if len(shown) == 1 {
		return row
	}
	whole := *best
	row.Entry = &whole
	var ratings []rating.Estimate
	var figures []rating.Values
	files := map[string]bool{}
	for _, e := range shown {
		ratings, figures, files[e.File] = append(ratings, e.doubt()), append(figures, e.Figures), true
		whole.Status = max(whole.Status, e.Status)
		if e.Date.After(whole.Date) {
			whole.Date = e.Date
		}
	}
	if n := len(files); n > 1 {
		whole.File = words.Count(n, "file")
	}
	whole.Figures = rating.MeanOf(figures) // the distance between runs is more reliable than each run's own interval
	of := rating.MeanOfRuns(ratings)
	if len(shown) >= rating.MinRuns {
		row.Between = of.Within
	} else if whole.Status <= Slowed {
		v := whole.Figures[whole.Benchmark]
		v.Within = of.Within
		whole.Figures[whole.Benchmark] = v
	}
	return row
}

// bestOf returns the run that gives a row its facts.
func bestOf(runs []*Entry) (best *Entry) {
	for _, e := range runs {
		best = better(best, e)
	}
	return best
}

// shownOf returns the runs that a row averages: the valid ones, noisy or not, or those with the best status. Runs that
// have not ended count only if all runs are such.
func shownOf(runs []*Entry) []*Entry {
	best := bestOf(runs)
	return slices.DeleteFunc(slices.Clone(runs), func(e *Entry) bool {
		return e.Status.Counts() != best.Status.Counts() || !best.Status.Counts() && e.Status != best.Status ||
			(e.Rating() > 0) != (best.Rating() > 0) || e.UnderWay != best.UnderWay
	})
}

// better returns the better entry: one that has ended, then one with the better status, the better kind of engine, the
// larger rating, or the newer date. a may be nil.
func better(a, b *Entry) *Entry {
	if a == nil || cmp.Or(compareBool(b.UnderWay, a.UnderWay), cmp.Compare(b.Status, a.Status),
		cmp.Compare(b.Engine, a.Engine), -cmp.Compare(b.Rating(), a.Rating()), -b.Date.Compare(a.Date)) < 0 {
		return b
	}
	return a
}
