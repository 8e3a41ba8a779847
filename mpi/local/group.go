package local

import (
	"slices"
	"sync/atomic"

	"github.com/effective-bandwidth/beff/mpi"
)

// group is what the processes of a communicator share. A member writes its own slot, and others read it after a
// meeting.
type group struct {
	world   *world
	members []*rank
	context uint32 // of point-to-point calls; that of collective calls is the next one

	bytes  [][]byte
	values [][]float64
	splits []split
	result []float64 // of a reduction, written by member 0; nil if the members didn't agree
	opened *opened   // by OpenFile, written by member 0
	shown  []shown   // the members' collective calls
	// what Decide's root says, by the number of the meeting: the next one may come before all have read
	enough [2]bool

	_       [line]byte
	arrived atomic.Int64
	_       [line]byte
	round   atomic.Uint64 // meetings so far
	_       [line]byte
}

// split is what a member says in Split, and what becomes of it.
type split struct {
	color, key int
	group      *group
	number     int // in group
}

// shown is a member's call, in a line of its own because all look at it and its owner writes it in each call.
type shown struct {
	*record
	_ [line - 8]byte
}

func newGroup(w *world, members []*rank) *group {
	n := len(members)
	return &group{
		world: w, members: members, context: w.contexts.Add(2),
		bytes: make([][]byte, n), values: make([][]float64, n), splits: make([]split, n), shown: make([]shown, n),
	}
}

// arrive counts a member in and says whether it is the last; the others wait for the next round.
func (g *group) arrive() (last bool) {
	if g.arrived.Add(1) < int64(len(g.members)) {
		return false
	}
	g.arrived.Store(0)
	g.round.Add(1)
	for _, r := range g.members {
		r.wake()
	}
	return true
}

// reduce combines the members' values, in the order of the ranks so that the result is the same in each run.
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

// divide makes the groups of Split.
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
