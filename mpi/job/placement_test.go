package job

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
)

// every returns count ranks that begin with first and are step apart.
func every(first, count, step int) []int {
	list := make([]int, count)
	for i := range list {
		list[i] = first + i*step
	}
	return list
}

func TestRanges(t *testing.T) {
	for want, ranks := range map[string][]int{
		"":                 {},
		"0":                {0},
		"7":                {7},
		"0-1":              {0, 1},
		"0,2":              {0, 2},
		"0-2":              {0, 1, 2},
		"0-4:2":            {0, 2, 4},
		"0-63":             every(0, 64, 1),
		"3-99:4":           every(3, 25, 4),
		"0,2-4":            {0, 2, 3, 4},
		"0-2,4":            {0, 1, 2, 4},
		"0-4:2,5-6":        {0, 2, 4, 5, 6},
		"0-1,3-4,6-7":      {0, 1, 3, 4, 6, 7},
		"1,5,8-10,14":      {1, 5, 8, 9, 10, 14},
		"0-99999":          every(0, 100_000, 1),
		"0-99996:4":        every(0, 25_000, 4),
		"0-30:10,31-34,99": {0, 10, 20, 30, 31, 32, 33, 34, 99},
		"0,3,7,12,18,25":   {0, 3, 7, 12, 18, 25},
		"0,1000000":        {0, 1_000_000},
	} {
		require.Equal(t, want, ranges(ranks))
	}
}

// parse returns the ranks that ranges has formatted.
func parse(t *testing.T, text string) []int {
	number := func(s string) int {
		n, err := strconv.Atoi(s)
		require.NoError(t, err, text)
		return n
	}
	var list []int
	for _, part := range strings.Split(text, ",") {
		span, step, stepped := strings.Cut(part, ":")
		first, last, isRange := strings.Cut(span, "-")
		by := 1
		if stepped {
			by = number(step)
		}
		if !isRange {
			last = first
		}
		for r := number(first); r <= number(last); r += by {
			list = append(list, r)
		}
	}
	return list
}

// TestRangesRoundTrip checks that any ranks are parsed back exactly.
func TestRangesRoundTrip(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		var ranks []int
		density := random.Float64()
		for r := range 60 {
			if random.Float64() < density {
				ranks = append(ranks, r)
			}
		}
		if len(ranks) > 0 {
			require.Equal(t, ranks, parse(t, ranges(ranks)))
		}
	}
}

func cpus(list ...int) CPUs {
	var set CPUs
	for _, i := range list {
		set.Add(i)
	}
	return set
}

func TestCPUs(t *testing.T) {
	require.Zero(t, CPUs{}.Count())
	require.Equal(t, 6, cpus(0, 1, 63, 64, 1023, 1<<20).Count())
	require.Equal(t, []int{1, 63, 64, 5000}, cpus(5000, 1, 64, 63).List())
}

func TestLayout(t *testing.T) {
	const gib = 1 << 30
	node := func(host string, memory int64, on ...int) Node { return Node{host, memory, memory / 2, cpus(on...)} }
	on := func(host, ranks string, processes, processors int) Placement {
		return Placement{Host: host, Ranks: ranks, Processes: processes, Processors: processors}
	}
	of := func(p []Placement, ranks [][]int, memory, total int64) Layout {
		return Layout{p, ranks, memory, memory / 2, total}
	}
	for name, c := range map[string]struct {
		nodes []Node
		want  Layout
	}{
		"one process": {
			[]Node{node("a", 8*gib, 0)},
			of([]Placement{on("a", "0", 1, 1)}, [][]int{{0}}, 8*gib, 8*gib),
		},
		"block": {
			[]Node{node("a", 8*gib, 0), node("a", 8*gib, 1), node("b", 8*gib, 0), node("b", 8*gib, 1)},
			of([]Placement{on("a", "0-1", 2, 2), on("b", "2-3", 2, 2)},
				[][]int{{0, 1}, {2, 3}}, 4*gib, 16*gib),
		},
		"round robin": {
			[]Node{node("a", 8*gib, 0), node("b", 8*gib, 0), node("a", 8*gib, 1), node("b", 8*gib, 1),
				node("a", 8*gib, 2), node("b", 8*gib, 2)},
			of([]Placement{on("a", "0-4:2", 3, 3), on("b", "1-5:2", 3, 3)},
				[][]int{{0, 2, 4}, {1, 3, 5}}, 8*gib/3,
				16*gib),
		},
		"in the order of the first ranks": {
			[]Node{node("z", gib, 0), node("a", gib, 0), node("m", gib, 0)},
			of([]Placement{on("z", "0", 1, 1), on("a", "1", 1, 1), on("m", "2", 1, 1)},
				[][]int{{0}, {1}, {2}}, gib,
				3*gib),
		},
		"the smaller share counts": {
			[]Node{node("a", 8*gib, 0), node("b", 9*gib, 0), node("b", 9*gib, 1), node("b", 9*gib, 2)},
			of([]Placement{on("a", "0", 1, 1), on("b", "1-3", 3, 3)},
				[][]int{{0}, {1, 2, 3}}, 3*gib, 17*gib),
		},
		"the smaller node counts, wherever it is": {
			[]Node{node("a", 8*gib, 0), node("b", 2*gib, 0), node("c", 8*gib, 0)},
			of([]Placement{on("a", "0", 1, 1), on("b", "1", 1, 1), on("c", "2", 1, 1)},
				[][]int{{0}, {1}, {2}}, 2*gib,
				18*gib),
		},
		"the least that one of a node's processes sees": {
			[]Node{node("a", 8*gib, 0), node("a", 2*gib, 1)},
			of([]Placement{on("a", "0-1", 2, 2)}, [][]int{{0, 1}}, gib, 2*gib),
		},
		"one node's memory is not known": {
			[]Node{node("a", 8*gib, 0), node("b", 0, 0), node("c", 16*gib, 0)},
			of([]Placement{on("a", "0", 1, 1), on("b", "1", 1, 1), on("c", "2", 1, 1)},
				[][]int{{0}, {1}, {2}}, 0, 0),
		},
		"crowded": {
			[]Node{node("a", 8*gib, 0, 1), node("a", 8*gib, 0, 1), node("a", 8*gib, 0, 1), node("b", 8*gib, 0, 1)},
			of([]Placement{on("a", "0-2", 3, 2), on("b", "3", 1, 2)},
				[][]int{{0, 1, 2}, {3}}, 8*gib/3, 16*gib),
		},
		"all bound to the same core": {
			[]Node{node("a", 8*gib, 5), node("a", 8*gib, 5)},
			of([]Placement{on("a", "0-1", 2, 1)}, [][]int{{0, 1}}, 4*gib, 8*gib),
		},
		"bound to overlapping cores": {
			[]Node{node("a", 8*gib, 0, 1), node("a", 8*gib, 1, 2), node("a", 8*gib, 2, 0)},
			of([]Placement{on("a", "0-2", 3, 3)}, [][]int{{0, 1, 2}}, 8*gib/3, 8*gib),
		},
		"processors are not known": {
			[]Node{node("a", 8*gib), node("a", 8*gib)},
			of([]Placement{on("a", "0-1", 2, 0)}, [][]int{{0, 1}}, 4*gib, 8*gib),
		},
		"no name": {
			[]Node{node("", 8*gib, 0), node("", 8*gib, 1)},
			of([]Placement{on("", "0-1", 2, 2)}, [][]int{{0, 1}}, 4*gib, 8*gib),
		},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, &c.want, layout(c.nodes)) })
	}
}

// TestLayoutOfManyRanks checks that the text for 100,000 ranks on 1000 hosts is short, in blocks or round robin.
func TestLayoutOfManyRanks(t *testing.T) {
	const ranks, hosts = 100_000, 1000
	for name, host := range map[string]func(rank int) int{
		"block":       func(rank int) int { return rank / (ranks / hosts) },
		"round robin": func(rank int) int { return rank % hosts },
	} {
		t.Run(name, func(t *testing.T) {
			nodes := make([]Node, ranks)
			for r := range nodes {
				nodes[r] = Node{fmt.Sprintf("n%04d", host(r)), 1 << 40, 1 << 39, cpus(every(0, 128, 1)...)}
			}
			l := layout(nodes)
			require.Len(t, l.Placement, hosts)
			require.EqualValues(t, int64(1<<40)/100, l.Memory)
			for _, p := range l.Placement {
				require.False(t, p.Crowded())
				require.LessOrEqual(t, len(p.Ranks), len("00999-99999:1000"), p.Ranks)
				require.Len(t, parse(t, p.Ranks), ranks/hosts)
			}
		})
	}
}

// TestLocate checks that Locate returns the facts of all ranks on rank 0, and nil on the others.
func TestLocate(t *testing.T) {
	long := strings.Repeat("n", 300)
	names := []string{"a", "b", "a", long, "b", "a"}
	layouts := make([]*Layout, len(names))
	require.NoError(t, local.Run(len(names), func(e mpi.Engine) error {
		rank := e.World().Rank()
		l, err := Locate(e.World(), Node{names[rank], int64(rank+1) << 30, int64(rank+1) << 20,
			cpus(rank, 1023+1000*rank)})
		layouts[rank] = l
		return err
	}))
	require.Equal(t, &Layout{
		Placement: []Placement{{Host: "a", Ranks: "0,2,5", Processes: 3, Processors: 6},
			{Host: "b", Ranks: "1,4", Processes: 2, Processors: 4},
			{Host: long, Ranks: "3", Processes: 1, Processors: 2}},
		Ranks:  [][]int{{0, 2, 5}, {1, 4}, {3}},
		Memory: (1 << 30) / 3,
		Free:   (1 << 20) / 3,
		Total:  (1 + 2 + 4) << 30,
	}, layouts[0])
	for _, l := range layouts[1:] {
		require.Nil(t, l)
	}
}

func TestCrowded(t *testing.T) {
	require.True(t, Placement{Processes: 3, Processors: 2}.Crowded())
	require.False(t, Placement{Processes: 2, Processors: 2}.Crowded())
	require.False(t, Placement{Processes: 2}.Crowded(), "not known")
	full, unknown := Placement{Processes: 2, Processors: 2}, Placement{Processes: 2}
	crowded := Placement{Processes: 3, Processors: 2}
	for i, c := range []struct {
		list       []Placement
		own, known bool
	}{
		{nil, false, false}, {[]Placement{full}, true, true}, {[]Placement{unknown}, false, false},
		{[]Placement{full, unknown}, false, false}, {[]Placement{unknown, crowded}, false, true},
	} {
		own, known := OwnProcessors(c.list)
		require.Equal(t, [2]bool{c.own, c.known}, [2]bool{own, known}, "%d", i)
	}
}

// TestCheckPlacement checks that a placement must have each rank once, or be empty.
func TestCheckPlacement(t *testing.T) {
	for want, list := range map[string][]Placement{
		"":                        {{Ranks: "0-2:2", Processes: 2}, {Ranks: "1,3", Processes: 2}},
		"have 3 processes, not 4": {{Ranks: "0-2", Processes: 3}},
		"more than 4 processes":   {{Ranks: "0-3", Processes: 4}, {Ranks: "0", Processes: 1}},
		"rank 1 is on two hosts":  {{Ranks: "0-1", Processes: 2}, {Ranks: "1-2", Processes: 2}},
		"rank 4 is on two hosts":  {{Ranks: "0-1", Processes: 2}, {Ranks: "3-4", Processes: 2}},
		"want 2, not 1":           {{Ranks: "0-1", Processes: 2}, {Ranks: "2", Processes: 2}},
	} {
		if err := CheckPlacement(list, 4); want == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, want)
		}
	}
	require.NoError(t, CheckPlacement(nil, 4))
	vast := []Placement{{Ranks: "0-2147483646", Processes: math.MaxInt32}}
	require.NoError(t, CheckPlacement(vast, math.MaxInt32), "takes no memory")
}

// TestPlacementList checks that List returns the ranks that a placement names, and refuses any other text.
func TestPlacementList(t *testing.T) {
	for _, want := range [][]int{{0}, {0, 1}, {3, 5}, {0, 1, 2, 3}, {0, 4, 8, 12, 13, 14, 20}} {
		p := Placement{Ranks: ranges(want), Processes: len(want)}
		got, err := p.List()
		require.NoError(t, err, p.Ranks)
		require.Equal(t, want, got)
		p.Processes++
		_, err = p.List()
		require.Error(t, err, p.Ranks)
		p.Processes -= 2
		_, err = p.List()
		require.Error(t, err, p.Ranks)
	}
	for _, text := range []string{"", "x", "-1", "3-1", "0-3:0", "0-", "0-1:x", "0,,1", "99999999999"} {
		_, err := Placement{Ranks: text, Processes: 2}.List()
		require.ErrorContains(t, err, "ranks", text)
	}
}

func TestNumbering(t *testing.T) {
	for want, ranks := range map[string][]string{
		"block": {"0-3", "4-6"}, "cyclic": {"0-6:2", "1-5:2"}, "other": {"0-1,6-7", "2-5"}, "": {"0", "1"},
	} {
		require.Equal(t, want, Numbering(placed(ranks...)), ranks)
	}
	require.Equal(t, "cyclic", Numbering(placed("0,2", "1,3")))
	require.Equal(t, "block", Numbering(placed("0-1", "2")))
	require.Empty(t, Numbering(placed("0-7")), "one node")
}

// placed returns a placement with a host for each of ranks.
func placed(ranks ...string) (list []Placement) {
	for i, text := range ranks {
		n := 0
		for part := range strings.SplitSeq(text, ",") {
			var first, last, step int
			switch k, _ := fmt.Sscanf(part, "%d-%d:%d", &first, &last, &step); k {
			case 1:
				n++
			case 2:
				n += last - first + 1
			default:
				n += (last-first)/step + 1
			}
		}
		list = append(list, Placement{Host: fmt.Sprint("n", i), Ranks: text, Processes: n})
	}
	return list
}
