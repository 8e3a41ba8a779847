package probe

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/probe/measured"
)

// The hosts of a block's ranks follow from the placement, and from the order of -map.
func TestHostsOf(t *testing.T) {
	r := &Result{Processes: 4}
	r.Placement = []job.Placement{{Host: "a", Ranks: "0,2", Processes: 2}, {Host: "b", Ranks: "1", Processes: 1},
		{Host: "c", Ranks: "x", Processes: 1}}
	require.Equal(t, []string{"a", "b", "a", ""}, r.HostsOf(&measured.Block{Processes: 4}))
	require.Equal(t, []string{"a", "a", "b", ""}, r.HostsOf(&measured.Block{Processes: 4, Groups: [][]int{{0, 2, 1,
		3}}}))
}
