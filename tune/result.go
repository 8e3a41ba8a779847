package tune

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"

	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
)

// Result is one run of the choice of a library's algorithms by beff: which jobs were made, what each measured, and the
// rules that follow.
type Result struct {
	rating.Identity
	rating.Software
	Plan
	// Of the jobs with the most processes.
	rating.Machine
	// From the beginning of the first job to the end of the last one.
	rating.Period
	rating.Circumstances
	// Where the processes were, in words, of each number of them.
	Placements []string `json:"placements"`
	// What starts a job, without the number of processes.
	Launcher string `json:"launcher"`
	// Variables of the library in the environment of all jobs: the default is what it is with them.
	Variables []string `json:"variables,omitempty"`
	// What the library has to choose from.
	Algorithms []Choice  `json:"algorithms"`
	Skipped    []Skipped `json:"skipped,omitempty"`
	// Warnings of the jobs that were timed, each with how many of them have it; left out if there are none.
	Disturbed []rating.Warning `json:"disturbed,omitempty"`
	// What shows that the library takes the rules, and which ones it doesn't take.
	Evidence []Evidence `json:"evidence,omitempty"`
	// What a job must have in its environment, so that the library takes the files of rules; left out if nothing is
	// gained.
	Use []string `json:"use,omitempty"`
	// What follows from the samples.
	Derived Derived  `json:"derived"`
	Samples []Sample `json:"samples"`
}

// Identity of result documents.
const (
	Benchmark     = "tune"
	SchemaVersion = 1
)

// Choice is what a library has to choose from for a collective.
type Choice struct {
	Collective string      `json:"collective"`
	Algorithms []Algorithm `json:"algorithms"`
}

// Skipped is an algorithm that didn't finish on some processes.
type Skipped struct {
	Collective string `json:"collective"`
	Processes  int    `json:"processes"`
	Algorithm  string `json:"algorithm"`
	Reason     string `json:"reason"`
}

// Derived is what follows from the samples by the plan's rule.
type Derived struct {
	// All algorithms of the library beside the default.
	Cells []Cell `json:"cells,omitempty"`
	// Algorithms that the library doesn't have.
	Possible []Cell `json:"possible,omitempty"`
	Rules    []Rule `json:"rules,omitempty"`
	Gains    []Gain `json:"gains,omitempty"`
}

// Derive returns what follows from the samples and the evidence. An algorithm that was left out has no rule, whatever
// it measured before, and none stands that the library doesn't take.
func (r *Result) Derive() Derived {
	d := Derived{Cells: r.Cells(r.Samples, Choosing), Possible: r.Cells(r.Samples, Possible)}
	fit := slices.DeleteFunc(slices.Clone(d.Cells), func(c Cell) bool {
		return slices.ContainsFunc(r.Skipped, func(s Skipped) bool {
			return s.Collective == c.Collective && s.Processes == c.Processes && s.Algorithm == c.Algorithm
		})
	})
	d.Rules = slices.DeleteFunc(r.Rules(fit, r.AlgorithmsOf), r.Refuted)
	d.Gains = r.Gains(r.Samples, d.Rules)
	return d
}

// AlgorithmsOf returns what the library has to choose from for a collective.
func (r *Result) AlgorithmsOf(collective string) []Algorithm {
	for _, c := range r.Algorithms {
		if c.Collective == collective {
			return c.Algorithms
		}
	}
	return nil
}

// Figures lists the figures of a run. A further one is a line here.
var Figures = rating.Figures[Result]{
	{Figure: rating.Figure{Key: "rules_gain", Name: "gain of rules", About: "how many times as fast calls are with " +
		"the rules for a library's algorithms, where there is one: geometric mean", Unit: rating.Score, Listed: true},
		Of: func(r *Result) rating.Value {
			sum, there := 0.0, 0
			for _, g := range r.Derived.Gains {
				if g.Algorithm != "" {
					sum, there = sum+math.Log(g.Ratio), there+1
				}
			}
			if there == 0 {
				return rating.Value{}
			}
			return rating.Value{Value: math.Exp(sum / float64(there))}
		}},
}

// Limits of results from outside.
const (
	mostList    = 100 // collectives, processes, lengths, algorithms
	mostRounds  = 1000
	mostSamples = 100_000
	mostSeconds = 1e9
	mostName    = 100 // bytes
)

// strange matches what names of algorithms don't have.
var strange = regexp.MustCompile(`[^\w.,:+/()' -]`)

// isName reports whether a text can be the name of an algorithm.
func isName(text string) bool {
	return text != "" && len(text) <= mostName && !strange.MatchString(text)
}

// Check returns an error if a result from outside can't be one: samples of what isn't in its plan, or none of what is.
func (r *Result) Check() error {
	if err := r.Plan.check(); err != nil {
		return err
	}
	for _, c := range r.Algorithms {
		if len(c.Algorithms) > mostList || !slices.Contains(r.Collectives, c.Collective) ||
			slices.ContainsFunc(c.Algorithms, func(a Algorithm) bool { return !isName(a.Name) }) {
			return fmt.Errorf("the algorithms of %.40q are none", c.Collective)
		}
	}
	for i := range r.Evidence {
		if err := r.Evidence[i].check(r); err != nil {
			return err
		}
	}
	if len(r.Disturbed) > mostList {
		return fmt.Errorf("%d warnings of jobs", len(r.Disturbed))
	}
	for _, s := range r.Skipped {
		if !slices.Contains(r.Collectives, s.Collective) || !isName(s.Algorithm) {
			return fmt.Errorf("%.40q of %.40q was left out", s.Algorithm, s.Collective)
		}
	}
	if err := r.checkSamples(); err != nil {
		return err
	}
	return job.CheckPlacement(r.Placement, slices.Max(r.Processes))
}

// checkSamples returns an error unless each sample is that of another job of the plan, and there is the default's.
func (r *Result) checkSamples() error {
	if len(r.Samples) > mostSamples {
		return fmt.Errorf("%d samples: at most %d are read", len(r.Samples), mostSamples)
	}
	type place struct {
		phase               Phase
		collective, setting string
		processes, round    int
	}
	seen := map[place]bool{}
	for i := range r.Samples {
		s := &r.Samples[i]
		at := place{s.Phase, s.Collective, s.Setting, s.Processes, s.Round}
		if !slices.Contains(r.Collectives, s.Collective) || !slices.Contains(r.Processes, s.Processes) ||
			s.Round < 1 || s.Round > mostRounds || len(s.Seconds) != len(r.LengthsOf(s.Collective)) || !r.has(s) ||
			seen[at] {
			return fmt.Errorf("sample %d is of no job of the plan, or there twice", i)
		}
		seen[at] = true
		for _, x := range s.Seconds {
			if !(x >= 0 && x < mostSeconds) {
				return fmt.Errorf("sample %d: %v seconds", i, x)
			}
		}
	}
	for _, collective := range r.Collectives {
		for _, n := range r.Processes {
			if !seen[place{Choosing, collective, Default, n, 1}] {
				return fmt.Errorf("no sample is of %s on %d processes by default", collective, n)
			}
		}
	}
	return nil
}

// has reports whether there is the setting of a sample.
func (r *Result) has(s *Sample) bool {
	switch s.Phase {
	case Choosing:
		return s.Setting == Default || slices.ContainsFunc(r.AlgorithmsOf(s.Collective), func(a Algorithm) bool {
			return a.Name == s.Setting
		})
	case Proving:
		return s.Setting == Default || s.Setting == Ruled
	}
	return isName(s.Setting)
}

// check returns an error if there is no such plan.
func (p *Plan) check() error {
	switch {
	case len(p.Collectives) == 0 || !rising(p.Processes) || !rising(p.Lengths) || p.Processes[0] < 2 ||
		p.Lengths[0] < 1 || len(p.Collectives) > mostList || p.Processes[len(p.Processes)-1] > math.MaxInt32:
		return errors.New("its plan has no collectives, or processes and lengths that don't rise, or too many")
	case p.Rounds < 5 || p.Pairs < 5 || max(p.Rounds, p.Pairs) > mostRounds || !(p.Tolerance >= 1) || !(p.Within > 0):
		return fmt.Errorf("%d rounds, %d pairs, a tolerance of %v, and gains known to %v", p.Rounds, p.Pairs,
			p.Tolerance, p.Within)
	}
	for i, name := range p.Collectives {
		if Find(name) == nil || slices.Contains(p.Collectives[:i], name) {
			return fmt.Errorf("no library has a choice of algorithms for %.40q", name)
		}
	}
	return nil
}

// rising reports whether a list isn't empty or too long, and each number is larger than that before it.
func rising[N int | int64](list []N) bool {
	for i := 1; i < len(list); i++ {
		if list[i] <= list[i-1] {
			return false
		}
	}
	return len(list) > 0 && len(list) <= mostList
}
