package settings

import (
	"fmt"
	"slices"
)

// Threading holds the settings of kernels with threads. A zero value means the default.
type Threading struct {
	// Threads of each process, and in osu_latency_mt the threads that receive (default: 1).
	Threads int `json:"threads,omitempty" jsonschema:"minimum=1"`
	// Threads of osu_latency_mt that send (default: 1).
	Senders int `json:"senders,omitempty" jsonschema:"minimum=1"`
	// Ranks between the partners of IMB-MT (-stride, default: half of the processes).
	Stride int `json:"stride,omitempty" jsonschema:"minimum=1"`
	// The barrier of IMB-MT before the clock and between repetitions (-barrier): off, or special, which is made of
	// messages. The default is MPI_Barrier.
	Barrier string `json:"barrier,omitempty" jsonschema:"enum=off,enum=special"`
	// How the threads' memory is allocated (-malloc_algo): continuous, without gaps between two threads, or parallel,
	// by each thread for itself. By default the first thread allocates it.
	Memory string `json:"malloc_algo,omitempty" jsonschema:"enum=continuous,enum=parallel"`
	// Print no header in the text (-noheader).
	NoHeader bool `json:"no_header,omitempty"`
}

// The choices of Barrier and of Memory, the usual ones first.
var (
	ThreadBarriers = []string{"on", BarrierOff, BarrierSpecial}
	ThreadMemories = []string{"serial", MemoryContinuous, MemoryParallel}
)

// The choices other than the usual ones.
const (
	BarrierOff       = "off"
	BarrierSpecial   = "special"
	MemoryContinuous = "continuous"
	MemoryParallel   = "parallel"
)

// MaxThreads is the largest number of threads of a process.
const MaxThreads = 1 << 12

// Check returns an error if no run can have the settings.
func (t *Threading) Check() error {
	outside := func(n int) bool { return n < 0 || n > MaxThreads }
	switch {
	case outside(t.Threads) || outside(t.Senders):
		return fmt.Errorf("want up to %d threads, not %d and %d", MaxThreads, t.Threads, t.Senders)
	case t.Stride < 0 || t.Stride > MaxCount:
		return fmt.Errorf("want a stride up to 2^31-1, not %d", t.Stride)
	case t.Barrier != "" && !slices.Contains(ThreadBarriers[1:], t.Barrier):
		return fmt.Errorf("unknown barrier %q: want %v", t.Barrier, ThreadBarriers)
	case t.Memory != "" && !slices.Contains(ThreadMemories[1:], t.Memory):
		return fmt.Errorf("unknown allocation %q: want %v", t.Memory, ThreadMemories)
	}
	return nil
}

// Apart returns the distance in ranks of two partners, given the number of processes.
func (t Threading) Apart(processes int) int {
	if t.Stride > 0 {
		return t.Stride
	}
	return max(processes/2, 1)
}

// Sides returns the numbers of sending and receiving threads in osu_latency_mt.
func (t Threading) Sides() (senders, receivers int) { return max(t.Senders, 1), max(t.Threads, 1) }
