package settings

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
)

// Settings holds the settings of IMB's command line (guide, "Command-line Control"), and of the other suites.
type Settings struct {
	// The lengths of rows.
	Rows Rows `json:"rows,omitzero"`
	// The repetitions of rows.
	Repetitions Repetitions `json:"repetitions"`
	// The processes that take part.
	Who Who `json:"who,omitzero"`
	// Memory, caches and files.
	Memory Memory `json:"memory"`
	// The times of single repetitions.
	Series Series `json:"series,omitzero"`
	// The kernels of many pairs.
	Pairs Pairs `json:"pairs,omitzero"`
	// Kernels whose data are in blocks and pieces.
	Blocks Blocks `json:"blocks,omitzero"`
	// Congestors that run while kernels are measured, and how nodes are split (default: GPCNeT's for kernels of the
	// component LOAD, none for others).
	Load Load `json:"load,omitzero"`
	// Choices of the component PGAS.
	OneSided OneSided `json:"one_sided,omitzero"`
	// Choices of the component OSU.
	OSU OSU `json:"osu,omitzero"`
	// Choices of the metadata kernels.
	Metadata Metadata `json:"metadata,omitzero"`
	// Choices of kernels with threads.
	Threading Threading `json:"threading,omitzero"`
	// Columns of the text of series (default: the interval, the median and the extremes). With pgas the component PGAS
	// has the layout of its suite.
	Columns Columns `json:"columns,omitempty" jsonschema:"enum=percentiles,enum=mpiblib,enum=pgas"`
	// Passes through all blocks (default: one).
	Passes int `json:"passes,omitempty" jsonschema:"minimum=2"`
	// Largest ratio of the times of a call and its mock-up with which the guideline is kept (default: 1.05).
	Tolerance float64 `json:"tolerance,omitempty" jsonschema:"minimum=0"`
	// Library of a user whose functions are measured (default: none).
	Library *Library `json:"library,omitempty"`
	Partitions
	Parameters
	IMB
	// Print megabytes of 2^20 bytes in the text, as in the guide, instead of 10^6.
	MegaBytesOf2 bool `json:"mbytes_of_2_20,omitempty"`
}

// Rows holds the settings of the lengths of rows.
type Rows struct {
	// Bytes; absent unless the user gave them (-msglen or -msglog).
	Lengths []int64 `json:"lengths,omitempty"`
	// Exponents of the smallest and the largest power of 2 among Lengths if -msglog gave them.
	Log []int `json:"msglog,omitempty" jsonschema:"minItems=2,maxItems=2"`
	// Lengths that are selected while a block is measured (default: the lengths are fixed).
	Adaptive *Adaptive `json:"adaptive,omitempty"`
	// Bytes of memory that longer messages of kernels with large counts reuse again and again (default: they have their
	// own memory).
	Fold int64 `json:"fold,omitempty" jsonschema:"minimum=0"`
}

// Repetitions holds the settings of the number of repetitions of rows.
type Repetitions struct {
	// The most repetitions (MSGSPERSAMPLE); 0 means each component's own.
	Max int64 `json:"msgs_per_sample"`
	// The most in non-aggregate mode (MSGS_NONAGGR); 0 means each component's own.
	MaxNonAggr int64 `json:"msgs_nonaggr"`
	// Bytes that the repetitions of a length may move (OVERALL_VOL); 0 means each component's own.
	Volume int64  `json:"overall_vol"`
	Policy Policy `json:"iter_policy" jsonschema:"enum=dynamic,enum=multiple_np,enum=auto,enum=off"`
	// Seconds that a length may take (SECS_PER_SAMPLE).
	SampleTime float64 `json:"seconds_per_sample"`
	// Untimed repetitions before the timed ones, and in a series before each batch of them (default: the method's).
	WarmUp *int64 `json:"warmup,omitempty" jsonschema:"minimum=0"`
}

// Who holds the settings of the processes that take part.
type Who struct {
	// Smallest number of active processes.
	MinProcesses int `json:"npmin,omitempty"`
	// Outflag of the multiple mode, 0 or 1 (default: not multiple).
	Multi *int `json:"multi,omitempty"`
	// P and Q of -map PxQ.
	Map []int `json:"map,omitempty"`
	// Only the lowest rank in each such part of a node takes part, and the others wait (default: all take part).
	Per string `json:"per,omitempty" jsonschema:"enum=node,enum=socket,enum=core,enum=nic"`
}

// Memory holds the settings of memory, caches and files.
type Memory struct {
	// Bytes of buffers that a process may have.
	Limit int64 `json:"most"`
	// Bytes of the last level cache that is avoided; 0 means that caches are used.
	CacheSize int64 `json:"off_cache,omitempty"`
	// Bytes of a line of this cache.
	CacheLine int64 `json:"cache_line,omitempty"`
	// Drop files that kernels read from the nodes' memory before each run.
	Cold bool `json:"cold,omitempty"`
	mpi.MessageMemory
}

// Series holds the settings of the times of single repetitions.
type Series struct {
	// Whose clock gives the time of a repetition (default: loop).
	Timing Timing `json:"timing,omitempty" jsonschema:"enum=max,enum=root,enum=global"`
	// How precise series are (default: rows are loops between two readings of the clock, as in IMB).
	Precision *Precision `json:"precision,omitempty"`
	// Deliberate delays of processes before a repetition: last:SECONDS, random:SEED:SECONDS or trace:SECONDS,…. By
	// default all begin when they leave the barriers. The time of a repetition begins after the process's delay.
	Skew string `json:"skew,omitempty"`
	// Quantiles of the times that are figures of the tail, in percent. The times are then counted in histograms
	// (default: they are kept one by one).
	Quantiles []float64 `json:"quantiles,omitempty" jsonschema:"maxItems=16"`
}

// Pairs holds the settings of kernels that measure many pairs.
type Pairs struct {
	// The pairs that kernels of pairs measure: all, ring, or a number of them. By default these are all pairs, or 16
	// for each process if there are more than 256 processes.
	Which string `json:"which,omitempty"`
	// Measure the pairs of a round at the same time.
	AtOnce bool `json:"at_once,omitempty"`
	// Names of the cuts that kernels of cuts measure (default: the cut between the two halves).
	Cuts []string `json:"cuts,omitempty" jsonschema:"maxItems=1024"`
	// Steps of a cut (default: as many as there are partners, at most 256). In each step all processes of one side have
	// other partners.
	Steps int `json:"steps,omitempty" jsonschema:"minimum=0"`
}

// Blocks holds the settings of kernels whose data are in blocks and pieces.
type Blocks struct {
	// Origin of the factors of kernels with blocks of different lengths: the name of a file, random:SEED, or speed. By
	// default all factors are 1.
	Factors string `json:"factors,omitempty"`
	// How the processes of a tree learn the lengths of blocks that differ: the root broadcasts them first (bcast), they
	// travel with the data (message), or they do so after a duplication of the communicator (dup). By default all
	// processes know them.
	Counts string `json:"counts,omitempty" jsonschema:"enum=bcast,enum=message,enum=dup"`
	// Further processes of Relayed (default: 2, if there are that many).
	Relays int `json:"relays,omitempty" jsonschema:"minimum=0"`
	// Pieces of Fragments (default: 4).
	Fragments int `json:"fragments,omitempty" jsonschema:"minimum=0"`
}

// Columns selects the columns of the text of series.
type Columns string

// The choices of columns in addition to the usual ones.
const (
	PercentileColumns Columns = "percentiles"
	MPIBlibColumns    Columns = "mpiblib"
	PGASColumns       Columns = "pgas"
)

// Series reports whether only series have the columns.
func (c Columns) Series() bool { return c == PercentileColumns || c == MPIBlibColumns }

var allColumns = []Columns{PercentileColumns, MPIBlibColumns, PGASColumns}

// Policy is the rule for the number of repetitions (guide, "-iter_policy Option").
type Policy string

// The policies.
const (
	Dynamic    Policy = "dynamic"
	MultipleNP Policy = "multiple_np"
	Auto       Policy = "auto"
	Off        Policy = "off"
)

// Parts are the parts of a node in each of which only one process may measure (Who.Per), as mpi/job names them.
var Parts = []string{"node", "socket", "core", "nic"}

// Limits of settings.
const (
	maxLengths   = 1 << 16
	largestCache = 1 << 40        // bytes of a cache, and of a line of it
	maxVolume    = MaxCount << 20 // bytes
	maxPasses    = 1000
	maxTolerance = 1000
)

// Check returns an error if no run on any number of processes can have the settings. With checked settings no sum or
// product of lengths, caches and repetitions in a plan or a row exceeds an int64, on up to 2^20 processes.
func (s *Settings) Check() error {
	outside, grid := func(v, most int64) bool { return v < 0 || v > most }, s.Who.Map
	switch {
	case outside(s.Repetitions.Max, MaxCount) || outside(s.Repetitions.MaxNonAggr,
		MaxCount) || outside(s.Repetitions.Volume,
		maxVolume):
		return fmt.Errorf("want up to 2^31-1 repetitions and units of 2^20 bytes, not %d, %d (bytes: %d)",
			s.Repetitions.Max,
			s.Repetitions.MaxNonAggr, s.Repetitions.Volume)
	case !(s.Repetitions.SampleTime >= 0 && s.Repetitions.SampleTime <= longestTime):
		return fmt.Errorf("want a time up to %g seconds, not %g", longestTime, s.Repetitions.SampleTime)
	case !(s.Tolerance == 0 || s.Tolerance >= 1 && s.Tolerance <= maxTolerance):
		return fmt.Errorf("want a tolerance from 1 to %d, not %g", maxTolerance, s.Tolerance)
	case outside(s.Memory.Limit, MaxMemory):
		return fmt.Errorf("want memory up to 2^62 bytes, not %d", s.Memory.Limit)
	case s.Memory.Check() != nil:
		return s.Memory.Check()
	case outside(int64(s.Who.MinProcesses), MaxCount):
		return fmt.Errorf("want up to 2^31-1 processes, not %d", s.Who.MinProcesses)
	case outside(s.Memory.CacheSize, largestCache) || outside(s.Memory.CacheLine, largestCache):
		return fmt.Errorf("want a cache and a line of it up to 2^40 bytes, not %d and %d", s.Memory.CacheSize,
			s.Memory.CacheLine)
	case s.Repetitions.Policy != "" && !slices.Contains([]Policy{Dynamic, MultipleNP, Auto, Off}, s.Repetitions.Policy):
		return fmt.Errorf("unknown policy %q: want %s, %s, %s or %s", s.Repetitions.Policy, Dynamic, MultipleNP, Auto,
			Off)
	case s.Who.Multi != nil && *s.Who.Multi != 0 && *s.Who.Multi != 1:
		return fmt.Errorf("multi %d: want 0 or 1", *s.Who.Multi)
	case len(grid) != 0 && (len(grid) != 2 || grid[0] < 1 || grid[1] < 1 || grid[0] > MaxCount/grid[1]):
		return fmt.Errorf("want P and Q of at least 1 with at most 2^31-1 processes, not %s", s.Grid())
	case s.Series.Timing != "" && (s.Series.Timing == ByLoop || !slices.Contains(Timings, s.Series.Timing)):
		return fmt.Errorf("unknown timing %q: want %v", s.Series.Timing, Timings)
	case s.Columns != "" && !slices.Contains(allColumns, s.Columns):
		return fmt.Errorf("unknown columns %q: want %v", s.Columns, allColumns)
	case s.Passes != 0 && (s.Passes < 2 || s.Passes > maxPasses):
		return fmt.Errorf("want 1 to %d passes, not %d", maxPasses, s.Passes)
	case s.Repetitions.WarmUp != nil && outside(*s.Repetitions.WarmUp, MaxCount):
		return fmt.Errorf("want up to 2^31-1 repetitions before the timed ones, not %d", *s.Repetitions.WarmUp)
	case len(s.Who.Map) != 0 && s.OneSided.Offset != nil:
		return fmt.Errorf("both map %s and offset %d choose the partners: want one of them", s.Grid(),
			*s.OneSided.Offset)
	case s.Who.Per != "" && !slices.Contains(Parts, s.Who.Per):
		return fmt.Errorf("unknown part %q: want %v", s.Who.Per, Parts)
	case len(s.Who.Map) != 0 && s.Who.Per != "":
		return fmt.Errorf("both map %s and one process per %s choose the processes: want one of them", s.Grid(),
			s.Who.Per)
	case s.Series.Precision != nil && s.Series.Precision.Inner > 1 && s.Memory.CacheSize > 0:
		return fmt.Errorf("several operations between two readings of the clock would find their data in the cache: " +
			"leave off_cache out")
	case len(s.Rows.Lengths) > maxLengths || slices.ContainsFunc(s.Rows.Lengths,
		func(l int64) bool { return outside(l, longestLength) }):
		return fmt.Errorf("lengths must be from 0 to 2^%d bytes, and at most %d", LongestLog, maxLengths)
	case outside(int64(s.Blocks.Relays), maxPieces) || outside(int64(s.Blocks.Fragments), maxPieces):
		return fmt.Errorf("want up to %d relays and fragments, not %d and %d", maxPieces, s.Blocks.Relays,
			s.Blocks.Fragments)
	case s.Blocks.Counts != "" && !slices.Contains(CountsWays, s.Blocks.Counts):
		return fmt.Errorf("unknown counts %q: want %v", s.Blocks.Counts, CountsWays)
	}
	if l := s.Rows.Log; len(l) != 0 && (len(l) != 2 || l[0] < 0 || l[0] > l[1] || l[1] > LongestLog) {
		return fmt.Errorf("want two exponents of lengths from 0 to %d, not %v", LongestLog, l)
	}
	return s.checkParts()
}

// checkParts returns an error if a group of settings with its own check is wrong.
func (s *Settings) checkParts() error {
	if s.Rows.Adaptive != nil {
		if err := s.Rows.Adaptive.Check(); err != nil {
			return err
		}
	}
	if s.Series.Precision != nil {
		if err := s.Series.Precision.Check(); err != nil {
			return err
		}
	}
	if s.Rows.Fold < 0 || s.Rows.Fold%mpi.FoldUnit != 0 {
		return fmt.Errorf("memory repeats in multiples of %d bytes, not of %d", mpi.FoldUnit,
			s.Rows.Fold)
	}
	_, _, wrongSeed := s.FactorsSeed()
	return cmp.Or(s.checkQuantiles(), s.checkSkew(), s.Load.check(), wrongSeed, s.OneSided.Check(), s.OSU.Check(),
		s.Metadata.Check(), s.Threading.Check(), s.checkPairs(), s.checkCuts(), s.Partitions.check(),
		s.Parameters.check(), s.IMB.Check())
}

// Grid returns the map in the form of the command line.
func (s *Settings) Grid() string {
	return strings.Join(lists.Each(s.Who.Map, strconv.Itoa), "x")
}

// Clocked returns the timing of the rows.
func (s *Settings) Clocked() Timing {
	if s.Series.Timing == "" && s.Series.Skew != "" {
		return ByMax // it has barriers, after which processes are late
	}
	return cmp.Or(s.Series.Timing, ByLoop)
}

// Rule returns the precision of rows that have series.
func (s *Settings) Rule() Precision {
	switch {
	case s.Series.Precision != nil:
		return *s.Series.Precision
	case s.CountsTimes():
		return s.quantileRule()
	}
	return Default.Precision
}

// Figure returns the statistic that represents the repetitions of a series.
func (s *Settings) Figure() Statistic { return s.Rule().Statistic }

// ShowsGroups reports whether a row has figures of each group.
func (s *Settings) ShowsGroups() bool { return s.Who.Multi != nil && *s.Who.Multi == 1 }

// IterPolicy returns the rule for the number of repetitions.
func (s *Settings) IterPolicy() Policy { return cmp.Or(s.Repetitions.Policy, Default.Policy) }
