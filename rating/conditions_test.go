package rating

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi/job"
)

// LinkRate adds the adapters if one is open, and otherwise takes the only Ethernet device, on the slowest kind of
// nodes.
func TestLinkRate(t *testing.T) {
	two := []job.Placement{{Host: "a", Ranks: "0", Processes: 1}, {Host: "b", Ranks: "1", Processes: 1}}
	ethernet := Link{Name: "eth0", Rate: 1.25e9}
	adapter := Link{Name: "mlx5_0 port 1", Rate: 25e9, Adapter: true}
	with := func(devices []string, kinds ...[]Link) *Environment {
		e := &Environment{Conditions: &Conditions{Devices: devices}}
		for _, links := range kinds {
			e.Nodes = append(e.Nodes, NodeKind{NodeFacts: NodeFacts{Links: links}})
		}
		return e
	}
	open := []string{"/dev/infiniband/uverbs0"}
	require.Equal(t, 50e9, with(open, []Link{ethernet, adapter, adapter}).LinkRate(two))
	require.Equal(t, 25e9, with(open, []Link{adapter, adapter}, []Link{adapter}).LinkRate(two))
	require.Equal(t, 1.25e9, with([]string{"/dev/xpmem"}, []Link{ethernet, adapter}).LinkRate(two))
	require.Zero(t, with(nil, []Link{ethernet, ethernet}).LinkRate(two), "not known which of two is used")
	require.Zero(t, with(nil, []Link{ethernet}, nil).LinkRate(two), "not known for all nodes")
	require.Zero(t, with(nil, []Link{ethernet}).LinkRate(two[:1]))
	require.Zero(t, with(nil).LinkRate(two))
	require.Zero(t, (*Environment)(nil).LinkRate(two))
}
