package offoreign

import (
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/foreign"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/report/words"
)

// Entry returns the result as an entry of a list, without the system's name. It has no rating among ours.
func (r Report) Entry() ranking.Entry {
	e := ranking.Entry{Class: ranking.Class{Benchmark: foreign.Benchmark, Rules: r.Program}, Processes: r.Processes,
		PerNode: r.PerNode(), Date: r.Started, Remark: "imported"}
	if x := r.Rating; x != nil && x.Quantity == foreign.BytesPerSecond {
		r.bEff(&e)
	}
	var tests []string
	for i := range r.Tables {
		t := &r.Tables[i]
		if name := words.OneLine(t.Test); !slices.Contains(tests, name) {
			tests = append(tests, name)
		}
		for _, x := range []struct {
			of foreign.Operation
			q  foreign.Quantity
			to *float64
		}{
			{foreign.Message, foreign.Seconds, &e.Latency}, {foreign.Message, foreign.BytesPerSecond, &e.PingPong},
			{foreign.Write, foreign.BytesPerSecond, &e.FileWrite}, {foreign.Read, foreign.BytesPerSecond, &e.FileRead},
			{foreign.CreateFiles, foreign.PerSecond, &e.Creates},
		} {
			v, _ := best(t, x.q)
			if t.Operation == x.of && (*x.to == 0 || v > *x.to && x.q != foreign.Seconds) {
				*x.to = v
			}
		}
	}
	const most = 3
	if n := len(tests) - most; n > 1 {
		tests = append(tests[:most], fmt.Sprintf("and %d more", n))
	}
	e.Kernels = strings.Join(tests, ", ")
	if r.Rating != nil && r.Rating.Quantity == foreign.Score {
		e.Score = r.Rating.Value
	}
	if !r.Complete || r.Failed() > 0 || r.Rating != nil && r.Rating.NotValid {
		e.Status = ranking.NotValid
	}
	return e
}

// bEff makes an entry one of b_eff's own class, which it has the rules of: the original program's result. Its longest
// message is always the one that the memory asks for.
func (r Report) bEff(e *ranking.Entry) {
	e.Class = ranking.Class{Benchmark: beff.Benchmark, Rules: string(beff.Rules36)}
	e.Rating, e.PerProcess = r.Rating.Value, r.Rating.Value/float64(max(r.Processes, 1))
	for i := range r.Tables {
		t := &r.Tables[i]
		for _, row := range t.Rows {
			if t.Operation != foreign.EffectiveRate {
				continue
			}
			switch x := row.Values[0]; {
			case row.Label == foreign.AtLmax:
				e.AtLmax, e.AtLmaxPerProcess = x, x/float64(max(r.Processes, 1))
			case row.Label == foreign.RingsAtLmax:
				e.RingsAtLmaxOfEach = x / float64(max(r.Processes, 1))
			case row.Label == foreign.PingPongAtLmax:
				e.PingPong = x
			case row.Label == foreign.LatencyOfBoth && t.Main(foreign.Seconds) == 0:
				e.Latency = x
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
}

// Curve returns the bandwidth of messages between two processes over their length: the printed one, or else that of
// the times.
func (r Report) Curve() (list []parts.CurvePoint) {
	for i := range r.Tables {
		t := &r.Tables[i]
		k := t.Main(foreign.BytesPerSecond)
		if t.Operation != foreign.Message || !t.Lengths || k < 0 || len(list) > 0 {
			continue
		}
		for _, row := range t.Rows {
			if x := row.Values[k]; x > 0 && row.Bytes > 0 {
				list = append(list, parts.CurvePoint{Bytes: row.Bytes, Bandwidth: x})
			}
		}
	}
	return list
}
