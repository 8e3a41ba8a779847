package ofbeffio

import (
	"fmt"
	"strings"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// Line returns the line that scripts search for. Important remarks follow the machine's name. Without all access
// methods there is no b_eff_io, and the line reports that.
func Line(r *beffio.Result) string {
	d := beffio.Derive(r)
	if d.BEffIO == 0 {
		return "b_eff_io not computed: " + r.NotComputed()
	}
	h := &r.Host
	return fmt.Sprintf("b_eff_io = %s MB/s on %s with %s MByte/PE, scheduled time=%s min, rules "+
		"%s, on %s%s", words.Megabytes(d.BEffIO, 1), words.Processes(d.Processes),
		words.Memory(r.MemoryPerProcess), minutes(r.Duration/float64(len(r.Partitions))), r.Rules,
		words.OneLine(strings.Join([]string{h.System, h.Name, h.Release, h.Version, h.Machine}, " ")),
		parts.OfSystem(r.System)+parts.By(r.Beff)+remarks(r))
}

// minutes returns seconds in minutes, with one decimal or, for less than six seconds, two digits.
func minutes(seconds float64) string {
	const least = 6
	if seconds < least {
		return fmt.Sprintf("%.2g", seconds/60)
	}
	return fmt.Sprintf("%.1f", seconds/60)
}

func remarks(r *beffio.Result) string {
	text := ""
	if r.Engine.Kind().Embedded {
		text += ", embedded engine"
	}
	text += parts.Remark(r.Verdict, r.Estimate())
	if n := r.WrongChunks(-1); n > 0 {
		text += fmt.Sprintf(", with %d ERRORS", n)
	}
	return text
}
