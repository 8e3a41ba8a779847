package patterns

import (
	"math/rand/v2"
	"slices"
)

// Box returns the ranks of a periodic grid that are up to radius away from one in each dimension, those at corners too:
// the last dimension is the fastest, of the ranks and of this list. On a short side both ways lead to the same rank,
// which is there once.
func Box(sides []int, radius, rank int) (list []int) {
	var add func(d, before int) // the ranks whose first d coordinates make the number before
	add = func(d, before int) {
		if d == len(sides) {
			if before != rank && !slices.Contains(list, before) {
				list = append(list, before)
			}
			return
		}
		below := 1
		for _, side := range sides[d+1:] {
			below *= side
		}
		here := rank / below % sides[d]
		for away := -radius; away <= radius; away++ {
			add(d+1, before+(here+away+sides[d])%sides[d]*below)
		}
	}
	add(0, 0)
	return list
}

// Cyclic reports for each dimension of a grid whether it is closed. One of two processes is open: both of its ways
// would lead to the same neighbour, and libraries differ in which data come from which way.
func Cyclic(sides []int) []bool {
	list := make([]bool, len(sides))
	for d, side := range sides {
		list[d] = side > 2
	}
	return list
}

// Star returns the ranks beside one in a grid that is Cyclic, in the order of neighbourhood calls on Cartesian
// communicators (MPI 4.1, 8.6): dimension by dimension, the one before, the one behind. Those beyond an end are None.
func Star(sides []int, rank int) (list []int) {
	below := 1
	for _, side := range sides {
		below *= side
	}
	for d, closed := range Cyclic(sides) {
		below /= sides[d]
		here := rank / below % sides[d]
		for _, there := range []int{here - 1, here + 1} {
			switch outside := there < 0 || there >= sides[d]; {
			case outside && !closed:
				list = append(list, None)
			default:
				list = append(list, rank+((there+sides[d])%sides[d]-here)*below)
			}
		}
	}
	return list
}

// Drawn returns the processes that send to one in a random graph, and those that it sends to: degree others, or all if
// there are fewer. Each process has its neighbours at the same distances along the ring of all, which are drawn.
func Drawn(processes, degree, rank int) (from, to []int) {
	draw := rand.New(rand.NewPCG(1, uint64(processes)))
	var away []int
	for len(away) < min(degree, processes-1) {
		if d := 1 + draw.IntN(processes-1); !slices.Contains(away, d) {
			away = append(away, d)
			from, to = append(from, (rank+processes-d)%processes), append(to, (rank+d)%processes)
		}
	}
	return from, to
}
