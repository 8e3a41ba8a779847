package settings

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// In kernels whose processes have blocks of different lengths, each process has a factor: its block has ⌊length·factor⌋
// bytes (MPIBlib manual, 4.5). Blocks.Factors is the name of a file with the factors, or one of these words.
const (
	factorsBySpeed = "speed"
	factorsRandom  = "random:"
)

// maxMean is the largest mean of factors, so that an int64 can hold the sum of blocks of the longest length.
const maxMean = 4

// FactorsBySpeed reports whether the factors are the speeds at which the processes compute.
func (s *Settings) FactorsBySpeed() bool { return s.Blocks.Factors == factorsBySpeed }

// FactorsFile returns the name of the file that holds the factors, or "" if they come from elsewhere.
func (s *Settings) FactorsFile() string {
	if s.Blocks.Factors == factorsBySpeed || strings.HasPrefix(s.Blocks.Factors, factorsRandom) {
		return ""
	}
	return s.Blocks.Factors
}

// CheckFactors returns an error unless there is a factor for each process. It ignores further factors.
func CheckFactors(list []float64, processes int) error {
	if len(list) < processes {
		return fmt.Errorf("%d factors for %d processes", len(list), processes)
	}
	list = list[:processes]
	sum := 0.0
	for i, f := range list {
		if !(f >= 0) || math.IsInf(f, 0) {
			return fmt.Errorf("factor %d is %v: want a number of at least 0", i, f)
		}
		sum += f
	}
	if sum > maxMean*float64(len(list)) {
		return fmt.Errorf("the mean of the factors is %.4g: want at most %d", sum/float64(len(list)), maxMean)
	}
	return nil
}

// FactorsSeed returns the seed of random factors, and whether the factors are random. The error reports a seed that
// isn't a number.
func (s *Settings) FactorsSeed() (seed uint64, random bool, err error) {
	text, random := strings.CutPrefix(s.Blocks.Factors, factorsRandom)
	if random {
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			err = fmt.Errorf("want the name of a file, %s or %sSEED with a seed from 0 to 2^64-1, not %q",
				factorsBySpeed, factorsRandom, s.Blocks.Factors)
		}
	}
	return seed, random, err
}
