package ofprobe

import (
	"fmt"
	"io"
	"math"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/report/words"
)

// Repetitions writes a line for each repetition of all series: the time by the timing method, then that of the quickest
// process and the mean of all, in seconds between two readings of the clock. The stride comes last.
func Repetitions(w io.Writer, r *probe.Result) error {
	out := words.NewCSV(w)
	out.Texts("kernel", "component", "mode", "pass", "processes", "group", "bytes", "time", "repetition",
		"max_s", "min_s", "mean_s", "stride")
	for i := range r.Blocks {
		b := &r.Blocks[i]
		for j := range b.Rows {
			for k := range b.Rows[j].Series {
				x := &b.Rows[j].Series[k]
				for n := range x.Max {
					out.Line(b.Kernel, b.Component, b.Mode, max(1, b.Pass), b.Processes, x.Group, b.Rows[j].Bytes,
						x.Time, n+1, picoseconds(x.Max, n), picoseconds(x.Min, n), picoseconds(x.Mean, n),
						strideField(&b.Rows[j]))
				}
			}
		}
	}
	return out.Flush()
}

// strideField returns the stride of a row in blocks, "" if it has none.
func strideField(row *probe.Row) string {
	if row.Stride == 0 {
		return ""
	}
	return fmt.Sprint(row.Stride)
}

// picoseconds returns a time in seconds, NaN if the list is empty.
func picoseconds(list []int64, i int) float64 {
	if i >= len(list) {
		return math.NaN()
	}
	return float64(list[i]) / 1e12
}
