package flow

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/host"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/rating"
)

// Each rank reads the memory of the next rank on its node, unless there is none.
func TestNeighbours(t *testing.T) {
	list := neighbours([][]int{{0, 2}, {1}}, []ways{{Memory: memory{Process: 5}}, {Memory: memory{Process: 6}},
		{Memory: memory{Process: 7}, Segments: 1}})
	require.Equal(t, []memory{{Process: 7}, {}, {Process: 5}}, list)
}

// Ranks that share no segment with another rank of their node are found. A rank with more segments than are compared
// shares some.
func TestUnshared(t *testing.T) {
	with := func(segments ...string) ways { return waysOf(host.Transports{Shared: segments}) }
	all := []ways{with("a", "own"), with("b"), with("a"), with("b"), with(), with("a"), {Segments: maxSegments + 1}}
	require.Equal(t, []int{4}, unshared([][]int{{0, 2, 4}, {1, 3}, {5}}, all))
	require.Equal(t, []int{1}, unshared([][]int{{1, 6}}, all))
}

// Ranks that share processors are found if they have fewer than one each, and those that share a core by its hardware
// threads if their node has enough cores.
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

// The conditions of 100,000 ranks take little room, even if every third one is bad, each in another way.
func TestConditionsOfManyRanks(t *testing.T) {
	const ranks, perNode = 100_000, 50
	var nodes [][]int
	all, places := make([]ways, ranks), make([]seat, ranks)
	for rank := range ranks {
		if rank%perNode == 0 {
			nodes = append(nodes, nil)
		}
		last := len(nodes) - 1
		nodes[last] = append(nodes[last], rank)
		if rank%3 != 0 {
			all[rank] = waysOf(host.Transports{Shared: []string{fmt.Sprint(last)}})
		}
		places[rank] = seat{CPUs: fmt.Sprint(rank % 7), Core: int32(rank % 7), Cores: perNode}
	}
	c := rating.Conditions{Unshared: someRanks(unshared(nodes, all))}
	c.Overcommit, c.Siblings = sharedProcessors(nodes, places)
	require.Equal(t, (ranks+2)/3, c.Unshared.Count)
	require.InDelta(t, 8, c.Overcommit, 1e-9)
	data, err := json.Marshal(c)
	require.NoError(t, err)
	require.Less(t, len(data), 64<<10)
	require.LessOrEqual(t, len(someRanks([]int{0, 7, 9, 30, 44, 1000, 1001, 5000}).Ranks), maxRanksText)
}

// The ranks with a reason are listed, with the first one's.
func TestRanksWith(t *testing.T) {
	require.NoError(t, local.Run(4, func(e mpi.Engine) error {
		text := ""
		if rank := e.World().Rank(); rank > 1 {
			text = fmt.Sprintf("reason of %d", rank)
		}
		some, err := ranksWith(e.World(), text)
		if e.World().Rank() == 0 {
			require.Equal(t, &rating.SomeRanks{Count: 2, Ranks: "2-3", Why: "reason of 2"}, some)
		}
		none, err2 := ranksWith(e.World(), "")
		require.Nil(t, none)
		require.NoError(t, err2)
		return err
	}))
}
