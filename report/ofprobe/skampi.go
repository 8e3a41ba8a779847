package ofprobe

import (
	"io"
	"math"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/report/parts"
)

// SKaMPI writes the main time of each kernel as SKaMPI does, for the slowest process of the slowest group. Its standard
// error is known for rows that have series.
func SKaMPI(w io.Writer, r *probe.Result) error {
	var blocks []parts.SKaMPIBlock
	for _, k := range kernelsOf(r) {
		main := k.Times()[0]
		for _, b := range k.Blocks {
			x := parts.SKaMPIBlock{Name: k.Title(), Pair: k.MinProcesses == 2 && b.Processes == 2, Bare: k.NoLength()}
			if b.Mode != settings.Plain {
				x.Name += "-" + string(b.Mode)
			}
			for row := range lists.Elements(b.Rows) {
				of := parts.SKaMPIRow{Processes: b.Processes, Bytes: row.Bytes, Seconds: row.Slowest(main),
					Repetitions: row.Repetitions}
				if s := row.Main(0); s != nil {
					n := row.Series[0].N()
					of.Error, of.Repetitions = s.Deviation/math.Sqrt(float64(n)), n
				}
				if of.Seconds > 0 {
					x.Rows = append(x.Rows, of)
				}
			}
			blocks = append(blocks, x)
		}
	}
	return parts.SKaMPI(w, "beff "+r.Beff, r.Started, r.WallSeconds, blocks)
}
