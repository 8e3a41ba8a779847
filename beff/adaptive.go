package beff

import (
	"errors"
	"fmt"

	"github.com/effective-bandwidth/beff/patterns"
)

// An adaptive run estimates the b_eff of a full one in short passes, until the interval between them is narrow. A pass
// has the rings, a few of the random patterns, and the repetitions and loops of a full run. The random half of b_eff is
// a mean of logarithms over patterns that are drawn at random, so that fewer of them change what it spreads, not what
// it is. Each pass draws others.

const (
	// fewRandoms is the number of random patterns of a pass.
	fewRandoms = 2
	// leastPasses is the number of passes from which on there is an interval between them, and a run may end.
	leastPasses = 3
)

// adapt checks the choices of an adaptive run. Without names of patterns it takes those that an estimate needs.
func (c *Config) adapt() error {
	switch {
	case !(c.Within > 0 && c.Within < 1):
		return fmt.Errorf("an adaptive run needs a part of b_eff between 0 and 100 %%, not %g %%", 100*c.Within)
	case c.Quick:
		return errors.New("a quick run isn't adaptive")
	}
	return nil
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

// enough reports whether the passes so far have as narrow an interval as an adaptive run was asked for. Without a
// b_eff there will be none.
func (m *measurer) enough(pass int) bool {
	if m.plan.Rules != RulesAdaptive {
		return false
	}
	in := m.estimate.Within
	return !(m.estimate.Value > 0) || pass >= leastPasses && in != nil && in.Part(m.estimate.Value) <= m.plan.Within
}
