package patterns

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Tree is a tree of the ranks 0 to P-1 along which a collective operation passes its data.
type Tree struct {
	Root     int
	Parent   []int   // parent of each rank; None for the root
	Children [][]int // children of each rank, in the algorithm's order
}

// Shape is a named rule that builds trees.
type Shape struct {
	Name string // as in the names of MPIBlib's algorithms
	// Build returns the tree of len(counts) ranks with a root. counts holds the bytes of each rank's block.
	Build func(counts []int64, root int) *Tree
}

// Shapes returns all shapes. "Manual" in comments is the manual of MPIBlib 1.2.0, which has all shapes except the
// binary tree and the chain.
func Shapes() []Shape {
	unsorted := func(build func(processes, root int) *Tree) func(counts []int64, root int) *Tree {
		return func(counts []int64, root int) *Tree { return build(len(counts), root) }
	}
	sorted := func(descends bool) func(counts []int64, root int) *Tree {
		return func(counts []int64, root int) *Tree { return SortedBinomial(counts, root, descends) }
	}
	return []Shape{
		{Name: "flat", Build: unsorted(Flat)},
		{Name: "binomial", Build: unsorted(Binomial)},
		{Name: "binary", Build: unsorted(Binary)},
		{Name: "chain", Build: unsorted(Chain)},
		{Name: "sorted_binomial_asc", Build: sorted(false)},
		{Name: "sorted_binomial_dsc", Build: sorted(true)},
		{Name: "Traff", Build: Traff},
	}
}

// ShapeOf returns the shape with a name, in upper or lower case.
func ShapeOf(name string) (Shape, bool) {
	for _, s := range Shapes() {
		if strings.EqualFold(s.Name, name) {
			return s, true
		}
	}
	return Shape{}, false
}

// SortedRanks returns the ranks in ascending or descending order of their counts, and ranks with equal counts in rank
// order.
func SortedRanks(counts []int64, descends bool) []int {
	ranks := make([]int, len(counts))
	for i := range ranks {
		ranks[i] = i
	}
	slices.SortStableFunc(ranks, func(a, b int) int {
		if descends {
			return cmp.Compare(counts[b], counts[a])
		}
		return cmp.Compare(counts[a], counts[b])
	})
	return ranks
}

// newTree returns a tree without edges.
func newTree(processes, root int) *Tree {
	t := &Tree{Root: root, Parent: make([]int, processes), Children: make([][]int, processes)}
	for i := range t.Parent {
		t.Parent[i] = None
	}
	return t
}

// add makes child the last child of parent.
func (t *Tree) add(parent, child int) {
	t.Parent[child] = parent
	t.Children[parent] = append(t.Children[parent], child)
}

// rotated returns a function that gives the rank at an index. Indices are counted from the root.
func rotated(processes, root int) func(index int) int {
	return func(index int) int { return (root + index) % processes }
}

// Flat returns the tree in which all ranks are children of the root, in rank order.
func Flat(processes, root int) *Tree {
	t := newTree(processes, root)
	for rank := range processes {
		if rank != root {
			t.add(root, rank)
		}
	}
	return t
}

// Binary returns the tree of a heap: index x, counted from the root, has the children 2x+1 and 2x+2.
func Binary(processes, root int) *Tree {
	t, rank := newTree(processes, root), rotated(processes, root)
	for x := 1; x < processes; x++ {
		t.add(rank((x-1)/2), rank(x))
	}
	return t
}

// Chain returns the tree in which each rank has one child, the next rank.
func Chain(processes, root int) *Tree {
	t, rank := newTree(processes, root), rotated(processes, root)
	for x := 1; x < processes; x++ {
		t.add(rank(x-1), rank(x))
	}
	return t
}

// Binomial returns MPIBlib's binomial tree (manual, 9.4): the last child has the largest subtree.
func Binomial(processes, root int) *Tree {
	t := newTree(processes, root)
	t.binomial(rotated(processes, root))
	return t
}

// SortedBinomial returns the binomial tree whose indices 1 and up are the ranks sorted by their counts (manual, 9.31).
func SortedBinomial(counts []int64, root int, descends bool) *Tree {
	t := newTree(len(counts), root)
	sorted := sortedWithout(root, counts, descends)
	t.binomial(func(index int) int {
		if index == 0 {
			return root
		}
		return sorted[index-1]
	})
	return t
}

// sortedWithout returns the sorted ranks without the root.
func sortedWithout(root int, counts []int64, descends bool) []int {
	return slices.DeleteFunc(SortedRanks(counts, descends), func(rank int) bool { return rank == root })
}

// binomial adds the edges of a binomial tree to indices, which rank turns into ranks. Index 0 has a child for each bit
// that is set in the largest index, the lowest bit first. The subtree of the child for bit k has the next 2^k indices.
func (t *Tree) binomial(rank func(index int) int) {
	last := len(t.Parent) - 1
	for next, size := 1, 1; size <= last; size *= 2 {
		if last&size != 0 {
			t.add(rank(0), rank(next))
			t.binomialSubtree(rank, next, size)
			next += size
		}
	}
}

// binomialSubtree adds the edges of a subtree of size indices, a power of 2, that begin with top. The children of top
// are top+1, top+2, top+4 …, whose subtrees have 1, 2, 4 … indices.
func (t *Tree) binomialSubtree(rank func(index int) int, top, size int) {
	for part := 1; part < size; part *= 2 {
		t.add(rank(top), rank(top+part))
		t.binomialSubtree(rank, top+part, part)
	}
}

// Traff returns Träff's tree (manual, 9.32; J. L. Träff, Hierarchical gather/scatter algorithms with graceful
// degradation, IPDPS 2004). A source divides the other ranks, in the order of falling counts, into sets. Each set
// weighs at least as much as all sets before it together. The first rank of a set is a child of the source, and the
// source of the set's other ranks.
func Traff(counts []int64, root int) *Tree {
	t := newTree(len(counts), root)
	t.divide(counts, root, sortedWithout(root, counts, true))
	return t
}

// divide divides a list into sets, and adds the edges from a source to the first ranks of the sets and below these. A
// rank without data joins the set before it if that set still lacks weight, and otherwise is a set by itself.
func (t *Tree) divide(counts []int64, source int, list []int) {
	for before := int64(0); len(list) > 0; {
		size, weight := 1, counts[list[0]]
		for size < len(list) && weight > 0 && weight < before {
			weight += counts[list[size]]
			size++
		}
		t.add(source, list[0])
		t.divide(counts, list[0], list[1:size])
		list, before = list[size:], before+weight
	}
}

// Preorder returns the ranks of a subtree: the rank itself, then the subtrees of its children, first to last.
func (t *Tree) Preorder(rank int) []int { return t.preorder(nil, rank) }

// preorder appends the ranks of the subtree of a rank to a list.
func (t *Tree) preorder(list []int, rank int) []int {
	list = append(list, rank)
	for _, child := range t.Children[rank] {
		list = t.preorder(list, child)
	}
	return list
}

// Weights returns the sum of the counts in the subtree of each rank.
func (t *Tree) Weights(counts []int64) []int64 {
	weights := slices.Clone(counts)
	for _, rank := range slices.Backward(t.Preorder(t.Root)) {
		if parent := t.Parent[rank]; parent != None {
			weights[parent] += weights[rank]
		}
	}
	return weights
}

// Moved returns the number of bytes that move over all edges together, if each edge carries the blocks of the subtree
// below it. counts holds the bytes of each rank's block.
func (t *Tree) Moved(counts []int64) (sum int64) {
	for rank, weight := range t.Weights(counts) {
		if rank != t.Root {
			sum += weight
		}
	}
	return sum
}

// Labels holds the numbers at the ranks and edges of a drawn tree. Either list may be nil.
type Labels struct {
	Counts []int64 // bytes of each rank's block
	Bytes  []int64 // bytes that the edge to each rank carries
}

// Dot returns the tree in the language of Graphviz, laid out as by MPIBlib (manual, 7.13.1).
func (t *Tree) Dot(l Labels) string {
	var s strings.Builder
	s.WriteString("digraph G {\n")
	for rank := range t.Parent {
		if l.Counts != nil {
			fmt.Fprintf(&s, "%d[label = %q];\n", rank, l.Rank(rank))
		} else {
			fmt.Fprintf(&s, "%d;\n", rank)
		}
	}
	for _, rank := range t.Preorder(t.Root) {
		for _, child := range t.Children[rank] {
			fmt.Fprintf(&s, "%d->%d ", rank, child)
			if l.Bytes != nil {
				fmt.Fprintf(&s, "[label = \"%d\"]", l.Bytes[child])
			}
			s.WriteString(";\n")
		}
	}
	s.WriteString("}\n")
	return s.String()
}

// Rank returns the label of a rank: its number, and its count in parentheses.
func (l Labels) Rank(rank int) string {
	if l.Counts == nil {
		return fmt.Sprint(rank)
	}
	return fmt.Sprintf("%d (%d)", rank, l.Counts[rank])
}

// Text returns the tree as lines with Unicode's box characters, each rank below its parent.
func (t *Tree) Text(l Labels) string {
	var s strings.Builder
	s.WriteString(l.Rank(t.Root) + "\n")
	t.text(&s, l, t.Root, "")
	return s.String()
}

// text writes the subtrees of a rank's children. Each line begins with margin.
func (t *Tree) text(s *strings.Builder, l Labels, rank int, margin string) {
	for i, child := range t.Children[rank] {
		branch, indent := "├─ ", "│  "
		if i == len(t.Children[rank])-1 {
			branch, indent = "└─ ", "   "
		}
		s.WriteString(margin + branch + l.Rank(child))
		if l.Bytes != nil {
			fmt.Fprintf(s, "  ← %d B", l.Bytes[child])
		}
		s.WriteString("\n")
		t.text(s, l, child, margin+indent)
	}
}
