package kernel

import (
	"slices"

	"github.com/effective-bandwidth/beff/patterns"
)

// Topology is who exchanges data with whom in neighbourhood calls.
type Topology struct {
	Dimensions int  // of a grid of all processes, as in b_eff's Cartesian patterns; 0: there is none
	Cart       bool // the grid is the communicator's, and the neighbours are those beside a process
	Corners    bool // those at corners are neighbours too
	Degree     int  // without a grid: so many others, that are drawn
}

// Sides returns the lengths of the sides of the grid.
func (t *Topology) Sides(processes int) []int { return patterns.Dims(processes, t.Dimensions) }

// Of returns the neighbours of a process, by the order of its places: those that it receives from, and those that it
// sends to. On a Cartesian communicator there may be none on a side (patterns.None).
func (t *Topology) Of(rank, processes int) (from, to []int) {
	switch {
	case t.Dimensions == 0:
		return patterns.RandomNeighbours(processes, t.Degree, rank)
	case t.Corners:
		list := patterns.BoxNeighbours(t.Sides(processes), 1, rank)
		return list, list
	}
	list := patterns.StarNeighbours(t.Sides(processes), rank)
	if !t.Cart {
		list = slices.DeleteFunc(list, func(rank int) bool { return rank == patterns.None })
	}
	return list, list
}

// Most returns the largest number of neighbours that a process has on either side: all have as many places.
func (t *Topology) Most(processes int) int {
	from, to := t.Of(0, processes)
	return max(len(from), len(to))
}
