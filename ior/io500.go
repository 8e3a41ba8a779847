package ior

import (
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/rating"
)

// An IO500-like set has the tests of IO500's phases of data, by the same options (config.ini of io500-sc, 2026). Its
// phases of metadata, and find, are those of package mdtest: the score takes their rates from whoever measured them.

// Leasts of a set that counts.
const (
	// LeastStonewall is the least time of a writing phase in seconds (IO500's rules).
	LeastStonewall = 300
	hardTransfer   = 47008
	manySegments   = 10_000_000
	randomTransfer = 4096
)

// Names of the tests of a set.
const (
	EasyWrite  = "ior-easy-write"
	HardWrite  = "ior-hard-write"
	EasyRead   = "ior-easy-read"
	HardRead   = "ior-hard-read"
	RandomRead = "ior-rnd4K-easy-read"
)

// IO500 returns the tests of an IO500-like set: those that write, and then those that read what these have left.
// Writing ends after some seconds with wear-out, and so does reading at random.
func IO500(api API, easy int64, seconds float64, shift int, file func(name string) string) []Settings {
	of := func(name, written string, transfer int64, own bool) Settings {
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
	random := of(RandomRead, EasyWrite, randomTransfer, true)
	random.Scattered, random.Seed, random.Compare = true, 1, false
	random.Segments, random.Stonewall, random.WearOut = manySegments, seconds, true
	return []Settings{of(EasyWrite, "", easy, true), of(HardWrite, "", hardTransfer, false),
		of(EasyRead, EasyWrite, easy, true), of(HardRead, HardWrite, hardTransfer, false), random}
}

// scored are the tests whose bandwidths the score is made of.
var scored = []string{EasyWrite, HardWrite, EasyRead, HardRead}

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

// phasesOfMetadata is how many rates of metadata a score has: seven of mdtest, and that of find.
const phasesOfMetadata = 8

// NewScore returns the score of bandwidths and rates. It has no total, and lacks what isn't measured.
func NewScore(bandwidths, rates []float64) (s Score) {
	if mean, _ := rating.Between(bandwidths); len(bandwidths) == len(scored) && mean > 0 {
		s.Bandwidth = mean
	}
	if mean, _ := rating.Between(rates); len(rates) == phasesOfMetadata && mean > 0 {
		s.Rate = mean
	}
	const gibi, thousand = 1 << 30, 1000
	s.Total = math.Sqrt(s.Bandwidth / gibi * s.Rate / thousand)
	return s
}

// score returns the score of a result that is an IO500-like set; nil of another one.
func (r *Result) score() *Score {
	if !r.Set() {
		return nil
	}
	var bandwidths []float64
	for i := range r.Tests {
		for _, name := range scored {
			if p := r.Phase(i, r.access(i)); r.Tests[i].Name == name && p != nil {
				bandwidths = append(bandwidths, p.Mean)
			}
		}
	}
	s := NewScore(bandwidths, nil)
	return &s
}

// Set reports whether the tests are an IO500-like set.
func (r *Result) Set() bool { return len(r.Tests) > 0 && r.Tests[0].Name == EasyWrite }

// access returns the only access of a test of a set.
func (r *Result) access(test int) Access {
	if r.Tests[test].Write {
		return Write
	}
	return Read
}

// setCriteria returns the criteria of an IO500-like set; none of other tests.
func (r *Result) setCriteria() []rating.Criterion {
	if !r.Set() {
		return nil
	}
	shortest := math.Inf(1)
	for i := range r.Samples {
		if s := &r.Samples[i]; s.Access == Write {
			shortest = min(shortest, s.Seconds)
		}
	}
	if math.IsInf(shortest, 1) {
		shortest = 0
	}
	metadata := r.Derived.Score != nil && r.Derived.Score.Rate > 0
	return []rating.Criterion{
		{Name: "stonewall", Text: fmt.Sprintf("each writing phase takes at least %d s (the shortest took %.1f s)",
			LeastStonewall, shortest), Reached: shortest >= LeastStonewall, Remedy: "leave out --stonewall"},
		{Name: "metadata", Text: "the phases of metadata and find are measured", Reached: metadata,
			Remedy: "measure them by beff mdtest: this set has the phases of data alone"},
	}
}
