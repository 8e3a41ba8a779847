package whatif

import (
	"flag"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/sim"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/sim/fit"
	"github.com/effective-bandwidth/beff/sim/machine"
	"github.com/effective-bandwidth/beff/sim/model"
)

// fitSeeds is the number of machines' noises that the intervals are tried with.
var fitSeeds = flag.Uint64("fitseeds", 1, "results of each known machine that beff model fit is tried with")

// Machines whose parameters are known: two nodes with all that an endpoint has, and one with four processes.
const (
	twoNodes = `
name: two
nodes: 2
processes_per_node: 1
memory_per_process: 128 MiB
endpoint: {overhead: 0.4us, latency: 1.2us, bandwidth: 8 GB/s, duplex: 1.6, eager: 16 KiB, copy: 20 GB/s, scan: 30ns,
  gap: 0.6us}
link: {bandwidth: 1000 GB/s}
topology: {kind: full}
noise: {sigma: 0.02}
`
	oneNode = `
name: one
nodes: 1
processes_per_node: 4
memory_per_process: 128 MiB
endpoint: {overhead: 0.5us, latency: 0, bandwidth: 5 GB/s, scan: 30ns}
inside_node: {latency: 0.4us, memory: 12 GB/s}
link: {bandwidth: 1000 GB/s}
topology: {kind: full}
noise: {sigma: 0.02}
`
)

// TestFitOfKnownMachines rates and probes machines whose parameters are known, with noise, and finds the parameters
// within their intervals: by a rating and probes, by probes alone, and which file tells what.
func TestFitOfKnownMachines(t *testing.T) {
	inside, told := 0, 0
	for name, of := range map[string]struct {
		text    string
		kernels []string
	}{
		"two nodes": {twoNodes, []string{"PingPong", "Exchange", "Uniband"}},
		"one node":  {oneNode, []string{"PingPong", "Sendrecv", "Bcast"}},
	} {
		truth, err := machine.Parse(name, []byte(of.text))
		require.NoError(t, err)
		for seed := range *fitSeeds {
			r, p := simulatedRating(t, truth, seed+1), simulatedProbe(t, truth, seed+1, of.kernels)
			both := solved(t, &Measured{ratings: []ratingFile{{"rating", r}}, probes: []probeFile{{"probe", p}}})
			alone := solved(t, &Measured{probes: []probeFile{{"probe", p}}})
			for _, s := range []*fit.Solution{both, alone} {
				for _, x := range s.Parameters {
					right, known := parameterOf(truth, x.Key)
					if !known || x.Within >= 1 {
						continue
					}
					if x.Below > 0 {
						require.True(t, x.Value <= right && right < x.Below, "%s, seed %d: %s %v", name, seed, x.Key,
							x.Value)
						continue
					}
					away := math.Abs(math.Log(x.Value / right))
					t.Logf("%s, seed %d, %d kernels: %s %.4g, true %.4g, off %.1f %%, interval %.1f %%", name, seed,
						len(s.Groups), x.Key, x.Value, right, 100*away, 100*x.Within)
					told++
					if away <= x.Within {
						inside++
					}
					require.Less(t, away, 0.05+2*x.Within, x.Key)
				}
			}
			require.Less(t, knownTo(both, "endpoint.scan"), 0.2)
			require.Greater(t, knownTo(alone, "endpoint.scan"), 1.0) // only Alltoallv scans
			if truth.Nodes == 2 {
				require.Less(t, knownTo(alone, "endpoint.gap"), 0.2)
				require.Contains(t, mostOf(both, "endpoint.gap"), "Uniband") // which alone sends one after the other
			}
		}
	}
	t.Logf("%d of %d within their intervals", inside, told)
	require.GreaterOrEqual(t, float64(inside), 0.8*float64(told))
}

// simulatedRating returns the rating of a machine.
func simulatedRating(t *testing.T, m *machine.Machine, seed uint64) *beff.Result {
	t.Helper()
	r, err := Simulate(m, m.Nodes*m.PerNode, beff.Config{Rules: beff.Rules2001, Memory: int64(m.Memory), Seed: seed,
		Quick: true, Patterns: []string{"ring", "random"}}, false, nil)
	require.NoError(t, err)
	return r
}

// simulatedProbe returns a probe of a machine.
func simulatedProbe(t *testing.T, m *machine.Machine, seed uint64, kernels []string) *probe.Result {
	t.Helper()
	var c probe.Config
	for _, name := range kernels {
		k, _, known := suites.Find(name)
		require.True(t, known)
		c.Selections = append(c.Selections, probe.Selection{Kernel: k, Named: true})
	}
	for n := int64(1); n <= 1<<20; n *= 4 {
		c.Settings.Lengths = append(c.Settings.Lengths, n)
	}
	c.Settings.Window, c.Settings.Memory = 32, 1<<40
	x, err := model.New(m, m.Nodes*m.PerNode, seed)
	require.NoError(t, err)
	var r *probe.Result
	require.NoError(t, sim.Run(x, seed, func(e mpi.Engine) error {
		c := c
		c.Engine = e
		plan, err := probe.NewPlan(x.Processes, c)
		if err != nil {
			return err
		}
		got, err := plan.Measure(e, rating.Observer[measured.Outcome]{})
		if e.World().Rank() == 0 && err == nil {
			r = probe.NewResult(plan, got, probe.Run{Run: rating.Run{Library: e.Library(), Layout: *LayoutOf(x)}})
		}
		return err
	}))
	return r
}

func solved(t *testing.T, f *Measured) *fit.Solution {
	t.Helper()
	p, err := f.problem()
	require.NoError(t, err)
	require.Empty(t, f.out)
	s, err := p.Solve()
	require.NoError(t, err)
	return s
}

// parameterOf returns the true value of a parameter.
func parameterOf(m *machine.Machine, key string) (float64, bool) {
	v, known := map[string]float64{"endpoint.overhead": float64(m.Endpoint.Overhead),
		"endpoint.latency": float64(m.Endpoint.Latency), "endpoint.bandwidth": float64(m.Endpoint.Bandwidth),
		"endpoint.gap": float64(m.Endpoint.Gap), "endpoint.duplex": m.Endpoint.Duplex,
		"endpoint.eager": float64(m.Endpoint.Eager), "endpoint.copy": float64(m.Endpoint.Copy),
		"endpoint.scan": float64(m.Endpoint.Scan), "inside_node.latency": float64(m.Inside.Latency),
		"inside_node.memory": float64(m.Inside.Memory)}[key]
	return v, known && v > 0
}

func knownTo(s *fit.Solution, key string) float64 {
	for _, x := range s.Parameters {
		if x.Key == key {
			return x.Within
		}
	}
	return math.Inf(1)
}

// mostOf returns the kernel that tells most of a parameter.
func mostOf(s *fit.Solution, key string) string {
	for _, x := range s.Parameters {
		if x.Key != key {
			continue
		}
		best := 0
		for g := range x.By {
			if x.By[g] > x.By[best] {
				best = g
			}
		}
		return s.Groups[best].Kernel
	}
	return ""
}
