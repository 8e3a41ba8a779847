package ofprobe

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/effective-bandwidth/beff/probe"
)

// hasPairs reports whether a result has times of pairs.
func hasPairs(r *probe.Result) bool {
	return slices.ContainsFunc(Of(r), func(k *Kernel) bool { return len(pairings(r, k)) > 0 })
}

// confidence is that of the intervals of means.
const confidence = 0.95

// exact formats a number with all its digits, and what is not measured as nothing.
func exact(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// PairsCSV writes a line for each pair, and for each of its directions if they have times of their own. Times are in
// seconds; ci95_s is half of the 95 % interval of the mean, pass the run through the whole list that the pair is of.
func PairsCSV(w io.Writer, r *probe.Result) error {
	lines := [][]string{{"kernel", "processes", "bytes", "from", "to", "from_host", "to_host", "repetitions",
		"median_s", "mean_s", "ci95_s", "deviation_s", "pass_medians_s", "pass"}}
	for _, k := range Of(r) {
		for _, p := range pairings(r, k) {
			for _, x := range p.ways() {
				line := []string{k.Name, fmt.Sprint(p.block.Processes), fmt.Sprint(p.row.Bytes), fmt.Sprint(x.from),
					fmt.Sprint(x.to), p.hosts[x.from], p.hosts[x.to], fmt.Sprint(x.samples.Count(p.row, x.pair)),
					exact(x.seconds()), exact(x.samples.Means[x.pair]),
					exact(x.samples.Half(p.row, x.pair, confidence)),
					exact(x.samples.Deviations[x.pair])}
				passes := ""
				for i, pass := range x.samples.Medians {
					if i > 0 {
						passes += " "
					}
					passes += exact(pass[x.pair])
				}
				lines = append(lines, append(line, passes, fmt.Sprint(max(1, p.block.Pass))))
			}
		}
	}
	return csv.NewWriter(w).WriteAll(lines)
}

// MatrixCSV writes a matrix of seconds for each row of pairs: a head with the ranks, then a line for each rank. Where
// directions have times of their own, the line is the sender. Matrices follow each other with an empty line between.
func MatrixCSV(w io.Writer, r *probe.Result) error {
	found := false
	for _, k := range Of(r) {
		for _, p := range pairings(r, k) {
			if found {
				if _, err := fmt.Fprintln(w); err != nil {
					return err
				}
			}
			found = true
			head := []string{fmt.Sprintf("%s %s [s]", k.Name, p.length()), "host"}
			for rank := range p.hosts {
				head = append(head, fmt.Sprint(rank))
			}
			lines := [][]string{head}
			for rank, times := range p.times() {
				line := []string{fmt.Sprint(rank), p.hosts[rank]}
				for _, x := range times {
					line = append(line, exact(x))
				}
				lines = append(lines, line)
			}
			if err := csv.NewWriter(w).WriteAll(lines); err != nil {
				return err
			}
		}
	}
	return nil
}
