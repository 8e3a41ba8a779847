package offoreign

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/foreign"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// Figures returns the pictures of a result: for each table over lengths its times and its bandwidths. IDs begin with
// that of the table's section.
func Figures(r *foreign.Result) (list []*document.Figure) {
	for i := range r.Tables {
		t := &r.Tables[i]
		for _, q := range order {
			c := &chart.Chart{Frame: chart.FrameHeight}
			n := 0
			for k, column := range t.Columns {
				if column.Quantity != q {
					continue
				}
				if points := points(t, k); len(points) > 1 {
					c.AddCurve(n, chart.Clean(bare(column)), points)
					n++
				}
			}
			if n == 0 || !t.Lengths || quantities[q].axis == nil {
				continue
			}
			if f := overLengths(c, q, fmt.Sprintf("%s-%s", sectionID(i), quantities[q].name),
				words.OneLine(t.Test)); f != nil {
				list = append(list, f)
			}
		}
	}
	return list
}

// points returns the figures of a column over the length; length 0 has no place on the axis.
func points(t *foreign.Table, k int) (list []chart.Point) {
	for _, row := range t.Rows {
		p := chart.Point{X: float64(row.Bytes), Y: row.Values[k] / quantities[t.Columns[k].Quantity].scale}
		if p.Usable() {
			list = append(list, p)
		}
	}
	slices.SortStableFunc(list, chart.ByX)
	return list
}

// overLengths completes a picture of a quantity over the length.
func overLengths(c *chart.Chart, q foreign.Quantity, id, title string) *document.Figure {
	of := quantities[q]
	xs, ys := chart.Values(c.Layers)
	c.X, c.Y = chart.LengthAxis(xs), of.axis(of.name, ys)
	return &document.Figure{ID: id, Caption: title + ": " + of.name + " over message length.",
		Alt: c.Describe(of.name, of.unit), Drawing: c}
}

// Overlay returns pictures of what two results or more have in common: the main figures of the tables that are
// compared, over the length.
func (c *Comparison) Overlay() (list []*document.Figure) {
	if len(c.Others) == 0 {
		return nil
	}
	for i, p := range c.Others[0].Pairs {
		of := quantities[p.Quantity]
		if !p.First.Lengths || of.axis == nil {
			continue
		}
		drawing := &chart.Chart{Frame: chart.FrameHeight}
		add := func(n int, name string, t *foreign.Table) {
			if list := points(t, t.Main(p.Quantity)); len(list) > 1 && n < chart.MostCurves {
				drawing.AddCurve(n, chart.Clean(name+", "+words.OneLine(t.Test)), list)
			}
		}
		add(0, c.Names[0], p.First)
		for n, o := range c.Others {
			for _, other := range o.Pairs {
				if other.First == p.First && other.Quantity == p.Quantity {
					add(n+1, o.Name, other.Second)
				}
			}
		}
		if len(drawing.Layers) > 1 {
			list = append(list, overLengths(drawing, p.Quantity, fmt.Sprintf("compare-%d-%s", i+1, of.name), p.Name()))
		}
	}
	return list
}
