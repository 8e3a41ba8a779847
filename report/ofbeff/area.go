package ofbeff

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/compare"
)

// class is a range of message lengths.
type class struct {
	name     string
	from, to int // indices of lengths; to is one past the last
}

// The number of lengths of b_eff. The first 13 are 1, 2, 4, … bytes, up to 4 kB; the other 8 depend on the memory
// (paper, Sec. 3).
const (
	shortLengths = 11 // up to 1 kB
	allLengths   = 21
)

var (
	whole   = class{"all lengths", 0, allLengths}
	classes = []class{{"short", 0, shortLengths}, {"middle", shortLengths, 17}, {"long", 17, allLengths}}
)

// in returns the first and the last length of the class, in words.
func (c class) in(lengths []int64) string {
	return fmt.Sprintf("%d to %d B", lengths[c.from], lengths[c.to-1])
}

// kinds are the kinds of patterns that count for b_eff.
var kinds = []patterns.Kind{patterns.KindRing, patterns.KindRandom}

// area is a part of a result that has a bandwidth in bytes per second: a class of lengths, a kind of patterns, a
// method.
type area struct {
	name string
	best func(g *beff.Grid) float64
}

// of returns the bandwidth of an area in a run, with the interval within the run.
func (a area) of(r run) (float64, *rating.Interval) {
	return beff.OfPasses(r.passes, a.best)
}

// figureAreas maps the key of a result's figure to the area whose spread the figure has. The area of a latency is the
// bandwidth of the shortest messages.
var figureAreas = map[string]func(g *beff.Grid) float64{
	"rings":                     overLengths(patterns.KindRing),
	"randoms":                   overLengths(patterns.KindRandom),
	"at_lmax":                   func(g *beff.Grid) float64 { return g.Both(longest(g)) },
	"rings_at_lmax":             func(g *beff.Grid) float64 { return g.LogAverage(patterns.KindRing, longest(g)) },
	"ping_pong_at_lmax":         func(g *beff.Grid) float64 { return ofPair(g, longest(g)) },
	"latency_rings_and_randoms": func(g *beff.Grid) float64 { return g.Both(shortest(g)) },
	"latency_rings":             func(g *beff.Grid) float64 { return g.LogAverage(patterns.KindRing, shortest(g)) },
	"latency_ping_pong":         func(g *beff.Grid) float64 { return ofPair(g, shortest(g)) },
}

// overLengths returns the bandwidth of a kind of patterns over all lengths.
func overLengths(kind patterns.Kind) func(g *beff.Grid) float64 {
	return func(g *beff.Grid) float64 { return g.LogAverage(kind, whole.average(g.Best)) }
}

// longest and shortest return the best bandwidth of a pattern at the longest and at the shortest message.
func longest(g *beff.Grid) func(p int) float64 {
	return func(p int) float64 { return g.Best(p, len(g.Lengths)-1) }
}

func shortest(g *beff.Grid) func(p int) float64 { return func(p int) float64 { return g.Best(p, 0) } }

// ofPair returns a bandwidth of the ping-pong pair, or NaN if it wasn't measured.
func ofPair(g *beff.Grid, b func(p int) float64) float64 {
	if p := pingPong(g.Result); p >= 0 {
		return b(p)
	}
	return math.NaN()
}

// pingPong returns the index of the ping-pong pair, which is negative if it wasn't measured.
func pingPong(r *beff.Result) int {
	return slices.IndexFunc(r.Patterns, func(p beff.Pattern) bool { return p.Name == "ping-pong" })
}

// spreadOf returns the spread of the side's figure with this key. Without degrees of freedom the spread is unknown.
func (s side) spreadOf(key string) compare.Sampled {
	figure, is := figureAreas[strings.TrimSuffix(key, "_per_process")]
	if !is || !s.all() {
		return compare.Sampled{}
	}
	return s.of(false, area{best: figure}.of)
}

// average returns, as a function of the pattern, the mean of a bandwidth over the lengths of the class.
func (c class) average(b func(p, l int) float64) func(p int) float64 {
	return func(p int) float64 { return beff.Mean(c.from, c.to, func(l int) float64 { return b(p, l) }) }
}

// areas returns all areas to be compared in addition to the whole: classes, kinds, kinds by class, methods.
func areas(g *beff.Grid) (list []area) {
	for _, c := range classes {
		list = append(list, area{c.name + " messages",
			func(g *beff.Grid) float64 { return g.Both(c.average(g.Best)) }})
	}
	for _, kind := range kinds {
		add := func(name string, c class) {
			list = append(list, area{string(kind) + "s" + name,
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
