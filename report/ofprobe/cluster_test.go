package ofprobe

import (
	"fmt"
	"math/rand/v2"

	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/pairs"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
)

// AddPairs adds a kernel of pairs with one length: all pairs of the result's processes, in three passes, with the
// seconds from one rank to another, or there and back.
func AddPairs(p *fixture.Probe, name string, bytes int64, seconds func(from, to, pass int) float64) *measured.Block {
	k, _, found := suites.Find(kernel.MPIB, name)
	if !found {
		panic("unknown kernel " + name)
	}
	times := &pairs.PairTimes{}
	list := times.Pairs(p.Result.Processes)
	samples := func(back bool) (s pairs.PairSamples) {
		for pass := range 3 {
			var medians []float64
			for _, pair := range list {
				from, to := pair.I, pair.J
				if back {
					from, to = to, from
				}
				t := rating.Picoseconds(seconds(from, to, pass))
				medians = append(medians, t)
				if pass == 1 {
					s.Means, s.Deviations = append(s.Means, t), append(s.Deviations, rating.Picoseconds(t/50))
				}
			}
			s.Medians = append(s.Medians, medians)
		}
		return s
	}
	times.There = samples(false)
	if name == "Oneway_pairs" {
		back := samples(true)
		times.Back = &back
	}
	b := measured.Block{Kernel: k.Name, Component: kernel.MPIB, Processes: p.Result.Processes,
		Rows: []measured.Row{{Bytes: bytes, Repetitions: 27, Checked: 1, Pairs: times}}}
	p.Result.Blocks = append(p.Result.Blocks, b)
	probe.Rederive(&p.Result)
	return &p.Result.Blocks[len(p.Result.Blocks)-1]
}

// PairsCluster is a machine of 16 hosts with 4 processes each. The link between n003 and n009 is slow, and so is the
// node n012; and with Oneway_pairs the direction from n005 to n001.
func PairsCluster() *fixture.Probe {
	const hosts, each = 16, 4
	p := fixture.ProbeCluster()
	p.Result.Processes, p.Result.Placement = hosts*each, nil
	for i := range hosts {
		p.Result.Placement = append(p.Result.Placement, job.Placement{Host: fmt.Sprintf("n%03d", i),
			Ranks: fmt.Sprintf("%d-%d", i*each, i*each+each-1), Processes: each, Processors: 8})
	}
	r := rand.New(rand.NewPCG(1, 2))
	noisy := func(t float64) float64 { return t * (1 + 0.01*r.NormFloat64()) }
	AddPairs(p, "Roundtrip_pairs", 65536, func(from, to, _ int) float64 {
		from, to = from/each, to/each
		switch {
		case from == to:
			return noisy(1.1e-5)
		case from == 3 && to == 9:
			return noisy(7.5e-5)
		case from == 12 || to == 12:
			return noisy(5.2e-5)
		}
		return noisy(3e-5)
	})
	AddPairs(p, "Oneway_pairs", 65536, func(from, to, _ int) float64 {
		from, to = from/each, to/each
		switch {
		case from == to:
			return noisy(9e-5)
		case from == 5 && to == 1:
			return noisy(5e-4)
		}
		return noisy(2e-4)
	})
	return p
}
