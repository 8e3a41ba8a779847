package ofbeff

import (
	"fmt"
	"math"
	"strings"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/foreign"
)

// Common returns the result in the form that all programs share. It has tables of the figures, as a summary of the
// original b_eff has, and of the bandwidths by message length.
func (r Report) Common() *foreign.Result {
	d := &r.Derived
	c := &foreign.Result{Identity: r.Identity, Software: r.Software, Program: "beff", ProgramVersion: r.Beff,
		Processes: r.Processes, Machine: r.Machine, Period: r.Period, Complete: r.Complete, Warnings: r.Warnings}
	if d.BEff > 0 {
		c.Rating = &foreign.Rating{Name: foreign.BEff, Quantity: foreign.BytesPerSecond, Value: d.BEff,
			NotValid: !r.Valid}
	}
	settings := []foreign.Setting{
		{Name: foreign.MemoryPerProcess, Value: fmt.Sprintf("%d MiB", r.MemoryPerProcess>>20)},
		{Name: "Lmax", Value: fmt.Sprintf("%d bytes", r.Lmax)}, {Name: "rules", Value: string(r.Rules)}}
	table := func(test string, o foreign.Operation, columns ...foreign.Column) foreign.Table {
		return foreign.Table{Test: test, Operation: o, Way: foreign.BestOfMethods, Processes: r.Processes,
			Settings: settings, Columns: columns}
	}
	main := func(name string, q foreign.Quantity) foreign.Column {
		return foreign.Column{Name: name, Quantity: q, Main: true}
	}
	bandwidths := table("b_eff", foreign.EffectiveRate, main("bandwidth", foreign.BytesPerSecond))
	latencies := table("b_eff", foreign.EffectiveRate, main("latency", foreign.Seconds))
	for _, f := range beff.Figures {
		v := f.Of(r.Result)
		label := strings.ReplaceAll(strings.TrimPrefix(f.Name, "latency, "), "&", "and")
		row := foreign.Row{Label: label, Values: []float64{v.Value}}
		switch {
		case !v.Known() || f.PerProcess:
		case f.Unit == rating.Bandwidth:
			bandwidths.Rows = append(bandwidths.Rows, row)
		case f.Unit == rating.Latency:
			latencies.Rows = append(latencies.Rows, row)
		}
	}
	c.Tables = append(c.Tables, bandwidths, latencies)

	g := beff.NewGrid(r.Result)
	rings := table("rings", foreign.NaturalRing, main("time", foreign.Seconds), main("per process",
		foreign.BytesPerSecond))
	randoms := table("randoms", foreign.RandomRing, rings.Columns...)
	ping := table("ping-pong", foreign.Message, rings.Columns...)
	ping.Processes = 2
	rings.Lengths, randoms.Lengths, ping.Lengths = true, true, true
	add := func(t *foreign.Table, bytes int64, x float64) {
		if x > 0 && !math.IsInf(x, 0) {
			t.Rows = append(t.Rows, foreign.Row{Bytes: bytes, Values: []float64{float64(bytes) / x, x}})
		}
	}
	for l, bytes := range r.Lengths {
		best := func(p int) float64 { return g.Best(p, l) }
		add(&rings, bytes, g.LogAverage(patterns.KindRing, best)/float64(r.Processes))
		add(&randoms, bytes, g.LogAverage(patterns.KindRandom, best)/float64(r.Processes))
		if p := pingPong(r.Result); p >= 0 {
			add(&ping, bytes, best(p))
		}
	}
	c.Tables = append(c.Tables, rings, randoms, ping)
	return c
}
