package kernel

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// Recipe holds the rules that make the programs of a kernel.
type Recipe struct {
	Ops []mpi.Op // that the engine must support
	// Further returns the calls that settings demand beside Ops; nil: none.
	Further func(k *Kernel, s *settings.Settings) []mpi.Op
	Build   func(s *Scene) *Step
	Rows    Rows
	Lengths []int64 // of its rows in bytes, unless the user gives some; nil: the method's
	// Transfers is the number of transfers of the length in a repetition, where these are so many that there are fewer
	// repetitions; 0: one.
	Transfers int64
	// Lap is the lap that is the time; 0: all of the time is.
	Lap      int
	Directed bool // of pairs: each direction has a time of its own
	// TodayOnce is true if today's IMB completes the transfers once, behind all repetitions.
	TodayOnce bool
	Barriers  int // of OSU's kernels: barriers between two repetitions, which don't count
	Data      Data
	Who       Who
	Threads   Threads
	Access    Access
	File      *FileUse // nil: the kernel has none
	Path      *PathUse // of kernels of metadata; nil: it is none
	// The time is that of MPI_Init. The times are those of sessions before it.
	StartUp, Sessions bool
}

// Data says what memory a kernel's messages lie in, and what is checked there.
type Data struct {
	Sizes func(s *Scene) (send, recv int64) // bytes of one repetition's data; nil: the row's length each
	// Packed places must stay next to each other, so that they can't advance through a cache.
	Packed  bool
	Prepare func(s *Scene) // fills further memory before a run; nil: nothing
	// Folds is true if messages may lie in memory that is there again and again (settings.Rows.Fold): all that the
	// calls bring to one byte of it is the same.
	Folds  bool
	Varied bool // the factors of processes hold for the parts of the data
	// Singles is true if further single repetitions are checked, because the data that a timed run leaves prove too
	// little. TodaySingles is true if those of today's IMB prove nothing.
	Singles, TodaySingles bool
}

// Who says which processes a kernel needs, and who talks to whom.
type Who struct {
	// Needs returns the condition that a number of processes doesn't meet, or ""; nil: it has none but Kernel.Least.
	Needs func(processes int) string
	Grid  int  // dimensions of the grid of the processes; 0: they have none
	Drawn bool // each repetition has other partners
	Pairs bool // processes of OSU's kernels work in pairs
	// Each process of the first node has messages with one of each other node, so that there must be two or more.
	Fan bool
	// The processes of a split stay in the order of their nodes.
	InOrder bool
	// The processes exchange data with their neighbours by the settings.
	Neighbours bool
	// Who exchanges data with whom in neighbourhood calls; nil: by the settings, or nobody does.
	Topology *Topology
	// FixedRoot is true if all timed repetitions have root 0, because the programs of other roots are others.
	FixedRoot bool
	// The mock-up of a guideline runs on a communicator of the same processes in reverse order.
	Reverses bool
}

// Threads are those of a process.
type Threads struct {
	// Of returns their number, by the rank of the process; nil: one.
	Of func(t settings.Threading, rank int) int
	// They share the memory of the first one, and what it starts.
	OneMemory bool
}

// Access says how one-sided kernels access memory.
type Access struct {
	Window Side // memory that others access
	// MakesWindow is true if the programs make and free the window themselves.
	MakesWindow bool
	// Transfer is the call of kernels of which the settings choose the completion; Nop: none.
	Transfer mpi.Op
	Waits    bool              // the upper process of a pair only waits while the lower one accesses its memory
	Both     bool              // both processes of a pair transfer at the same time
	Usual    settings.OneSided // of OSU's kernels
}

// Side is the memory of a window.
type Side uint8

const (
	NoSide Side = iota
	SendSide
	RecvSide
)

// Rows is the kind of lengths with which a kernel is measured.
type Rows uint8

const (
	AllLengths Rows = iota
	NoLength        // a single row
	OneElement      // a single row, of one element of its type
	Strided         // a row for each stride, all of one length
	Parted          // a row for each number of parts of a message, of each length
)

// With returns kernels with their component and defaults: a time is that of a repetition, and kernels need as many
// processes as are active. Each kernel has a recipe, its own or one by its name.
func With(c Component, list []Kernel, recipes map[string]*Recipe) []Kernel {
	for k := range lists.Elements(list) {
		k.Component, k.Halves, k.Least = c, max(k.Halves, 1), max(k.Least, k.Active, 1)
		if k.Recipe = cmp.Or(k.Recipe, recipes[k.Name]); k.Recipe == nil {
			panic(fmt.Sprintf("kernel: no recipe for %s of %s", k.Name, c))
		}
	}
	return list
}

// sizes returns the bytes of memory that a repetition sends from and receives into.
func (s *Scene) sizes() (send, recv int64) {
	if m := s.Kernel.Recipe.Data.Sizes; m != nil {
		return m(s)
	}
	return s.Bytes, s.Bytes
}

// Reduces reports whether the kernel combines the processes' data by a collective call.
func (r *Recipe) Reduces() bool { return slices.ContainsFunc(r.Ops, mpi.Op.Reduces) }

// TouchesWindow reports whether processes must lock their own window to load from it or store to it. If a window has a
// public copy, the lock brings the data that others have put into memory, and the unlock brings stored data to the
// window (MPI 4.1, 12.7). Fences do both.
func (r *Recipe) TouchesWindow() bool { return slices.Contains(r.Ops, mpi.WinLock) }
