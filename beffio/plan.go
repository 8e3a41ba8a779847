package beffio

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
)

// Rules name the formula of the headline number, and the criteria of its validity.
type Rules string

// The rules of the paper and of HLRS release 2.1.
const (
	RulesPaper Rules = "paper"
	Rules21    Rules = "2.1"
)

// Access is an access method (paper, Sec. 2.2).
type Access string

// The access methods, in the order in which they are measured.
const (
	Write   Access = "write"
	Rewrite Access = "rewrite"
	Read    Access = "read"
)

// Accesses lists the access methods in measuring order.
func Accesses() []Access { return []Access{Write, Rewrite, Read} }

// Types lists the pattern types in measuring order.
func Types() []patterns.IOType {
	return []patterns.IOType{patterns.Scatter, patterns.Shared, patterns.Separated, patterns.Segmented,
		patterns.SegmentedCollective}
}

// Config holds a user's choices.
type Config struct {
	Rules       Rules
	Partitions  []int         // numbers of processes; empty for release 2.1's
	Duration    time.Duration // T of all partitions together, or of a round of an adaptive run; 0 for the usual T
	Within      float64       // relative half width of b_eff_io's interval at which an adaptive run ends, or 0
	AtMost      time.Duration // time within which all rounds of an adaptive run end; 0 for the usual time
	Memory      int64         // bytes per process, from which M_PART follows
	TotalMemory int64         // bytes of all nodes in use, or 0 if not known
	MaxBytes    int64         // maximum bytes in the files of all partitions together
	RewriteAll  bool          // rewrite all pattern types, not only type 0
	NoShared    bool          // measure type 1 with individual pointers
	NoUnique    bool          // without MPI_MODE_UNIQUE_OPEN
	Keep        bool          // don't remove the files
	Quick       bool          // a look at the file system, not a rating
	Hints       []HintRule
	Verify      Verification // empty for VerifySampled
	Cold        *Cold        // set by ReadCold; nil if data may be read from memory
	Errors      int          // wrong chunks to record for each pattern; 0 for one, as release 2.1's -e
	Quantiles   []float64    // in percent, of the times of calls, which are only counted if this isn't empty
	Directory   string       `json:"-"` // for the files: it exists, all processes see it, and only this run uses it
}

// Plan holds all measurements of a run. It is the same on all processes.
type Plan struct {
	Config
	Processes int
	MPart     int64
	Rows      []patterns.IORow // by their numbers
}

// Longest returns the longest time that a run may take: AtMost for an adaptive run, twice T for a preview, otherwise
// three times T, but at least T and a minute. The schedule ends a slow pattern early, but not a single call, and each
// pattern makes one.
func (p *Plan) Longest() time.Duration {
	if p.Adaptive() {
		return p.AtMost
	}
	return p.longestRound()
}

// longestRound returns the longest time that a round may take.
func (p *Plan) longestRound() time.Duration {
	const times, ofPreview = 3, 2
	if p.Quick {
		return ofPreview * p.Duration
	}
	return max(times*p.Duration, p.Duration+time.Minute)
}

// defaultPartitions returns the numbers of processes of release 2.1's small, medium and large partitions for a job.
func defaultPartitions(processes int) []int {
	power := func(exponent float64) int {
		return 1 << int(math.Floor(0.5000001+math.Log2(float64(processes))*exponent))
	}
	small, medium := power(0.35), power(0.70)
	switch processes {
	case 1:
		return []int{1}
	case 2:
		return []int{1, 2}
	case 3:
		small = 1
	case 4:
		medium = 3
	}
	return []int{small, medium, processes}
}

const (
	maxPartitions = 10 // release 2.1
	minSeconds    = 0.1
	minMemory     = 1 << 20
)

// ErrMaxBytes is the error of a configuration whose MaxBytes are too few for one call of each pattern.
var ErrMaxBytes = errors.New("too little for one call of each pattern")

// NewPlan returns the plan of a configuration for a number of processes, or an error if the configuration is wrong.
func NewPlan(processes int, c Config) (*Plan, error) {
	if len(c.Partitions) == 0 {
		c.Partitions = defaultPartitions(processes)
	}
	c.Errors = cmp.Or(c.Errors, 1)
	if err := c.setAdaptive(); err != nil {
		return nil, err
	}
	if c.Rules != RulesPaper && c.Rules != Rules21 {
		return nil, fmt.Errorf("unknown rules %q: want %s or %s", c.Rules, RulesPaper, Rules21)
	}
	p := &Plan{Config: c, Processes: processes, MPart: patterns.MPart(c.Memory)}
	p.Rows = patterns.IO(p.MPart)
	if c.Duration == 0 {
		p.Duration = p.MinDuration()
	}
	switch {
	case c.Verify != "" && c.Verify != VerifySampled && c.Verify != VerifyFull:
		return nil, fmt.Errorf("unknown verification %q: want %s or %s", c.Verify, VerifySampled, VerifyFull)
	case c.Errors < 1 || c.Errors > mpi.MaxMismatches:
		return nil, fmt.Errorf("%d errors of each pattern: want 1 to %d", c.Errors, mpi.MaxMismatches)
	case len(c.Partitions) > maxPartitions:
		return nil, fmt.Errorf("%d partitions are more than %d", len(c.Partitions), maxPartitions)
	case p.Duration.Seconds() < minSeconds:
		return nil, fmt.Errorf("a run of %v is too short: want at least %v s", c.Duration, minSeconds)
	case c.Memory < minMemory:
		return nil, fmt.Errorf("%d bytes of memory per process are too little: want at least 1 MiB", c.Memory)
	}
	if err := rating.CheckQuantiles(c.Quantiles); err != nil {
		return nil, err
	}
	if p.counts() && p.Adaptive() {
		return nil, errors.New("an adaptive run has no quantiles, because its rounds are short")
	}
	for i, n := range c.Partitions {
		if n < 1 || n > processes {
			return nil, fmt.Errorf("a partition of %s in a job of %d", rating.Processes(n), processes)
		}
		if slices.Contains(c.Partitions[:i], n) {
			return nil, fmt.Errorf("the partition of %s is given twice", rating.Processes(n))
		}
	}
	if err := p.checkCold(); err != nil {
		return nil, err
	}
	for _, h := range c.Hints {
		if h.Processes != 0 && !slices.Contains(c.Partitions, h.Processes) {
			return nil, fmt.Errorf("hints, line %d: there is no partition of %s", h.Line, rating.Processes(h.Processes))
		}
	}
	if least := p.minBytes(); c.MaxBytes < least {
		return nil, fmt.Errorf("%s on disk are %w: %s are needed", rating.Bytes(c.MaxBytes), ErrMaxBytes,
			rating.Bytes(least))
	}
	return p, nil
}

// measures reports whether an access method measures a type. Without RewriteAll, Rewrite measures only type 0 (paper,
// Sec. 5).
func (p *Plan) measures(a Access, t patterns.IOType) bool { return a.measures(t, p.RewriteAll) }

func (a Access) measures(t patterns.IOType, all bool) bool {
	return a != Rewrite || all || t == patterns.Scatter
}

// rows returns the patterns of a type.
func (p *Plan) rows(t patterns.IOType) []patterns.IORow {
	return lists.Where(p.Rows, func(r patterns.IORow) bool { return r.Type == t })
}

// timeDriven reports whether the pattern's calls are repeated until its share of the time is used. The number of calls
// of the other patterns follows from these calls.
func timeDriven(a Access, r patterns.IORow) bool { return a == Write && r.Type <= patterns.Separated }

// strided reports whether a process sees only its slot in each row of chunks, not the whole rest of the file.
func (c *Config) strided(t patterns.IOType) bool {
	return t == patterns.Scatter || t == patterns.Shared && c.NoShared
}

// BufferSize returns the bytes of each of a process's two buffers, which hold the longest chunk in memory.
func (p *Plan) BufferSize() int64 {
	longest := int64(1 << 20) // the fill of a segment is shorter
	for _, r := range p.Rows {
		longest = max(longest, r.Memory)
	}
	return longest
}

// PartitionSeconds returns the share of one partition in T.
func (p *Plan) PartitionSeconds() float64 {
	return p.Duration.Seconds() / float64(len(p.Partitions))
}

// WritePart returns the part of T for the initial write of a partition's files, 0 to 1.
func (c *Config) WritePart() float64 {
	write, all := 0, 0
	for _, r := range patterns.IO(patterns.MPart(c.Memory)) {
		write += r.Units
		for _, a := range Accesses() {
			if a.measures(r.Type, c.RewriteAll) {
				all += r.Units
			}
		}
	}
	return float64(write) / float64(all)
}

// MinDuration returns the shortest T of a rating of the full class by the rules, in whole minutes.
func (c *Config) MinDuration() time.Duration {
	const spare = 1.1 // a pattern ends before its share is over, not after
	seconds := c.Rules.MinSeconds()
	if c.Rules == RulesPaper {
		seconds = max(seconds, spare*MinWriting/c.WritePart())
	}
	minutes := math.Ceil(seconds * float64(len(c.Partitions)) / 60)
	return time.Duration(minutes) * time.Minute
}

// Short reports whether a run of the plan is of the class of short ratings.
func (p *Plan) Short() bool {
	return !p.Quick && !p.Adaptive() && p.Rules.short(p.Duration.Seconds(), len(p.Partitions))
}

// Files returns the number of files that a partition of n processes has at the same time.
func Files(n int) int { return len(Types()) - 1 + n }

// Files returns the largest number of files at the same time, of all partitions and of the library. ROMIO keeps a file
// for a shared pointer. In Open MPI's OMPIO each process that opens a file first tries locks on a file of its own.
func (p *Plan) Files() int {
	return slices.Max(p.Partitions) + lists.SumOf(p.Partitions, Files)
}

// matching returns the pattern of type t with the same chunk on disk as row r. For 1 MB in type 0 this is the one with
// 1 MB in memory too. Patterns without units match only each other.
func (p *Plan) matching(r patterns.IORow, t patterns.IOType) patterns.IORow {
	for _, other := range p.rows(t) {
		if other.Disk == r.Disk && (other.Units == 0) == (r.Units == 0) &&
			!(other.Disk == 1<<20 && other.Memory != other.Disk) {
			return other
		}
	}
	return patterns.IORow{Number: -1}
}

// sizeDriven returns the repetitions of a pattern of types 3 and 4, which follow from types 0 to 2 (release 2.1).
func (p *Plan) sizeDriven(r patterns.IORow, repetitions func(number int) int64) int64 {
	if r.Units == 0 {
		return 1
	}
	scatter, shared, separated := p.matching(r, patterns.Scatter), p.matching(r, patterns.Shared),
		p.matching(r, patterns.Separated)
	return min(repetitions(scatter.Number)*(scatter.Memory/scatter.Disk), 10*repetitions(shared.Number),
		repetitions(separated.Number))
}

// A segment's size is a multiple of round. roundedUp bounds the bytes that this adds to a process's segments together.
const (
	round     = 1 << 20
	roundedUp = 2 * round
)

// segment returns Lseg, and how many of its bytes the fill-up patterns write.
func (p *Plan) segment(repetitions func(number int) int64) (segment, fill int64) {
	sum := int64(0)
	for _, r := range p.rows(patterns.Segmented) {
		if !r.Fill {
			sum += p.sizeDriven(r, repetitions) * r.Memory
		}
	}
	segment = (sum + round - 1) / round * round
	return segment, segment - sum
}

// weight returns the bytes by which the file set grows for each byte that a time-driven pattern writes. Types 3 and 4
// each write at most as much as type 2.
func weight(t patterns.IOType) int64 {
	if t == patterns.Separated {
		return 3
	}
	return 1
}

// minBytes returns the bytes of the file set if every pattern makes one call.
func (p *Plan) minBytes() int64 {
	return lists.SumOf(p.Partitions, func(n int) int64 { return int64(n) * p.minOf() })
}

// minOf returns minBytes for one process of one partition, with the largest number that types 3 and 4 may add.
func (p *Plan) minOf() int64 {
	sum := int64(roundedUp)
	for _, r := range p.Rows {
		if r.Type <= patterns.Separated {
			sum += r.Memory * weight(r.Type)
		}
	}
	return sum
}
