package chart

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/patterns"
)

// Leaves are side by side, and other ranks in the middle of their first and last child, a level above them.
func TestTreeLayout(t *testing.T) {
	tree := newDrawnTree(patterns.Binomial(6, 0), patterns.Labels{}) // 0→1,2 2→3,4 4→5
	require.Equal(t, []float64{1.25, 0.5, 2, 1.5, 2.5, 2.5}, tree.across)
	require.Equal(t, []int{0, 1, 1, 2, 2, 3}, tree.depth)
	require.Equal(t, 3, tree.leaves)
	require.InDelta(t, 4*levelHeight/float64(PageWidth), tree.Aspect(), 1e-12)
	require.LessOrEqual(t, newDrawnTree(patterns.Chain(1024, 0), patterns.Labels{}).Aspect(), 100.0)
}
