package machine

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/effective-bandwidth/beff/sim/topology"
)

// Network returns the machine's network for a number of processes. An error is an *Error without file and line.
func (m *Machine) Network(processes int) (topology.Network, error) {
	needed := m.used(processes)
	if m.Nodes > 0 && needed > m.Nodes {
		return nil, m.Fault("nodes", "%d processes need %d nodes of %d processes, the machine has %d", processes,
			needed, m.PerNode, m.Nodes)
	}
	nodes := max(m.Nodes, needed)
	n, err := m.Topology.make(nodes)
	if err == nil && n.Nodes() < nodes {
		err = fmt.Errorf("this shape has %d nodes, but %d are needed", n.Nodes(), nodes)
	}
	if err != nil {
		return nil, m.Fault("topology", "%v", err)
	}
	return n, nil
}

// used returns the number of nodes that processes use.
func (m *Machine) used(processes int) int {
	used := (processes + m.PerNode - 1) / m.PerNode
	for _, h := range m.Hosts {
		used = max(used, h+1)
	}
	return used
}

// make returns a network with at least a number of nodes.
func (t *Topology) make(nodes int) (topology.Network, error) {
	switch t.Kind {
	case "full":
		return topology.NewFull(nodes)
	case "torus":
		return topology.NewTorus(t.dims(nodes, 3))
	case "hyperx":
		terminals := max(t.Terminals, 1)
		return topology.NewHyperX(t.dims((nodes+terminals-1)/terminals, 2), terminals)
	case "dragonfly":
		return t.dragonfly(nodes)
	case "graph":
		return t.graph(nodes)
	}
	return t.fatTree(nodes)
}

// dims returns the given dimensions, or about equal ones for a number of nodes.
func (t *Topology) dims(nodes, usual int) []int {
	if len(t.Dims) > 0 {
		return t.Dims
	}
	n := cmp.Or(t.Dimensions, usual)
	dims, all := make([]int, n), 1
	for i := range dims {
		dims[i] = max(1, int(math.Pow(float64(nodes), 1/float64(n))+1e-9))
		all *= dims[i]
	}
	for i := 0; all < nodes; i = (i + 1) % n {
		all = all / dims[i] * (dims[i] + 1)
		dims[i]++
	}
	return dims
}

func (t *Topology) dragonfly(nodes int) (topology.Network, error) {
	if t.Routers < 1 || t.Global < 1 {
		return nil, errors.New("a dragonfly needs routers and global")
	}
	terminals := max(t.Terminals, 1)
	groups := cmp.Or(t.Groups, max(2, (nodes+t.Routers*terminals-1)/(t.Routers*terminals)))
	pair := t.Routers * t.Global / max(groups-1, 1)
	if pair < 1 {
		return nil, fmt.Errorf("%d routers with %d global cables each can't reach %d other groups", t.Routers, t.Global,
			groups-1)
	}
	return topology.NewDragonfly(groups, t.Routers, terminals, pair, t.Routing == "adaptive")
}

// maxVertex is the largest number of a vertex of a graph.
const maxVertex = 1 << 24

// graph returns the network of the cables, with as many switches as they name.
func (t *Topology) graph(nodes int) (topology.Network, error) {
	vertices := nodes
	list := make([]topology.Cable, len(t.Cables))
	for i, c := range t.Cables {
		if len(c.Between) != 2 || min(c.Between[0], c.Between[1]) < 0 || max(c.Between[0], c.Between[1]) > maxVertex {
			return nil, fmt.Errorf("cables[%d]: between %v: want two vertices from 0 to %d", i, c.Between, maxVertex)
		}
		list[i] = topology.Cable{A: c.Between[0], B: c.Between[1], Bandwidth: cmp.Or(c.Bandwidth, 1),
			Latency: cmp.Or(c.Latency, 1)}
		vertices = max(vertices, c.Between[0]+1, c.Between[1]+1)
	}
	return topology.NewGraph(nodes, vertices, list)
}

// fatTree returns a fat tree of the given shape, or a fat tree of switches with the radix and as many levels as the
// nodes need.
func (t *Topology) fatTree(nodes int) (topology.Network, error) {
	down, up, parallel := t.Down, t.Up, t.Parallel
	if len(down) == 0 {
		if t.Radix < 2 {
			return nil, errors.New("a fat tree needs down, or radix of at least 2")
		}
		below := max(1, int(math.Round(float64(t.Radix)*t.taper()/(1+t.taper()))))
		above := max(1, t.Radix-below)
		down, up = []int{min(below, nodes)}, []int{1}
		for all := down[0]; all < nodes; {
			rest := (nodes + all - 1) / all
			if rest > t.Radix { // not yet the top, whose switches have no parents
				rest = max(2, t.Radix/2)
			}
			down, up = append(down, rest), append(up, above)
			all, above = all*rest, max(1, t.Radix/2)
		}
	}
	for l := len(up); l < len(down); l++ {
		if l == 0 {
			up = append(up, 1)
		} else {
			up = append(up, down[l-1])
		}
	}
	for len(parallel) < len(down) {
		parallel = append(parallel, 1)
	}
	return topology.NewFatTree(down, up, parallel)
}

// Place returns the node of each process in a network with a number of nodes.
func (m *Machine) Place(processes, nodes int, seed uint64) ([]int32, error) {
	place := make([]int32, processes)
	used := m.used(processes)
	switch m.Placement {
	case "cyclic":
		for p := range place {
			place[p] = int32(p % used)
		}
	case "list":
		if len(m.Hosts) < processes {
			return nil, m.Fault("hosts", "%d hosts for %d processes", len(m.Hosts),
				processes)
		}
		on := map[int]int{}
		for p := range place {
			h := m.Hosts[p]
			if on[h]++; h < 0 || h >= nodes || on[h] > m.PerNode {
				return nil, m.Fault("hosts", "process %d on node %d: the "+
					"nodes are 0 "+
					"to %d, with %d processes each", p, h, nodes-1, m.PerNode)
			}
			place[p] = int32(h)
		}
	default:
		for p := range place {
			place[p] = int32(p / m.PerNode)
		}
		if m.Placement == "random" {
			rand.New(rand.NewPCG(seed, 0)).Shuffle(processes,
				func(i, j int) { place[i], place[j] = place[j], place[i] })
		}
	}
	return place, nil
}
