package probe

import (
	"github.com/effective-bandwidth/beff/rating"
)

// Benchmark and SchemaVersion identify a result document.
const (
	Benchmark     = "probe"
	SchemaVersion = 1
)

// FurtherChecked is how many repetitions at most are run after the last timed one, to be checked as that one is: see
// Row.Checked.
const FurtherChecked = mostAlone

// Result is one run: what was measured where, every sample, and what follows from them.
type Result struct {
	rating.Identity
	rating.Software
	Imported  string `json:"imported,omitempty" jsonschema:"description=file of IMB's output that this was read from; left out if it was measured"`
	Command   string `json:"command" jsonschema:"description=the calling sequence"`
	Processes int    `json:"processes" jsonschema:"minimum=1"`
	rating.Machine
	ThreadLevel string `json:"thread_level" jsonschema:"description=MPI_THREAD_SINGLE or what was asked for"`
	rating.Period
	Complete bool             `json:"complete" jsonschema:"description=false: the run was ended early and this is what was measured until then"`
	Settings Settings         `json:"settings"`
	CPU      CPU              `json:"cpu" jsonschema:"description=what the kernels that compute beside their communication were calibrated to"`
	Warnings []rating.Warning `json:"warnings"`
	Blocks   []Block          `json:"blocks" jsonschema:"description=a table for each kernel on each number of processes"`
}

// Settings are what IMB's command line sets (guide, "Command-line Control").
type Settings struct {
	Lengths      []int64 `json:"lengths,omitempty" jsonschema:"description=bytes: if the user gave them (-msglen or -msglog)"`
	MsgsPer      int64   `json:"msgs_per_sample" jsonschema:"description=the most repetitions (MSGSPERSAMPLE); 0: each component's own"`
	MsgsNonAggr  int64   `json:"msgs_nonaggr" jsonschema:"description=the most repetitions in non-aggregate mode (MSGS_NONAGGR); 0: each component's own"`
	OverallVol   int64   `json:"overall_vol" jsonschema:"description=bytes that the repetitions of a length may move (OVERALL_VOL); 0: each component's own"`
	Policy       Policy  `json:"iter_policy" jsonschema:"enum=dynamic,enum=multiple_np,enum=auto,enum=off"`
	SampleTime   float64 `json:"seconds_per_sample" jsonschema:"description=seconds that a length may take (SECS_PER_SAMPLE)"`
	Memory       int64   `json:"memory" jsonschema:"description=bytes of buffers that a process may have"`
	LeastProcs   int     `json:"npmin" jsonschema:"description=smallest number of active processes"`
	Multi        *int    `json:"multi,omitempty" jsonschema:"description=outflag of the multiple mode: 0 or 1; left out: not multiple"`
	Map          []int   `json:"map,omitempty" jsonschema:"description=P and Q of -map PxQ"`
	CacheSize    int64   `json:"off_cache,omitempty" jsonschema:"description=bytes of the last level cache that is avoided; 0: caches are used"`
	CacheLine    int64   `json:"cache_line,omitempty" jsonschema:"description=bytes"`
	MegaBytesOf2 bool    `json:"mbytes_of_2_20,omitempty" jsonschema:"description=the text has megabytes of 2^20 bytes as in the guide; else of 10^6"`
}

// Policy is how the number of repetitions is found (guide, "-iter_policy Option").
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
	Flops  float64 `json:"flops,omitempty" jsonschema:"description=operations per second of the 100x100 matrix-vector product; 0: not calibrated"`
	Target float64 `json:"target_seconds,omitempty" jsonschema:"description=seconds that computing should take"`
}

// Block is a kernel's table for one number of processes.
type Block struct {
	Kernel    string    `json:"kernel" jsonschema:"description=as IMB names it; without Multi-"`
	Component Component `json:"component" jsonschema:"enum=MPI1,enum=EXT,enum=IO,enum=NBC,enum=RMA"`
	Multi     bool      `json:"multi,omitempty" jsonschema:"description=the multiple mode: several groups at once"`
	Mode      Mode      `json:"mode,omitempty" jsonschema:"enum=aggregate,enum=non-aggregate"`
	Processes int       `json:"processes" jsonschema:"minimum=1,description=of a group"`
	Waiting   int       `json:"waiting,omitempty" jsonschema:"description=further processes that waited in MPI_Barrier"`
	// Groups are the world's ranks of each group; left out in the standard mode without -map, where they are 0, 1, 2…
	Groups [][]int `json:"groups,omitempty"`
	Rows   []Row   `json:"rows"`
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
	Bytes       int64 `json:"bytes" jsonschema:"minimum=0"`
	Repetitions int64 `json:"repetitions,omitempty" jsonschema:"minimum=0"`
	// Missing says why there are no figures, as IMB does: "out-of-mem.", "int-overflow" or "time-out"; Detail is what
	// follows it.
	Missing string `json:"missing,omitempty" jsonschema:"enum=out-of-mem.,enum=int-overflow,enum=time-out"`
	Detail  string `json:"detail,omitempty"`
	// Samples are the times of the groups: one in the standard mode.
	Samples []Sample `json:"samples,omitempty"`
	// Checked is on how many repetitions the data were checked, wholly, outside the clock: the last timed one and some
	// after it. Defects are the places of them that were wrong, of all processes: bytes, or sums.
	Checked int64   `json:"checked,omitempty"`
	Defects int64   `json:"defects,omitempty"`
	Derived []Times `json:"derived,omitempty" jsonschema:"description=what follows from each of the samples"`
}

// Sample is what was measured: seconds of all repetitions together.
type Sample struct {
	Min  float64 `json:"seconds_min,omitempty" jsonschema:"minimum=0,description=seconds of the process that took least"`
	Max  float64 `json:"seconds_max,omitempty" jsonschema:"minimum=0,description=seconds of the process that took longest"`
	Mean float64 `json:"seconds_mean,omitempty" jsonschema:"minimum=0,description=seconds: the mean of all processes"`
	// Of the kernels of class Overlap, and with Pure and Passive of Truly_passive_put: the process with the largest
	// Overlapped.
	Overlapped float64 `json:"seconds_overlapped,omitempty" jsonschema:"minimum=0,description=seconds of communication beside computing"`
	Pure       float64 `json:"seconds_pure,omitempty" jsonschema:"minimum=0,description=seconds of communication alone; of Truly_passive_put: the target waits in MPI_Barrier"`
	Compute    float64 `json:"seconds_cpu,omitempty" jsonschema:"minimum=0,description=seconds of computing: beside communication; of IO kernels alone"`
	Passive    float64 `json:"seconds_passive,omitempty" jsonschema:"minimum=0,description=seconds of Truly_passive_put: the target computes"`
}

// Times are a row's figures: seconds of one repetition, or half of one (Kernel.Halves).
type Times struct {
	Min        float64 `json:"t_min,omitempty" jsonschema:"minimum=0,description=seconds of the process that took least"`
	Max        float64 `json:"t_max,omitempty" jsonschema:"minimum=0,description=seconds of the process that took longest"`
	Mean       float64 `json:"t_avg,omitempty" jsonschema:"minimum=0,description=seconds: the mean of all processes"`
	Overlapped float64 `json:"t_ovrl,omitempty" jsonschema:"minimum=0,description=seconds of communication beside computing"`
	Pure       float64 `json:"t_pure,omitempty" jsonschema:"minimum=0,description=seconds of communication alone"`
	Compute    float64 `json:"t_cpu,omitempty" jsonschema:"minimum=0,description=seconds of computing: beside communication; of IO kernels alone"`
	Passive    float64 `json:"t_passive,omitempty" jsonschema:"minimum=0,description=seconds of Truly_passive_put while the target computes"`
	Overlap    float64 `json:"overlap,omitempty" jsonschema:"description=part of the shorter of t_pure and t_cpu that was hidden: 0 to 1"`
	Bandwidth  float64 `json:"bandwidth,omitempty" jsonschema:"description=bytes per second"`
	Rate       float64 `json:"rate,omitempty" jsonschema:"description=messages per second"`
}
