package offoreign

import (
	"fmt"
	"strings"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/report/words"
)

// Entry returns the result as an entry of a ranking, without the system's name.
func (r Report) Entry() ranking.Entry {
	e := ranking.Entry{Class: rating.Class{Benchmark: foreign.Benchmark, Rules: r.Program}, Processes: r.Processes,
		Nodes: r.Nodes, PerNode: r.PerNode(), Date: r.Header().Date(), Status: r.status(),
		Figures: foreign.Figures.Values(r.Result)}
	switch x := r.Rating; {
	case x == nil || !strings.HasPrefix(x.Name, foreign.BEff):
	case x.Name == foreign.BEffIO:
		r.bEffIO(&e)
	default:
		r.bEff(&e)
	}
	tests := lists.Unique(lists.Each(r.Result.Tables, func(t foreign.Table) string { return words.OneLine(t.Test) }))
	e.Kernels = words.First(3, tests, ", ", "")
	return e
}

// status returns the status of the result. beff has no verdict of its own on it.
func (r Report) status() ranking.Status {
	switch {
	case !r.Complete || r.Failed() > 0 || r.Rating != nil && r.Rating.NotValid:
		return ranking.NotValid
	case r.Doubtful():
		return ranking.Doubtful
	}
	return ranking.Imported
}

// bEff puts an entry into the class of b_eff whose rules the original program follows. Its longest message is always
// the one that the memory demands.
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
			switch n := firstIn(s); s.Name {
			case "Lmax":
				e.Longest = n
			case foreign.MemoryPerProcess:
				e.MemoryPerProcess = n << 20
			}
		}
	}
	same.MemoryPerProcess = e.MemoryPerProcess
	e.Figures = beff.Figures.Values(&same)
}

// firstIn returns the number at the beginning of a setting's value, or 0 if there is none.
func firstIn(s foreign.Setting) (n int64) {
	fmt.Sscanf(s.Value, "%d", &n)
	return n
}

// bEffIO puts an entry into the class of b_eff_io by release 2.1, the original program.
func (r Report) bEffIO(e *ranking.Entry) {
	e.Class = rating.Class{Benchmark: beffio.Benchmark, Rules: string(beffio.Rules21)}
	same := beffio.Result{Rules: beffio.Rules21, Processes: max(r.Processes, 1)}
	d := &same.Derived
	for t := range lists.Elements(r.Result.Tables) {
		access, byType := strings.CutSuffix(t.Test, foreign.ByType(""))
		if len(t.Rows) == 0 || !byType && t.Way != foreign.WeightedTypes {
			e.Longest = max(e.Longest, lists.Max(t.Rows, func(row foreign.Row) int64 { return row.Bytes }))
			continue
		}
		for _, s := range t.Settings {
			if s.Name == foreign.MemoryPerProcess {
				e.MemoryPerProcess = firstIn(s) << 20
			}
		}
		m := accessOf(d, t.Processes, beffio.Access(access))
		if !byType {
			m.Bandwidth = t.Rows[0].Values[0]
			continue
		}
		for _, row := range t.Rows {
			if kind := beffio.TypeNamed(row.Label); kind >= 0 {
				m.Types[kind] = row.Values[0]
			}
		}
	}
	d.BEffIO, d.Release21, same.MemoryPerProcess = r.Rating.Value, r.Rating.Value, e.MemoryPerProcess
	for p := range lists.Elements(d.Partitions) {
		p.Paper, p.Release21 = beffio.RulesPaper.Formula().Of(p), beffio.Rules21.Formula().Of(p)
		d.Paper, same.Partitions = max(d.Paper, p.Paper), append(same.Partitions, p.Processes)
		if rating.Near(p.Release21, d.BEffIO) {
			d.Processes = p.Processes
		}
	}
	e.Figures = beffio.Figures.Values(&same)
}

// accessOf returns an access method's figures on a number of processes. It adds new ones to d.
func accessOf(d *beffio.Derived, processes int, a beffio.Access) *beffio.AccessMethod {
	p := lists.Find(d.Partitions, func(p *beffio.Partition) bool { return p.Processes == processes })
	if p == nil {
		d.Partitions = append(d.Partitions, beffio.Partition{Processes: processes})
		p = &d.Partitions[len(d.Partitions)-1]
	}
	m := lists.Find(p.Accesses, func(m *beffio.AccessMethod) bool { return m.Access == a })
	if m == nil {
		p.Accesses = append(p.Accesses, beffio.AccessMethod{Access: a, Types: make([]float64, len(beffio.Types()))})
		m = &p.Accesses[len(p.Accesses)-1]
	}
	return m
}
