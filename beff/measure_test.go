package beff_test

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/fault"
	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/rating"
)

const gib = 1 << 30

// rate measures a plan on a scripted job, by the job's own clock.
func rate(t *testing.T, s *scripted.Engine, c beff.Config) (*beff.Result, error) {
	t.Helper()
	plan, err := beff.NewPlan(s.Processes, c)
	require.NoError(t, err)
	m, err := plan.Measure(s, rating.Observer[beff.Measured]{Now: s.Now})
	return beff.NewResult(plan, m, known(s.Processes, rating.Run{Err: err})), err
}

// known returns a run with a library, and with a processor for each process.
func known(processes int, run rating.Run) rating.Run {
	run.Library = mpi.Library{Engine: "libmpi", Library: "any"}
	run.Layout.Placement = []job.Placement{{Host: "a", Ranks: fmt.Sprintf("0-%d", processes-1), Processes: processes,
		Processors: processes}}
	return run
}

func config(rules beff.Rules) beff.Config { return beff.Config{Rules: rules, Memory: gib, Seed: 1} }

// On a network where a message takes latency + L/bandwidth, every process moves L bytes in that time, in all rings and
// randoms. That holds unless processes are cut into rings of both 2 and 3, because a ring of 2 has half the messages,
// but the script gives it rank 0's time.
func TestWholeRating(t *testing.T) {
	const latency, bandwidth = 1e-6, 1e9
	for _, rules := range []beff.Rules{beff.Rules2001, beff.Rules36} {
		for _, processes := range []int{2, 3, 4, 16, 100} {
			s := &scripted.Engine{Processes: processes, Cost: scripted.Linear(latency, bandwidth)}
			r, err := rate(t, s, config(rules))
			require.NoError(t, err)
			require.Len(t, r.Lengths, 21)
			want := 0.0
			for _, l := range r.Lengths {
				want += float64(l) / (latency + float64(l)/bandwidth) / 21
			}
			require.InEpsilon(t, want*float64(processes), r.Derived.BEff, 1e-12, "%s, P = %d", rules, processes)
			require.InEpsilon(t, want, r.Derived.BEffPerProcess, 1e-12)
			require.InEpsilon(t, latency+1/bandwidth, r.Derived.LatencyRings, 1e-9)
			require.InEpsilon(t, latency+1/bandwidth, r.Derived.LatencyRingsAndRandoms, 1e-9)
			require.True(t, r.Valid, r.Criteria)
			require.InEpsilon(t, r.WallSeconds, r.LoopSeconds, 1e-6, "nothing but loops costs time here")
		}
	}
}

// The ping-pong pair moves one message at a time: rank 0 sends one and waits for one.
func TestPingPong(t *testing.T) {
	const latency, bandwidth = 2e-6, 1e9
	s := &scripted.Engine{Processes: 4, Cost: func(step scripted.Step) float64 {
		messages := 0
		for _, c := range step.Program.Loop {
			messages += c.Send.Count
			if c.Op == mpi.Recv {
				messages += c.Recv.Count
			}
		}
		if step.Method != mpi.Sendrecv || len(step.Program.Places) != 2 {
			return scripted.Linear(latency, bandwidth)(step)
		}
		return 2*latency + 2*float64(step.Bytes)/bandwidth
	}}
	r, err := rate(t, s, beff.Config{Rules: beff.Rules2001, Memory: gib, Patterns: []string{"ping-pong"}})
	require.NoError(t, err)
	require.InEpsilon(t, latency+1/bandwidth, r.Derived.LatencyPingPong, 1e-9)
	lmax := float64(r.Lmax)
	require.InEpsilon(t, lmax/(latency+lmax/bandwidth), r.Derived.PingPongAtLmax, 1e-9)
	require.Len(t, r.Samples, 21*3, "only by Sendrecv")
	require.False(t, r.Valid)
	require.Zero(t, r.Derived.BEff)
}

func TestSamples(t *testing.T) {
	s := &scripted.Engine{Processes: 3, Cost: scripted.Linear(1e-6, 1e9)}
	r, err := rate(t, s, config(beff.Rules2001))
	require.NoError(t, err)
	plan, _ := beff.NewPlan(3, config(beff.Rules2001))
	require.Len(t, r.Samples, plan.Measurements())
	last := -1
	for _, x := range r.Samples {
		order := ((x.Repetition*21+x.Length)*len(r.Patterns)+x.Pattern)*3 + x.Method
		require.Greater(t, order, last, "repetition, then length, pattern, method")
		last = order
	}
}

// "Adapted so that each loop takes 2.5 to 5 ms" (paper, Sec. 3), and never fewer than one loop. On a noisy machine, and
// if a length is much slower than the one before, first samples take longer.
func TestLoops2001(t *testing.T) {
	for name, c := range map[string]struct {
		cost   func(scripted.Step) float64
		longer float64 // part of the samples that may take more than 5 ms
	}{
		"fast network": {cost: scripted.Linear(1e-7, 1e11)},
		"slow network": {cost: scripted.Linear(1e-4, 1e7)},
		"a step at 4096": {cost: func(x scripted.Step) float64 {
			return scripted.Linear(map[bool]float64{true: 1e-4, false: 1e-6}[x.Bytes > 4096], 1e9)(x)
		}, longer: 1. / 63}, // the first repetition of one length of 21
		"noisy":              {cost: noisy(scripted.Linear(1e-6, 1e9)), longer: 0.18},
		"slower than 300·10": {cost: scripted.Linear(5e-3, 1e9)},
	} {
		s := &scripted.Engine{Processes: 4, Cost: c.cost}
		r, err := rate(t, s, config(beff.Rules2001))
		require.NoError(t, err, name)
		longer := 0
		for _, x := range r.Samples {
			if x.Loops > 1 && x.Length > 0 && x.Seconds > 5e-3 {
				longer++
				require.Less(t, x.Seconds, 7.5e-3, "%s: %+v", name, x)
				require.True(t, x.Repetition == 0 || name == "noisy", "%s: %+v", name, x)
			}
			require.Greater(t, x.Seconds, 1.9e-3, "%s: %+v", name, x)
		}
		require.LessOrEqual(t, float64(longer), c.longer*float64(len(r.Samples)), name)
	}
}

// noisy returns a cost that makes every third run up to twice as long.
func noisy(cost func(scripted.Step) float64) func(scripted.Step) float64 {
	return func(x scripted.Step) float64 {
		if x.Run%3 == 0 {
			return cost(x) * (1 + float64(x.Run%7)/7)
		}
		return cost(x)
	}
}

// One length and method takes 0.5 s over all patterns if the loops may grow that far, and the loops never exceed the
// first limit.
func TestLoops36(t *testing.T) {
	s := &scripted.Engine{Processes: 4, Cost: scripted.Linear(1e-6, 1e9)}
	r, err := rate(t, s, config(beff.Rules36))
	require.NoError(t, err)
	type key struct{ repetition, length, method int }
	loops, sum := map[key]int64{}, map[key]float64{}
	for _, x := range r.Samples {
		k := key{x.Repetition, x.Length, x.Method}
		if n, ok := loops[k]; ok {
			require.Equal(t, n, x.Loops, "one loop length for all patterns")
		}
		loops[k] = x.Loops
		sum[k] += x.Seconds
	}
	for k, seconds := range sum {
		if loops[k] > 1 {
			require.Less(t, seconds, 0.55, "%+v", k)
		}
		require.LessOrEqual(t, loops[k], 2*loops[key{k.repetition, 0, k.method}]+1,
			"%+v: half of the limit is where it starts", k)
	}
	require.InDelta(t, 0.25, sum[key{0, 0, 0}], 0.01, "starts at half of 0.5 s")
}

// If the two longest lengths take over 60 s, only the best method of the third longest is measured, once, and the
// longest twice.
func TestShortenedLastTwo(t *testing.T) {
	best := mpi.Alltoallv
	s := &scripted.Engine{Processes: 4, Cost: func(x scripted.Step) float64 {
		c := scripted.Linear(1e-6, 2e7)(x)
		if x.Method != best {
			c *= 1.5
		}
		return c
	}}
	r, err := rate(t, s, config(beff.Rules36))
	require.NoError(t, err)
	repetitionsOf := map[int]map[int]bool{19: {}, 20: {}}
	for _, x := range r.Samples {
		if x.Length < 19 || r.Patterns[x.Pattern].Name == "ping-pong" {
			continue
		}
		require.Equal(t, int(beff.Alltoallv), x.Method)
		require.EqualValues(t, 1, x.Loops)
		repetitionsOf[x.Length][x.Repetition] = true
	}
	require.Len(t, repetitionsOf[19], 3)
	require.Len(t, repetitionsOf[20], 2)
	require.NotZero(t, r.Derived.BEff)
	require.NotZero(t, r.Derived.PerMethod[0], "the left-out method counts as the best one")
	require.NotZero(t, r.Derived.PerRepetition[2])
	require.True(t, r.Valid)
}

func TestCoarseClock(t *testing.T) {
	for _, rules := range []beff.Rules{beff.Rules2001, beff.Rules36} {
		s := &scripted.Engine{Processes: 2, Cost: scripted.Linear(1e-7, 1e11), Resolution: 1e-3}
		r, err := rate(t, s, config(rules))
		require.NoError(t, err)
		for _, x := range r.Samples {
			require.Positive(t, x.Seconds)
		}
		require.False(t, math.IsInf(r.Derived.BEff, 0))
		require.NotZero(t, r.Derived.BEff)

		_, err = rate(t, &scripted.Engine{Processes: 2}, config(rules))
		require.ErrorContains(t, err, "the clock does not advance")
	}
}

// The samples of the 18 shortest lengths begin with one untimed exchange.
func TestUntimed(t *testing.T) {
	s := &scripted.Engine{Processes: 2, Cost: func(x scripted.Step) float64 {
		if x.Messages > 0 {
			want := int64(1)
			if x.Program.Places[0].Length > 480774 { // the 18th of the lengths for 1 GiB
				want = 0
			}
			require.Equal(t, want, x.Loops.Untimed, "%d bytes", x.Program.Places[0].Length)
		}
		return 1e-5
	}}
	_, err := rate(t, s, config(beff.Rules2001))
	require.NoError(t, err)
}

func TestSlowestProcessCounts(t *testing.T) {
	s := &scripted.Engine{Processes: 4, Cost: scripted.Linear(1e-6, 1e9)}
	s.Skew = func(rank int, v float64) float64 {
		if rank == 3 && v > 0 {
			return 2 * v
		}
		return v
	}
	r, err := rate(t, s, beff.Config{Rules: beff.Rules2001, Memory: gib, Patterns: []string{"ring"}})
	require.NoError(t, err)
	for _, x := range r.Samples {
		require.InEpsilon(t, 2*x.Min, x.Seconds, 1e-9)
		require.InEpsilon(t, 1.25*x.Min, x.Mean, 1e-9)
	}
}

func TestWrongData(t *testing.T) {
	s := &scripted.Engine{Processes: 4, Cost: scripted.Linear(1e-6, 1e9)}
	s.Fail = func(x scripted.Step) (*mpi.Mismatch, error) {
		if x.Run == 1000 {
			return &mpi.Mismatch{Loop: 17, Expected: 1, Found: 2}, nil
		}
		return nil, nil
	}
	s.Skew = func(_ int, v float64) float64 { return min(v, 0.5) } // the other processes found nothing wrong
	r, err := rate(t, s, config(beff.Rules2001))
	var agreed *mpi.AgreedError
	require.ErrorAs(t, err, &agreed)
	require.Regexp(t, `pattern \S+, method \S+, length \d+, repetition 1, in memory of host \S+: `+
		`rank 0 received wrong data: .* loop 17 are 0x2, expected 0x1`, err.Error())
	require.NotEmpty(t, r.Samples)
	require.False(t, r.Complete)
	require.True(t, r.WrongData())
	require.Equal(t, rating.RightData, rating.Unmet(r.Criteria)[0].Name)
	require.Regexp(t, `^WRONG DATA: pattern \S+, `, r.Criteria[0].Why())
	require.NotZero(t, r.Samples[len(r.Samples)-1].Mean)
}

func TestFailedCall(t *testing.T) {
	failed := &mpi.Error{Call: "MPI_Sendrecv", Rank: 0, Class: 15, Text: "message truncated"}
	s := &scripted.Engine{Processes: 4, Cost: scripted.Linear(1e-6, 1e9)}
	s.Fail = func(x scripted.Step) (*mpi.Mismatch, error) {
		if x.Run == 2000 {
			return nil, failed
		}
		return nil, nil
	}
	r, err := rate(t, s, config(beff.Rules2001))
	require.ErrorIs(t, err, failed)
	var agreed *mpi.AgreedError
	require.False(t, errors.As(err, &agreed), "the other processes don't know: the job must be aborted")
	require.NotEmpty(t, r.Samples, "measured samples are kept")
	require.False(t, r.Valid)
}

func TestStop(t *testing.T) {
	s := &scripted.Engine{Processes: 2, Cost: scripted.Linear(1e-6, 1e9)}
	plan, err := beff.NewPlan(2, config(beff.Rules2001))
	require.NoError(t, err)
	asked, kept := 0, 0
	m, err := plan.Measure(s, rating.Observer[beff.Measured]{
		Now:  s.Now,
		Stop: func() bool { asked++; return asked == 8000 },
		Keep: func(beff.Measured) { kept++ },
	})
	require.ErrorIs(t, err, rating.ErrStopped)
	require.Greater(t, kept, 10)
	for _, x := range m.Samples {
		require.Positive(t, x.Mean)
	}
	r := beff.NewResult(plan, m, rating.Run{Err: err})
	require.False(t, r.Complete)
	require.NotZero(t, r.Derived.BEff, "the first repetition is whole")
}

// unsummed is an engine that can't sum over the processes.
type unsummed struct{ mpi.Engine }

func (u unsummed) World() mpi.Comm { return unsummedWorld{u.Engine.World()} }

type unsummedWorld struct{ mpi.Comm }

func (w unsummedWorld) Allreduce(values []float64, op mpi.Reduction) error {
	if op == mpi.Sum {
		return &mpi.Error{Call: "MPI_Allreduce", Rank: w.Rank(), Text: "injected fault"}
	}
	return w.Comm.Allreduce(values, op)
}

// If all processes agree to end a run, but the last reduction fails on one of them, the error isn't agreed.
func TestStopFails(t *testing.T) {
	plan, err := beff.NewPlan(2, config(beff.Rules2001))
	require.NoError(t, err)
	s := &scripted.Engine{Processes: 2, Cost: scripted.Linear(1e-6, 1e9)}
	_, err = plan.Measure(unsummed{s}, rating.Observer[beff.Measured]{Now: s.Now, Stop: func() bool { return true }})
	require.ErrorIs(t, err, rating.ErrStopped)
	require.ErrorContains(t, err, "MPI_Allreduce failed")
	require.False(t, mpi.Agreed(err))
	require.Positive(t, s.Left(), "freeing would wait for the process that has failed")
}

// Progress never decreases. After the first tenth it is never off by more than a quarter of the run, and neither is the
// time left, whatever limits the machine and however many passes there are. It is off by a third if even a single loop
// takes longer than the planned time of a sample: then a tenth is over before the first patterns are.
func TestProgress(t *testing.T) {
	for name, m := range map[string]struct{ latency, bandwidth, off float64 }{
		"fast": {1e-6, 1e10, 1. / 4}, "slow": {1e-6, 2e6, 1. / 4}, "late": {0.02, 1e10, 1. / 3},
	} {
		for _, change := range []func(*beff.Config){
			func(*beff.Config) {},
			func(c *beff.Config) { c.Passes = 2 },
			func(c *beff.Config) { c.AtMost = 10 * time.Second },
		} {
			c := config(beff.Rules2001)
			c.Memory, c.Patterns = 1<<24, []string{"ring"}
			change(&c)
			s := &scripted.Engine{Processes: 2, Cost: scripted.Linear(m.latency, m.bandwidth)}
			plan, err := beff.NewPlan(2, c)
			require.NoError(t, err)
			var all []rating.Progress
			begin := s.Now()
			_, err = plan.Measure(s, rating.Observer[beff.Measured]{Now: s.Now,
				Progress: func(p rating.Progress) { all = append(all, p) }})
			require.NoError(t, err)
			whole := s.Now().Sub(begin).Seconds()
			require.Zero(t, len(all)%plan.Measurements())
			last := 0.0
			for _, p := range all {
				require.GreaterOrEqual(t, p.Part, last)
				require.LessOrEqual(t, p.Part, 1.0)
				last = p.Part
				if at := p.Elapsed.Seconds() / whole; at >= 0.1 {
					require.InDelta(t, at, p.Part, m.off, "%s, %+v: %+v of %v s", name, c, p, whole)
					require.InDelta(t, whole, (p.Elapsed + p.Left).Seconds(), m.off*whole, "%s, %+v: %+v", name, c, p)
				}
			}
			require.Greater(t, last, 0.97)
		}
	}
}

// On the embedded engine with real messages, wrong bytes on one rank end the run on all, with that rank's error.
func TestWrongDataOnOneRank(t *testing.T) {
	plan, err := beff.NewPlan(3, beff.Config{Rules: beff.Rules2001, Memory: 1 << 20, Seed: 1,
		Patterns: []string{"ring", "random-0?"}, Quick: true})
	require.NoError(t, err)
	err = local.Run(3, func(e mpi.Engine) error {
		m, err := plan.Measure(fault.Inject(e, fault.WrongByte(2, 40)), rating.Observer[beff.Measured]{})
		if e.World().Rank() == 0 {
			require.NotEmpty(t, m.Samples)
		}
		return err
	})
	require.ErrorContains(t, err, "rank 2 received wrong data")
}

func TestMeasureLocal(t *testing.T) {
	list := []int{2, 5}
	if testing.Short() {
		list = []int{3}
	}
	for _, processes := range list {
		plan, err := beff.NewPlan(processes, beff.Config{Rules: beff.Rules2001, Memory: 1 << 20, Seed: 1, Quick: true,
			Patterns: []string{"ring", "random-0[12]", "detail"}})
		require.NoError(t, err)
		err = local.Run(processes, func(e mpi.Engine) error {
			m, err := plan.Measure(e, rating.Observer[beff.Measured]{})
			if e.World().Rank() == 0 && err == nil && len(m.Samples) != plan.Measurements() {
				t.Errorf("%d samples, planned %d", len(m.Samples), plan.Measurements())
			}
			return err
		})
		require.NoError(t, err)
	}
}

// Six of the longest messages at the same time fill the buffers, and none overlaps another.
func TestSixMessages(t *testing.T) {
	plan, err := beff.NewPlan(27, beff.Config{Rules: beff.Rules2001, Memory: 1 << 20, Seed: 1, Quick: true,
		Patterns: []string{"cart3d-cyclic-all"}, Methods: []string{"nonblocking"}})
	require.NoError(t, err)
	require.NoError(t, local.Run(27, func(e mpi.Engine) error {
		_, err := plan.Measure(e, rating.Observer[beff.Measured]{})
		return err
	}))
}

// The walk through the buffers continues from length to length, as in release 3.6, except for the longest one.
func TestWalkContinues(t *testing.T) {
	rewound := 0
	linear := scripted.Linear(1e-6, 1e9)
	s := &scripted.Engine{Processes: 4, Cost: func(x scripted.Step) float64 {
		if calls := x.Program.Calls(); len(calls) == 1 && calls[0].Op == mpi.Walk {
			rewound++
		}
		return linear(x)
	}}
	r, err := rate(t, s, config(beff.Rules2001))
	require.NoError(t, err)
	require.Equal(t, r.Repetitions, rewound)
}

// By rules 3.6, a method without patterns doesn't shorten measurements.
func TestPingPongBy36(t *testing.T) {
	s := &scripted.Engine{Processes: 4, Cost: scripted.Linear(1e-6, 1e9)}
	r, err := rate(t, s, beff.Config{Rules: beff.Rules36, Memory: gib, Patterns: []string{"ping-pong"}})
	require.NoError(t, err)
	require.Len(t, r.Samples, 21*3)
	for _, x := range r.Samples {
		require.Greater(t, x.Loops, int64(1))
	}
}
