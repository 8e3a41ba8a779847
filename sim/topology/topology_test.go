package topology

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// vertices holds disjoint sets of link ends. The ends in a set are at the same vertex, as routes show.
type vertices []int

func (v vertices) root(i int) int {
	for v[i] != i {
		i = v[i]
	}
	return i
}

// TestRoutes follows the routes of all pairs. Where a route continues from one link to the next, the end of the first
// is the start of the second, and the two links of a cable have common ends. From only these facts, the ends of all
// links must give as many vertices as the network has, with no two nodes in one vertex.
func TestRoutes(t *testing.T) {
	made := func(n Network, err error) Network { require.NoError(t, err); return n }
	ring := make([]Cable, 6)
	for i := range ring {
		ring[i] = Cable{A: i, B: (i + 1) % 6, Bandwidth: 1, Latency: 1}
	}
	for name, c := range map[string]struct {
		n        Network
		vertices int // 0: routes don't show all of them
		longest  int
	}{
		"torus":           {made(NewTorus([]int{4, 3, 2})), 24, 2 + 1 + 1},
		"ring":            {made(NewTorus([]int{5})), 5, 2},
		"two":             {made(NewTorus([]int{2})), 2, 1},
		"fat tree":        {made(NewFatTree([]int{4, 4}, []int{1, 2}, []int{1, 1})), 16 + 4 + 2, 4},
		"three levels":    {made(NewFatTree([]int{2, 2, 3}, []int{1, 2, 2}, []int{1, 1, 1})), 12 + 6 + 3*2 + 4, 6},
		"parallel cables": {made(NewFatTree([]int{4, 2}, []int{1, 2}, []int{1, 2})), 0, 4},
		"hyperx":          {made(NewHyperX([]int{3, 4}, 2)), 24 + 12, 4},
		"dragonfly":       {made(NewDragonfly(5, 4, 2, 1, false)), 40 + 20, 5},
		"wide dragonfly":  {made(NewDragonfly(3, 4, 1, 6, false)), 12 + 12, 5},
		"graph":           {made(NewGraph(4, 6, ring)), 0, 3},
	} {
		t.Run(name, func(t *testing.T) {
			ends, longest := walk(t, c.n)
			seen := map[int]bool{}
			for node := range c.n.Nodes() {
				require.False(t, seen[ends.root(node)], "node %d is also another node", node)
				seen[ends.root(node)] = true
			}
			for i := range ends {
				seen[ends.root(i)] = true
			}
			if c.vertices > 0 {
				require.Len(t, seen, c.vertices)
			}
			require.Equal(t, c.longest, longest)
		})
	}
}

// walk follows the routes of all pairs. It returns the classes of nodes and of the links' starts, and the longest
// route.
func walk(t *testing.T, n Network) (ends vertices, longest int) {
	start := func(link int32) int { return n.Nodes() + int(link) }
	ends = make(vertices, n.Nodes()+n.Links())
	for i := range ends {
		ends[i] = i
	}
	same := func(a, b int) { ends[ends.root(a)] = ends.root(b) }
	for from := range n.Nodes() {
		for to := range n.Nodes() {
			route := n.Route(nil, from, to, nil)
			require.Equal(t, from == to, len(route) == 0, "%d to %d", from, to)
			longest = max(longest, len(route))
			at := from
			for _, link := range route {
				require.Less(t, int(link), n.Links())
				same(at, start(link))
				at = start(link ^ 1)
			}
			same(at, to)
		}
	}
	return ends, longest
}

func TestFull(t *testing.T) {
	n, err := NewFull(3)
	require.NoError(t, err)
	require.Zero(t, n.Links())
	require.Empty(t, n.Route(nil, 0, 2, nil))
}

// TestShortest states that a torus takes the shorter way around.
func TestShortest(t *testing.T) {
	n, err := NewTorus([]int{7, 4})
	require.NoError(t, err)
	around := func(a, b, size int) int { return min((b-a+size)%size, (a-b+size)%size) }
	for from := range 28 {
		for to := range 28 {
			want := around(from%7, to%7, 7) + around(from/7, to/7, 4)
			require.Len(t, n.Route(nil, from, to, nil), want)
		}
	}
}

// TestAdaptive sends all messages from one group to another. Minimal routing puts them on the only cable between the
// groups, and adaptive routing also takes ways through other groups.
func TestAdaptive(t *testing.T) {
	most := map[bool]float32{}
	for _, adaptive := range []bool{false, true} {
		n, err := NewDragonfly(9, 4, 4, 1, adaptive)
		require.NoError(t, err)
		load := make([]float32, n.Links())
		for i := range 16 {
			for _, link := range n.Route(nil, i, 16+i, load) {
				load[link]++
			}
		}
		for _, l := range load[2*n.local:] {
			most[adaptive] = max(most[adaptive], l)
		}
	}
	require.Equal(t, float32(16), most[false])
	require.LessOrEqual(t, most[true], float32(11))
}

func TestImpossible(t *testing.T) {
	for _, c := range []struct {
		make func() (Network, error)
		want string
	}{
		{func() (Network, error) { return NewTorus([]int{4, 0}) }, "want at least 1"},
		{func() (Network, error) { return NewTorus(nil) }, "want at least 1"},
		{func() (Network, error) { return NewTorus([]int{1 << 16, 1 << 16}) }, "want at least 1"},
		{func() (Network, error) { return NewTorus([]int{1 << 15, 1 << 15}) }, "links"},
		{func() (Network, error) { return NewFatTree([]int{4, 4}, []int{1}, []int{1, 1}) }, "levels"},
		{func() (Network, error) { return NewFatTree([]int{1 << 16, 1 << 16}, []int{1, 1}, []int{1, 1}) }, "nodes"},
		{func() (Network, error) { return NewHyperX([]int{0}, 1) }, "want at least 1"},
		{func() (Network, error) { return NewDragonfly(2, 0, 1, 1, false) }, "want at least 1"},
		{func() (Network, error) { return NewGraph(3, 3, []Cable{{A: 0, B: 1}}) }, "no path from node 2"},
		{func() (Network, error) { return NewGraph(3, 3, []Cable{{A: 0, B: 1}, {A: 2, B: 2}, {A: 1, B: 2}}) },
			"cables[1]: between [2 2]: want two different vertices below 3"},
		{func() (Network, error) { return NewGraph(2, 2, []Cable{{A: 0, B: 2}}) }, "cables[0]: between [0 2]"},
	} {
		_, err := c.make()
		require.ErrorContains(t, err, c.want)
	}
}
