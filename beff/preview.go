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

// LongestPreview is the time that a preview should take at most. A preview that measures the rings and random patterns
// by a single method may still take longer.
const LongestPreview = 30 * time.Second

// Parts of LongestPreview.
const (
	trialPart   = 0.1 // largest part for the trial that predicts the time of the preview
	plannedPart = 0.6 // if the prediction is above, Preview leaves out methods and details
)

// Preview returns the configuration of a preview that ends within LongestPreview on this machine, and its expected
// time. If c would take longer, Preview keeps one method and drops the details, which don't count for b_eff. It keeps
// the methods and patterns that c names. So the expected time may still exceed LongestPreview. To predict it, Preview
// measures a random pattern by one method. It is collective: all processes of e call it and get the same values.
func Preview(e mpi.Engine, c Config, now func() time.Time) (Config, time.Duration, error) {
	plan, err := NewPlan(e.World().Size(), c)
	if err != nil {
		return c, 0, err
	}
	method := []string{plan.Methods[0].String()}
	seconds, err := plan.trialSeconds(e, c, method, now)
	if err != nil {
		return c, 0, err
	}
	type preview struct {
		Config   Config
		Expected time.Duration
	}
	decided, err := job.Decide(e.World(), func() (preview, error) {
		expected := func(plan *Plan) time.Duration {
			return time.Duration(seconds * float64(plan.Measurements()) * float64(time.Second))
		}
		full := expected(plan)
		if full.Seconds() <= LongestPreview.Seconds()*plannedPart {
			return preview{c, full}, nil
		}
		shorter := c
		if c.Patterns == nil {
			shorter.Patterns = []string{string(patterns.KindRing), string(patterns.KindRandom)}
		}
		if c.Methods == nil {
			shorter.Methods = method
		}
		shortPlan, err := NewPlan(plan.Processes, shorter)
		if err != nil {
			return preview{}, err
		}
		return preview{shorter, expected(shortPlan)}, nil
	})
	return decided.Config, decided.Expected, err
}

// trialSeconds measures one random pattern of the plan, whose configuration is c, by one method. It returns the mean
// time of a sample in seconds, with its share of the setup. It is collective.
func (p *Plan) trialSeconds(e mpi.Engine, c Config, method []string, now func() time.Time) (float64, error) {
	random := slices.IndexFunc(p.Patterns, func(x patterns.Pattern) bool { return x.Kind == patterns.KindRandom })
	c.Patterns, c.Methods = []string{p.Patterns[max(random, 0)].Name}, method
	trial, err := NewPlan(p.Processes, c)
	if err != nil {
		return 0, err
	}
	begin, limit := now(), time.Duration(trialPart*float64(LongestPreview))
	m, err := trial.Measure(e, rating.Observer[Measured]{Now: now, Left: func() time.Duration {
		return limit - now().Sub(begin)
	}})
	if err != nil && !errors.Is(err, rating.ErrWall) {
		return 0, err
	}
	return now().Sub(begin).Seconds() / float64(max(1, len(m.Samples))), nil
}
