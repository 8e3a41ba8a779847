package ranking

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/rating"
)

// Entry holds the figures of one result that the ranking needs, in bytes, seconds and bytes per second, 0 if the result
// has no such figure. Rating is of every benchmark, the others of one.
type Entry struct {
	Benchmark        string        // one of order
	System           rating.System // its Name is not empty
	Processes        int
	MemoryPerProcess int64
	TotalMemory      int64 // of all nodes in use; 0: not known
	Date             time.Time
	Status           Status
	Remark           string // shown after the status, such as "embedded engine"

	Rating            float64 // the benchmark's own number: b_eff, b_eff_io
	PerProcess        float64 // b_eff per process
	AtLmax            float64
	AtLmaxPerProcess  float64
	RingsAtLmaxOfEach float64
	PingPong          float64
	Latency           float64
	Write             float64 // bandwidth with which b_eff_io would write the memory
}

// Status is how trustworthy a result is. Lower is better.
type Status int

// The states.
const (
	Valid      Status = iota
	Published         // printed in the 2001 paper, without samples
	NotValid          // not all of its criteria are met
	Unverified        // it does not follow from its samples, or the document is not complete
)

// String returns the status as lists show it.
func (s Status) String() string {
	return [...]string{"valid", "paper 2001", "NOT VALID", "UNVERIFIED"}[s]
}

// ranked reports whether a result gets a rank. The others are listed after the ranked ones.
func (s Status) ranked() bool { return s <= Published }

// Row is a system, with the best result of each benchmark.
type Row struct {
	Rank int               // 1 for the best; 0: not ranked
	Best map[string]*Entry // by benchmark
	Runs int               // results of this system, shown or not
}

// order lists the benchmarks that have a ranking. A list is ranked by the first of them that it has results of.
var order = []string{bEff, bEffIO}

// principal returns the benchmark that a list of results is ranked by.
func principal(has func(benchmark string) bool) string {
	if i := slices.IndexFunc(order, has); i >= 0 {
		return order[i]
	}
	return order[0]
}

// principalOf returns the benchmark that rows are ranked by.
func principalOf(rows []Row) string {
	return principal(func(benchmark string) bool {
		return slices.ContainsFunc(rows, func(r Row) bool { return r.Best[benchmark] != nil })
	})
}

// results returns the entries of a row in the order of their benchmarks.
func (r *Row) results() []*Entry {
	var list []*Entry
	for _, benchmark := range order {
		if e := r.Best[benchmark]; e != nil {
			list = append(list, e)
		}
	}
	return list
}

// any returns an entry of the row: that of the first benchmark.
func (r *Row) any() *Entry { return r.results()[0] }

// Rank returns the entries as an ordered list of rows: first the valid and the published ones by b_eff, then the
// others. If all entries are of b_eff_io the order is by b_eff_io. Entries with the same system name share a row, which
// holds the best result of each benchmark, valid ones first. With every, each b_eff result has its own row, and so has
// each b_eff_io result if there are no others. Each published result has its own row, because the paper lists one
// system with several numbers of processes.
func Rank(entries []Entry, every bool) []Row {
	by := principal(func(benchmark string) bool {
		return slices.ContainsFunc(entries, func(e Entry) bool { return e.Benchmark == benchmark })
	})
	rows := join(entries, every, by)
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(-compareBool(a.ranked(by), b.ranked(by)), -compareBool(a.Best[by] != nil, b.Best[by] != nil),
			-cmp.Compare(a.any().Rating, b.any().Rating), strings.Compare(a.any().System.Name, b.any().System.Name))
	})
	for i := range rows {
		switch {
		case !rows[i].ranked(by):
		case i > 0 && rows[i].any().Rating == rows[i-1].any().Rating:
			rows[i].Rank = rows[i-1].Rank
		default:
			rows[i].Rank = i + 1
		}
	}
	return rows
}

// ranked reports whether a row gets a rank in a list that is ranked by a benchmark.
func (r *Row) ranked(by string) bool {
	e := r.Best[by]
	return e != nil && e.Status.ranked() && e.Rating > 0
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

// join returns the rows of all systems, in the order in which the systems first appear, for a list that is ranked by a
// benchmark.
func join(entries []Entry, every bool, by string) []Row {
	var rows []Row
	at := map[string]int{}
	for i := range entries {
		e := &entries[i]
		if e.Status == Published || every && e.Benchmark == by {
			rows = append(rows, Row{Best: map[string]*Entry{e.Benchmark: e}, Runs: 1})
			continue
		}
		k, seen := at[e.System.Name]
		if !seen {
			k = len(rows)
			at[e.System.Name] = k
			rows = append(rows, Row{Best: map[string]*Entry{}})
		}
		rows[k].Runs++
		rows[k].Best[e.Benchmark] = better(rows[k].Best[e.Benchmark], e)
	}
	if every {
		rows = share(rows, by)
	}
	return rows
}

// share puts a system's results of other benchmarks into each of its rows of the one that the list is ranked by.
func share(rows []Row, by string) []Row {
	others := map[string]map[string]*Entry{}
	for _, r := range rows {
		if r.Best[by] == nil {
			others[r.any().System.Name] = r.Best
		}
	}
	used := map[string]bool{}
	for i := range rows {
		e := rows[i].Best[by]
		if e == nil || e.Status == Published {
			continue
		}
		for benchmark, other := range others[e.System.Name] {
			rows[i].Best[benchmark], used[e.System.Name] = other, true
		}
	}
	return slices.DeleteFunc(rows, func(r Row) bool { return r.Best[by] == nil && used[r.any().System.Name] })
}

// better returns the entry to show: the one with the better status, then the larger one, then the newer one. a may be
// nil.
func better(a, b *Entry) *Entry {
	if a == nil || cmp.Or(cmp.Compare(b.Status, a.Status), -cmp.Compare(b.Rating, a.Rating),
		-b.Date.Compare(a.Date)) < 0 {
		return b
	}
	return a
}
