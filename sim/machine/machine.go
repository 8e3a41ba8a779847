// Package machine describes parallel machines for a model: the nodes, the processes on them, and the network between
// them. Descriptions are YAML files.
package machine

import (
	"fmt"
	"math"
	"sort"

	"go.yaml.in/yaml/v4"
)

// Machine describes a machine. It uses LogGP's terms (Alexandrov, Ionescu, Schauser and Scheiman, LogGP: incorporating
// long messages into the LogP model, SPAA 1995) where they exist.
type Machine struct {
	// Name of the machine in reports.
	Name string `yaml:"name"`
	// Description of the machine in words.
	Note string `yaml:"note,omitempty"`
	// Number of nodes (default: as many as the processes need).
	Nodes int `yaml:"nodes,omitempty" jsonschema:"minimum=0"`
	// Processes of each node.
	PerNode int `yaml:"processes_per_node" jsonschema:"minimum=1"`
	// Memory of a process. b_eff's longest message is 1/128 of it.
	Memory Bytes `yaml:"memory_per_process"`
	// Placement of the processes: block (one node after the other), cyclic (dealt out to the nodes in use), random (a
	// shuffled block, by the seed), or list (hosts).
	Placement string `yaml:"placement,omitempty" jsonschema:"enum=block,enum=cyclic,enum=random,enum=list"`
	// Nodes of the processes 0, 1, 2 and so on, for the placement list.
	Hosts []int `yaml:"hosts,omitempty"`
	// The two ends of a message between nodes.
	Endpoint Endpoint `yaml:"endpoint"`
	// Messages within a node.
	Inside Inside `yaml:"inside_node,omitempty"`
	// The links of the network, which are all equal unless the topology or the noise changes some.
	Link Link `yaml:"link"`
	// The shape of the network.
	Topology Topology `yaml:"topology"`
	// Variation of measurements (default: none).
	Noise Noise `yaml:"noise,omitempty"`
	// Factors by which messages of some lengths take longer than the other parameters give, in the order of the
	// lengths. LogGP has no caches and protocols; PLogP makes all parameters depend on the length (Kielmann, Bal and
	// Verstoep, Fast measurement of LogP parameters for message passing platforms, IPDPS Workshops 2000).
	Lengths []Length `yaml:"lengths,omitempty"`
	// Sources of the numbers, by keys of this file.
	Sources map[string]string `yaml:"sources,omitempty"`

	file string     // from which it was read
	root *yaml.Node // of that file
}

// Fault returns the error of a key, with its place in the file.
func (m *Machine) Fault(key, format string, args ...any) error {
	e := &Error{File: m.file, Key: key, Text: fmt.Sprintf(format, args...)}
	if m.root != nil {
		e.Line = line(m.root, key)
	}
	return e
}

// Endpoint describes a process and its node's ports to the network.
type Endpoint struct {
	// o: processor time of a message at its sender, and again at its receiver.
	Overhead Seconds `yaml:"overhead"`
	// L: time from endpoint to endpoint, without the links.
	Latency Seconds `yaml:"latency"`
	// g: smallest time between two messages of a node.
	Gap Seconds `yaml:"gap,omitempty"`
	// 1/G: bandwidth of a process in one direction.
	Bandwidth Rate `yaml:"bandwidth"`
	// Bandwidth of a process in both directions together, as a multiple of its bandwidth in one direction (default: 2).
	Duplex float64 `yaml:"duplex,omitempty" jsonschema:"minimum=1,maximum=2"`
	// Longest message that is sent at once. A longer one waits for an answer of its receiver.
	Eager Bytes `yaml:"eager,omitempty"`
	// Bandwidth of the copy that eager messages take at each end (default: no time for copies).
	Copy Rate `yaml:"copy,omitempty"`
	// Time that MPI_Alltoallv takes for each process of its communicator, even without messages.
	Scan Seconds `yaml:"scan,omitempty"`
	// When nonblocking collective calls send their next messages while their process computes: as soon as the messages
	// before have arrived (always, the default), or with its next MPI call (calls).
	Progress string `yaml:"progress,omitempty" jsonschema:"enum=always,enum=calls"`
	// Ports of a node to the network (default: 1).
	Ports int `yaml:"ports,omitempty" jsonschema:"minimum=0"`
	// Bandwidth of a port in each direction (default: the bandwidth of a link).
	Port Rate `yaml:"port_bandwidth,omitempty"`
}

// Inside describes messages between processes of a node.
type Inside struct {
	// Processor time of a message at its sender, and again at its receiver (default: as between nodes).
	Overhead Seconds `yaml:"overhead,omitempty"`
	// Time of a message in addition to the overheads.
	Latency Seconds `yaml:"latency,omitempty"`
	// Bandwidth of a message (default: the bandwidth of a process).
	Bandwidth Rate `yaml:"bandwidth,omitempty"`
	// Bandwidth of all messages of the node together (default: no limit).
	Memory Rate `yaml:"memory,omitempty"`
}

// Link describes a link of the network.
type Link struct {
	// Bandwidth in each direction.
	Bandwidth Rate `yaml:"bandwidth"`
	// Time that each link adds, including the switch or router at its end.
	Latency Seconds `yaml:"latency,omitempty"`
	// Whether each direction has the full bandwidth (full, the default) or both share it (half).
	Duplex string `yaml:"duplex,omitempty" jsonschema:"enum=full,enum=half"`
}

// Topology is the shape of a network. Each kind has its own keys. Missing sizes are chosen for the number of nodes.
type Topology struct {
	// fat-tree, torus, dragonfly, hyperx, full or graph.
	Kind string `yaml:"kind" jsonschema:"enum=fat-tree,enum=torus,enum=dragonfly,enum=hyperx,enum=full,enum=graph"`

	// Fat tree: children of a switch of each level, from the leaves upwards.
	Down []int `yaml:"down,omitempty"`
	// Fat tree: parents of each child in each level (by default 1 in the first level, in others as many as the children
	// of the level below).
	Up []int `yaml:"up,omitempty"`
	// Fat tree: cables to each parent (1 by default).
	Parallel []int `yaml:"parallel,omitempty"`
	// Fat tree without down: ports of a switch.
	Radix int `yaml:"radix,omitempty" jsonschema:"minimum=0"`
	// Fat tree without down: number of cables down from the leaf switches, divided by the number of cables up (default:
	// 1).
	Taper float64 `yaml:"taper,omitempty" jsonschema:"minimum=1"`

	// Torus and HyperX: nodes or switches in each dimension.
	Dims []int `yaml:"dims,omitempty"`
	// Torus and HyperX without dims: number of dimensions.
	Dimensions int `yaml:"dimensions,omitempty" jsonschema:"minimum=0"`

	// Dragonfly: groups (by default as many as the nodes need).
	Groups int `yaml:"groups,omitempty" jsonschema:"minimum=0"`
	// Dragonfly: routers of a group.
	Routers int `yaml:"routers,omitempty" jsonschema:"minimum=0"`
	// Dragonfly and HyperX: nodes at a router or switch (1 by default).
	Terminals int `yaml:"terminals,omitempty" jsonschema:"minimum=0"`
	// Dragonfly: global cables of a router, which are distributed evenly over all pairs of groups.
	Global int `yaml:"global,omitempty" jsonschema:"minimum=0"`
	// Dragonfly: minimal (the default) or adaptive.
	Routing string `yaml:"routing,omitempty" jsonschema:"enum=minimal,enum=adaptive"`

	// Graph: cables. The first vertices are the nodes, the others are switches.
	Cables []Cable `yaml:"cables,omitempty"`
}

// Cable is a cable of a graph.
type Cable struct {
	// The two vertices that it connects.
	Between []int `yaml:"between,flow"`
	// Bandwidth relative to a link's (default: 1).
	Bandwidth float64 `yaml:"bandwidth,omitempty" jsonschema:"minimum=0"`
	// Latency relative to a link's (default: 1).
	Latency float64 `yaml:"latency,omitempty" jsonschema:"minimum=0"`
}

// Length is the factor of the time of messages of a length. Between two lengths the factor is interpolated over the
// logarithm of the length; outside of the list it is constant.
type Length struct {
	Bytes  Bytes   `yaml:"bytes"`
	Factor float64 `yaml:"factor" jsonschema:"exclusiveMinimum=0"`
}

// Factor returns the factor of the time of messages of a length.
func (m *Machine) Factor(length int64) float64 {
	list := m.Lengths
	if len(list) == 0 {
		return 1
	}
	i := sort.Search(len(list), func(i int) bool { return int64(list[i].Bytes) >= length })
	switch {
	case i == 0:
		return list[0].Factor
	case i == len(list):
		return list[i-1].Factor
	}
	a, b := list[i-1], list[i]
	part := math.Log(float64(length)/float64(a.Bytes)) / math.Log(float64(b.Bytes)/float64(a.Bytes))
	return math.Exp((1-part)*math.Log(a.Factor) + part*math.Log(b.Factor))
}

// Noise makes the times of measurements differ. It only depends on the seed.
type Noise struct {
	// Standard deviation of the logarithm of each measurement's time.
	Sigma float64 `yaml:"sigma,omitempty" jsonschema:"minimum=0"`
	// Two states: part of the measurements in the slow state.
	SlowPart float64 `yaml:"slow_part,omitempty" jsonschema:"minimum=0,maximum=1"`
	// Two states: time in the slow state, as a multiple of the time in the fast state.
	SlowFactor float64 `yaml:"slow_factor,omitempty" jsonschema:"minimum=0"`
	// Two states: average number of measurements that a state lasts (1 by default).
	SlowLength float64 `yaml:"slow_length,omitempty" jsonschema:"minimum=0"`
	// Nodes whose ports and processes are slower.
	SlowNodes []int `yaml:"slow_nodes,omitempty"`
	// Numbers of links that are slower.
	SlowLinks []int `yaml:"slow_links,omitempty"`
	// Bandwidth of slow nodes and links, relative to the others' (default: 0.5).
	SlowBandwidth float64 `yaml:"slow_bandwidth,omitempty" jsonschema:"minimum=0,maximum=1"`
}
