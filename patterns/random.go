package patterns

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"
)

// randomPatterns is the number of random patterns (HLRS release 3.6; the paper
// gives none).
const randomPatterns = 30

// randoms returns the random patterns: all processes in one ring, sorted by
// random ranks (paper, Sec. 3).
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
		}
	}
	return list
}

// permutations holds scratch memory: one permutation at a time and goroutine,
// handed from pattern to pattern and dropped by the collector afterwards.
var permutations = sync.Pool{New: func() any { return new([]int32) }}

// shuffle makes order a random permutation of its indices, by Fisher and Yates'
// method inside out. It depends on its length, seed and number alone: PCG's
// sequence is fixed, rand.Rand's reduction to a range is not, so that is our own.
func shuffle(order []int32, seed, number uint64) {
	source := rand.NewPCG(seed, number)
	for i := range order {
		j := below(source, uint64(i)+1)
		order[i] = order[j]
		order[j] = int32(i)
	}
}

// below returns a number of 0..n-1, each as likely as the others (Lemire, Fast
// Random Integer Generation in an Interval, ACM TOMACS 29(1), 2019).
func below(source *rand.PCG, n uint64) uint64 {
	high, low := bits.Mul64(source.Uint64(), n)
	if low < n {
		for least := -n % n; low < least; {
			high, low = bits.Mul64(source.Uint64(), n)
		}
	}
	return high
}
