package patterns

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"
)

// randomPatterns is the number of random patterns (HLRS release 3.6; the paper gives none).
const randomPatterns = 30

// randoms returns the random patterns: all processes in one ring, in random order (paper, Sec. 3).
func randoms(processes int, seed uint64) []Pattern {
	list := make([]Pattern, randomPatterns)
	for i := range list {
		number := i + 1
		list[i] = Pattern{
			Name:      fmt.Sprintf("random-%02d", number),
			Kind:      KindRandom,
			Processes: processes,
			Messages:  ringMessages(processes),
			exchanges: func(rank int) []Exchange {
				scratch := permutations.Get().(*[]int32)
				defer permutations.Put(scratch)
				order := slices.Grow((*scratch)[:0], processes)[:processes]
				*scratch = order
				shuffle(order, seed, uint64(number))
				left, right := neighbours(slices.Index(order, int32(rank)), processes)
				return pingPong(nil, int(order[left]), int(order[right]))
			},
			all: func() func(rank int) []Exchange {
				order, position := make([]int32, processes), make([]int32, processes)
				shuffle(order, seed, uint64(number))
				for i, rank := range order {
					position[rank] = int32(i)
				}
				return func(rank int) []Exchange {
					left, right := neighbours(int(position[rank]), processes)
					return pingPong(nil, int(order[left]), int(order[right]))
				}
			},
		}
	}
	return list
}

// permutations holds scratch memory for one permutation per goroutine. The patterns share it, and the garbage collector
// frees it after use.
var permutations = sync.Pool{New: func() any { return new([]int32) }}

// shuffle fills order with a random permutation of its indices (Fisher-Yates, inside-out). The permutation depends only
// on the length, seed and number. Go fixes the sequence of PCG, but not how rand.Rand reduces it to a range, so below
// does that.
func shuffle(order []int32, seed, number uint64) {
	source := rand.NewPCG(seed, number)
	for i := range order {
		j := below(source, uint64(i)+1)
		order[i] = order[j]
		order[j] = int32(i)
	}
}

// below returns a uniformly distributed number from 0 to n-1 (Lemire, Fast Random Integer Generation in an Interval,
// ACM TOMACS 29(1), 2019).
func below(source *rand.PCG, n uint64) uint64 {
	high, low := bits.Mul64(source.Uint64(), n)
	if low < n {
		for threshold := -n % n; low < threshold; {
			high, low = bits.Mul64(source.Uint64(), n)
		}
	}
	return high
}
