// Package model computes the times of messages in a network. Endpoints are LogGP's (Alexandrov et al., SPAA 1995). The
// messages of a step share ports and links, and no message is faster than the busiest link on its way allows (step.go).
// Alternatively, each message is followed separately, with its max-min fair share of the bandwidth (Play), which is
// exact but slow.
package model

import (
	"cmp"
	"math"
	"math/rand/v2"

	"github.com/effective-bandwidth/beff/sim/machine"
	"github.com/effective-bandwidth/beff/sim/topology"
)

// Model is a machine with processes on it.
type Model struct {
	*machine.Machine
	Processes int
	NodeOf    []int32 // of each process
	// Exact makes steps follow each message, instead of taking the messages of an exchange as if they began together.
	Exact bool

	network  topology.Network
	weighted topology.Weighted // the network, if its links differ; otherwise nil
	slow     map[int32]float64 // factors of the capacities of slow resources
	sums     sums
}

// maxParts limits the resources of a model, because several lists have a number for each.
const maxParts = 1 << 28

// New returns the model of a machine with a number of processes. The seed determines a random placement.
func New(m *machine.Machine, processes int, seed uint64) (*Model, error) {
	network, err := m.Network(processes)
	if err != nil {
		return nil, err
	}
	if parts := kinds*(processes+network.Nodes()) + network.Links(); parts > maxParts {
		return nil, m.Fault("topology", "%d processes, %d nodes and %d links are too many: want a smaller network",
			processes, network.Nodes(), network.Links())
	}
	place, err := m.Place(processes, network.Nodes(), seed)
	if err != nil {
		return nil, err
	}
	x := &Model{Machine: m, Processes: processes, NodeOf: place, network: network}
	x.weighted, _ = network.(topology.Weighted)
	return x, x.slowDown()
}

// Nodes returns the number of nodes of the network.
func (m *Model) Nodes() int { return m.network.Nodes() }

// Links returns the number of links, one for each direction.
func (m *Model) Links() int { return m.network.Links() }

// A resource is a part of the machine whose bandwidth messages share. Each process has one for sending, one for
// receiving and one for both. Then follow three for each node: for sending, for receiving, and for messages within the
// node. The last resources are the links.
const (
	out = iota
	in
	both
	kinds
)

func (m *Model) process(p int32, kind int32) int32 { return kinds*p + kind }
func (m *Model) node(n int32, kind int32) int32    { return kinds*(int32(m.Processes)+n) + kind }
func (m *Model) firstLink() int32                  { return kinds * int32(m.Processes+m.network.Nodes()) }

func (m *Model) resources() int { return int(m.firstLink()) + m.network.Links() }

// capacity returns the bandwidth of a resource in bytes per second, or 0 if it is unlimited.
func (m *Model) capacity(r int32) float64 {
	full := 0.0
	switch first := m.firstLink(); {
	case r >= first:
		full = float64(m.Link.Bandwidth)
		if m.weighted != nil {
			bandwidth, _ := m.weighted.Weight(r - first)
			full *= bandwidth
		}
	case r >= kinds*int32(m.Processes):
		full = m.Port()
		if r%kinds == both {
			full = float64(m.Inside.Memory)
		}
	default:
		full = float64(m.Endpoint.Bandwidth)
		if r%kinds == both {
			full *= m.Endpoint.Duplex
		}
	}
	if m.slow != nil {
		if factor, ok := m.slow[r]; ok {
			full *= factor
		}
	}
	return full
}

// Port returns the bandwidth of a node's ports in one direction, in bytes per second.
func (m *Model) Port() float64 {
	return float64(cmp.Or(m.Endpoint.Port, m.Link.Bandwidth)) * float64(max(m.Endpoint.Ports, 1))
}

// slowDown sets the capacities of slow nodes and links.
func (m *Model) slowDown() error {
	noise := &m.Noise
	if len(noise.SlowNodes)+len(noise.SlowLinks) == 0 {
		return nil
	}
	factor := cmp.Or(noise.SlowBandwidth, 0.5)
	m.slow = map[int32]float64{}
	slowNode := map[int32]bool{}
	for _, n := range noise.SlowNodes {
		if n < 0 || n >= m.network.Nodes() {
			return m.Fault("noise.slow_nodes", "there is no node %d: the network has %d nodes", n, m.network.Nodes())
		}
		slowNode[int32(n)] = true
		for k := range int32(kinds) {
			m.slow[m.node(int32(n), k)] = factor
		}
	}
	for p, n := range m.NodeOf {
		for k := range int32(kinds) {
			if slowNode[n] {
				m.slow[m.process(int32(p), k)] = factor
			}
		}
	}
	for _, l := range noise.SlowLinks {
		if l < 0 || l >= m.network.Links() {
			return m.Fault("noise.slow_links", "there is no link %d: the network has %d links", l, m.network.Links())
		}
		m.slow[m.firstLink()+m.shared(int32(l))] = factor
	}
	return nil
}

// shared returns the number of the resource of a link. Half-duplex links have one for both directions.
func (m *Model) shared(link int32) int32 {
	if m.Link.Duplex == "half" {
		return link &^ 1
	}
	return link
}

// use is a resource that a message uses, and the number of bytes there for each byte of the message.
type use struct {
	resource int32
	weight   float32
}

// way appends the resources of a message to a list, and returns the list and the message's latency in seconds. load
// holds the messages on each resource so far, for adaptive networks.
func (m *Model) way(into []use, from, to int32, links []int32, load []float32) ([]use, []int32, float64) {
	a, b := m.NodeOf[from], m.NodeOf[to]
	weight := float32(1)
	if a == b && m.Inside.Bandwidth > 0 {
		weight = float32(m.Endpoint.Bandwidth / m.Inside.Bandwidth)
	}
	into = append(into, use{m.process(from, out), weight}, use{m.process(to, in), weight})
	if m.Endpoint.Duplex > 0 {
		into = append(into, use{m.process(from, both), weight}, use{m.process(to, both), weight})
	}
	if a == b {
		if m.Inside.Memory > 0 {
			into = append(into, use{m.node(a, both), 1})
		}
		return into, links, float64(m.Inside.Latency)
	}
	into = append(into, use{m.node(a, out), 1}, use{m.node(b, in), 1})
	first := m.firstLink()
	if load != nil {
		load = load[first:]
	}
	links = m.network.Route(links[:0], int(a), int(b), load)
	latency := float64(m.Endpoint.Latency)
	for _, l := range links {
		into = append(into, use{first + m.shared(l), 1})
		hop := 1.0
		if m.weighted != nil {
			_, hop = m.weighted.Weight(l)
		}
		latency += hop * float64(m.Link.Latency)
	}
	return into, links, latency
}

// settling is the number of loops until their times no longer change, and the number of loops that are then timed.
// Stopping as soon as loops repeat was tried. On a fat tree of 64 processes few steps repeat within 8 loops, so it took
// a quarter longer, and changed times by up to 0.07 %. Two thirds of the time are the rates of messages (shares.solve).
const settling = 16

// exact follows a step message by message, and returns the seconds of a loop: the mean of the later loops, on the
// slowest process.
func (s *Step) exact(length int64, together bool) float64 {
	list, err := s.model.Play(s.scripts(length, together))
	if err != nil {
		panic(err) // every message has a receiver
	}
	most := 0.0
	for _, x := range list {
		most = max(most, (x.Ends[2*settling-1]-x.Ends[settling-1])/settling)
	}
	return most
}

// scripts returns the scripts of the processes, which exchange messages round by round, or all at once.
func (s *Step) scripts(length int64, together bool) []Script {
	acts, slots := make([][]Act, s.model.Processes), make([]int32, s.model.Processes)
	add := func(p int32, a Act) {
		a.Slot = slots[p]
		slots[p]++
		acts[p] = append(acts[p], a)
	}
	for r := range s.rounds {
		for _, x := range s.rounds[r] {
			add(x.To, Act{Kind: Receive, Peer: x.From, Tag: uint64(r)})
			add(x.From, Act{Kind: Send, Peer: x.To, Tag: uint64(r), Bytes: length})
		}
		if !together || r == len(s.rounds)-1 {
			for p := range acts {
				acts[p] = append(acts[p], Act{Kind: WaitAll})
			}
		}
	}
	list := make([]Script, 0, len(acts))
	for p := range acts {
		if slots[p] > 0 {
			list = append(list, Script{Process: int32(p), Pieces: 2 * settling,
				Piece: func(int) []Act { return acts[p] }})
		}
	}
	return list
}

// Noise draws the factors by which the times of measurements differ. The same seed gives the same factors.
type Noise struct {
	model  *Model
	random *rand.Rand
	slow   bool
}

// NewNoise returns the noise of a machine.
func (m *Model) NewNoise(seed uint64) *Noise {
	return &Noise{model: m, random: rand.New(rand.NewPCG(seed, 1))}
}

// Next returns the factor of the next measurement.
func (n *Noise) Next() float64 {
	of := &n.model.Noise
	factor := 1.0
	if of.Sigma > 0 {
		factor = math.Exp(of.Sigma * n.random.NormFloat64())
	}
	if of.SlowPart > 0 && of.SlowFactor > 0 {
		// The probability of leaving a state follows from the states' mean length and part.
		leave := 1 / max(of.SlowLength, 1)
		if n.slow {
			n.slow = n.random.Float64() >= leave
		} else {
			n.slow = n.random.Float64() < leave*of.SlowPart/max(1-of.SlowPart, 1e-9)
		}
		if n.slow {
			factor *= of.SlowFactor
		}
	}
	return factor
}
