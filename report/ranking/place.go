package ranking

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// minOthers is the number of other systems that are needed for a sentence on the place among them.
const minOthers = 3

// place is what results that are ranked together have in common.
type place struct {
	rating.Class
	processes, perNode int
}

// Places returns, for each result, a sentence on its place among those of other systems that it is ranked with, each
// the mean of its runs. It is empty if there are too few. Systems whose intervals overlap too much to be told apart are
// neither higher nor lower.
func Places(entries []Entry) []string {
	of := func(e *Entry) place { return place{e.Class, e.Processes, e.PerNode} }
	counts := func(e *Entry) bool { return e.Basis().Problem == "" && e.Rating() > 0 }
	classes, rows := map[place][]Entry{}, map[place][]estimated{}
	for e := range lists.Elements(entries) {
		if counts(e) {
			classes[of(e)] = append(classes[of(e)], *e)
		}
	}
	for key, list := range classes { // once for all of a class: there may be thousands
		rows[key] = lists.Each(join(list), func(r Row) estimated { return estimated{r, r.Estimate().Spread()} })
		slices.SortStableFunc(rows[key], func(a, b estimated) int { return -cmp.Compare(a.Rating(), b.Rating()) })
	}
	return lists.Each(entries, func(e Entry) string {
		if !counts(&e) {
			return ""
		}
		return placeAmong(&e, rows[of(&e)])
	})
}

// estimated is a row with the spread of its rating.
type estimated struct {
	Row
	spread rating.Spread
}

// placeAmong returns the sentence of a result whose class has these rows, the highest first.
func placeAmong(e *Entry, all []estimated) string {
	var above, below []estimated
	var same []string
	own := Row{Entry: e}
	spread := own.Estimate().Spread()
	rows := lists.Where(all, func(r estimated) bool { return r.System.Name != e.System.Name })
	if len(rows) < minOthers {
		return ""
	}
	for _, r := range rows {
		switch {
		case !rating.Distinct(spread, r.spread): // also if one of them has no interval
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

// named returns the system with its size and its rating.
func (r *Row) named() string {
	number, unit := words.ValueAndUnit(r.Estimate())
	return fmt.Sprintf("%s on %s (%s %s)", r.System.Name, words.Processes(r.Processes), number, unit)
}
