package ranking

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// minOthers is the number of other systems that are needed for a sentence on the place among them.
const minOthers = 3

// PlaceAmong returns a sentence on the place of a result among those of other systems that it is ranked with, each the
// mean of its runs. It is empty if there are too few. Systems whose intervals overlap too much to be told apart are
// neither higher nor lower.
func PlaceAmong(e Entry, others []Entry) string {
	among := slices.DeleteFunc(slices.Clone(others), func(o Entry) bool {
		return !o.Basis().Ranks(e.Basis()) || o.System.Name == e.System.Name || !(o.Rating() > 0)
	})
	rows := join(among)
	if len(rows) < minOthers || !(e.Rating() > 0) {
		return ""
	}
	slices.SortStableFunc(rows, func(a, b Row) int { return -cmp.Compare(a.Rating(), b.Rating()) })
	var above, below []Row
	var same []string
	own := Row{Entry: &e}
	for _, r := range rows {
		switch {
		case !own.toldFrom(r):
			same = append(same, r.named())
		case r.Rating() > e.Rating():
			above = append(above, r)
		default:
			below = append(below, r)
		}
	}
	text := fmt.Sprintf("Compared with the %s of its class given here, its %s", words.Count(len(rows),
		"other rating"), e.Benchmark)
	switch {
	case len(same) == len(rows):
		return text + " can't be distinguished from any."
	case len(same) > 0:
		return fmt.Sprintf("%s can't be distinguished from %s; %d %s surely higher and %d %s surely lower.", text,
			words.Some(same), len(above), words.Either(len(above) == 1, "is", "are"), len(below),
			words.Either(len(below) == 1, "is", "are"))
	case len(below) == 0:
		return text + " is the lowest, below " + above[len(above)-1].named() + "."
	case len(above) == 0:
		return text + " is the highest, above " + below[0].named() + "."
	}
	return fmt.Sprintf("%s is between %s and %s.", text, above[len(above)-1].named(), below[0].named())
}

// interval returns the interval of a row's rating: between its runs, or within a single one.
func (r *Row) interval() *rating.Interval { return cmp.Or(r.Between, r.Within()) }

// Estimate returns the rating with its error between runs, or within a single run, as far as known.
func (r *Row) Estimate() rating.Estimate {
	d := r.doubt()
	d.Within = r.interval()
	if n := len(shownOf(r.runs)); n > 1 {
		d.Runs = n
	}
	return d
}

// doubt returns the rating with its error within the run, as far as known.
func (e *Entry) doubt() rating.Estimate {
	return rating.Estimate{Value: e.Rating(), Within: e.Within(), Model: e.Engine == rating.Simulated}
}

// toldFrom reports whether two ratings can be distinguished. A rating without an interval can't be told from any.
func (r *Row) toldFrom(other Row) bool {
	return rating.Distinct(r.Estimate().Spread(), other.Estimate().Spread())
}

// named returns the system with its size and its rating.
func (r *Row) named() string {
	number, unit := words.ValueAndUnit(r.Estimate())
	return fmt.Sprintf("%s on %s (%s %s)", r.System.Name, words.Processes(r.Processes), number, unit)
}
