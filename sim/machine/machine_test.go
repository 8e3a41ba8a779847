package machine

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const small = `name: small
processes_per_node: 2
memory_per_process: 1 GiB
endpoint:
  overhead: 0.5us
  latency: 1e-6
  bandwidth: 100 Gbit/s
link:
  bandwidth: 12.5 GB/s
topology:
  kind: torus
  dims: [4, 2]
`

func TestUnits(t *testing.T) {
	m, err := Parse("small.yaml", []byte(small))
	require.NoError(t, err)
	require.Equal(t, Bytes(1<<30), m.Memory)
	require.InDelta(t, 0.5e-6, float64(m.Endpoint.Overhead), 1e-18)
	require.InDelta(t, 1e-6, float64(m.Endpoint.Latency), 1e-18)
	require.Equal(t, m.Link.Bandwidth, m.Endpoint.Bandwidth)
}

// TestText reads the text that a machine writes.
func TestText(t *testing.T) {
	for _, name := range Presets() {
		text, err := Preset(name)
		require.NoError(t, err)
		m, err := Parse(name, text)
		require.NoError(t, err)
		again, err := m.Text()
		require.NoError(t, err)
		n, err := Parse(name, []byte(again))
		require.NoError(t, err)
		n.root, m.root = nil, nil
		require.Equal(t, m, n)
	}
}

// TestSources checks that presets have a source for every parameter.
func TestSources(t *testing.T) {
	for _, name := range Presets() {
		text, err := Preset(name)
		require.NoError(t, err)
		m, err := Parse(name, text)
		require.NoError(t, err)
		for _, p := range m.Parameters() {
			require.NotEmpty(t, m.Sources[p.Key], "%s: %s", name, p.Key)
		}
	}
}

func TestSettings(t *testing.T) {
	m, err := Parse("small", []byte(small), "link.bandwidth*=2", "endpoint.overhead/=5", "placement=cyclic",
		"noise.sigma=0.1", "topology={kind: full}")
	require.NoError(t, err)
	require.InDelta(t, 25e9, float64(m.Link.Bandwidth), 1)
	require.InDelta(t, 0.1e-6, float64(m.Endpoint.Overhead), 1e-18)
	require.Equal(t, "cyclic", m.Placement)
	require.Equal(t, 0.1, m.Noise.Sigma)
	require.Equal(t, Topology{Kind: "full"}, m.Topology)
}

func TestFaults(t *testing.T) {
	for _, c := range []struct{ setting, want string }{
		{"link.bandwith=1", "link.bandwith: unknown key: want bandwidth, latency, duplex"},
		{"link.bandwidth=fast", `small.yaml:9: link.bandwidth: "fast" is not a number with a unit`},
		{"link.bandwidth=3 us", `small.yaml:9: link.bandwidth: unknown unit "us" in "3 us"`},
		{"link.bandwidth=-1", "small.yaml:9: link.bandwidth: -1 is less than 0"},
		{"link.bandwidth=0", "small.yaml:9: link.bandwidth: it is missing or 0"},
		{"link.duplex=both", `small.yaml:8: link.duplex: "both": want full, half`},
		{"topology.kind=mesh", `small.yaml:11: topology.kind: "mesh": want fat-tree`},
		{"topology={kind: torus, dimensions: 65}", "topology.dimensions: 65: want 0 to 64"},
		{"topology={kind: graph, cables: [{between: [0, 1], bandwidth: -1}]}", "cables[0]: -1: want 1e-06 to 1e+06"},
		{"topology={kind: graph, cables: [{between: [0, 1], latency: .inf}]}", "cables[0]: +Inf: want 1e-06 to 1e+06"},
		{"endpoint.duplex=3", "small.yaml:4: endpoint.duplex: 3: want 1 to 2"},
		{"placement=list", "placement: list needs hosts"},
		{"link*=2", "--set link*=2: link or 2 is not a number"},
		{"nothing", "want key=value"},
	} {
		_, err := Parse("small.yaml", []byte(small), c.setting)
		require.ErrorContains(t, err, c.want, c.setting)
	}
	for _, text := range []string{"", "[1]", "a: [", "name: 3\nname: 4"} {
		_, err := Parse("bad.yaml", []byte(text))
		require.ErrorContains(t, err, "bad.yaml", text)
	}
}

func TestPlaces(t *testing.T) {
	for placement, want := range map[string][]int32{
		"block": {0, 0, 1, 1, 2, 2}, "cyclic": {0, 1, 2, 0, 1, 2},
		"list\nhosts: [7, 6, 6, 5, 7, 0]": {7, 6, 6, 5, 7, 0},
	} {
		m, err := Parse("small", []byte(small+"placement: "+placement))
		require.NoError(t, err)
		place, err := m.Place(6, 8, 1)
		require.NoError(t, err)
		require.Equal(t, want, place, placement)
	}
	m, err := Parse("small", []byte(small+"placement: random"))
	require.NoError(t, err)
	place, err := m.Place(6, 8, 1)
	require.NoError(t, err)
	require.ElementsMatch(t, []int32{0, 0, 1, 1, 2, 2}, place)
	for text, want := range map[string]string{
		"placement: list\nhosts: [0, 0, 0]": "small:14: hosts: process 2 on node 0",
		"placement: list\nhosts: [0]":       "1 hosts for 3 processes",
		"placement: list\nhosts: [0, 1, 9]": "process 2 on node 9",
	} {
		m, err := Parse("small", []byte(small+text))
		require.NoError(t, err)
		_, err = m.Place(3, 8, 1)
		require.ErrorContains(t, err, want)
	}
}

// TestShapes makes shapes for numbers of nodes.
func TestShapes(t *testing.T) {
	for _, c := range []struct {
		topology string
		nodes    int
		want     int // nodes of the network; 0 for an error
	}{
		{"{kind: torus}", 64, 64}, {"{kind: torus}", 24, 27}, {"{kind: torus, dimensions: 2}", 24, 25},
		{"{kind: fat-tree, radix: 36}", 16, 16}, {"{kind: fat-tree, radix: 36}", 600, 612},
		{"{kind: fat-tree, radix: 36}", 1024, 18 * 18 * 4}, {"{kind: fat-tree, radix: 36, taper: 2}", 48, 48},
		{"{kind: hyperx, terminals: 4}", 64, 64}, {"{kind: dragonfly, routers: 4, terminals: 2, global: 2}", 40, 40},
		{"{kind: full}", 1000, 1000}, {"{kind: fat-tree}", 16, 0},
		{"{kind: dragonfly, routers: 2, global: 1}", 100, 0}, {"{kind: torus, dims: [2, 2]}", 5, 0},
		{"{kind: torus, dimensions: 64}", 2, 2},
		{"{kind: graph, cables: [{between: [0, 1]}]}", 3, 0}, {"{kind: graph, cables: [{between: [0]}]}", 2, 0},
		{"{kind: graph, cables: [{between: [0, 1]}, {between: [2, 2]}, {between: [1, 2]}]}", 3, 0},
	} {
		m, err := Parse("small", []byte(small), "topology="+c.topology, "processes_per_node=1")
		require.NoError(t, err)
		n, err := m.Network(c.nodes)
		if c.want == 0 {
			require.ErrorContains(t, err, "topology", c.topology)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, c.want, n.Nodes(), c.topology)
	}
	m, err := Parse("small", []byte(small), "nodes=3")
	require.NoError(t, err)
	_, err = m.Network(7)
	require.ErrorContains(t, err, "7 processes need 4 nodes of 2 processes, the machine has 3")
}
