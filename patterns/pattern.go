// Package patterns holds the communication patterns of b_eff (which ranks exchange messages) and the access patterns of
// b_eff_io (the sizes of its chunks). It is pure data: it makes no MPI calls, measures nothing and averages nothing.
//
// "Paper" is Rabenseifner and Koniges, Effective Communication and File-I/O
// Bandwidth Benchmarks, LNCS 2131, 2001.
//
// A pattern computes the exchanges of one rank when asked. No list for all ranks is kept: with a million processes the
// 30 random patterns would take over 100 MB on each process.
package patterns

import (
	"fmt"
	"math"
	"slices"
)

// None is the missing side of an exchange.
const None = -1

// Exchange is one step of a process: it sends one message to Dest while it receives one from Source. Both are ranks in
// the pattern's Topology. None means that there is no message on this side. At most one of them is None.
type Exchange struct{ Dest, Source int }

// Kind is the group of patterns of b_eff to which a pattern belongs.
type Kind string

// Rings and randoms count for b_eff; details are only reported (paper, Sec. 3).
const (
	KindRing   Kind = "ring"
	KindRandom Kind = "random"
	KindDetail Kind = "detail"
)

// Topology is the communicator that a pattern's ranks refer to. Without Dims it is the world. Otherwise it is a
// Cartesian communicator of that shape, with ranks in row-major order (MPI 4.1, 8.2) and reorder allowed. The product
// of Dims may be less than the size of the world. Patterns share the slices, so callers must not change them.
type Topology struct {
	Dims     []int
	Periodic []bool // one for each of Dims
}

// Pattern is one communication pattern. It holds no memory that grows with
// the number of processes and may be used by many goroutines.
type Pattern struct {
	Name         string   // unique within a list, lower case, no blanks; a shell wants ring names quoted
	Kind         Kind     // the group to which it belongs
	Processes    int      // ranks 0..Processes-1 of Topology take part, the others are idle
	Messages     int64    // messages of one loop, summed over all processes
	Topology     Topology // the communicator that its ranks refer to
	SendrecvOnly bool     // measured only by the Sendrecv method

	exchanges func(rank int) []Exchange // for 0 <= rank < Processes
	// all returns a function like exchanges that takes constant time, or is nil if exchanges takes constant time itself
	all func() func(rank int) []Exchange
}

// Each calls yield with the exchanges of every rank that takes part, in the order of the ranks. It takes time
// proportional to Processes and, for a random pattern, 8 bytes per process while it runs.
func (p Pattern) Each(yield func(rank int, list []Exchange)) {
	exchanges := p.exchanges
	if p.all != nil {
		exchanges = p.all()
	}
	for rank := range p.Processes {
		yield(rank, exchanges(rank))
	}
}

// Exchanges returns the exchanges of rank in one loop, in the order in which they are done, or nil if rank takes no
// part. No two exchanges have the same Dest or the same Source other than None, so one Alltoallv can do them all.
// Blocking calls in the order of the list do not deadlock. A random pattern takes time proportional to Processes, and 4
// bytes per process while it runs. All others take constant time.
func (p Pattern) Exchanges(rank int) []Exchange {
	if rank < 0 || rank >= p.Processes {
		return nil
	}
	return p.exchanges(rank)
}

// BEff returns the patterns of b_eff for processes 0..processes-1 in measuring order: 6 rings, 30 randoms, then the
// details (paper, Sec. 3). The same seed gives the same patterns on every process and machine. With so few processes
// that several rings are equal, the names of the later ones end with "#2", "#3" and so on. It is an error if processes
// is less than 2 or exceeds a C int.
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

// pingPong appends an exchange that sends to first and receives from second, then the reverse. If both are the same
// process the second exchange (the pong) is dropped, because Alltoallv has only one message for each partner.
func pingPong(list []Exchange, first, second int) []Exchange {
	if first == second {
		return append(list, Exchange{first, second})
	}
	return append(list, Exchange{first, second}, Exchange{second, first})
}

// longestMessage is the upper bound of Lmax, because counts are C ints (paper, Sec. 3, "On maximum message size").
const longestMessage = 128 << 20

// Lmax returns the longest message length in bytes for the given bytes of memory per process: 1/128 of the memory, at
// most 128 MB = 2^27 bytes.
func Lmax(memoryPerProcess int64) int64 {
	return min(memoryPerProcess/128, longestMessage)
}

// Lengths returns the 21 message lengths in bytes, from 1 to lmax (paper, Sec. 3): 13 fixed ones up to 4 kB, then 8
// that grow by a constant factor, rounded to the nearest byte. With lmax = 4096 all 8 are 4096. Lengths returns nil if
// lmax is below 4096.
func Lengths(lmax int64) []int64 {
	const longestFixed = 4096
	if lmax < longestFixed {
		return nil
	}
	lengths := []int64{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, longestFixed}
	for k := 1.0; k <= 8; k++ {
		l := longestFixed * math.Pow(float64(lmax)/longestFixed, k/8)
		lengths = append(lengths, int64(math.Round(l)))
	}
	return lengths
}
