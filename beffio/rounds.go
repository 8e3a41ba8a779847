package beffio

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
)

// An adaptive run measures b_eff_io in short rounds until the interval between them is narrow, or until another round
// might not end within its time. A round is a complete run: it writes new files, reads them once and removes them. So a
// run never has more bytes and files than one round. The figures are the geometric means over whole rounds, and their
// intervals are Student's t intervals from the differences between rounds; the times of a round's calls are not used.
// As the files of a short round are small, results of rounds form their own class.

const (
	// defaultRoundTime is T of a round for each partition, unless the user chooses it.
	defaultRoundTime = 15 * time.Second
	// defaultRounds is the time for all rounds of an adaptive run, as a multiple of T, unless the user limits it.
	defaultRounds = 20
	// maxRounds bounds the rounds of a run.
	maxRounds = 1000
)

// setAdaptive checks the settings of an adaptive run, and fills in the defaults.
func (c *Config) setAdaptive() error {
	if c.Within == 0 && c.AtMost == 0 {
		return nil
	}
	if c.Duration == 0 {
		c.Duration = defaultRoundTime * time.Duration(len(c.Partitions))
	}
	c.AtMost = cmp.Or(c.AtMost, defaultRounds*c.Duration)
	switch {
	case c.Quick:
		return errors.New("a quick run isn't adaptive")
	case c.Keep:
		return errors.New("an adaptive run removes the files of each round, and can't keep them")
	case c.AtMost < rating.MinPasses*c.Duration:
		return fmt.Errorf("%v is too short for an adaptive run of at least %d rounds of %v", c.AtMost,
			rating.MinPasses, c.Duration)
	}
	return rating.CheckWithin(c.Within, Benchmark)
}

// Adaptive reports whether the run measures rounds until the interval between them is narrow.
func (c *Config) Adaptive() bool { return c.Within > 0 }

// anotherRound reports whether the run makes the round with this number, counted from 0. In an adaptive run process 0
// decides: a round begins if it should end within the run's time, unless the interval is already narrow.
func (m *measurer) anotherRound(round int) (bool, error) {
	if !m.plan.Adaptive() {
		return round == 0, nil
	}
	return job.Decide(m.World, func() (bool, error) {
		const longer = 1.1 // rounds differ in time
		covered := m.earlier.WallSeconds + m.Seconds()
		next := longer * max(m.longest, covered/float64(max(round, 1)))
		if round > 0 {
			m.estimate = m.estimated()
		}
		return round == 0 || covered+next <= m.plan.AtMost.Seconds() && round < maxRounds &&
			!rating.Narrow(m.plan.Within, round, m.estimate) && m.Fits(next), nil
	})
}

// estimated returns b_eff_io by the rounds so far.
func (m *measurer) estimated() rating.Value {
	r := NewResult(m.plan, m.out, Run{Run: rating.Run{Err: rating.ErrUnderWay}})
	return rating.Value{Value: r.Derived.BEffIO, Within: r.Derived.BEffIOInterval}
}

// furtherSeconds estimates how many seconds the rounds after this one take.
func (m *measurer) furtherSeconds() float64 {
	if !m.plan.Adaptive() {
		return 0
	}
	done, needed := m.pass.round, rating.MinPasses
	if done >= rating.MinPasses && m.estimate.Within != nil {
		needed = rating.PassesFor(m.plan.Within, done, maxRounds, m.estimate)
	}
	roundSeconds := max(m.longest, m.plan.Duration.Seconds())
	seconds := float64(max(needed-done-1, 0)) * roundSeconds
	return max(min(seconds, m.plan.AtMost.Seconds()-m.earlier.WallSeconds-m.Seconds()-roundSeconds), 0)
}

// perRound returns the numbers of samples and of files of a round.
func (r *Result) perRound() (samples, files int) {
	for _, a := range Accesses() {
		for _, t := range Types() {
			if r.measures(a, t) {
				samples, files = samples+r.count(t), files+1
			}
		}
	}
	return samples * len(r.Partitions), files * len(r.Partitions)
}

// rounds returns the number of rounds in samples.
func rounds(samples []Sample) int {
	return lists.Max(samples, func(x Sample) int { return x.Round + 1 })
}

// Rounds returns the whole rounds of an adaptive result as separate results with their own figures. If there is none,
// it returns the part of the first round. For a result that isn't adaptive it returns only r.
func (r *Result) Rounds() []*Result {
	if r.Within == 0 {
		return []*Result{r}
	}
	list := make([]*Result, max(1, rounds(r.Samples)))
	for i := range list {
		round := *r
		round.Within, round.AtMost, round.Samples, round.Files = 0, 0, nil, nil
		list[i] = &round
	}
	for _, s := range r.Samples {
		round := list[s.Round]
		s.Round = 0
		round.Samples = append(round.Samples, s)
	}
	for _, f := range r.Files {
		if f.Round < len(list) {
			round := list[f.Round]
			f.Round = 0
			round.Files = append(round.Files, f)
		}
	}
	samples, files := r.perRound()
	lacks := func(round *Result) bool { return len(round.Samples) < samples || len(round.Files) < files }
	for len(list) > 1 && lacks(list[len(list)-1]) {
		list = list[:len(list)-1]
	}
	for _, round := range list {
		round.Derived = Derive(round)
	}
	return list
}

// deriveRounds returns the geometric means of the figures over the rounds, with intervals from the differences between
// rounds.
func deriveRounds(r *Result) Derived {
	list := r.Rounds()
	if len(list) == 1 {
		d := list[0].Derived
		d.Rounds = []float64{d.BEffIO}
		return d
	}
	each := lists.Each(list, func(one *Result) Derived { return one.Derived })
	d := rating.Means(each)
	d.Paper, d.Release21 = 0, 0
	between := func(figure func(d *Derived) float64) *rating.Interval {
		figures := lists.Of(len(each), func(i int) float64 { return figure(&each[i]) })
		_, in := rating.GeometricMean(figures)
		if in != nil {
			in.Method = rating.ByPasses
		}
		return in
	}
	for n := range d.Partitions {
		p := &d.Partitions[n]
		p.Interval = between(func(d *Derived) float64 { return d.Partitions[n].Rating(r.Rules) })
		for _, a := range Accesses() {
			if i := p.accessAt(a); i >= 0 {
				p.Accesses[i].Interval = between(func(d *Derived) float64 {
					return d.Partitions[n].Access(a).Bandwidth
				})
			}
		}
		d.Paper, d.Release21 = max(d.Paper, p.Paper), max(d.Release21, p.Release21)
	}
	d.rate(r.Rules)
	rated := max(d.rated(), 0)
	d.Rounds = nil
	for i := range each {
		d.Rounds = append(d.Rounds, each[i].Partitions[rated].Rating(r.Rules))
	}
	return d
}

// accessAt returns the index of an access method in p.Accesses, or -1 if there is none.
func (p *Partition) accessAt(a Access) int {
	return slices.IndexFunc(p.Accesses, func(m AccessMethod) bool { return m.Access == a })
}

// wholeRounds returns the number of whole rounds of a measurement.
func (p *Plan) wholeRounds(m *Measured) int {
	r := NewResult(p, m, Run{Run: rating.Run{Err: rating.ErrUnderWay}})
	samples, files := r.perRound()
	if list := r.Rounds(); len(list) > 1 || len(list[0].Samples) == samples && len(list[0].Files) == files {
		return len(list)
	}
	return 0
}

// trimRounds drops everything that isn't in a whole round.
func (p *Plan) trimRounds(m *Measured) {
	n := p.wholeRounds(m)
	m.Samples = slices.DeleteFunc(m.Samples, func(s Sample) bool { return s.Round >= n })
	m.Files = slices.DeleteFunc(m.Files, func(f FileSample) bool { return f.Round >= n })
	m.Errors = slices.DeleteFunc(m.Errors, func(e DataError) bool { return !e.isOf(m.Samples) })
}

// roundsCriterion returns the criterion of an adaptive run, or none for another run.
func (r *Result) roundsCriterion() []rating.Criterion {
	if r.Within == 0 {
		return nil
	}
	n := len(r.Derived.Rounds)
	return []rating.Criterion{{Name: "rounds", Reached: r.enoughRounds(),
		Text:   fmt.Sprintf("at least %d rounds are measured (%d were)", rating.MinPasses, n),
		Remedy: "allow more time with --at-most"}}
}

// enoughRounds reports whether an adaptive run has enough whole rounds, however it ended.
func (r *Result) enoughRounds() bool {
	return r.Within > 0 && len(r.Derived.Rounds) >= rating.MinPasses
}

// roundsAlternative returns the text after "the measurement was finished" for an adaptive run, or "" for other runs.
func (r *Result) roundsAlternative() string {
	if r.Within == 0 {
		return ""
	}
	return fmt.Sprintf(", or has %d whole rounds", rating.MinPasses)
}

// roundText returns the number of this round, counted from 1, in words, or "" if the run isn't adaptive.
func (m *measurer) roundText() string {
	if !m.plan.Adaptive() {
		return ""
	}
	return fmt.Sprintf("round %d, ", m.pass.round+1)
}

// ExpectedRounds returns the largest number of rounds to expect.
func (p *Plan) ExpectedRounds() int {
	if !p.Adaptive() {
		return 1
	}
	return int(p.AtMost/p.Duration) + 1
}
