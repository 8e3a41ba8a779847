package ofprobe

import (
	"slices"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/words"
)

// partitionPlots are the pictures of a kernel of partitioned messages, over the number of parts: the bandwidth that the
// receiver perceives after the last part is ready, compared with plain messages, and the times of both.
func partitionPlots(k *Kernel) []chart.Picture {
	perceived := chart.Plot{ID: "probe-" + k.Key() + "-bandwidth", X: chart.Partitions, Y: chart.Bandwidth,
		Caption: k.Title() + ": perceived bandwidth over the number of partitions: the length of the message " +
			"divided by the time from its last ready partition to its end."}
	times := chart.Plot{ID: "probe-" + k.Key() + "-time", X: chart.Partitions, Y: chart.Time,
		Caption: k.Title() + ": time over the number of partitions: of the whole message, and from its last ready " +
			"partition to its end."}
	for _, b := range k.Blocks {
		lengths := lengthsOf(b)
		for _, bytes := range lengths {
			name := "none late"
			if b.Delay > 0 {
				name = words.Times.Short(b.Delay) + " late"
			}
			if len(lengths) > 1 {
				name = words.Lengths.Short(float64(bytes)) + ", " + name
			}
			add := func(p *chart.Plot, name string, of func(*kernel.Times) float64) {
				s := chart.Series{Name: name}
				for i := range b.Rows {
					if row := &b.Rows[i]; row.Bytes == bytes && len(row.Derived) > 0 {
						pt := chart.At(of(&row.Derived[0]))
						pt.X = float64(row.Partitions)
						s.Points = append(s.Points, pt)
					}
				}
				p.Series = append(p.Series, s)
			}
			add(&perceived, "perceived, "+name, func(t *kernel.Times) float64 { return t.Perceived })
			add(&times, "whole, "+name, func(t *kernel.Times) float64 { return t.Max })
			add(&times, "after the last, "+name, func(t *kernel.Times) float64 { return t.Last })
			if b == k.Blocks[0] {
				plain := "plain, " + words.Lengths.Short(float64(bytes))
				add(&perceived, plain, func(t *kernel.Times) float64 {
					if t.Usual > 0 {
						return float64(bytes) / t.Usual
					}
					return 0
				})
				add(&times, plain, func(t *kernel.Times) float64 { return t.Usual })
			}
		}
	}
	return []chart.Picture{perceived, times}
}

// lengthsOf returns the lengths of a block's rows, each once.
func lengthsOf(b *measured.Block) (list []int64) {
	for i := range b.Rows {
		if n := b.Rows[i].Bytes; !slices.Contains(list, n) {
			list = append(list, n)
		}
	}
	return list
}
