package host

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/rating"
)

// The worst figures of two hosts count. The time of each process of the job is subtracted once from the busy time of
// its host. A host without facts is left out.
func TestLoad(t *testing.T) {
	layout := &job.Layout{Placement: []job.Placement{{Host: "a"}, {Host: "b"}, {Host: "c"}},
		Ranks: [][]int{{0, 2}, {1, 3}, {4}}}
	uses := []Use{
		0: {Numbers: Numbers{Process: 7, Seconds: 10, Own: 9, Busy: 20, Stolen: 1, Processors: 4, Throttled: 1,
			Average: 2, Slowest: 2e9, Fastest: 3e9}},
		2: {Numbers: Numbers{Process: 8, Own: 9, Slowest: 1e9, Fastest: 2e9}},
		1: {Numbers: Numbers{Process: 7, Seconds: 10, Own: 9, Busy: 14, Stolen: 4, Processors: 8, Throttled: 2,
			Average: 1}},
		3: {Numbers: Numbers{Process: 7, Own: 9}}, // ranks of one process
		4: {Numbers: Numbers{Process: 9, Own: 9}},
	}
	require.Equal(t, &rating.Load{Average: 2, Others: 0.492, Host: "b", Processors: 8, Steal: 0.05,
		Governor: "performance", Slowest: 1e9, Fastest: 3e9, Throttled: 3}, Load(layout, "performance", uses))

	uses[1].Busy = 8 // less than its own: clocks tick at different times
	require.Equal(t, "a", Load(layout, "", uses).Host)
	require.InDelta(t, 0.196, Load(layout, "", uses).Others, 1e-12)

	// the busy time may only be ticks, one for each processor
	uses[0] = Use{Numbers: Numbers{Process: 7, Seconds: 0.003, Busy: 0.02, Processors: 4}}
	require.Zero(t, Load(&job.Layout{Placement: layout.Placement[:1], Ranks: [][]int{{0}}}, "", uses).Others)
	require.Nil(t, Load(&job.Layout{Placement: layout.Placement[2:], Ranks: [][]int{{4}}}, "", uses))
}

// Rank 0 gets the numbers of all ranks, and the counters of the first rank of each host that has any.
func TestGather(t *testing.T) {
	layout := &job.Layout{Ranks: [][]int{{0, 2}, {1, 3}}}
	require.NoError(t, local.Run(4, func(e mpi.Engine) error {
		rank := e.World().Rank()
		mine := Use{Numbers: Numbers{Own: float64(rank)}, Counters: map[string]int64{"errors": int64(rank)}}
		uses, err := Gather(e.World(), layout, mine)
		if rank > 0 {
			require.Empty(t, uses)
			return err
		}
		require.Equal(t, []Use{mine, {Numbers: Numbers{Own: 1}, Counters: map[string]int64{"errors": 1}},
			{Numbers: Numbers{Own: 2}}, {Numbers: Numbers{Own: 3}}}, uses)
		return err
	}))
}
