package ranking

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/rating"
)

// Entry is what the ranking takes of one result: bytes per second, bytes, seconds; 0 where it has no such figure. A
// result of b_eff has no BEffIO, one of b_eff_io nothing else of its own.
type Entry struct {
	IO               bool          // a result of b_eff_io
	System           rating.System // with a name
	Processes        int
	MemoryPerProcess int64
	TotalMemory      int64 // of all nodes in use; 0: not known
	Date             time.Time
	Status           Status
	Remark           string // behind the status, such as "embedded engine"

	BEff              float64
	BEffPerProcess    float64
	AtLmax            float64
	AtLmaxPerProcess  float64
	RingsAtLmaxOfEach float64
	PingPong          float64
	Latency           float64
	BEffIO            float64
	Write             float64 // what b_eff_io has for writing the memory
}

// Status is how much a result may be believed. Better ones are lower.
type Status int

// The states.
const (
	Valid      Status = iota
	Published         // in print, by its authors: there are no samples
	NotValid          // its criteria are not all reached
	Unverified        // it does not follow from its samples, or is no whole document
)

func (s Status) String() string {
	return [...]string{"valid", "paper 2001", "NOT VALID", "UNVERIFIED"}[s]
}

// ranked says whether a result takes part in the order, rather than being listed behind it.
func (s Status) ranked() bool { return s <= Published }

// Row is a system, with the best result of each benchmark.
type Row struct {
	Rank int    // 1 for the best; 0: not ranked
	BEff *Entry // may be nil
	IO   *Entry // may be nil
	Runs int    // results of this system, shown or not
}

// any is the entry that names the system.
func (r *Row) any() *Entry { return cmp.Or(r.BEff, r.IO) }

// Rank puts entries in order: those that are valid, or published, by b_eff, then the others; by b_eff_io if there are
// no other results. By system names they are joined to one row each, of the best result of each benchmark, valid ones
// first; or, with every, each b_eff result has its own row, and each b_eff_io result if there are no others. Published
// results have each their own, as a paper lists one system with several numbers of processes.
func Rank(entries []Entry, every bool) []Row {
	alone := !slices.ContainsFunc(entries, func(e Entry) bool { return !e.IO })
	rows := join(entries, every, alone)
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(-compareBool(a.ranked(alone), b.ranked(alone)), -compareBool(a.BEff != nil, b.BEff != nil),
			-cmp.Compare(a.figure(), b.figure()), strings.Compare(a.any().System.Name, b.any().System.Name))
	})
	for i := range rows {
		switch {
		case !rows[i].ranked(alone):
		case i > 0 && rows[i].figure() == rows[i-1].figure():
			rows[i].Rank = rows[i-1].Rank
		default:
			rows[i].Rank = i + 1
		}
	}
	return rows
}

// onlyIO says whether there are no results but of b_eff_io.
func onlyIO(rows []Row) bool {
	return len(rows) > 0 && !slices.ContainsFunc(rows, func(r Row) bool { return r.BEff != nil })
}

func (r *Row) ranked(alone bool) bool {
	return (r.BEff != nil || alone) && r.any().Status.ranked() && r.figure() > 0
}

// figure is what rows are in order of.
func (r *Row) figure() float64 {
	if r.BEff != nil {
		return r.BEff.BEff
	}
	return r.IO.BEffIO
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

// join makes rows of the entries of each system, in the order in which the systems first come.
func join(entries []Entry, every, alone bool) []Row {
	var rows []Row
	at := map[string]int{}
	for i := range entries {
		e := &entries[i]
		if every && alone {
			rows = append(rows, Row{IO: e, Runs: 1})
			continue
		}
		if e.Status == Published || every && !e.isIO() {
			rows = append(rows, Row{BEff: e, Runs: 1})
			continue
		}
		k, seen := at[e.System.Name]
		if !seen {
			k = len(rows)
			at[e.System.Name] = k
			rows = append(rows, Row{})
		}
		rows[k].Runs++
		if e.isIO() {
			rows[k].IO = better(rows[k].IO, e)
		} else {
			rows[k].BEff = better(rows[k].BEff, e)
		}
	}
	if every && !alone {
		rows = share(rows)
	}
	return rows
}

// share puts what a system has of the other benchmark into each of its rows.
func share(rows []Row) []Row {
	io := map[string]*Entry{}
	for _, r := range rows {
		if r.BEff == nil {
			io[r.IO.System.Name] = r.IO
		}
	}
	used := map[string]bool{}
	for i := range rows {
		if e := rows[i].BEff; e != nil && e.Status != Published && io[e.System.Name] != nil {
			rows[i].IO, used[e.System.Name] = io[e.System.Name], true
		}
	}
	return slices.DeleteFunc(rows, func(r Row) bool { return r.BEff == nil && used[r.IO.System.Name] })
}

func (e *Entry) isIO() bool { return e.IO }

// better is the one to show: the more believable, then the larger, then the newer.
func better(a, b *Entry) *Entry {
	if a == nil || cmp.Or(cmp.Compare(b.Status, a.Status), -cmp.Compare(b.BEff+b.BEffIO, a.BEff+a.BEffIO),
		-b.Date.Compare(a.Date)) < 0 {
		return b
	}
	return a
}
