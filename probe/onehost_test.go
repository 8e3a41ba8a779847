package probe_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// Only members take part: in kernels of two processes, of pairs, and of all.
func TestOnePer(t *testing.T) {
	c := probe.Config{Selections: named(t, "PingPong", "Bcast", "Roundtrip_pairs", "Oneway_pairs"),
		Members: []int{0, 1, 3}, Settings: settings.Settings{Who: settings.Who{Per: "node"},
			Rows: settings.Rows{Lengths: []int64{64}}, Repetitions: settings.Repetitions{Max: 10}}}
	for _, precise := range []bool{false, true} {
		if precise {
			p := settings.Default.Precision
			p.Max = 20
			c.Settings.Series.Precision = &p
		}
		r := onLocal(t, 6, c)
		require.NoError(t, r.Check())
		want := map[string][]int{"PingPong": {0, 1}, "Bcast": {0, 1, 3}, "Roundtrip_pairs": {0, 1, 3},
			"Oneway_pairs": {0, 1, 3}}
		seen := map[string]bool{}
		for _, b := range r.Blocks {
			if b.Kernel == "Bcast" && b.Processes == 2 {
				continue // npmin
			}
			seen[b.Kernel] = true
			require.Equal(t, [][]int{want[b.Kernel]}, b.Groups, b.Kernel)
			require.Equal(t, 6-len(want[b.Kernel]), b.Waiting)
			row := b.Rows[0]
			require.Empty(t, row.Missing)
			require.Zero(t, row.Defects)
			require.Positive(t, row.Checked, b.Kernel)
			require.Positive(t, row.Derived[0].Max)
			if row.Pairs != nil {
				require.Len(t, row.Pairs.There.Means, 3)
			}
		}
		require.Len(t, seen, 4)
	}
}

// On one socket only one process takes part, which is too few for most kernels. Pairs of all processes are refused, and
// so is a map.
func TestOnePerRefused(t *testing.T) {
	plan := func(members []int, s settings.Settings, name string) error {
		s.Who.Per = "socket"
		_, err := probe.NewPlan(4, probe.Config{Selections: named(t, name), Members: members, Settings: s})
		return err
	}
	require.ErrorContains(t, plan([]int{0}, settings.Settings{}, "PingPong"),
		"PingPong needs at least 2 processes, one per socket, this job has 1")
	two := []int{0, 2}
	require.NoError(t, plan(two, settings.Settings{}, "PingPong"))
	require.ErrorContains(t, plan(two, settings.Settings{}, "Put_oneway"), "needs pairs of all processes")
	require.ErrorContains(t, plan(two, settings.Settings{Who: settings.Who{Map: []int{2, 2}}}, "PingPong"),
		"want one of them")
}

// OSU's pairs leave out the last of an odd number of processes, which would wait for ever.
func TestPairsOfAnOddNumber(t *testing.T) {
	for _, name := range []string{"osu_mbw_mr", "osu_multi_lat"} {
		p, err := probe.NewPlan(3, probe.Config{Selections: named(t, name)})
		require.NoError(t, err)
		require.Equal(t, [2]int{2, 1}, [2]int{p.Blocks[0].Processes, p.Blocks[0].Waiting})
	}
}

// OSU's pairs are across hosts, whether processes are numbered host by host or in turn, and are refused if they can't
// be.
func TestPairsAcrossHosts(t *testing.T) {
	plan := func(hosts [][]int, members ...int) (*probe.Plan, error) {
		return probe.NewPlan(8, probe.Config{Selections: named(t, "osu_mbw_mr"), Hosts: hosts, Members: members,
			Settings: settings.Settings{Who: settings.Who{Per: "core"}}})
	}
	inBlocks, inTurn := [][]int{{0, 1, 2, 3}, {4, 5, 6, 7}}, [][]int{{0, 2, 4, 6}, {1, 3, 5, 7}}
	for _, c := range []struct {
		hosts   [][]int
		members []int
		want    []int
	}{{inBlocks, []int{0, 1, 4, 5}, []int{0, 1, 4, 5}}, {inTurn, []int{0, 1, 2, 3}, []int{0, 2, 1, 3}},
		{[][]int{{0, 1}, {2, 3}, {4, 5, 6, 7}}, []int{0, 1, 2, 3, 4, 5}, []int{0, 1, 2, 3, 4, 5}}} {
		p, err := plan(c.hosts, c.members...)
		require.NoError(t, err)
		require.Equal(t, [][]int{c.want}, p.Blocks[0].Groups)
		half := len(c.want) / 2
		for i, rank := range c.want[:half] {
			for _, on := range c.hosts {
				require.False(t, slices.Contains(on, rank) && slices.Contains(on, c.want[i+half]))
			}
		}
	}
	_, err := plan(inBlocks, 0, 1, 2, 4)
	require.ErrorContains(t, err, "has pairs across nodes, but 3 of its 4 processes, one per core, are on one: ")
}

// Fans have the processes node by node, whether ranks are numbered in blocks or in turn. Waiting processes don't count,
// and neither do nodes on which all processes wait.
func TestFans(t *testing.T) {
	c := func(hosts [][]int, members ...int) probe.Config {
		s := settings.Settings{Rows: settings.Rows{Lengths: []int64{64}}, Repetitions: settings.Repetitions{Max: 10},
			OSU: settings.OSU{}}
		s.Window = 4
		return probe.Config{Selections: named(t, "osu_bw_fan_out", "osu_bw_fan_in"), Hosts: hosts, Members: members,
			Settings: s}
	}
	inTurn := [][]int{{0, 3}, {1, 4}, {2, 5}}
	for _, apart := range []bool{false, true} {
		x := c(inTurn)
		x.Settings.OSU.Apart = apart
		r := onLocal(t, 6, x)
		require.NoError(t, r.Check())
		require.Len(t, r.Blocks, 2)
		for _, b := range r.Blocks {
			require.Equal(t, [][]int{{0, 3, 1, 4, 2, 5}}, b.Groups)
			require.Equal(t, 2, b.PerNode)
			row := b.Rows[0]
			require.Zero(t, row.Defects)
			require.Positive(t, row.Checked)
			f := row.Derived[0] // 4 processes beyond the first node, a window of 4 messages of 64 bytes each
			require.InEpsilon(t, 4*4*64/f.Mean, f.Bandwidth, 1e-9)
		}
	}
	for _, x := range []struct {
		of   probe.Config
		want string
	}{{c([][]int{{0, 1, 2, 3, 4, 5}}), "osu_bw_fan_out needs processes on more than one node"},
		{c(nil), "needs processes on more than one node"},
		{c(inTurn, 0, 3), "needs processes on more than one node"},
		{c(inTurn, 0, 1, 3), "needs the same number of processes on each node, but they have 1 to 2"}} {
		_, err := probe.NewPlan(6, x.of)
		require.ErrorContains(t, err, x.want)
	}
	p, err := probe.NewPlan(6, c(inTurn, 0, 2, 3, 5))
	require.NoError(t, err)
	require.Equal(t, [][]int{{0, 3, 2, 5}}, p.Blocks[0].Groups)
}
