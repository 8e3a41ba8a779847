package ofbeff

import (
	"fmt"
	"strings"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// Line returns the line that scripts search for, with the digits of the original. The bandwidth per process has enough
// digits for the product to be right. The doubt, which shows how many digits the interval justifies, and other remarks
// follow the machine's name. If there is no b_eff, because ring or random patterns are missing, the line says so.
func Line(r *beff.Result) string {
	if r.Derived.BEff == 0 {
		return "b_eff not computed: it needs all ring and random patterns at all lengths"
	}
	h := &r.Host
	host := words.Line(strings.Join([]string{h.System, h.Name, h.Release, h.Version, h.Machine}, " "), ' ')
	d := r.Estimate()
	return fmt.Sprintf("b_eff = %s MB/s = %s * %d PEs with %s MB/PE on %s%s",
		words.Megabytes(d.Value, 1), words.Megabytes(d.Value, r.Processes), r.Processes,
		words.Memory(r.MemoryPerProcess), host, remarks(r))
}

func remarks(r *beff.Result) string {
	text := parts.OfSystem(r.System) + parts.By(r.Beff)
	if r.Engine.Kind().Embedded {
		text += ", embedded engine"
	}
	return text + parts.Remark(r.Verdict, r.Estimate())
}
