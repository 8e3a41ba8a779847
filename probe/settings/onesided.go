package settings

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
)

// OneSided holds the settings of the kernels of the PGAS Microbenchmark Suite. A zero value means the default.
type OneSided struct {
	// Distance of the two ranks of a pair (the suite's partner offset); 0 means half of the processes. It also sets the
	// partners in other components' kernels of two processes.
	Offset *int `json:"offset,omitempty" jsonschema:"minimum=0"`
	// When a transfer counts as done (default: each is complete at the target).
	Completion Completion `json:"completion,omitempty" jsonschema:"enum=each,enum=local,enum=all,enum=request"`
	// How windows get their memory (default: from the program).
	Window WindowKind `json:"window,omitempty" jsonschema:"enum=create,enum=allocate,enum=dynamic"`
	// How transfers of OSU's kernels are opened and completed (default: each kernel's usual way).
	Sync Synchronization `json:"sync,omitempty" jsonschema:"pattern=^(flush(_local)?|lock(_all)?|pscw|fence)$"`
	// The work of processes whose memory others access (default: they wait in MPI_Barrier).
	Target TargetWork `json:"target,omitempty" jsonschema:"enum=wait,enum=compute"`
	// Bytes of a block of strided kernels; 0 means 4.
	Block int64 `json:"block,omitempty" jsonschema:"minimum=0"`
	// Blocks of a transfer of strided kernels; 0 means 32768.
	Count int64 `json:"count,omitempty" jsonschema:"minimum=0"`
	// Distances between the starts of blocks, in blocks (default: 1, 2, 4, 8, 16, 32).
	Strides []int64 `json:"strides,omitempty"`
	// Let random kernels draw the process itself, too.
	Self bool `json:"self,omitempty"`
}

// Completion is the point at which a one-sided transfer counts as done.
type Completion string

// The completions. The data have arrived after CompleteEach and CompleteAll. After the other two the origin's memory
// may be used again, and the flush that brings the data to the target isn't timed.
const (
	CompleteEach      Completion = "each"    // MPI_Win_flush of each transfer
	CompleteLocal     Completion = "local"   // MPI_Win_flush_local of each put, as SHMEM and ARMCI complete puts
	CompleteAll       Completion = "all"     // one flush of all transfers, within the clock
	CompleteByRequest Completion = "request" // MPI_Rput or MPI_Rget, and MPI_Wait
)

// Completions lists all completions, the default first.
var Completions = []Completion{CompleteEach, CompleteLocal, CompleteAll, CompleteByRequest}

// WindowKind is the way in which a window gets its memory.
type WindowKind string

// The kinds of windows. Libraries may share allocated memory within a host.
const (
	Created   WindowKind = "create"   // MPI_Win_create
	Allocated WindowKind = "allocate" // MPI_Win_allocate
	Attached  WindowKind = "dynamic"  // MPI_Win_create_dynamic, MPI_Win_attach
)

// WindowKinds lists all kinds of windows, the default first.
var WindowKinds = []WindowKind{Created, Allocated, Attached}

// TargetWork is the work of a process while others access its memory.
type TargetWork string

// The targets' work.
const (
	targetWaits    TargetWork = "wait"    // in MPI_Barrier, where libraries make progress
	TargetComputes TargetWork = "compute" // without any call of MPI for as long as the transfers took before
)

// TargetWorks lists the targets' work, the default first.
var TargetWorks = []TargetWork{targetWaits, TargetComputes}

// Check returns an error if no run can have the settings.
func (o *OneSided) Check() error {
	const maxStrides = 1 << 10
	outside := func(v, least, most int64) bool { return v < least || v > most }
	switch {
	case o.Offset != nil && outside(int64(*o.Offset), 0, MaxCount):
		return fmt.Errorf("want an offset from 0 to 2^31-1, not %d", *o.Offset)
	case o.Completion != "" && !slices.Contains(Completions, o.Completion):
		return fmt.Errorf("unknown completion %q: want one of %v", o.Completion, Completions)
	case o.Window != "" && !slices.Contains(WindowKinds, o.Window):
		return fmt.Errorf("unknown window %q: want one of %v", o.Window, WindowKinds)
	case o.Sync != "" && !slices.Contains(Synchronizations, o.Sync):
		return fmt.Errorf("unknown synchronization %q: want one of %v", o.Sync, Synchronizations)
	case o.Target != "" && !slices.Contains(TargetWorks, o.Target):
		return fmt.Errorf("unknown target %q: want one of %v", o.Target, TargetWorks)
	case outside(o.Block, 0, MaxStrided) || outside(o.Count, 0, MaxStrided):
		return fmt.Errorf("want blocks of up to 2^30 bytes, and up to 2^30 of them, not %d, %d", o.Block, o.Count)
	case len(o.Strides) > maxStrides ||
		slices.ContainsFunc(o.Strides, func(s int64) bool { return outside(s, 1, MaxStrided) }):
		return fmt.Errorf("want up to %d strides from 1 to 2^30 blocks, not %v", maxStrides, o.Strides)
	}
	longest := int64(1)
	for _, s := range o.Strides {
		longest = max(longest, s)
	}
	if cmp.Or(o.Block, Default.Block)*cmp.Or(o.Count, Default.Count) > longestLength/longest {
		return fmt.Errorf("%d blocks of %d bytes, %d blocks apart, are more than 2^%d bytes", cmp.Or(o.Count,
			Default.Count),
			cmp.Or(o.Block, Default.Block), longest, LongestLog)
	}
	return nil
}

// MaxStrided is the largest value of the bytes of a block, of the blocks of a transfer and of a stride in blocks. The
// product of two of them fits an int64.
const MaxStrided = 1 << 30

// Transfers returns the settings of one-sided transfers with the defaults filled in.
func (s *Settings) Transfers() OneSided {
	o := s.OneSided
	o.Completion = cmp.Or(o.Completion, CompleteEach)
	o.Window = cmp.Or(o.Window, Created)
	o.Target = cmp.Or(o.Target, targetWaits)
	o.Block, o.Count = cmp.Or(o.Block, Default.Block), cmp.Or(o.Count, Default.Count)
	if len(o.Strides) == 0 {
		o.Strides = Default.Strides
	}
	return o
}

// Paired reports whether the user has chosen the offset of the pairs.
func (s *Settings) Paired() bool { return s.OneSided.Offset != nil }

// Partners returns the pairs that the offset makes.
func (s *Settings) Partners(processes int) ([][]int, error) {
	return patterns.Partners(processes, s.offset())
}

// CheckPartners returns the error of Partners.
func (s *Settings) CheckPartners(processes int) error {
	_, err := patterns.Distance(processes, s.offset())
	return err
}

// offset returns the distance of partners that the user gives, or 0.
func (s *Settings) offset() int {
	if s.Paired() {
		return *s.OneSided.Offset
	}
	return 0
}

// AllocateWindows makes allocated windows the default on an engine that has no others.
func (s *Settings) AllocateWindows(supports func(mpi.Op) bool) {
	if s.OneSided.Window == "" && supports(mpi.Put) && !supports(mpi.WinCreate) {
		s.OneSided.Window = Allocated
	}
}
