package patterns

import "iter"

// Grid returns the side lengths of IMB-P2P's grid for a number of processes, the fastest varying one first: x and y of
// Stencil2D, or x, y and z of Stencil3D. The sides are as equal as possible, and none is shorter than 2. Grid returns
// nil if no such grid has exactly this number of processes.
func Grid(processes, dimensions int) []int {
	if dimensions == 2 {
		return plane(processes)
	}
	top := 2
	for top*top*top < processes {
		top++
	}
	if top*top*top == processes {
		return []int{top, top, top}
	}
	for z := top - 1; z > 1; z-- {
		if processes%z != 0 {
			continue
		}
		if sides := plane(processes / z); sides != nil && sides[1] >= z {
			return append(sides, z)
		}
	}
	return nil
}

// plane returns the sides x and y of a grid of two dimensions. y is the largest divisor that is at most the root of the
// number of processes, rounded up.
func plane(processes int) []int {
	y := 2
	for y*y < processes {
		y++
	}
	for ; y > 1; y-- {
		if processes%y == 0 && processes/y > 1 {
			return []int{processes / y, y}
		}
	}
	return nil
}

// Stencil returns the neighbours of a rank in a periodic grid: in each dimension the rank before and the rank after,
// the fastest varying dimension first. A rank may be listed several times.
func Stencil(sides []int, rank int) (list []int) {
	step := 1
	for _, side := range sides {
		at := rank / step % side
		start := rank - at*step
		list = append(list, start+(at+side-1)%side*step, start+(at+1)%side*step)
		step *= side
	}
	return list
}

// draws is the linear congruential generator of IMB-P2P, from seed 0.
type draws uint64

// below returns the next number, reduced to less than n.
func (d *draws) below(n int) int {
	*d = *d*7560690468208412377 + 4343336064253945357
	return int(uint32(*d>>24) % uint32(n))
}

// RandomPairs returns n random pairs of different processes, the sender first, as Unirandom and Birandom of IMB-P2P
// draw them. The pairs are the same on all processes, and in each run. There must be at least two processes.
func RandomPairs(processes, n int) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		var d draws
		for range n {
			from := d.below(processes)
			to := d.below(processes)
			for to == from {
				to = d.below(processes)
			}
			if !yield(from, to) {
				return
			}
		}
	}
}

// RandomRings returns n random orders of the processes, as Corandom of IMB-P2P draws them. Each order is made from the
// previous one by swapping the rank at each place in turn with the rank at a random place, in the same slice.
func RandomRings(processes, n int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		var d draws
		ring := make([]int, processes)
		for i := range ring {
			ring[i] = i
		}
		for range n {
			for i := range ring {
				j := d.below(processes)
				ring[i], ring[j] = ring[j], ring[i]
			}
			if !yield(ring) {
				return
			}
		}
	}
}
