package topology

import (
	"fmt"
	"slices"
)

// Cable is a connection of two vertices of a Graph. Its links are from A to B and from B to A.
type Cable struct {
	A, B               int
	Bandwidth, Latency float64 // relative to the machine's links
}

// Graph is a network of given cables between vertices, the first of which are nodes and the others switches. Messages
// take a path with the smallest number of links. If there are several such paths, the order of the cables decides. The
// paths to one destination are computed together and kept until another destination is asked for, so only one goroutine
// at a time may call Route.
type Graph struct {
	shape
	list        []Cable
	firstLink   []int32 // of each vertex, the index in links of the first link that leaves it
	links       []int32 // ordered by the vertex that they leave
	destination int     // of the paths in nextLink
	nextLink    []int32 // of each vertex, the link that it takes to the destination; -1 without a path
	queue       []int32 // of the search: vertices in the order of their distance
}

// NewGraph returns a graph with a number of vertices, the first of which are nodes. It returns an error if a cable
// doesn't join two different vertices, or if a node isn't connected to node 0.
func NewGraph(nodes, vertices int, cables []Cable) (*Graph, error) {
	if err := check("graph", 2*len(cables), nodes, vertices); err != nil {
		return nil, err
	}
	g := &Graph{shape: shape{nodes, len(cables)}, list: cables, firstLink: make([]int32, vertices+1),
		links: make([]int32, 2*len(cables)), nextLink: make([]int32, vertices)}
	for i, c := range cables {
		if c.A == c.B || min(c.A, c.B) < 0 || max(c.A, c.B) >= vertices {
			return nil, fmt.Errorf("graph: cables[%d]: between [%d %d]: want two different vertices below %d", i,
				c.A, c.B, vertices)
		}
		g.firstLink[c.A+1]++
		g.firstLink[c.B+1]++
	}
	for v := range vertices {
		g.firstLink[v+1] += g.firstLink[v]
	}
	at := slices.Clone(g.firstLink)
	for i, c := range cables {
		g.links[at[c.A]], g.links[at[c.B]] = int32(2*i), int32(2*i+1)
		at[c.A]++
		at[c.B]++
	}
	g.findPaths(0)
	for v := 1; v < nodes; v++ {
		if g.nextLink[v] < 0 {
			return nil, fmt.Errorf("graph: no path from node %d to node 0", v)
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
	if g.destination != to {
		g.findPaths(to)
	}
	for at := from; at != to; at = g.end(g.nextLink[at]) {
		into = append(into, g.nextLink[at])
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

// findPaths computes the next link of all vertices on their paths to a destination, by breadth-first search.
func (g *Graph) findPaths(to int) {
	for v := range g.nextLink {
		g.nextLink[v] = -1
	}
	g.destination, g.queue = to, append(g.queue[:0], int32(to))
	for i := 0; i < len(g.queue); i++ {
		v := g.queue[i]
		for _, link := range g.links[g.firstLink[v]:g.firstLink[v+1]] {
			if w := g.end(link); w != to && g.nextLink[w] < 0 {
				g.nextLink[w] = link ^ 1
				g.queue = append(g.queue, int32(w))
			}
		}
	}
}
