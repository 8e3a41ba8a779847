package patterns

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strings"
)

// Partners returns the pairs of a number of processes, the lower rank of each first: {i, i+q} for each i with i mod 2q
// < q (PGAS Microbenchmark Suite, README). For q = 0 it takes half of the processes. The error is one line with the
// possible offsets.
func Partners(processes, q int) ([][]int, error) {
	if processes < 2 || processes%2 != 0 {
		return nil, fmt.Errorf("pairs need an even number of processes, this job has %d", processes)
	}
	if q == 0 {
		q = processes / 2
	}
	if q < 0 || q > processes/2 || processes%(2*q) != 0 {
		return nil, fmt.Errorf("the offset %d makes no pairs of %d processes: want %s", q, processes,
			offsetsOf(processes))
	}
	var list [][]int
	for i := range processes {
		if i%(2*q) < q {
			list = append(list, []int{i, i + q})
		}
	}
	return list, nil
}

// offsetsOf returns, in words, the offsets that pair an even number of processes.
func offsetsOf(processes int) string {
	var fit []string
	for q := 1; q <= processes/2; q++ {
		if processes%(2*q) == 0 {
			fit = append(fit, fmt.Sprint(q))
		}
	}
	if last := len(fit) - 1; last > 0 {
		return strings.Join(fit[:last], ", ") + " or " + fit[last]
	}
	return fit[0]
}

// Target is a slot in the memory of a process.
type Target struct{ Process, Slot int }

// Targets returns a process's random targets, each uniform over the processes and their slots. Without self the process
// itself is excluded; then there must be others. They depend only on the arguments, on every machine.
func Targets(seed uint64, rank, processes, slots, draws int, self bool) []Target {
	source := rand.NewPCG(seed, uint64(rank))
	list := make([]Target, draws)
	for i := range list {
		if self {
			list[i].Process = int(below(source, uint64(processes)))
		} else if list[i].Process = int(below(source, uint64(processes-1))); list[i].Process >= rank {
			list[i].Process++
		}
		list[i].Slot = int(below(source, uint64(slots)))
	}
	return list
}

// Scattered returns targets of a process such that no slot of any process is a target twice, as long as all processes
// together have no more targets than there are slots. The processes take turns with the elements of a permutation i →
// a·i + b of all slots.
func Scattered(rank, processes, slots, draws int) []Target {
	all := uint64(processes) * uint64(slots)
	step := uint64(float64(all)*0.6180339887498949) | 1
	for common(step, all) != 1 {
		step += 2
	}
	list := make([]Target, draws)
	for i := range list {
		// For 131,072 processes with slots of 1 byte the product has more than 64 bits.
		high, low := bits.Mul64((uint64(i)*uint64(processes)+uint64(rank))%all, step%all)
		at := (bits.Rem64(high, low, all) + uint64(slots)/2) % all
		list[i] = Target{Process: int(at % uint64(processes)), Slot: int(at / uint64(processes))}
	}
	return list
}

// common returns the greatest common divisor.
func common(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
