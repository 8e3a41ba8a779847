package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
)

// slack is the fraction by which a time may lie outside the range of IMB's two times.
const slack = 0.03

// slackPoints is the number of points by which an overlap may lie outside the range of the peer's two overlaps.
const slackPoints = 5

// complete reports whether all programs have the figure.
func (f *figure) complete() bool {
	if f.points() {
		return !math.IsNaN(f.first) && !math.IsNaN(f.ours) && !math.IsNaN(f.second)
	}
	return f.first > 0 && f.ours > 0 && f.second > 0
}

// outside returns the points by which beff's figure lies outside the range of the peer's two figures.
func (f *figure) outside() float64 {
	low, high := min(f.first, f.second), max(f.first, f.second)
	return f.ours - max(low, min(high, f.ours))
}

// ratio returns beff's time divided by IMB's.
func (f *figure) ratio() float64 { return f.ours / min(f.first, f.second) }

// itself returns IMB's larger time divided by its smaller one.
func (f *figure) itself() float64 { return max(f.first, f.second) / min(f.first, f.second) }

// inBand reports whether beff's time lies in the range of IMB's two times, or no further outside than the slack.
func (f *figure) inBand() bool {
	if f.points() {
		return math.Abs(f.outside()) <= slackPoints
	}
	return f.ratio() >= 1-slack && f.ratio() <= f.itself()*(1+slack)
}

// report returns the tables: a summary of each component, and a row for each figure outside the band, or for all
// figures.
func report(o *options, all []figure) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s: beff's time over its peer's time, the least of %d runs each. In the band: from %.2f times "+
		"the peer's time to %.2f times the larger one of its two least times.\n\n", o.name, o.runs, 1-slack, 1+slack)
	text.WriteString("| component | figures | in the band | below | above | median | least | largest | peer over " +
		"itself |\n" +
		"|---|---|---|---|---|---|---|---|---|\n")
	for _, c := range suites.Components() {
		text.WriteString(summary(c, all) + overlaps(c, all))
	}
	rows := slices.DeleteFunc(slices.Clone(all), func(f figure) bool { return !o.all && f.complete() && f.inBand() })
	text.WriteString("\n" + list(rows))
	return text.String()
}

// summary returns a component's row of the summary. It is empty if the component has no figures.
func summary(c kernel.Component, all []figure) string {
	var ratios, own []float64
	inside, below := 0, 0
	for _, f := range all {
		if f.component != c || !f.complete() || f.points() {
			continue
		}
		ratios, own = append(ratios, f.ratio()), append(own, f.itself())
		switch {
		case f.inBand():
			inside++
		case f.ratio() < 1:
			below++
		}
	}
	if len(ratios) == 0 {
		return ""
	}
	slices.Sort(ratios)
	slices.Sort(own)
	n := len(ratios)
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %.2f | %.2f | %.2f | median %.2f, largest %.2f |\n", c, n, inside,
		below, n-inside-below, ratios[n/2], ratios[0], ratios[n-1], own[n/2], own[n-1])
}

// overlaps returns a component's row for its overlaps, by how many points they lie outside the range of the peer's two
// figures. It is empty if the component has none.
func overlaps(c kernel.Component, all []figure) string {
	var points []float64
	inside, below := 0, 0
	for _, f := range all {
		if f.component != c || !f.complete() || !f.points() {
			continue
		}
		points = append(points, f.outside())
		switch {
		case f.inBand():
			inside++
		case f.outside() < 0:
			below++
		}
	}
	if len(points) == 0 {
		return ""
	}
	slices.Sort(points)
	n := len(points)
	return fmt.Sprintf("| %s, overlap in points | %d | %d | %d | %d | %+.0f | %+.0f | %+.0f | within %d |\n", c, n,
		inside, below, n-inside-below, points[n/2], points[0], points[n-1], slackPoints)
}

// list returns the figures as a table: a row for each kernel, mode and time, a cell for each length.
func list(figures []figure) string {
	if len(figures) == 0 {
		return "No figure lies outside of the band.\n"
	}
	text := strings.Builder{}
	text.WriteString("| kernel | time | length: beff over peer (peer over itself) |\n|---|---|---|\n")
	for i := 0; i < len(figures); {
		first := figures[i]
		var cells []string
		for ; i < len(figures) && figures[i].sameRow(first); i++ {
			cells = append(cells, figures[i].cell())
		}
		name := string(first.component) + " " + first.kernel
		if first.mode != settings.Plain {
			name += ", " + string(first.mode)
		}
		fmt.Fprintf(&text, "| %s | %s | %s |\n", name, first.time, strings.Join(cells, ", "))
	}
	return text.String()
}

// sameRow reports whether two figures differ only in their length.
func (f figure) sameRow(g figure) bool {
	f.bytes = g.bytes
	return f.key == g.key
}

// cell returns a figure in the form of the table.
func (f figure) cell() string {
	switch {
	case f.points() && f.complete():
		return fmt.Sprintf("%d B: %.0f (%.0f, %.0f)", f.bytes, f.ours, f.first, f.second)
	case !(f.ours > 0):
		return fmt.Sprintf("%d B: beff has none", f.bytes)
	case !f.complete():
		return fmt.Sprintf("%d B: the peer has none", f.bytes)
	}
	return fmt.Sprintf("%d B: %.2f (%.2f)", f.bytes, f.ratio(), f.itself())
}
