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

// ranked reports whether a row gets a rank: it is valid or published, has a rating, and isn't too noisy to compare. The
// others are listed after the ranked ones.
func (r *Row) ranked() bool { return r.Status <= Published && r.Rating() > 0 && !r.tooNoisy() }

// tooNoisy reports whether a row's interval is too wide for a rank.
func (r *Row) tooNoisy() bool { return r.Status <= Noisy && r.Doubt().Kind() == rating.TooNoisy }

// rank numbers the rows that get a rank, which stand by class and by rating. A rank is the place among those of the
// class, of all numbers of processes, as in the paper's Table 1 and in the TOP500. A row that can't be told from the
// first one of the rank above shares that rank. So ranks never fall down a table, and a run with a wide interval gains
// nothing by it: it has the place that its figure has, or shares that of the row before. A row whose interval isn't
// known has the place of its figure, nobody shares it, and below it nobody shares the rank above.
func (s *Section) rank() {
	var first *Row // of the rank
	place := 0
	for i := range s.Rows {
		r := &s.Rows[i]
		if !r.ranked() || unrated(s.Benchmark) {
			return
		}
		if i == 0 || r.Class != s.Rows[i-1].Class {
			first, place = nil, 0
		}
		place++
		switch {
		case !r.known():
			r.Rank, r.Sure, first = place, Placed, nil
		case first != nil && !r.toldFrom(*first):
			r.Rank, r.Sure, first.Sure = first.Rank, Shared, Shared
		default:
			r.Rank, first = place, r
		}
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
