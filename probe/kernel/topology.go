package kernel

import (
	"slices"

	"github.com/effective-bandwidth/beff/patterns"
)

// Topology defines who exchanges data with whom in neighbourhood calls.
type Topology struct {
	Dimensions int  // of a grid of all processes, as in b_eff's Cartesian patterns; 0 means no grid
	Cart       bool // the communicator has the grid, and a process's neighbours are the adjacent ones
	Corners    bool // processes at the corners are neighbours too
	Degree     int  // without a grid: the number of other processes that are drawn
}

// Sides returns the lengths of the sides of the grid.
func (t *Topology) Sides(processes int) []int { return patterns.Dims(processes, t.Dimensions) }

// Of returns the neighbours of a process in the order of its places: the ranks it receives from and the ranks it sends
// to. On a Cartesian communicator a side may have none (patterns.None).
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

// MaxNeighbours returns the largest number of neighbours of a process in either direction, which is the number of
// places of each process.
func (t *Topology) MaxNeighbours(processes int) int {
	from, to := t.Of(0, processes)
	return max(len(from), len(to))
}
