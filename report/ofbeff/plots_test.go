package ofbeff

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/vg"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
)

// figures returns figures of every kind, by the name of the data.
func figures(t testing.TB) map[string][]*document.Figure {
	all, pair := wholeRun(t), measured(t, 2, beff.Config{Rules: beff.Rules2001, Memory: 512 << 10, Seed: 1})
	rings := measured(t, 7, beff.Config{Rules: beff.Rules2001, Memory: 1 << 30, Seed: 1,
		Patterns: []string{"ring"},
		Methods:  []string{"nonblocking"}})
	one := measured(t, 4, beff.Config{Rules: beff.Rules2001, Memory: 1 << 30, Seed: 1,
		Patterns: []string{"ping-pong"}})
	one.Samples = one.Samples[:1]
	million := measured(t, 1<<20, beff.Config{Rules: beff.Rules2001, Memory: 64 << 30, Seed: 1})
	return map[string][]*document.Figure{
		"whole": Figures(all), "pair": Figures(pair), "rings": Figures(rings), "one": Figures(one),
		"million": Figures(million),
		"real":    Figures(readResult(t, "../../testdata/b_eff-1.json")),
		"overlay": Overlay([]string{"Hawk", "a system with a very long name, 64 processes on 2 nodes of 32 " +
			"cores each, InfiniBand HDR 200, 2026-11-21", "C"},
			[]*beff.Result{all, pair, million}, nil),
		"ratios": ratioFigures([]string{"Hawk", "a pair", "C"}, [][]*beff.Result{{all, all}, {pair}, {all}}),
	}
}

// ratioFigures are the pictures with ratios.
func ratioFigures(names []string, sides [][]*beff.Result) []*document.Figure {
	mean, each := Ratios(names, sides)
	return append(Overlay(names, lists.Each(sides, joined), mean), each...)
}

func TestFigures(t *testing.T) {
	for name, list := range figures(t) {
		fixture.RequireAllGood(t, name, list)
	}
}

func TestBEffFigures(t *testing.T) {
	all := []string{
		"beff-bandwidth", "beff-bandwidth-methods", "beff-methods", "beff-latency", "beff-spread",
		"beff-details", "beff-details-methods", "beff-cartesian", "beff-cartesian-methods", "beff-heat",
	}
	got := figures(t)
	require.Equal(t, all, fixture.FigureIDs(got["whole"]))
	require.Equal(t, all[:len(all)-3], fixture.FigureIDs(got["pair"]),
		"with one pair there is nothing to compare")
	for _, f := range got["pair"] {
		if !strings.HasPrefix(f.ID, "beff-details") && f.ID != "beff-bandwidth-methods" {
			require.LessOrEqual(t, len(fixture.CurveNames(f)), 2, f.ID+": the pair, and the ping-pong's latency")
		}
	}
	require.Equal(t, []string{"beff-bandwidth", "beff-latency", "beff-details"},
		fixture.FigureIDs(got["real"]),
		"one method, one repetition")
	require.Equal(t, []string{"beff-bandwidth", "beff-latency", "beff-spread", "beff-heat"},
		fixture.FigureIDs(got["rings"]))
	require.Equal(t, []string{"beff-latency", "beff-details"}, fixture.FigureIDs(got["one"]))
	require.Equal(t, []string{"compare-bandwidth", "compare-latency", "compare-averages"},
		fixture.FigureIDs(got["overlay"]))
	require.Equal(t, []string{"compare-bandwidth", "compare-latency", "compare-averages", "compare-ratio-mean",
		"compare-ratio"}, fixture.FigureIDs(got["ratios"]), "the pair has different lengths")
}

func TestBEffContents(t *testing.T) {
	r := wholeRun(t)
	by := map[string]*document.Figure{}
	for _, f := range Figures(r) {
		by[f.ID] = f
	}
	for id, charts := range map[string]int{"beff-bandwidth-methods": 3} {
		require.Equal(t, charts*7, fixture.CountLayers[chart.Curve](by[id]), "six rings and the mean")
		require.Equal(t, charts, fixture.CountLayers[chart.Band](by[id]))
		for _, c := range fixture.Charts(by[id]) {
			require.Equal(t, fixture.Charts(by[id])[0].Y.Ticks, c.Y.Ticks, "to be compared")
		}
	}
	require.Equal(t, 7*3, fixture.CountLayers[chart.Marks](by["beff-methods"]))
	require.Equal(t, 2+7, fixture.CountLayers[chart.Curve](by["beff-bandwidth"]),
		"two means; six rings and the mean, as ratios")
	require.Equal(t, 1, fixture.CountLayers[chart.Level](by["beff-bandwidth"]))
	require.Equal(t, 3, fixture.CountLayers[chart.Whisker](by["beff-methods"]))
	require.Equal(t, 8, fixture.CountLayers[chart.Curve](by["beff-latency"]), "six rings, the mean, ping-pong")
	require.Equal(t, len(r.Lengths), fixture.CountLayers[chart.Quartiles](by["beff-spread"]))
	require.Equal(t, 4+1, fixture.CountLayers[chart.Curve](by["beff-details"]))
	require.Contains(t, by["beff-bandwidth"].Alt, "Below: Line chart of times the mean of the rings against message "+
		"length: 7 curves between 0.883 times and 1.02 times from 1 B to 32 MiB.")
}

// The pictures of a pair show the same means as its tables, so a page has only one peak.
func TestPairAgrees(t *testing.T) {
	r := measured(t, 2, beff.Config{Rules: beff.Rules2001, Memory: 512 << 10, Seed: 1})
	mean := layersOf[chart.Curve](&document.Figure{Drawing: fixture.Charts(Figures(r)[0])[0]})[0]
	for l, x := range r.Derived.PerLength[:13] {
		require.InEpsilon(t, x/2, mean.Points[l].Y, 1e-9)
	}
}

// TestSamplesAgree compares the values in pictures with the averages that package beff derives.
func TestSamplesAgree(t *testing.T) {
	r := wholeRun(t)
	s := newSamples(r)
	mean := func(l int) float64 {
		of := func(kind patterns.Kind) float64 {
			return spreadAt(s.OfKind(kind), func(p int) float64 { return s.best(p, l) }).Mean
		}
		return math.Sqrt(of(patterns.KindRing)*of(patterns.KindRandom)) * float64(r.Processes)
	}
	for l, want := range r.Derived.PerLength {
		require.InEpsilon(t, want, mean(l), 1e-9)
	}
	for m, want := range r.Derived.PerMethod {
		of := func(kind patterns.Kind) float64 {
			return spreadAt(s.OfKind(kind), func(p int) float64 { return s.average(p, m) }).Mean
		}
		require.InEpsilon(t, want, math.Sqrt(of(patterns.KindRing)*of(patterns.KindRandom))*float64(r.Processes), 1e-9)
	}
}

func TestNothing(t *testing.T) {
	require.Empty(t, Figures(nil))
	require.Empty(t, Figures(&beff.Result{}))
	require.Empty(t, Figures(&beff.Result{Patterns: make([]beff.Pattern, 1), Lengths: []int64{1},
		Methods:     []string{"x"},
		Repetitions: math.MaxInt}))
	require.Empty(t, Overlay(nil, nil, nil))
	require.Empty(t, Overlay([]string{"a"}, []*beff.Result{nil, {}}, nil))
}

func TestSamplesOutside(t *testing.T) {
	r := wholeRun(t)
	for i, change := range []func(*beff.Sample){
		func(s *beff.Sample) { s.Pattern = -1 }, func(s *beff.Sample) { s.Length = 99 },
		func(s *beff.Sample) { s.Method = 3 }, func(s *beff.Sample) { s.Repetition = 1 << 40 },
	} {
		change(&r.Samples[i])
	}
	require.NotPanics(t, func() { Figures(r) })
}

// TestBroken draws results from which samples are missing and which have nonsense in them.
func TestBroken(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	var rs []*beff.Result
	var names []string
	for i := range 60 {
		r := broken(t, random)
		rs, names = append(rs, r), append(names, fixture.HostileNames[i%len(fixture.HostileNames)])
		if len(rs) > 20 {
			rs, names = rs[1:], names[1:]
		}
		list := Figures(r)
		if i%4 == 3 { // of this result and those before
			list = append(list, Overlay(names, rs, nil)...)
		}
		ids := slices.Sorted(slices.Values(fixture.FigureIDs(list)))
		require.Len(t, slices.Compact(ids), len(list), "each figure has a unique ID")
		for _, f := range list {
			for _, c := range fixture.Charts(f) {
				fixture.RequireAxesHoldData(t, c)
			}
			fixture.RequireReadable(t, f, chart.PageWidth)
		}
	}
}

// TestTinyCanvas draws on a canvas without any room.
func TestTinyCanvas(t *testing.T) {
	for _, width := range []vg.Length{0.001, 1, 10} {
		for _, f := range Figures(wholeRun(t)) {
			require.NotPanics(t, func() { fixture.Svg(t, f, width) })
		}
	}
}
