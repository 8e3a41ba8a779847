package measured

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi/job"
)

// Unfold turns the ranges of groups in documents of large jobs back into the same groups, in the same order.
func TestGroupRanges(t *testing.T) {
	const processes = 100_000
	all := lists.Numbers(processes)
	byColumn := lists.Of(processes, func(i int) int { return i%100*1000 + i/100 })
	pairs := lists.Of(processes/2, func(i int) []int { return []int{i, i + processes/2} })
	for name, c := range map[string]struct {
		groups [][]int
		most   int // bytes
	}{
		"all":         {[][]int{all}, 200},
		"by column":   {[][]int{byColumn}, 20_000},
		"pairs":       {pairs, 200},
		"neighbours":  {slices.Collect(slices.Chunk(all, 2)), 200},
		"nodes of 48": {slices.Collect(slices.Chunk(all[:99_984], 48)), 200},
		"backwards":   {[][]int{lists.Of(300, func(i int) int { return 299 - i })}, 1500},
		"few":         {[][]int{{2, 1}, {0, 3}}, 100},
	} {
		b := Block{Kernel: "PingPong", Processes: len(c.groups[0]), Groups: c.groups}
		text, err := json.Marshal([]Block{b, b})
		require.NoError(t, err)
		require.Less(t, len(text), 2*c.most, name)
		var read []Block
		require.NoError(t, json.Unmarshal(text, &read))
		require.NoError(t, Unfold(read))
		require.Equal(t, b, read[0], name)
		require.Equal(t, b, read[1], name)
		if name == "pairs" {
			require.Same(t, &read[0].Groups[0][0], &read[1].Groups[0][0], "equal groups share a list")
		}
	}
}

// Congestors of the same kind on the same nodes are one range. Memory that is as large as the text doesn't count, so a
// document may have many drawn groups.
func TestCongestorRanges(t *testing.T) {
	nodes := rand.New(rand.NewPCG(1, 2)).Perm(2000)[:1000]
	slice := func(i int) []int { return lists.Each(nodes, func(node int) int { return 48*node + i }) }
	var blocks []Block
	for range 2 {
		nodes = append(nodes[1:], nodes[0])
		b := Block{Kernel: "Ring_latency", Processes: 1}
		for i := range 48 {
			b.CongestorGroups = append(b.CongestorGroups, CongestorGroup{"alltoall", slice(i)})
		}
		b.CongestorGroups = append(b.CongestorGroups, CongestorGroup{"incast", slice(47)[1:]})
		blocks = append(blocks, b)
	}
	text, err := json.Marshal(blocks)
	require.NoError(t, err)
	require.Less(t, len(text), 2*2*7*len(nodes))
	var read []Block
	require.NoError(t, json.Unmarshal(text, &read))
	require.NoError(t, Unfold(read))
	require.Equal(t, blocks, read)

	room := 4000 // a drawn list has text for most of its memory
	drawn := rand.New(rand.NewPCG(1, 2)).Perm(10_000)
	_, err = GroupRange{Ranks: job.Ranges(drawn)}.groups(len(drawn), &room)
	require.NoError(t, err)
	require.Equal(t, 4000, room)
	_, err = GroupRange{Ranks: "0-9999"}.groups(len(drawn), &room)
	require.ErrorContains(t, err, "too many")
}

// A document can't describe groups of congestors without limit by naming the same range again.
func TestCongestorRangeLimits(t *testing.T) {
	many := CongestorRange{"alltoall", 1, GroupRange{"0", 1_000_000, 1}}
	require.NoError(t, Unfold([]Block{{Kernel: "a", CongestorRanges: []CongestorRange{
		{"alltoall", 1, GroupRange{"0", 1000, 1}}, {"alltoall", 1, GroupRange{"0", 1000, 1}}}}}))
	require.ErrorContains(t, Unfold([]Block{{Kernel: "a", CongestorRanges: []CongestorRange{many, many, many}}}),
		"congestors of a: 1000000 groups in a range are too many")
}

// A range can't describe more groups than a job has, and short ranges can't take more memory than the limit.
func TestGroupRangeLimits(t *testing.T) {
	for _, c := range []struct {
		processes int
		r         GroupRange
	}{
		{2, GroupRange{"0-1", 1 << 40, 2}},
		{1 << 24, GroupRange{"0-16777215", 0, 0}},
		{0, GroupRange{"0", 2, 1}},
		{2, GroupRange{"0", 2, 1}},
		{2, GroupRange{"0-1", 1, 1}},
		{2, GroupRange{"0-1", 2, 0}},
		{2, GroupRange{"0-1", 0, 2}},
		{2, GroupRange{"0-1", 2, -1}},
		{2, GroupRange{"0-1", 2, 1 << 40}},
		{2, GroupRange{"1-x", 2, 1}},
	} {
		require.Error(t, Unfold([]Block{{Processes: c.processes, GroupRanges: []GroupRange{c.r}}}), "%+v", c)
	}
	many := lists.Of(9, func(i int) Block { // the first eight fill the memory
		return Block{Processes: 1 << 20, GroupRanges: []GroupRange{{fmt.Sprintf("%d-%d", i, i+1<<20-1), 0, 0}}}
	})
	require.ErrorContains(t, Unfold(many), "too many")
}
