// Package linktest writes the figures of cuts by the names that LinkTest 2 has for those of its bisection test. That is
// all that the text shares with LinkTest's: it has a title for each cut, and is made from the medians of the passes.
package linktest

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/effective-bandwidth/beff/lists"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/report/words"
)

// gibi is the bytes of a GiB, LinkTest's unit.
const gibi = 1 << 30

// Write writes a line for each step of each row of a cut, and the summary of its steps.
func Write(w io.Writer, r *probe.Result) error {
	var s strings.Builder
	for b := range lists.Elements(r.Blocks) {
		for j := range b.Rows {
			if b.Rows[j].Across != nil {
				row(&s, r, b, &b.Rows[j])
			}
		}
	}
	_, err := io.WriteString(w, s.String())
	return err
}

// figures are the times of pairs in seconds and what they move in bytes per second.
type figures struct {
	min, sum, max float64
	bandwidth     float64 // of all pairs together
	steps         int
}

// row writes a row.
func row(s *strings.Builder, r *probe.Result, b *measured.Block, row *measured.Row) {
	k, known := r.Kernel(b)
	if !known {
		return
	}
	links, moved := float64(b.Cut.Links()), k.Moved*float64(row.Bytes)
	fmt.Fprintf(s, "# %s, cut %s, %s, messages of %d bytes, %d of each pair\n", k.Name, words.OneLine(b.Cut.Name),
		words.Processes(b.Processes), row.Bytes, row.Repetitions)
	all := figures{min: math.Inf(1)}
	least, most := math.Inf(1), 0.0
	for i, x := range row.Across.Steps {
		all.min, all.max, all.sum = min(all.min, x.Least), max(all.max, x.Longest), all.sum+x.Mean
		all.bandwidth, all.steps = all.bandwidth+x.Bandwidth, all.steps+1
		least, most = min(least, x.Bandwidth), max(most, x.Bandwidth)
		fmt.Fprintf(s, "Parallel Results for step %d: %s avg. bisection bw: %s\n", i,
			line(x.Least, x.Mean, x.Longest, moved, x.Bandwidth/links), rate(x.Bandwidth))
	}
	n := float64(all.steps)
	mean := all.bandwidth / n / links
	fmt.Fprintf(s, "Aggregated Results: %s avg. bisection bw: %s\n", line(all.min, all.sum/n, all.max, moved, mean),
		rate(all.bandwidth/n))
	fmt.Fprintf(s, "Timing Summary: %d steps, min. bisection bw: %s max. bisection bw: %s\n", all.steps, rate(least),
		rate(most))
	fmt.Fprintf(s, "RESULT: Min Time: %s ( %s)\nRESULT: Avg Time: %s ( %s)\nRESULT: Max Time: %s ( %s)\n\n",
		micro(all.min), rate(moved/all.min), micro(all.sum/n), rate(mean), micro(all.max), rate(moved/all.max))
}

// line returns the least, the mean and the largest time, each with its bandwidth.
func line(least, mean, most, moved, bandwidth float64) string {
	return fmt.Sprintf("min: %s ( %s) avg: %s ( %s) max: %s ( %s)", micro(least), rate(moved/least), micro(mean),
		rate(bandwidth), micro(most), rate(moved/most))
}

func micro(seconds float64) string { return fmt.Sprintf("%.4f us", seconds/words.Micro) }

func rate(x float64) string { return fmt.Sprintf("%.4f GiB/s", x/gibi) }
