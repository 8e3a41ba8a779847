package ranking

import (
	"fmt"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
)

// Certainty is the certainty of a rank.
type Certainty int

// Degrees of certainty.
const (
	Certain Certainty = iota
	Tied              // rows of this rank can't be distinguished
	Unsure            // its ± isn't known, so only the figure decides its place
)

// String returns the mark after the number of a rank.
func (s Certainty) String() string { return [...]string{"", "=", "?"}[s] }

// ranked reports whether a row gets a rank: it is valid or published, and has a rating. Other rows follow the ranked
// ones.
func (r *Row) ranked() bool { return r.Status <= Published && r.Rating() > 0 }

// rank numbers the rows that get a rank. They are sorted by class and rating; a class covers all numbers of processes,
// as in the paper's Table 1 and in the TOP500. A row's rank is one more than the number of rows that are surely ahead
// of it, but never better than the rank of the row above it, so that a wide interval gains nothing. Rows with equal
// ranks can't be told apart, and a row that is surely ahead of another has the better rank: with normal errors both
// follow from the intervals. A row without an interval gets the place of its figure, which it shares with no other row.
func (s *Section) rank() {
	spreads := lists.Each(s.Rows, func(r Row) rating.Spread { return r.Estimate().Spread() })
	known := lists.Each(s.Rows, func(r Row) bool { return r.Estimate().Kind() != rating.NotKnown })
	first, least := 0, 1 // first row of the class, and the best rank left
	for i := range s.Rows {
		r := &s.Rows[i]
		if !r.ranked() || unrated(s.Benchmark) {
			return
		}
		if r.Class != s.Rows[first].Class {
			first, least = i, 1
		}
		if !known[i] {
			r.Rank, r.Certainty = i-first+1, Unsure
			least = r.Rank + 1
			continue
		}
		ahead := 0
		for k := first; k < i; k++ {
			if !known[k] || rating.Distinct(spreads[i], spreads[k]) {
				ahead++
			}
		}
		r.Rank = max(least, ahead+1)
		if above := &s.Rows[max(i-1, 0)]; i > first && above.Rank == r.Rank {
			above.Certainty, r.Certainty = Tied, Tied
		}
		least = r.Rank
	}
}

// rankCell returns the cell of a row's rank.
func (r *Row) rankCell() document.Cell {
	if r.Rank == 0 {
		return document.Text("-")
	}
	mark := r.Certainty.String()
	if r.Status == Published {
		mark = "" // the status implies it
	}
	return document.Number(float64(r.Rank), fmt.Sprint(r.Rank)+mark)
}
