package ofbeff

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/compare"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/findings"
	"github.com/effective-bandwidth/beff/report/words"
)

// The quantities of the pictures.
var (
	perProcess = chart.Bandwidth.Named("bandwidth per process")
	exchanged  = chart.Time.Named("time of one exchange").LinearWithin(20)
	percent    = chart.Quantity{Name: "worst repetition below the best",
		Format: func(x float64) string { return fmt.Sprintf("%.3g %%", x) }}.LinearWithin(10)
)

// Figures returns all pictures of a b_eff result: the picture of the first page, patterns by each method, methods
// compared, latency, spread of the repetitions, detail patterns and Cartesian ones. Pictures whose data were not
// measured are left out. The result need not have passed Result.Check: samples whose indices are out of range are
// ignored.
func Figures(r *beff.Result) []*document.Figure {
	s := newSamples(r)
	if s == nil {
		return nil
	}
	all := []func(*samples) []chart.Picture{mainPlot, ringGroup.each, methodDots, latencies, repetitionSpread,
		detailGroup.best, detailGroup.each, cartesianGroup.best, cartesianGroup.each, heatMap}
	return chart.Figures(lists.Flat(all, func(of func(*samples) []chart.Picture) []chart.Picture { return of(s) })...)
}

// over returns a point for each length.
func (s *samples) over(y func(l int) chart.Point) []chart.Point { return chart.Over(s.Lengths, y) }

// curves returns a series for each pattern in list.
func (s *samples) curves(list []int, of func(p, l int) float64) []chart.Series {
	return lists.Each(list, func(p int) chart.Series {
		return chart.Series{Name: nameOf(s.Patterns[p]),
			Points: s.over(func(l int) chart.Point { return chart.PointOf(of(p, l)) })}
	})
}

// pair reports whether two processes were measured. Then all rings and randoms are the same pair.
func (s *samples) pair() bool { return s.Processes == 2 }

// rings returns the rings, or nil for a pair, because all its rings are in the mean of the pair.
func (s *samples) rings() []int {
	if s.pair() {
		return nil
	}
	return s.OfKind(patterns.KindRing)
}

// group returns the patterns of a kind, and a name for them. For a pair it returns all rings and randoms.
func (s *samples) group(kind patterns.Kind) (list []int, name string) {
	if s.pair() {
		return append(s.OfKind(patterns.KindRing), s.OfKind(patterns.KindRandom)...), "the pair"
	}
	list = s.OfKind(kind)
	return list, words.Count(len(list), string(kind))
}

// spread returns the geometric mean of a figure over the patterns of a kind, with their range. For a pair it uses all
// patterns, and rings and randoms have the same weight.
func (s *samples) spread(kind patterns.Kind, of func(p int) float64) chart.Spread {
	list, _ := s.group(kind)
	x := spreadAt(list, of)
	if s.pair() {
		x.Mean = s.ofKinds(of)
	}
	return x
}

// mean returns the geometric mean of all patterns of a kind at each length, with their range.
func (s *samples) mean(kind patterns.Kind, of func(p, l int) float64) *chart.Series {
	_, name := s.group(kind)
	return &chart.Series{Name: name, Points: s.over(func(l int) chart.Point {
		x := s.spread(kind, func(p int) float64 { return of(p, l) })
		return chart.Point{Y: x.Mean, Low: x.Low, High: x.High}
	})}
}

// mainPlot is the picture of the first page. It shows the means of rings and randoms over the message length, b_eff,
// and the length with half of the peak. Below, it shows each ring and the range of the randoms divided by the mean of
// the rings. With two processes all patterns are one pair, and only their range is shown below.
func mainPlot(s *samples) []chart.Picture {
	r := s.Result
	p := chart.Plot{ID: "beff-bandwidth", X: chart.Length, Y: perProcess,
		Title: "Bandwidth per process of rings and randoms, means by the best method",
		Caption: "Bandwidth per process over message length, by the best method of each pattern and length: " +
			"geometric means.",
		Bars:   "the 95 % intervals by the repetitions",
		Series: lists.Each(kinds[:words.Either(s.pair(), 1, len(kinds))], s.meanWithin)}
	if r.Derived.BEff > 0 {
		p.Level = &chart.Level{Y: r.Derived.BEffPerProcess, Text: "b_eff per process"}
		if in := r.Interval(); in != nil {
			each := float64(r.Processes)
			p.Level.Low, p.Level.High = in.Low/each, in.High/each
		}
		if n := findings.Half(r); n > 0 {
			p.Steps = []chart.Step{{X: n, Text: "half of the peak at " + words.Lengths.Short(n)}}
		}
	}
	if s.means != nil {
		below := ringGroup.plot(s, s.best)
		below.Caption = words.Either(s.pair(), "the range of all rings and randoms over their mean.",
			"each ring, and the range of the random patterns, over the mean of the rings.")
		p.Below = &below
	}
	return []chart.Picture{p}
}

// meanWithin returns the geometric mean of patterns of a kind, with the 95 % interval at each length. Models have no
// interval.
func (s *samples) meanWithin(kind patterns.Kind) chart.Series {
	_, name := s.group(kind)
	return chart.Series{Name: "mean of " + name,
		Points: s.over(func(l int) chart.Point {
			pt := chart.PointOf(s.spread(kind, func(p int) float64 { return s.best(p, l) }).Mean)
			if s.Engine.Kind().Simulated || !chart.Usable(pt.Y) {
				return pt
			}
			each := s.repetitions(l, func(of func(p int) float64) float64 { return s.spread(kind, of).Mean })
			if in, known := compare.OfBest(pt.Y, lists.Where(each, chart.Usable)).Interval(); known {
				pt.Low, pt.High = in.Low, in.High
			}
			return pt
		})}
}

// heatMap is the picture of all patterns at all lengths: the bandwidth per process divided by the mean of the rings at
// that length. With two processes there is no such picture, because all patterns are one pair.
func heatMap(s *samples) []chart.Picture {
	if len(s.rings()) == 0 {
		return nil
	}
	m := chart.Matrix{ID: "beff-heat", Unit: "times the rings", RowLabel: "pattern", ColumnLabel: chart.LengthLabel,
		Title:       "Bandwidth of all patterns at all lengths over the mean of the rings",
		ColumnNames: []string{}, TooltipColumns: []string{},
		Caption: "All patterns at all lengths: bandwidth per process over the mean of the rings at that length."}
	for _, bytes := range s.Lengths {
		m.ColumnNames = append(m.ColumnNames, chart.Binary(roundedLength(bytes)))
		m.TooltipColumns = append(m.TooltipColumns, words.Lengths.Short(float64(bytes)))
	}
	for p, pattern := range s.Patterns {
		if s.Measured(p) {
			row := lists.Of(len(s.Lengths), func(l int) float64 { return s.relative(s.best)(p, l) })
			m.Names, m.Values = append(m.Names, chart.Clean(nameOf(pattern))), append(m.Values, row)
		}
	}
	if len(m.Names) < 2 {
		return nil
	}
	return []chart.Picture{m}
}

// roundedLength returns a length with two digits in its binary unit, for an axis.
func roundedLength(bytes int64) float64 {
	unit, x := 1.0, float64(bytes)
	for ; x >= 1024; x /= 1024 {
		unit *= 1024
	}
	if x >= 10 {
		return float64(int64(x+0.5)) * unit
	}
	return float64(int64(10*x+0.5)) / 10 * unit
}

// group has patterns that pictures show together, in front of the range of all patterns of a kind.
type group struct {
	id, title string
	kind      patterns.Kind
	of        func(s *samples) []int
}

// The groups of patterns. The many Cartesian patterns have their own pictures, except with two processes, when they are
// all the same pair.
var (
	ringGroup   = group{"beff-bandwidth", "Rings and randoms", patterns.KindRandom, (*samples).rings}
	detailGroup = group{"beff-details", "Detail patterns", patterns.KindRing, func(s *samples) []int {
		return slices.DeleteFunc(s.OfKind(patterns.KindDetail), s.cartesian)
	}}
	cartesianGroup = group{"beff-cartesian", "Cartesian patterns", patterns.KindRing, func(s *samples) []int {
		return lists.Where(s.OfKind(patterns.KindDetail), func(p int) bool { return !s.pair() && s.cartesian(p) })
	}}
)

// cartesian reports whether a pattern is a Cartesian one.
func (s *samples) cartesian(p int) bool { return strings.HasPrefix(s.Patterns[p].Name, "cart") }

// plot shows the bandwidths of the patterns divided by the mean of the rings, or undivided if no rings were measured.
func (g group) plot(s *samples, of func(p, l int) float64) chart.Plot {
	of = s.relative(of)
	p := chart.Plot{ID: g.id, X: chart.Length, Y: perProcess, Series: s.curves(g.of(s), of), Of: "patterns",
		Title: g.title + ": bandwidth per process", Caption: g.title + ": bandwidth per participating process",
		Mean: s.mean(g.kind, of)}
	if s.means != nil {
		p.Y = chart.Ratio.Named("times the mean of " + s.reference())
		p.Title, p.Caption = p.Title+" over the mean of "+s.reference(), p.Caption+" over the mean of "+s.reference()+
			" at the same length"
	}
	return p
}

// best returns the picture of the patterns by the best method.
func (g group) best(s *samples) []chart.Picture {
	if len(g.of(s)) == 0 {
		return nil
	}
	p := g.plot(s, s.best)
	p.Title, p.Caption = p.Title+", best method", p.Caption+", by the best method of each pattern and length."
	return []chart.Picture{p}
}

// each returns a picture with a small plot for each method, if several were measured.
func (g group) each(s *samples) []chart.Picture {
	if len(g.of(s)) == 0 && g.kind == patterns.KindRing {
		return nil
	}
	best := g.plot(s, s.best)
	_, name := s.group(g.kind)
	grid := chart.PlotGrid{ID: g.id + "-methods", Title: best.Title + ", each method", SharedAxes: true,
		Alt: best.Caption + ", a chart for each method.",
		Caption: best.Caption + ", by each method. " + words.Either(s.means == nil, "", "The mean of "+s.reference()+
			" is by the best methods. ") + "The band is the range of " + name +
			"; the broad line is the geometric mean."}
	for m, name := range s.Methods {
		p := g.plot(s, func(p, l int) float64 { return s.perProcess(p, s.BestOf(p, l, m)) })
		if p.Title = calls(name); !p.Empty() {
			grid.Plots = append(grid.Plots, p)
		}
	}
	if len(grid.Plots) < 2 {
		return nil
	}
	return []chart.Picture{grid}
}

// calls returns the MPI calls of a method, or its name.
func calls(method string) string {
	known := map[string]string{"sendrecv": "MPI_Sendrecv", "alltoallv": "MPI_Alltoallv",
		"nonblocking": "MPI_Isend and MPI_Irecv"}
	return cmp.Or(known[method], chart.Clean(method))
}

// methodDots is the picture that compares methods: the average over lengths of each ring, and of the randoms with their
// range.
func methodDots(s *samples) []chart.Picture {
	if len(s.Methods) < 2 {
		return nil
	}
	dots := func(name string, list []int) chart.Group {
		return chart.Group{Name: name, Dots: lists.Of(len(s.Methods), func(m int) chart.Dot {
			return chart.Dot{StyleIndex: m, Spread: spreadAt(list, func(p int) float64 { return s.average(p, m) })}
		})}
	}
	d := chart.Dots{ID: "beff-methods", X: perProcess.Named(perProcess.Name + ", mean over all lengths"),
		Title: "Methods compared: bandwidth per process of rings and randoms, mean over all lengths",
		Caption: "The methods compared: bandwidth per process, averaged over all message lengths, of each ring" +
			" and of the random patterns, whose geometric mean is drawn with the range.",
		Legend: lists.Each(s.Methods, calls)}
	for _, p := range s.rings() {
		d.Groups = append(d.Groups, dots(nameOf(s.Patterns[p]), []int{p}))
	}
	all, name := s.group(patterns.KindRandom)
	d.Groups = append(d.Groups, dots(name, all))
	return []chart.Picture{d}
}

// longestLatency is the last message length of the picture of latency, in bytes. The lengths up to it are the same on
// every machine (paper, Sec. 3).
const longestLatency = 4096

// latencies is the picture of the time of one exchange of a process by the best method, and of the time of one message
// for the ping-pong pair.
func latencies(s *samples) []chart.Picture {
	time := func(p, l int) float64 {
		if s.Lengths[l] > longestLatency {
			return 0
		}
		return float64(s.Lengths[l]) / s.best(p, l)
	}
	p := chart.Plot{ID: "beff-latency", X: chart.Length, Y: exchanged, Series: s.curves(s.rings(), time),
		Mean:  s.mean(patterns.KindRandom, time),
		Title: "Latency: time of one exchange of rings and randoms, best method",
		Caption: "Latency: time of one exchange of a process, with the best method of each pattern and length. For " +
			"the ping-pong pair it is the time of one message."}
	if at := pingPong(s.Result); at >= 0 {
		p.Series = append(p.Series, chart.Series{Name: "ping-pong, one message", Points: s.over(
			func(l int) chart.Point { return chart.PointOf(time(at, l) / float64(s.Patterns[at].Processes)) })})
	}
	return []chart.Picture{p}
}

// minSpread is the smallest spread that is drawn, in percent, because a logarithmic axis has no 0, and clocks don't
// resolve smaller spreads.
const minSpread = 0.1

// repetitionSpread is the picture of the distance between the worst and the best repetition of a measurement, with a
// box for each length. It combines rings and randoms, because both count for b_eff.
func repetitionSpread(s *samples) []chart.Picture {
	boxes := byLength(s)
	if !slices.ContainsFunc(boxes, func(q chart.Quartiles) bool { return q.Sorted[len(q.Sorted)-1] > minSpread }) {
		return nil // a model without noise
	}
	return []chart.Picture{chart.Plot{ID: "beff-spread", X: chart.Length, Y: percent, Boxes: boxes,
		Title: "Spread of the repetitions of rings and randoms, all methods",
		Caption: "Spread of the repetitions over message length: how far the worst repetition's bandwidth is below " +
			"the best one's, over the measurements of all rings and randoms with all methods. Less than 0.1 % is " +
			"drawn as 0.1 %."}}
}

// byLength returns the spreads of all measurements of each length. Equal lengths, which occur with little memory, are
// combined.
func byLength(s *samples) []chart.Quartiles {
	of := map[int64][]float64{}
	for _, p := range append(s.OfKind(patterns.KindRing), s.OfKind(patterns.KindRandom)...) {
		for l, bytes := range s.Lengths {
			for m := range s.Methods {
				if x := chart.Worst(s.Each(p, l, m)); !math.IsNaN(x) && bytes > 0 {
					of[bytes] = append(of[bytes], max(100*x, minSpread))
				}
			}
		}
	}
	var list []chart.Quartiles
	for bytes, spreads := range of {
		slices.Sort(spreads)
		list = append(list, chart.Quartiles{X: float64(bytes), Sorted: spreads})
	}
	slices.SortFunc(list, func(a, b chart.Quartiles) int { return cmp.Compare(a.X, b.X) })
	return list
}
