package probe

import (
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/pairs"
	"github.com/effective-bandwidth/beff/rating"
)

// Benchmark and SchemaVersion identify a result document.
const (
	Benchmark     = "probe"
	SchemaVersion = 2
)

// FurtherChecked is the largest number of repetitions that are run after the last timed one and checked like it: see
// Row.Checked.
const FurtherChecked = kernel.MostAlone

// Result is one run of beff probe: kernels by the method of the Intel MPI Benchmarks, where they were measured, the
// times of each length, and the figures that follow from them.
type Result struct {
	rating.Identity
	rating.Software
	// File of IMB's output that this was read from; left out if it was measured.
	Imported string `json:"imported,omitempty"`
	// The calling sequence.
	Command   string `json:"command"`
	Processes int    `json:"processes" jsonschema:"minimum=1"`
	rating.Machine
	// MPI_THREAD_SINGLE, or the level that the user asked for.
	ThreadLevel string `json:"thread_level"`
	rating.Period
	rating.Circumstances
	// False if the run ended early; the document then has the rows until that time.
	Complete bool     `json:"complete"`
	Settings Settings `json:"settings"`
	// Calibration of the kernels that compute beside their communication.
	CPU CPU `json:"cpu"`
	// The clock of series; left out without any.
	Clock    *Clock           `json:"clock,omitempty"`
	Warnings []rating.Warning `json:"warnings" jsonschema:"maxItems=1000"`
	Judged
	// Libraries that were loaded before all others (LD_PRELOAD), which may stand in for those of the MPI library.
	Preloaded []string `json:"preloaded,omitempty"`
	// Factors of the processes, relative to 1: a block has the length times its factor, rounded down to bytes.
	Factors []float64 `json:"factors,omitempty"`
	// Program files of the blocks of the component USER.
	Programs []Program `json:"programs,omitempty"`
	// A table for each kernel on each number of processes.
	Blocks []Block `json:"blocks"`

	programs map[string]*kernel.Kernel // of Programs that were parsed
}

// Settings holds the settings of IMB's command line (guide, "Command-line Control").
type Settings struct {
	// Bytes; left out unless the user gave them (-msglen or -msglog).
	Lengths []int64 `json:"lengths,omitempty"`
	// Lengths that are selected while a block is measured; left out: they are fixed.
	Adaptive *Adaptive `json:"adaptive,omitempty"`
	// The most repetitions (MSGSPERSAMPLE); 0: each component's own.
	MsgsPer int64 `json:"msgs_per_sample"`
	// The most repetitions in non-aggregate mode (MSGS_NONAGGR); 0: each component's own.
	MsgsNonAggr int64 `json:"msgs_nonaggr"`
	// Bytes that the repetitions of a length may move (OVERALL_VOL); 0: each component's own.
	OverallVol int64  `json:"overall_vol"`
	Policy     Policy `json:"iter_policy" jsonschema:"enum=dynamic,enum=multiple_np,enum=auto,enum=off"`
	// Seconds that a length may take (SECS_PER_SAMPLE).
	SampleTime float64 `json:"seconds_per_sample"`
	// Bytes of buffers that a process may have.
	Memory int64 `json:"memory"`
	// Smallest number of active processes.
	LeastProcs int `json:"npmin"`
	// Outflag of the multiple mode: 0 or 1; left out: not multiple.
	Multi *int `json:"multi,omitempty"`
	// P and Q of -map PxQ.
	Map []int `json:"map,omitempty"`
	// Of each host the lowest rank alone takes part; the others wait.
	OnePerHost bool `json:"one_per_host,omitempty"`
	// Bytes of the last level cache that is avoided; 0: caches are used.
	CacheSize int64 `json:"off_cache,omitempty"`
	// Bytes.
	CacheLine int64 `json:"cache_line,omitempty"`
	// Whose clock gives the time of a repetition; left out: loop.
	Timing Timing `json:"timing,omitempty" jsonschema:"enum=max,enum=root,enum=global"`
	// How precise series are; left out: rows are loops between two readings of the clock, as in IMB.
	Precision *Precision `json:"precision,omitempty"`
	// Untimed repetitions before the timed ones, of a series before each batch of them; left out: as many as the method
	// wants.
	WarmUp *int64 `json:"warmup,omitempty" jsonschema:"minimum=0"`
	// Choices of the PGAS component; left out: the defaults.
	OneSided *kernel.OneSided `json:"one_sided,omitempty"`
	// Columns of the text of series; left out: the interval, the median and the extremes. With pgas the component PGAS
	// has the layout of its suite.
	Columns Columns `json:"columns,omitempty" jsonschema:"enum=percentiles,enum=mpiblib,enum=pgas"`
	// Passes through all blocks; left out: one.
	Passes int `json:"passes,omitempty" jsonschema:"minimum=2"`
	// Pairs that kernels of pairs measure: all, ring, or a number of them; left out: all, of more than 256
	// processes 16 of each.
	Pairs string `json:"pairs,omitempty"`
	// The pairs of a round ran at the same time.
	AtOnce bool `json:"at_once,omitempty"`
	// Origin of the factors of kernels with blocks of different lengths: the name of a file, random:SEED, or speed;
	// left out: all are 1.
	Factors string `json:"factors,omitempty"`
	// Bcast: the root of a tree whose blocks have different lengths broadcasts these first; left out: all know them.
	Counts string `json:"counts,omitempty" jsonschema:"enum=bcast"`
	// Further processes of Relayed; left out: 2, or as many as there are.
	Relays int `json:"relays,omitempty" jsonschema:"minimum=0"`
	// Pieces of Fragments; left out: 4.
	Fragments int `json:"fragments,omitempty" jsonschema:"minimum=0"`
	kernel.Today
	// The text has megabytes of 2^20 bytes as in the guide; else of 10^6.
	MegaBytesOf2 bool `json:"mbytes_of_2_20,omitempty"`
}

// Columns selects the columns of the text of series.
type Columns string

// The choices of columns besides the usual ones.
const (
	PercentileColumns Columns = "percentiles"
	MPIBlibColumns    Columns = "mpiblib"
	PGASColumns       Columns = "pgas"
)

// Policy is the rule for the number of repetitions (guide, "-iter_policy Option").
type Policy string

// The policies.
const (
	Dynamic    Policy = "dynamic"
	MultipleNP Policy = "multiple_np"
	Auto       Policy = "auto"
	Off        Policy = "off"
)

// CPU is the calibration of the computing kernel.
type CPU struct {
	// How nonblocking collective calls go on while a process computes; left out where the MPI library decides, or
	// without such kernels.
	Progress string `json:"progress,omitempty"`
	// Operations per second of the 100x100 matrix-vector product; 0: not calibrated.
	Flops float64 `json:"flops,omitempty"`
	// Seconds that computing should take.
	Target float64 `json:"target_seconds,omitempty"`
}

// Block is a kernel's table for one number of processes.
type Block struct {
	// IMB's name without Multi-.
	Kernel    string           `json:"kernel"`
	Component kernel.Component `json:"component" jsonschema:"pattern=^(MPI1|EXT|IO|NBC|RMA|MPIB|PGAS|USER|P2P)$"`
	// The multiple mode: several groups at the same time.
	Multi bool        `json:"multi,omitempty"`
	Mode  kernel.Mode `json:"mode,omitempty" jsonschema:"enum=aggregate,enum=non-aggregate"`
	// When transfers of PGAS count as done: at the target, or with local and request when the origin's memory may be
	// used again. Left out of kernels without a choice.
	Completion kernel.Completion `json:"completion,omitempty" jsonschema:"enum=each,enum=local,enum=all,enum=request"`
	// Whose memory the windows are: the program's, or the library's own, which it may share within a host.
	WindowKind kernel.WindowKind `json:"window_kind,omitempty" jsonschema:"enum=create,enum=allocate"`
	// Processes whose memory others access computed instead of waiting in MPI_Barrier.
	Target kernel.TargetWork `json:"target,omitempty" jsonschema:"enum=compute"`
	// Number of the pass, from 1 on; left out of a single one.
	Pass int `json:"pass,omitempty" jsonschema:"minimum=1"`
	// Of a group.
	Processes int `json:"processes" jsonschema:"minimum=1"`
	// Process 0 is the root in all repetitions, as in those of the algorithms that the run has of the same operation.
	// Else the root of IMB's kernels changes with each repetition.
	FixedRoot bool `json:"fixed_root,omitempty"`
	// Further processes that waited in MPI_Barrier.
	Waiting int `json:"waiting,omitempty"`
	// Messages of a repetition of Uniband and Biband, one way between two processes.
	WindowSize int `json:"window_size,omitempty" jsonschema:"minimum=0"`
	// Groups holds the world's ranks of each group; left out in the standard mode without -map, where they are 0, 1, 2…
	Groups [][]int `json:"groups,omitempty"`
	// Seconds of a barrier on the first process of each group, which timing root takes off.
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

// Row is one message length.
type Row struct {
	Bytes int64 `json:"bytes" jsonschema:"minimum=0"`
	// Distance of the starts of two blocks, in blocks, of strided kernels.
	Stride      int64 `json:"stride,omitempty" jsonschema:"minimum=0"`
	Repetitions int64 `json:"repetitions,omitempty" jsonschema:"minimum=0"`
	// Missing is the reason why there are no figures, in IMB's words: "out-of-mem.", "int-overflow" or "time-out";
	// "error" if a user's program can't run. Detail is the text after it.
	Missing string `json:"missing,omitempty" jsonschema:"enum=out-of-mem.,enum=int-overflow,enum=time-out,enum=error"`
	Detail  string `json:"detail,omitempty"`
	// The times of each repetition, of rows that have series instead of samples.
	Series []Series `json:"series,omitempty"`
	// Seconds of empty round trips of process 0 with each other one, half of which Bcast_ack takes off.
	RoundTrips []float64 `json:"round_trips,omitempty"`
	// The clocks of the processes, of timing global where they have clocks of their own.
	Offsets *Offsets `json:"offsets,omitempty"`
	// Samples are the times of the groups: one in the standard mode.
	Samples []Sample `json:"samples,omitempty"`
	// Checked is the number of repetitions whose data were checked completely, outside of the timed part: the last
	// timed one and some after it. Defects is the number of wrong bytes, or sums, in them on all processes.
	Checked int64 `json:"checked,omitempty"`
	Defects int64 `json:"defects,omitempty"`
	// Times of pairs, of kernels of pairs, which have no samples besides.
	Pairs *pairs.PairTimes `json:"pairs,omitempty"`
	// Figures derived from each of the samples, from the series of each group, or from all pairs.
	Derived []kernel.Times `json:"derived,omitempty"`
	// Figures derived from each of the series.
	Statistics []Statistics `json:"statistics,omitempty"`
	// Verdicts on the nodes and on the processes of kernels of pairs.
	Verdicts []pairs.PairVerdict `json:"verdicts,omitempty"`
}

// Sample holds the measured times: seconds of all repetitions together.
type Sample struct {
	// Seconds of the process that took least.
	Min float64 `json:"seconds_min,omitempty" jsonschema:"minimum=0"`
	// Seconds of the process that took longest.
	Max float64 `json:"seconds_max,omitempty" jsonschema:"minimum=0"`
	// Seconds: the mean of all processes.
	Mean float64 `json:"seconds_mean,omitempty" jsonschema:"minimum=0"`
	// Seconds of each origin of one-sided transfers, in the order of the groups: the mean of their bandwidths doesn't
	// follow from the mean of the times.
	Each []float64 `json:"seconds_each,omitempty"`
	// Seconds of communication beside computing.
	Overlapped float64 `json:"seconds_overlapped,omitempty" jsonschema:"minimum=0"`
	// Seconds of communication alone; of Truly_passive_put: the target waits in MPI_Barrier.
	Pure float64 `json:"seconds_pure,omitempty" jsonschema:"minimum=0"`
	// Seconds of computing: beside communication; of IO kernels alone.
	Compute float64 `json:"seconds_cpu,omitempty" jsonschema:"minimum=0"`
	// Seconds of Truly_passive_put: the target computes.
	Passive float64 `json:"seconds_passive,omitempty" jsonschema:"minimum=0"`
}
