package ofprobe

import (
	"slices"

	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
	"github.com/effective-bandwidth/beff/stats"
)

// passed holds the times of one row in all passes.
type passed struct {
	who    string
	bytes  int64
	stride int64     // in blocks; 0: none
	times  []float64 // seconds
}

// passesTable has a row for each row of a kernel, with the spread of its times between the passes.
func passesTable(k *Kernel) *document.Table {
	t := &document.Table{ID: k.Key() + "-passes", Sortable: true, Caption: "The spread between the passes, that of " +
		words.Either(len(k.Times()) > 1, k.Times()[0].Name, "the time") +
		": the largest less the least, over the median.",
		Columns: []document.Column{{Name: "measured on"}}}
	number := func(name, unit string) {
		t.Columns = append(t.Columns, document.Column{Name: name, Unit: unit, Numbers: true})
	}
	if !k.NoLength() {
		number("length", "B")
	}
	if k.Strided() {
		number("stride", "blocks")
	}
	number("passes", "")
	for _, name := range []string{"least", "median", "largest"} {
		number(name, "µs")
	}
	number("spread", "%")
	for _, p := range rowsOfPasses(k) {
		sorted := stats.Sorted(p.times)
		least, median, largest := sorted[0], stats.Quantile(sorted, 0.5), sorted[len(sorted)-1]
		cells := []document.Cell{document.Text(p.who)}
		if !k.NoLength() {
			cells = append(cells, whole(p.bytes))
		}
		if k.Strided() {
			cells = append(cells, whole(p.stride))
		}
		cells = append(cells, whole(len(sorted)), parts.Microseconds(least), parts.Microseconds(median),
			parts.Microseconds(largest))
		spread := document.Text("-")
		if median > 0 {
			spread = figure(100*(largest-least)/median, 1)
		}
		t.Rows = append(t.Rows, append(cells, spread))
	}
	return t
}

// rowsOfPasses returns the times of a kernel's rows in all passes, in the order of the first pass.
func rowsOfPasses(k *Kernel) (list []passed) {
	for _, b := range k.Blocks {
		first := *b
		first.Pass = 0
		who := Who(&first)
		for _, i := range k.rows(b) {
			row := &b.Rows[i]
			if len(row.Derived) == 0 {
				continue
			}
			at := slices.IndexFunc(list, func(p passed) bool {
				return p.who == who && p.bytes == row.Bytes && p.stride == row.Stride
			})
			if at < 0 {
				at = len(list)
				list = append(list, passed{who: who, bytes: row.Bytes, stride: row.Stride})
			}
			list[at].times = append(list[at].times, row.Slowest(k.Times()[0]))
		}
	}
	return list
}
