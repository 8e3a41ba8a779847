package probe

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
)

// OneSided holds the settings of the kernels of the PGAS Microbenchmark Suite. What is left out is the default.
type OneSided struct {
	// Distance of the two ranks of a pair (the suite's partner offset); 0: half of the processes. It also pairs up the
	// kernels of two processes of other components.
	Offset *int `json:"offset,omitempty" jsonschema:"minimum=0"`
	// When a transfer counts as done; left out: each is complete at the target.
	Completion Completion `json:"completion,omitempty" jsonschema:"enum=each,enum=local,enum=all,enum=request"`
	// Whose memory windows are; left out: the program's.
	Window WindowKind `json:"window,omitempty" jsonschema:"enum=create,enum=allocate"`
	// The work of processes whose memory others access; left out: they wait in MPI_Barrier.
	Target TargetWork `json:"target,omitempty" jsonschema:"enum=wait,enum=compute"`
	// Bytes of a block of strided kernels; 0: 4.
	Block int64 `json:"block,omitempty" jsonschema:"minimum=0"`
	// Blocks of a transfer of strided kernels; 0: 32768.
	Count int64 `json:"count,omitempty" jsonschema:"minimum=0"`
	// Distances of the starts of blocks, in blocks; left out: 1, 2, 4, 8, 16, 32.
	Strides []int64 `json:"strides,omitempty"`
	// Random kernels draw the process itself, too.
	Self bool `json:"self,omitempty"`
}

// Completion is the point at which a one-sided transfer counts as done.
type Completion string

// The completions. The data have arrived after CompleteEach and CompleteAll; after the other two the origin's memory
// may be used again, and the flush that brings the data to the target is behind the clock.
const (
	CompleteEach      Completion = "each"    // MPI_Win_flush of each transfer
	CompleteLocal     Completion = "local"   // MPI_Win_flush_local of each put, SHMEM's and ARMCI's meaning
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
)

// WindowKinds lists all kinds of windows, the default first.
var WindowKinds = []WindowKind{Created, Allocated}

// TargetWork is the work of a process while others access its memory.
type TargetWork string

// The targets' work.
const (
	TargetWaits    TargetWork = "wait"    // in MPI_Barrier, where libraries make progress
	TargetComputes TargetWork = "compute" // without any call of MPI for as long as the transfers took before
)

// TargetWorks lists the targets' work, the default first.
var TargetWorks = []TargetWork{TargetWaits, TargetComputes}

// Defaults of strided kernels (the suite's).
const (
	DefaultBlock = 4       // bytes
	DefaultCount = 1 << 15 // blocks
)

// DefaultStrides are the suite's strides, in blocks.
var DefaultStrides = []int64{1, 2, 4, 8, 16, 32}

// oneSided returns the settings with all defaults.
func (s *Settings) oneSided() OneSided {
	var o OneSided
	if s.OneSided != nil {
		o = *s.OneSided
	}
	o.Completion = cmp.Or(o.Completion, CompleteEach)
	o.Window = cmp.Or(o.Window, Created)
	o.Target = cmp.Or(o.Target, TargetWaits)
	o.Block, o.Count = or(o.Block, DefaultBlock), or(o.Count, DefaultCount)
	if len(o.Strides) == 0 {
		o.Strides = DefaultStrides
	}
	return o
}

// Check returns an error if no run can have the settings.
func (o *OneSided) Check() error {
	const mostStrides = 1 << 10
	outside := func(v, least, most int64) bool { return v < least || v > most }
	switch {
	case o.Offset != nil && outside(int64(*o.Offset), 0, mostCount):
		return fmt.Errorf("want an offset from 0 to 2^31-1, not %d", *o.Offset)
	case o.Completion != "" && !slices.Contains(Completions, o.Completion):
		return fmt.Errorf("unknown completion %q: want one of %v", o.Completion, Completions)
	case o.Window != "" && !slices.Contains(WindowKinds, o.Window):
		return fmt.Errorf("unknown window %q: want one of %v", o.Window, WindowKinds)
	case o.Target != "" && !slices.Contains(TargetWorks, o.Target):
		return fmt.Errorf("unknown target %q: want one of %v", o.Target, TargetWorks)
	case outside(o.Block, 0, mostStrided) || outside(o.Count, 0, mostStrided):
		return fmt.Errorf("want blocks of up to 2^30 bytes, and up to 2^30 of them, not %d, %d", o.Block, o.Count)
	case len(o.Strides) > mostStrides ||
		slices.ContainsFunc(o.Strides, func(s int64) bool { return outside(s, 1, mostStrided) }):
		return fmt.Errorf("want up to %d strides from 1 to 2^30 blocks, not %v", mostStrides, o.Strides)
	}
	longest := int64(1)
	for _, s := range o.Strides {
		longest = max(longest, s)
	}
	if or(o.Block, DefaultBlock)*or(o.Count, DefaultCount) > LongestLength/longest {
		return fmt.Errorf("%d blocks of %d bytes, %d blocks apart, are more than 2^%d bytes", or(o.Count, DefaultCount),
			or(o.Block, DefaultBlock), longest, LongestLog)
	}
	return nil
}

// mostStrided is the most bytes of a block, blocks of a transfer, and blocks from one to the next: no product of two
// exceeds an int64.
const mostStrided = 1 << 30

// pairwise reports whether the kernel runs on all pairs of processes at the same time.
func (k *Kernel) pairwise() bool { return k.Component == PGAS && k.Active == 2 }

// paired reports whether the user has chosen the offset of the pairs.
func (s *Settings) paired() bool { return s.OneSided != nil && s.OneSided.Offset != nil }

// partners returns the pairs by the offset.
func (s *Settings) partners(processes int) ([][]int, error) {
	offset := 0
	if s.paired() {
		offset = *s.OneSided.Offset
	}
	return patterns.Partners(processes, offset)
}

// unfitOneSided returns the reason why a kernel can't be measured with the settings of one-sided calls on a number of
// processes, or "" if it can.
func (s Selection) unfitOneSided(settings *Settings, processes int) string {
	byOffset := s.Kernel.pairwise() || s.Multi && s.Kernel.Active == 2 && settings.paired()
	if _, err := settings.partners(processes); err != nil && byOffset {
		return "can't run: " + err.Error()
	}
	r, o := s.Kernel.recipe(), settings.oneSided()
	switch {
	case byOffset && settings.OnePerHost:
		return "pairs up all processes: leave one process on each host out"
	case s.Kernel.Component != PGAS:
		return ""
	case s.Multi:
		return "runs on all processes at once: leave the multiple mode out"
	case r.transfer == mpi.Get && o.Completion == CompleteLocal:
		return "has no local completion, because the data of a get are in the origin's memory: want " +
			"each, all or request"
	case !r.waits && o.Target == TargetComputes:
		return "has no process that only waits and could compute instead"
	case r.waits && o.Target == TargetComputes && settings.Precision != nil:
		return "can't have series while targets compute, which they do for as long as a whole loop takes"
	}
	return ""
}

// extraOps returns the calls that the settings demand of a kernel beside its own.
func (k *Kernel) extraOps(s *Settings) []mpi.Op {
	r, o := k.recipe(), s.oneSided()
	switch {
	case k.Component != PGAS || r.transfer == mpi.Nop || o.Completion != CompleteByRequest:
		return nil
	case r.transfer == mpi.Get:
		return []mpi.Op{mpi.Rget, mpi.Wait}
	}
	return []mpi.Op{mpi.Rput, mpi.Wait}
}

// allocateWindows makes windows with memory of their own the default on an engine that has no others.
func (s *Settings) allocateWindows(supports func(mpi.Op) bool) {
	o := OneSided{}
	if s.OneSided != nil {
		o = *s.OneSided
	}
	if o.Window != "" || !supports(mpi.Put) || supports(mpi.WinCreate) {
		return
	}
	o.Window = Allocated
	s.OneSided = &o
}

// describe sets the fields of a block that say what its transfers are. Of other components than PGAS they are left out
// where they are as in IMB.
func (b *Block) describe(k *Kernel, s *Settings) {
	r, o := k.recipe(), s.oneSided()
	if r.transfer != mpi.Nop {
		b.Completion = o.Completion
	}
	if k.allocates(o.Window) || k.Component == PGAS && r.window != noSide {
		b.WindowKind = o.Window
	}
	if r.waits && o.Target == TargetComputes {
		b.Target = o.Target
	}
}

// mode returns the mode in which the block's programs are made: one completion of all transfers is that of aggregate
// mode.
func (b *Block) mode() Mode {
	if b.Completion == CompleteAll {
		return Aggregate
	}
	return b.Mode
}

// Complete reports whether the data of the block's transfers had arrived within their time.
func (b *Block) Complete() bool {
	k, _, ok := FindIn(b.Component, b.Kernel)
	return !ok || k.recipe().transfer == mpi.Get || b.Completion != CompleteLocal && b.Completion != CompleteByRequest
}

// stride returns the stride of a row of a kernel, counted from 0, in blocks: 0 if its rows have none.
func (p *Plan) stride(k *Kernel, row int) int64 {
	if !k.Strided() {
		return 0
	}
	return p.Settings.oneSided().Strides[row]
}

// Strided reports whether the kernel's rows are over the stride.
func (k *Kernel) Strided() bool { return k.recipe().rows == strided }

// checkStride returns an error unless a row has a stride if its kernel's rows are over it.
func checkStride(k *Kernel, row *Row) error {
	if row.Stride < 0 || row.Stride > mostStrided || (row.Stride > 0) != k.Strided() {
		return fmt.Errorf("stride %d", row.Stride)
	}
	return nil
}

// TwoWay reports whether both processes of a pair transfer at the same time.
func (k *Kernel) TwoWay() bool { return k.recipe().both }

// Blocks returns the number of blocks of a strided transfer of a row.
func (s *Settings) Blocks(row *Row) int64 { return row.Bytes / s.oneSided().Block }
