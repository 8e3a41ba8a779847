package ofbeffio

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// tailsSection returns the times of single calls: the quantiles of each pattern, and the slowest calls.
func tailsSection(r *beffio.Result) document.Section {
	var blocks []document.Block
	for n, processes := range r.Partitions {
		if n >= len(r.Derived.Partitions) || len(r.Derived.Partitions[n].Tails) == 0 {
			continue
		}
		on := words.Processes(processes)
		blocks = append(blocks, slowTable(r, n, on), quantileTable(r, n, on))
	}
	return parts.Section("tails", "How long single calls took", blocks...)
}

// slowTable returns the table of a partition's slowest calls in the order of time, so that calls delayed by the same
// stall are next to each other.
func slowTable(r *beffio.Result, n int, on string) *document.Table {
	list := r.SlowCalls(n)
	list = list[:min(len(list), mpi.MaxSlowest)]
	slices.SortStableFunc(list, func(a, b beffio.SlowCall) int { return cmp.Compare(a.At, b.At) })
	var t parts.Table[beffio.SlowCall]
	parts.SlowCalls(&t, func(x beffio.SlowCall) *rating.SlowCall { return &x.SlowCall })
	t.Text("call", func(x beffio.SlowCall) string { return x.Call })
	t.Text("access", func(x beffio.SlowCall) string { return string(x.Access) })
	t.Number("pattern", "", func(x beffio.SlowCall) document.Cell { return parts.Natural(x.Pattern) })
	t.Text("type", func(x beffio.SlowCall) string { return x.Type.String() })
	return t.Of(&document.Table{ID: fmt.Sprintf("slow-%d", n+1), Sortable: true, Detail: n != r.Rated(),
		Caption: "The slowest calls on " + on + ", in the order of time. Calls of several ranks at the same time " +
			"have waited for the same thing. For calls that open, set the view, sync and close, the table has only " +
			"the slowest process. Offsets in type 2 are within each process's file."}, list)
}

// quantileTable returns the table of the quantiles of each pattern of a partition.
func quantileTable(r *beffio.Result, n int, on string) *document.Table {
	type x = beffio.Tail
	var t parts.Table[x]
	t.Text("access", func(x x) string { return string(x.Access) })
	for i, column := range patternColumns() {
		t.Add(column, func(x x) document.Cell { return patternCells(*r.Pattern(x.Pattern))[i] })
	}
	t.Number("calls", "", func(x x) document.Cell { return document.Whole(x.Calls) })
	parts.Quantiles(&t, r.Quantiles, "calls", func(x x) []rating.Quantile { return x.Quantiles })
	t.Number("max", "µs", func(x x) document.Cell { return parts.Microseconds(x.Max) })
	return t.Of(&document.Table{ID: fmt.Sprintf("tails-%d", n+1), Sortable: true, Detail: n != r.Rated(),
		Caption: "Tails of the MPI-IO calls on " + on + ", counted for each process: " +
			parts.OfQuantiles("calls", rating.Confidence)}, r.Derived.Partitions[n].Tails)
}

// tailsBelow returns the lower panel of the picture of an access method: the times of its calls over the chunk size. It
// returns nil if no calls were counted.
func tailsBelow(r *beffio.Result, n int, a beffio.Access, axis chunkAxis) *chart.Plot {
	if n >= len(r.Derived.Partitions) || len(r.Derived.Partitions[n].Tails) == 0 {
		return nil
	}
	p := &chart.Plot{X: axis.quantity(), Y: chart.Time.Named("time of a call"), Of: "pattern types",
		Bars:    "from the median to the slowest call",
		Caption: "The median time of a call, over the chunks on disk. A call of type 0 moves up to 2 MB of chunks."}
	for _, t := range beffio.Types() {
		p.Series = append(p.Series, tailSeries(r, n, a, t, axis))
	}
	return p
}

// tailSeries returns the curve of a pattern type.
func tailSeries(r *beffio.Result, n int, a beffio.Access, t patterns.IOType, axis chunkAxis) chart.Series {
	s := chart.Series{Name: t.String()}
	found := map[float64]bool{}
	for _, x := range r.Derived.Partitions[n].Tails {
		of := r.Pattern(x.Pattern)
		place, known := axis.place(of.Disk, axis.mpart)
		if x.Access != a || of.Type != t || of.Units == 0 || !known {
			continue
		}
		s.Points, found[place] = append(s.Points, chart.Point{X: place, Y: x.Median, Low: x.Median, High: x.Max}), true
	}
	return axis.broken(s, found)
}
