package settings

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/patterns"
)

// Neighbours defines the partners of a process in neighbourhood collective calls, either by a periodic grid of all
// processes, corners included, or by a list of edges.
type Neighbours struct {
	// Dimensions of the grid (default: edges instead of a grid).
	Dimensions int `json:"dimensions,omitempty" jsonschema:"minimum=1"`
	// Distance in each dimension up to which processes are neighbours.
	Radius int `json:"radius,omitempty" jsonschema:"minimum=1"`
	// The sending process of each edge.
	Sources []int `json:"sources,omitempty"`
	// The receiving process of each edge.
	Destinations []int `json:"destinations,omitempty"`
}

// Limits of neighbours.
const (
	maxDimensions = 16
	MaxEdges      = 500 // OSU's
)

// Check returns an error if no processes can have such neighbours.
func (n *Neighbours) Check() error {
	if len(n.Sources) == 0 && len(n.Destinations) == 0 {
		if n.Dimensions < 1 || n.Dimensions > maxDimensions || n.Radius < 1 || n.Radius > MaxCount {
			return fmt.Errorf("want 1 to %d dimensions and a radius of at least 1, not %d and %d", maxDimensions,
				n.Dimensions, n.Radius)
		}
		return nil
	}
	if len(n.Sources) != len(n.Destinations) || len(n.Sources) > MaxEdges || n.Dimensions != 0 || n.Radius != 0 {
		return fmt.Errorf("want a grid or up to %d edges", MaxEdges)
	}
	seen := map[[2]int]bool{}
	for i, from := range n.Sources {
		edge := [2]int{from, n.Destinations[i]}
		if seen[edge] || from < 0 || edge[1] < 0 {
			return fmt.Errorf("edge %d,%d: want each edge once, between ranks of at least 0", from, edge[1])
		}
		seen[edge] = true
	}
	return nil
}

// Sides returns the lengths of the sides of the grid for a number of processes, or nil without a grid.
func (n *Neighbours) Sides(processes int) []int {
	if n.Dimensions == 0 {
		return nil
	}
	return patterns.Dims(processes, n.Dimensions)
}

// Unfit returns the reason why a number of processes can't have such neighbours, or "".
func (n *Neighbours) Unfit(processes int) string {
	sides := n.Sides(processes)
	if sides == nil {
		if most := max(slices.Max(n.Sources), slices.Max(n.Destinations)); most >= processes {
			return fmt.Sprintf("needs %d processes for its edges, this job has %d", most+1, processes)
		}
		return ""
	}
	if least := slices.Min(sides); n.Radius > (least-1)/2 {
		return fmt.Sprintf("has neighbours up to %d away, for which each side of the grid needs %d processes, but the "+
			"shortest side in this job has %d", n.Radius, 2*n.Radius+1, least)
	}
	return ""
}

// Of returns the neighbours of a process in the order of its places: the ranks it receives from and the ranks it sends
// to.
func (n *Neighbours) Of(rank, processes int) (from, to []int) {
	if sides := n.Sides(processes); sides != nil {
		box := patterns.BoxNeighbours(sides, n.Radius, rank)
		return box, box
	}
	for i, source := range n.Sources {
		if n.Destinations[i] == rank {
			from = append(from, source)
		}
		if source == rank {
			to = append(to, n.Destinations[i])
		}
	}
	return from, to
}
