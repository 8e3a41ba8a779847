package whatif

import (
	"flag"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/sim/machine"
)

// fitSeeds is the number of random seeds of the noise with which each machine is fitted.
var fitSeeds = flag.Uint64("fitseeds", 1, "number of seeds with which each known machine is fitted")

// Machines whose parameters are known: nodes with one process, and a node with several.
const (
	nodesApart = `
name: apart
nodes: 4
processes_per_node: 1
memory_per_process: 128 MiB
endpoint: {overhead: 0.4us, latency: 1.2us, bandwidth: 8 GB/s, scan: 30ns}
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

// TestFitOfKnownMachines simulates noisy machines with known parameters and checks the fit. Parameters that the times
// determine must be right within 10 %, and the scan time of MPI_Alltoallv, which is only 3 % of the time of one method,
// within 30 %. With two processes, each of which sends one message at a time, the times determine only the sum of
// latency and overheads, and nothing about the gap.
func TestFitOfKnownMachines(t *testing.T) {
	for name, c := range map[string]struct {
		text       string
		gap        machine.Seconds
		processes  int
		determined []string
	}{
		"4 nodes":      {nodesApart, 0, 4, []string{"endpoint.latency", "endpoint.bandwidth", "endpoint.scan"}},
		"4 nodes, gap": {nodesApart, 1.6e-6, 4, []string{"endpoint.gap", "endpoint.bandwidth", "endpoint.scan"}},
		"2 nodes":      {nodesApart, 0, 2, []string{"endpoint.bandwidth", "endpoint.scan"}},
		"1 node": {oneNode, 0, 4, []string{"endpoint.overhead", "endpoint.scan", "inside_node.latency",
			"inside_node.memory"}},
	} {
		truth, err := machine.Parse(name, []byte(c.text))
		require.NoError(t, err)
		truth.Endpoint.Gap = c.gap
		for seed := range *fitSeeds {
			r, err := Simulate(truth, c.processes, beff.Config{Rules: beff.Rules2001, Memory: int64(truth.Memory),
				Seed: seed + 1, Quick: true, Patterns: []string{"ring", "random"}}, false, nil)
			require.NoError(t, err)
			x, err := newFit([]Source{{File: name, Result: r}})
			require.NoError(t, err)
			_, found, _, err := x.solve()
			require.NoError(t, err)
			determined := map[string]bool{}
			for _, x := range found {
				k := slices.IndexFunc(parameters, func(p parameter) bool { return p.key == x.key })
				right := *parameters[k].field(truth)
				t.Logf("%s, seed %d: %s %.4g, true %.4g, distance %.3f with half, %.3f with twice, %v", name, seed+1,
					x.key, x.value, right, x.half, x.twice, x.determined)
				if within := 0.1; x.determined {
					if x.key == "endpoint.scan" {
						within = 0.3
					}
					require.InEpsilon(t, right, x.value, within, x.key)
				}
				determined[x.key] = x.determined
			}
			for _, key := range c.determined {
				require.True(t, determined[key], "%s determines %s", name, key)
			}
			if c.processes == 2 {
				require.False(t, determined["endpoint.latency"] || determined["endpoint.gap"])
			}
		}
	}
}
