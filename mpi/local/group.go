package local

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/effective-bandwidth/beff/mpi"
)

// group is the state that the processes of a communicator share. A member writes its own slot, and the others read the
// slot after a meeting.
type group struct {
	world   *world
	members []*rank
	context uint32 // of point-to-point calls

	bytes   [][]byte
	values  [][]float64
	splits  []split
	result  []float64    // of a reduction, written by member 0; nil if the members pass different numbers of values
	opened  *opened      // by OpenFile, written by member 0; the next OpenFile replaces it
	exposed []exposed    // by NewWindow, written by member 0; the next NewWindow replaces it
	copy    *group       // of the members, for DupFree: written once by member 0
	calls   []memberCall // the current collective calls of the members
	// until holds the decisions of Decide's root (mpi.Loops.Until) by the parity of the meeting, because the next
	// meeting may begin before all members have read the last decision.
	until  [2]int64
	signal signalTurns // by StopOnSignal calls

	mu      sync.Mutex
	ongoing map[int64]*ongoing // nonblocking calls that some members haven't started, by their number
	spare   []*ongoing         // finished calls to reuse

	_       [line]byte
	arrived atomic.Int64
	_       [line]byte
	round   atomic.Uint64 // number of meetings so far
	_       [line]byte
}

// split holds the arguments of one member in Split, and its result.
type split struct {
	color, key int
	group      *group
	number     int // in group
}

// memberCall is a member's call. It has its own cache line, because all members read it and its owner writes it in each
// call.
type memberCall struct {
	*record
	root int // of a nonblocking call
	_    [line - 16]byte
}

func newGroup(w *world, members []*rank) *group {
	n := len(members)
	return &group{
		world: w, members: members, context: w.contexts.Add(2), ongoing: map[int64]*ongoing{},
		bytes: make([][]byte, n), values: make([][]float64, n), splits: make([]split, n), calls: make([]memberCall, n),
		signal: signalTurns{turns: make([]atomic.Int64, n)},
	}
}

// renewCopy makes the group's copy, or gives it a new context.
func (g *group) renewCopy() {
	if g.copy == nil {
		g.copy = newGroup(g.world, g.members)
		return
	}
	g.copy.context = g.world.contexts.Add(2)
}

// arrive counts the arrival of a member and reports whether it is the last one, which ends the meeting.
func (g *group) arrive() (last bool) {
	last = g.arriveLast()
	if last {
		g.end()
	}
	return last
}

// arriveLast counts the arrival of a member and reports whether it is the last one, which then must call end.
func (g *group) arriveLast() bool { return g.arrived.Add(1) == int64(len(g.members)) }

// end ends a meeting by starting the next round. The other members wait for that.
func (g *group) end() {
	g.arrived.Store(0)
	g.round.Add(1)
	g.wake()
}

func (g *group) wake() {
	for _, r := range g.members {
		r.wake()
	}
}

// reduce combines the members' values. It does so in the order of the ranks, so that the result is the same in each
// run.
func (g *group) reduce(op mpi.Reduction) {
	g.result = slices.Clone(g.values[0])
	for _, values := range g.values[1:] {
		if len(values) != len(g.result) {
			g.result = nil
			return
		}
		for i, v := range values {
			switch op {
			case mpi.Sum:
				g.result[i] += v
			case mpi.Max:
				g.result[i] = max(g.result[i], v)
			case mpi.Min:
				g.result[i] = min(g.result[i], v)
			}
		}
	}
}

// divide makes the groups of Split. Members of equal key keep their order (MPI 4.1, 7.4.2).
func (g *group) divide() {
	colors := map[int][]int{}
	for i, s := range g.splits {
		if s.color >= 0 {
			colors[s.color] = append(colors[s.color], i)
		}
	}
	for _, members := range colors {
		slices.SortStableFunc(members, func(a, b int) int { return g.splits[a].key - g.splits[b].key })
		ranks := make([]*rank, len(members))
		for i, m := range members {
			ranks[i] = g.members[m]
		}
		part := newGroup(g.world, ranks)
		for i, m := range members {
			g.splits[m].group, g.splits[m].number = part, i
		}
	}
}
