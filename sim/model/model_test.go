package model

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/sim/machine"
)

// plain is a machine whose processes are a hundred times as fast as its links, without any overhead.
const plain = `
name: plain
processes_per_node: 1
memory_per_process: 1 GiB
endpoint: {overhead: 0, latency: 0, bandwidth: 100 GB/s, port_bandwidth: 100 GB/s}
link: {bandwidth: 1 GB/s}
topology: {kind: full}
`

func modelOf(t *testing.T, processes int, settings ...string) *Model {
	t.Helper()
	machine, err := machine.Parse("plain", []byte(plain), settings...)
	require.NoError(t, err)
	m, err := New(machine, processes, 1)
	require.NoError(t, err)
	return m
}

// TestTooLarge checks that New refuses machines with more than maxParts resources.
func TestTooLarge(t *testing.T) {
	for _, shape := range []string{"{kind: torus, dims: [1000000000]}", "{kind: fat-tree, down: [1000000000]}",
		"{kind: hyperx, dims: [4], terminals: 100000000}"} {
		m, err := machine.Parse("plain", []byte(plain), "topology="+shape)
		require.NoError(t, err)
		_, err = New(m, 16, 1)
		require.ErrorContains(t, err, "topology: 16 processes", shape)
	}
}

// shifted returns the messages of a step with a round for each distance in by. In a round, each process sends to the
// process at that distance.
func shifted(processes int, by ...int) (list []Message) {
	for round, k := range by {
		for p := range processes {
			list = append(list, Message{int32(round), int32(p), int32((p + k + processes) % processes)})
		}
	}
	return list
}

// across returns the messages from each process of the lower half to its counterpart in the upper half.
func across(processes int) (list []Message) {
	for p := range processes / 2 {
		list = append(list, Message{0, int32(p), int32(p + processes/2)})
	}
	return list
}

const million = 1_000_000 // bytes: 1 ms of a link

// TestClosedForms compares times to theory, by the busiest link and message by message.
func TestClosedForms(t *testing.T) {
	for name, c := range map[string]struct {
		processes int
		settings  []string
		messages  []Message
		want      float64 // milliseconds
	}{
		// Neighbours in a torus never share a link, even where a ring continues in the next row.
		"ring on a ring":       {16, []string{"topology={kind: torus, dims: [16]}"}, shifted(16, 1), 1},
		"ring on a torus":      {64, []string{"topology={kind: torus, dims: [4, 4, 4]}"}, shifted(64, 1), 1},
		"both ways on a torus": {64, []string{"topology={kind: torus, dims: [4, 4, 4]}"}, shifted(64, 1, -1), 1},
		"half duplex on a torus": {64, []string{"topology={kind: torus, dims: [4, 4, 4]}", "link.duplex=half"},
			shifted(64, 1, -1), 2},
		// A shift by k puts k messages on each link of a ring.
		"shift by 3 on a ring": {16, []string{"topology={kind: torus, dims: [16]}"}, shifted(16, 3), 3},
		// N/2 nodes send across the middle of a tree whose leaves have t cables down for each one up.
		"bisection of a full tree": {32, []string{"topology={kind: fat-tree, down: [8, 4], up: [1, 8]}"},
			across(32), 1},
		"bisection of a tapered tree": {32, []string{"topology={kind: fat-tree, down: [8, 4], up: [1, 2]}"},
			across(32), 4},
		// Only the endpoints limit a full network.
		"all on a full network": {32, []string{"endpoint.bandwidth=2 GB/s"}, shifted(32, 1), 0.5},
		"all both ways":         {32, []string{"endpoint.bandwidth=2 GB/s"}, shifted(32, 1, -1), 1},
		"all both ways, half duplex": {32, []string{"endpoint.bandwidth=2 GB/s", "endpoint.duplex=1"},
			shifted(32, 1, -1), 2},
		"all by the port":  {32, []string{"endpoint.port_bandwidth=0.5 GB/s"}, shifted(32, 1), 2},
		"all by two ports": {32, []string{"endpoint.port_bandwidth=0.5 GB/s", "endpoint.ports=2"}, shifted(32, 1), 1},
		// 4 of the 8 messages of a node leave it, or none.
		"nodes, shift by 4": {64, []string{"processes_per_node=8", "endpoint.port_bandwidth=1 GB/s"}, shifted(64, 4),
			4},
		"nodes, cyclic": {64, []string{"processes_per_node=8", "endpoint.port_bandwidth=1 GB/s", "placement=cyclic"},
			shifted(64, 8), 0.01},
		"memory of a node": {8, []string{"processes_per_node=8", "inside_node.memory=2 GB/s"}, shifted(8, 1), 4},
		"a slow node": {32, []string{"endpoint.bandwidth=2 GB/s", "noise.slow_nodes=[3]", "noise.slow_bandwidth=0.25"},
			shifted(32, 1), 2},
	} {
		for _, exact := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				m := modelOf(t, c.processes, c.settings...)
				m.Exact = exact
				require.InEpsilon(t, c.want*1e-3, m.NewStep(c.messages).Together(million), 1e-6)
			})
		}
	}
}

// TestTime adds up the parts of a message's time.
func TestTime(t *testing.T) {
	const ends = "endpoint={overhead: 1us, latency: 10us, gap: 2us, bandwidth: 1 GB/s, eager: 1000, copy: 2 GB/s, " +
		"port_bandwidth: 100 GB/s}"
	m := modelOf(t, 8, ends, "link.latency=0.5us", "topology={kind: torus, dims: [8]}")
	s := m.NewStep(shifted(8, 1, -1))
	one := 1 + 1 + 10 + 0.5 // µs: sent, received, on the way over one link
	require.InEpsilon(t, 2*one*1e-6, s.InTurn(0), 1e-9)
	require.InEpsilon(t, 2*(one+1+2*0.5)*1e-6, s.InTurn(1000), 1e-9, "two copies of 1000 bytes")
	require.InEpsilon(t, 2*(one+2+2*10.5+2)*1e-6, s.InTurn(2000), 1e-9, "a message there and back before it")
	// The second message of a process leaves one gap later, and arrives after the first.
	require.InEpsilon(t, (one+2)*1e-6, s.Together(0), 1e-9)
	require.InEpsilon(t, (one+2+1+2*0.5)*1e-6, s.Together(1000), 1e-9)
	require.InEpsilon(t, (one+100+2*10.5+2)*1e-6, s.Together(50_000), 1e-9, "they share the process's bandwidth")
}

func TestNoise(t *testing.T) {
	m := modelOf(t, 2, "noise={slow_part: 0.2, slow_factor: 3, slow_length: 5}")
	n, again := m.NewNoise(7), m.NewNoise(7)
	slow, changes, last := 0, 0, 1.0
	const draws = 20000
	for range draws {
		f := n.Next()
		require.Equal(t, f, again.Next())
		require.Contains(t, []float64{1, 3}, f)
		if f == 3 {
			slow++
		}
		if f != last {
			changes++
		}
		last = f
	}
	require.InDelta(t, 0.2, float64(slow)/draws, 0.02)
	require.InDelta(t, 5, float64(slow)/(float64(changes)/2), 0.5)
}
