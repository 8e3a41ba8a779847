package beff

import (
	"errors"

	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
)

// An adaptive run estimates the b_eff of a full one in short passes, until the interval between them is narrow. A pass
// has the rings, a few of the random patterns, and the repetitions and loops of a full run. The random half of b_eff is
// a mean of logarithms over patterns that are drawn at random, so that fewer of them change what it spreads, not what
// it is. Each pass draws others.

// fewRandoms is the number of random patterns of a pass.
const fewRandoms = 2

// adapt checks the choices of an adaptive run. Without names of patterns it takes those that an estimate needs.
func (c *Config) adapt() error {
	if c.Quick {
		return errors.New("a quick run isn't adaptive")
	}
	return rating.CheckWithin(c.Within, Benchmark)
}

// fewer returns the patterns of an adaptive pass.
func fewer(all []patterns.Pattern) (list []patterns.Pattern) {
	randoms := 0
	for _, p := range all {
		switch p.Kind {
		case patterns.KindRandom:
			if randoms++; randoms > fewRandoms {
				continue
			}
		case patterns.KindDetail:
			if !p.SendrecvOnly { // the ping-pong pair, which costs little
				continue
			}
		}
		list = append(list, p)
	}
	return list
}

// enough reports whether the passes so far have as narrow an interval as an adaptive run was asked for.
func (m *measurer) enough(pass int) bool {
	return m.plan.Rules == RulesAdaptive && rating.Narrow(m.plan.Within, pass, m.estimate)
}
