package ofprobe

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"github.com/effective-bandwidth/beff/probe"
)

// Repetitions writes a line for each repetition of all series: the time by the timing method, then that of the quickest
// process and the mean of all, in seconds between two readings of the clock. The stride comes last.
func Repetitions(w io.Writer, r *probe.Result) error {
	out := csv.NewWriter(w)
	lines := [][]string{{"kernel", "component", "mode", "pass", "processes", "group", "bytes", "time", "repetition",
		"max_s", "min_s", "mean_s", "stride"}}
	for i := range r.Blocks {
		b := &r.Blocks[i]
		for j := range b.Rows {
			for k := range b.Rows[j].Series {
				x := &b.Rows[j].Series[k]
				for n := range x.Max {
					lines = append(lines, []string{b.Kernel, string(b.Component), string(b.Mode),
						fmt.Sprint(max(1, b.Pass)), fmt.Sprint(b.Processes), fmt.Sprint(x.Group),
						fmt.Sprint(b.Rows[j].Bytes), x.Time, fmt.Sprint(n + 1), picoseconds(x.Max, n),
						picoseconds(x.Min, n), picoseconds(x.Mean, n), strideField(&b.Rows[j])})
				}
			}
		}
	}
	return out.WriteAll(lines)
}

// strideField returns the stride of a row in blocks, "" if it has none.
func strideField(row *probe.Row) string {
	if row.Stride == 0 {
		return ""
	}
	return fmt.Sprint(row.Stride)
}

// picoseconds returns a time in seconds, "" if the list is empty.
func picoseconds(list []int64, i int) string {
	if i >= len(list) {
		return ""
	}
	return strconv.FormatFloat(float64(list[i])*1e-12, 'g', 15, 64)
}
