// Package whatif rates simulated machines, and fits machines to measured results. It makes documents: the effects of
// changes, how b_eff grows with the number of processes, and the residuals of a fit.
package whatif

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// Rated is the rating of a machine.
type Rated struct {
	Name      string // machine, or its change
	Processes int
	Figures   rating.Values
}

// bEff returns b_eff in bytes per second.
func (r Rated) bEff() float64 { return r.Figures[beff.Benchmark].Value }

// shown returns the figures of rankings that a machine has, either over all processes or per process.
func (r Rated) shown(perProcess bool) (list []rating.Figure) {
	for _, f := range beff.Figures {
		if f.Listed && f.PerProcess == perProcess && r.Figures[f.Key].Known() {
			list = append(list, f.Figure)
		}
	}
	return list
}

// cell returns the cell of a figure.
func (r Rated) cell(f rating.Figure) document.Cell {
	return parts.FourDigits(f.Unit.In(r.Figures[f.Key].Value))
}

// heads returns a column for each figure, followed by a column with the heading ratio if it is given.
func heads(list []rating.Figure, ratio ...string) []document.Column {
	return lists.Flat(list, func(f rating.Figure) []document.Column {
		return document.Heads(append([]string{f.Name + " [" + f.Unit.Shown + "]"}, ratio...)...)
	})
}

// Elasticity is the effect of a parameter on b_eff.
type Elasticity struct {
	Key   string
	Value string  // as in the machine's file
	Slope float64 // ∂ log b_eff / ∂ log value
}

// Document returns the effects of changes to a machine, and the elasticities of its parameters.
func Document(machine Rated, changes []Rated, list []Elasticity) *document.Document {
	slices.SortStableFunc(list, func(a, b Elasticity) int { return -cmp.Compare(math.Abs(a.Slope), math.Abs(b.Slope)) })
	d := &document.Document{Title: "What if: " + machine.Name,
		Subtitle: fmt.Sprintf("simulated, %d processes", machine.Processes)}
	if len(changes) > 0 {
		d.Sections = append(d.Sections, document.Section{ID: "changes", Title: "Changes",
			Blocks: []document.Block{changesTable(machine, changes)}})
	}
	blocks := []document.Block{elasticityTable(list), document.Paragraph("An elasticity of 0.6 means that 1 % more " +
		"of the parameter gives 0.6 % more b_eff. The elasticities hold near this machine: far from it other " +
		"parameters may limit b_eff.")}
	if text := largestEffect(list); text != "" {
		blocks = append(blocks, document.Paragraph(text))
	}
	d.Sections = append(d.Sections, document.Section{ID: "elasticities", Title: "Elasticities", Blocks: blocks})
	return d
}

// largestEffect returns a sentence about the parameter with the largest effect on b_eff, or "".
func largestEffect(list []Elasticity) string {
	if len(list) == 0 || list[0].Slope == 0 {
		return ""
	}
	return fmt.Sprintf("%s affects b_eff most: 10 %% more of it changes b_eff by %+.1f %%.", list[0].Key,
		100*(math.Pow(1.1, list[0].Slope)-1))
}

// changesTable returns the rating of the machine and of each change.
func changesTable(machine Rated, changes []Rated) *document.Table {
	t := &document.Table{ID: "changes-table", Caption: "b_eff of the machine as it is and with each change.",
		Columns: append(document.Heads("change"), heads(machine.shown(false), "ratio []")...)}
	for i, r := range append([]Rated{machine}, changes...) {
		name := r.Name
		if i == 0 {
			name = "as it is"
		}
		row := []document.Cell{document.Text(name)}
		for _, f := range machine.shown(false) {
			row = append(row, r.cell(f), parts.Number(r.Figures[f.Key].Value/machine.Figures[f.Key].Value, 3))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// elasticityTable returns the parameters, those with the largest effect first.
func elasticityTable(list []Elasticity) *document.Table {
	t := &document.Table{ID: "elasticities-table", Caption: "Relative change of b_eff per relative change of each " +
		"parameter: ∂ log b_eff / ∂ log parameter.", Columns: document.Heads("parameter", "value", "elasticity []")}
	for _, e := range list {
		t.Add(e.Key, e.Value, document.Number(e.Slope, fmt.Sprintf("%+.3f", e.Slope)))
	}
	return t
}

// Point is the rating of a machine for a number of processes.
type Point struct {
	Rated
	Half float64 // half of b_eff's 95 % interval over random patterns and noise, relative to b_eff; 0 if not known
	Free float64 // b_eff in bytes per second of the same machine if its links never limited
}

// limited is the fraction of the unlimited b_eff below which the network limits a machine.
const limited = 0.95

// limits reports whether the network limits b_eff.
func (p *Point) limits() bool { return p.bEff() < limited*p.Free }

// Growth returns b_eff of machines over the number of processes.
func Growth(machines [][]Point) *document.Document {
	d := &document.Document{Title: "b_eff over the number of processes", Subtitle: "simulated"}
	section := document.Section{ID: "over-processes", Title: "Growth"}
	if f := growthFigure(machines); f != nil {
		section.Blocks = append(section.Blocks, f)
	}
	var limits document.List
	d.Screen = []document.Fact{{Value: "Computed by a model: nothing was measured"}}
	for i, points := range machines {
		section.Blocks = append(section.Blocks, growthTable(i, points))
		limits = append(limits, points[0].Name+": "+limitOf(points))
		if i < maxNamed {
			d.Screen = append(d.Screen, document.Fact{Name: points[0].Name,
				Value: spanOf(points) + "; " + limitOf(points)})
		}
	}
	if more := len(machines) - maxNamed; more > 0 {
		d.Screen = append(d.Screen, document.Fact{Name: "Also", Value: words.Count(more, "more machine")})
	}
	section.Blocks = append(section.Blocks, limits)
	d.Sections = []document.Section{section}
	return d
}

// maxNamed is the number of machines that fit on a first screen.
const maxNamed = 3

// spanOf returns the ratings with the fewest and with the most processes.
func spanOf(points []Point) string {
	text := func(p Point) string {
		number, unit := words.ValueAndUnit(rating.Estimate{Value: p.bEff(), Model: true})
		return fmt.Sprintf("%s %s on %s", number, unit, words.Processes(p.Processes))
	}
	first, last := points[0], points[len(points)-1]
	if len(points) == 1 {
		return text(first)
	}
	return text(first) + ", " + text(last)
}

// limitOf returns a sentence about the number of processes from which the network limits.
func limitOf(points []Point) string {
	for i, p := range points {
		if !p.limits() {
			continue
		}
		if i == 0 {
			return fmt.Sprintf("the network limits b_eff already with %d processes", p.Processes)
		}
		return fmt.Sprintf("the network begins to limit b_eff between %d and %d processes", points[i-1].Processes,
			p.Processes)
	}
	return fmt.Sprintf("the network doesn't limit b_eff with up to %d processes", points[len(points)-1].Processes)
}

// growthTable returns the points of a machine.
func growthTable(i int, points []Point) *document.Table {
	t := &document.Table{ID: fmt.Sprintf("growth-%d", i+1),
		Caption: "b_eff of " + points[0].Name + ". The interval is over random patterns and noise. The last column " +
			"is relative to the same machine with links that never limit b_eff.",
		Columns: slices.Concat(document.Heads("processes", "b_eff [MB/s]", "± [%]"), heads(points[0].shown(true)),
			document.Heads("part of unlimited []"))}
	for _, p := range points {
		row := []document.Cell{parts.Number(float64(p.Processes), 0), parts.Bandwidth(p.bEff()),
			parts.Number(100*p.Half, 2)}
		row = append(row, lists.Each(points[0].shown(true), p.cell)...)
		t.Rows = append(t.Rows, append(row, parts.Number(p.bEff()/p.Free, 3)))
	}
	return t
}

// growthFigure returns b_eff per process over the number of processes, or nil if there is nothing to draw.
func growthFigure(machines [][]Point) *document.Figure {
	const least = 1e-3 // least interval that is visible
	p := chart.Plot{ID: "growth", Title: "b_eff per process over the number of processes", X: chart.Processes,
		Y: chart.Bandwidth.Named("b_eff per process").LinearWithin(20), Of: "machines", Bars: "95 % intervals",
		Marks:   []string{"the network begins to limit"},
		Caption: "b_eff per process of simulated machines over the number of processes."}
	var names []string
	var xs []float64
	for _, points := range machines {
		s, marked := chart.Series{Name: points[0].Name, Simulated: true}, false
		for _, x := range points {
			y := x.bEff() / float64(x.Processes)
			pt := chart.Point{X: float64(x.Processes), Y: y}
			if x.Half > least {
				pt.Low, pt.High = y*(1-x.Half), y*(1+x.Half)
			}
			if x.limits() && !marked {
				pt.Mark, marked = 1, true
			}
			s.Points, xs = append(s.Points, pt), append(xs, pt.X)
		}
		p.Series, names = append(p.Series, s), append(names, s.Name)
	}
	f := p.Figure()
	if f != nil {
		least, most := chart.Span(xs)
		f.Label, f.Source = parts.OfModel, fmt.Sprintf("%s · %g to %g processes · computed by a model",
			strings.Join(names, ", "), least, most)
	}
	return f
}
