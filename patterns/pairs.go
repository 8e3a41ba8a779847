package patterns

import (
	"fmt"
	"math"
	"slices"
)

// Pair holds the ranks of two processes. I is the lower one.
type Pair struct{ I, J int }

// pairOf returns the pair of two different ranks.
func pairOf(a, b int) Pair { return Pair{min(a, b), max(a, b)} }

// Index returns the place of a pair among all pairs of a number of processes, in the order (0,1), (0,2) … (1,2) …
// (MPIBlib manual 7.7.2).
func (p Pair) Index(processes int) int { return (2*processes-p.I-1)*p.I/2 + p.J - p.I - 1 }

// CountPairs returns the number of pairs among a number of processes.
func CountPairs(processes int) int { return processes * (processes - 1) / 2 }

// Rounds is a list of rounds of disjoint pairs. No rank is in two pairs of a round, so all pairs of a round can run at
// the same time. No pair is in two rounds. The pairs of a round are computed when needed, because 4096 processes have
// eight million pairs.
type Rounds struct {
	Processes int
	Count     int // rounds
	Pairs     int // in all rounds together
	round     func(k int) []Pair
}

// Of returns the pairs of round k, 0 to Count-1, in the order of their lower ranks. It takes time and memory
// proportional to Processes.
func (r Rounds) Of(k int) []Pair {
	list := r.round(k)
	slices.SortFunc(list, func(a, b Pair) int { return a.I - b.I })
	return list
}

// All returns the pairs of all rounds, ordered by Pair.Index.
func (r Rounds) All() []Pair {
	list := make([]Pair, 0, r.Pairs)
	for k := range r.Count {
		list = append(list, r.round(k)...)
	}
	slices.SortFunc(list, func(a, b Pair) int { return a.Index(r.Processes) - b.Index(r.Processes) })
	return list
}

// checkPairs returns an error unless there is a pair, and an int can count them all.
func checkPairs(processes int) error {
	if processes < 2 || processes > math.MaxInt32 {
		return fmt.Errorf("pairs: %d processes, need 2 to %d", processes, math.MaxInt32)
	}
	return nil
}

// AllPairs returns rounds of all pairs by the circle method, P-1 rounds for P processes, or P if P is odd.
func AllPairs(processes int) (Rounds, error) {
	if err := checkPairs(processes); err != nil {
		return Rounds{}, err
	}
	return Rounds{Processes: processes, Count: circleRounds(processes), Pairs: CountPairs(processes),
		round: func(k int) []Pair { return circle(processes, k) }}, nil
}

// circleRounds returns the number of rounds of the circle method.
func circleRounds(processes int) int { return processes - 1 + processes%2 }

// circle returns round k of the circle method. All ranks except the last form a circle. The last rank meets rank k, and
// ranks at equal distances to the left and right of k meet each other. If the number of ranks is odd, the last rank is
// one that doesn't exist, and its partner rests.
func circle(processes, k int) []Pair {
	n := circleRounds(processes) // ranks on the circle
	list := make([]Pair, 0, processes/2)
	if processes%2 == 0 {
		list = append(list, pairOf(n, k))
	}
	for j := 1; j <= (n-1)/2; j++ {
		list = append(list, pairOf((k+j)%n, (k-j+n)%n))
	}
	return list
}

// RingPairs returns the rounds of the pairs of neighbours, including the last and the first rank. There are 2 rounds,
// or 3 if the number of processes is odd, or 1 for two processes.
func RingPairs(processes int) (Rounds, error) {
	if err := checkPairs(processes); err != nil {
		return Rounds{}, err
	}
	r := Rounds{Processes: processes, Count: 2 + processes%2, Pairs: processes}
	if processes == 2 {
		r.Count, r.Pairs = 1, 1
	}
	r.round = func(k int) []Pair {
		if k == 2 {
			return []Pair{{0, processes - 1}}
		}
		var list []Pair
		for i := k; i+1 < processes; i += 2 {
			list = append(list, Pair{i, i + 1})
		}
		if k == 1 && processes%2 == 0 {
			list = append(list, Pair{0, processes - 1})
		}
		return list
	}
	return r, nil
}

// SampledPairs returns rounds of n random pairs, the first rounds of the circle method with the ranks in random order.
// So each pair has the same chance, and all ranks are in the same number of pairs, give or take one. The same seed
// gives the same pairs on every process and machine.
func SampledPairs(processes, n int, seed uint64) (Rounds, error) {
	if err := checkPairs(processes); err != nil {
		return Rounds{}, err
	}
	if all := CountPairs(processes); n < 1 || n > all {
		return Rounds{}, fmt.Errorf("pairs: %d pairs of %d processes, want 1 to %d", n, processes, all)
	}
	order := make([]int32, processes)
	shuffle(order, seed, 0)
	each := processes / 2
	return Rounds{Processes: processes, Count: (n + each - 1) / each, Pairs: n, round: func(k int) []Pair {
		list := circle(processes, k)
		list = list[:min(len(list), n-k*each)]
		for i, p := range list {
			list[i] = pairOf(int(order[p.I]), int(order[p.J]))
		}
		return list
	}}, nil
}
