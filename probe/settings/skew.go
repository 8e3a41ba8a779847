package settings

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
)

// The patterns of deliberate delays, each with its longest delay: last:1e-05, random:SEED:1e-05, and trace:0,1e-05,…
// with the delay of each process. Times are in seconds.
const (
	skewLast   = "last"
	skewRandom = "random"
	skewTrace  = "trace"
)

// maxLate is the longest delay in seconds.
const maxLate = 10

// SkewOf returns the pattern with its delays in seconds: the last process's, or all processes' for a trace.
func SkewOf(pattern string, seconds ...float64) string {
	words := lists.Each(seconds, func(t float64) string { return strconv.FormatFloat(t, 'g', -1, 64) })
	return pattern + ":" + strings.Join(words, ",")
}

// Delays returns the seconds by which each process of a group begins late after the barriers, or nil without delays.
// With last, the group's last process is late. A group of fewer processes than the trace has the trace's first delays.
func (s *Settings) Delays(processes int) ([]float64, error) {
	if s.Series.Skew == "" {
		return nil, nil
	}
	pattern, rest, _ := strings.Cut(s.Series.Skew, ":")
	list := make([]float64, processes)
	switch pattern {
	case skewLast:
		late, err := parseDelay(rest)
		list[processes-1] = late
		return list, err
	case skewRandom:
		first, longest, _ := strings.Cut(rest, ":")
		seed, err := strconv.ParseUint(first, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("skew %q: want random:SEED:TIME", s.Series.Skew)
		}
		late, err := parseDelay(longest)
		r := rand.New(rand.NewPCG(seed, 0))
		for i := range list {
			list[i] = late * r.Float64()
		}
		return list, err
	case skewTrace:
		words := strings.Split(rest, ",")
		for i, word := range words[:min(len(words), processes)] {
			var err error
			if list[i], err = parseDelay(word); err != nil {
				return nil, err
			}
		}
		return list, nil
	}
	return nil, fmt.Errorf("unknown skew %q: want %s, %s or %s", s.Series.Skew, skewLast, skewRandom, skewTrace)
}

// parseDelay parses a delay.
func parseDelay(text string) (float64, error) {
	t, err := strconv.ParseFloat(text, 64)
	if err != nil || !(t >= 0 && t <= maxLate) {
		return 0, fmt.Errorf("want delays from 0 to %d s, not %q", maxLate, text)
	}
	return t, nil
}

// traceLength returns the number of processes of a trace, or 0 without one.
func (s *Settings) traceLength() int {
	rest, isTrace := strings.CutPrefix(s.Series.Skew, skewTrace+":")
	if !isTrace {
		return 0
	}
	return strings.Count(rest, ",") + 1
}

// checkSkew returns an error if no run can have the skew.
func (s *Settings) checkSkew() error {
	_, err := s.Delays(max(1, s.traceLength()))
	return err
}

// CheckTrace returns an error if a trace of delays has another number of processes than take part.
func (s *Settings) CheckTrace(processes int) error {
	if n := s.traceLength(); n > 0 && n != processes {
		return fmt.Errorf("the trace of delays has %d processes, this job has %d", n, processes)
	}
	return nil
}
