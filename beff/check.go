package beff

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
)

const (
	// maxMeasurements bounds the measurements that a result may plan. b_eff has a hundredth of them, and no computation
	// overflows.
	maxMeasurements = 1 << 20
	// maxMessages is the largest number of messages of a process in one loop, one each way in three dimensions.
	maxMessages = 6
	// shortTime is a time in seconds in which no number of bytes (under 1e50) gives an infinite bandwidth.
	shortTime = 1e-200
	// shortStep is a few times the step in seconds to which samples are rounded.
	shortStep = 5e-12
	// meanTolerance allows for sums that were added up in any order.
	meanTolerance = 1e-6
)

// Check returns an error if the measurements of a result that beff may not have written are wrong: a list that no
// benchmark makes, an index out of range, a time that no clock gives. Derive and all outputs work on a result that
// passes. Verify of report/ofbeff proves that figures and verdict follow from the samples.
func (r *Result) Check() error {
	for _, check := range []func() error{r.checkHead, r.checkPatterns, r.checkLists, r.checkSamples,
		r.checkSeparate} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// CheckPlan returns an error that names the first list of the result that differs from the plan's.
func (r *Result) CheckPlan(p *Plan) error {
	methods := lists.Each(p.Methods, Method.String)
	switch {
	case r.Lmax != p.Lmax:
		return fmt.Errorf("lmax is %d, but the memory per process gives %d", r.Lmax, p.Lmax)
	case r.Repetitions != p.Repetitions:
		return fmt.Errorf("repetitions is %d, the benchmark's is %d", r.Repetitions, p.Repetitions)
	case !slices.Equal(r.Lengths, p.Lengths):
		return fmt.Errorf("lengths is %v, but lmax gives %v", r.Lengths, p.Lengths)
	case !slices.Equal(r.Methods, methods):
		return fmt.Errorf("methods is %v, the benchmark's order is %v", r.Methods, methods)
	case len(r.Patterns) != len(p.Patterns):
		return fmt.Errorf("patterns has %d entries, the benchmark has %d of these names", len(r.Patterns),
			len(p.Patterns))
	}
	for i, planned := range p.Patterns {
		if want := described(planned); r.Patterns[i] != want {
			return fmt.Errorf("patterns[%d] is %+v, the benchmark's is %+v", i, r.Patterns[i], want)
		}
	}
	return nil
}

func (r *Result) checkHead() error {
	if err := r.CheckIdentity(Benchmark, SchemaVersion); err != nil {
		return err
	}
	switch {
	case r.Rules != Rules2001 && r.Rules != Rules36:
		return fmt.Errorf("unknown rules %q", r.Rules)
	case r.Processes < 2 || r.Processes > math.MaxInt32:
		return fmt.Errorf("%d processes", r.Processes)
	case r.Lmax < 1 || r.Lmax > r.MemoryPerProcess:
		return fmt.Errorf("longest message of %d bytes with %d bytes of memory per process", r.Lmax, r.MemoryPerProcess)
	case r.Passes < 0 || r.Passes == 1 || r.Passes > maxPasses:
		return fmt.Errorf("%d passes", r.Passes)
	case r.AtMost > 0 && r.Passes != passesOf(r.Samples):
		return fmt.Errorf("%d passes in %v seconds, but the samples have %d", r.Passes, r.AtMost, passesOf(r.Samples))
	case !rating.IsTime(r.WallSeconds) || !rating.IsTime(r.LoopSeconds):
		return fmt.Errorf("measured for %v seconds, %v of them in loops", r.WallSeconds, r.LoopSeconds)
	case r.Complete != (r.Ended == ""):
		return fmt.Errorf("complete is %t, but the run ended early with %q", r.Complete, r.Ended)
	}
	if err := cmp.Or(r.Load.Check(r.Processes), r.Environment.CheckMemory(r.MessageMemory)); err != nil {
		return err
	}
	return job.CheckPlacement(r.Placement, r.Processes)
}

func (r *Result) checkPatterns() error {
	seen := map[string]bool{}
	for _, p := range r.Patterns {
		switch {
		case seen[p.Name]:
			return fmt.Errorf("pattern %q occurs twice", p.Name)
		case !slices.Contains([]patterns.Kind{patterns.KindRing, patterns.KindRandom, patterns.KindDetail}, p.Kind):
			return fmt.Errorf("pattern %q: unknown kind %q", p.Name, p.Kind)
		case p.Processes < 2 || p.Processes > r.Processes:
			return fmt.Errorf("pattern %q: %d of %d processes", p.Name, p.Processes, r.Processes)
		case p.Messages < 1 || p.Messages > maxMessages*int64(p.Processes):
			return fmt.Errorf("pattern %q: %d messages of %d processes", p.Name, p.Messages, p.Processes)
		}
		seen[p.Name] = true
	}
	return nil
}

func (r *Result) checkLists() error {
	seen := map[string]bool{}
	for _, m := range r.Methods {
		if seen[m] || !slices.Contains(methodNames[:], m) {
			return fmt.Errorf("method %q is unknown or occurs twice", m)
		}
		seen[m] = true
	}
	// This order avoids overflows.
	n, limit := len(r.Methods)*len(r.Lengths), maxMeasurements
	switch {
	case n == 0 || len(r.Patterns) == 0 || r.Repetitions < 1:
		return fmt.Errorf("%d patterns, %d lengths, %d methods, %d repetitions: nothing to measure", len(r.Patterns),
			len(r.Lengths), len(r.Methods), r.Repetitions)
	case n > limit || len(r.Patterns) > limit/n || r.Repetitions > limit/n/len(r.Patterns) ||
		r.Passes > limit/n/len(r.Patterns)/r.Repetitions:
		return fmt.Errorf("%d patterns, %d lengths, %d methods, %d repetitions: more than %d measurements",
			len(r.Patterns), len(r.Lengths), len(r.Methods), r.Repetitions, limit)
	case r.Repetitions != 1 && r.Repetitions != repetitions:
		return fmt.Errorf("%d repetitions: a plan has 1 or %d", r.Repetitions, repetitions)
	case r.Lengths[0] < 1 || !slices.IsSorted(r.Lengths) || r.Lengths[len(r.Lengths)-1] != r.Lmax:
		return fmt.Errorf("lengths %v: they must rise from at least 1 to the longest message of %d bytes", r.Lengths,
			r.Lmax)
	}
	return nil
}

func (r *Result) checkSamples() error {
	// This is the order of NewGrid's indices, with passes outermost. checkLists has bounded their number. A map takes
	// ten times as long.
	one := len(r.Patterns) * len(r.Lengths) * len(r.Methods) * r.Repetitions
	seen := make([]bool, one*max(1, r.Passes))
	for i, s := range r.Samples {
		if err := r.checkSample(s); err != nil {
			return fmt.Errorf("sample %d: %w", i, err)
		}
		at := &seen[s.Pass*one+((s.Pattern*len(r.Lengths)+s.Length)*len(r.Methods)+s.Method)*r.Repetitions+
			s.Repetition]
		if *at {
			return fmt.Errorf("sample %d: pattern %d, length %d, method %d, repetition %d occurs twice", i, s.Pattern,
				s.Length, s.Method, s.Repetition)
		}
		*at = true
	}
	if !r.Complete {
		return nil
	}
	for i, there := range seen {
		if there {
			continue
		}
		pass, rest, repetition := i/one, i%one/r.Repetitions, i%r.Repetitions
		rest, method := rest/len(r.Methods), rest%len(r.Methods)
		pattern, length := rest/len(r.Lengths), rest%len(r.Lengths)
		if !r.mayMiss(pass, pattern, length, method) {
			return fmt.Errorf("complete is true, but pattern %s has no sample of length %d, method %s, "+
				"repetition %d", r.Patterns[pattern].Name, r.Lengths[length], r.Methods[method], repetition)
		}
	}
	return r.checkShortened(seen)
}

// checkShortened returns an error if a complete result by release 3.6 has no sample of one of the two longest messages,
// which at least the best method must have. seen has an entry for each measurement, as in checkSamples.
func (r *Result) checkShortened(seen []bool) error {
	if r.Rules != Rules36 {
		return nil
	}
	each := len(r.Methods) * r.Repetitions
	for at := 0; at < len(seen); at += each {
		pattern, length := at/each/len(r.Lengths)%len(r.Patterns), at/each%len(r.Lengths)
		measured := slices.ContainsFunc(r.Methods, func(m string) bool {
			return r.Patterns[pattern].Name != pingPong || m == Sendrecv.String()
		})
		if measured && length >= len(r.Lengths)-2 && !slices.Contains(seen[at:at+each], true) {
			return fmt.Errorf("complete is true, but pattern %s has no sample of length %d",
				r.Patterns[pattern].Name, r.Lengths[length])
		}
	}
	return nil
}

// mayMiss reports whether a complete result may lack a measurement. The ping-pong pair is measured only by Sendrecv,
// details by no method outside of the rating, and a further pass leaves patterns out. Release 3.6 may leave out the
// slower methods of the last two lengths, and a repetition of the last length.
func (r *Result) mayMiss(pass, pattern, length, method int) bool {
	apart := slices.Contains(methodNames[methodCount:], r.Methods[method])
	return r.Patterns[pattern].Name == pingPong && r.Methods[method] != Sendrecv.String() ||
		apart && r.Patterns[pattern].Kind == patterns.KindDetail || !r.inPass(pass, pattern) ||
		r.Rules == Rules36 && length >= len(r.Lengths)-2
}

func (r *Result) checkSample(s Sample) error {
	if err := r.checkIndices(&s); err != nil {
		return err
	}
	switch {
	case s.Loops < 1:
		return fmt.Errorf("%d loops", s.Loops)
	case !rating.IsTime(s.Seconds) || s.Seconds < shortTime && (s.Seconds == 0 || math.IsInf(r.Bandwidth(&s), 0)):
		return fmt.Errorf("%v seconds", s.Seconds)
	case !rating.IsTime(s.Min) || s.Min > s.Seconds || !rating.IsTime(s.Mean) || s.Mean > s.Seconds*(1+meanTolerance):
		return fmt.Errorf("minimum of %v and mean of %v seconds, maximum of %v", s.Min, s.Mean, s.Seconds)
	}
	return r.checkMean(s)
}

// checkMean returns an error if the mean can't follow from times between the smallest and the largest: all processes
// but one may be as quick as the quickest, or as slow as the slowest. The slowest may be outside of the pattern.
func (r *Result) checkMean(s Sample) error {
	if s.Mean == 0 {
		return nil
	}
	all := r.Patterns[s.Pattern].Processes
	n, slow := float64(all), s.Seconds
	if all < r.Processes {
		slow = s.Min
	}
	low, high := ((n-1)*s.Min+slow)/n, (s.Min+(n-1)*s.Seconds)/n
	if little := meanTolerance*s.Seconds + shortStep; s.Mean < low-little || s.Mean > high+little {
		return fmt.Errorf("mean of %v seconds of %v processes that took %v to %v", s.Mean, n, s.Min, s.Seconds)
	}
	return nil
}

// checkIndices returns an error that names the index out of range, if there is one.
func (r *Result) checkIndices(s *Sample) error {
	for _, index := range [...]struct {
		name      string
		at, count int
	}{
		{"pattern", s.Pattern, len(r.Patterns)}, {"length", s.Length, len(r.Lengths)},
		{"method", s.Method, len(r.Methods)}, {"repetition", s.Repetition, r.Repetitions},
		{"pass", s.Pass, max(1, r.Passes)},
	} {
		if index.at < 0 || index.at >= index.count {
			return fmt.Errorf("%s %d of %d", index.name, index.at, index.count)
		}
	}
	return nil
}
