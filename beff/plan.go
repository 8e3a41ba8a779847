package beff

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
)

// Rules name the edition of the benchmark, which sets the number of loops and may reduce the measurements of the two
// longest messages.
type Rules string

// The rules of the paper and of HLRS release 3.6.
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

// The methods that are measured separately and don't count for the rating (separate.go).
const (
	Neighbour  = methodCount + iota // MPI_Neighbor_alltoallv; processes that exchange messages are neighbours
	Persistent                      // MPI_Start of requests made before, so that their memory stays the same
	Staged                          // Nonblocking with copies through the host's memory, from a device's and back
	allMethods
)

// methodNames are the methods' names in results and on the command line.
var methodNames = [allMethods]string{"sendrecv", "alltoallv", "nonblocking", "neighbour", "persistent", "staged"}

func (m Method) String() string { return methodNames[m] }

// Methods returns the methods of a rating.
func Methods() []Method { return []Method{Sendrecv, Alltoallv, Nonblocking} }

// repetitions of each measurement (paper, Sec. 3).
const repetitions = 3

// Config holds a user's choices.
type Config struct {
	Rules    Rules
	Memory   int64    // bytes per process
	Seed     uint64   // of the random patterns
	Patterns []string // names, kinds (ring, random, detail) or globs of names; empty for all
	Methods  []string // names; all methods of a rating if none of them is named
	Quick    bool     // one repetition and short loops, for a look at the machine and not a rating
	Prove    bool     // check the data of every loop, within the time, in memory that a driver allocates; not a rating
	Passes   int      // number of complete ratings to average; 0 for one, or for as many as AtMost allows
	mpi.MessageMemory

	// Time within which further passes end. If it is 0, Passes sets their number, or LongestAdaptive the time.
	AtMost time.Duration
	// Relative half width of b_eff's interval at which an adaptive run ends, or 0 if the run isn't adaptive.
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

	separate *Plan     // plan of the methods that are measured separately, or nil
	template *Result   // the plan's result without samples
	inPass   [2][]bool // whether the first pass, and whether further passes, measure each pattern
}

// NewPlan returns the plan of a configuration for a number of processes, or an error if the configuration is wrong. The
// plan's memory doesn't grow with the number of processes.
func NewPlan(processes int, c Config) (*Plan, error) {
	if processes < 2 {
		return nil, fmt.Errorf("b_eff needs at least 2 processes, this job has %d: start it with -n 2 or more",
			processes)
	}
	if c.Rules != Rules2001 && c.Rules != Rules36 {
		return nil, fmt.Errorf("unknown rules %q: want %s or %s", c.Rules, Rules2001, Rules36)
	}
	if c.Prove && c.Buffers == "" {
		return nil, errors.New("--prove is for --buffers: in the host's memory every loop is checked anyway")
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
	var separate []Method
	if p.Methods, separate, err = selectMethods(c.Methods); err != nil {
		return nil, err
	}
	p.template = &Result{}
	p.template.plan(p, nil)
	for pass := range p.inPass {
		p.inPass[pass] = lists.Of(len(p.Patterns), func(i int) bool { return p.template.inPass(pass, i) })
	}
	if c.Other != "" {
		return nil, fmt.Errorf("%s: the processes of b_eff have one kind of memory", c.Place())
	}
	if slices.Contains(separate, Staged) && (!c.Buffers.OnDevice() || c.MessageMemory.Staged) {
		return nil, fmt.Errorf("the method %v is for direct messages of a device's memory: add --buffers, and leave "+
			"out --staged", Staged)
	}
	if len(separate) > 0 {
		p.separate = p.separatePlan(separate)
	}
	if p.Measurements() == 0 {
		return nil, fmt.Errorf("nothing to measure: only the method %v measures the ping-pong pair", Sendrecv)
	}
	return p, nil
}

// UnknownError is the error for an unknown name of a pattern or method.
type UnknownError struct {
	Thing, Name string
	Known       []string // valid names
}

// Error names the unknown name and the valid ones, or the command that lists them.
func (e *UnknownError) Error() string {
	const maxListed = 10
	if len(e.Known) > maxListed {
		return fmt.Sprintf("unknown %s %q: want %s, %s, %s, or a name that `beff run --dry-run` lists", e.Thing, e.Name,
			patterns.KindRing, patterns.KindRandom, patterns.KindDetail)
	}
	return fmt.Sprintf("unknown %s %q: want %s", e.Thing, e.Name, strings.Join(e.Known, ", "))
}

// names returns the names of kinds and patterns.
func names(all []patterns.Pattern) []string {
	return append([]string{string(patterns.KindRing), string(patterns.KindRandom), string(patterns.KindDetail)},
		lists.Each(all, func(p patterns.Pattern) string { return p.Name })...)
}

// selectPatterns returns the patterns that any of the words names, in the order in which they are measured. A ring's
// name that contains an asterisk, used as a glob, matches itself.
func selectPatterns(all []patterns.Pattern, words []string) ([]patterns.Pattern, error) {
	if len(words) == 0 {
		return all, nil
	}
	chosen := map[string]bool{}
	for _, word := range words {
		found, glob := false, strings.ContainsAny(word, `*?[\`)
		for _, p := range all {
			fits, err := word == p.Name || word == string(p.Kind), error(nil)
			if glob && !fits {
				if fits, err = path.Match(word, p.Name); err != nil {
					return nil, fmt.Errorf("pattern %q: %w", word, err)
				}
			}
			if fits {
				found, chosen[p.Name] = true, true
			}
		}
		if !found {
			return nil, &UnknownError{Thing: "pattern", Name: word, Known: names(all)}
		}
	}
	return lists.Where(all, func(p patterns.Pattern) bool { return chosen[p.Name] }), nil
}

// selectMethods returns the named methods of the rating, or all if none of them is named, and the named methods that
// are measured separately.
func selectMethods(words []string) (rated, separate []Method, err error) {
	for m := range allMethods {
		switch {
		case !slices.Contains(words, m.String()):
		case m < methodCount:
			rated = append(rated, m)
		default:
			separate = append(separate, m)
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
	return rated, separate, nil
}

// measures reports whether a pass measures the pattern by the method, both given by their index in the plan. The
// ping-pong pair is measured only by Sendrecv.
func (p *Plan) measures(pass, pattern, m int) bool {
	return p.inPass[min(pass, 1)][pattern] && (!p.Patterns[pattern].SendrecvOnly || p.Methods[m] == Sendrecv)
}

// BufferSize returns the size in bytes of a process's send buffer, which is also the size of its receive buffer: six
// messages of the longest length, as many as a process sends at the same time in a 3-D Cartesian pattern.
func (p *Plan) BufferSize() int64 { return 6 * (p.Lmax + 16) }

// Measurements returns how often a process times a loop. If the number of passes depends on the run's time, it counts
// only the first pass. Release 3.6 may leave some measurements out.
func (p *Plan) Measurements() int { return p.measurements(p.passes()) }

// measurements returns the number of measurements in the first passes.
func (p *Plan) measurements(passes int) (n int) {
	for pass := range passes {
		n += p.measurementsPerLength(pass)
	}
	return n * len(p.Lengths) * p.Repetitions
}

// measurementsPerLength returns the number of measurements for one message length in one repetition of a pass.
func (p *Plan) measurementsPerLength(pass int) (n int) {
	for i := range p.Patterns {
		for m := range p.Methods {
			if p.measures(pass, i, m) {
				n++
			}
		}
	}
	return n
}

// Expected estimates the measuring time and the number of passes. It assumes that each measurement takes the rules'
// target time, or one loop if that is longer, and that each process sends its messages at rate bytes per second.
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
	passes := p.passesWithin(seconds)
	seconds *= float64(p.measurements(passes)) / float64(p.measurements(1))
	if p.separate != nil {
		more, _ := p.separate.Expected(rate)
		seconds += more.Seconds()
	}
	return time.Duration(seconds * float64(time.Second)), passes
}

// loopSeconds returns the target time of a sample in seconds by the plan's rules.
func (p *Plan) loopSeconds() float64 {
	if p.Rules == Rules36 {
		return p.window36() / float64(len(p.Patterns)) * 0.6
	}
	shortest, longest := p.window()
	return (shortest + longest) / 2
}
