package beffio

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/stats"
)

// requireTails requires that the time of each call is counted if and only if quantiles were asked for.
func requireTails(t *testing.T, r *Result) {
	require.NoError(t, r.Check())
	for _, s := range r.Samples {
		require.Equal(t, len(r.Quantiles) > 0 && s.Pass == 0 && s.Calls > 0, s.Times != nil)
		if s.Times == nil {
			continue
		}
		require.Equal(t, s.Calls, s.Times.Histogram.N())
		require.GreaterOrEqual(t, s.Times.Histogram.Sum*picosecond, s.IO*(1-1e-9), "the sum is larger")
	}
	for _, p := range r.Derived.Partitions {
		for _, x := range p.Tails {
			require.Len(t, x.Quantiles, len(r.Quantiles))
			require.LessOrEqual(t, x.Quantiles[0].Value, x.Max)
		}
	}
}

// stalled returns a run of 2 processes in which a server holds up a call of pattern 21 (separated) for 2 s.
func stalled(t *testing.T) *Result {
	plan, err := NewPlan(2, Config{Rules: RulesPaper, Partitions: []int{2}, Duration: time.Minute, Memory: 1 << 28,
		MaxBytes: 1 << 36, Quantiles: []float64{50, 99, 99.9}})
	require.NoError(t, err)
	row, stalls := plan.Rows[21], 0
	e := &scripted.Engine{Processes: 2, Cost: scripted.Linear(1e-3, 1e9), Stall: func(s scripted.Step,
		loop int64) float64 {
		if s.Method != mpi.FileWrite || int64(s.Bytes) != row.Memory || loop != 17 || stalls > 0 {
			return 0
		}
		stalls++
		return 2
	}}
	m, err := plan.Measure(e, rating.Observer[Measured]{Now: e.Now})
	require.NoError(t, err)
	require.Equal(t, 1, stalls)
	return NewResult(plan, m, Run{Run: rating.Run{Started: time.Unix(1e9, 0), Library: e.Library()}})
}

// A server that stalls once shows in the tail of the pattern, and in its slowest call with time, rank and offset.
func TestStalledServer(t *testing.T) {
	r := stalled(t)
	requireTails(t, r)
	s := find(r, 0, Write, 21)
	slow := s.Times.Slowest[0]
	require.InDelta(t, 2, slow.Seconds, 0.01)
	require.EqualValues(t, 17, slow.Repetition)
	where := 17 * r.Pattern(21).Disk
	before := int64(0)
	for number := range 21 {
		if p := r.Pattern(number); p.Type == r.Pattern(21).Type {
			before += find(r, 0, Write, number).Repetitions * p.Memory
		}
	}
	require.Equal(t, before+where, slow.Offset)
	require.Greater(t, slow.At, 0.)
	require.Less(t, slow.At+slow.Seconds, r.WallSeconds)
	for _, x := range r.Derived.Partitions[0].Tails {
		if x.Access != Write || x.Pattern != 21 {
			require.Less(t, x.Max, 0.1)
			continue
		}
		require.InDelta(t, 2, x.Max, 0.01)
		require.Less(t, x.Median, 0.1)
		require.Equal(t, s.Calls < stats.Needed(0.999, rating.Confidence), !x.Quantiles[2].Known())
	}
}

// Check refuses times that can't be the times of the calls.
func TestCallTimesThatCantBe(t *testing.T) {
	for name, spoil := range map[string]func(r *Result, s *Sample){
		"not of all calls": func(_ *Result, s *Sample) { s.Times.Histogram.Counts[0]++ },
		"another slowest":  func(_ *Result, s *Sample) { s.Times.Slowest[0].Seconds *= 2 },
		"none slow":        func(_ *Result, s *Sample) { s.Times.Slowest = nil },
		"out of order":     func(_ *Result, s *Sample) { s.Times.Slowest[2].Seconds = 3 },
		"another rank":     func(_ *Result, s *Sample) { s.Times.Slowest[0].Rank = 2 },
		"a negative place": func(_ *Result, s *Sample) { s.Times.Slowest[0].Offset = -1 },
		"too many":         func(_ *Result, s *Sample) { s.Times.Slowest[0].Repetition = s.Calls },
		"before the run":   func(_ *Result, s *Sample) { s.Times.Slowest[0].At = -1 },
		"missing":          func(_ *Result, s *Sample) { s.Times = nil },
		"not asked for":    func(r *Result, _ *Sample) { r.Quantiles = nil },
		"in a later pass":  func(_ *Result, s *Sample) { s.Access, s.Pass = Read, 1 },
		"view of none":     func(_ *Result, s *Sample) { s.ViewCall.Rank = 2 },
		"another sync":     func(_ *Result, s *Sample) { s.SyncCall.Seconds++ },
		"open in the past": func(r *Result, _ *Sample) { r.Files[0].OpenCall.At = -1 },
		"close for ever":   func(r *Result, _ *Sample) { r.Files[0].CloseCall.Seconds = math.Inf(1) },
		"later than first": func(_ *Result, s *Sample) { s.Slowest = &s.Times.Slowest[0] },
		"quantiles":        func(r *Result, _ *Sample) { r.Quantiles = []float64{99, 50} },
	} {
		r := stalled(t)
		spoil(r, find(r, 0, Write, 21))
		require.Error(t, r.Check(), name)
	}
}

// The result has each call outside of the loops with its time. If a server stalls in one, it is the slowest call. The
// parts of a pattern's time sum up to its total.
func TestStallsOutsideOfLoops(t *testing.T) {
	plan, err := NewPlan(2, Config{Rules: RulesPaper, Partitions: []int{2}, Duration: time.Minute, Memory: 1 << 28,
		MaxBytes: 1 << 36, Quantiles: []float64{50}})
	require.NoError(t, err)
	for call, pattern := range map[string]int{"MPI_File_open": -1, "MPI_File_set_view": 2, "MPI_File_sync": 2,
		"MPI_File_close": -1} {
		made := 0
		e := &scripted.Engine{Processes: 2, Cost: scripted.Linear(1e-3, 1e9), Files: func(name string) float64 {
			if name == call {
				made++
			}
			if name == call && made == 3 { // stalls in pattern number 2, and in the file of type 2
				return 4
			}
			return 1e-3
		}}
		m, err := plan.Measure(e, rating.Observer[Measured]{Now: e.Now})
		require.NoError(t, err)
		r := NewResult(plan, m, Run{Run: rating.Run{Started: time.Unix(1e9, 0), Library: e.Library()}})
		require.NoError(t, r.Check())
		slow := r.SlowCalls(0)[0]
		require.InDelta(t, 4, slow.Seconds, 1e-6, call)
		require.Equal(t, []any{call, Write, pattern, true}, []any{slow.Call, slow.Access, slow.Pattern, slow.Once()})
		require.Equal(t, pattern < 0, slow.Type == patterns.Separated, "the third file")
		require.Less(t, r.SlowCalls(0)[1].Seconds, 1.)
		for _, s := range r.Samples {
			require.InDelta(t, s.Seconds, s.View+s.Marks+s.IO+s.Barrier+s.Broadcast+s.Sync, 1e-6)
			require.Equal(t, s.Access != Read, s.SyncCall != nil)
			require.Equal(t, s.Pass > 0 && s.Calls > 0, s.Slowest != nil)
		}
	}
}

// A call that all processes make once counts with the time of the slowest process.
func TestSlowestOnce(t *testing.T) {
	require.NoError(t, local.Run(3, func(e mpi.Engine) error {
		m := &measurer{plan: &Plan{Config: Config{Quantiles: []float64{50}}}}
		rank := float64(e.World().Rank())
		list, err := m.slowestOnceCalls(e.World(), OnceCall{Seconds: 3 - math.Abs(rank-1), At: 10 + rank},
			OnceCall{Seconds: rank, At: 20 + rank})
		require.NoError(t, err)
		require.Equal(t, []*OnceCall{{3, 11, 1}, {2, 22, 2}}, list)
		m.plan.Quantiles = nil
		list, err = m.slowestOnceCalls(e.World(), OnceCall{})
		require.Equal(t, []*OnceCall{nil}, list)
		return err
	}))
}
