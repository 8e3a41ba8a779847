package ofbeff

import (
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
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

// area is a part of a result with a bandwidth of its own, in bytes per second: a class of lengths, a kind of patterns,
// a method.
type area struct {
	name string
	best func(g *beff.Grid) float64
}

// of returns the bandwidth of an area in a run, with the interval within it.
func (a area) of(r run) (float64, *rating.Interval) {
	var figures []float64
	var within []*rating.Interval
	for _, g := range r.passes {
		figures, within = append(figures, a.best(g)), append(within, g.WithinOf(a.best))
	}
	return r.OfPasses(figures, within)
}

// average returns the mean of a bandwidth over the lengths of the class, as a function of the pattern.
func (c class) average(b func(p, l int) float64) func(p int) float64 {
	return func(p int) float64 { return beff.Mean(c.from, c.to, func(l int) float64 { return b(p, l) }) }
}

// areas returns all areas to be compared beside the whole: classes, kinds, kinds by class, methods.
func areas(g *beff.Grid) (list []area) {
	for _, c := range classes {
		list = append(list, area{c.name + " messages",
			func(g *beff.Grid) float64 { return g.Both(c.average(g.Best)) }})
	}
	for _, kind := range kinds {
		add := func(name string, c class) {
			list = append(list, area{plural(kind) + name,
				func(g *beff.Grid) float64 { return g.LogAverage(kind, c.average(g.Best)) }})
		}
		add("", whole)
		for _, c := range classes {
			add(", "+c.name, c)
		}
	}
	for _, method := range g.Methods {
		list = append(list, area{"method " + method, func(g *beff.Grid) float64 {
			m := slices.Index(g.Methods, method)
			if m < 0 {
				return math.NaN()
			}
			return g.Both(whole.average(func(p, l int) float64 { return g.OfMethod(p, l, m) }))
		}})
	}
	return list
}

func plural(kind patterns.Kind) string { return string(kind) + "s" }
