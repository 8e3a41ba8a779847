package whatif

import (
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/lists"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/sim/fit"
	"github.com/effective-bandwidth/beff/sim/machine"
	"github.com/effective-bandwidth/beff/sim/model"
	"github.com/effective-bandwidth/beff/stats"
)

// predict returns the simulated results of a fitted machine, and of its parameters without the factors of lengths, for
// the processes of a result.
func predict(r *beff.Result, m *machine.Machine) (with, bare *beff.Result, err error) {
	config := beff.Config{Rules: beff.Rules2001, Memory: r.MemoryPerProcess, Seed: r.Seed}
	if len(r.Placement) != m.Nodes || r.PerNode() != m.PerNode {
		hosts, err := hostsOf(r.Placement, r.Processes)
		if err != nil {
			return nil, nil, err
		}
		other, of := *m, placed("", hosts)
		other.Nodes, other.PerNode, other.Placement, other.Hosts = of.Nodes, of.PerNode, of.Placement, of.Hosts
		m = &other
	}
	if with, err = Simulate(m, r.Processes, config, false, nil); err != nil {
		return nil, nil, err
	}
	plain := *m
	plain.Lengths = nil
	bare, err = Simulate(&plain, r.Processes, config, false, nil)
	return with, bare, err
}

// kernelsOf returns the kernels of each file with the residuals of their times.
func kernelsOf(groups []fit.Group, residuals []fit.Residual) []Kernel {
	list := lists.Each(groups, func(g fit.Group) Kernel { return Kernel{File: g.File, Name: g.Kernel} })
	for _, r := range residuals {
		list[r.Group].Left = append(list[r.Group].Left, r)
	}
	return list
}

// sourceOf returns the times of a rating: that of each pattern, length and method, by its best
// repetition, as in b_eff, or beside probes, whose times are means, by the middle one. Least
// is its shortest loop in seconds, most its highest bandwidth of a process in bytes per second.
func sourceOf(file string, r *beff.Result, best bool) (p fit.Source, least, most float64, err error) {
	all, err := patterns.BEff(r.Processes, r.Seed)
	if err != nil {
		return p, 0, 0, err
	}
	hosts, err := hostsOf(r.Placement, r.Processes)
	if err != nil {
		return p, 0, 0, err
	}
	p = placed(file, hosts)
	g := beff.NewGrid(r)
	least = math.Inf(1)
	for i, of := range r.Patterns {
		k := slices.IndexFunc(all, func(x patterns.Pattern) bool { return x.Name == of.Name })
		if k < 0 {
			return p, 0, 0, fmt.Errorf("no pattern of %d processes is named %s", r.Processes, of.Name)
		}
		p.Steps = append(p.Steps, messagesOf(all[k]))
		p.Weights = append(p.Weights, weights[of.Kind])
		for l, length := range r.Lengths {
			for m, method := range r.Methods {
				b := g.BestOf(i, l, m)
				if math.IsNaN(b) {
					continue
				}
				bytes := float64(length) * float64(of.Messages)
				o := fit.Observation{Kernel: "b_eff, " + method, Step: i, Length: length, Seconds: bytes / b,
					Best: bytes / b, InTurn: method == beff.Sendrecv.String(),
					Scans: method == beff.Alltoallv.String()}
				if !best {
					o.Seconds = bytes / stats.Middle(slices.DeleteFunc(slices.Clone(g.Each(i, l, m)), math.IsNaN))
				}
				p.Observations = append(p.Observations, o)
				least, most = min(least, o.Seconds), max(most, b/float64(of.Processes))
			}
		}
	}
	return p, least, most, nil
}

// weights are those of patterns where b_eff averages over them: of 6 rings together as those of 30 randoms.
var weights = map[patterns.Kind]float64{patterns.KindRing: 1.0 / 6, patterns.KindRandom: 1.0 / 30}

// messagesOf returns the messages of a pattern.
func messagesOf(p patterns.Pattern) (list []model.Message) {
	p.Each(func(rank int, exchanges []patterns.Exchange) {
		for i, x := range exchanges {
			if x.Dest != patterns.None {
				list = append(list, model.Message{Round: int32(i), From: int32(rank), To: int32(x.Dest)})
			}
		}
	})
	return list
}
