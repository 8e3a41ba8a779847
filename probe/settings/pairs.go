package settings

import (
	"fmt"
	"strconv"

	"github.com/effective-bandwidth/beff/patterns"
)

// Values of Settings.Pairs that are not numbers.
const (
	allPairs  = "all"
	ringPairs = "ring"
)

const (
	maxAll    = 256     // processes up to which all pairs are measured by default
	drawnEach = 16      // pairs of each process that are drawn by default for more processes
	maxPairs  = 1 << 20 // pairs of a row
	pairSeed  = 1       // seed of drawn pairs, the same in each run, so that runs can be compared
)

// Rounds returns the rounds of pairs that the settings choose for a number of processes.
func (s *Settings) Rounds(processes int) (patterns.Rounds, error) {
	choice := s.Pairs.Which
	if choice == "" {
		if choice = allPairs; processes > maxAll {
			choice = strconv.Itoa(processes / 2 * drawnEach)
		}
	}
	var r patterns.Rounds
	var err error
	switch n, wrong := strconv.Atoi(choice); {
	case choice == allPairs:
		r, err = patterns.AllPairs(processes)
	case choice == ringPairs:
		r, err = patterns.RingPairs(processes)
	case wrong != nil:
		err = fmt.Errorf("pairs %q: want %s, %s or a number of pairs", choice, allPairs, ringPairs)
	default:
		r, err = patterns.SampledPairs(processes, min(n, patterns.CountPairs(processes)), pairSeed)
	}
	if err == nil && r.Pairs > maxPairs {
		err = fmt.Errorf("pairs %s: %d pairs of %d processes, at most %d are measured: give a number", choice, r.Pairs,
			processes, maxPairs)
	}
	return r, err
}

// checkPairs returns an error if the choice of pairs is unknown.
func (s *Settings) checkPairs() error {
	if s.Pairs.Which == "" || s.Pairs.Which == allPairs || s.Pairs.Which == ringPairs {
		return nil
	}
	if n, err := strconv.Atoi(s.Pairs.Which); err != nil || n < 1 || n > maxPairs {
		return fmt.Errorf("pairs %q: want %s, %s or a number of pairs from 1 to %d", s.Pairs.Which, allPairs, ringPairs,
			maxPairs)
	}
	return nil
}
