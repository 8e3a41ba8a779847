package topology

import "fmt"

// FatTree is a parallel ports generalized fat tree (PGFT): Zahavi, D-Mod-K routing providing non-blocking traffic for
// shift permutations on real life fat trees, CCIT report 776, 2010. Level 1 has the leaf switches. Routing is D-mod-K:
// only the destination determines the way up, so all messages to a node share their way down.
type FatTree struct {
	shape
	up, parallel []int // of each level, from the leaves upwards
	first        []int // number of the first cable below each level
	below, wide  []int // products of down and of up over the levels below, and over all
}

// NewFatTree returns a fat tree. Each switch of level i has down[i] children, each child has up[i] parents there, and
// parallel[i] cables go to each parent.
func NewFatTree(down, up, parallel []int) (*FatTree, error) {
	if len(down) == 0 || len(up) != len(down) || len(parallel) != len(down) {
		return nil, fmt.Errorf("fat tree: %d, %d and %d levels of down, up and parallel: want the same, at least one",
			len(down), len(up), len(parallel))
	}
	for _, sizes := range [][]int{down, up, parallel} {
		if err := check("fat tree", 0, sizes...); err != nil {
			return nil, err
		}
	}
	t := &FatTree{shape: shape{nodes: product(down...)}, up: up, parallel: parallel, below: []int{1}, wide: []int{1}}
	if t.nodes < 0 {
		return nil, fmt.Errorf("fat tree: more nodes than an int32 holds")
	}
	for l := range down {
		t.below, t.wide = append(t.below, t.below[l]*down[l]), append(t.wide, t.wide[l]*up[l])
		t.first = append(t.first, t.cables)
		t.cables += t.nodes / t.below[l] * t.wide[l] * up[l] * parallel[l]
		if err := check("fat tree", 2*t.cables); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// Route implements Network. An entity of level l (0 for a node) is identified by its subtree, node/below[l], and by the
// ports that lead up to it, a number below wide[l].
func (t *FatTree) Route(into []int32, from, to int, _ []float32) []int32 {
	top := 0
	for from/t.below[top] != to/t.below[top] {
		top++
	}
	var cable [maxLevels]int
	place := 0
	for l := range top {
		ports := t.up[l] * t.parallel[l]
		port := to / t.wide[l] % ports
		cable[l] = t.first[l] + port
		into = append(into, int32(2*(cable[l]+((from/t.below[l])*t.wide[l]+place)*ports)))
		cable[l] += ((to/t.below[l])*t.wide[l] + place) * ports
		place += port % t.up[l] * t.wide[l]
	}
	for l := top - 1; l >= 0; l-- {
		into = append(into, int32(2*cable[l]+1))
	}
	return into
}

// maxLevels limits the levels of a tree. An int32 holds no product of more than 31 factors of 2; the others are for
// levels with one child.
const maxLevels = 64
