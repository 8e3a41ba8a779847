package fabric

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestExpand(t *testing.T) {
	for list, want := range map[string][]string{
		"a":                  {"a"},
		"a,b":                {"a", "b"},
		"node[001-003,007]":  {"node001", "node002", "node003", "node007"},
		"n[9-11]":            {"n9", "n10", "n11"},
		"r[1-2]n[01-02],x":   {"r1n01", "r1n02", "r2n01", "r2n02", "x"},
		"node[1-2].site.org": {"node1.site.org", "node2.site.org"},
	} {
		got, err := expand(list, maxNodes)
		require.NoError(t, err, list)
		require.Equal(t, want, got, list)
	}
	for list, want := range map[string]string{
		"":                       "a name is missing",
		"a,,b":                   "a name is missing",
		"n[1-3":                  "a bracket [ without its ]",
		"n1-3]":                  "a bracket ] without its [",
		"n[3-1]":                 `"3-1" is not a range of numbers`,
		"n[x]":                   `"x" is not a range of numbers`,
		"n[]":                    `"" is not a range of numbers`,
		"n[1-99999999]":          "there are more than 262144 names",
		"n[1-2000]m[1-2000]":     "there are more than 262144 names",
		"n[0-2147483647]":        "there are more than 262144 names",
		"n[1-1048576],m[1-1000]": "there are more than 262144 names",
		"n[[1-2]]":               "a bracket [ without its ]",
	} {
		_, err := expand(list, maxNodes)
		require.ErrorContains(t, err, want, list)
	}
}

// TestParse reads the same tree in our format, in topology.conf's, and in scontrol's output.
func TestParse(t *testing.T) {
	for name, text := range map[string]string{
		"own": "# nodes switch group\nn[0-1] s0 g0\nn2,n3  s1\tg0 # more\nn[4-7] s2 g1\n",
		"topology.conf": "# Slurm\nSwitchName=s0 Nodes=n[0-1] LinkSpeed=900\nswitchname=S1 nodes=n[2-3]\n" +
			"SwitchName=s2 \\\n  Nodes=n[4-5],n[6-7]\nSwitchName=g0 Switches=s[0-1]\nSwitchName=g1 Switches=S2\n",
		"scontrol": "SwitchName=s0 Level=0 LinkSpeed=1 Nodes=n[0-1]\nSwitchName=s1 Level=0 LinkSpeed=1 Nodes=n[2-3]\n" +
			"SwitchName=s2 Level=0 LinkSpeed=1 Nodes=n[4-7]\nSwitchName=g0 Level=1 LinkSpeed=1 Nodes=n[0-3] " +
			"Switches=s[0-1]\nSwitchName=g1 Level=1 LinkSpeed=1 Nodes=n[4-7] Switches=s2\n",
	} {
		m, err := Parse(text)
		require.NoError(t, err, name)
		got, err := m.Of([]string{"n0", "N3.site.org", "n7"})
		require.NoError(t, err, name)
		s1 := "s1"
		if name == "topology.conf" {
			s1 = "S1"
		}
		require.Equal(t, [][]string{{"s0", "g0"}, {s1, "g0"}, {"s2", "g1"}}, got, name)
	}
	blocks, err := Parse("BlockName=b1 Nodes=n[1-2]\nBlockName=b2 Nodes=n[3-4]\nBlockSizes=2,4\n")
	require.NoError(t, err)
	got, err := blocks.Of([]string{"n3"})
	require.NoError(t, err)
	require.Equal(t, [][]string{{"b2"}}, got)
	uneven, err := Parse("SwitchName=a Nodes=n1\nSwitchName=b Nodes=n2\nSwitchName=c Switches=b\n" +
		"SwitchName=d Switches=a,c")
	require.NoError(t, err)
	got, err = uneven.Of([]string{"n1", "n2"})
	require.NoError(t, err)
	require.Equal(t, [][]string{{"a", "d"}, {"b", "c"}}, got,
		"a node's missing level is named like the level below it, and the root is no level")
}

func TestParseRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "it names no node",
		"# nothing":                    "it names no node",
		"n1":                           "line 1: want NODES SWITCH [GROUP [CELL]], not 1 words",
		"n1 a b c d":                   "line 1: want NODES SWITCH [GROUP [CELL]], not 5 words",
		"n1 s1\nn2 s1 g1":              "line 2: 2 levels above the nodes, the lines before have 1",
		"n[1-2] s1\nn2 s2":             "line 2: node n2 occurs twice, below s1 and s2",
		"n1 s1 g1\nn2 s1 g2":           "switch s1 is below the groups g1 and g2: a map is a tree",
		"n[1- s1":                      "line 1: \"n[1-\" has a bracket [ without its ]",
		"n1 s\x00":                     "line 1: it isn't text",
		"SwitchName=a Nodes=n1\nn2 s1": "line 2: want SwitchName=NAME with Nodes= or Switches=, not \"n2 s1\"",
		"SwitchName=a":                 "line 1: switch a has neither Nodes= nor Switches=",
		"SwitchName= Nodes=n1":         "line 1: a switch without a name",
		"SwitchName=a Nodes=n1\nSwitchName=A Nodes=n2": "line 2: switch A occurs twice, first in line 1",
		"SwitchName=a Nodes=n1\nSwitchName=b Nodes=n1": "line 2: node n1 occurs twice, below a and b",
		"SwitchName=a Nodes=n1\nSwitchName=b Switches=a,c": "line 2: switch b has switch c below it, which no line " +
			"names",
		"SwitchName=a Nodes=n1\nSwitchName=b Switches=a\nSwitchName=c Switches=a": "line 3: switch a is below b and " +
			"c: a map is a tree",
		"SwitchName=a Nodes=n1\nSwitchName=b Switches=a,c\nSwitchName=c Switches=b": "is above itself",
		"SwitchName=b Switches=c\nSwitchName=c Switches=b":                          "line 1: switch b is above itself",
		"SwitchName=b Switches=b":                                                   "line 1: switch b is above itself",
	} {
		_, err := Parse(text)
		require.ErrorContains(t, err, want, text)
		require.NotContains(t, err.Error(), "\n")
	}
	m, err := Parse("n[1-4] s1\n")
	require.NoError(t, err)
	_, err = m.Of([]string{"n1", "n9"})
	require.EqualError(t, err, "it lacks node n9 of this job")
	_, err = m.Of([]string{"x", "n1", "y"})
	require.EqualError(t, err, "it lacks 2 of the 3 nodes of this job, the first is x")
}

// tree returns the nodes of a tree of groups and switches, given the switches of a group, the nodes of a switch and the
// processes of each node.
func tree(groups, switches, nodes, each int) (list []Node) {
	for i := range groups * switches * nodes {
		n := Node{Units: []string{fmt.Sprintf("s%d", i/nodes), fmt.Sprintf("g%d", i/nodes/switches)}}
		for k := range each {
			n.Ranks = append(n.Ranks, i*each+k)
		}
		list = append(list, n)
	}
	return list
}

func TestCuts(t *testing.T) {
	bare := []Node{{Ranks: []int{0, 1}}, {Ranks: []int{2, 3}}, {Ranks: []int{4, 5}}}
	for _, c := range []struct {
		nodes []Node
		name  string
		want  Cut
	}{
		{bare, Halves, Cut{Halves, ByRank, []Set{{"", []int{0, 1}, []int{4, 5}}}}}, // without the node in the middle
		{[]Node{{Ranks: []int{0, 1, 2}}}, Halves, Cut{Halves, OneNode, []Set{{"", []int{0}, []int{2}}}}},
		{[]Node{{Ranks: []int{0}}, {Ranks: []int{1, 2, 3, 4}}}, Halves,
			Cut{Halves, ByRank, []Set{{"", []int{0}, []int{1}}}}},
		{tree(2, 2, 2, 1), Halves, Cut{Halves, ByMap, []Set{{"", []int{0, 1, 2, 3}, []int{4, 5, 6, 7}}}}},
		{tree(2, 2, 2, 1), "switch:s1", Cut{"switch:s1", ByMap, []Set{{"", []int{2, 3}, []int{0, 5}}}}},
		{tree(2, 2, 2, 1), "switch:s0|s3", Cut{"switch:s0|s3", ByMap, []Set{{"", []int{0, 1}, []int{6, 7}}}}},
		{tree(2, 2, 2, 1), "group:g1", Cut{"group:g1", ByMap, []Set{{"", []int{4, 5, 6, 7}, []int{0, 1, 2, 3}}}}},
		{tree(2, 1, 2, 2), "switches", Cut{"switches", ByMap, []Set{{"s0", []int{0, 1}, []int{2, 3}},
			{"s1", []int{4, 5}, []int{6, 7}}}}},
	} {
		got, err := Cuts(c.nodes, []string{c.name})
		require.NoError(t, err, c.name)
		require.Equal(t, []Cut{c.want}, got, c.name)
	}
	shuffled := tree(2, 2, 2, 1)
	shuffled[1], shuffled[6] = shuffled[6], shuffled[1] // ranks no longer follow the map's order
	got, err := Cuts(shuffled, nil)
	require.NoError(t, err)
	require.Equal(t, []Set{{"", []int{0, 1, 2, 3}, []int{6, 7, 4, 5}}}, got[0].Sets)

	var names []string
	got, err = Cuts(tree(2, 2, 2, 1), []string{Grow, Halves})
	require.NoError(t, err)
	for _, c := range got {
		names = append(names, c.Name)
	}
	require.Equal(t, []string{"switches", "groups", Halves}, names)
	got, err = Cuts(tree(1, 2, 2, 1), []string{Grow})
	require.NoError(t, err)
	require.Len(t, got, 2, "the only group is all nodes")

	for _, c := range []struct {
		nodes []Node
		name  string
		want  string
	}{
		{bare, "switches", "cut switches needs a map of the nodes: --topology FILE"},
		{tree(1, 2, 2, 1), "cells", "cut cells: the map has no cells, only switches and groups"},
		{tree(1, 2, 2, 1), "group:g0", "cut group:g0: its other side is empty: all nodes of this job are below " +
			"group g0"},
		{tree(1, 2, 2, 1), "switch:s7", "no node of this job is below switch s7: there are s0, s1"},
		{tree(4, 2, 2, 1), "switch:s0|x", "below switch x: there are s0, s1, s2, s3, s4 and 3 more"},
		{tree(2, 2, 1, 1), "switches", "cut switches: no switch has two nodes of this job"},
		{tree(1, 2, 2, 1), "rack:r1", "unknown cut \"rack:r1\": want halves, switches, groups, cells, grow"},
		{tree(1, 2, 2, 1), "switch:", "want switch:NAME or switch:NAME|NAME with two different names"},
		{tree(1, 2, 2, 1), "switch:a|a", "with two different names"},
		{[]Node{{Ranks: []int{0}}}, Halves, "needs at least 2 processes"},
	} {
		_, err := Cuts(c.nodes, []string{c.name})
		require.ErrorContains(t, err, c.want)
	}
}

// timesOf returns the times between n nodes in each pass: the results of of, with noise.
func timesOf(n, passes int, noise float64, of func(i, j int) float64) [][][]float64 {
	r := rand.New(rand.NewPCG(7, uint64(n)))
	list := make([][][]float64, passes)
	for p := range list {
		list[p] = make([][]float64, n)
		for i := range n {
			list[p][i] = make([]float64, n)
			for j := range i {
				list[p][i][j] = of(i, j) * math.Exp(noise*r.NormFloat64())
				list[p][j][i] = list[p][i][j]
			}
		}
	}
	return list
}

// TestFind finds switches and groups in times that differ enough, and none in other times.
func TestFind(t *testing.T) {
	levels := func(i, j int) float64 {
		switch {
		case i%8 == j%8: // nodes of a switch aren't next to each other
			return 2e-6
		case i%2 == j%2:
			return 3e-6
		}
		return 4.5e-6
	}
	list, err := Find(timesOf(32, 5, 0.02, levels))
	require.NoError(t, err)
	require.Len(t, list, 2)
	for i, modulo := range []int{8, 2} {
		for node, unit := range list[i].Of {
			require.Equal(t, node%modulo, unit)
			require.Zero(t, list[i].Misplaced[node])
		}
	}
	require.InEpsilon(t, 2e-6, list[0].Within, 0.02)
	require.InEpsilon(t, 4.5e-6, list[0].Between, 0.02)
	require.InEpsilon(t, 3e-6, list[1].Within, 0.05)

	for name, times := range map[string][][][]float64{
		"alike": timesOf(16, 5, 0.02, func(int, int) float64 { return 3e-6 }),
		"a slow node": timesOf(16, 5, 0.02, func(i, j int) float64 {
			if i == 3 || j == 3 {
				return 9e-6
			}
			return 3e-6
		}),
		"too noisy": timesOf(16, 5, 0.5, levels),
	} {
		list, err := Find(times)
		require.ErrorIs(t, err, ErrAlike, "%s: %+v", name, list)
	}
	_, err = Find(timesOf(16, 5, 0, func(i, j int) float64 { return float64(i+j) - 3 }))
	require.ErrorContains(t, err, "some are not measured")
	_, err = Find(timesOf(3, 5, 0, func(int, int) float64 { return 1 }))
	require.ErrorContains(t, err, "among 4 to 1024 nodes")
}

// A short map takes no more memory than a real machine's, and a long map only steps in proportion to its length. They
// are counted as allocations, because a search for a name with a capital letter allocates.
func TestMapsAreBounded(t *testing.T) {
	var many, chain strings.Builder
	for i := range 500 {
		fmt.Fprintf(&many, "SwitchName=s%d Nodes=n[%d-%d]\n", i, i*100_000, i*100_000+99_999)
	}
	const depth = 20_000
	for i := range depth {
		fmt.Fprintf(&chain, "SwitchName=S%d Switches=S%d\n", i, i+1)
	}
	fmt.Fprintf(&chain, "SwitchName=S%d Nodes=n1\n", depth)
	for text, want := range map[string]string{
		many.String(): "line 3: with \"n[200000-299999]\" there are more than 262144 names", chain.String(): "",
		strings.ReplaceAll(many.String(), "Nodes", "Switches"):        "line 3: with ",
		chain.String() + "SwitchName=top Switches=S0\n":               "",
		strings.Replace(chain.String(), "Nodes=n1", "Switches=S0", 1): "switch S0 is above itself",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Parse(text)
		runtime.ReadMemStats(&after)
		if want != "" {
			require.ErrorContains(t, err, want)
		}
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(8*len(text)+100<<20))
		require.Less(t, after.Mallocs-before.Mallocs, uint64(50*strings.Count(text, "\n")+4*maxNodes))
	}
}
