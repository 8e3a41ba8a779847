package kernel

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// Builder holds the rules that make the programs of a kernel.
type Builder struct {
	Ops []mpi.Op // that the engine must support
	// MoreOps returns the calls that the engine must support with these settings, in addition to Ops; nil means none.
	MoreOps func(k *Kernel, s *settings.Settings) []mpi.Op
	Build   func(s *Setup) *Step
	Rows    Rows
	Lengths []int64 // of its rows in bytes, unless the user gives some; nil means the method's
	// Transfers is the number of transfers in a repetition if it is so large that there are fewer repetitions; 0 means
	// one.
	Transfers int64
	// Lap is the lap that is reported as the time, or 0 for all of the time.
	Lap      int
	Directed bool // in kernels of pairs: each direction has its own time
	// OnceIn2021 is true if IMB 2021.11 completes the transfers once, after all repetitions.
	OnceIn2021 bool
	Barriers   int // between two repetitions of OSU's kernels; not timed
	Data       Data
	Processes  Processes
	Threads    Threads
	Access     Access
	File       *FileUse // nil: the kernel has none
	Path       *PathUse // of metadata kernels; nil for all others
	// StartUp kernels report the time of MPI_Init, Sessions kernels the times of sessions before it.
	StartUp, Sessions bool
}

// Data describes the memory of a kernel's messages, and how it is checked.
type Data struct {
	Sizes func(s *Setup) (send, recv int64) // bytes of one repetition's data; nil means the row's length for both
	// Packed places must stay next to each other, so that they can't advance through a cache.
	Packed  bool
	InPlace bool           // the processes pass MPI_IN_PLACE
	Prepare func(s *Setup) // fills further memory before a run, unless nil
	// Folds is true if messages may reuse the same memory again and again (settings.Rows.Fold), because the calls bring
	// the same value to any one byte of it.
	Folds  bool
	Varied bool // the processes' factors apply to the parts of the data
	// Singles is true if further single repetitions are checked, because the data that a timed run leaves prove too
	// little. SinglesIn2021 is true if the data of IMB 2021.11 prove nothing.
	Singles, SinglesIn2021 bool
}

// Processes describes which processes a kernel needs, and which of them communicate.
type Processes struct {
	// Needs returns the condition that a number of processes doesn't meet, or "". If it is nil, only
	// Kernel.MinProcesses applies.
	Needs func(processes int) string
	Grid  int  // dimensions of the grid of the processes; 0 without a grid
	Drawn bool // each repetition has other partners
	Pairs bool // processes of OSU's kernels work in pairs
	// Each process of the first node exchanges messages with one process of each other node, so there must be two nodes
	// or more.
	Fan bool
	// The processes of a split keep the order of their nodes.
	InOrder bool
	// The processes exchange data with the neighbours that the settings define.
	Neighbours bool
	// The neighbours of neighbourhood calls. If it is nil, the settings define them, or there are none.
	Topology *Topology
	// FixedRoot is true if all timed repetitions have root 0, because other roots need other programs.
	FixedRoot bool
	// The mock-up of a guideline runs on a communicator of the same processes in reverse order.
	Reverses bool
}

// Threads describes the threads of a process.
type Threads struct {
	// Of returns the number of threads of the process with a rank; nil means one.
	Of func(t settings.Threading, rank int) int
	// The threads share the memory of the first one, and the requests that it starts.
	OneMemory bool
}

// Access describes how one-sided kernels access memory.
type Access struct {
	Window Side // memory that others access
	// MakesWindow is true if the programs make and free the window themselves.
	MakesWindow bool
	// Transfer is the call whose completion the settings choose, or Nop if they don't.
	Transfer mpi.Op
	Waits    bool              // the upper process of a pair only waits while the lower one accesses its memory
	TwoWay   bool              // both processes of a pair transfer at the same time
	Defaults settings.OneSided // of OSU's kernels, unless the user chooses others
}

// Side is the memory of a window.
type Side uint8

const (
	NoSide Side = iota
	SendSide
	RecvSide
)

// Rows is the kind of rows that a kernel has.
type Rows uint8

const (
	AllLengths  Rows = iota
	NoLength         // a single row
	OneElement       // a single row, of one element of the kernel's type
	Strided          // a row for each stride, all of one length
	Partitioned      // a row for each number of parts of a message, of each length
)

// Table returns the list with the fields that its kernels share or leave out: the component, a Divisor of 1, and a
// MinProcesses that isn't below Active. Kernels without a Builder get the one in builders that has their name. Table
// panics if there is none.
func Table(c Component, list []Kernel, builders map[string]*Builder) []Kernel {
	for k := range lists.Elements(list) {
		k.Component, k.Divisor, k.MinProcesses = c, max(k.Divisor, 1), max(k.MinProcesses, k.Active, 1)
		if k.Builder = cmp.Or(k.Builder, builders[k.Name]); k.Builder == nil {
			panic(fmt.Sprintf("kernel: no builder for %s of %s", k.Name, c))
		}
	}
	return list
}

// sizes returns the bytes of memory that a repetition sends from and receives into.
func (s *Setup) sizes() (send, recv int64) {
	if m := s.Kernel.Builder.Data.Sizes; m != nil {
		return m(s)
	}
	return s.Bytes, s.Bytes
}

// Reduces reports whether the kernel combines the processes' data by a collective call.
func (r *Builder) Reduces() bool { return slices.ContainsFunc(r.Ops, mpi.Op.Reduces) }

// TouchesWindow reports whether processes must lock their own window to load from it or store to it. If a window has a
// public copy, the lock brings data that others have put to memory, and the unlock brings stored data to the window
// (MPI 4.1, 12.7). Fences do both.
func (r *Builder) TouchesWindow() bool { return slices.Contains(r.Ops, mpi.WinLock) }
