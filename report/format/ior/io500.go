package ior

import (
	"bufio"
	"fmt"
	"io"

	"github.com/effective-bandwidth/beff/ior"
	"github.com/effective-bandwidth/beff/lists"
	"github.com/effective-bandwidth/beff/report/words"
)

// WriteIO500 writes the lines of IO500's result_summary.txt of an IO500-like set (main.c of IO500): a line for each
// phase, and the score. What doesn't meet a rule is said to be invalid, as there. It isn't said to be IO500's.
func WriteIO500(w io.Writer, r *ior.Result) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "IO500-like set by beff %s\n", r.Beff)
	for p := range lists.Elements(r.Derived.Phases) {
		s := &r.Tests[p.Test]
		mark, value, unit := "[RESULT]", p.Mean/gibi, "GiB/s"
		if s.Metadata != nil {
			value, unit = p.Rate/1000, "kIOPS"
		}
		if !s.Scored() {
			mark = "[      ]"
		}
		fmt.Fprintf(b, "%s %20s %15s %s : time %.3f seconds%s\n", mark, s.Name, fmt.Sprintf("%f", value), unit,
			p.Seconds, invalid(r.Kept(p)))
	}
	if s := r.Derived.Score; s != nil {
		fmt.Fprintf(b, "[SCORE ] Bandwidth %f GiB/s : IOPS %f kiops : TOTAL %f%s\n", s.Bandwidth/gibi, s.Rate/1000,
			s.Total, invalid(r.Valid))
	}
	return b.Flush()
}

func invalid(valid bool) string {
	return words.Either(valid, "", " [INVALID]")
}
