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
	// Of the lengths that rows have.
	Rows Rows `json:"rows,omitzero"`
	// Of their repetitions.
	Repetitions Repetitions `json:"repetitions"`
	// Of the processes that take part.
	Who Who `json:"who,omitzero"`
	// Of memory, caches and files.
	Memory Memory `json:"memory"`
	// Of the times of single repetitions.
	Series Series `json:"series,omitzero"`
	// Of the kernels of many pairs.
	Pairs Pairs `json:"pairs,omitzero"`
	// Of kernels whose data are in blocks and pieces.
	Blocks Blocks `json:"blocks,omitzero"`
	// Congestors that kernels are measured beside, and how nodes are dealt out; left out: kernels of the component LOAD
	// have the defaults, others no congestors.
	Load Load `json:"load,omitzero"`
	// Choices of the PGAS component; left out: the defaults.
	OneSided OneSided `json:"one_sided,omitzero"`
	// Choices of the component OSU; left out: the defaults.
	OSU OSU `json:"osu,omitzero"`
	// Choices of the kernels of metadata; left out: the defaults.
	Metadata Metadata `json:"metadata,omitzero"`
	// Choices of kernels with threads; left out: the defaults.
	Threading Threading `json:"threading,omitzero"`
	// Columns of the text of series; left out: the interval, the median and the extremes. With pgas the component PGAS
	// has the layout of its suite.
	Columns Columns `json:"columns,omitempty" jsonschema:"enum=percentiles,enum=mpiblib,enum=pgas"`
	// Passes through all blocks; left out: one.
	Passes int `json:"passes,omitempty" jsonschema:"minimum=2"`
	// A guideline is kept while its call takes up to so many times as long as its mock-up; left out: 1.05.
	Tolerance float64 `json:"tolerance,omitempty" jsonschema:"minimum=0"`
	// Library of a user whose functions are measured; left out: none.
	Library *Library `json:"library,omitempty"`
	Partitions
	Parameters
	Today
	// The text has megabytes of 2^20 bytes as in the guide; else of 10^6.
	MegaBytesOf2 bool `json:"mbytes_of_2_20,omitempty"`
}

// Rows are the settings of the lengths of rows.
type Rows struct {
	// Bytes; left out unless the user gave them (-msglen or -msglog).
	Lengths []int64 `json:"lengths,omitempty"`
	// Exponents of the least and the largest power of 2 among Lengths, where -msglog gave them; left out: a list did.
	Log []int `json:"msglog,omitempty" jsonschema:"minItems=2,maxItems=2"`
	// Lengths that are selected while a block is measured; left out: they are fixed.
	Adaptive *Adaptive `json:"adaptive,omitempty"`
	// Bytes of memory that longer messages of kernels with large counts lie in, again and again; left out: they have
	// memory of their own.
	Fold int64 `json:"fold,omitempty" jsonschema:"minimum=0"`
}

// Repetitions are the settings of how many repetitions rows have.
type Repetitions struct {
	// The most (MSGSPERSAMPLE); 0: each component's own.
	Most int64 `json:"msgs_per_sample"`
	// The most in non-aggregate mode (MSGS_NONAGGR); 0: each component's own.
	MostNonAggr int64 `json:"msgs_nonaggr"`
	// Bytes that the repetitions of a length may move (OVERALL_VOL); 0: each component's own.
	Volume int64  `json:"overall_vol"`
	Policy Policy `json:"iter_policy" jsonschema:"enum=dynamic,enum=multiple_np,enum=auto,enum=off"`
	// Seconds that a length may take (SECS_PER_SAMPLE).
	SampleTime float64 `json:"seconds_per_sample"`
	// Untimed repetitions before the timed ones, of a series before each batch of them; left out: as many as the method
	// wants.
	WarmUp *int64 `json:"warmup,omitempty" jsonschema:"minimum=0"`
}

// Who are the settings of the processes that take part.
type Who struct {
	// Smallest number of active processes.
	Least int `json:"npmin,omitempty"`
	// Outflag of the multiple mode: 0 or 1; left out: not multiple.
	Multi *int `json:"multi,omitempty"`
	// P and Q of -map PxQ.
	Map []int `json:"map,omitempty"`
	// Of each such part of a node the lowest rank alone takes part, and the others wait; left out: all take part.
	Per string `json:"per,omitempty" jsonschema:"enum=node,enum=socket,enum=core,enum=nic"`
}

// Memory are the settings of memory, caches and files.
type Memory struct {
	// Bytes of buffers that a process may have.
	Most int64 `json:"most"`
	// Bytes of the last level cache that is avoided; 0: caches are used.
	CacheSize int64 `json:"off_cache,omitempty"`
	// Bytes.
	CacheLine int64 `json:"cache_line,omitempty"`
	// Files that kernels read are dropped from the memory of the nodes before each run.
	Cold bool `json:"cold,omitempty"`
}

// Series are the settings of the times of single repetitions.
type Series struct {
	// Whose clock gives the time of a repetition; left out: loop.
	Timing Timing `json:"timing,omitempty" jsonschema:"enum=max,enum=root,enum=global"`
	// How precise series are; left out: rows are loops between two readings of the clock, as in IMB.
	Precision *Precision `json:"precision,omitempty"`
	// How late each process comes to a repetition on purpose: last:SECONDS, random:SEED:SECONDS or trace:SECONDS,…;
	// left out: all begin as the barriers let them. Times of repetitions begin when a process has come.
	Skew string `json:"skew,omitempty"`
	// Percent of the repetitions that are as quick as each figure of the tail, or quicker. The times of repetitions are
	// counted in histograms then; left out: they are kept one by one.
	Quantiles []float64 `json:"quantiles,omitempty" jsonschema:"maxItems=16"`
}

// Pairs are the settings of kernels that measure many pairs.
type Pairs struct {
	// Pairs that kernels of pairs measure: all, ring, or a number of them; left out: all, of more than 256 processes 16
	// of each.
	Which string `json:"which,omitempty"`
	// The pairs of a round ran at the same time.
	AtOnce bool `json:"at_once,omitempty"`
	// Cuts that kernels of cuts measure, by their names; left out: that of the halves.
	Cuts []string `json:"cuts,omitempty" jsonschema:"maxItems=1024"`
	// Steps of a cut, in each of which all processes of one side have other partners; left out: as many as there are
	// partners, at most 256.
	Steps int `json:"steps,omitempty" jsonschema:"minimum=0"`
}

// Blocks are the settings of kernels whose data are in blocks and pieces.
type Blocks struct {
	// Origin of the factors of kernels with blocks of different lengths: the name of a file, random:SEED, or speed;
	// left out: all are 1.
	Factors string `json:"factors,omitempty"`
	// How the processes of a tree whose blocks have different lengths are told these: the root broadcasts them first
	// (bcast), they travel with the data (message), or do so behind a duplication of the communicator (dup); left out:
	// all know them.
	Counts string `json:"counts,omitempty" jsonschema:"enum=bcast,enum=message,enum=dup"`
	// Further processes of Relayed; left out: 2, or as many as there are.
	Relays int `json:"relays,omitempty" jsonschema:"minimum=0"`
	// Pieces of Fragments; left out: 4.
	Fragments int `json:"fragments,omitempty" jsonschema:"minimum=0"`
}

// Columns selects the columns of the text of series.
type Columns string

// The choices of columns besides the usual ones.
const (
	PercentileColumns Columns = "percentiles"
	MPIBlibColumns    Columns = "mpiblib"
	PGASColumns       Columns = "pgas"
)

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

// Parts are the parts of a node of which one process each may measure: those of mpi/job.
var Parts = []string{"node", "socket", "core", "nic"}

// Limits of settings.
const (
	mostLengths   = 1 << 16
	largestCache  = 1 << 40         // bytes of a cache, and of a line of it
	mostVolume    = MostCount << 20 // bytes
	mostPasses    = 1000
	mostTolerance = 1000
)

// Check returns an error if no run on any number of processes can have the settings. With checked settings no sum or
// product of lengths, caches and repetitions in a plan or a row exceeds an int64, on up to 2^20 processes.
func (s *Settings) Check() error {
	outside, grid := func(v, most int64) bool { return v < 0 || v > most }, s.Who.Map
	switch {
	case outside(s.Repetitions.Most, MostCount) || outside(s.Repetitions.MostNonAggr,
		MostCount) || outside(s.Repetitions.Volume,
		mostVolume):
		return fmt.Errorf("want up to 2^31-1 repetitions and units of 2^20 bytes, not %d, %d (bytes: %d)",
			s.Repetitions.Most,
			s.Repetitions.MostNonAggr, s.Repetitions.Volume)
	case !(s.Repetitions.SampleTime >= 0 && s.Repetitions.SampleTime <= longestTime):
		return fmt.Errorf("want a time up to %g seconds, not %g", longestTime, s.Repetitions.SampleTime)
	case !(s.Tolerance == 0 || s.Tolerance >= 1 && s.Tolerance <= mostTolerance):
		return fmt.Errorf("want a tolerance from 1 to %d, not %g", mostTolerance, s.Tolerance)
	case outside(s.Memory.Most, MostMemory):
		return fmt.Errorf("want memory up to 2^62 bytes, not %d", s.Memory.Most)
	case outside(int64(s.Who.Least), MostCount):
		return fmt.Errorf("want up to 2^31-1 processes, not %d", s.Who.Least)
	case outside(s.Memory.CacheSize, largestCache) || outside(s.Memory.CacheLine, largestCache):
		return fmt.Errorf("want a cache and a line of it up to 2^40 bytes, not %d and %d", s.Memory.CacheSize,
			s.Memory.CacheLine)
	case s.Repetitions.Policy != "" && !slices.Contains([]Policy{Dynamic, MultipleNP, Auto, Off}, s.Repetitions.Policy):
		return fmt.Errorf("unknown policy %q: want %s, %s, %s or %s", s.Repetitions.Policy, Dynamic, MultipleNP, Auto,
			Off)
	case s.Who.Multi != nil && *s.Who.Multi != 0 && *s.Who.Multi != 1:
		return fmt.Errorf("multi %d: want 0 or 1", *s.Who.Multi)
	case len(grid) != 0 && (len(grid) != 2 || grid[0] < 1 || grid[1] < 1 || grid[0] > MostCount/grid[1]):
		return fmt.Errorf("want P and Q from 1 on with at most 2^31-1 processes, not %s", s.Grid())
	case s.Series.Timing != "" && (s.Series.Timing == ByLoop || !slices.Contains(Timings, s.Series.Timing)):
		return fmt.Errorf("unknown timing %q: want %v", s.Series.Timing, Timings)
	case s.Columns != "" && !slices.Contains(allColumns, s.Columns):
		return fmt.Errorf("unknown columns %q: want %v", s.Columns, allColumns)
	case s.Passes != 0 && (s.Passes < 2 || s.Passes > mostPasses):
		return fmt.Errorf("want 1 to %d passes, not %d", mostPasses, s.Passes)
	case s.Repetitions.WarmUp != nil && outside(*s.Repetitions.WarmUp, MostCount):
		return fmt.Errorf("want up to 2^31-1 repetitions before the timed ones, not %d", *s.Repetitions.WarmUp)
	case len(s.Who.Map) != 0 && s.OneSided.Offset != nil:
		return fmt.Errorf("both map %s and offset %d choose who talks to whom: want one of them", s.Grid(),
			*s.OneSided.Offset)
	case s.Who.Per != "" && !slices.Contains(Parts, s.Who.Per):
		return fmt.Errorf("unknown part %q: want %v", s.Who.Per, Parts)
	case len(s.Who.Map) != 0 && s.Who.Per != "":
		return fmt.Errorf("both map %s and one process per %s choose who takes part: want one of them", s.Grid(),
			s.Who.Per)
	case s.Series.Precision != nil && s.Series.Precision.Inner > 1 && s.Memory.CacheSize > 0:
		return fmt.Errorf("several operations between two readings of the clock would find their data in the cache: " +
			"want no cache that is avoided")
	case len(s.Rows.Lengths) > mostLengths || slices.ContainsFunc(s.Rows.Lengths,
		func(l int64) bool { return outside(l, longestLength) }):
		return fmt.Errorf("lengths must be from 0 to 2^%d bytes, and at most %d", LongestLog, mostLengths)
	case outside(int64(s.Blocks.Relays), mostPieces) || outside(int64(s.Blocks.Fragments), mostPieces):
		return fmt.Errorf("want up to %d relays and fragments, not %d and %d", mostPieces, s.Blocks.Relays,
			s.Blocks.Fragments)
	case s.Blocks.Counts != "" && !slices.Contains(CountsWays, s.Blocks.Counts):
		return fmt.Errorf("unknown counts %q: want %v", s.Blocks.Counts, CountsWays)
	}
	if l := s.Rows.Log; len(l) != 0 && (len(l) != 2 || l[0] < 0 || l[0] > l[1] || l[1] > LongestLog) {
		return fmt.Errorf("want two exponents of lengths from 0 to %d, not %v", LongestLog, l)
	}
	return s.checkParts()
}

// checkParts returns an error if a group of settings that has a check of its own is wrong.
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
		return fmt.Errorf("memory is there again and again in multiples of %d bytes, not in %d", mpi.FoldUnit,
			s.Rows.Fold)
	}
	_, _, wrongSeed := s.FactorsSeed()
	return cmp.Or(s.checkQuantiles(), s.checkSkew(), s.Load.check(), wrongSeed, s.OneSided.Check(), s.OSU.Check(),
		s.Metadata.Check(), s.Threading.Check(), s.checkPairs(), s.checkCuts(), s.Partitions.check(),
		s.Parameters.check(), s.Today.Check())
}

// Grid returns the map in the form of the command line.
func (s *Settings) Grid() string {
	return strings.Join(lists.Each(s.Who.Map, strconv.Itoa), "x")
}

// Clocked returns the timing of the rows.
func (s *Settings) Clocked() Timing {
	if s.Series.Timing == "" && s.Series.Skew != "" {
		return ByMax // which has barriers, behind which processes are late
	}
	return cmp.Or(s.Series.Timing, ByLoop)
}

// Rule returns the precision of rows that have series.
func (s *Settings) Rule() Precision {
	switch {
	case s.Series.Precision != nil:
		return *s.Series.Precision
	case s.CountsTimes():
		return s.countedRule()
	}
	return Default.Precision
}

// Figure returns the statistic that stands for the repetitions of a series.
func (s *Settings) Figure() Statistic { return s.Rule().Statistic }

// ShowsGroups reports whether a row has figures of each group.
func (s *Settings) ShowsGroups() bool { return s.Who.Multi != nil && *s.Who.Multi == 1 }

func (s *Settings) IterPolicy() Policy {
	return cmp.Or(s.Repetitions.Policy, Default.Policy)
}
