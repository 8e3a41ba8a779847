package fit

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/sim/machine"
	"github.com/effective-bandwidth/beff/sim/model"
)

const truth = `
name: truth
nodes: 2
processes_per_node: 4
memory_per_process: 1 GiB
endpoint: {overhead: 0.5us, latency: 2us, bandwidth: 5 GB/s, scan: 20ns, port_bandwidth: 8 GB/s}
inside_node: {latency: 0.4us, memory: 12 GB/s}
link: {bandwidth: 1000 GB/s}
topology: {kind: full}
`

// problem returns the times of a known machine, with noise of some part, and guesses that are off by a factor of 2 or
// 3.
func problem(t *testing.T, noise float64, settings ...string) *Problem {
	t.Helper()
	m, err := machine.Parse("truth", []byte(truth), settings...)
	require.NoError(t, err)
	const processes = 8
	of := Source{Name: "truth.json", Processes: processes, Nodes: m.Nodes, PerNode: m.PerNode}
	for _, by := range []int{1, 2, 3, 4} {
		var list []model.Message
		for rank := range processes {
			list = append(list, model.Message{Round: 0, From: int32(rank), To: int32((rank + by) % processes)},
				model.Message{Round: 1, From: int32(rank), To: int32((rank + processes - by) % processes)})
		}
		of.Steps, of.Weights = append(of.Steps, list), append(of.Weights, 1)
	}
	x, err := model.New(m, processes, 1)
	require.NoError(t, err)
	random := rand.New(rand.NewPCG(1, 2))
	for i, messages := range of.Steps {
		step := x.NewStep(messages)
		for length := int64(1); length <= 1<<20; length *= 4 {
			for method := range 3 {
				o := Observation{Step: i, Length: length, InTurn: method == 0, Scans: method == 2,
					Seconds: step.Together(length)}
				if o.InTurn {
					o.Seconds = step.InTurn(length)
				}
				if o.Scans {
					o.Seconds += processes * float64(m.Endpoint.Scan)
				}
				o.Seconds *= math.Exp(noise * random.NormFloat64())
				of.Observations = append(of.Observations, o)
			}
		}
	}
	p := &Problem{Sources: []Source{of}}
	p.Machine, err = machine.Parse("guess", []byte(truth), "endpoint={overhead: 1us, latency: 1us, "+
		"bandwidth: 10 GB/s, scan: 50ns, port_bandwidth: 20 GB/s}", "inside_node={latency: 1us, memory: 6 GB/s}")
	require.NoError(t, err)
	return p
}

// TestKnown finds the parameters of a known machine again, exactly or by times with noise within their intervals.
func TestKnown(t *testing.T) {
	want := map[string]float64{"endpoint.overhead": 0.5e-6, "endpoint.latency": 2e-6, "endpoint.bandwidth": 5e9,
		"endpoint.scan": 20e-9, "inside_node.memory": 12e9, "endpoint.port_bandwidth": 8e9}
	for _, noise := range []float64{0, 0.02} {
		s, err := problem(t, noise).Solve()
		require.NoError(t, err)
		for _, x := range s.Parameters {
			right, known := want[x.Key]
			if !known || x.Within > 1 {
				continue // nothing depends on it in these steps
			}
			require.InEpsilon(t, right, x.Value, 0.01+2*x.Within, "%s, noise %v", x.Key, noise)
		}
	}
}

// TestFactors gives lengths factors of which the parameters know nothing: protocols and factors follow them.
func TestFactors(t *testing.T) {
	s, err := problem(t, 0, "lengths=[{bytes: 1024, factor: 1}, {bytes: 4096, factor: 1.3}, "+
		"{bytes: 16384, factor: 1}]").
		Solve()
	require.NoError(t, err)
	for _, r := range s.Residuals {
		require.Less(t, math.Abs(r.Left), 0.2)
	}
}

func TestTooFew(t *testing.T) {
	p := problem(t, 0)
	p.Sources[0].Observations = p.Sources[0].Observations[:3]
	_, err := p.Solve()
	require.ErrorContains(t, err, "too few")
}
