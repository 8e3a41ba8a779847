package ofprobe

import (
	"fmt"
	"strings"

	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// mostInTree is the number of processes up to which a tree can be read in a report. `beff probe tree` draws larger
// ones.
const mostInTree = 64

// mostLevels is the number of levels up to which a tree stays a part of a page: a long chain says nothing as a picture.
const mostLevels = 12

// treeFigure returns the figure of the tree along which an algorithm's data move, on the most processes that it can be
// read for; nil if there is none, or the root talks to all others itself.
func treeFigure(r *probe.Result, k *Kernel) *document.Figure {
	if k.Algorithm == nil || k.Algorithm.Shape.Name == "flat" {
		return nil
	}
	var block *probe.Block
	for _, b := range k.Blocks {
		if b.Processes <= mostInTree && (block == nil || b.Processes > block.Processes) {
			block = b
		}
	}
	if block == nil || block.Processes < 2 || len(block.Rows) == 0 {
		return nil
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
		return nil
	}
	labels := k.Algorithm.Labels(tree, counts)
	return &document.Figure{ID: "probe-" + k.Key() + "-tree",
		Caption: fmt.Sprintf("%s: the tree of %s with root 0.%s", k.Title(), words.Processes(block.Processes),
			aboutLabels(labels, bytes)),
		Alt: fmt.Sprintf("Tree of %s: rank 0 is the parent of %s.", words.Processes(block.Processes),
			words.Count(len(tree.Children[0]), "rank")),
		Drawing: chart.NewTree(tree, labels),
		Lines:   strings.Split(strings.TrimSpace(tree.Text(labels)), "\n")}
}

// levels returns the number of levels of the subtree of a rank.
func levels(t *patterns.Tree, rank int) int {
	deepest := 0
	for _, child := range t.Children[rank] {
		deepest = max(deepest, levels(t, child))
	}
	return 1 + deepest
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
