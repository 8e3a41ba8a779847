package offoreign

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/foreign"
	"github.com/effective-bandwidth/beff/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/report/words"
)

// Entry returns the result as an entry of a list, without the system's name. It has no rating among ours.
func (r Report) Entry() ranking.Entry {
	e := ranking.Entry{Class: rating.Class{Benchmark: foreign.Benchmark, Rules: r.Program}, Processes: r.Processes,
		PerNode: r.PerNode(), Date: r.Started, Remark: "imported", Figures: foreign.Figures.Values(r.Result)}
	if x := r.Rating; x != nil && x.Quantity == foreign.BytesPerSecond {
		r.bEff(&e)
	}
	var tests []string
	for _, t := range r.Result.Tables {
		if name := words.OneLine(t.Test); !slices.Contains(tests, name) {
			tests = append(tests, name)
		}
	}
	e.Kernels = words.First(3, tests, ", ", "")
	if !r.Complete || r.Failed() > 0 || r.Rating != nil && r.Rating.NotValid {
		e.Status = ranking.NotValid
	}
	return e
}

// bEff makes an entry one of b_eff's own class, which it has the rules of: the original program's result. Its longest
// message is always the one that the memory asks for.
func (r Report) bEff(e *ranking.Entry) {
	e.Class = rating.Class{Benchmark: beff.Benchmark, Rules: string(beff.Rules36)}
	same := beff.Result{Processes: max(r.Processes, 1), Derived: beff.Derived{BEff: r.Rating.Value}}
	d := &same.Derived
	bandwidths := map[string]*float64{foreign.AtLmax: &d.AtLmax, foreign.RingsAtLmax: &d.RingsAtLmax,
		foreign.PingPongAtLmax: &d.PingPongAtLmax, "rings": &d.Rings, "randoms": &d.Randoms}
	latencies := map[string]*float64{foreign.LatencyOfBoth: &d.LatencyRingsAndRandoms,
		foreign.LatencyOfRings: &d.LatencyRings, foreign.LatencyOfPingPong: &d.LatencyPingPong}
	for t := range lists.Elements(r.Result.Tables) {
		to := words.Either(t.Main(foreign.Seconds) == 0, latencies, bandwidths)
		for _, row := range t.Rows {
			if x := to[row.Label]; x != nil && t.Operation == foreign.EffectiveRate {
				*x = row.Values[0]
			}
		}
		for _, s := range t.Settings {
			var n int64
			if _, err := fmt.Sscanf(s.Value, "%d", &n); err != nil {
				continue
			}
			switch s.Name {
			case "Lmax":
				e.Longest = n
			case "memory per process":
				e.MemoryPerProcess = n << 20
			}
		}
	}
	same.MemoryPerProcess = e.MemoryPerProcess
	e.Figures = beff.Figures.Values(&same)
}
