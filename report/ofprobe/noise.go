package ofprobe

import (
	"cmp"
	"slices"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// maxDisturbed is the number of processes that a table of noise shows.
const maxDisturbed = 32

// lostTime holds the time that a process lost.
type lostTime struct {
	measuredOn, host string
	rank             int
	of               *rating.Noise
}

// noiseBlocks returns the table of the processes that lost most in rows of noise.
func noiseBlocks(r *probe.Result, k *Kernel) []document.Block {
	var rows []lostTime
	var said document.List
	for _, b := range k.Blocks {
		hosts := r.HostsOf(b)
		for i := range b.Rows {
			n := b.Rows[i].Noise
			if n == nil {
				continue
			}
			said = append(said, n.Words())
			for rank := range n.Shares {
				l := lostTime{MeasuredOn(b), "", rank, n}
				if rank < len(hosts) {
					l.host = hosts[rank]
				}
				rows = append(rows, l)
			}
		}
	}
	if len(rows) == 0 {
		return nil
	}
	slices.SortStableFunc(rows, func(a, b lostTime) int {
		return cmp.Compare(b.of.Shares[b.rank], a.of.Shares[a.rank])
	})
	caption := "Time that was taken from the processes while they computed."
	if len(rows) > maxDisturbed {
		caption += " These processes lost most. `beff export --table probe_noise` writes all."
		rows = rows[:maxDisturbed]
	}
	var t parts.Table[lostTime]
	t.Text("measured on", func(x lostTime) string { return x.measuredOn })
	t.Number("process", "", func(x lostTime) document.Cell { return document.Whole(x.rank) })
	t.Text("host", func(x lostTime) string { return words.OneLine(x.host) })
	t.Number("lost", "%", func(x lostTime) document.Cell { return figureIf(true, 100*x.of.Shares[x.rank], 3) })
	t.Number("longest", "µs", func(x lostTime) document.Cell { return parts.Microseconds(x.of.Longest[x.rank]) })
	t.Number("every", "µs", func(x lostTime) document.Cell { return parts.Microseconds(x.of.Periods[x.rank]) })
	return []document.Block{said, t.Of(&document.Table{ID: k.Key() + "-noise", Sortable: true, Caption: caption}, rows)}
}

// noisePlot returns the picture of the detours of a kernel's worst process: how many per second took longer than a
// time.
func noisePlot(k *Kernel) chart.Plot {
	p := chart.Plot{ID: "probe-" + k.Key() + "-noise", X: chart.Time.Named("length of an interruption"),
		Y: chart.Frequency.Named("longer interruptions per second"), Bare: true,
		Title: k.Title() + ": how often the process that lost most is interrupted for how long",
		Caption: k.Title() + ": the number of interruptions per second that are longer than each length, in the " +
			"process that lost most."}
	for _, b := range k.Blocks {
		for i := range b.Rows {
			if n := b.Rows[i].Noise; n != nil && n.Detours != nil && n.Seconds > 0 {
				p.Series = append(p.Series, chart.Series{Name: "worst of " + MeasuredOn(b),
					Points: beyondPoints(n.Detours, 1e-12, n.Seconds)})
			}
		}
	}
	return p
}
