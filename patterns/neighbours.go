package patterns

import "slices"

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
