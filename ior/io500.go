package ior

import (
	"fmt"
	"math"
	"strings"

	"github.com/effective-bandwidth/beff/rating"
)

// An IO500-like set has the phases of IO500, in its order, by the same options (IO500/io500 02091cf of July 2026: the
// phases' sources, and phase-definitions.h). What differs: tests of metadata are by the kernels of probes, and each
// process may make so many files that the stonewall always ends it; find doesn't look at times, because all files are
// this run's.

// Leasts of a set that counts, and its sizes.
const (
	// LeastStonewall is the least time of a writing phase in seconds (IO500's rules).
	LeastStonewall = 300
	hardTransfer   = 47008
	hardFile       = soughtBytes
	manySegments   = 10_000_000
	manyFiles      = 100_000_000
	randomTransfer = 4096
)

// Names of the tests of a set.
const (
	EasyWrite      = "ior-easy-write"
	HardWrite      = "ior-hard-write"
	EasyRead       = "ior-easy-read"
	HardRead       = "ior-hard-read"
	RandomRead     = "ior-rnd4K-easy-read"
	MetaEasyWrite  = "mdtest-easy-write"
	MetaHardWrite  = "mdtest-hard-write"
	FindFiles      = "find"
	MetaEasyStat   = "mdtest-easy-stat"
	MetaHardStat   = "mdtest-hard-stat"
	MetaEasyDelete = "mdtest-easy-delete"
	MetaHardRead   = "mdtest-hard-read"
	MetaHardDelete = "mdtest-hard-delete"
)

// IO500 returns the tests of an IO500-like set, in their order. Writing ends after some seconds with wear-out, and so
// does reading at random. Easy is the bytes of a transfer of the easy phases. Readers are shifted by some processes.
func IO500(api API, easy int64, seconds float64, shift, processes int, file func(name string) string) []Settings {
	data := func(name, written string, transfer int64, own bool) Settings {
		s := Settings{Name: name, Of: written, API: api, Transfer: transfer, Block: transfer, Segments: manySegments,
			Repetitions: 1, FilePerProcess: own, Shift: shift, ShiftNodes: 1, Barriers: true, Keep: true}
		if written == "" {
			s.Write, s.Sync, s.Stonewall, s.WearOut = true, true, seconds, true
			s.File = file(name)
		} else {
			s.Read, s.Compare = true, true
			s.File = file(written)
		}
		return s
	}
	metadata := func(name string, phase Access, written string, bytes int64, own bool) Settings {
		s := Settings{Name: name, Of: written, API: POSIX, Repetitions: 1, Keep: true, File: file(name),
			Metadata: &Metadata{Phase: phase, Items: manyFiles, Bytes: bytes, Own: own}}
		if s.Shift = shift; shift == 0 && processes > 1 { // one node: the next process, as mdtest -N 1
			s.Shift = 1
		}
		if phase == Write {
			s.Sync, s.Stonewall, s.WearOut = true, seconds, true
		}
		return s
	}
	random := data(RandomRead, EasyWrite, randomTransfer, true)
	random.Shift, random.ShiftNodes = 2*shift%max(processes, 1), 2
	random.Scattered, random.Seed, random.Compare = true, 1, false
	random.Stonewall, random.WearOut = seconds, true
	return []Settings{
		data(EasyWrite, "", easy, true),
		metadata(MetaEasyWrite, Write, "", 0, true),
		data(HardWrite, "", hardTransfer, false),
		metadata(MetaHardWrite, Write, "", hardFile, false),
		metadata(FindFiles, Find, MetaHardWrite, hardFile, false),
		data(EasyRead, EasyWrite, easy, true),
		metadata(MetaEasyStat, Stat, MetaEasyWrite, 0, true),
		data(HardRead, HardWrite, hardTransfer, false),
		metadata(MetaHardStat, Stat, MetaHardWrite, hardFile, false),
		metadata(MetaEasyDelete, Delete, MetaEasyWrite, 0, true),
		metadata(MetaHardRead, Read, MetaHardWrite, hardFile, false),
		metadata(MetaHardDelete, Delete, MetaHardWrite, hardFile, false),
		random,
	}
}

// Score holds the figures of an IO500-like set.
type Score struct {
	// Geometric mean of the bandwidths of easy and hard writing and reading, bytes per second; left out unless all were
	// measured.
	Bandwidth float64 `json:"bandwidth,omitempty" jsonschema:"minimum=0"`
	// Geometric mean of the eight rates of metadata, operations per second; left out unless all were measured.
	Rate float64 `json:"rate,omitempty" jsonschema:"minimum=0"`
	// Root of the product of the bandwidth in GiB/s and the rate in thousands of operations per second.
	Total float64 `json:"total,omitempty" jsonschema:"minimum=0"`
}

// NewScore returns the score of four bandwidths and eight rates. Where one is missing or 0, their mean and the total
// are 0.
func NewScore(bandwidths, rates []float64) (s Score) {
	if mean, _ := rating.Between(bandwidths); len(bandwidths) == bandwidthsOfScore && mean > 0 {
		s.Bandwidth = mean
	}
	if mean, _ := rating.Between(rates); len(rates) == ratesOfScore && mean > 0 {
		s.Rate = mean
	}
	const gibi, thousand = 1 << 30, 1000
	s.Total = math.Sqrt(s.Bandwidth / gibi * s.Rate / thousand)
	return s
}

// Figures that a score is made of: easy and hard, writing and reading; seven of mdtest, and find's.
const (
	bandwidthsOfScore = 4
	ratesOfScore      = 8
)

// Scored reports whether a test of a set is a part of its score.
func (s *Settings) Scored() bool { return s.Name != RandomRead }

// score returns the score of a result that is an IO500-like set; nil of another one.
func (r *Result) score() *Score {
	if !r.Set() {
		return nil
	}
	var bandwidths, rates []float64
	for i := range r.Tests {
		of := &r.Tests[i]
		switch p := r.Phase(i, of.only()); {
		case p == nil || !of.Scored():
		case of.Metadata != nil:
			rates = append(rates, p.Rate)
		default:
			bandwidths = append(bandwidths, p.Mean)
		}
	}
	s := NewScore(bandwidths, rates)
	return &s
}

// Set reports whether the tests are an IO500-like set.
func (r *Result) Set() bool { return len(r.Tests) > 0 && r.Tests[0].Name == EasyWrite }

// only returns the only access of a test of a set.
func (s *Settings) only() Access {
	for _, a := range Accesses() {
		if s.Measures(a) {
			return a
		}
	}
	return ""
}

// Kept reports whether a phase of a set keeps its rules: writing takes long enough, and nothing was wrong.
func (r *Result) Kept(p *Phase) bool {
	for _, s := range r.Of(p.Test, p.Access) {
		if s.Wrong > 0 || p.Access == Write && s.Seconds < LeastStonewall {
			return false
		}
	}
	return true
}

// setCriteria returns the criteria of an IO500-like set; none of other tests.
func (r *Result) setCriteria() []rating.Criterion {
	if !r.Set() {
		return nil
	}
	shortest := math.Inf(1)
	var missing []string
	for i := range r.Tests {
		s := &r.Tests[i]
		if list := r.Of(i, s.only()); len(list) == 0 {
			missing = append(missing, s.Name)
		} else if s.Measures(Write) {
			shortest = min(shortest, list[0].Seconds)
		}
	}
	if math.IsInf(shortest, 1) {
		shortest = 0
	}
	phases := "all phases of the set are measured"
	if len(missing) > 0 {
		phases += " (missing: " + strings.Join(missing, ", ") + ")"
	}
	return []rating.Criterion{
		{Name: "stonewall", Text: fmt.Sprintf("each writing phase takes at least %d s (the shortest took %.1f s)",
			LeastStonewall, shortest), Reached: shortest >= LeastStonewall,
			Remedy: "leave out --stonewall, and give the files room"},
		{Name: "phases", Text: phases, Reached: len(missing) == 0, Remedy: "let the run go on to its end"},
	}
}
