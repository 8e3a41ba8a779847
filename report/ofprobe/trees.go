package ofprobe

import (
	"fmt"

	"github.com/effective-bandwidth/beff/lists"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/words"
)

// mostInTree is the number of processes up to which a tree can be read in a report. `beff probe tree` draws larger
// ones.
const mostInTree = 64

// mostLevels is the number of levels up to which a tree stays a part of a page: a long chain says nothing as a picture.
const mostLevels = 12

// treeOf is the picture of the tree along which an algorithm's data move, on the most processes that it can be read
// for; it is empty if there is none, or the root talks to all others itself.
func treeOf(r *probe.Result, k *Kernel) (t chart.Tree) {
	if k.Algorithm == nil || k.Algorithm.Shape.Name == "flat" {
		return t
	}
	var block *measured.Block
	for _, b := range k.Blocks {
		if b.Processes <= mostInTree && (block == nil || b.Processes > block.Processes) {
			block = b
		}
	}
	if block == nil || block.Processes < 2 || len(block.Rows) == 0 {
		return t
	}
	bytes := block.Rows[len(block.Rows)-1].Bytes
	counts := make([]int64, block.Processes)
	for rank := range counts {
		counts[rank] = bytes
		if k.Algorithm.Vector && rank < len(r.Factors) {
			counts[rank] = int64(float64(bytes) * r.Factors[rank])
		}
	}
	tree := k.Algorithm.Shape.Build(counts, 0)
	if levels(tree, tree.Root) > mostLevels {
		return t
	}
	labels := k.Algorithm.Labels(tree, counts)
	return chart.Tree{ID: "probe-" + k.Key() + "-tree", Tree: tree, Labels: labels,
		Caption: fmt.Sprintf("%s: the tree of %s with root 0.%s", k.Title(), words.Processes(block.Processes),
			aboutLabels(labels, bytes))}
}

// levels returns the number of levels of the subtree of a rank.
func levels(t *patterns.Tree, rank int) int {
	return 1 + lists.Most(t.Children[rank], func(child int) int { return levels(t, child) })
}

// aboutLabels explains the numbers of a tree, if there are any besides those of the ranks.
func aboutLabels(l patterns.Labels, bytes int64) string {
	if l.Bytes == nil {
		return ""
	}
	text := fmt.Sprintf(" At an edge stand the bytes that it carries for messages of %s",
		words.Count(int(bytes), "byte"))
	if l.Counts != nil {
		text += ", in parentheses the rank's own"
	}
	return text + "."
}
