// Package machine holds descriptions of parallel machines: what a model needs to know of the nodes, the processes on
// them and the network between them. They are YAML files.
package machine

import (
	"fmt"
	"math"
	"sort"

	"go.yaml.in/yaml/v4"
)

// Machine describes a machine. Words are those of LogGP (Alexandrov, Ionescu, Schauser and Scheiman, LogGP:
// incorporating long messages into the LogP model, SPAA 1995) where there are any.
type Machine struct {
	// Name of the machine in reports.
	Name string `yaml:"name"`
	// What the machine is like, in words.
	Note string `yaml:"note,omitempty"`
	// Nodes; left out: as many as the processes need.
	Nodes int `yaml:"nodes,omitempty" jsonschema:"minimum=0"`
	// Processes of each node.
	PerNode int `yaml:"processes_per_node" jsonschema:"minimum=1"`
	// Memory of a process: b_eff's longest message is 1/128 of it.
	Memory Bytes `yaml:"memory_per_process"`
	// Where the processes are: block (one node after the other), cyclic (dealt out to the nodes in use), random (a
	// shuffled block, by the seed), or list (hosts).
	Placement string `yaml:"placement,omitempty" jsonschema:"enum=block,enum=cyclic,enum=random,enum=list"`
	// Nodes of the processes 0, 1, 2 and so on, of the placement list.
	Hosts []int `yaml:"hosts,omitempty"`
	// The two ends of a message between nodes.
	Endpoint Endpoint `yaml:"endpoint"`
	// Messages within a node.
	Inside Inside `yaml:"inside_node,omitempty"`
	// The links of the network, which are all alike but those that the topology or the noise change.
	Link Link `yaml:"link"`
	// The shape of the network.
	Topology Topology `yaml:"topology"`
	// What makes measurements differ; left out: nothing.
	Noise Noise `yaml:"noise,omitempty"`
	// How much longer messages of some lengths take than all the above says, in the order of the lengths, as LogGP has
	// no caches and protocols: PLogP (Kielmann, Bal and Verstoep, Fast measurement of LogP parameters for message
	// passing platforms, IPDPS Workshops 2000) makes all parameters depend on the length.
	Lengths []Length `yaml:"lengths,omitempty"`
	// Where the numbers come from: keys of this file, each with its source.
	Sources map[string]string `yaml:"sources,omitempty"`

	file string     // that it was read from
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
	// L: time from endpoint to endpoint, without that of the links.
	Latency Seconds `yaml:"latency"`
	// g: least time between two messages of a node.
	Gap Seconds `yaml:"gap,omitempty"`
	// 1/G: bandwidth of a process in one direction.
	Bandwidth Rate `yaml:"bandwidth"`
	// Bandwidth of a process in both directions together, in multiples of that in one; left out: 2.
	Duplex float64 `yaml:"duplex,omitempty" jsonschema:"minimum=1,maximum=2"`
	// Longest message that is sent at once. A longer one waits for an answer of its receiver.
	Eager Bytes `yaml:"eager,omitempty"`
	// Bandwidth of the copy that eager messages take at each end; left out: they take none.
	Copy Rate `yaml:"copy,omitempty"`
	// Time that MPI_Alltoallv takes for each process of its communicator, even without messages.
	Scan Seconds `yaml:"scan,omitempty"`
	// When nonblocking collective calls send their next messages while their process computes: as soon as those before
	// have come (always, the default), or with its next call of MPI (calls).
	Progress string `yaml:"progress,omitempty" jsonschema:"enum=always,enum=calls"`
	// Ports of a node to the network; left out: 1.
	Ports int `yaml:"ports,omitempty" jsonschema:"minimum=0"`
	// Bandwidth of a port in each direction; left out: that of a link.
	Port Rate `yaml:"port_bandwidth,omitempty"`
}

// Inside describes messages between processes of a node.
type Inside struct {
	// Processor time of a message at its sender, and again at its receiver; left out: that between nodes.
	Overhead Seconds `yaml:"overhead,omitempty"`
	// Time of a message beside the overheads.
	Latency Seconds `yaml:"latency,omitempty"`
	// Bandwidth of a message; left out: that of a process.
	Bandwidth Rate `yaml:"bandwidth,omitempty"`
	// Bandwidth of all messages of the node together; left out: no limit.
	Memory Rate `yaml:"memory,omitempty"`
}

// Link describes a link of the network.
type Link struct {
	// Bandwidth in each direction.
	Bandwidth Rate `yaml:"bandwidth"`
	// Time that each link adds, with the switch or router behind it.
	Latency Seconds `yaml:"latency,omitempty"`
	// Whether both directions have the bandwidth each (full, the default) or share it (half).
	Duplex string `yaml:"duplex,omitempty" jsonschema:"enum=full,enum=half"`
}

// Topology is the shape of a network. Each kind has keys of its own. Shapes that are left out are made for the number
// of nodes.
type Topology struct {
	// fat-tree, torus, dragonfly, hyperx, full or graph.
	Kind string `yaml:"kind" jsonschema:"enum=fat-tree,enum=torus,enum=dragonfly,enum=hyperx,enum=full,enum=graph"`

	// Fat tree: children of a switch of each level, from the leaves on.
	Down []int `yaml:"down,omitempty"`
	// Fat tree: parents of each child in each level; left out: 1 in the first, and as many as children below it in
	// others.
	Up []int `yaml:"up,omitempty"`
	// Fat tree: cables to each parent; left out: 1.
	Parallel []int `yaml:"parallel,omitempty"`
	// Fat tree without down: ports of a switch.
	Radix int `yaml:"radix,omitempty" jsonschema:"minimum=0"`
	// Fat tree without down: cables to the leaf switches, in multiples of those from them upwards; left out: 1.
	Taper float64 `yaml:"taper,omitempty" jsonschema:"minimum=1"`

	// Torus and HyperX: nodes or switches in each dimension.
	Dims []int `yaml:"dims,omitempty"`
	// Torus and HyperX without dims: their number.
	Dimensions int `yaml:"dimensions,omitempty" jsonschema:"minimum=0"`

	// Dragonfly: groups; left out: as many as the nodes need.
	Groups int `yaml:"groups,omitempty" jsonschema:"minimum=0"`
	// Dragonfly: routers of a group.
	Routers int `yaml:"routers,omitempty" jsonschema:"minimum=0"`
	// Dragonfly and HyperX: nodes at a router or switch; left out: 1.
	Terminals int `yaml:"terminals,omitempty" jsonschema:"minimum=0"`
	// Dragonfly: global cables of a router; they are dealt out to all pairs of groups evenly.
	Global int `yaml:"global,omitempty" jsonschema:"minimum=0"`
	// Dragonfly: minimal (the default) or adaptive.
	Routing string `yaml:"routing,omitempty" jsonschema:"enum=minimal,enum=adaptive"`

	// Graph: cables. Vertices from the number of nodes on are switches.
	Cables []Cable `yaml:"cables,omitempty"`
}

// Cable is a cable of a graph.
type Cable struct {
	// The two vertices that it connects.
	Between []int `yaml:"between,flow"`
	// Bandwidth relative to that of a link; left out: 1.
	Bandwidth float64 `yaml:"bandwidth,omitempty" jsonschema:"minimum=0"`
	// Latency relative to that of a link; left out: 1.
	Latency float64 `yaml:"latency,omitempty" jsonschema:"minimum=0"`
}

// Length is the factor of the time of messages of a length. Between two lengths it changes steadily with the logarithm
// of the length; before the first and after the last one it stays.
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

// Noise makes the times of measurements differ. It is drawn from the seed alone.
type Noise struct {
	// Standard deviation of the logarithm of each measurement's time.
	Sigma float64 `yaml:"sigma,omitempty" jsonschema:"minimum=0"`
	// Two states: part of the measurements that are in the slow state.
	SlowPart float64 `yaml:"slow_part,omitempty" jsonschema:"minimum=0,maximum=1"`
	// Two states: time in the slow state, in multiples of that in the fast one.
	SlowFactor float64 `yaml:"slow_factor,omitempty" jsonschema:"minimum=0"`
	// Two states: measurements that a state lasts on average; left out: 1.
	SlowLength float64 `yaml:"slow_length,omitempty" jsonschema:"minimum=0"`
	// Nodes whose ports and processes are slower.
	SlowNodes []int `yaml:"slow_nodes,omitempty"`
	// Links that are slower, by their numbers.
	SlowLinks []int `yaml:"slow_links,omitempty"`
	// Bandwidth of slow nodes and links, relative to that of others; left out: 0.5.
	SlowBandwidth float64 `yaml:"slow_bandwidth,omitempty" jsonschema:"minimum=0,maximum=1"`
}
