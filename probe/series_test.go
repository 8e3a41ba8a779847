package probe_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/rating"
)

const micro = 1e-6

// precise returns settings of a series at one length.
func precise(timing settings.Timing, change func(*settings.Precision)) settings.Settings {
	p := settings.Default.Precision
	if change != nil {
		change(&p)
	}
	return settings.Settings{Rows: settings.Rows{Lengths: []int64{64}}, Series: settings.Series{Timing: timing,
		Precision: &p}}
}

// laps returns the times of a loop. A repetition of a synchronised series has its barriers in lap 2 and the operation
// in lap 3; without barriers the operation is all.
func laps(s scripted.Step, barriers, operation float64) []float64 {
	for _, c := range s.Calls {
		if c.Op == mpi.Lap && c.Root == 3 {
			return []float64{0, 0, barriers, operation, 0}
		}
	}
	return []float64{operation}
}

// isSeries reports whether a step is a repetition of a kernel, and no reading of clocks.
func isSeries(s scripted.Step) bool {
	return s.Messages > 0 && s.Bytes > 0
}

// A precise row has batches of 5, 5, 10, 20 and 28 repetitions of 1 ± 0.1 µs. Before each batch a repetition that takes
// much longer isn't kept. Barriers don't count.
func TestSeriesOfRow(t *testing.T) {
	for _, timing := range []settings.Timing{"", settings.ByMax, settings.ByGlobal} {
		var runs []int64
		n := 0
		s := &scripted.Engine{Processes: 2}
		s.Each = func(x scripted.Step, loop int64) []float64 {
			if !isSeries(x) {
				return []float64{0, 0, 0}
			}
			if loop == 0 {
				runs = append(runs, x.Loops.Timed-1)
				return laps(x, 9*micro, 15*micro)
			}
			n++
			return laps(x, 7*micro, micro*(1+0.1*float64(1-2*((n+1)%2))))
		}
		r := onScript(t, s, probe.Config{Selections: named(t, "Sendrecv"), Settings: precise(timing, nil)})
		require.Equal(t, []int64{5, 5, 10, 20, 28}, runs, timing)
		row := r.Blocks[0].Rows[0]
		require.EqualValues(t, 68, row.Repetitions)
		require.Equal(t, settings.Precise, row.Series[0].Ended)
		require.Empty(t, row.Samples)
		require.Empty(t, row.Series[0].Min, "both processes take the same")
		require.EqualValues(t, []int64{1100000, 900000, 1100000}, row.Series[0].Max[:3])
		x := row.Statistics[0]
		require.InEpsilon(t, micro, x.Mean, 1e-9)
		require.Less(t, (x.MeanInterval[1]-x.MeanInterval[0])/2, 0.025*x.Mean)
		require.InEpsilon(t, 0.9*micro, x.Min, 1e-9)
		require.InEpsilon(t, 1.1*micro, x.Max, 1e-9)
		require.InEpsilon(t, 2*64/micro, row.Derived[0].Bandwidth, 1e-9)
		require.Equal(t, timing, r.Settings.Series.Timing)
	}
}

// The timing root subtracts the time of a barrier. Ten in a row take 20 µs, so 9 µs become 7 µs, and 1 µs becomes -1
// µs.
func TestRootTiming(t *testing.T) {
	for took, want := range map[float64]float64{9: 7, 1: -1} {
		s := &scripted.Engine{Processes: 2, Cost: func(x scripted.Step) float64 {
			if x.Method == mpi.Barrier && len(x.Calls) == 1 {
				return 2 * micro
			}
			return 0
		}, Each: func(x scripted.Step, _ int64) []float64 {
			if !isSeries(x) {
				return []float64{0, 0, 0}
			}
			return laps(x, 7*micro, took*micro)
		}}
		wanted := precise(settings.ByRoot, func(p *settings.Precision) { p.Min, p.Max = 4, 10 })
		// The fake engine has laps of a program's sections without times: the barriers of Before are none.
		r := onScript(t, s, probe.Config{Selections: named(t, "Sendrecv"), Settings: wanted})
		row := r.Blocks[0].Rows[0]
		require.InDelta(t, 2*micro, r.Blocks[0].Barriers[0], 1e-12)
		require.InDelta(t, want*micro, row.Statistics[0].Mean, 1e-12)
		if want < 0 {
			require.Equal(t, settings.AtMost, row.Series[0].Ended)
			require.Contains(t, r.Remarks(&r.Blocks[0], &row), "the mean is not above 0, so it can't be precise")
		}
	}
}

// With medians the timing root subtracts the median of single barriers, of which three in ten take 100 µs.
func TestMedianBarrier(t *testing.T) {
	for statistic, barrier := range map[settings.Statistic]float64{settings.ByMean: 31.4, settings.ByMedian: 2} {
		s := &scripted.Engine{Processes: 2, Cost: func(x scripted.Step) float64 {
			if x.Method == mpi.Barrier && len(x.Calls) == 1 {
				return 31.4 * micro
			}
			return 0
		}, Each: func(x scripted.Step, loop int64) []float64 {
			switch {
			case x.Method == mpi.Barrier && len(x.Calls) == 2 && loop%3 == 1:
				return []float64{0, 100 * micro}
			case x.Method == mpi.Barrier && len(x.Calls) == 2:
				return []float64{0, 2 * micro}
			case !isSeries(x):
				return []float64{0, 0, 0}
			}
			return laps(x, 0, 50*micro)
		}}
		wanted := precise(settings.ByRoot, func(p *settings.Precision) { p.Max, p.Statistic = 10, statistic })
		r := onScript(t, s, probe.Config{Selections: named(t, "Sendrecv"), Settings: wanted})
		require.InDelta(t, barrier*micro, r.Blocks[0].Barriers[0], 1e-12, statistic)
		require.InDelta(t, (50-barrier)*micro, r.Blocks[0].Rows[0].Statistics[0].Median, 1e-12, statistic)
	}
}

// The slowest process counts, and the document also has the quickest process's times and the means.
func TestTimesOfProcesses(t *testing.T) {
	s := &scripted.Engine{Processes: 3}
	s.Each = func(x scripted.Step, _ int64) []float64 {
		if !isSeries(x) {
			return []float64{0, 0, 0}
		}
		return laps(x, 0, 3*micro)
	}
	s.Skew = func(rank int, value float64) float64 {
		later := float64([]int{0, 2, 1}[rank]) * micro
		switch {
		case math.Abs(math.Abs(value)-3*micro) < micro/1e6: // a time, or its negative
			return value + math.Copysign(later, value)
		case math.Abs(value-micro) < micro/1e6: // its part of a mean
			return value + later/3
		}
		return value
	}
	r := onScript(t, s, probe.Config{Selections: named(t, "Allgather"),
		Settings: settings.Settings{Who: settings.Who{MinProcesses: 3},
			Rows: settings.Rows{Lengths: []int64{64}}, Series: settings.Series{Timing: settings.ByMax}}})
	row := r.Blocks[0].Rows[0]
	require.EqualValues(t, []int64{5e6, 5e6, 5e6, 5e6, 5e6}, row.Series[0].Max)
	require.EqualValues(t, []int64{3e6, 3e6, 3e6, 3e6, 3e6}, row.Series[0].Min)
	require.EqualValues(t, []int64{4e6, 4e6, 4e6, 4e6, 4e6}, row.Series[0].Mean)
	require.Equal(t, kernel.Times{Min: 3 * micro, Max: 5 * micro, Mean: 4 * micro},
		rounded(row.Derived[0]))
	require.Equal(t, []float64{row.Statistics[0].Mean, row.Statistics[0].Mean}, row.Statistics[0].MeanInterval)
}

// rounded returns times in whole picoseconds.
func rounded(t kernel.Times) kernel.Times {
	return kernel.Times{Min: rating.Picoseconds(t.Min), Max: rating.Picoseconds(t.Max),
		Mean:       rating.Picoseconds(t.Mean),
		Overlapped: rating.Picoseconds(t.Overlapped), Pure: rating.Picoseconds(t.Pure),
		Compute: rating.Picoseconds(t.Compute), Passive: rating.Picoseconds(t.Passive), Overlap: t.Overlap}
}

// apart is an engine whose processes have different clocks: each is ahead of the first one's.
type apart struct {
	mpi.Engine
	ahead float64
}

func (a apart) Clock() mpi.Clock { return mpi.Clock{Resolution: a.Engine.Clock().Resolution} }

func (a apart) Compile(p *mpi.Program) (mpi.Runner, error) {
	r, err := a.Engine.Compile(p)
	return late{r, a.ahead}, err
}

type late struct {
	mpi.Runner
	ahead float64
}

func (l late) Run(n mpi.Loops) (mpi.Measurement, error) {
	m, err := l.Runner.Run(n)
	m.Begin += l.ahead
	return m, err
}

// Clocks that are off don't change the time from the first start to the last end: the offsets are found, and lie within
// their uncertainty.
func TestGlobalTiming(t *testing.T) {
	ahead := []float64{0, 1000, -11}
	wanted := precise(settings.ByGlobal, func(p *settings.Precision) { p.Max = 20 })
	wanted.Who.MinProcesses = 3
	c := probe.Config{Selections: named(t, "Allgather"), Settings: wanted}
	var result *probe.Result
	require.NoError(t, local.Run(3, func(e mpi.Engine) error {
		r, err := measureOn(3, c, apart{e, ahead[e.World().Rank()]})
		if e.World().Rank() == 0 {
			result = r
		}
		return err
	}))
	row := result.Blocks[0].Rows[0]
	require.Zero(t, row.Defects)
	for _, look := range []measured.Look{row.Offsets.Before, row.Offsets.After} {
		for i, o := range look.Offsets {
			require.InDelta(t, ahead[i], o, look.Uncertainties[i]+1e-9)
			require.LessOrEqual(t, look.Uncertainties[i], row.Offsets.Uncertainty)
		}
	}
	x := row.Statistics[0]
	require.Greater(t, x.Median, -2*row.Offsets.Uncertainty)
	require.Less(t, x.Median, 10.0, "an offset of 11 or 1000 s would show")
}

// measureOn measures on one process of a job.
func measureOn(processes int, c probe.Config, e mpi.Engine) (*probe.Result, error) {
	plan, err := probe.NewPlan(processes, probe.On(e, c))
	if err != nil {
		return nil, err
	}
	m, err := plan.Measure(e, rating.Observer[measured.Outcome]{})
	return probe.NewResult(plan, m, probe.Run{}), err
}

// IMB-MPI1's kernels bring the right data by every timing, and all figures follow.
func TestSeriesOfMPI1(t *testing.T) {
	for i, timing := range settings.Timings {
		wanted := precise(timing, func(p *settings.Precision) { p.Min, p.Max, p.Inner = 3, 5, int64(1+i%2) })
		if timing == settings.ByLoop {
			wanted.Series.Timing = ""
		}
		wanted.Rows.Lengths = []int64{0, 4, 1000}
		rightSeries(t, 1+i, probe.Config{Selections: all(kernel.MPI1, i == 3), Settings: wanted})
		wanted.Series.Precision.Inner = 1
		wanted.Memory.CacheSize = 1 << 14
		rightSeries(t, 4-i, probe.Config{Selections: all(kernel.MPI1, i == 3), Settings: wanted})
	}
}

// A third process waits while two are measured, whatever the timing.
func TestSeriesWhileOthersWait(t *testing.T) {
	for _, timing := range []settings.Timing{"", settings.ByMax, settings.ByRoot, settings.ByGlobal} {
		rightSeries(t, 3, probe.Config{Selections: named(t, "PingPong"),
			Settings: precise(timing, func(p *settings.Precision) { p.Min, p.Max = 3, 9 })})
	}
}

func TestSeriesOfFiles(t *testing.T) {
	for i, timing := range []settings.Timing{"", settings.ByMax, settings.ByRoot, settings.ByGlobal} {
		c := probe.Config{Selections: all(kernel.IO, i == 3), Directory: t.TempDir(),
			Settings: precise(timing, func(p *settings.Precision) { p.Min, p.Max = 2, 3 })}
		c.Settings.Rows.Lengths, c.Settings.Compute = []int64{0, 1000}, 1e-5
		rightSeries(t, 1+i%3, c)
	}
}

// rightSeries measures, and requires that all data are checked and right, and that every row is complete.
func rightSeries(t *testing.T, processes int, c probe.Config) {
	t.Helper()
	r := onLocal(t, processes, c)
	for _, b := range r.Blocks {
		for _, row := range b.Rows {
			name := fmt.Sprintf("%s on %d by %s: %+v", b.Kernel, processes, c.Settings.Series.Timing, row)
			require.Zero(t, row.Defects, name)
			require.Empty(t, row.Missing, name)
			require.NotEmpty(t, row.Series, name)
			require.Len(t, row.Statistics, len(row.Series), name)
			require.GreaterOrEqual(t, row.Repetitions, c.Settings.Series.Precision.Min, name)
			require.NotEmpty(t, row.Series[0].Ended, name)
			if row.Bytes > 0 && b.Processes > 1 {
				require.Positive(t, row.Checked, name)
			}
			if c.Settings.Series.Timing != settings.ByRoot && b.Kernel != "Bcast_ack" {
				require.Positive(t, row.Statistics[0].Mean, name)
			}
		}
	}
}

// has reports whether a step has a call.
func has(s scripted.Step, op mpi.Op) bool {
	return slices.ContainsFunc(s.Calls, func(c mpi.Call) bool { return c.Op == op })
}

// Kernels that compute while they communicate have a series of each of their times, with the main one first. The series
// of both together also gives the time of the computing.
func TestSeriesWhileComputing(t *testing.T) {
	s := &scripted.Engine{Processes: 2, Cost: func(x scripted.Step) float64 { return micro * float64(x.Products) }}
	s.Each = func(x scripted.Step, _ int64) []float64 {
		list := []float64{0, 0, 0, 0, 0}
		switch {
		case x.Products > 0 && has(x, mpi.Ibcast): // laps: call and computing, barriers, rest
			list[0], list[1], list[2], list[3] = 1*micro, 4*micro, 9*micro, 3*micro
		case has(x, mpi.Put):
			list[0], list[1], list[2] = 6*micro, 20*micro, 9*micro
		default:
			list[2], list[3] = 9*micro, 5*micro
		}
		return list
	}
	wanted := precise(settings.ByMax, nil)
	c := probe.Config{Selections: named(t, "Ibcast", "Truly_passive_put"), Settings: wanted}
	r := onScript(t, s, c)
	row := r.Blocks[0].Rows[0]
	var times []string
	for _, x := range row.Series {
		times = append(times, x.Time)
		require.Equal(t, settings.Precise, x.Ended)
	}
	require.Equal(t, []string{"t_ovrl", "t_cpu", "t_pure"}, times)
	require.InEpsilon(t, 0.25, row.Derived[0].Overlap, 1e-9)
	row.Derived[0].Overlap = 0
	require.Equal(t, kernel.Times{Overlapped: 8 * micro, Pure: 5 * micro, Compute: 4 * micro}, rounded(row.Derived[0]))

	row = r.Blocks[1].Rows[0]
	require.Equal(t, []string{"t_pure", "t_passive"}, []string{row.Series[0].Time, row.Series[1].Time})
	require.Equal(t, kernel.Times{Pure: 6 * micro, Passive: 6 * micro}, rounded(row.Derived[0]))

	_, err := probe.NewPlan(2, probe.On(
		s, probe.Config{Selections: named(t, "Truly_passive_put"),
			Settings: precise(settings.ByRoot, nil)}))
	require.ErrorContains(t, err, "Truly_passive_put has a time that ends within a repetition")
}

// Operations between two readings: their time is divided by their number, and the last repetition's data are right.
func TestInner(t *testing.T) {
	s := &scripted.Engine{Processes: 2}
	var calls []int
	s.Each = func(x scripted.Step, _ int64) []float64 {
		if !isSeries(x) {
			return []float64{0, 0, 0}
		}
		calls = append(calls, len(x.Calls))
		return laps(x, 1*micro, 50*micro)
	}
	wanted := precise(settings.ByMax, func(p *settings.Precision) { p.Inner = 10 })
	r := onScript(t, s, probe.Config{Selections: named(t, "PingPong"), Settings: wanted})
	require.Equal(t, 2+1+10*2+1, calls[0], "barriers, lap, ten times two calls, lap")
	row := r.Blocks[0].Rows[0]
	require.InEpsilon(t, 2.5*micro, row.Statistics[0].Mean, 1e-9, "half of a tenth")
	require.EqualValues(t, 50e6, row.Series[0].Max[0])

	wanted.Memory.CacheSize = 1 << 20
	require.ErrorContains(t, wanted.Check(), "leave off_cache out")
	k, _, _ := suites.Find(kernel.IO, "P_Write_Indv")
	wanted.Memory.CacheSize = 0
	_, err := probe.NewPlan(2, probe.On(s, probe.Config{Selections: []probe.Selection{{Kernel: k, Named: true}},
		Settings: wanted}))
	require.ErrorContains(t, err, "P_Write_Indv can't have several operations between two readings of the clock")
}

// A row ends when another batch would take longer than it may.
func TestSeriesOutOfTime(t *testing.T) {
	s := &scripted.Engine{Processes: 2}
	n := 0
	s.Each = func(x scripted.Step, _ int64) []float64 {
		if !isSeries(x) {
			return []float64{0, 0, 0}
		}
		n++
		return laps(x, 0, 1+0.3*float64(n%2))
	}
	s.Cost = func(x scripted.Step) float64 {
		if isSeries(x) && x.Method == mpi.Barrier {
			return 1.15 // the warm-up
		}
		return 0
	}
	// Of 9.3 s the warm-up takes 1.15. Six repetitions, of which five are kept, take 6.9 s; there is no time for two
	// more.
	for time, want := range map[float64]int64{5: 2, 9.3: 5, 10.5: 6, 15: 10, 1: 1} {
		n = 0
		wanted := precise(settings.ByMax, nil)
		wanted.Repetitions.SampleTime = time
		r := onScript(t, s, probe.Config{Selections: named(t, "Sendrecv"), Settings: wanted})
		row := r.Blocks[0].Rows[0]
		require.Equal(t, want, row.Repetitions, "%v s", time)
		require.Equal(t, settings.OutOfTime, row.Series[0].Ended)
	}
}

// The known answer of Bcast_ack is 12 µs for 10 repetitions of 12 and 15 µs, and round trips of 4 and 6 µs.
func TestBcastAck(t *testing.T) {
	s := &scripted.Engine{Processes: 3, Each: func(x scripted.Step, _ int64) []float64 {
		switch {
		case has(x, mpi.Bcast):
			return []float64{12 * micro, 15 * micro, 0}
		case x.Messages > 0:
			return []float64{4 * micro, 6 * micro, 0}
		}
		return []float64{0, 0, 0}
	}}
	wanted := precise("", func(p *settings.Precision) { p.Min, p.Max = 10, 10 })
	wanted.Who.MinProcesses = 3
	r := onScript(t, s, probe.Config{Selections: named(t, "Bcast_ack"), Settings: wanted})
	row := r.Blocks[0].Rows[0]
	require.EqualValues(t, 10, row.Repetitions)
	require.InDelta(t, 12*micro, row.Derived[0].Max, 1e-15)
	require.InDeltaSlice(t, []float64{4 * micro, 6 * micro}, row.RoundTrips, 1e-12)
	wanted.Series.Precision = nil
	r = onScript(t, s, probe.Config{Selections: named(t, "Bcast_ack"), Settings: wanted})
	require.NotEmpty(t, r.Blocks[0].Rows[0].Series, "it has series with any settings")
	wanted.Series.Timing = settings.ByMax
	_, err := probe.NewPlan(3, probe.On(s, probe.Config{Selections: named(t, "Bcast_ack"), Settings: wanted}))
	require.ErrorContains(t, err, "Bcast_ack has its own timing: leave the timing max out")
}

func TestBcastAckLocal(t *testing.T) {
	for processes := 2; processes <= 5; processes++ {
		wanted := precise("", func(p *settings.Precision) { p.Max = 20 })
		wanted.Rows.Lengths = []int64{0, 1, 1000, 70000}
		rightSeries(t, processes, probe.Config{Selections: named(t, "Bcast_ack"), Settings: wanted})
	}
}
