package ofprobe

import (
	"fmt"
	"io"
	"slices"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/report/words"
)

// hasPairs reports whether a result has times of pairs.
func hasPairs(r *probe.Result) bool {
	return slices.ContainsFunc(Of(r), func(k *Kernel) bool { return len(pairings(r, k)) > 0 })
}

// confidence is that of the intervals of means.
const confidence = 0.95

// PairsCSV writes a line for each pair, and for each of its directions if they have times of their own. Times are in
// seconds; ci95_s is half of the 95 % interval of the mean, by the means of the passes; pass is the run through the
// whole list that the pair is of.
func PairsCSV(w io.Writer, r *probe.Result) error {
	out := words.NewCSV(w)
	out.Texts("kernel", "processes", "bytes", "from", "to", "from_host", "to_host", "repetitions",
		"median_s", "mean_s", "ci95_s", "deviation_s", "pass_medians_s", "pass")
	for _, k := range Of(r) {
		for _, p := range pairings(r, k) {
			for _, x := range p.ways() {
				passes := ""
				for i, pass := range x.samples.Medians {
					if i > 0 {
						passes += " "
					}
					passes += words.Exact(pass[x.pair])
				}
				out.Line(k.Name, p.block.Processes, p.row.Bytes, x.from, x.to, p.hosts[x.from], p.hosts[x.to],
					x.samples.Count(p.row, x.pair), x.seconds(), x.samples.Means[x.pair],
					x.samples.Half(x.pair, confidence), x.samples.Deviations[x.pair], passes,
					max(1, p.block.Pass))
			}
		}
	}
	return out.Flush()
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
			out := words.NewCSV(w)
			line := []any{fmt.Sprintf("%s %s [s]", k.Name, p.length()), "host"}
			for rank := range p.hosts {
				line = append(line, rank)
			}
			out.Line(line...)
			for rank, times := range p.times() {
				line = append(line[:0], rank, p.hosts[rank])
				for _, x := range times {
					line = append(line, x)
				}
				out.Line(line...)
			}
			if err := out.Flush(); err != nil {
				return err
			}
		}
	}
	return nil
}
