package beffio

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
)

// Only the first pass has the times of all calls, in blocks.
func TestBlocksAreKept(t *testing.T) {
	const processes = 2
	plan := newPlan(t, processes, Config{Rules: RulesPaper, Memory: 1 << 20, MaxBytes: 1 << 30, Duration: 2e9,
		Partitions: []int{1, 2}})
	dir := t.TempDir()
	var all *Measured
	require.NoError(t, local.Run(processes, func(e mpi.Engine) error {
		m, err := measureIn(plan, dir, e, rating.Observer[Measured]{})
		if e.World().Rank() == 0 {
			all = m
		}
		return err
	}))
	for _, s := range all.Samples {
		if s.Pass > 0 {
			require.Nil(t, s.Blocks)
			continue
		}
		if s.Bytes == 0 {
			continue
		}
		b := s.Blocks
		require.NotNil(t, b, "%s of pattern %d", s.Access, s.Pattern)
		require.NoError(t, b.check(&s))
		made := b.Calls * int64(len(b.Seconds))
		require.LessOrEqual(t, made, s.Repetitions)
		require.Less(t, s.Repetitions-made, b.Calls)
		require.Equal(t, made < s.Repetitions, b.Rest > 0)
		require.GreaterOrEqual(t, len(b.Seconds), int(min(s.Repetitions, mpi.MaxBlocks/2)))
	}
	r := NewResult(plan, all, Run{})
	require.NoError(t, r.Check())
	require.Equal(t, r.Derived.Partitions[r.Rated()].Interval, r.Derived.BEffIOInterval)

	for i := range r.Samples {
		r.Samples[i].Blocks = nil
	}
	require.Nil(t, Derive(r).BEffIOInterval, "without times of calls")
}

func newRand() *rand.Rand { return rand.New(rand.NewPCG(20261122, 14)) }

func newPlan(t *testing.T, processes int, c Config) *Plan {
	p, err := NewPlan(processes, c)
	require.NoError(t, err)
	return p
}

func TestBlocksThatCantBe(t *testing.T) {
	good := func() Sample {
		return Sample{Seconds: 4, Repetitions: 10, Calls: 20, Blocks: &Blocks{Calls: 3, Seconds: []float64{1, 1, 1},
			Rest: 0.3}}
	}
	s := good()
	require.NoError(t, s.Blocks.check(&s))
	for name, spoil := range map[string]func(s *Sample){
		"later pass":     func(s *Sample) { s.Pass = 1 },
		"no calls":       func(s *Sample) { s.Blocks.Calls = 0 },
		"no blocks":      func(s *Sample) { s.Blocks.Seconds = nil },
		"too many":       func(s *Sample) { s.Blocks.Seconds = make([]float64, mpi.MaxBlocks); s.Calls = 1000 },
		"more calls":     func(s *Sample) { s.Blocks.Calls = 7 },
		"huge":           func(s *Sample) { s.Blocks.Calls = math.MaxInt64 },
		"negative":       func(s *Sample) { s.Blocks.Seconds[1] = -1 },
		"infinite":       func(s *Sample) { s.Blocks.Seconds[1] = math.Inf(1) },
		"negative rest":  func(s *Sample) { s.Blocks.Rest = -1 },
		"longer":         func(s *Sample) { s.Blocks.Seconds[1] = 4 },
		"longer by rest": func(s *Sample) { s.Blocks.Rest = 4 },
	} {
		s := good()
		spoil(&s)
		require.Error(t, s.Blocks.check(&s), name)
	}
}

// A further second of a type's time lowers the formula's rating by the type's part over its seconds, as the interval
// assumes.
func TestPartsFollowTheFormula(t *testing.T) {
	k := kindsOfMachines()[1]
	p := newPlan(t, 2, Config{Rules: RulesPaper, Partitions: []int{2}, Memory: 256 << 20, MaxBytes: 1 << 60,
		Duration: valid * time.Second})
	for _, rules := range []Rules{RulesPaper, Rules21} {
		r := k.run(p, newRand(), nil)
		r.Rules = rules
		r.Derived = Derive(r)
		before := r.Derived.BEffIO
		parts := r.Derived.Partitions[0].parts(rules)
		sum := 0.0
		for _, part := range parts {
			sum += part
		}
		require.InEpsilon(t, 1, sum, 1e-12, "with all bandwidths 1 %% higher, the rating is 1 %% higher")
		for at, part := range parts {
			if part == 0 {
				continue
			}
			const more = 1e-4
			seconds := timesOf(r)[0].seconds[at]
			i := firstOf(r, at.access, at.typ)
			r.Samples[i].Seconds += more
			require.InEpsilon(t, part*more/seconds, -math.Log(Derive(r).BEffIO/before), 1e-3, "%v", at)
			r.Samples[i].Seconds -= more
		}
	}
}

// firstOf returns the index of the first sample of a type.
func firstOf(r *Result, a Access, typ patterns.IOType) int {
	for i, s := range r.Samples {
		if s.Access == a && r.typeOf(s.Pattern) == typ {
			return i
		}
	}
	panic(errors.New("no such sample"))
}

// The interval isn't known if most of the time is in one-time costs, or if a stall makes its end infinite. A pattern
// that became slower makes it wider.
func TestNotKnown(t *testing.T) {
	p := newPlan(t, 2, Config{Rules: RulesPaper, Partitions: []int{2}, Memory: 256 << 20, MaxBytes: 1 << 60,
		Duration: valid * time.Second})
	k := kindsOfMachines()[1]
	r := k.run(p, newRand(), nil)
	require.NotNil(t, r.Derived.BEffIOInterval)
	require.Less(t, r.Derived.BEffIOInterval.RelativeHalfWidth(r.Derived.BEffIO), 0.02)
	require.Equal(t, rating.ByCalls, r.Derived.BEffIOInterval.Method)
	require.Equal(t, "interval", r.Signs[0].Name)
	require.Equal(t, "outliers", r.Signs[1].Name)
	require.True(t, r.Signs[0].Quiet && r.Signs[1].Quiet)

	changed := k.run(p, newRand(), nil)
	for i := range changed.Samples {
		if s := &changed.Samples[i]; s.Access == Read && s.Pattern == 18 && s.Pass == 0 {
			for j := range s.Blocks.Seconds {
				if j >= len(s.Blocks.Seconds)/2 {
					s.Seconds += s.Blocks.Seconds[j]
					s.Blocks.Seconds[j] *= 2
				}
			}
		}
	}
	d := Derive(changed)
	part := func(d *Derived) float64 {
		read := d.Partitions[0].Access(Read)
		return read.Interval.RelativeHalfWidth(read.Bandwidth)
	}
	require.Greater(t, part(&d), 2*part(&r.Derived))

	once := k.run(p, newRand(), nil)
	for i := range once.Samples {
		once.Samples[i].Seconds *= 3
	}
	require.Nil(t, Derive(once).BEffIOInterval)

	held := k.run(p, newRand(), nil)
	for i := range held.Samples {
		if s := &held.Samples[i]; s.Access == Rewrite && s.Blocks != nil && len(s.Blocks.Seconds) > 2 {
			lost := 1e5 * s.Blocks.Seconds[0]
			s.Blocks.Seconds[1] += lost
			s.Seconds += lost
		}
	}
	rewrite := Derive(held).Partitions[0].Access(Rewrite)
	require.Nil(t, rewrite.Interval, "JSON has no infinity")

	stalled := k.run(p, newRand(), nil)
	for i := range stalled.Samples {
		if s := &stalled.Samples[i]; s.Access == Read && s.Pattern == 18 && s.Pass == 0 {
			s.Blocks.Seconds[3] *= 20
			s.Seconds += s.Blocks.Seconds[3] * 19 / 20
		}
	}
	stalled.Derived = Derive(stalled)
	require.Greater(t, outliers(stalled), maxOutliers)
	require.True(t, rating.Noisy(noiseSigns(stalled)))
}
