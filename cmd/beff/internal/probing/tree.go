package probing

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/report/words"
)

// Limits of drawn trees. The recursion is as deep as a chain has ranks.
const (
	maxRanks = 1 << 16
	maxBlock = 1 << 40 // bytes of a rank
)

// Tree is a tree of an algorithm, or only of a shape.
type Tree struct {
	Name   string
	Ranks  *int // nil: the number of blocks
	Root   int
	Blocks []int64 // bytes of each rank (nil: 1 each)
	Dot    bool    // draw for Graphviz
}

// Draw draws the tree.
func (c *Tree) Draw(w io.Writer) error {
	shape, labels, err := treeNamed(c.Name)
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	ranks, err := c.ranks()
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	counts := c.Blocks
	if counts == nil {
		counts = slices.Repeat([]int64{1}, ranks)
	}
	tree := shape.Build(counts, c.Root)
	text := tree.Text
	if c.Dot {
		text = tree.Dot
	}
	_, err = io.WriteString(w, text(labels(tree, counts)))
	return err
}

// ranks returns the number of ranks, which the other flags must fit.
func (c *Tree) ranks() (int, error) {
	ranks := len(c.Blocks)
	if c.Ranks != nil {
		ranks = *c.Ranks
	}
	switch {
	case c.Ranks == nil && ranks == 0:
		return 0, fmt.Errorf("how many ranks? Give -n P or --blocks")
	case ranks < 1 || ranks > maxRanks:
		return 0, fmt.Errorf("-n %d: want 1 to %d ranks", ranks, maxRanks)
	case c.Blocks != nil && len(c.Blocks) != ranks:
		return 0, fmt.Errorf("--blocks has %d sizes, want one for each of %d ranks", len(c.Blocks), ranks)
	case c.Root < 0 || c.Root >= ranks:
		return 0, fmt.Errorf("--root %d: want 0 to %d", c.Root, ranks-1)
	}
	for _, count := range c.Blocks {
		if count < 0 || count > maxBlock {
			return 0, fmt.Errorf("--blocks %d: want 0 to 2^40 bytes", count)
		}
	}
	return ranks, nil
}

// treeNamed returns the shape and the labels of the tree with the name of a kernel or of a shape. A shape has the
// labels of a Scatterv.
func treeNamed(name string) (patterns.Shape, func(*patterns.Tree, []int64) patterns.Labels, error) {
	if k, _, ok := suites.Find(kernel.MPIB, name); ok && k.Algorithm != nil {
		return k.Algorithm.Shape, k.Algorithm.Labels, nil
	}
	if shape, ok := patterns.ShapeOf(name); ok {
		return shape, (&kernel.Algorithm{Parts: true, Vector: true}).Labels, nil
	}
	names := namesOf(func(k *kernel.Kernel) bool { return k.Algorithm != nil })
	names = append(names, lists.Each(patterns.Shapes(), func(shape patterns.Shape) string { return shape.Name })...)
	return patterns.Shape{}, nil, fmt.Errorf("unknown tree %q%s", name,
		cmp.Or(words.DidYouMean(name, names), ": beff help probe tree names some"))
}
