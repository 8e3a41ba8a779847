package method

import (
	rand "math/rand/v2"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
)

// scaled scales numbers in place to the mean 1, and returns them.
func scaled(list []float64) []float64 {
	sum := lists.Sum(list)
	for i := range list {
		list[i] *= float64(len(list)) / sum
	}
	return list
}

// randomFactors returns factors that are drawn from 0 to 1 and scaled to the mean 1. A seed gives the same factors on
// every machine.
func randomFactors(processes int, seed uint64) []float64 {
	source, list := rand.NewPCG(seed, 0), make([]float64, processes)
	for i := range list {
		const bits = 53
		list[i] = float64(source.Uint64()>>(64-bits)+1) / (1 << bits) // never 0, so that the sum isn't
	}
	return scaled(list)
}

// findFactors determines the factors of all processes, if the settings have any.
func (m *Measurer) findFactors() (err error) {
	s := m.Settings
	if s.Blocks.Factors == "" {
		return nil
	}
	switch seed, random, err := s.FactorsSeed(); {
	case err != nil:
		return err
	case m.Out.Factors != nil:
	case random:
		m.Out.Factors = randomFactors(m.World.Size(), seed)
	case s.FactorsBySpeed():
		if m.Out.Factors, err = m.speeds(); err != nil {
			return err
		}
	default:
		m.Out.Factors = slices.Clone(m.Given[:m.World.Size()])
	}
	return nil
}

// speeds returns the computing speeds of the processes, scaled to the mean 1.
func (m *Measurer) speeds() ([]float64, error) {
	list := make([]float64, m.World.Size())
	list[m.World.Rank()] = 1 / m.product
	err := m.World.Allreduce(list, mpi.Sum)
	return scaled(list), err
}

// factorsOf returns the factors of a block's processes, which are the first of all.
func (m *Measurer) factorsOf(t *Table) []float64 {
	if m.Out.Factors == nil || !t.kernel.Builder.Data.Varied {
		return nil
	}
	return m.Out.Factors[:t.block.Processes]
}
