package patterns

import (
	"math/rand/v2"
	"slices"
)

// BoxNeighbours returns the ranks of a periodic grid that are at most radius away from rank in each dimension,
// including those at corners. The last dimension varies fastest, in the ranks and in this list. On a short side both
// directions may lead to the same rank, which is listed once.
func BoxNeighbours(sides []int, radius, rank int) (list []int) {
	// add appends the neighbours whose first d coordinates are chosen already and amount to partial.
	var add func(d, partial int)
	add = func(d, partial int) {
		if d == len(sides) {
			if partial != rank && !slices.Contains(list, partial) {
				list = append(list, partial)
			}
			return
		}
		below := 1
		for _, side := range sides[d+1:] {
			below *= side
		}
		here := rank / below % sides[d]
		for away := -radius; away <= radius; away++ {
			add(d+1, partial+(here+away+sides[d])%sides[d]*below)
		}
	}
	add(0, 0)
	return list
}

// Cyclic reports for each dimension of a grid whether it is closed. A dimension of two processes is open. If it were
// closed, both directions would lead to the same neighbour, and libraries differ in which data come from which
// direction.
func Cyclic(sides []int) []bool {
	list := make([]bool, len(sides))
	for d, side := range sides {
		list[d] = side > 2
	}
	return list
}

// StarNeighbours returns the neighbours of rank in a grid that is closed as Cyclic reports, in the order of
// neighbourhood calls on Cartesian communicators (MPI 4.1, 8.6): for each dimension, the rank before and the rank
// after. Beyond an end it is None.
func StarNeighbours(sides []int, rank int) (list []int) {
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

// RandomNeighbours returns the neighbours of rank in a random graph: the processes that send to it, and those to which
// it sends. There are degree senders and degree receivers, or all other processes if these are fewer. All processes
// have their neighbours at the same random distances along the ring of all ranks.
func RandomNeighbours(processes, degree, rank int) (from, to []int) {
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
