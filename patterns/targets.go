package patterns

import (
	"math/bits"
	"math/rand/v2"
)

// Target is a slot in the memory of a process. Slots are numbered from 0 in each process.
type Target struct{ Process, Slot int }

// RandomTargets returns the random targets of a process, one for each draw, uniform over the processes and their slots.
// If self is false, the process itself is excluded, and there must be others. The targets depend only on the arguments,
// not on the machine.
func RandomTargets(seed uint64, rank, processes, slots, draws int, self bool) []Target {
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

// DisjointTargets returns targets of a process such that no slot is a target of two draws, as long as all processes
// together don't draw more often than there are slots. The processes take turns with the elements of a permutation i →
// a·i + b of all slots. a is near the golden section of their number, which spreads the elements evenly (Knuth, The Art
// of Computer Programming, 6.4).
func DisjointTargets(rank, processes, slots, draws int) []Target {
	const goldenSection = 0.6180339887498949
	all := uint64(processes) * uint64(slots)
	step := uint64(float64(all)*goldenSection) | 1
	for gcd(step, all) != 1 {
		step += 2
	}
	list := make([]Target, draws)
	for i := range list {
		// With 2^32 slots or more the product may have more than 64 bits.
		high, low := bits.Mul64((uint64(i)*uint64(processes)+uint64(rank))%all, step%all)
		at := (bits.Rem64(high, low, all) + uint64(slots)/2) % all
		list[i] = Target{Process: int(at % uint64(processes)), Slot: int(at / uint64(processes))}
	}
	return list
}

// gcd returns the greatest common divisor.
func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
