package beff

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/patterns"
)

// Rules name the edition of the benchmark. They differ in the loop lengths, and in the shortening of the two longest
// messages.
type Rules string

// The rules: the paper's, and those of the HLRS release 3.6.
const (
	Rules2001 Rules = "2001"
	Rules36   Rules = "3.6"
)

// Method is a way of sending the messages of a pattern.
type Method int

// The methods (paper, Sec. 3, "On communication methods").
const (
	Sendrecv Method = iota
	Alltoallv
	Nonblocking
	methodCount
)

// The methods that are measured apart: see apart.go.
const (
	Neighbour  = methodCount + iota // MPI_Neighbor_alltoallv, with the processes of the messages as neighbours
	Persistent                      // MPI_Start of requests that are made before, so that their memory stays
	allMethods
)

// methodNames are the methods' names in results and on the command line.
var methodNames = [allMethods]string{"sendrecv", "alltoallv", "nonblocking", "neighbour", "persistent"}

func (m Method) String() string { return methodNames[m] }

// Methods lists all methods of a rating.
func Methods() []Method { return []Method{Sendrecv, Alltoallv, Nonblocking} }

// repetitions of each measurement (paper, Sec. 3).
const repetitions = 3

// Config holds a user's choices.
type Config struct {
	Rules    Rules
	Memory   int64    // bytes per process
	Seed     uint64   // of the random patterns
	Patterns []string // names, kinds (ring, random, detail) or globs of names; empty: all
	Methods  []string // names; without one of a rating's: all of these
	Quick    bool     // one repetition, short loops: a look at the machine, not a rating
	Passes   int      // each a rating of its own; 0: one, or as AtMost says

	// Time in which the passes behind the first one end. 0: Passes says how many there are, or LongestAdaptive.
	AtMost time.Duration
	// Half of the interval of b_eff, as a part of it, at which an adaptive run ends; 0: it isn't adaptive.
	Within float64
}

// Plan holds all measurements of a run. It is the same on all processes.
type Plan struct {
	Config
	Processes   int
	Patterns    []patterns.Pattern
	Methods     []Method
	Lengths     []int64
	Lmax        int64
	Repetitions int

	apart *Plan     // of methods that are measured apart; nil: none
	like  *Result   // of the plan, without samples
	takes [2][]bool // patterns of the first pass and of a further one
}

// NewPlan returns the plan of a configuration for a number of processes, or an error if the configuration is wrong. Its
// memory doesn't grow with their number.
func NewPlan(processes int, c Config) (*Plan, error) {
	if processes < 2 {
		return nil, fmt.Errorf("b_eff needs at least 2 processes, this job has %d: start it with -n 2 or more",
			processes)
	}
	if c.Rules != Rules2001 && c.Rules != Rules36 {
		return nil, fmt.Errorf("unknown rules %q: want %s or %s", c.Rules, Rules2001, Rules36)
	}
	if err := c.checkPasses(); err != nil {
		return nil, err
	}
	p := &Plan{Config: c, Processes: processes, Lmax: patterns.Lmax(c.Memory), Repetitions: repetitions}
	if p.Lengths = patterns.Lengths(p.Lmax); p.Lengths == nil {
		return nil, fmt.Errorf("%d bytes of memory per process are too little: the longest message is 1/128 of it "+
			"and must be at least 4096 bytes (memory of at least 512 KiB)", c.Memory)
	}
	if c.Quick {
		p.Repetitions = 1
	}
	all, err := patterns.BEff(processes, c.Seed)
	if err != nil {
		return nil, err
	}
	if p.Patterns, err = selectPatterns(all, c.Patterns); err != nil {
		return nil, err
	}
	var apart []Method
	if p.Methods, apart, err = selectMethods(c.Methods); err != nil {
		return nil, err
	}
	p.like = &Result{}
	p.like.plan(p, nil)
	for pass := range p.takes {
		p.takes[pass] = lists.Of(len(p.Patterns), func(i int) bool { return p.like.takes(pass, i) })
	}
	if len(apart) > 0 {
		p.apart = p.apartOf(apart)
	}
	if p.Measurements() == 0 {
		return nil, fmt.Errorf("nothing to measure: the ping-pong pair is measured by the method %v alone", Sendrecv)
	}
	return p, nil
}

// UnknownError is a name of a pattern or a method that there is not.
type UnknownError struct {
	Thing, Name string
	Known       []string // names that there are
}

// Error names the thing, and where the names that there are can be seen.
func (e *UnknownError) Error() string {
	const most = 10
	if len(e.Known) > most {
		return fmt.Sprintf("unknown %s %q: want %s, %s, %s, or a name that `beff run --dry-run` lists", e.Thing, e.Name,
			patterns.KindRing, patterns.KindRandom, patterns.KindDetail)
	}
	return fmt.Sprintf("unknown %s %q: want %s", e.Thing, e.Name, strings.Join(e.Known, ", "))
}

// names returns the names of kinds and patterns.
func names(all []patterns.Pattern) []string {
	list := []string{string(patterns.KindRing), string(patterns.KindRandom), string(patterns.KindDetail)}
	list = append(list, lists.Each(all, func(p patterns.Pattern) string { return p.Name })...)
	return list
}

// selectPatterns returns the patterns that any of the words names, in measuring order. An asterisk in a ring's name
// matches itself as a glob.
func selectPatterns(all []patterns.Pattern, words []string) ([]patterns.Pattern, error) {
	if len(words) == 0 {
		return all, nil
	}
	chosen := make([]bool, len(all))
	for _, word := range words {
		found, glob := false, strings.ContainsAny(word, `*?[\`)
		for i, p := range all {
			fits, err := word == p.Name || word == string(p.Kind), error(nil)
			if glob && !fits {
				if fits, err = path.Match(word, p.Name); err != nil {
					return nil, fmt.Errorf("pattern %q: %w", word, err)
				}
			}
			if fits {
				found, chosen[i] = true, true
			}
		}
		if !found {
			return nil, &UnknownError{Thing: "pattern", Name: word, Known: names(all)}
		}
	}
	var list []patterns.Pattern
	for i, p := range all {
		if chosen[i] {
			list = append(list, p)
		}
	}
	return list, nil
}

// selectMethods returns the methods of the rating that words name, all if they name none, and those apart.
func selectMethods(words []string) (rated, apart []Method, err error) {
	for m := range allMethods {
		switch {
		case !slices.Contains(words, m.String()):
		case m < methodCount:
			rated = append(rated, m)
		default:
			apart = append(apart, m)
		}
	}
	for _, word := range words {
		if !slices.Contains(methodNames[:], word) {
			return nil, nil, &UnknownError{Thing: "method", Name: word, Known: methodNames[:]}
		}
	}
	if len(rated) == 0 {
		rated = Methods()
	}
	return rated, apart, nil
}

// measures reports whether a pass measures a pattern by the method at index m of the plan: the ping-pong pair by
// Sendrecv alone.
func (p *Plan) measures(pass, pattern, m int) bool {
	return p.takes[min(pass, 1)][pattern] && (!p.Patterns[pattern].SendrecvOnly || p.Methods[m] == Sendrecv)
}

// BufferSize returns the bytes of each of a process' two buffers: six messages of the longest kind, the number that a
// 3-D Cartesian pattern sends at the same time.
func (p *Plan) BufferSize() int64 { return 6 * (p.Lmax + 16) }

// Measurements returns the number of pairs of clock readings of a process; where their time says how many passes there
// are, those of the first. Release 3.6 may leave some out.
func (p *Plan) Measurements() int { return p.measurements(p.passes()) }

// measurements returns the number of those of the first passes.
func (p *Plan) measurements(passes int) (n int) {
	for pass := range passes {
		n += p.ofLength(pass)
	}
	return n * len(p.Lengths) * p.Repetitions
}

// ofLength returns the number of measurements of a length in a repetition of a pass.
func (p *Plan) ofLength(pass int) (n int) {
	for i := range p.Patterns {
		for m := range p.Methods {
			if p.measures(pass, i, m) {
				n++
			}
		}
	}
	return n
}

// Expected returns an estimate of the measuring time and of the number of passes: the rules' target, but never less
// than one loop of each measurement, in which each process moves its messages at rate bytes per second.
func (p *Plan) Expected(rate float64) (time.Duration, int) {
	seconds := 0.0
	for i := range p.Patterns {
		pattern := &p.Patterns[i]
		bytes := float64(pattern.Messages) / float64(max(pattern.Processes, 1))
		for m := range p.Methods {
			if !p.measures(0, i, m) {
				continue
			}
			for _, l := range p.Lengths {
				seconds += float64(p.Repetitions) * max(p.loopSeconds(), float64(l)*bytes/rate)
			}
		}
	}
	passes := p.covering(seconds)
	seconds *= float64(p.measurements(passes)) / float64(p.measurements(1))
	if p.apart != nil {
		more, _ := p.apart.Expected(rate)
		seconds += more.Seconds()
	}
	return time.Duration(seconds * float64(time.Second)), passes
}

// loopSeconds returns the target time of a sample by the plan's rules.
func (p *Plan) loopSeconds() float64 {
	if p.Rules == Rules36 {
		return p.window36() / float64(len(p.Patterns)) * 0.6
	}
	shortest, longest := p.window()
	return (shortest + longest) / 2
}
