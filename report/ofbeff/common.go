package ofbeff

import (
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/foreign"
	"github.com/effective-bandwidth/beff/patterns"
)

// Common returns the result in the form that results of several programs share, with the tables that the original
// b_eff's files become: its figures, and the bandwidths over the message length.
func (r Report) Common() *foreign.Result {
	d := &r.Derived
	c := &foreign.Result{Identity: r.Identity, Software: r.Software, Program: "beff", ProgramVersion: r.Beff,
		Processes: r.Processes, Machine: r.Machine, Period: r.Period, Complete: r.Complete, Warnings: r.Warnings}
	settings := []foreign.Setting{{Name: "memory per process", Value: fmt.Sprintf("%d MiB", r.MemoryPerProcess>>20)},
		{Name: "Lmax", Value: fmt.Sprintf("%d bytes", r.Lmax)}, {Name: "rules", Value: string(r.Rules)}}
	table := func(test string, o foreign.Operation, columns ...foreign.Column) foreign.Table {
		return foreign.Table{Test: test, Operation: o, Way: foreign.BestOfMethods, Processes: r.Processes,
			Settings: settings, Columns: columns}
	}
	main := func(name string, q foreign.Quantity) foreign.Column {
		return foreign.Column{Name: name, Quantity: q, Main: true}
	}
	labelled := func(t foreign.Table, rows []foreign.Row) {
		for _, row := range rows {
			if row.Values[0] > 0 {
				t.Rows = append(t.Rows, row)
			}
		}
		c.Tables = append(c.Tables, t)
	}
	row := func(label string, x float64) foreign.Row { return foreign.Row{Label: label, Values: []float64{x}} }
	labelled(table("b_eff", foreign.EffectiveRate, main("bandwidth", foreign.BytesPerSecond)),
		[]foreign.Row{row(foreign.BEff, d.BEff), row(foreign.AtLmax, d.AtLmax),
			row(foreign.RingsAtLmax, d.RingsAtLmax), row(foreign.PingPongAtLmax, d.PingPongAtLmax)})
	labelled(table("b_eff", foreign.EffectiveRate, main("latency", foreign.Seconds)),
		[]foreign.Row{row(foreign.LatencyOfBoth, d.LatencyRingsAndRandoms), row(foreign.LatencyOfRings, d.LatencyRings),
			row(foreign.LatencyOfPingPong, d.LatencyPingPong)})

	g := beff.NewGrid(r.Result)
	all := table("rings and randoms", foreign.Rings, main("accumulated", foreign.BytesPerSecond))
	rings := table("rings", foreign.NaturalRing, main("time", foreign.Seconds), main("per process",
		foreign.BytesPerSecond))
	randoms := table("randoms", foreign.RandomRing, rings.Columns...)
	ping := table("ping-pong", foreign.Message, rings.Columns...)
	ping.Processes = 2
	all.Lengths, rings.Lengths, randoms.Lengths, ping.Lengths = true, true, true, true
	add := func(t *foreign.Table, bytes int64, x float64) {
		if x > 0 && !math.IsInf(x, 0) {
			values := []float64{x}
			if len(t.Columns) == 2 {
				values = []float64{float64(bytes) / x, x}
			}
			t.Rows = append(t.Rows, foreign.Row{Bytes: bytes, Values: values})
		}
	}
	for l, bytes := range r.Lengths {
		best := func(p int) float64 { return g.Best(p, l) }
		add(&all, bytes, g.Both(best))
		add(&rings, bytes, g.LogAverage(patterns.KindRing, best)/float64(r.Processes))
		add(&randoms, bytes, g.LogAverage(patterns.KindRandom, best)/float64(r.Processes))
		for p := range r.Patterns {
			if r.Patterns[p].Name == "ping-pong" {
				add(&ping, bytes, best(p))
			}
		}
	}
	c.Tables = append(c.Tables, all, rings, randoms, ping)
	return c
}
