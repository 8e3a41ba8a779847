// Package topology computes the routes of messages through networks. Routes are computed on demand, so a network of a
// million nodes takes no more memory than its shape.
package topology

import (
	"fmt"
	"math"
)

// Network is the shape of a network. Links have numbers from 0 to Links()-1, one for each direction: 2k and 2k+1 are
// the two directions of a cable.
type Network interface {
	Nodes() int
	Links() int
	// Route appends the links from one node to another, in their order, to a list. load holds the number of messages
	// that already use each link. Only adaptive networks read it; for all others it may be nil.
	Route(into []int32, from, to int, load []float32) []int32
}

// Weighted is a Network whose links differ.
type Weighted interface {
	// Weight returns the bandwidth and the latency of a link, relative to the machine's links.
	Weight(link int32) (bandwidth, latency float64)
}

// check returns an error if a network has more links than an int32 can number, or a size below 1.
func check(kind string, links int, sizes ...int) error {
	for _, n := range sizes {
		if n < 1 {
			return fmt.Errorf("%s: a size of %d: want at least 1", kind, n)
		}
	}
	if links > math.MaxInt32 || links < 0 {
		return fmt.Errorf("%s: more than %d links", kind, math.MaxInt32)
	}
	return nil
}

// product returns the product of sizes, or -1 if an int32 can't hold it.
func product(sizes ...int) int {
	all := 1
	for _, n := range sizes {
		if n < 1 || all > math.MaxInt32/n {
			return -1
		}
		all *= n
	}
	return all
}

// shape has the numbers of a network's nodes and cables.
type shape struct{ nodes, cables int }

// Nodes implements Network.
func (s *shape) Nodes() int { return s.nodes }

// Links implements Network.
func (s *shape) Links() int { return 2 * s.cables }

// Full is a network that limits nothing: every pair of nodes has a separate path. It has no links, so only the nodes'
// own ports are shared.
type Full struct{ shape }

// NewFull returns a full network.
func NewFull(nodes int) (*Full, error) { return &Full{shape{nodes: nodes}}, check("full", 0, nodes) }

// Route implements Network.
func (n *Full) Route(into []int32, _, _ int, _ []float32) []int32 { return into }
