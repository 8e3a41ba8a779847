package patterns

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// edges returns a tree's edges as "0→1,2 1→3", sorted, with the bytes of each edge if there are counts.
func edges(t *Tree, counts []int64) string {
	var list []string
	var weights []int64
	if counts != nil {
		weights = t.Weights(counts)
	}
	for _, rank := range t.Preorder(t.Root) {
		var words []string
		for _, child := range t.Children[rank] {
			word := fmt.Sprint(child)
			if weights != nil {
				word += fmt.Sprintf("(%d)", weights[child])
			}
			words = append(words, word)
		}
		if len(words) > 0 {
			list = append(list, fmt.Sprintf("%d→%s", rank, strings.Join(words, ",")))
		}
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

func TestBinomialTrees(t *testing.T) {
	for _, c := range []struct {
		processes, root int
		want            string
	}{
		{1, 0, ""},
		{2, 1, "1→0"},
		{8, 0, "0→1,2,4 2→3 4→5,6 6→7"},
		{6, 0, "0→1,2 2→3,4 4→5"},
		{5, 2, "0→1 2→3 3→4,0"}, // the last index, 4, has one bit
	} {
		require.Equal(t, c.want, edges(Binomial(c.processes, c.root), nil), "%d processes, root %d", c.processes,
			c.root)
	}
}

// TestTreesByCounts has the input of MPIBlib's own test: 8 processes, root 0.
func TestTreesByCounts(t *testing.T) {
	counts := []int64{4, 2, 1, 1, 1, 2, 8, 1}
	for _, c := range []struct {
		shape string
		want  string
		moved int64
	}{
		{"flat", "0→1(2),2(1),3(1),4(1),5(2),6(8),7(1)", 16},
		{"binomial", "0→1(2),2(2),4(12) 2→3(1) 4→5(2),6(9) 6→7(1)", 29},
		{"sorted_binomial_dsc", "0→6(8),1(4),2(4) 1→5(2) 2→3(1),4(2) 4→7(1)", 22},
		{"sorted_binomial_asc", "0→2(1),3(2),7(13) 3→4(1) 5→6(8) 7→1(2),5(10)", 37},
		{"Traff", "0→6(8),1(8) 1→5(2),2(2),4(2) 2→3(1) 4→7(1)", 24},
		{"binary", "0→1(5),2(11) 1→3(2),4(1) 2→5(2),6(8) 3→7(1)", 30},
		{"chain", "0→1(16) 1→2(14) 2→3(13) 3→4(12) 4→5(11) 5→6(9) 6→7(1)", 76},
	} {
		shape, ok := ShapeOf(strings.ToUpper(c.shape))
		require.True(t, ok)
		tree := shape.Build(counts, 0)
		require.Equal(t, c.want, edges(tree, counts), c.shape)
		require.Equal(t, c.moved, tree.Moved(counts), c.shape)
	}
	_, ok := ShapeOf("star")
	require.False(t, ok)
}

// A rank without data never starts a set that others join.
func TestTraffWithoutData(t *testing.T) {
	require.Equal(t, "0→1,2,3", edges(Traff(make([]int64, 4), 0), nil))
	// The rank with 9 is a set by itself. The rank with 1 lacks 8, so the ranks without data join its set.
	require.Equal(t, "0→1,2 2→3,4", edges(Traff([]int64{5, 9, 1, 0, 0}, 0), nil))
	// The ranks with 2 are whole sets, and each rank without data is a set.
	require.Equal(t, "0→1,2,3,4", edges(Traff([]int64{5, 2, 2, 0, 0}, 0), nil))
}

// Every rank is in each tree once, and every subtree's weight is the sum over its preorder.
func TestTreesHaveAllRanks(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, shape := range Shapes() {
		for processes := 1; processes <= 33; processes++ {
			counts := make([]int64, processes)
			for i := range counts {
				counts[i] = random.Int64N(5)
			}
			for root := range processes {
				tree := shape.Build(counts, root)
				all := tree.Preorder(root)
				require.Equal(t, root, all[0])
				slices.Sort(all)
				require.Len(t, slices.Compact(all), processes, "%s %d %d", shape.Name, processes, root)
				require.Equal(t, None, tree.Parent[root])
				for rank, weight := range tree.Weights(counts) {
					sum := int64(0)
					for _, below := range tree.Preorder(rank) {
						sum += counts[below]
					}
					require.Equal(t, sum, weight)
					for _, child := range tree.Children[rank] {
						require.Equal(t, rank, tree.Parent[child])
					}
				}
			}
		}
	}
}

func TestTreeTexts(t *testing.T) {
	tree, counts := Binomial(4, 1), []int64{7, 1, 2, 3}
	require.Equal(t, "digraph G {\n0;\n1;\n2;\n3;\n1->2 ;\n1->3 ;\n3->0 ;\n}\n", tree.Dot(Labels{}))
	labels := Labels{Counts: counts, Bytes: tree.Weights(counts)}
	require.Equal(t, `digraph G {
0[label = "0 (7)"];
1[label = "1 (1)"];
2[label = "2 (2)"];
3[label = "3 (3)"];
1->2 [label = "2"];
1->3 [label = "10"];
3->0 [label = "7"];
}
`, tree.Dot(labels))
	require.Equal(t, "1\n├─ 2\n└─ 3\n   └─ 0\n", tree.Text(Labels{}))
	require.Equal(t, "1 (1)\n├─ 2 (2)  ← 2 B\n└─ 3 (3)  ← 10 B\n   └─ 0 (7)  ← 7 B\n", tree.Text(labels))
}
