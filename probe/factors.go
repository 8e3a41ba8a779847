package probe

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/mpi/job"
)

// Factors are the parts of the processes in the data of kernels with blocks of different lengths: a block has
// ⌊length·factor⌋ bytes (MPIBlib manual, 4.5).

// Values of Settings.Factors that are no name of a file.
const (
	FactorsBySpeed = "speed"
	factorsRandom  = "random:"
)

// mostMean is the largest mean of factors, so that blocks of the longest length have room in an int64.
const mostMean = 4

// FactorsFile returns the name of the file that holds the factors; empty: they come from elsewhere.
func (s *Settings) FactorsFile() string {
	if s.Factors == FactorsBySpeed || strings.HasPrefix(s.Factors, factorsRandom) {
		return ""
	}
	return s.Factors
}

// FactorsSeed returns the seed by which factors are drawn, if they are.
func (s *Settings) FactorsSeed() (seed uint64, random bool, err error) {
	text, random := strings.CutPrefix(s.Factors, factorsRandom)
	if random {
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			err = fmt.Errorf("want the name of a file, %s or %sSEED with a seed from 0 to 2^64-1, not %q",
				FactorsBySpeed, factorsRandom, s.Factors)
		}
	}
	return seed, random, err
}

// CheckFactors returns an error unless there is a factor for each process. Further ones are nobody's.
func CheckFactors(list []float64, processes int) error {
	if len(list) < processes {
		return fmt.Errorf("%d factors for %d processes", len(list), processes)
	}
	list = list[:processes]
	sum := 0.0
	for i, f := range list {
		if !(f >= 0) || math.IsInf(f, 0) {
			return fmt.Errorf("factor %d is %v: want a number from 0 on", i, f)
		}
		sum += f
	}
	if sum > mostMean*float64(len(list)) {
		return fmt.Errorf("the mean of the factors is %.4g: want at most %d", sum/float64(len(list)), mostMean)
	}
	return nil
}

// scaled returns numbers with the mean 1.
func scaled(list []float64) []float64 {
	sum := 0.0
	for _, x := range list {
		sum += x
	}
	for i := range list {
		list[i] *= float64(len(list)) / sum
	}
	return list
}

// randomFactors returns factors that are drawn from 0 to 1 and scaled to the mean 1. A seed gives the same ones on
// every machine.
func randomFactors(processes int, seed uint64) []float64 {
	source, list := rand.NewPCG(seed, 0), make([]float64, processes)
	for i := range list {
		const bits = 53
		list[i] = float64(source.Uint64()>>(64-bits)+1) / (1 << bits) // never 0, so that their sum isn't
	}
	return scaled(list)
}

// findFactors finds the factors of all processes, if kernels take them.
func (m *Measurer) findFactors() (err error) {
	s := m.Settings
	if s.Factors == "" {
		return nil
	}
	switch seed, random, err := s.FactorsSeed(); {
	case err != nil:
		return err
	case m.Out.Factors != nil:
	case random:
		m.Out.Factors = randomFactors(m.World.Size(), seed)
	case s.Factors == FactorsBySpeed:
		if m.Out.Factors, err = m.speeds(); err != nil {
			return err
		}
	default:
		m.Out.Factors = slices.Clone(m.Given[:m.World.Size()])
	}
	return nil
}

// speeds returns the speeds of the processes at computing, scaled to the mean 1.
func (m *Measurer) speeds() ([]float64, error) {
	all, err := job.Gathered(m.World, []float64{1 / m.turn})
	if err != nil {
		return nil, err
	}
	list := make([]float64, m.World.Size())
	for rank, speed := range all {
		list[rank] = speed[0]
	}
	return list, job.Broadcast(m.World, scaled(list))
}

// factorsOf returns the factors of a block's processes: those of the first ones.
func (m *Measurer) factorsOf(t *Table) []float64 {
	if m.Out.Factors == nil || !t.kernel.Recipe.Varied {
		return nil
	}
	return m.Out.Factors[:t.block.Processes]
}

// checkVaried returns an error if there are factors that no kernel takes, or too few.
func (p *Plan) checkVaried() error {
	varied := func(b Block) bool {
		k, ok := p.kernel(&b)
		return ok && k.Recipe.Varied
	}
	switch {
	case p.Settings.Factors == "":
		return nil
	case !slices.ContainsFunc(p.Blocks, varied):
		return errors.New("factors are for kernels with blocks of different lengths, such as Scatterv and " +
			"Scatterv_Traff: none is selected")
	case p.Settings.FactorsFile() == "":
		return nil
	}
	if err := CheckFactors(p.Factors, p.Processes); err != nil {
		return fmt.Errorf("%s: %w", p.Settings.FactorsFile(), err)
	}
	return nil
}
