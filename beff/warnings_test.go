package beff_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
)

// warned reports whether a result has a warning with a code.
func warned(r *beff.Result, code string) bool {
	for _, w := range r.Warnings {
		if w.Code == code {
			return true
		}
	}
	return false
}

// If more than 10 % of the time is outside of the loops, by rules 3.6 more than 5 %, the machine was not dedicated. The
// test adds that time after each run of 4 ms.
func TestElapsedWarning(t *testing.T) {
	for _, c := range []struct {
		rules   beff.Rules
		outside float64
		want    bool
	}{
		{beff.Rules2001, 0, false}, {beff.Rules2001, 0.095, false}, {beff.Rules2001, 0.105, true},
		{beff.Rules2001, 0.5, true}, {beff.Rules36, 0.045, false}, {beff.Rules36, 0.055, true},
	} {
		for _, quick := range []bool{false, true} {
			outside, want := c.outside, c.want
			s := &scripted.Engine{Processes: 2}
			s.Cost = func(x scripted.Step) float64 {
				if x.Messages == 0 {
					return 0
				}
				s.Advance(4e-3 * float64(x.Loops.Timed+x.Loops.Untimed) * outside / (1 - outside))
				return 4e-3
			}
			r, err := rate(t, s, beff.Config{Rules: c.rules, Memory: doubling, Patterns: []string{"ring"},
				Quick: quick})
			require.NoError(t, err)
			// The sum includes the first runs' untimed loops.
			require.InDelta(t, 1-outside, r.LoopSeconds/r.WallSeconds, 1e-6)
			require.Equal(t, want && !quick, warned(r, "elapsed"), "%v outside, quick %v", outside, quick)
		}
	}
}

// A second best repetition that is more than a tenth below the best one is reported.
func TestSpreadWarning(t *testing.T) {
	for slower, want := range map[float64]bool{1: false, 0.91: false, 0.89: true} {
		var now int
		s := &scripted.Engine{Processes: 2}
		s.Cost = func(x scripted.Step) float64 {
			if now >= 2 {
				return 1e-4 / slower
			}
			return 1e-4
		}
		plan, err := beff.NewPlan(2, beff.Config{Rules: beff.Rules2001, Memory: doubling})
		require.NoError(t, err)
		m, err := plan.Measure(s, rating.Observer[beff.Measured]{Now: s.Now, Progress: func(p rating.Progress) {
			_, _ = fmt.Sscanf(p.Doing, "repetition %d", &now)
		}})
		require.NoError(t, err)
		require.Equal(t, 3, now)
		r := beff.NewResult(plan, m, rating.Run{})
		require.Equal(t, want, warned(r, "spread"), "%v of the speed in two repetitions", slower)
		require.InEpsilon(t, slower, r.Derived.PerRepetition[1]/r.Derived.PerRepetition[0], 1e-9)
	}
}

// The text has the range of the repetitions in MB/s of 10^6 bytes, however slow the processes are.
func TestSpreadInWords(t *testing.T) {
	for unit, want := range map[float64]string{2e6: "give 2 to 4 MB/s", 0.5: "give 0 to 0 MB/s"} {
		plan, err := beff.NewPlan(2, beff.Config{Rules: beff.Rules2001, Memory: doubling})
		require.NoError(t, err)
		m := &beff.Measured{WallSeconds: 1, LoopSeconds: 1}
		for pattern, p := range beff.NewResult(plan, m, rating.Run{}).Patterns {
			for length, bytes := range plan.Lengths {
				for repetition := range plan.Repetitions {
					speed := unit * float64(max(repetition, 1))
					m.Samples = append(m.Samples, beff.Sample{Pattern: pattern, Length: length, Repetition: repetition,
						Loops: 1, Seconds: float64(p.Messages) * float64(bytes) / speed})
				}
			}
		}
		r := beff.NewResult(plan, m, rating.Run{})
		require.True(t, warned(r, "spread"), "%v", r.Derived.PerRepetition)
		i := slices.IndexFunc(r.Warnings, func(w rating.Warning) bool { return w.Code == "spread" })
		require.Contains(t, r.Warnings[i].Text, want)
	}
}

// There is a warning if Lmax is less than half of the value that the machine's memory allows.
func TestMemoryWarning(t *testing.T) {
	s := &scripted.Engine{Processes: 2, Cost: scripted.Linear(1e-6, 1e9)}
	plan, err := beff.NewPlan(2, beff.Config{Rules: beff.Rules2001, Memory: doubling, Patterns: []string{"ping-pong"}})
	require.NoError(t, err)
	m, err := plan.Measure(s, rating.Observer[beff.Measured]{Now: s.Now})
	require.NoError(t, err)
	for available, want := range map[int64]bool{0: false, doubling: false, 2 * doubling: false,
		2*doubling + 128: true} {
		require.Equal(t, want, warned(beff.NewResult(plan, m, rating.Run{Layout: job.Layout{Memory: available}}),
			"memory"))
	}
	words := beff.NewResult(plan, m, rating.Run{Layout: job.Layout{Memory: 3 << 30}}).Warnings
	require.Contains(t, words[len(words)-1].Text, "per process, but 3 GiB are available")
	words = beff.NewResult(plan, m, rating.Run{Layout: job.Layout{Memory: 1 << 29}}).Warnings
	require.Contains(t, words[len(words)-1].Text, "per process, but 512 MiB are available")
}

func TestMean(t *testing.T) {
	require.EqualValues(t, 3, beff.Mean(2, 5, func(i int) float64 { return float64(i) }))
}

// Processes that share processors are reported.
func TestCrowdedWarning(t *testing.T) {
	s := &scripted.Engine{Processes: 2, Cost: scripted.Linear(1e-6, 1e9)}
	plan, err := beff.NewPlan(2, beff.Config{Rules: beff.Rules2001, Memory: doubling, Patterns: []string{"ping-pong"}})
	require.NoError(t, err)
	m, err := plan.Measure(s, rating.Observer[beff.Measured]{Now: s.Now})
	require.NoError(t, err)
	for processors, want := range map[int]bool{0: false, 1: true, 2: false, 3: false} {
		layout := job.Layout{Placement: []job.Placement{{Host: "a", Ranks: "0-1", Processes: 2,
			Processors: processors}}}
		r := beff.NewResult(plan, m, rating.Run{Layout: layout})
		require.Equal(t, want, warned(r, "crowded"), "%d processors", processors)
		for _, c := range r.Criteria {
			if c.Name == "processors" {
				require.Equal(t, processors > 1, c.Reached)
				require.Equal(t, processors == 0, c.Unknown)
				require.Equal(t, map[int]string{0: "NOT KNOWN", 1: "NOT met", 2: "met", 3: "met"}[processors], c.Met())
			}
		}
	}
}
