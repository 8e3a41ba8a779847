package ofbeff

import (
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/patterns"
)

// class is a range of the message lengths.
type class struct {
	name     string
	from, to int // indices of lengths; to is one past the last
}

// The lengths of b_eff. The first 13 are 1, 2, 4, … bytes, up to 4 kB; the other 8 depend on the memory (paper, Sec.
// 3).
const (
	shortLengths = 11 // up to 1 kB
	allLengths   = 21
)

var (
	whole   = class{"all lengths", 0, allLengths}
	classes = []class{{"short", 0, shortLengths}, {"middle", shortLengths, 17}, {"long", 17, allLengths}}
)

// classOf returns the class of the length with an index.
func classOf(l int) class {
	for _, c := range classes {
		if l < c.to {
			return c
		}
	}
	return whole
}

// in returns the first and the last length of the class, in words.
func (c class) in(lengths []int64) string {
	return fmt.Sprintf("%d to %d B", lengths[c.from], lengths[c.to-1])
}

// kinds are the kinds of patterns that count for b_eff.
var kinds = []patterns.Kind{patterns.KindRing, patterns.KindRandom}

// area is a part of a result with a bandwidth of its own, over all repetitions and in each one: a class of lengths, a
// kind of patterns, a method. Bandwidths are in bytes per second.
type area struct {
	name       string
	best       func(g *beff.Grid) float64
	repetition func(g *beff.Grid, i int) float64
}

// average returns the mean of a bandwidth over the lengths of the class, as a function of the pattern.
func (c class) average(b func(p, l int) float64) func(p int) float64 {
	return func(p int) float64 { return beff.Mean(c.from, c.to, func(l int) float64 { return b(p, l) }) }
}

// areaOf returns an area whose bandwidth is the mean over a class of lengths, averaged over patterns by logavg.
func areaOf(name string, c class, logavg func(g *beff.Grid, f func(p int) float64) float64) area {
	return area{name,
		func(g *beff.Grid) float64 { return logavg(g, c.average(g.Best)) },
		func(g *beff.Grid, i int) float64 {
			return logavg(g, c.average(func(p, l int) float64 { return g.InRepetition(p, l, i) }))
		},
	}
}

func both(g *beff.Grid, f func(p int) float64) float64 { return g.Both(f) }

func ofKind(kind patterns.Kind) func(*beff.Grid, func(int) float64) float64 {
	return func(g *beff.Grid, f func(int) float64) float64 { return g.LogAverage(kind, f) }
}

// areas returns all areas to be compared: the whole, classes, kinds, kinds by class, methods.
func areas(g *beff.Grid) []area {
	list := []area{areaOf("b_eff", whole, both)}
	for _, c := range classes {
		list = append(list, areaOf(c.name+" messages", c, both))
	}
	for _, kind := range kinds {
		list = append(list, areaOf(plural(kind), whole, ofKind(kind)))
		for _, c := range classes {
			list = append(list, areaOf(plural(kind)+", "+c.name, c, ofKind(kind)))
		}
	}
	for _, method := range g.Methods {
		list = append(list, ofMethod(method))
	}
	return list
}

// ofMethod returns the area of one method alone. Its bandwidth is NaN in a result without the method.
func ofMethod(method string) area {
	find := func(g *beff.Grid, b func(m, p, l int) float64) float64 {
		for m, name := range g.Methods {
			if name == method {
				return g.Both(whole.average(func(p, l int) float64 { return b(m, p, l) }))
			}
		}
		return math.NaN()
	}
	return area{"method " + method,
		func(g *beff.Grid) float64 {
			return find(g, func(m, p, l int) float64 { return g.OfMethod(p, l, m) })
		},
		func(g *beff.Grid, i int) float64 {
			return find(g, func(m, p, l int) float64 { return g.OfMethodInRepetition(p, l, m, i) })
		},
	}
}

func plural(kind patterns.Kind) string { return string(kind) + "s" }
