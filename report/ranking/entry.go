package ranking

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/rating"
)

// Entry holds the figures of one result that the ranking needs, in bytes, seconds and bytes per second, 0 if the result
// has no such figure. A result of b_eff has neither BEffIO nor Write. One of b_eff_io has only these two.
type Entry struct {
	IO               bool          // a result of b_eff_io
	System           rating.System // its Name is not empty
	Processes        int
	MemoryPerProcess int64
	TotalMemory      int64 // of all nodes in use; 0: not known
	Date             time.Time
	Status           Status
	Remark           string // shown after the status, such as "embedded engine"

	BEff              float64
	BEffPerProcess    float64
	AtLmax            float64
	AtLmaxPerProcess  float64
	RingsAtLmaxOfEach float64
	PingPong          float64
	Latency           float64
	BEffIO            float64
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

func (s Status) String() string {
	return [...]string{"valid", "paper 2001", "NOT VALID", "UNVERIFIED"}[s]
}

// ranked reports whether a result gets a rank. The others are listed after the ranked ones.
func (s Status) ranked() bool { return s <= Published }

// Row is a system, with the best result of each benchmark.
type Row struct {
	Rank int    // 1 for the best; 0: not ranked
	BEff *Entry // may be nil
	IO   *Entry // may be nil
	Runs int    // results of this system, shown or not
}

// any returns an entry of the row: that of b_eff if there is one.
func (r *Row) any() *Entry { return cmp.Or(r.BEff, r.IO) }

// Rank returns the entries as an ordered list of rows: first the valid and the published ones by b_eff, then the
// others. If all entries are of b_eff_io the order is by b_eff_io. Entries with the same system name share a row, which
// holds the best result of each benchmark, valid ones first. With every, each b_eff result has its own row, and so has
// each b_eff_io result if there are no others. Each published result has its own row, because the paper lists one
// system with several numbers of processes.
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

// onlyIO reports whether all results are of b_eff_io.
func onlyIO(rows []Row) bool {
	return len(rows) > 0 && !slices.ContainsFunc(rows, func(r Row) bool { return r.BEff != nil })
}

func (r *Row) ranked(alone bool) bool {
	return (r.BEff != nil || alone) && r.any().Status.ranked() && r.figure() > 0
}

// figure returns the figure by which rows are ordered.
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

// join returns the rows of all systems, in the order in which the systems first appear. alone is set if all entries are
// of b_eff_io.
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

// share puts the b_eff_io result of a system into each of the system's b_eff rows.
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

// better returns the entry to show: the one with the better status, then the larger one, then the newer one. a may be
// nil.
func better(a, b *Entry) *Entry {
	if a == nil || cmp.Or(cmp.Compare(b.Status, a.Status), -cmp.Compare(b.BEff+b.BEffIO, a.BEff+a.BEffIO),
		-b.Date.Compare(a.Date)) < 0 {
		return b
	}
	return a
}
