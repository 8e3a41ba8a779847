package patterns

import (
	"fmt"
	"slices"
)

// Dims returns ndims factors of n, in non-increasing order and as close to each other as possible, as MPI_Dims_create
// does (MPI 4.1, 8.5.2). The standard leaves open how to measure "close", and libraries differ. Dims takes the factors
// with the least difference between the largest and the smallest, and among those the ones with the least largest
// factor. It returns nil unless n and ndims are at least 1.
func Dims(n, ndims int) []int {
	if n < 1 || ndims < 1 {
		return nil
	}
	var best []int
	dims := make([]int, ndims)
	var split func(last, rest, least int)
	split = func(last, rest, least int) {
		if last == 0 {
			dims[0] = rest
			if best == nil || closer(dims, best) {
				best = slices.Clone(dims)
			}
			return
		}
		for d := least; fits(d, last+1, rest); d++ {
			if rest%d == 0 {
				dims[last] = d
				split(last-1, rest/d, d)
			}
		}
	}
	split(ndims-1, n, 1)
	return best
}

// closer reports whether the factors in a are closer to each other than those in b. Both are in non-increasing order.
func closer(a, b []int) bool {
	last := len(a) - 1
	if da, db := a[0]-a[last], b[0]-b[last]; da != db {
		return da < db
	}
	return slices.Compare(a, b) < 0
}

// fits reports whether count factors of at least d can have the product n.
func fits(d, count, n int) bool {
	for ; count > 0; count-- {
		n /= d
	}
	return n > 0
}

// cartesianDims returns the dims of the largest proper grid of at most the given number of processes (>= 2). A grid is
// proper if its last dim is above 1, or if there are too few processes for that (HLRS release 3.6).
func cartesianDims(processes, ndims int) []int {
	for p := processes; ; p-- {
		dims := Dims(p, ndims)
		if dims[ndims-1] > 1 || p < 8 && p%2 == 0 || p < 4 {
			return dims
		}
	}
}

// cartesians returns the patterns of a grid: the acyclic one with all directions together, the cyclic one of each
// direction with more than 1 process, and the cyclic one with all directions together.
func cartesians(name string, dims []int) []Pattern {
	var wide []int
	for d, n := range dims {
		if n > 1 {
			wide = append(wide, d)
		}
	}
	open := Topology{Dims: dims, Periodic: make([]bool, len(dims))}
	closed := Topology{Dims: dims, Periodic: slices.Repeat([]bool{true}, len(dims))}
	list := []Pattern{cartesian(name+"-acyclic", open, wide)}
	for _, d := range wide {
		list = append(list, cartesian(fmt.Sprintf("%s-cyclic-dim%d", name, d), closed, []int{d}))
	}
	return append(list, cartesian(name+"-cyclic-all", closed, wide))
}

// cartesian returns the pattern in which each process exchanges with both neighbours in each direction of along. Each
// of these directions has more than 1 process.
func cartesian(name string, t Topology, along []int) Pattern {
	processes := 1
	for _, n := range t.Dims {
		processes *= n
	}
	p := Pattern{Name: name, Kind: KindDetail, Processes: processes, Topology: t}
	for _, d := range along {
		lines, n := int64(processes/t.Dims[d]), t.Dims[d]
		if t.Periodic[d] {
			p.Messages += lines * ringMessages(n)
		} else {
			p.Messages += lines * 2 * int64(n-1)
		}
	}
	p.exchanges = func(rank int) []Exchange {
		var list []Exchange
		for _, d := range along {
			minus, plus := t.shift(rank, d)
			list = pingPong(list, minus, plus)
		}
		return list
	}
	return p
}

// shift returns the neighbours of rank in direction d, as MPI_Cart_shift does.
func (t Topology) shift(rank, d int) (minus, plus int) {
	stride := 1
	for _, n := range t.Dims[d+1:] {
		stride *= n
	}
	n := t.Dims[d]
	k := rank / stride % n
	left, right := neighbours(k, n)
	minus, plus = rank+(left-k)*stride, rank+(right-k)*stride
	if !t.Periodic[d] && k == 0 {
		minus = None
	}
	if !t.Periodic[d] && k == n-1 {
		plus = None
	}
	return minus, plus
}
