package ofbeff

import (
	"io"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/report/parts"
)

// SKaMPI writes the time of one exchange of a process for each length, as SKaMPI does: the geometric means over the
// rings and over the randoms, and the time of the ping-pong pair. A time is the mean over repetitions, each with its
// best method. The paper announces this output (Sec. 6).
func SKaMPI(w io.Writer, r *beff.Result) error {
	g := beff.NewGrid(r)
	var blocks []parts.SKaMPIBlock
	add := func(name string, processes int, moved float64, of func(l, repetition int) float64) {
		b := parts.SKaMPIBlock{Name: name, Pair: processes == 2}
		for l, bytes := range r.Lengths {
			var times []float64
			for i := range g.Repetitions {
				if x := of(l, i); x > 0 {
					times = append(times, float64(bytes)*moved/x)
				}
			}
			if len(times) > 0 {
				b.Rows = append(b.Rows, parts.SKaMPIRowOf(processes, bytes, times))
			}
		}
		blocks = append(blocks, b)
	}
	for _, kind := range kinds {
		add("b_eff_"+string(kind), r.Processes, float64(r.Processes), func(l, i int) float64 {
			of := func(p int) float64 { return g.InRepetition(p, l, i) }
			return spreadAt(beff.WithNumber(g.OfKind(kind), of), of).Mean
		})
	}
	if p := pingPong(r); p >= 0 {
		add("b_eff_pingpong", 2, 1, func(l, i int) float64 { return g.InRepetition(p, l, i) })
	}
	return parts.SKaMPI(w, "beff "+r.Beff, r.Started, r.WallSeconds, blocks)
}
