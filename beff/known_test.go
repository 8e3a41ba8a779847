package beff_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/rating"
)

// Release 3.6 may leave out measurements of the last two lengths, here of four. The ping-pong pair needs no other
// method than Sendrecv.
func TestMayMiss(t *testing.T) {
	for _, c := range []struct {
		rules                   beff.Rules
		pattern, length, method int
		complete                bool
	}{
		{beff.Rules2001, 0, 3, 1, false}, {beff.Rules2001, 0, 2, 1, false},
		{beff.Rules36, 0, 3, 1, true}, {beff.Rules36, 0, 2, 1, true}, {beff.Rules36, 0, 1, 1, false},
		{beff.Rules36, 0, 0, 1, false}, {beff.Rules2001, pair, 1, 0, false}, {beff.Rules36, pair, 1, 0, false},
	} {
		r := checked()
		r.Rules = c.rules
		r.Samples = slices.DeleteFunc(r.Samples, func(s beff.Sample) bool {
			return s.Pattern == c.pattern && s.Length == c.length && s.Method == c.method
		})
		if err := r.Check(); c.complete {
			require.NoError(t, err, "%+v", c)
		} else {
			require.ErrorContains(t, err, "complete is true", "%+v", c)
		}
	}
	for _, s := range checked().Samples {
		require.True(t, s.Pattern != pair || s.Method == 0, "other methods don't measure the pair")
	}
}

// Progress.Part excludes waits and never decreases. It is a third after the first of three repetitions and two thirds
// after the second, because all take the same time.
func TestTimeLeft(t *testing.T) {
	s := &scripted.Engine{Processes: 2, Cost: scripted.Linear(1e-6, 1e9)}
	plan, err := beff.NewPlan(2, beff.Config{Rules: beff.Rules2001, Memory: doubling})
	require.NoError(t, err)
	var parts []float64
	waited := func() time.Duration { return 100 * time.Microsecond } // waiting isn't work
	watch := rating.Observer[beff.Measured]{Now: s.Now, Waited: waited}
	watch.Progress = func(p rating.Progress) {
		worked, last := max(0, p.Elapsed-waited()).Seconds(), 0.0
		if len(parts) > 0 {
			last = parts[len(parts)-1]
		}
		require.InDelta(t, max(last, worked/(worked+p.Left.Seconds())), p.Part, 1e-6)
		parts = append(parts, p.Part)
	}
	_, err = plan.Measure(s, watch)
	require.NoError(t, err)
	require.Zero(t, parts[0])
	each := plan.Measurements() / 3
	require.InEpsilon(t, 1./3, parts[each], 0.05)
	require.InEpsilon(t, 2./3, parts[2*each], 0.05)
	require.Greater(t, parts[len(parts)-1], 0.99)
}

// TestCriteria checks which criteria are unmet in ratings that ended early, are quick, or lack methods or patterns.
func TestCriteria(t *testing.T) {
	stopped := errors.New("stop")
	for name, c := range map[string]struct {
		change func(*beff.Config)
		err    error
		missed []string
	}{
		"whole":              {func(*beff.Config) {}, nil, nil},
		"whole, but stopped": {func(*beff.Config) {}, stopped, nil},
		"two methods": {func(c *beff.Config) { c.Methods = []string{"sendrecv", "alltoallv"} }, nil,
			[]string{"methods"}},
		"two methods, stopped": {func(c *beff.Config) { c.Methods = []string{"sendrecv", "alltoallv"} }, stopped,
			[]string{"methods"}},
		"rings": {func(c *beff.Config) { c.Patterns = []string{"ring"} }, nil, []string{"patterns"}},
		"rings, stopped": {func(c *beff.Config) { c.Patterns = []string{"ring"} }, stopped,
			[]string{"patterns"}},
		"quick": {func(c *beff.Config) { c.Quick = true }, nil, []string{"repetitions"}},
	} {
		whole := beff.Config{Rules: beff.Rules2001, Memory: doubling}
		c.change(&whole)
		s := &scripted.Engine{Processes: 2, Cost: scripted.Linear(1e-6, 1e9)}
		plan, err := beff.NewPlan(2, whole)
		require.NoError(t, err)
		m, err := plan.Measure(s, rating.Observer[beff.Measured]{Now: s.Now})
		require.NoError(t, err)
		var missed []string
		criteria := beff.NewResult(plan, m, known(plan.Processes, rating.Run{Err: c.err})).Criteria
		for _, x := range criteria {
			if !x.Reached {
				missed = append(missed, x.Name)
			}
		}
		require.Equal(t, c.missed, missed, name)
		require.Equal(t, c.err != nil, strings.Contains(criteria[1].Text, "it ended with: stop"))
		require.Equal(t, c.err == nil, criteria[1].Text == "the measurement was finished")
	}
}

// A run that ended early is a rating if it has a whole pass. Only whole passes count.
func TestWholePasses(t *testing.T) {
	s := &scripted.Engine{Processes: 2, Cost: scripted.Linear(1e-6, 1e9)}
	plan, err := beff.NewPlan(2, beff.Config{Rules: beff.Rules2001, Memory: doubling, Passes: 3})
	require.NoError(t, err)
	all, err := plan.Measure(s, rating.Observer[beff.Measured]{Now: s.Now})
	require.NoError(t, err)
	ends := make([]int, 4) // of the samples of each pass
	for _, s := range all.Samples {
		ends[s.Pass+1]++
	}
	for pass := range 3 {
		ends[pass+1] += ends[pass]
	}
	one := ends[1] // with the details, which are last and don't count
	for samples, want := range map[int]struct {
		valid  bool
		passes int
	}{one / 2: {false, 1}, one: {true, 1}, ends[2] - 10: {true, 1}, ends[2]: {true, 2}} {
		m := *all
		m.Samples = all.Samples[:samples]
		run := known(2, rating.Run{Err: rating.ErrStopped})
		r := beff.NewResult(plan, &m, run)
		require.Equal(t, want.valid, r.Valid, "%d of %d samples", samples, one)
		require.Positive(t, r.Derived.BEff)
		require.Equal(t, want.valid, r.Interval() != nil)
		require.Len(t, r.Runs(), want.passes)
	}
	lost := *all
	lost.Samples = slices.Delete(slices.Clone(all.Samples), 1, 2)
	require.False(t, beff.NewResult(plan, &lost, known(2, rating.Run{Err: rating.ErrStopped})).Valid,
		"a pass before the last one isn't whole")
}

// Memory of 1 GiB or more is written in GiB, and times outside of loops in percent of the total.
func TestWarningsInWords(t *testing.T) {
	plan, err := beff.NewPlan(2, beff.Config{Rules: beff.Rules2001, Memory: doubling, Patterns: []string{"ping-pong"}})
	require.NoError(t, err)
	m := &beff.Measured{WallSeconds: 10, LoopSeconds: 7}
	for available, want := range map[int64]string{1 << 30: "but 1 GiB are available",
		1<<30 - 1<<20: "but 1023 MiB are available"} {
		list := beff.NewResult(plan, m, rating.Run{Layout: job.Layout{Memory: available}}).Warnings
		require.Equal(t, "elapsed", list[0].Code)
		require.Contains(t, list[0].Text, "30 % of the time passed outside of the timed loops")
		require.Equal(t, "memory", list[1].Code)
		require.Contains(t, list[1].Text, "--memory is 128 MiB per process")
		require.Contains(t, list[1].Text, want)
	}
}

// Communicators and buffers are freed after all errors, except an error of only one process, into whose memory others
// may still write. Patterns of one topology share a communicator.
func TestFreed(t *testing.T) {
	for name, c := range map[string]struct {
		fail func(scripted.Step) (*mpi.Mismatch, error)
		stop bool
	}{
		"none":        {},
		"stopped":     {stop: true},
		"one process": {fail: func(scripted.Step) (*mpi.Mismatch, error) { return nil, errors.New("lost") }},
	} {
		plan, err := beff.NewPlan(8, beff.Config{Rules: beff.Rules2001, Memory: doubling, Quick: true})
		require.NoError(t, err)
		e := &scripted.Engine{Processes: 8, Fail: c.fail, Cost: scripted.Linear(1e-6, 1e9)}
		_, err = plan.Measure(e, rating.Observer[beff.Measured]{Now: e.Now,
			Stop: func() bool { return c.stop }})
		require.Equal(t, name == "none", err == nil)
		if name == "one process" {
			topologies := map[string]bool{}
			for _, p := range plan.Patterns {
				if p.Topology.Dims != nil {
					topologies[fmt.Sprint(p.Topology)] = true
				}
			}
			require.Greater(t, len(topologies), 3)
			require.Equal(t, 2+len(topologies), e.Left())
		} else {
			require.Zero(t, e.Left(), name)
		}
	}
}

// A grid takes the first repetition instead of a missing one, but only for the longest message of release 3.6.
func TestLeftOutRepetition(t *testing.T) {
	for _, c := range []struct {
		rules      beff.Rules
		length     int
		repetition int
		want       float64
	}{
		{beff.Rules36, 1, 1, 10}, {beff.Rules36, 0, 1, math.NaN()}, {beff.Rules2001, 1, 1, math.NaN()},
		{beff.Rules36, 1, 0, math.NaN()},
	} {
		r := handmade()
		r.Rules = c.rules
		r.Samples = slices.DeleteFunc(r.Samples, func(s beff.Sample) bool {
			return s.Pattern == 2 && s.Length == c.length && s.Repetition == c.repetition
		})
		got := beff.NewGrid(r).InRepetition(2, c.length, c.repetition)
		if math.IsNaN(c.want) {
			require.True(t, math.IsNaN(got), "%+v", c)
		} else {
			require.InEpsilon(t, c.want, got, 1e-12)
		}
	}
}

// The latency is the bytes of the shortest message, divided by the bandwidth of a process, or by the ping-pong pair's,
// because its processes take turns.
func TestLatencyOfLongerMessages(t *testing.T) {
	r := cubeOf([]int64{8, 4096}, 1, 1, func(int, int, int, int) float64 { return 100 })
	d := beff.Derive(r)
	require.InEpsilon(t, 4*8/100., d.LatencyRings, 1e-12)
	require.InEpsilon(t, 4*8/100., d.LatencyRingsAndRandoms, 1e-12)
	require.InEpsilon(t, 8/100., d.LatencyPingPong, 1e-12)
	require.InEpsilon(t, 100/4., d.BEffPerProcess, 1e-12)
	require.InEpsilon(t, 100/4., d.AtLmaxPerProcess, 1e-12)
	require.InEpsilon(t, 100/4., d.RingsAtLmaxPerProcess, 1e-12)
}

// The Min of a sample is the least time of the processes that have messages, even if other processes have none.
func TestMinOfProcessesWithMessages(t *testing.T) {
	plan, err := beff.NewPlan(3, beff.Config{Rules: beff.Rules2001, Memory: 1 << 20, Quick: true,
		Patterns: []string{"ping-pong"}})
	require.NoError(t, err)
	require.NoError(t, local.Run(3, func(e mpi.Engine) error {
		m, err := plan.Measure(e, rating.Observer[beff.Measured]{})
		if err == nil && e.World().Rank() == 0 {
			for _, s := range m.Samples {
				require.Positive(t, s.Min)
				require.LessOrEqual(t, s.Min, s.Seconds)
			}
		}
		return err
	}))
}
