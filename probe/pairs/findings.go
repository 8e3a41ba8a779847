package pairs

import (
	"cmp"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/stats"
)

// judge turns outliers in tables of times between units into findings.
type judge struct {
	tick     float64 // seconds: the clock's resolution
	directed bool    // both directions of a pair are timed
	units    []slowUnit
	links    []slowLink
}

// unitRole is a unit as sender or as receiver.
type unitRole struct {
	unit  int
	sends bool
}

// slowUnit is a unit that is an outlier with all others, as sender or as receiver.
type slowUnit struct {
	unitRole
	Finding
}

// slowLink is a pair that is an outlier, from one unit to another.
type slowLink struct {
	from, to int
	Finding
}

// minTicksLonger is the number of ticks of the clock by which a slow time must be longer: one tick is the error of the
// time itself, the other the error of the times with which it is compared.
const minTicksLonger = 2

// relative converts a logarithmic excess to a relative one.
func relative(excess float64) float64 { return math.Expm1(excess) }

// limit converts a logarithmic limit to a relative one over an expected time in seconds, and raises it to the clock's
// error.
func (j *judge) limit(limit, expected float64) float64 {
	return math.Max(relative(limit), minTicksLonger*j.tick/expected)
}

// usefulLimit returns a relative limit, or 0 if it is too large to be useful.
func usefulLimit(limit float64) float64 {
	if limit < 1e3 {
		return limit
	}
	return 0
}

// finding returns the finding for an outlier from an expected time in seconds, and whether its excess is larger than
// the clock's error.
func (j *judge) finding(x stats.Outlier, expected float64) (f Finding, significant bool) {
	f = Finding{Excess: relative(x.Excess), MinPass: relative(x.MinExcess), Limit: j.limit(x.Limit, expected),
		Expected: expected, Seconds: expected * math.Exp(x.Excess)}
	return f, f.MinPass > f.Limit
}

// addUnit records a unit that is an outlier from the typical time.
func (j *judge) addUnit(x stats.Outlier, unit int, name string, sends bool, typical float64) {
	if f, significant := j.finding(x, typical); significant {
		f.From = name
		j.units = append(j.units, slowUnit{unitRole{unit, sends}, f})
	}
}

// addLink records a pair whose time its ends don't explain, and reports whether it counts. back is the relative excess
// of the other direction.
func (j *judge) addLink(x stats.Outlier, from, to int, names [2]string, expected, back float64) bool {
	f, significant := j.finding(x, expected)
	if significant {
		f.From, f.To, f.Back = names[0], names[1], back
		j.links = append(j.links, slowLink{from, to, f})
	}
	return significant
}

// findings returns the outlying units and then the outlying pairs, the worst of each kind first. In a directed table a
// unit is slow as sender, as receiver or as both, and a pair in one direction or in both.
func (j *judge) findings() []Finding {
	var units, links []Finding
	seen, slow := map[int]bool{}, map[[2]int]bool{}
	roles := map[unitRole]bool{}
	for _, x := range j.units {
		roles[x.unitRole] = true
	}
	for _, x := range j.units {
		both := !j.directed || roles[unitRole{x.unit, !x.sends}]
		f := x.Finding
		switch {
		case both && seen[x.unit]:
			continue
		case both:
			f.Trouble = Slow
		case x.sends:
			f.Trouble = Sends
		default:
			f.Trouble = Receives
		}
		seen[x.unit] = true
		units = append(units, f)
	}
	for _, x := range j.links {
		slow[[2]int{x.from, x.to}] = true
	}
	for _, x := range j.links {
		f, back := x.Finding, slow[[2]int{x.to, x.from}]
		if j.directed && back && x.from > x.to {
			continue // reported as the link of its other direction
		}
		if f.Trouble = Link; j.directed && !back {
			f.Trouble = Direction
		} else {
			f.Back = 0
		}
		links = append(links, f)
	}
	list := []Finding{}
	for _, kind := range [][]Finding{units, links} {
		slices.SortStableFunc(kind, func(a, b Finding) int { return cmp.Compare(b.Excess, a.Excess) })
		list = append(list, kind[:min(len(kind), maxFindings)]...)
	}
	return list
}
