package ranking

import (
	"fmt"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
)

// Sure is how sure a rank is.
type Sure int

// The degrees.
const (
	Surely Sure = iota
	Shared      // others of this rank can't be told from it
	Placed      // its ± isn't known: it has its place by the figure alone
)

// String returns the mark behind the number of a rank.
func (s Sure) String() string { return [...]string{"", "=", "?"}[s] }

// ranked reports whether a row gets a rank: it is valid or published, and has a rating. The others are listed after the
// ranked ones.
func (r *Row) ranked() bool { return r.Status <= Published && r.Rating() > 0 }

// veryNoisy reports whether only large differences to a row's rating show.
func (r *Row) veryNoisy() bool { return r.Status <= Noisy && r.Doubt().Kind() == rating.VeryNoisy }

// rank numbers the rows that get a rank, which stand by class and by rating, in a class over all numbers of processes,
// as in the paper's Table 1 and in the TOP500. The rank of a row is the number of rows that are surely ahead of it, and
// one; it is never better than that of the row above it, so that a wide interval gains nothing. Rows of one rank can't
// be told apart, and one that is surely ahead of another has the better rank: with normal errors both follow from the
// intervals alone. A row whose interval isn't known has the place of its figure, which nobody shares.
func (s *Section) rank() {
	first, least := 0, 1 // row of the class, and the best rank that is left
	for i := range s.Rows {
		r := &s.Rows[i]
		if !r.ranked() || unrated(s.Benchmark) {
			return
		}
		if r.Class != s.Rows[first].Class {
			first, least = i, 1
		}
		if !r.known() {
			r.Rank, r.Sure = i-first+1, Placed
			least = r.Rank + 1
			continue
		}
		ahead := 0
		for _, other := range s.Rows[first:i] {
			if !other.known() || r.toldFrom(other) {
				ahead++
			}
		}
		r.Rank = max(least, ahead+1)
		if above := &s.Rows[max(i-1, 0)]; i > first && above.Rank == r.Rank {
			above.Sure, r.Sure = Shared, Shared
		}
		least = r.Rank
	}
}

// known reports whether a row can be told from others.
func (r *Row) known() bool { return r.Doubt().Kind() != rating.NotKnown }

// rankCell returns the cell of a row's rank.
func (r *Row) rankCell() document.Cell {
	if r.Rank == 0 {
		return document.Text("-")
	}
	mark := r.Sure.String()
	if r.Status == Published {
		mark = "" // as its status says
	}
	return document.Number(float64(r.Rank), fmt.Sprint(r.Rank)+mark)
}
