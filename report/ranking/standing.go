package ranking

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/report/words"
)

// Standing returns a sentence on the place of a rating among others of its class and size; where there are none, of
// b_eff by an MPI among those of the 2001 paper, which are of all sizes. It is empty unless the rating is valid.
func Standing(e Entry, others []Entry) string {
	if !e.Status.Valid() || !(e.Rating > 0) {
		return ""
	}
	among := slices.DeleteFunc(slices.Clone(others), func(o Entry) bool {
		return o.Class != e.Class || o.size() != e.size() || !o.Status.Valid() || !(o.Rating > 0)
	})
	which := "given here, of one class"
	if len(among) == 0 {
		if e.Benchmark != bEff || e.Engine != MPI || e.Limited > 0 {
			return ""
		}
		among, which = Reference(), "of the 2001 paper, of all sizes"
	}
	slices.SortStableFunc(among, func(a, b Entry) int { return -cmp.Compare(a.Rating, b.Rating) })
	before := slices.IndexFunc(among, func(o Entry) bool { return o.Rating <= e.Rating })
	text := fmt.Sprintf("Beside the %s %s, its %s", words.Count(len(among), "rating"), which, e.Benchmark)
	switch before {
	case -1:
		return text + " is the lowest, behind " + among[len(among)-1].named() + "."
	case 0:
		return text + " is the highest, before " + among[0].named() + "."
	}
	return fmt.Sprintf("%s is between %s and %s.", text, among[before-1].named(), among[before].named())
}

// named returns the system with its size and its rating.
func (e *Entry) named() string {
	number, unit := words.Rated(e.Rating, math.NaN())
	return fmt.Sprintf("%s on %s (%s %s)", e.System.Name, words.Processes(e.Processes), number, unit)
}
