package probe_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// Only members take part: in kernels of two processes, of pairs, and of all.
func TestOnePer(t *testing.T) {
	c := probe.Config{Selections: named(t, "PingPong", "Bcast", "Roundtrip_pairs", "Oneway_pairs"),
		Members: []int{0, 1, 3}, Settings: settings.Settings{Per: "node", Lengths: []int64{64}, MsgsPer: 10}}
	for _, precise := range []bool{false, true} {
		if precise {
			p := settings.Default.Precision
			p.Most = 20
			c.Settings.Precision = &p
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

// One socket has one process, which is too few for most. Pairs of all processes are refused, and so is a map.
func TestOnePerRefused(t *testing.T) {
	plan := func(members []int, s settings.Settings, name string) error {
		s.Per = "socket"
		_, err := probe.NewPlan(4, probe.Config{Selections: named(t, name), Members: members, Settings: s})
		return err
	}
	require.ErrorContains(t, plan([]int{0}, settings.Settings{}, "PingPong"),
		"PingPong needs at least 2 processes, one per socket, this job has 1")
	two := []int{0, 2}
	require.NoError(t, plan(two, settings.Settings{}, "PingPong"))
	require.ErrorContains(t, plan(two, settings.Settings{}, "Put_oneway"), "pairs up all processes")
	require.ErrorContains(t, plan(two, settings.Settings{Map: []int{2, 2}}, "PingPong"), "want one of them")
}
