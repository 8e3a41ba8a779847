package probe

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
)

// recipe holds the rules that make the programs of a kernel.
type recipe struct {
	ops    []mpi.Op // that the engine must support
	build  func(s *scene) *step
	memory func(s *scene) (send, recv int64) // bytes of one repetition's data; nil: the row's length each
	window side                              // memory that others access
	// makesWindow is true if the programs make and free the window themselves.
	makesWindow bool
	rows        rows
	// packed places must stay next to each other, so that they can't advance through a cache.
	packed  bool
	prepare func(s *scene) // fills further memory before a run; nil: nothing
	// alone is true if further single repetitions are checked, because the data that a timed run leaves prove too
	// little.
	alone bool
	// todayOnce is true if today's IMB completes the transfers once, behind all repetitions. todayAlone is true if its
	// transfers leave data that prove nothing, so that a further repetition is checked instead.
	todayOnce, todayAlone bool
	// transfer is the call of kernels of which the settings choose the completion; Nop: none.
	transfer mpi.Op
	// transfers is the number of transfers of the length in a repetition, where these are so many that there are fewer
	// repetitions; 0: one.
	transfers int64
	waits     bool // the upper process of a pair only waits while the lower one accesses its memory
	both      bool // both processes of a pair transfer at the same time
	// lap is the lap that is the time; 0: all of the time is.
	lap      int
	directed bool     // of pairs: each direction has a time of its own
	file     *fileUse // nil: the kernel has none
	// fixedRoot is true if all timed repetitions have root 0, because the programs of other roots are others.
	fixedRoot bool
	varied    bool // the factors of processes hold for the parts of its data
	// needs returns the condition that a number of processes doesn't meet, or ""; nil: it has none but Kernel.Least.
	needs func(processes int) string
	grid  int  // dimensions of the grid of the processes; 0: they have none
	drawn bool // each repetition has other partners
}

// side is the memory of a window.
type side uint8

const (
	noSide side = iota
	sendSide
	recvSide
)

// rows is the kind of lengths with which a kernel is measured.
type rows uint8

const (
	allLengths rows = iota
	noLength        // a single row
	oneElement      // a single row, of one element of its type
	strided         // a row for each stride, all of one length
)

// with returns kernels with their component and recipes. Each kernel has a recipe.
func with(c Component, list []Kernel, recipes map[string]*recipe) []Kernel {
	for i := range list {
		k := &list[i]
		k.Component = c
		if k.recipe = recipes[k.Name]; k.recipe == nil {
			panic(fmt.Sprintf("kernel: no recipe for %s of %s", k.Name, k.Component.Title()))
		}
	}
	return list
}

func (k *Kernel) ops() []mpi.Op { return k.recipe.ops }

// sizes returns the bytes of memory that a repetition sends from and receives into.
func (s *scene) sizes() (send, recv int64) {
	if m := s.kernel.recipe.memory; m != nil {
		return m(s)
	}
	return s.bytes, s.bytes
}

// touchesWindow reports whether processes must lock their own window to load from it or store to it. If a window has a
// public copy, the lock brings the data that others have put into memory, and the unlock brings stored data to the
// window (MPI 4.1, 12.7). Fences do both.
func (r *recipe) touchesWindow() bool { return slices.Contains(r.ops, mpi.WinLock) }
