package flow

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/host"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/rating"
)

// Each process of a node reads the memory of the next process, unless it is the only one. Processes that share no
// segment are found. A process with more segments than are compared is assumed to share one.
func TestNeighbours(t *testing.T) {
	with := func(process int, segments ...string) ways {
		return waysOf(host.Transports{Process: process, Shared: segments})
	}
	require.Equal(t, []neighbour{{Shares: 1}}, neighbours([]ways{with(5)}), "a node to itself")
	require.Equal(t, []neighbour{{memory{Process: 6}, 1}, {memory{Process: 7}, 1}, {memory{Process: 5}, 0}},
		neighbours([]ways{with(5, "a", "own"), with(6, "a"), with(7, "b")}))
	require.Equal(t, []neighbour{{Shares: 0}, {memory{Process: 5}, 1}},
		neighbours([]ways{with(5, "b"), {Segments: maxSegments + 1}}))
}

// Rank 0 receives at most 64 bytes from each rank for its place and its ways.
func TestBytesOfRank(t *testing.T) {
	require.LessOrEqual(t, binary.Size(place{})+binary.Size(way{}), 64)
}

// Ranks that share processors are found if they have fewer than one processor each. Ranks that share a core by its
// hardware threads are found if their node has enough cores.
func TestSharedProcessors(t *testing.T) {
	at := func(cpus string, core int32) seat { return seat{CPUs: cpus, Core: core, Cores: 4} }
	for name, c := range map[string]struct {
		all      []seat
		over     float64
		siblings string
	}{
		"each its own": {[]seat{at("0", 0), at("1", 1), at("2", 2)}, 0, ""},
		"one core":     {[]seat{at("0", 0), at("0", 0), at("1-3", job.Anywhere)}, 2, ""},
		"in a set":     {[]seat{at("0", 0), at("0-1", job.Anywhere), at("0-1", job.Anywhere)}, 1.5, ""},
		"siblings":     {[]seat{at("0", 0), at("4", 0), at("1", 1)}, 0, "0-1"},
		"both threads": {[]seat{at("0,4", 0), at("0,4", 0), at("1,5", 1)}, 0, "0-1"},
		"unbound":      {[]seat{at("0-7", job.Anywhere), at("0-7", job.Anywhere)}, 0, ""},
		"not known":    {[]seat{{Core: job.Anywhere}, {Core: job.Anywhere}}, 0, ""},
	} {
		ranks := make([]int, len(c.all))
		for i := range ranks {
			ranks[i] = i
		}
		over, siblings := sharedProcessors([][]int{ranks}, c.all)
		require.Equal(t, c.over, over, name)
		if siblings == nil {
			siblings = &rating.SomeRanks{}
		}
		require.Equal(t, c.siblings, siblings.Ranks, name)
	}
	few := []seat{{CPUs: "0", Core: 0, Cores: 1}, {CPUs: "1", Core: 0, Cores: 1}}
	_, siblings := sharedProcessors([][]int{{0, 1}}, few)
	require.Nil(t, siblings, "the node has no other core")
}

// The conditions of 100,000 ranks take little room, even if every third rank has bad conditions.
func TestConditionsOfManyRanks(t *testing.T) {
	const ranks, perNode = 100_000, 50
	var nodes [][]int
	all, places := make([][]way, ranks), make([]seat, ranks)
	for rank := range ranks {
		if rank%perNode == 0 {
			nodes = append(nodes, nil)
		}
		last := len(nodes) - 1
		nodes[last] = append(nodes[last], rank)
		all[rank] = []way{{Open: uint64(rank)}}
		if rank%3 == 0 {
			all[rank][0].Alone, all[rank][0].NoCopy = 1, 1
		}
		places[rank] = seat{CPUs: fmt.Sprint(rank % 7), Core: int32(rank % 7), Cores: perNode}
	}
	c := rating.Conditions{Unshared: someRanks(ranksWith(all, func(w way) bool { return w.Alone > 0 })),
		NoCopy: someRanks(ranksWith(all, func(w way) bool { return w.NoCopy > 0 }))}
	c.Overcommit, c.Siblings = sharedProcessors(nodes, places)
	require.Equal(t, (ranks+2)/3, c.Unshared.Count)
	require.InDelta(t, 8, c.Overcommit, 1e-9)
	data, err := json.Marshal(c)
	require.NoError(t, err)
	require.Less(t, len(data), 64<<10)
	require.LessOrEqual(t, len(someRanks([]int{0, 7, 9, 30, 44, 1000, 1001, 5000}).Ranks), maxRanksText)
}

// The first rank that can't copy gives the reason.
func TestAddReason(t *testing.T) {
	require.NoError(t, local.Run(4, func(e mpi.Engine) error {
		text, all := "", [][]way(nil)
		some := (*rating.SomeRanks)(nil)
		rank := e.World().Rank()
		if rank > 1 {
			text = fmt.Sprintf("reason of %d", rank)
		}
		if rank == 0 {
			all = [][]way{{{}}, {{Alone: 1}}, {{NoCopy: 1}}, {{NoCopy: 1}}}
			some = &rating.SomeRanks{Count: 2, Ranks: "2-3"}
		}
		err := addReason(some, e.World(), all, text)
		if rank == 0 {
			require.Equal(t, "reason of 2", some.Why)
		}
		return errors.Join(err, addReason(nil, e.World(), make([][]way, 0), text))
	}))
}
