package topology

import (
	"fmt"
	"slices"
)

// Cable is a connection of two vertices of a Graph.
type Cable struct {
	A, B               int
	Bandwidth, Latency float64 // relative to the machine's links
}

// Graph is a network of given cables between vertices, the first of which are nodes and the others switches. Messages
// take a path with the smallest number of links. If there are several, the first in the list of cables is chosen. The
// paths to one destination are computed together and kept until another destination is asked for, so only one goroutine
// at a time may call Route.
type Graph struct {
	shape
	list   []Cable
	starts []int32 // of each vertex, the start of its links
	links  []int32 // by the vertex that they leave
	to     int     // destination of next; -1 if none
	next   []int32 // of each vertex, the next link to the destination
	queue  []int32
}

// NewGraph returns a graph with a number of vertices, the first of which are nodes. All nodes must be connected.
func NewGraph(nodes, vertices int, cables []Cable) (*Graph, error) {
	if err := check("graph", 2*len(cables), nodes, vertices); err != nil {
		return nil, err
	}
	g := &Graph{shape: shape{nodes, len(cables)}, list: cables, starts: make([]int32, vertices+1),
		links: make([]int32, 2*len(cables)), to: -1, next: make([]int32, vertices)}
	for _, c := range cables {
		g.starts[c.A+1]++
		g.starts[c.B+1]++
	}
	for v := range vertices {
		g.starts[v+1] += g.starts[v]
	}
	at := slices.Clone(g.starts)
	for i, c := range cables {
		g.links[at[c.A]], g.links[at[c.B]] = int32(2*i), int32(2*i+1)
		at[c.A]++
		at[c.B]++
	}
	g.aim(0)
	for v := range nodes {
		if v > 0 && g.next[v] < 0 {
			return nil, fmt.Errorf("graph: no way from node %d to node 0", v)
		}
	}
	return g, nil
}

// Weight implements Weighted.
func (g *Graph) Weight(link int32) (bandwidth, latency float64) {
	return g.list[link/2].Bandwidth, g.list[link/2].Latency
}

// Route implements Network.
func (g *Graph) Route(into []int32, from, to int, _ []float32) []int32 {
	if g.to != to {
		g.aim(to)
	}
	for at := from; at != to; at = g.end(g.next[at]) {
		into = append(into, g.next[at])
	}
	return into
}

// end returns the vertex to which a link leads.
func (g *Graph) end(link int32) int {
	if link%2 == 0 {
		return g.list[link/2].B
	}
	return g.list[link/2].A
}

// aim computes the next link of all vertices on their paths to a destination, by breadth-first search.
func (g *Graph) aim(to int) {
	for v := range g.next {
		g.next[v] = -1
	}
	g.to, g.queue = to, append(g.queue[:0], int32(to))
	for i := 0; i < len(g.queue); i++ {
		v := g.queue[i]
		for _, link := range g.links[g.starts[v]:g.starts[v+1]] {
			if w := g.end(link); w != to && g.next[w] < 0 {
				g.next[w] = link ^ 1
				g.queue = append(g.queue, int32(w))
			}
		}
	}
}
