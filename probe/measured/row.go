package measured

import (
	"cmp"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/pairs"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
)

// Describe sets the fields of a block that describe its transfers, from the settings that its kernel has. Components
// other than PGAS leave out values that IMB always has.
func (b *Block) Describe(k *kernel.Kernel, s *settings.Settings) {
	access, o := k.Builder.Access, k.OneSided(s)
	if k.Builder.Data.Folds {
		b.Fold = s.Rows.Fold
	}
	if access.Transfer != mpi.Nop {
		b.Completion = o.Completion
	}
	if k.Allocates(o.Window) || k.StatesWindow() && access.Window != kernel.NoSide {
		b.WindowKind = o.Window
	}
	if k.Component == kernel.OSU && access.Window != kernel.NoSide {
		b.Sync = o.Sync
	}
	if access.Waits && o.Target == settings.TargetComputes {
		b.Target = o.Target
	}
}

// ProgramMode returns the mode in which the block's programs are made: aggregate if one call completes all transfers,
// and otherwise the block's mode.
func (b *Block) ProgramMode() settings.Mode {
	if b.Completion == settings.CompleteAll {
		return settings.Aggregate
	}
	return b.Mode
}

// Blocks returns the number of contiguous blocks in a strided transfer of a row.
func (r *Row) Blocks(s *settings.Settings) int64 { return r.Bytes / s.Transfers().Block }

// Block is a kernel's table for one number of processes.
type Block struct {
	// Name of the kernel, without Multi-.
	Kernel    string           `json:"kernel"`
	Component kernel.Component `json:"component"`
	// True in the multiple mode, in which several groups run at the same time.
	Multi bool          `json:"multi,omitempty"`
	Mode  settings.Mode `json:"mode,omitempty" jsonschema:"enum=aggregate,enum=non-aggregate"`
	// When transfers of PGAS kernels count as complete. With each and all they are complete at the target, with local
	// and request as soon as the origin may reuse its memory. Absent for kernels without a choice.
	Completion settings.Completion `json:"completion,omitempty" jsonschema:"enum=each,enum=local,enum=all,enum=request"`
	// How windows get their memory: from the program (create, dynamic), or from the library (allocate), which may share
	// it within a host.
	WindowKind settings.WindowKind `json:"window_kind,omitempty" jsonschema:"enum=create,enum=allocate,enum=dynamic"`
	// Synchronization of OSU's one-sided kernels: how epochs are opened and transfers completed.
	Sync settings.Synchronization `json:"sync,omitempty" jsonschema:"pattern=^(flush(_local)?|lock(_all)?|pscw|fence)$"`
	// Present if the targets of transfers computed meanwhile, instead of waiting in MPI_Barrier.
	Target settings.TargetWork `json:"target,omitempty" jsonschema:"enum=compute"`
	// Bytes of the memory that longer messages use again and again. Absent if each byte of a message has its own
	// memory.
	Fold int64 `json:"fold,omitempty" jsonschema:"minimum=0"`
	// Seconds by which the last part of partitioned messages is late.
	Delay float64 `json:"delay,omitempty" jsonschema:"minimum=0"`
	// Names of the congestors that run while the victims are measured. Absent if there are none.
	Congestors string `json:"beside,omitempty"`
	// Number of the split of the nodes into victims, which are the groups, and congestors, counted from 1. Absent if
	// there is no split.
	Split int `json:"split,omitempty" jsonschema:"minimum=1"`
	// Groups of processes that run the congestors.
	CongestorGroups []CongestorGroup `json:"against,omitempty"`
	// The same groups as ranges, if they have 256 processes or more.
	CongestorRanges []CongestorRange `json:"against_ranges,omitempty"`
	// Number of the pass, counted from 1. Absent if there is only one.
	Pass int `json:"pass,omitempty" jsonschema:"minimum=1"`
	// Number of processes in a group.
	Processes int `json:"processes" jsonschema:"minimum=1"`
	// Number of a group's processes on each node, in kernels of fans. The first node's processes come first.
	PerNode int `json:"per_node,omitempty" jsonschema:"minimum=1"`
	// True if process 0 is the root in all repetitions, because the run compares the kernel with algorithms of the same
	// operation. Otherwise the root of IMB's kernels changes with each repetition.
	FixedRoot bool `json:"fixed_root,omitempty"`
	// Number of further processes, which waited in MPI_Barrier.
	Waiting int `json:"waiting,omitempty"`
	// Number of messages in a window, in one direction between two processes.
	WindowSize int `json:"window_size,omitempty" jsonschema:"minimum=0"`
	// Number of threads of each process that were timed, in kernels of threads.
	Threads int `json:"threads,omitempty" jsonschema:"minimum=1"`
	// Ranks in the world of each group's processes. Absent in the standard mode without -map, where the ranks are 0, 1,
	// 2…
	Groups [][]int `json:"groups,omitempty"`
	// The same groups as ranges, if they have 256 processes or more.
	GroupRanges []GroupRange `json:"group_ranges,omitempty"`
	// The cut that divides the processes, in kernels of cuts.
	Cut *pairs.Cut `json:"cut,omitempty"`
	// Seconds of a barrier, measured on the first process of each group. The timing root subtracts them.
	Barriers []float64 `json:"barriers,omitempty"`
	Rows     []Row     `json:"rows"`
}

// Name returns the kernel's name, with Multi- in the multiple mode.
func (b *Block) Name() string {
	if b.Multi {
		return "Multi-" + b.Kernel
	}
	return b.Kernel
}

// Row holds what was measured at one message length.
type Row struct {
	Bytes int64 `json:"bytes" jsonschema:"minimum=0"`
	// Distance between the starts of two neighbouring blocks, counted in blocks, for strided kernels.
	Stride int64 `json:"stride,omitempty" jsonschema:"minimum=0"`
	// Number of partitions of a message, for partitioned kernels.
	Partitions  int64 `json:"partitions,omitempty" jsonschema:"minimum=0"`
	Repetitions int64 `json:"repetitions,omitempty" jsonschema:"minimum=0"`
	// Untimed repetitions before the timed ones, for OSU's kernels.
	WarmUp int64 `json:"warmup,omitempty" jsonschema:"minimum=0"`
	// Missing is the reason why there are no figures, in IMB's words: "out-of-mem.", "int-overflow" or "time-out". It
	// is "error" if the engine can't measure the row. Detail explains the reason.
	Missing string `json:"missing,omitempty" jsonschema:"enum=out-of-mem.,enum=int-overflow,enum=time-out,enum=error"`
	Detail  string `json:"detail,omitempty"`
	// The times of each repetition, for rows that have series instead of samples.
	Series []Series `json:"series,omitempty"`
	// Seconds of empty round trips between process 0 and each other process. The kernel Bcast_ack subtracts half of
	// them.
	RoundTrips []float64 `json:"round_trips,omitempty"`
	// Offsets of the processes' clocks, for the timing global if processes have separate clocks.
	Offsets *Offsets `json:"offsets,omitempty"`
	// Number of files or directories on which all processes together made calls, for kernels of metadata.
	Items int64 `json:"items,omitempty" jsonschema:"minimum=0"`
	// State when the stonewall ended the creation. Absent if it didn't.
	Wall *Wall `json:"stonewall,omitempty"`
	// How much of the files was in memory, for kernels that read files. Absent if it isn't known.
	Pages *rating.Pages `json:"pages,omitempty"`
	// The slowest calls on files within the timed part. Absent without quantiles.
	SlowCalls []rating.SlowCall `json:"slow_calls,omitempty" jsonschema:"maxItems=8"`
	// Samples are the times of the groups. The standard mode has one group.
	Samples []Sample `json:"samples,omitempty"`
	// Checked is the number of repetitions whose data were checked completely, outside of the timed part: the last
	// timed one and some after it. Defects is the number of wrong elements, which are bytes or sums, in their data on
	// all processes.
	Checked int64 `json:"checked,omitempty"`
	Defects int64 `json:"defects,omitempty"`
	// Largest relative difference between a wrong number and the right one, or 1 for wrong bytes.
	Difference float64 `json:"difference,omitempty" jsonschema:"minimum=0"`
	// Times of pairs, for kernels of pairs. Such rows have no samples.
	Pairs *pairs.PairTimes `json:"pairs,omitempty"`
	// Times of all pairs across the block's cut, for kernels of cuts. Such rows have no samples.
	Crossing *pairs.CutTimes `json:"crossing,omitempty"`
	// Time that the system took from the processes, for kernels of noise. Such rows have no samples.
	Noise *rating.Noise `json:"noise,omitempty"`
	// Times of both sides of a guideline. Such rows have no samples.
	Guideline *Guideline `json:"guideline,omitempty"`
	// Times of the victims and data moved by the congestors, for splits. Such rows have no samples.
	Load *Load `json:"load,omitempty"`
	// Figures derived from each of the samples, from the series of each group, or from all pairs.
	Derived []kernel.Times `json:"derived,omitempty"`
	// Figures derived from each of the series.
	Statistics []Statistics `json:"statistics,omitempty"`
	// Verdicts on the nodes and on the processes, for kernels of pairs.
	Verdicts []pairs.PairVerdict `json:"verdicts,omitempty"`
	// Whether the guideline is kept, which follows from all rows of guidelines together.
	Judgement *Judgement `json:"judgement,omitempty"`
	// The steps of kernels of cuts, and the outliers among their pairs.
	Across *pairs.CutVerdict `json:"across,omitempty"`
}

// NewRow returns a row without figures, at a length in bytes and a position on its kernel's axis (kernel.Axis): a
// stride or a number of partitions.
func NewRow(k *kernel.Kernel, bytes, along int64) Row {
	if k.Builder.Rows == kernel.Partitioned {
		return Row{Bytes: bytes, Partitions: along}
	}
	return Row{Bytes: bytes, Stride: along}
}

// AxisValue returns the row's value on its kernel's axis (kernel.Axis), or 0 if the kernel has none.
func (r *Row) AxisValue() int64 { return cmp.Or(r.Stride, r.Partitions) }

// empty reports whether the row has no times of any kind.
func (r *Row) empty() bool {
	return len(r.Samples)+len(r.Series) == 0 && r.Pairs == nil && r.Crossing == nil && r.Noise == nil &&
		r.Load == nil && r.Guideline == nil
}

// Wall counts the items that the processes had created when the stonewall ended the creation. Afterwards each process
// created as many as the fastest one had.
type Wall struct {
	// Items of all processes together.
	Items int64 `json:"items" jsonschema:"minimum=0"`
	// Items of the process that had created the fewest.
	MinItems int64 `json:"least" jsonschema:"minimum=0"`
	// Seconds until the last process had stopped.
	Seconds float64 `json:"seconds" jsonschema:"minimum=0"`
}

// Rate returns the items that were created per second until the stonewall, or 0 if the time isn't known.
func (w *Wall) Rate() float64 {
	if w.Seconds > 0 {
		return float64(w.Items) / w.Seconds
	}
	return 0
}

// Sample holds the measured times of a group, in seconds of all repetitions together.
type Sample struct {
	// Seconds of the quickest process.
	Min float64 `json:"seconds_min,omitempty" jsonschema:"minimum=0"`
	// Seconds of the slowest process.
	Max float64 `json:"seconds_max,omitempty" jsonschema:"minimum=0"`
	// Mean of the seconds of all processes.
	Mean float64 `json:"seconds_mean,omitempty" jsonschema:"minimum=0"`
	// Seconds of each origin of one-sided transfers, in the order of the groups. Kernels of threads have a time for
	// each thread of each process, and kernels of metadata a time for each process. The mean of bandwidths needs all of
	// them, because it doesn't follow from the mean of times.
	Each []float64 `json:"seconds_each,omitempty"`
	// Seconds of communication that overlaps with computing.
	Overlapped float64 `json:"seconds_overlapped,omitempty" jsonschema:"minimum=0"`
	// Seconds of communication without computing. In Truly_passive_put the target waits in MPI_Barrier meanwhile.
	Pure float64 `json:"seconds_pure,omitempty" jsonschema:"minimum=0"`
	// Seconds of computing during communication, or of computing by itself in IO kernels.
	Compute float64 `json:"seconds_cpu,omitempty" jsonschema:"minimum=0"`
	// Seconds of starting nonblocking calls.
	Starting float64 `json:"seconds_init,omitempty" jsonschema:"minimum=0"`
	// Seconds of MPI_Test while computing.
	Testing float64 `json:"seconds_test,omitempty" jsonschema:"minimum=0"`
	// Seconds of MPI_Wait after computing.
	Waited float64 `json:"seconds_wait,omitempty" jsonschema:"minimum=0"`
	// Seconds of Truly_passive_put while the target computes.
	Passive float64 `json:"seconds_passive,omitempty" jsonschema:"minimum=0"`
	// Seconds of the usual calls for the same purpose, measured in the same repetitions.
	Usual float64 `json:"seconds_usual,omitempty" jsonschema:"minimum=0"`
	// Seconds from the time when the last partition of a message was ready to the time when the receiver had all.
	Last float64 `json:"seconds_last,omitempty" jsonschema:"minimum=0"`
	// Seconds of making the request.
	Made float64 `json:"seconds_made,omitempty" jsonschema:"minimum=0"`
	// Seconds of freeing the request, or of ending a session with its communicator.
	Freed float64 `json:"seconds_freed,omitempty" jsonschema:"minimum=0"`
	// Seconds of MPI_Session_init.
	Session float64 `json:"seconds_session,omitempty" jsonschema:"minimum=0"`
	// Seconds of MPI_Group_from_session_pset.
	Group float64 `json:"seconds_group,omitempty" jsonschema:"minimum=0"`
	// Seconds of MPI_Comm_create_from_group.
	Comm float64 `json:"seconds_comm,omitempty" jsonschema:"minimum=0"`
	// Seconds of all these steps for a second session, while the first one is open.
	Again float64 `json:"seconds_again,omitempty" jsonschema:"minimum=0"`
}

// The values of Row.Missing. All but Failed are IMB's words.
const (
	OutOfMemory = "out-of-mem."
	IntOverflow = "int-overflow"
	TimeOut     = "time-out"
	Failed      = "error" // the engine can't measure the row
)
