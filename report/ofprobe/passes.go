package ofprobe

import (
	"slices"

	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
	"github.com/effective-bandwidth/beff/stats"
)

// rowPasses holds the times of one row in all passes.
type rowPasses struct {
	rowPlace
	times []float64 // seconds, sorted in the table
}

// passesTable has a row for each row of a kernel, with the spread of its times between the passes.
func passesTable(k *Kernel) *document.Table {
	rows := rowsOfPasses(k)
	for i := range rows {
		rows[i].times = stats.Sorted(rows[i].times)
	}
	var t parts.Table[rowPasses]
	addPlace(&t, k, false, func(p rowPasses) rowPlace { return p.rowPlace })
	t.Number("passes", "", func(p rowPasses) document.Cell { return document.Whole(len(p.times)) })
	t.Number("least", "µs", func(p rowPasses) document.Cell { return parts.Microseconds(p.times[0]) })
	t.Number("median", "µs", func(p rowPasses) document.Cell {
		return parts.Microseconds(stats.Quantile(p.times, 0.5))
	})
	t.Number("largest", "µs", func(p rowPasses) document.Cell { return parts.Microseconds(p.times[len(p.times)-1]) })
	t.Number("spread", "%", func(p rowPasses) document.Cell {
		median := stats.Quantile(p.times, 0.5)
		return figureIf(median > 0, 100*(p.times[len(p.times)-1]-p.times[0])/median, 1)
	})
	return t.Of(&document.Table{ID: k.Key() + "-passes", Sortable: true, Caption: "The spread of " +
		words.Either(len(k.Times()) > 1, k.Times()[0].Name, "the time") + " between the passes is the largest minus " +
		"the least, divided by the median."}, rows)
}

// rowsOfPasses returns the times of a kernel's rows in all passes, in the order of the first pass.
func rowsOfPasses(k *Kernel) (list []rowPasses) {
	for _, b := range k.Blocks {
		measuredOn := measuredInAnyPass(b)
		for _, i := range k.rows(b) {
			row := &b.Rows[i]
			if len(row.Derived) == 0 {
				continue
			}
			p := rowPlace{measuredOn: measuredOn, bytes: row.Bytes, along: row.AxisValue()}
			at := slices.IndexFunc(list, func(x rowPasses) bool { return x.rowPlace == p })
			if at < 0 {
				at = len(list)
				list = append(list, rowPasses{rowPlace: p})
			}
			list[at].times = append(list[at].times, row.Slowest(k.Times()[0]))
		}
	}
	return list
}
