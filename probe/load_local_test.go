package probe_test

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/fault"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
)

// loadConfig returns kernels with congestors on half of the processes.
func loadConfig(t *testing.T, beside string, names ...string) probe.Config {
	return probe.Config{Selections: named(t, names...),
		Settings: settings.Settings{Repetitions: settings.Repetitions{SampleTime: 0.01},
			Load: settings.Load{By: "process", Splits: 1, Order: "blocked", Blocks: 1, Congestors: []string{beside}}}}
}

// A run that all processes end between two blocks with congestors ends their accesses to windows.
func TestEndedLoad(t *testing.T) {
	var open atomic.Int64
	c := loadConfig(t, "get_bcast", "Ring_get_latency")
	err := local.Run(4, func(e mpi.Engine) error {
		plan, err := probe.NewPlan(4, probe.On(e, c))
		if err != nil {
			return err
		}
		_, err = plan.Measure(fault.Inject(e, fault.Fault{Rank: e.World().Rank(), After: func(p *mpi.Program) {
			for _, call := range p.Calls() {
				switch call.Op {
				case mpi.WinLockAll:
					open.Add(1)
				case mpi.WinUnlockAll:
					open.Add(-1)
				}
			}
		}}), rating.Observer[measured.Outcome]{Stop: func() bool { return true }})
		return err
	})
	require.ErrorIs(t, err, rating.ErrStopped)
	require.Zero(t, open.Load())
}

// Congestors that need more memory than the machine has aren't started.
func TestLoadsMemory(t *testing.T) {
	c := loadConfig(t, "incast:100000", "Ring_latency")
	c.Hosts, c.Share = [][]int{{0, 1, 2, 3}}, 100_000
	row := onLocal(t, 4, c).Blocks[0].Rows[0]
	require.Equal(t, measured.OutOfMemory, row.Missing)
	require.Contains(t, row.Detail, "congestors: needed X=")
	c.Share = 200_000
	require.Empty(t, onLocal(t, 4, c).Blocks[0].Rows[0].Missing)
}

// Each split must have enough victims before the first split is measured, because nodes may have different numbers of
// processes.
func TestVictimsOfAllSplits(t *testing.T) {
	share := 0.75
	c := probe.Config{Selections: named(t, "PingPong"), Hosts: [][]int{{0, 1, 2}, {3}, {4, 5}, {6, 7}},
		Settings: settings.Settings{Load: settings.Load{Share: &share, Seed: 4, Splits: 40,
			Congestors: []string{"incast"}}}}
	_, err := probe.NewPlan(8, c)
	require.ErrorContains(t, err, "PingPong has 1 of 8 processes for victims in split ")
	c.Hosts[0], c.Hosts[1] = c.Hosts[0][:2], []int{2, 3}
	_, err = probe.NewPlan(8, c)
	require.NoError(t, err)
}
