package probe_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
)

// lapping is a scripted engine whose programs have the laps that laps returns: seconds of one loop, by the number of
// the lap.
type lapping struct {
	*scripted.Engine
	laps func(p *mpi.Program) []float64
}

type lappingRunner struct {
	mpi.Runner
	laps []float64
}

func (e lapping) Compile(p *mpi.Program) (mpi.Runner, error) {
	r, err := e.Engine.Compile(p)
	return lappingRunner{r, e.laps(p)}, err
}

func (r lappingRunner) Run(n mpi.Loops) (mpi.Measurement, error) {
	got, err := r.Runner.Run(n)
	got.Laps = nil
	for _, seconds := range r.laps {
		got.Laps = append(got.Laps, mpi.LapTime{Seconds: seconds * float64(got.Loops), Last: seconds})
	}
	return got, err
}

// products returns the number of matrix-vector products in a loop of a program.
func products(p *mpi.Program) (n int64) {
	for _, c := range p.Loop {
		if c.Op == mpi.Exploit {
			n += c.Times
		}
	}
	return n
}

// measureOne measures a kernel's only row on that engine.
func measureOne(t *testing.T, e lapping, c probe.Config) (*probe.Result, measured.Row) {
	t.Helper()
	plan, err := probe.NewPlan(e.Processes, probe.On(e, c))
	require.NoError(t, err)
	m, err := plan.Measure(e, rating.Observer[measured.Outcome]{Now: e.Now})
	require.NoError(t, err)
	r := probe.NewResult(plan, m, probe.Run{})
	require.Len(t, r.Blocks, 1)
	require.Len(t, r.Blocks[0].Rows, 1)
	return r, r.Blocks[0].Rows[0]
}

// Nonblocking collectives (guide, "Measuring Communication and Computation Overlap"): t_pure is communication by
// itself, each process computes for as long, t_CPU is this computing during the communication, t_ovrl is both together,
// and overlap = max(0, min(1, (t_pure + t_CPU - t_ovrl)/min(t_pure, t_CPU))).
func TestOverlapOfCollectives(t *testing.T) {
	const product = 1.0 / (1 << 20) // seconds of one
	for _, c := range []struct{ pure, slowdown, together, want float64 }{
		{1. / 1024, 1, 1. / 1024, 1}, // all is hidden
		{1. / 1024, 1, 1.25 / 1024, .75},
		{1. / 1024, 1.5, 2. / 1024, .5}, // computing takes longer during communication
		{1. / 1024, .5, 1. / 1024, 1},   // half a millisecond of computing is hidden in one of communication
		{1. / 1024, .5, 1.25 / 1024, .5},
		{1. / 1024, 1, 2. / 1024, 0}, // nothing is hidden
		{1. / 1024, 1, 3. / 1024, 0}, // not less than nothing
		{1. / 1024, 1, .5 / 1024, 1}, // not more than all
	} {
		var asked int64
		e := lapping{Engine: &scripted.Engine{Processes: 4}}
		communicates := func(p *mpi.Program) bool { return len(p.Places) > 0 }
		e.Cost = func(x scripted.Step) float64 {
			switch {
			case !communicates(x.Program):
				return product * float64(x.Products)
			case x.Products > 0:
				asked = x.Products
				return c.together
			}
			return c.pure
		}
		e.laps = func(p *mpi.Program) []float64 {
			if n := products(p); n > 0 && communicates(p) {
				computing := c.slowdown * product * float64(n)
				return []float64{c.together - computing, computing}
			}
			return nil
		}
		r, row := measureOne(t, e, probe.Config{Selections: named(t, "Iallgather"),
			Settings: settings.Settings{Rows: settings.Rows{Lengths: []int64{4096}},
				Repetitions: settings.Repetitions{Max: 8, Policy: settings.Off}, Who: settings.Who{MinProcesses: 4}}})
		require.EqualValues(t, 1024, asked, "as long as t_pure: 2^-10 s of 2^-20 s each")
		require.InEpsilon(t, 2*100*100/product, r.CPU.Flops, 1e-9, "a product of 100 x 100 has 2·100·100 operations")
		require.InDelta(t, 0.1, r.CPU.Target, 0)
		got := row.Derived[0]
		require.InEpsilon(t, c.pure, got.Pure, 1e-6)
		require.InEpsilon(t, c.together, got.Overlapped, 1e-6)
		require.InEpsilon(t, c.slowdown*c.pure, got.Compute, 1e-6)
		require.InDelta(t, c.want, got.Overlap, 1e-6, "%+v", c)
		require.Zero(t, got.Bandwidth)
	}
}

// Nonblocking file calls ("Non-blocking I/O Benchmarks"): the computing takes 0.1 s, or the requested time, and t_CPU
// is the time of computing by itself.
func TestOverlapOfFiles(t *testing.T) {
	const product = 1e-5
	for _, c := range []struct{ compute, alone, pure, together, want float64 }{
		{0, 0.1, 0.2, 0.25, .5},
		{0, 0.1, 0.2, 0.2, 1},
		{0.3, 0.3, 0.2, 0.45, .25},
		{0.3, 0.3, 0.2, 0.6, 0},
	} {
		var asked int64
		e := lapping{Engine: &scripted.Engine{Processes: 2}, laps: func(*mpi.Program) []float64 { return nil }}
		e.Cost = func(x scripted.Step) float64 {
			switch {
			case x.Bytes > 0 && x.Products > 0:
				asked = x.Products
				return c.together
			case x.Products > 0:
				return product * float64(x.Products)
			}
			return c.pure
		}
		_, row := measureOne(t, e, probe.Config{Selections: named(t, "P_IRead_Indv"), Directory: t.TempDir(),
			Settings: settings.Settings{Rows: settings.Rows{Lengths: []int64{4096}},
				Repetitions: settings.Repetitions{Max: 3, Policy: settings.Off}, Who: settings.Who{MinProcesses: 2},
				Parameters: settings.Parameters{Compute: c.compute}}})
		require.InEpsilon(t, c.alone/product, float64(asked), 1e-9)
		got := row.Derived[0]
		require.InEpsilon(t, c.pure, got.Pure, 1e-6)
		require.InEpsilon(t, c.together, got.Overlapped, 1e-6)
		require.InEpsilon(t, c.alone, got.Compute, 1e-6)
		require.InDelta(t, c.want, got.Overlap, 1e-6, "%+v", c)
	}
}

// Truly_passive_put has the origin's time until its put is complete, first while the target waits in MPI_Barrier, then
// while the target computes for as long.
func TestPassiveTarget(t *testing.T) {
	const waits, computes = 3e-3, 5e-3
	runs := 0
	e := lapping{Engine: &scripted.Engine{Processes: 2, Cost: func(x scripted.Step) float64 {
		return 1e-3 * float64(x.Products)
	}}}
	e.laps = func(p *mpi.Program) []float64 {
		for _, c := range p.Loop {
			if c.Op == mpi.Lap {
				runs++
				return []float64{map[bool]float64{true: waits, false: computes}[runs <= 2], 1}
			}
		}
		return nil
	}
	_, row := measureOne(t, e, probe.Config{Selections: named(t, "Truly_passive_put"),
		Settings: settings.Settings{Rows: settings.Rows{Lengths: []int64{4096}},
			Repetitions: settings.Repetitions{Max: 4, Policy: settings.Off}}})
	require.Equal(t, 3, runs, "before the clock, waiting, computing")
	require.InEpsilon(t, waits, row.Derived[0].Pure, 1e-6)
	require.InEpsilon(t, computes, row.Derived[0].Passive, 1e-6)
}

// The multiple mode shows all groups together (outflag 0), or each group (1) ("-multi outflag Option").
func TestSamplesOfGroups(t *testing.T) {
	for outflag, want := range map[int]int{0: 1, 1: 3} {
		s := &scripted.Engine{Processes: 6, Cost: func(scripted.Step) float64 { return 1e-3 }}
		s.Members = func(color, _ int) int { return 2 }
		r := onScript(t, s, probe.Config{Selections: named(t, "Multi-PingPong"),
			Settings: settings.Settings{Rows: settings.Rows{Lengths: []int64{1000}},
				Repetitions: settings.Repetitions{Max: 4, Policy: settings.Off}, Who: settings.Who{Multi: &outflag}}})
		samples := r.Blocks[0].Rows[0].Samples
		require.Len(t, samples, want)
		for _, x := range samples {
			require.InEpsilon(t, 4e-3, x.Min, 1e-9)
			require.InEpsilon(t, 4e-3, x.Max, 1e-9)
			require.InEpsilon(t, 4e-3, x.Mean, 1e-9)
		}
	}
}

// A clock that does not advance can't measure the time of computing.
func TestCalibrationOfNoTime(t *testing.T) {
	s := &scripted.Engine{Processes: 2}
	plan, err := probe.NewPlan(2, probe.On(s, probe.Config{Selections: named(t, "Ibcast")}))
	require.NoError(t, err)
	_, err = plan.Measure(s, rating.Observer[measured.Outcome]{Now: s.Now})
	require.EqualError(t, err, "measure: calibrate: the clock does not advance in 1099511627776 products")
}
