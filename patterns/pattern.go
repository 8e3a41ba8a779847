// Package patterns says who talks to whom in b_eff and which bytes go where in
// b_eff_io. It is pure data: it knows no MPI, measures nothing and averages
// nothing.
//
// "Paper" is Rabenseifner and Koniges, Effective Communication and File-I/O
// Bandwidth Benchmarks, LNCS 2131, 2001.
//
// A pattern is asked for one rank at a time and computes the answer. Lists for
// all ranks are not kept: with a million processes the 30 random patterns would
// take over 100 MB on each.
package patterns

import (
	"fmt"
	"math"
	"slices"
)

// None is the missing side of an exchange.
const None = -1

// Exchange is one step of a process: it sends one message to Dest while it
// receives one from Source. Both are ranks in the pattern's Topology; None
// means that there is no message on this side. Never are both None.
type Exchange struct{ Dest, Source int }

// Kind says which of b_eff's averages a pattern belongs to.
type Kind string

// The kinds: rings and randoms count for b_eff, details are only reported
// (paper, Sec. 3).
const (
	KindRing   Kind = "ring"
	KindRandom Kind = "random"
	KindDetail Kind = "detail"
)

// Topology is the communicator in which a pattern counts its ranks. Without
// Dims it is the world in its own order, otherwise a Cartesian one of that
// shape, ranks in row-major order (MPI 4.1, 8.2), with reorder allowed. Its
// product may be less than the size of the world. Patterns share the slices:
// read only.
type Topology struct {
	Dims     []int
	Periodic []bool // as long as Dims
}

// Pattern is one communication pattern. It holds no memory that grows with
// the number of processes and may be used by many goroutines.
type Pattern struct {
	Name         string   // unique within a list, lower case, no blanks; a shell wants ring names quoted
	Kind         Kind     // the average it counts for
	Processes    int      // ranks 0..Processes-1 of Topology exchange, others have nothing to do
	Messages     int64    // messages of one loop, summed over all processes
	Topology     Topology // the communicator its ranks are counted in
	SendrecvOnly bool     // measured by the Sendrecv method alone

	exchanges func(rank int) []Exchange // for 0 <= rank < Processes
}

// Exchanges returns what rank has to do in one loop, in this order; nil if
// nothing. No two exchanges have the same Dest or the same Source other than
// None, so one Alltoallv can do them all, and blocking calls in list order do
// not deadlock. A random pattern takes time proportional to Processes, and 4
// bytes per process while it runs; all others take constant time.
func (p Pattern) Exchanges(rank int) []Exchange {
	if rank < 0 || rank >= p.Processes {
		return nil
	}
	return p.exchanges(rank)
}

// BEff returns the patterns of b_eff for processes 0..processes-1 in measuring
// order: 6 rings, 30 randoms, then the details (paper, Sec. 3). The same seed
// gives the same patterns on every process and machine. Where few processes
// make several rings equal, the later ones are named with "#2", "#3" and so on
// at the end. It is an error if processes is less than 2 or no C int.
func BEff(processes int, seed uint64) ([]Pattern, error) {
	if processes < 2 || processes > math.MaxInt32 {
		return nil, fmt.Errorf("b_eff patterns: %d processes, need 2 to %d", processes, math.MaxInt32)
	}
	list := slices.Concat(rings(processes), randoms(processes, seed), details(processes))
	seen := map[string]int{}
	for i := range list {
		p := &list[i]
		seen[p.Name]++
		if n := seen[p.Name]; n > 1 {
			p.Name = fmt.Sprintf("%s#%d", p.Name, n)
		}
	}
	return list, nil
}

// pingPong appends a message to first while one comes from second, then the
// reverse. Where both are the same partner the pong is dropped, or Alltoallv
// could not express the pattern.
func pingPong(list []Exchange, first, second int) []Exchange {
	if first == second {
		return append(list, Exchange{first, second})
	}
	return append(list, Exchange{first, second}, Exchange{second, first})
}
