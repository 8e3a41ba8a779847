package ofbeff

import (
	"fmt"
	"strings"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// Line returns the line that scripts look for. Remarks that a reader must not miss follow the machine's name. Without
// all ring and random patterns there is no b_eff, and the line says so.
func Line(r *beff.Result) string {
	if r.Derived.BEff == 0 {
		return "b_eff not computed: it needs all ring and random patterns at all lengths"
	}
	h := &r.Host
	host := words.Line(strings.Join([]string{h.System, h.Name, h.Release, h.Version, h.Machine}, " "), ' ')
	return fmt.Sprintf("b_eff = %.3f MB/s = %.3f * %d PEs with %s MB/PE on %s%s", r.Derived.BEff/words.Mega,
		r.Derived.BEffPerProcess/words.Mega, r.Processes, words.Memory(r.MemoryPerProcess), host, remarks(r))
}

func remarks(r *beff.Result) string {
	text := parts.OfSystem(r.System)
	if r.Engine.Kind().Embedded {
		text += ", embedded engine"
	}
	return text + parts.Doubt(r.Verdict, part(r))
}
