package beff

import (
	"errors"
	"slices"
	"time"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
)

// LongestPreview is the time for a preview. It takes longer only if b_eff's patterns by a single method do.
const LongestPreview = 30 * time.Second

// The trial that predicts the time of a preview may take trialPart of LongestPreview. Methods and details are left out
// if the predicted time exceeds plannedPart of it.
const (
	trialPart   = 0.1
	plannedPart = 0.6
)

// Preview returns the configuration of a preview that ends within LongestPreview on this machine, and its expected
// time. If c would take longer, Preview keeps one method, and drops the details, which don't count for b_eff, unless c
// names them. The expected time may still exceed LongestPreview. To predict it, Preview measures a random pattern by
// one method. It is collective: all processes of e call it and get the same values.
func Preview(e mpi.Engine, c Config, now func() time.Time) (Config, time.Duration, error) {
	plan, err := NewPlan(e.World().Size(), c)
	if err != nil {
		return c, 0, err
	}
	of := slices.IndexFunc(plan.Patterns, func(p patterns.Pattern) bool { return p.Kind == patterns.KindRandom })
	tried := c
	tried.Patterns = []string{plan.Patterns[max(of, 0)].Name}
	tried.Methods = []string{plan.Methods[0].String()}
	trial, err := NewPlan(plan.Processes, tried)
	if err != nil {
		return c, 0, err
	}
	begin, most := now(), LongestPreview.Seconds()*trialPart
	got, err := trial.Measure(e, rating.Observer[Measured]{Now: now, Left: func() time.Duration {
		return time.Duration(most*float64(time.Second)) - now().Sub(begin)
	}})
	if err != nil && !errors.Is(err, rating.ErrWall) {
		return c, 0, err
	}
	type shorter struct {
		Config   Config
		Expected time.Duration
	}
	s, err := job.Decide(e.World(), func() (s shorter, err error) {
		each := now().Sub(begin).Seconds() / float64(max(1, len(got.Samples)))
		foretold := func() error {
			if plan, err = NewPlan(plan.Processes, c); err == nil {
				s = shorter{c, time.Duration(each * float64(plan.Measurements()) * float64(time.Second))}
			}
			return err
		}
		if err := foretold(); err != nil || s.Expected.Seconds() <= LongestPreview.Seconds()*plannedPart {
			return s, err
		}
		if c.Patterns == nil {
			c.Patterns = []string{string(patterns.KindRing), string(patterns.KindRandom)}
		}
		if c.Methods == nil {
			c.Methods = tried.Methods
		}
		err = foretold()
		return s, err
	})
	return s.Config, s.Expected, err
}
