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
