package patterns

import (
	"fmt"
	"math"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

var sizes = []int{2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 16, 17, 31, 32, 33, 64, 97, 100, 128}

// each runs f for every pattern of every number of processes.
func each(t *testing.T, f func(t *testing.T, p Pattern)) {
	for _, processes := range sizes {
		for _, p := range bEff(t, processes, 1) {
			t.Run(fmt.Sprintf("%d/%s", processes, p.Name), func(t *testing.T) { f(t, p) })
		}
	}
}

func bEff(t testing.TB, processes int, seed uint64) []Pattern {
	list, err := BEff(processes, seed)
	require.NoError(t, err)
	return list
}

// named returns the pattern with the given name.
func named(t *testing.T, processes int, name string) Pattern {
	list := bEff(t, processes, 1)
	i := slices.IndexFunc(list, func(p Pattern) bool { return p.Name == name })
	require.GreaterOrEqual(t, i, 0, name)
	return list[i]
}

func TestBEffProcesses(t *testing.T) {
	for _, processes := range []int{-1, 0, 1, math.MinInt} {
		list, err := BEff(processes, 1)
		require.ErrorContains(t, err, fmt.Sprint(processes))
		require.Nil(t, list)
	}
	_, err := BEff(math.MaxInt32, 1)
	require.NoError(t, err)
}

func TestMessagesMeet(t *testing.T) {
	each(t, func(t *testing.T, p Pattern) {
		type message struct{ from, to int }
		sent, received := map[message]int{}, map[message]int{}
		for rank := range p.Processes {
			for _, e := range p.Exchanges(rank) {
				require.False(t, e.Dest == None && e.Source == None, "nothing to do")
				if e.Dest != None {
					sent[message{rank, e.Dest}]++
				}
				if e.Source != None {
					received[message{e.Source, rank}]++
				}
			}
		}
		require.Equal(t, sent, received)
		require.EqualValues(t, len(sent), p.Messages)
		for m, times := range sent {
			require.Equal(t, 1, times, "Alltoallv has one message for %v", m)
			require.NotEqual(t, m.from, m.to)
			require.True(t, 0 <= m.to && m.to < p.Processes, "%v", m)
		}
	})
}

func TestNoDeadlock(t *testing.T) {
	each(t, func(t *testing.T, p Pattern) {
		lists := make([][]Exchange, p.Processes)
		for rank := range lists {
			lists[rank] = p.Exchanges(rank)
		}
		require.True(t, completes(lists, 2))
	})
	both := []Exchange{{Dest: 1, Source: None}, {Dest: None, Source: 1}}
	require.False(t, completes([][]Exchange{both, {{0, None}, {None, 0}}}, 1), "both send first")
	require.False(t, completes([][]Exchange{{{1, 1}}, {{0, None}}}, 1), "a message is never sent")
}

// completes runs the lists with blocking calls for some loops and reports whether all ranks finish. A message is passed
// only when both its sides are in their calls (rendezvous). A call ends when both its messages are passed.
func completes(lists [][]Exchange, loops int) bool {
	at, open := make([]int, len(lists)), make([]Exchange, len(lists))
	start := func(rank int) {
		open[rank] = Exchange{None, None}
		if at[rank] < loops*len(lists[rank]) {
			open[rank] = lists[rank][at[rank]%len(lists[rank])]
		}
	}
	for rank := range lists {
		start(rank)
	}
	for moved := true; moved; {
		moved = false
		for rank := range lists {
			if to := open[rank].Dest; to != None && open[to].Source == rank {
				open[rank].Dest, open[to].Source, moved = None, None, true
			}
		}
		for rank := range lists {
			if at[rank] < loops*len(lists[rank]) && open[rank] == (Exchange{None, None}) {
				at[rank]++
				start(rank)
			}
		}
	}
	for rank := range lists {
		if at[rank] < loops*len(lists[rank]) {
			return false
		}
	}
	return true
}

func TestRanksOutside(t *testing.T) {
	each(t, func(t *testing.T, p Pattern) {
		for _, rank := range []int{math.MinInt, None, p.Processes, math.MaxInt} {
			require.Nil(t, p.Exchanges(rank))
		}
	})
	require.Nil(t, Pattern{}.Exchanges(0))
}

func TestTopologies(t *testing.T) {
	each(t, func(t *testing.T, p Pattern) {
		dims := p.Topology.Dims
		require.Len(t, p.Topology.Periodic, len(dims))
		product := 1
		for _, d := range dims {
			product *= d
		}
		if len(dims) > 0 {
			require.Equal(t, p.Processes, product)
		}
	})
	ring := Topology{Dims: []int{7}, Periodic: []bool{true}}
	require.Equal(t, ring, named(t, 7, "ring-1*7fix").Topology)
	require.Empty(t, named(t, 7, "random-01").Topology)
	require.Empty(t, named(t, 7, "worst-cycle").Topology)
	grid := Topology{Dims: []int{3, 2}, Periodic: []bool{false, false}}
	require.Equal(t, grid, named(t, 7, "cart2d-acyclic").Topology)
	grid.Periodic = []bool{true, true}
	require.Equal(t, grid, named(t, 7, "cart2d-cyclic-dim1").Topology)
}

func TestNames(t *testing.T) {
	word := regexp.MustCompile(`^[a-z][a-z0-9*&+#-]*$`)
	for _, processes := range sizes {
		seen := map[string]bool{}
		for i, p := range bEff(t, processes, 1) {
			require.Regexp(t, word, p.Name)
			require.False(t, seen[p.Name], p.Name)
			seen[p.Name] = true
			want := KindDetail
			if i < 6 {
				want = KindRing
			} else if i < 36 {
				want = KindRandom
			}
			require.Equal(t, want, p.Kind, p.Name)
			require.Equal(t, p.Name == "ping-pong", p.SendrecvOnly)
		}
	}
}

func TestConcurrent(t *testing.T) {
	const processes = 16
	list := bEff(t, processes, 1)
	var want [processes][][]Exchange
	for rank := range want {
		for _, p := range list {
			want[rank] = append(want[rank], p.Exchanges(rank))
		}
	}
	var group sync.WaitGroup
	for rank := range want {
		group.Go(func() {
			for i, p := range list {
				if !slices.Equal(want[rank][i], p.Exchanges(rank)) {
					t.Errorf("%s: rank %d differs", p.Name, rank)
				}
			}
		})
	}
	group.Wait()
}

// Without a collection in between, the heap grows by all allocations, and shrinks by the memory released.
func TestMillionMemory(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	begin, peak := live(), uint64(0)
	list := setUp(t, 1_000_000, 654_321, func() { peak = max(peak, heap()) })
	require.Less(t, int64(peak-begin), int64(16e6), "two permutations including garbage, not one for each pattern")
	with := live()
	runtime.KeepAlive(list)
	require.Less(t, int64(with-live()), int64(100e3), "memory that the patterns hold")
	require.Less(t, int64(with-begin), int64(1e6), "no permutation is left")
}

// live returns the bytes of objects that are still used.
func live() uint64 {
	runtime.GC()
	runtime.GC() // the pool releases its scratch memory at the second collection
	return heap()
}

// heap returns the bytes of all objects, garbage included.
func heap() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// setUp makes the patterns, and one rank's exchanges in each, as a process does before it measures. It calls after at
// the end of each step.
func setUp(t testing.TB, processes, rank int, after func()) []Pattern {
	list := bEff(t, processes, 1)
	after()
	for _, p := range list {
		if p.Processes > rank {
			require.NotEmpty(t, p.Exchanges(rank), p.Name)
		}
		after()
	}
	return list
}

// BenchmarkSetUpMillion measures the set-up of one rank of a million.
func BenchmarkSetUpMillion(b *testing.B) {
	var peak uint64
	for b.Loop() {
		setUp(b, 1_000_000, 654_321, func() { peak = max(peak, heap()) })
	}
	b.ReportMetric(float64(peak)/1e6, "MB-peak-heap")
}

func ExampleBEff() {
	list, err := BEff(5, 1)
	if err != nil {
		panic(err)
	}
	for _, p := range list {
		if p.Kind != KindRandom {
			fmt.Printf("%-18s %d processes, %2d messages, rank 1: %v\n", p.Name, p.Processes, p.Messages,
				p.Exchanges(1))
		}
	}
	// Output:
	// ring-2*2&+1        5 processes,  8 messages, rank 1: [{0 0}]
	// ring-1*5fix        5 processes, 10 messages, rank 1: [{0 2} {2 0}]
	// ring-1*5fix#2      5 processes, 10 messages, rank 1: [{0 2} {2 0}]
	// ring-1*5fix#3      5 processes, 10 messages, rank 1: [{0 2} {2 0}]
	// ring-1*5fix#4      5 processes, 10 messages, rank 1: [{0 2} {2 0}]
	// ring-1*5fix#5      5 processes, 10 messages, rank 1: [{0 2} {2 0}]
	// worst-cycle        5 processes, 10 messages, rank 1: [{4 3} {3 4}]
	// bisection-best     4 processes,  4 messages, rank 1: [{-1 0} {0 -1}]
	// bisection-worst    4 processes,  4 messages, rank 1: [{2 -1} {-1 2}]
	// ping-pong          2 processes,  2 messages, rank 1: [{-1 0} {0 -1}]
	// cart2d-acyclic     4 processes,  8 messages, rank 1: [{-1 3} {3 -1} {0 -1} {-1 0}]
	// cart2d-cyclic-dim0 4 processes,  4 messages, rank 1: [{3 3}]
	// cart2d-cyclic-dim1 4 processes,  4 messages, rank 1: [{0 0}]
	// cart2d-cyclic-all  4 processes,  8 messages, rank 1: [{3 3} {0 0}]
	// cart3d-acyclic     4 processes,  8 messages, rank 1: [{-1 3} {3 -1} {0 -1} {-1 0}]
	// cart3d-cyclic-dim0 4 processes,  4 messages, rank 1: [{3 3}]
	// cart3d-cyclic-dim1 4 processes,  4 messages, rank 1: [{0 0}]
	// cart3d-cyclic-all  4 processes,  8 messages, rank 1: [{3 3} {0 0}]
}

// TestEach compares Each with Exchanges of every rank.
func TestEach(t *testing.T) {
	for _, processes := range []int{2, 3, 16, 37} {
		list, err := BEff(processes, 5)
		require.NoError(t, err)
		for _, p := range list {
			next := 0
			p.Each(func(rank int, exchanges []Exchange) {
				require.Equal(t, next, rank)
				require.Equal(t, p.Exchanges(rank), exchanges, "%s, rank %d of %d", p.Name, rank, processes)
				next++
			})
			require.Equal(t, p.Processes, next)
		}
	}
}
