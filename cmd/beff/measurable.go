package main

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/host"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/report/ofbeff"
)

// lasting is a command that measures for a time that can be told before.
type lasting interface {
	// lasts returns the expected duration of a run on as many processes, of which perNode are on each node.
	lasts(processes, perNode int) (time.Duration, error)
}

// measurable is a command line that measures.
type measurable struct {
	lasting
	words  []string
	parsed *kong.Context
}

// measurable returns the command line of some words, or an error if it doesn't measure.
func (p *process) measurable(words []string) (*measurable, error) {
	parsed, err := p.parse(words)
	if err != nil {
		return nil, exit.With(exit.Usage, err)
	}
	if parsed != nil {
		if c, ok := parsed.Selected().Target.Addr().Interface().(lasting); ok {
			if of, is := c.(*imbCommand); is {
				words = slices.Concat(parsed.Args[:2], of.Args, parsed.Args[2:])
			}
			return &measurable{c, words, parsed}, nil
		}
	}
	return nil, exit.Misuse("%s doesn't measure: want run, io or probe", words[0])
}

// withoutOutput returns the words without those that give the output's prefix, and the prefix.
func (m *measurable) withoutOutput() (rest []string, prefix string) {
	rest = slices.Clone(m.words)
	for _, x := range m.parsed.Path {
		if x.Flag == nil || x.Flag.Name != "output" || x.Resolved {
			continue
		}
		last := len(rest) - len(x.Remainder()) - 1
		first := last
		if word := rest[last]; word == publish.Stdout || !strings.HasPrefix(word, "-") {
			first, prefix = last-1, word
		}
		before, joined, long := strings.Cut(rest[first], "--output=")
		if !long && !strings.HasPrefix(rest[first], "--") {
			before, joined, _ = strings.Cut(rest[first], "o") // short flags may be before it in the same word
		}
		prefix = cmp.Or(joined, prefix)
		rest = slices.Delete(rest, first, last+1)
		if !slices.Contains([]string{"", "-", "--output"}, before) {
			rest = slices.Insert(rest, first, before)
		}
	}
	return rest, prefix
}

// errRanks is the error of a job whose command sets the number of processes.
func errRanks(n int) error {
	return exit.Misuse("job: -n %d is for the embedded engine: -N and --per-node set the processes", n)
}

// lasts implements lasting by the plan of a run.
func (c *runCommand) lasts(processes, perNode int) (time.Duration, error) {
	if c.Ranks != nil {
		return 0, errRanks(*c.Ranks)
	}
	share := host.Memory("/") / int64(perNode)
	if c.Memory != nil {
		share = int64(*c.Memory)
	}
	config, err := c.config(processes, &job.Layout{Memory: share}, nil, false)
	if err != nil {
		return 0, err
	}
	plan, err := beff.NewPlan(processes, config)
	if err != nil {
		return 0, err
	}
	lasts, _ := ofbeff.Expected(plan)
	return lasts, nil
}

// lasts implements lasting: a run takes the scheduled time.
func (c *ioCommand) lasts(processes, _ int) (time.Duration, error) {
	switch {
	case c.Ranks != nil:
		return 0, errRanks(*c.Ranks)
	case c.Within != nil:
		return c.rounds(processes)
	case c.Time != nil:
		return time.Duration(*c.Time), nil
	case c.Quick:
		return quickTime, nil
	}
	return fullTime, nil
}

// rounds returns the time in which all rounds of an adaptive run end.
func (c *ioCommand) rounds(processes int) (time.Duration, error) {
	if c.AtMost != nil {
		return time.Duration(*c.AtMost), nil
	}
	config := beffio.Config{Rules: ioRules[c.Rules], Partitions: c.Partitions, Within: float64(*c.Within),
		Memory: 1 << 20, MaxBytes: math.MaxInt64}
	if c.Time != nil {
		config.Duration = time.Duration(*c.Time)
	}
	plan, err := beffio.NewPlan(processes, config)
	if err != nil {
		return 0, exit.With(exit.Usage, err)
	}
	return plan.AtMost, nil
}

// lasts implements lasting for all others: nobody knows before how long kernels take.
func (measuring) lasts(int, int) (time.Duration, error) { return 0, nil }
