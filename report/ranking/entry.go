package ranking

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// Entry holds the figures of one result that the ranking needs, in bytes, seconds and bytes per second, 0 if the result
// has no such figure. Rating is of every benchmark, the others of one.
type Entry struct {
	Class
	System           rating.System // its Name is not empty
	Processes        int
	PerNode          int   // the most on a node; 0: not known
	Longest          int64 // Lmax or M_PART; 0: not known
	MemoryPerProcess int64
	TotalMemory      int64 // of all nodes in use; 0: not known
	Nodes            int   // 0: not known
	Date             time.Time
	Library          string // that the processes communicated through, with its version
	File             string
	Kernels          string // of a probe
	Status           Status
	Remark           string // shown after the status, such as "imported"
	// Within is the interval of the rating within the run; nil if it isn't known.
	Within *rating.Interval

	Rating            float64 // the benchmark's own number: b_eff, b_eff_io
	PerProcess        float64 // b_eff per process
	AtLmax            float64
	AtLmaxPerProcess  float64
	RingsAtLmaxOfEach float64
	PingPong          float64 // largest bandwidth of the ping-pong
	Latency           float64 // of one exchange over rings and randoms; of a probe that of its ping-pong
	Write             float64 // bandwidth with which b_eff_io would write the memory

	// Of other programs: bandwidths of writing and reading files, files created in a second, and the own number.
	FileWrite, FileRead, Creates, Score float64
}

// figures returns the places of the measured figures.
func (e *Entry) figures() []*float64 {
	return []*float64{&e.Rating, &e.PerProcess, &e.AtLmax, &e.AtLmaxPerProcess, &e.RingsAtLmaxOfEach, &e.PingPong,
		&e.Latency, &e.Write, &e.FileWrite, &e.FileRead, &e.Creates, &e.Score}
}

// Status is how trustworthy a result is. Lower is better.
type Status int

// The states.
const (
	Valid      Status = iota
	Noisy             // all of its criteria are met, but something disturbed the run
	Published         // printed in the 2001 paper, without samples
	NotValid          // not all of its criteria are met
	Unverified        // it does not follow from its samples, or the document is not complete
)

// StatusOf returns the status of a result that is proven.
func StatusOf(v rating.Verdict) Status {
	return map[rating.State]Status{rating.IsValid: Valid, rating.IsNoisy: Noisy, rating.IsNotValid: NotValid}[v.State()]
}

// String returns the status as lists show it.
func (s Status) String() string {
	return [...]string{"valid", "valid, but noisy", "paper 2001", "NOT VALID", "UNVERIFIED"}[s]
}

// Valid reports whether all criteria are met.
func (s Status) Valid() bool { return s <= Noisy }

// ranked reports whether a result gets a rank. The others are listed after the ranked ones.
func (s Status) ranked() bool { return s <= Published }

// size is the number of processes of a run, and the most of them on a node.
type size struct{ processes, perNode int }

func (e *Entry) size() size { return size{e.Processes, e.PerNode} }

// Row is a system on a number of processes: its runs of one class, joined.
type Row struct {
	*Entry
	Rank  int // 1 for the best of its class and size; 0: not ranked
	OfAll int // the same among the rows of all sizes; 0: not ranked
	Runs  int // results of this system in this class and size, shown or not
	Shown int // those that the figures are of: the ones of the best status
	// Between is the interval of the rating between the runs; nil for less than three, and for several libraries.
	Between *rating.Interval
	// IO is the system's best b_eff_io result, of any class and size, beside its b_eff; nil: there is none.
	IO *Entry
}

// Section is the ranking of one class.
type Section struct {
	Class Class
	Rows  []Row
}

// order lists the benchmarks in the order of their sections.
var order = []string{bEff, bEffIO, probes, others}

// place returns the place of a benchmark in the list.
func place(benchmark string) int { return slices.Index(order, benchmark) }

// Rank returns a section for each class, in which the valid and the published results come first: those of the most
// processes, then those of the most on a node, by their rating.
// Results of one system, class and size share a row, whose figures are the geometric means of those with the best
// status. With every, each result has a row of its own, and the best one of a system and size has their rank.
// Published results, and those without a rating, have a row of their own always.
func Rank(entries []Entry, every bool) []Section {
	var sections []Section
	at := map[Class]int{}
	for _, r := range join(entries, every) {
		i, seen := at[r.Class]
		if !seen {
			i = len(sections)
			at[r.Class] = i
			sections = append(sections, Section{Class: r.Class})
		}
		sections[i].Rows = append(sections[i].Rows, r)
	}
	slices.SortFunc(sections, func(a, b Section) int { return a.Class.compare(b.Class) })
	for i := range sections {
		sections[i].rank(every)
	}
	return sections
}

// rank numbers the rows that get a rank, then orders all. With every, a system has a rank for each of its sizes.
func (s *Section) rank(every bool) {
	slices.SortStableFunc(s.Rows, func(a, b Row) int {
		return cmp.Or(-compareBool(a.ranked(), b.ranked()), -cmp.Compare(a.Rating, b.Rating),
			strings.Compare(a.System.Name, b.System.Name), cmp.Compare(a.Processes, b.Processes))
	})
	defer slices.SortStableFunc(s.Rows, func(a, b Row) int {
		return cmp.Or(-compareBool(a.ranked(), b.ranked()), -cmp.Compare(a.Processes, b.Processes),
			-cmp.Compare(a.PerNode, b.PerNode))
	})
	type place struct {
		system string
		size
	}
	var all counter
	sizes, taken := map[size]*counter{}, map[place]bool{}
	for i := range s.Rows {
		r := &s.Rows[i]
		at := place{r.System.Name, r.size()}
		if !r.ranked() || every && taken[at] && r.Status != Published {
			continue
		}
		taken[at] = taken[at] || r.Status != Published
		if sizes[r.size()] == nil {
			sizes[r.size()] = &counter{}
		}
		r.Rank, r.OfAll = sizes[r.size()].next(r.Rating), all.next(r.Rating)
	}
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
func (r *Row) ranked() bool { return r.Status.ranked() && r.Rating > 0 }

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
func join(entries []Entry, every bool) []Row {
	type key struct {
		Class
		system string
		size
	}
	var groups [][]*Entry
	at := map[key]int{}
	io := map[string]*Entry{} // the best b_eff_io of each system
	for i := range entries {
		e := &entries[i]
		k := key{e.Class, e.System.Name, e.size()}
		n, seen := at[k]
		if !seen || every || e.Status == Published || unrated(e.Benchmark) {
			n = len(groups)
			groups = append(groups, nil)
		}
		if e.Status != Published {
			at[k] = n
		}
		groups[n] = append(groups[n], e)
		if e.Benchmark == bEffIO {
			io[e.System.Name] = better(io[e.System.Name], e)
		}
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

// several stands for the libraries of a row whose runs had different ones.
const several = "several"

// joined returns the row of the runs of one system, class and size: the geometric means over the valid ones, noisy or
// not, or over those of the best status. The row's status is the worst of these.
func joined(runs []*Entry) Row {
	var best *Entry
	for _, e := range runs {
		best = better(best, e)
	}
	shown := slices.DeleteFunc(slices.Clone(runs), func(e *Entry) bool {
		return e.Status.Valid() != best.Status.Valid() || !best.Status.Valid() && e.Status != best.Status ||
			(e.Rating > 0) != (best.Rating > 0)
	})
	row := Row{Entry: best, Runs: len(runs), Shown: len(shown)}
	if len(shown) == 1 {
		return row
	}
	whole := *best
	row.Entry = &whole
	whole.Within = nil // the runs' own say less than what is between them
	var ratings []float64
	files := map[string]bool{}
	for _, e := range shown {
		ratings, files[e.File] = append(ratings, e.Rating), true
		whole.Status = max(whole.Status, e.Status)
		if e.Date.After(whole.Date) {
			whole.Date = e.Date
		}
		if e.Library != whole.Library {
			whole.Library = several
		}
	}
	if n := len(files); n > 1 {
		whole.File = words.Count(n, "file")
	}
	for i, figure := range whole.figures() {
		var each []float64
		for _, e := range shown {
			each = append(each, *e.figures()[i])
		}
		*figure = mean(each)
	}
	if whole.Library != several { // what is between two libraries is no error of either
		_, row.Between = rating.Between(ratings)
	}
	return row
}

// mean returns the geometric mean of a figure, 0 if a run doesn't have it.
func mean(figures []float64) float64 {
	x, _ := rating.Between(figures)
	if math.IsNaN(x) {
		return 0
	}
	return x
}

// better returns the entry to show: the one with the better status, then that of the better kind of engine, the larger
// one, the newer one. a may be nil.
func better(a, b *Entry) *Entry {
	if a == nil || cmp.Or(cmp.Compare(b.Status, a.Status), cmp.Compare(b.Engine, a.Engine),
		-cmp.Compare(b.Rating, a.Rating), -b.Date.Compare(a.Date)) < 0 {
		return b
	}
	return a
}
