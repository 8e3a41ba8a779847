package patterns

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRingSizes(t *testing.T) {
	for _, c := range []struct {
		processes, wanted int
		sizes             []int
		name              string
	}{
		{2, 2, []int{2}, "ring-1*2fix"},
		{3, 2, []int{3}, "ring-1*3fix"},
		{4, 2, []int{2, 2}, "ring-2*2fix"},
		{5, 2, []int{2, 3}, "ring-2*2&+1"},
		{7, 4, []int{4, 3}, "ring-2*4&-1"},
		{7, 2, []int{2, 2, 3}, "ring-3*2&+1"},
		{8, 4, []int{4, 4}, "ring-2*4fix"},
		{9, 4, []int{4, 5}, "ring-2*4&+1"},
		{13, 8, []int{6, 7}, "ring-2*6&+1"},
		{15, 8, []int{8, 7}, "ring-2*8&-1"},
		{17, 16, []int{17}, "ring-1*17fix"},
	} {
		p := cut(c.processes, c.wanted)
		require.Equal(t, c.name, p.name())
		require.Equal(t, c.sizes, ringSizes(p, c.processes), c.name)
	}
}

// ringSizes returns the sizes of the rings. It follows the right neighbours round each ring. Each ring begins at the
// rank after the last of the ring before.
func ringSizes(c partition, processes int) (sizes []int) {
	for start := 0; start < processes; {
		n := 1
		for rank := right(c.exchanges(start)); rank != start; rank = right(c.exchanges(rank)) {
			n++
		}
		sizes = append(sizes, n)
		start += n
	}
	return sizes
}

// right returns the source of the first message, which is the right neighbour.
func right(list []Exchange) int { return list[0].Source }

func TestRingsOfFewProcesses(t *testing.T) {
	var names []string
	for _, p := range bEff(t, 2, 1)[:6] {
		names = append(names, p.Name)
		require.EqualValues(t, 2, p.Messages)
		require.Equal(t, []Exchange{{1, 1}}, p.Exchanges(0), "no second exchange")
	}
	require.Equal(t, []string{"ring-1*2fix", "ring-1*2fix#2", "ring-1*2fix#3",
		"ring-1*2fix#4", "ring-1*2fix#5", "ring-1*2fix#6"}, names)
}

func TestRingsOfManyProcesses(t *testing.T) {
	var names []string
	for _, p := range bEff(t, 100, 1)[:6] {
		names = append(names, p.Name)
	}
	require.Equal(t, []string{"ring-50*2fix", "ring-25*4fix", "ring-12*8&+1",
		"ring-4*25fix", "ring-2*50fix", "ring-1*100fix"}, names)
}

func TestRingExchanges(t *testing.T) {
	p := named(t, 7, "ring-2*4&-1") // 0..3, 4..6
	require.Equal(t, []Exchange{{Dest: 3, Source: 1}, {Dest: 1, Source: 3}}, p.Exchanges(0))
	require.Equal(t, []Exchange{{Dest: 6, Source: 5}, {Dest: 5, Source: 6}}, p.Exchanges(4))
	require.Equal(t, []Exchange{{Dest: 5, Source: 4}, {Dest: 4, Source: 5}}, p.Exchanges(6))
	require.EqualValues(t, 14, p.Messages)
}
