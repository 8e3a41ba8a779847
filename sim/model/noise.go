package model

import (
	"math"
	"math/rand/v2"
)

// Noise draws the factors by which the times of measurements differ. The same seed gives the same factors.
type Noise struct {
	model  *Model
	random *rand.Rand
	slow   bool
}

// NewNoise returns the noise of a machine.
func (m *Model) NewNoise(seed uint64) *Noise {
	return &Noise{model: m, random: rand.New(rand.NewPCG(seed, 1))}
}

// Next returns the factor of the next measurement.
func (n *Noise) Next() float64 {
	of := &n.model.Noise
	factor := 1.0
	if of.Sigma > 0 {
		factor = math.Exp(of.Sigma * n.random.NormFloat64())
	}
	if of.SlowPart > 0 && of.SlowFactor > 0 {
		// The probability of leaving a state follows from the states' mean length and part.
		leave := 1 / max(of.SlowLength, 1)
		if n.slow {
			n.slow = n.random.Float64() >= leave
		} else {
			n.slow = n.random.Float64() < leave*of.SlowPart/max(1-of.SlowPart, 1e-9)
		}
		if n.slow {
			factor *= of.SlowFactor
		}
	}
	return factor
}
