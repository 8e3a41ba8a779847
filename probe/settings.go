package probe

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/suites"
)

// Defaults holds the default settings of a component's kernels: those of IMB's settings files (guide, "Parameters
// Controlling Intel MPI Benchmarks").
type Defaults struct {
	LongestLog  int   // log2 of the longest message length in bytes
	MsgsPer     int64 // repetitions (MSGSPERSAMPLE)
	MsgsNonAggr int64 // repetitions in non-aggregate mode (MSGS_NONAGGR)
	OverallVol  int64 // bytes that the repetitions of a length move (OVERALL_VOL)
	LeastProcs  int   // active processes (-npmin)
}

// Longest returns the longest message length, bytes.
func (d Defaults) Longest() int64 { return 1 << d.LongestLog }

// Defaults that all components share. The guide names the cache's parameters without their values, which are those of
// today's IMB (IMB_mem_info.h).
const (
	DefaultPolicy     = Dynamic
	DefaultSampleTime = 10.0    // seconds that a length may take (SECS_PER_SAMPLE)
	DefaultMemory     = 1 << 30 // bytes of a process' buffers
	DefaultCacheSize  = 8 << 20 // bytes of the avoided last level cache, if a user gives none
	DefaultCacheLine  = 64      // bytes of its lines
	DefaultCompute    = 0.1     // seconds of computing beside a nonblocking file call (TARGET_CPU_SECS of IMB-IO)
)

// Limits of settings.
const (
	MostLengths  = 1 << 16
	LargestCache = 1 << 40                // bytes of a cache, and of a line of it
	mostVolume   = kernel.MostCount << 20 // bytes
	mostPasses   = 1000
)

// Check returns an error if no run on any number of processes can have the settings. With checked settings no sum or
// product of lengths, caches and repetitions in a plan or a row exceeds an int64, on up to 2^20 processes.
func (s *Settings) Check() error {
	outside := func(v, most int64) bool { return v < 0 || v > most }
	switch {
	case outside(s.MsgsPer, kernel.MostCount) || outside(s.MsgsNonAggr, kernel.MostCount) || outside(s.OverallVol,
		mostVolume):
		return fmt.Errorf("want up to 2^31-1 repetitions and units of 2^20 bytes, not %d, %d (bytes: %d)", s.MsgsPer,
			s.MsgsNonAggr, s.OverallVol)
	case !(s.SampleTime >= 0 && s.SampleTime <= kernel.LongestTime):
		return fmt.Errorf("want a time up to %g seconds, not %g", kernel.LongestTime, s.SampleTime)
	case outside(s.Memory, kernel.MostMemory):
		return fmt.Errorf("want memory up to 2^62 bytes, not %d", s.Memory)
	case outside(int64(s.LeastProcs), kernel.MostCount):
		return fmt.Errorf("want up to 2^31-1 processes, not %d", s.LeastProcs)
	case outside(s.CacheSize, LargestCache) || outside(s.CacheLine, LargestCache):
		return fmt.Errorf("want a cache and a line of it up to 2^40 bytes, not %d and %d", s.CacheSize, s.CacheLine)
	case s.Policy != "" && !slices.Contains([]Policy{Dynamic, MultipleNP, Auto, Off}, s.Policy):
		return fmt.Errorf("unknown policy %q: want %s, %s, %s or %s", s.Policy, Dynamic, MultipleNP, Auto, Off)
	case s.Multi != nil && *s.Multi != 0 && *s.Multi != 1:
		return fmt.Errorf("multi %d: want 0 or 1", *s.Multi)
	case len(s.Map) != 0 && (len(s.Map) != 2 || s.Map[0] < 1 || s.Map[1] < 1 || s.Map[0] > kernel.MostCount/s.Map[1]):
		return fmt.Errorf("want P and Q from 1 on with at most 2^31-1 processes, not %s", grid(s.Map))
	case s.Timing != "" && (s.Timing == ByLoop || !slices.Contains(Timings, s.Timing)):
		return fmt.Errorf("unknown timing %q: want %v", s.Timing, Timings)
	case !slices.Contains([]Columns{"", PercentileColumns, MPIBlibColumns, PGASColumns}, s.Columns):
		return fmt.Errorf("unknown columns %q: want %s, %s or %s", s.Columns, PercentileColumns, MPIBlibColumns,
			PGASColumns)
	case s.Passes != 0 && (s.Passes < 2 || s.Passes > mostPasses):
		return fmt.Errorf("want 1 to %d passes, not %d", mostPasses, s.Passes)
	case s.WarmUp != nil && outside(*s.WarmUp, kernel.MostCount):
		return fmt.Errorf("want up to 2^31-1 repetitions before the timed ones, not %d", *s.WarmUp)
	case len(s.Map) != 0 && s.OneSided != nil && s.OneSided.Offset != nil:
		return fmt.Errorf("both map %s and offset %d choose who talks to whom: want one of them", grid(s.Map),
			*s.OneSided.Offset)
	case len(s.Map) != 0 && s.OnePerHost:
		return fmt.Errorf("both map %s and one process on each host choose who takes part: want one of them",
			grid(s.Map))
	case s.Precision != nil && s.Precision.Inner > 1 && s.CacheSize > 0:
		return fmt.Errorf("several operations between two readings of the clock would find their data in the cache: " +
			"want no cache that is avoided")
	case len(s.Lengths) > MostLengths || slices.ContainsFunc(s.Lengths,
		func(l int64) bool { return outside(l, kernel.LongestLength) }):
		return fmt.Errorf("lengths must be from 0 to 2^%d bytes, and at most %d", kernel.LongestLog, MostLengths)
	}
	if s.Adaptive != nil {
		if err := s.Adaptive.Check(); err != nil {
			return err
		}
	}
	if s.Precision != nil {
		if err := s.Precision.Check(); err != nil {
			return err
		}
	}
	if outside(int64(s.Relays), suites.MostPieces) || outside(int64(s.Fragments), suites.MostPieces) {
		return fmt.Errorf("want up to %d relays and fragments, not %d and %d", suites.MostPieces, s.Relays, s.Fragments)
	}
	if s.Counts != "" && s.Counts != suites.CountsBroadcast {
		return fmt.Errorf("unknown counts %q: want %s", s.Counts, suites.CountsBroadcast)
	}
	if _, _, err := s.FactorsSeed(); err != nil {
		return err
	}
	if s.OneSided != nil {
		if err := s.OneSided.Check(); err != nil {
			return err
		}
	}
	if err := s.checkPairs(); err != nil {
		return err
	}
	return s.Today.Check()
}

// checkFor returns an error if no run on a number of processes can have the settings.
func checkFor(s *Settings, processes int) error {
	if err := s.Check(); err != nil {
		return err
	}
	if s.Method != "" && Chosen(s).Name != s.Method {
		var names []string
		for _, m := range named() {
			names = append(names, string(m.Name))
		}
		return fmt.Errorf("unknown method %q: want %s", s.Method, strings.Join(names, " or "))
	}
	if len(s.Map) != 0 && s.Map[0]*s.Map[1] != processes && !(Chosen(s).mapsPart && s.Map[0]*s.Map[1] < processes) {
		return fmt.Errorf("map %s: want P and Q with P times Q = %d processes", grid(s.Map), processes)
	}
	return nil
}

// grid returns a map in the form of the command line.
func grid(sides []int) string {
	var words []string
	for _, n := range sides {
		words = append(words, strconv.Itoa(n))
	}
	return strings.Join(words, "x")
}

// Clocked returns the timing of the rows.
func (s *Settings) Clocked() Timing {
	if s.Timing == "" {
		return ByLoop
	}
	return s.Timing
}

// Rule returns the precision of rows that have series.
func (s *Settings) Rule() Precision {
	if s.Precision == nil {
		return DefaultPrecision
	}
	return *s.Precision
}

// Figure returns the statistic that stands for the repetitions of a series.
func (s *Settings) Figure() Statistic { return s.Rule().Statistic }

// showsGroups reports whether a row has figures of each group.
func (s *Settings) showsGroups() bool { return s.Multi != nil && *s.Multi == 1 }

func (s *Settings) policy() Policy {
	if s.Policy == "" {
		return DefaultPolicy
	}
	return s.Policy
}

// lengths returns the lengths of a kernel's rows in bytes: the user's, or 0, 1, 2, 4 … (guide, "Message/I-O Buffer
// Lengths").
func lengths(s *Settings, k *kernel.Kernel) []int64 {
	switch k.Recipe.Rows {
	case kernel.OneElement:
		return []int64{k.Unit(&s.Today)}
	case kernel.NoLength:
		return []int64{0}
	case kernel.Strided:
		o := s.oneSided()
		return slices.Repeat([]int64{o.Block * o.Count}, len(o.Strides))
	}
	if rule, ok := refinement(s, k); ok {
		return rule.Start()
	}
	unit := k.Unit(&s.Today)
	var list []int64
	for _, l := range s.Lengths {
		if l == 0 && s.NoZero {
			continue
		}
		list = append(list, kernel.UpTo(l, unit))
	}
	if len(list) > 0 {
		return slices.Compact(list) // 1 and 2 bytes are one float, too
	}
	method := MethodOf(s, k)
	if method.lengths != nil {
		return method.lengths
	}
	if !method.noZero && !s.NoZero {
		list = append(list, 0)
	}
	for l := unit; l <= Chosen(s).Defaults(k.Component).Longest(); l *= 2 {
		list = append(list, l)
	}
	return list
}
