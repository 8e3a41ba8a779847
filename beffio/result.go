package beffio

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
)

// Benchmark and SchemaVersion identify a result document.
const (
	Benchmark     = "b_eff_io"
	SchemaVersion = 1
)

// Result is one run of the effective I/O bandwidth benchmark b_eff_io by beff. It holds where and how the run was made,
// every sample, and the figures that follow from them.
type Result struct {
	rating.Identity
	// Source of the headline's formula: the 2001 paper or HLRS release 2.1.
	Rules Rules `json:"rules" jsonschema:"enum=paper,enum=2.1"`
	// The run is a preview of the file system, not a rating.
	Quick bool `json:"quick,omitempty"`
	rating.Software
	// Processes of the whole job.
	Processes int `json:"processes" jsonschema:"minimum=1"`
	// Bytes.
	MemoryPerProcess int64 `json:"memory_per_process" jsonschema:"minimum=1"`
	// Bytes of all nodes in use; 0: not known.
	TotalMemory int64 `json:"total_memory" jsonschema:"minimum=0"`
	// The longest chunk in bytes.
	MPart int64 `json:"m_part" jsonschema:"minimum=1"`
	// T, the seconds scheduled for all partitions together.
	Duration float64 `json:"duration" jsonschema:"exclusiveMinimum=0"`
	// Half width of b_eff_io's interval, relative to b_eff_io, at which an adaptive run ends, 0 to 1. T is then the
	// time of each round. Left out of a run that isn't adaptive.
	Within float64 `json:"within,omitempty" jsonschema:"minimum=0"`
	// Seconds within which all rounds end.
	AtMost float64 `json:"at_most,omitempty" jsonschema:"minimum=0"`
	// Maximum bytes in the files of all partitions together.
	MaxBytes int64 `json:"max_bytes,omitempty" jsonschema:"minimum=0"`
	// All pattern types were rewritten, not only type 0.
	RewriteAll bool `json:"rewrite_all"`
	// Type 1 was measured with individual file pointers.
	NoShared bool `json:"noshared"`
	// Files were opened without MPI_MODE_UNIQUE_OPEN.
	NoUnique bool `json:"nounique"`
	// Files were kept, so read was measured without MPI_MODE_DELETE_ON_CLOSE.
	Keep bool `json:"keep"`
	// Which of the bytes read were compared with the bytes written. With sampled they are the marks of each chunk, and
	// samples of the data of each pattern's last call; with full all bytes. Left out if only the marks were compared.
	Verify Verification `json:"verify,omitempty" jsonschema:"enum=sampled,enum=full"`
	// How data were kept out of memory before they were read; left out of a run that isn't cold.
	Cold *Cold `json:"cold,omitempty"`
	// Quantiles that the user asked for, in percent; the times of calls are then counted.
	Quantiles  []float64  `json:"quantiles,omitempty" jsonschema:"maxItems=16"`
	FileSystem FileSystem `json:"file_system"`
	// Hints that the user gave.
	Hints []HintRule `json:"hints"`
	// Hints that the library reported. A type is listed again if they changed.
	HintsInForce []HintsInForce `json:"hints_in_force"`
	rating.Machine
	rating.Period
	rating.Circumstances
	// False if the run ended early; the document then has the samples until that time.
	Complete bool `json:"complete"`
	// Number of processes of each partition.
	Partitions []int     `json:"partitions" jsonschema:"minItems=1,minimum=1"`
	Patterns   []Pattern `json:"patterns" jsonschema:"minItems=1"`
	// Figures derived from the samples. Figures without samples are left out.
	Derived Derived `json:"derived"`
	rating.Verdict
	// The first wrong chunks.
	Errors []DataError `json:"errors"`
	// Time to open and close each pattern type's file.
	Files []FileSample `json:"files"`
	// Every pattern that was measured.
	Samples []Sample `json:"samples"`
}

// FileSystem describes the rated file system.
type FileSystem = rating.FileSystem

// Pattern describes a pattern in a result (paper, Table 2).
type Pattern struct {
	Number int `json:"number" jsonschema:"minimum=0"`
	// Number of the type: 0 scatter, 1 shared, 2 separated, 3 segmented, 4 segmented collective.
	Type patterns.IOType `json:"type" jsonschema:"minimum=0"`
	// Bytes of a contiguous chunk on disk; 0 if it fills up the segment.
	Disk int64 `json:"disk" jsonschema:"minimum=0"`
	// Bytes of a contiguous chunk in memory; 0 if it fills up the segment.
	Memory int64 `json:"memory" jsonschema:"minimum=0"`
	// Units of time.
	Units int `json:"units" jsonschema:"minimum=0"`
}

// IsNumber2 reports whether the pattern is the paper's number 2, of type 0 with 1 MiB on disk and 2 MiB in memory.
// Number 3 has the same chunk on disk.
func (p Pattern) IsNumber2() bool {
	return p.Type == patterns.Scatter && p.Disk == 1<<20 && p.Memory == 2<<20
}

// Sample is one pattern of one access method of one partition.
type Sample struct {
	// Index into partitions.
	Partition int    `json:"partition" jsonschema:"minimum=0"`
	Access    Access `json:"access" jsonschema:"enum=write,enum=rewrite,enum=read"`
	// Number of the pattern.
	Pattern int `json:"pattern" jsonschema:"minimum=0"`
	// Pass over the read access, counted from 0; the last one may be a part.
	Pass int `json:"pass,omitempty" jsonschema:"minimum=0"`
	// Round of an adaptive run, counted from 0.
	Round int `json:"round,omitempty" jsonschema:"minimum=0"`
	// Bytes moved by all processes.
	Bytes int64 `json:"bytes" jsonschema:"minimum=0"`
	// Seconds from the barrier before the view is set to the barrier after the sync.
	Seconds float64 `json:"seconds" jsonschema:"minimum=0"`
	// Number of calls of process 0.
	Repetitions int64 `json:"repetitions" jsonschema:"minimum=0"`
	// Number of calls of all processes.
	Calls int64 `json:"calls" jsonschema:"minimum=0"`
	// Seconds of the pattern's share.
	Scheduled float64 `json:"scheduled" jsonschema:"minimum=0"`
	// The pattern ended when its share of max_bytes was used.
	OutOfBytes bool `json:"out_of_bytes,omitempty"`
	// The pattern ended before it had repeated all calls of the initial write.
	OutOfTime bool `json:"out_of_time,omitempty"`
	// Seconds until all processes have set the view, measured by process 0; left out by versions that didn't measure
	// it.
	View float64 `json:"view,omitempty" jsonschema:"minimum=0"`
	// Seconds in which marks were written or checked. Like the times below, it is the maximum over the processes.
	Marks float64 `json:"marks" jsonschema:"minimum=0"`
	// Seconds of the MPI-IO calls.
	IO float64 `json:"io" jsonschema:"minimum=0"`
	// Seconds of barriers.
	Barrier float64 `json:"barrier" jsonschema:"minimum=0"`
	// Seconds of the broadcasts of decisions.
	Broadcast float64 `json:"broadcast" jsonschema:"minimum=0"`
	// Seconds of MPI_File_sync.
	Sync float64 `json:"sync" jsonschema:"minimum=0"`
	// Seconds of the last MPI-IO call.
	LastIO float64 `json:"last_io" jsonschema:"minimum=0"`
	// Seconds of the last barrier and broadcast.
	LastBarrier float64 `json:"last_barrier" jsonschema:"minimum=0"`
	// Number of chunks that differed from the written data.
	Errors int64 `json:"errors" jsonschema:"minimum=0"`
	// Times of the calls in the first pass; left out if there were none, and by versions that didn't keep them.
	Blocks *Blocks `json:"blocks,omitempty"`
	// Time of each call in the first pass; left out without quantiles.
	Times *CallTimes `json:"times,omitempty"`
	// The slowest MPI-IO call of a later pass; left out without quantiles, like the next two.
	Slowest *rating.SlowCall `json:"slowest,omitempty"`
	// MPI_File_set_view of the slowest process.
	ViewCall *OnceCall `json:"view_call,omitempty"`
	// MPI_File_sync of the slowest process.
	SyncCall *OnceCall `json:"sync_call,omitempty"`
}

// FileSample is the opening and closing of the file of a pattern type.
type FileSample struct {
	// Index into partitions.
	Partition int    `json:"partition" jsonschema:"minimum=0"`
	Access    Access `json:"access" jsonschema:"enum=write,enum=rewrite,enum=read"`
	Type      string `json:"type" jsonschema:"enum=scatter,enum=shared,enum=separated,enum=segmented,enum=seg_coll"`
	// Pass over the read access, counted from 0.
	Pass int `json:"pass,omitempty" jsonschema:"minimum=0"`
	// Round of an adaptive run, counted from 0.
	Round int `json:"round,omitempty" jsonschema:"minimum=0"`
	// Seconds, including a barrier.
	Open float64 `json:"open" jsonschema:"minimum=0"`
	// Seconds, including a barrier.
	Close float64 `json:"close" jsonschema:"minimum=0"`
	// MPI_File_open of the slowest process; left out without quantiles, like the next one.
	OpenCall *OnceCall `json:"open_call,omitempty"`
	// MPI_File_close of the slowest process.
	CloseCall *OnceCall `json:"close_call,omitempty"`
	// For read: how much of the file was in memory; left out if not known.
	Pages *rating.Pages `json:"pages,omitempty"`
}

// DataError is a chunk that differed from the written data.
type DataError struct {
	// Index into partitions.
	Partition int    `json:"partition" jsonschema:"minimum=0"`
	Access    Access `json:"access" jsonschema:"enum=write,enum=rewrite,enum=read"`
	Pattern   int    `json:"pattern" jsonschema:"minimum=0"`
	Rank      int    `json:"rank" jsonschema:"minimum=0"`
	// Counted from 0.
	Repetition int64 `json:"repetition" jsonschema:"minimum=0"`
	// Counted from 0 in the repetition.
	Chunk int64 `json:"chunk" jsonschema:"minimum=0"`
	// Offset of the wrong 8 bytes in the file.
	Offset int64 `json:"offset" jsonschema:"minimum=0"`
	// Hexadecimal.
	Expected string `json:"expected"`
	// Hexadecimal.
	Found string `json:"found"`
}

// String returns the error in words.
func (e DataError) String() string {
	return fmt.Sprintf("%s of pattern %d, rank %d, repetition %d, chunk %d: at byte %d of the file %s was expected, "+
		"%s found", e.Access, e.Pattern, e.Rank, e.Repetition, e.Chunk, e.Offset, e.Expected, e.Found)
}

// isOf reports whether one of the samples counts the error.
func (e *DataError) isOf(samples []Sample) bool {
	return slices.ContainsFunc(samples, func(s Sample) bool {
		return s.Partition == e.Partition && s.Access == e.Access && s.Pattern == e.Pattern && s.Errors > 0
	})
}

// HintsInForce holds the hints that the library reports for a file (MPI_File_get_info).
type HintsInForce struct {
	// Index into partitions.
	Partition int        `json:"partition" jsonschema:"minimum=0"`
	Access    Access     `json:"access" jsonschema:"enum=write,enum=rewrite,enum=read"`
	Type      string     `json:"type"`
	Hints     []mpi.Hint `json:"hints"`
}

// Run holds the facts that a result needs in addition to plan and measurement.
type Run struct {
	rating.Run
	FileSystem FileSystem
}

// NewResult returns the result of a run with all figures derived from its samples.
func NewResult(p *Plan, m *Measured, run Run) *Result {
	r := &Result{
		Identity: run.Identity(Benchmark, SchemaVersion), Software: run.Software(), Machine: run.Machine(),
		Period: run.Period(m.WallSeconds), Circumstances: run.Circumstances(), Complete: run.Err == nil,
		Rules: p.Rules, Quick: p.Quick, Processes: p.Processes, MemoryPerProcess: p.Memory, TotalMemory: p.TotalMemory,
		MPart: p.MPart, Duration: p.Duration.Seconds(), Within: p.Within, AtMost: p.AtMost.Seconds(),
		MaxBytes: p.MaxBytes, RewriteAll: p.RewriteAll,
		NoShared: p.NoShared, NoUnique: p.NoUnique, Keep: p.Keep, FileSystem: run.FileSystem, Hints: p.Hints,
		HintsInForce: m.Hints, Partitions: p.Partitions, Errors: m.Errors,
		Verify: p.Verify, Cold: p.Cold, Quantiles: p.Quantiles,
		Files: m.Files, Samples: m.Samples,
	}
	for _, row := range p.Rows {
		r.Patterns = append(r.Patterns, Pattern{row.Number, row.Type, row.Disk, row.Memory, row.Units})
	}
	r.lists()
	r.Derived = Derive(r)
	r.Verdict = rating.NewVerdict(warnings(r, run), criteria(r, run.Err), noiseSigns(r))
	r.Explain(&rating.Evidence{Engine: r.Engine, Machine: r.Machine, Environment: r.Environment,
		FileSystem: &r.FileSystem})
	return r
}

// Estimate returns b_eff_io with its known error.
func (r *Result) Estimate() rating.Estimate {
	return rating.Estimate{Value: r.Derived.BEffIO, Within: r.Derived.BEffIOInterval, Model: r.Engine.Kind().Simulated}
}

// lists replaces nil lists by empty ones, because JSON's null isn't a list.
func (r *Result) lists() {
	fillNil(&r.Hints)
	fillNil(&r.HintsInForce)
	fillNil(&r.Errors)
	fillNil(&r.Files)
	fillNil(&r.Samples)
}

func fillNil[T any](list *[]T) {
	if *list == nil {
		*list = []T{}
	}
}

const overrunTolerance = 0.10

func warnings(r *Result, run Run) []rating.Warning {
	list := []rating.Warning{}
	add := func(found bool, code, remedy, text string, args ...any) {
		if found {
			list = append(list, rating.Warning{Code: code, Text: fmt.Sprintf(text, args...), Remedy: remedy})
		}
	}
	largest := lists.Max(r.Derived.Partitions, func(p Partition) int64 { return p.Bytes })
	limited, cut := r.ended()
	larger := "give a longer -T, or more processes"
	if limited > 0 {
		larger = "raise --max-bytes, or use a larger file system"
	}
	left := r.TotalMemory
	if r.Cold != nil {
		left -= min(left, int64(r.Processes)*r.Cold.Filled)
	}
	add(r.Complete && (r.TotalMemory == 0 || largest < left), "cache",
		larger+"; the files should hold several times the memory of all nodes in use",
		"the files of a partition hold at most %s%s: the data read may have come from a cache",
		rating.Gibibytes(largest),
		ofMemory(left))
	add(limited > 0, "bytes", "raise --max-bytes, or use a larger file system",
		"%d of the patterns ended early because the files of all partitions may hold only %s together: the run is "+
			"shorter than -T", limited, rating.Gibibytes(r.MaxBytes))
	ignored := r.ignoredHints()
	add(r.Complete && len(ignored) > 0, "hints", "see the library's documentation for the hints that it supports",
		"the library did not confirm these hints: %s", strings.Join(ignored, ", "))
	add(r.WallSeconds > max(r.Duration, r.AtMost)*(1+overrunTolerance), "overrun",
		"give a longer -T if single calls or syncs take that long on this file system; a run always takes longer if "+
			"reading or rewriting is slower than writing",
		"the run took %s instead of the scheduled %s", long(r.WallSeconds), long(max(r.Duration, r.AtMost)))
	add(cut > 0, "cut", "look for other load on the file system, and for the reason why reading is slower than writing",
		"%d of the patterns ended before they had repeated all calls of the initial write, because the run would "+
			"have taken more than twice -T; it read %.0f %% of the rated partition's files", cut, 100*r.readPart())
	return append(list, rating.CommonWarnings(r.Software, r.Machine, r.Period, r.Circumstances,
		rating.EmbeddedFiles)...)
}

// ended returns the numbers of patterns that ended early because of the limits of bytes and of time.
func (r *Result) ended() (bytes, time int) {
	for _, s := range r.Samples {
		if s.OutOfBytes {
			bytes++
		}
		if s.OutOfTime {
			time++
		}
	}
	return bytes, time
}

// ignoredHints returns the given keys that are missing in all lists of the hints in force.
func (r *Result) ignoredHints() []string {
	inForce := map[string]bool{}
	for _, h := range r.HintsInForce {
		for _, hint := range h.Hints {
			inForce[hint.Key] = true
		}
	}
	var list []string
	for _, h := range r.Hints {
		if !inForce[h.Key] && !slices.Contains(list, h.Key) {
			list = append(list, h.Key)
		}
	}
	return list
}

func ofMemory(total int64) string {
	if total == 0 {
		return ", and the memory of the nodes is not known"
	}
	return fmt.Sprintf(", less than the %s of memory of the nodes in use", rating.Gibibytes(total))
}

// least is the least scheduled time of a partition in seconds: the paper's 15 minutes (Sec. 4) and release 2.1's 30.
var least = map[Rules]float64{RulesPaper: 15 * 60, Rules21: 30 * 60}

// MinWriting is the least time of the rated partition's initial write by the paper's rules, in seconds. The paper's
// minimum file size is the data written in 300 seconds (Sec. 4).
const MinWriting = 300

// The class of short ratings has a T of half an hour for three partitions. The paper proposes it for the Top Clusters
// list (Sec. 5), though it requires 15 minutes for each (Sec. 4).
const (
	ShortDuration   = 30 * time.Minute
	ShortPartitions = 3
	ShortClass      = "30 minutes, three partitions"
)

// short reports whether T is in the class of short ratings.
func (rules Rules) short(seconds float64, partitions int) bool {
	return partitions == ShortPartitions && seconds >= ShortDuration.Seconds() &&
		seconds < float64(partitions)*rules.MinSeconds()
}

// Short reports whether the result is in the class of short ratings.
func (r *Result) Short() bool {
	return !r.Quick && r.Within == 0 && r.Rules.short(r.Duration, len(r.Partitions))
}

// minWriting returns the least time in seconds of the rated partition's initial write. It is the paper's or, in the
// class of short ratings, a third of T, as the paper derives it.
func (r *Result) minWriting() float64 {
	if r.Short() {
		return ShortDuration.Seconds() / ShortPartitions / float64(len(Accesses()))
	}
	return MinWriting
}

// MinSeconds returns the least scheduled time in seconds of a valid partition by the rules.
func (rules Rules) MinSeconds() float64 { return least[rules] }

// stopped describes when a run ended with an error.
func stopped(r *Result, err error) string {
	if err == nil {
		return ""
	}
	return fmt.Sprintf("%v, after %s of %s", err, long(r.WallSeconds), long(r.Duration))
}

func criteria(r *Result, err error) []rating.Criterion {
	errors := r.WrongChunks(-1)
	limited, _ := r.ended()
	finished := "the measurement was finished" + r.roundsAlternative()
	if err != nil {
		finished += fmt.Sprintf(" (it ended with: %v)", err)
	}
	list := []rating.Criterion{rating.DataCriterion(fmt.Sprintf("error count (%d) == 0", errors), errors == 0,
		fmt.Sprintf("%d chunks differ from the written data", errors), "the file system, or the MPI library,"),
		{Name: rating.Complete, Text: finished,
			Reached: (err == nil || r.enoughRounds()) && r.Derived.BEffIO > 0, Not: stopped(r, err),
			Remedy: "resume the run with --resume, which keeps the measured samples"}}
	list = slices.Concat(list, r.timeCriterion(), r.roundsCriterion(), []rating.Criterion{
		{Name: "shared", Text: "shared file pointers must be used for pattern type 1", Reached: !r.NoShared,
			Remedy: "leave out --noshared"},
	}, r.coldCriterion(), []rating.Criterion{
		{Name: "bytes", Text: fmt.Sprintf("no time-driven pattern was ended by the limit of bytes (%d were)", limited),
			Reached: limited == 0, Remedy: "give a larger --max-bytes"},
	})
	if part := r.readPart(); part < minRead {
		list = append(list, rating.Criterion{
			Name: "read", Text: fmt.Sprintf("at least %.0f %% of the written data are read (%.0f %% were)",
				100*minRead,
				100*part), Remedy: r.longer() + ", or look for other load on the file system",
		})
	}
	if r.Rules == RulesPaper && r.Within == 0 {
		writing := r.writing()
		list = append(list, rating.Criterion{
			Name: "size", Text: fmt.Sprintf("the initial write of the rated partition takes at least %.0f s, the "+
				"paper's minimum (it took %.1f s)", r.minWriting(), writing),
			Reached: writing >= r.minWriting(), Remedy: r.longer(),
		})
	}
	return slices.Concat(list, r.JoinedCriterion(), rating.LibraryCriterion(r.Engine),
		r.LongestCriterion("m_part", "M_PART", "the longest chunk, %s, follows from", r.MPart, patterns.MPart))
}

// longer is the advice for a run that was too short.
func (r *Result) longer() string {
	if r.Quick {
		return "leave out --quick"
	}
	return "give a longer -T"
}

// timeCriterion returns the criterion of the scheduled time, or none for an adaptive run.
func (r *Result) timeCriterion() []rating.Criterion {
	if r.Within > 0 {
		return nil
	}
	scheduled, minutes := r.Duration/float64(len(r.Partitions)), least[r.Rules]/60
	whole := (&Config{Rules: r.Rules, Partitions: r.Partitions, RewriteAll: r.RewriteAll}).MinDuration()
	c := rating.Criterion{Name: "time", Text: fmt.Sprintf("scheduled time %s of a partition >= %.0f min",
		long(scheduled), minutes), Reached: scheduled >= least[r.Rules] && !r.Quick,
		Not: fmt.Sprintf("%s for each number of processes, but the rules require %.0f min", long(scheduled),
			minutes),
		Remedy: fmt.Sprintf("give -T %.0fm, or leave out -T: that is the default", whole.Minutes())}
	if r.Quick {
		c.Remedy = r.longer()
	}
	if r.Short() {
		c.Class = ShortClass
	}
	return []rating.Criterion{c}
}

// Limited returns the longest chunk if it isn't the one that follows from the available memory, which puts the rating
// in the class of this chunk. It returns 0 for the full class.
func (r *Result) Limited() int64 { return r.LimitedTo(r.MPart, patterns.MPart) }

// minRead is the least part of the rated partition's files that a valid result has read. The paper reads everything.
// A warning reports unread data, but the less was read, the more of it was in a cache.
const minRead = 0.5

// readPart returns the part of the rated partition's written data that was read in the first pass.
func (r *Result) readPart() float64 {
	written, read := int64(0), int64(0)
	for _, s := range r.Samples {
		switch {
		case r.Partitions[s.Partition] != r.Derived.Processes || s.Pass > 0:
		case s.Access == Write:
			written += s.Bytes
		case s.Access == Read:
			read += s.Bytes
		}
	}
	if written == 0 {
		return 1
	}
	return float64(read) / float64(written)
}

// writing returns the seconds of the rated partition's initial write.
func (r *Result) writing() float64 {
	sum := 0.0
	for _, s := range r.Samples {
		if s.Access == Write && r.Partitions[s.Partition] == r.Derived.Processes {
			sum += s.Seconds
		}
	}
	return sum
}

// long returns seconds as text, in minutes with one decimal, or in seconds if less than a minute.
func long(seconds float64) string {
	const minute = 60
	if seconds < minute {
		return rating.Rounded(seconds, 2) + " s"
	}
	return fmt.Sprintf("%.1f min", seconds/minute)
}
