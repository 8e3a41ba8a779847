package beffio_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
)

// judged returns the result of made, whose measurement is changed before the verdict.
func judged(t *testing.T, c beffio.Config, change func(*beffio.Measured, *beffio.Run)) *beffio.Result {
	plan, err := beffio.NewPlan(4, c)
	require.NoError(t, err)
	from := made(t, c)
	m := &beffio.Measured{Samples: from.Samples, Files: from.Files, WallSeconds: 7000}
	run := beffio.Run{}
	run.Library.Engine = "libmpi"
	change(m, &run)
	return beffio.NewResult(plan, m, run)
}

// megas is the amount that a process writes in the result of made, in MB of 2^20 bytes, counted by hand from Table 2: a
// call of each pattern with no unit of time, and ten for each unit.
const megas = 5 + 10*(4*2+4*2+4+2+2+2*(1+256./(1<<20))+2*(1+8192./(1<<20))+2*(1+8./(1<<20))+
	(4*2+2+other)+3*(2*2+2+other))

// other is the amount in MB that a unit of time writes in the patterns of types 1 to 4 with small chunks, and with 1 MB
// and 8 bytes.
const other = (32768+1024+32776+1032)/float64(1<<20) + 2*(1+8./(1<<20))

// wholeBytes are the bytes in the files of all 4 processes.
const wholeBytes = int64(4 * megas * (1 << 20))

// A warning appears if its condition holds, and not a step before. The conditions are files of a partition that fit in
// the memory of all nodes, 10 % more than T, and a clock of a hundredth of the shortest time of a pattern with more
// than one call.
func TestWarnings(t *testing.T) {
	few := func(c *beffio.Config) { c.TotalMemory = 1 << 30 }
	for name, c := range map[string]struct {
		config func(*beffio.Config)
		change func(*beffio.Measured, *beffio.Run)
		want   []string
		text   string // of the first warning
	}{
		"none": {few, func(*beffio.Measured, *beffio.Run) {}, nil, ""},
		"memory as large as the files": {func(c *beffio.Config) { c.TotalMemory = wholeBytes },
			func(*beffio.Measured, *beffio.Run) {}, nil, ""},
		"memory larger than the files": {func(c *beffio.Config) { c.TotalMemory = wholeBytes + 1 },
			func(*beffio.Measured, *beffio.Run) {}, []string{"cache"}, "less than the"},
		"memory not known": {func(c *beffio.Config) { c.TotalMemory = 0 }, func(*beffio.Measured, *beffio.Run) {},
			[]string{"cache"}, "the memory of the nodes is not known"},
		"not known of a run that ended early": {func(c *beffio.Config) { c.TotalMemory = 0 },
			func(_ *beffio.Measured, r *beffio.Run) { r.Err = errors.New("stopped") }, nil, ""},
		"two patterns out of bytes": {few, func(m *beffio.Measured, _ *beffio.Run) {
			m.Samples[1].OutOfBytes, m.Samples[3].OutOfBytes = true, true
		}, []string{"bytes"}, "2 of the patterns ended early because the files of all partitions may hold"},
		"a pattern out of bytes": {few, func(m *beffio.Measured, _ *beffio.Run) { m.Samples[1].OutOfBytes = true },
			[]string{"bytes"}, "1 of the patterns ended early because the files of all partitions may hold"},
		"10 % longer": {few, func(m *beffio.Measured, _ *beffio.Run) { m.WallSeconds = 7919 }, nil, ""},
		"more than that": {few, func(m *beffio.Measured, _ *beffio.Run) { m.WallSeconds = 7921 },
			[]string{"overrun"}, "the run took 132.0 min instead of the scheduled 120.0 min"},
		"three patterns cut": {few, func(m *beffio.Measured, _ *beffio.Run) {
			for i := range 3 {
				m.Samples[len(m.Samples)-1-i].OutOfTime = true
			}
		}, []string{"cut"}, "3 of the patterns ended before"},
		"a fine clock": {few, func(m *beffio.Measured, r *beffio.Run) {
			shortest(m, 5)
			r.Resolution = 0.01 // exactly a hundredth
		}, nil, ""},
		"a coarse clock": {few, func(m *beffio.Measured, r *beffio.Run) {
			shortest(m, 5)
			r.Resolution = 0.0101
		}, []string{"clock"}, "the clock's step of 10.1 ms is 1.01 % of the shortest pattern of 1 s"},
		"a coarse clock for one call": {few, func(m *beffio.Measured, r *beffio.Run) {
			shortest(m, 0)
			r.Resolution = 0.0101
		}, nil, ""},
		"a coarse clock for two calls": {few, func(m *beffio.Measured, r *beffio.Run) {
			shortest(m, 5)
			m.Samples[5].Repetitions = 2
			r.Resolution = 0.0101
		}, []string{"clock"}, "the shortest pattern of 1 s"},
		"the embedded engine": {few, func(_ *beffio.Measured, r *beffio.Run) { r.Library.Engine = "local" },
			[]string{"embedded"}, "measured by the embedded engine"},
		"hints that are ignored": {func(c *beffio.Config) {
			few(c)
			for _, key := range []string{"a", "b", "a", "c"} {
				c.Hints = append(c.Hints, beffio.HintRule{Hint: mpi.Hint{Key: key, Value: "1"}})
			}
		}, func(m *beffio.Measured, _ *beffio.Run) {
			m.Hints = []beffio.HintsInForce{{Access: beffio.Write, Type: "scatter", Hints: []mpi.Hint{{Key: "c"}}}}
		}, []string{"hints"}, "the library did not confirm these hints: a, b"},
		"more processes than processors": {few, func(_ *beffio.Measured, r *beffio.Run) {
			r.Layout.Placement = []job.Placement{{Host: "n1", Ranks: "0-3", Processes: 4, Processors: 2}}
		}, []string{"crowded"}, "on host n1 there are more"},
	} {
		t.Run(name, func(t *testing.T) {
			whole := config()
			c.config(&whole)
			r := judged(t, whole, c.change)
			var codes []string
			for _, w := range r.Warnings {
				codes = append(codes, w.Code)
				require.NotEmpty(t, w.Remedy)
			}
			require.Equal(t, c.want, codes)
			if c.want != nil {
				require.Contains(t, r.Warnings[0].Text, c.text)
			}
		})
	}
}

// If files are smaller than the memory, the remedy is about the limit of bytes if a pattern met it, and otherwise about
// T.
func TestRemedyOfCache(t *testing.T) {
	for _, limited := range []bool{false, true} {
		c := config()
		c.TotalMemory = 1 << 40
		r := judged(t, c, func(m *beffio.Measured, _ *beffio.Run) { m.Samples[1].OutOfBytes = limited })
		require.Equal(t, "cache", r.Warnings[0].Code)
		require.Equal(t, limited, strings.Contains(r.Warnings[0].Remedy, "--max-bytes"))
		require.Equal(t, !limited, strings.Contains(r.Warnings[0].Remedy, "-T"))
	}
}

// The warning about patterns that were cut gives the part of the rated partition's files that the run read: half, or
// all if nothing was written.
func TestCutReads(t *testing.T) {
	for want, change := range map[string]func(*beffio.Measured, *beffio.Run){
		"read 50 % of the rated partition's files": read(2, 0),
		"read 100 % of the rated partition's files": func(m *beffio.Measured, _ *beffio.Run) {
			m.Samples = slices.DeleteFunc(m.Samples, func(s beffio.Sample) bool { return s.Access == beffio.Write })
		},
	} {
		r := judged(t, config(), func(m *beffio.Measured, run *beffio.Run) {
			change(m, run)
			m.Samples[len(m.Samples)-1].OutOfTime = true
		})
		last := r.Warnings[len(r.Warnings)-1]
		require.Equal(t, "cut", last.Code)
		require.Contains(t, last.Text, want)
	}
}

// shortest makes one sample take a second, and all others two.
func shortest(m *beffio.Measured, sample int) {
	for i := range m.Samples {
		m.Samples[i].Seconds = 2
	}
	m.Samples[sample].Seconds = 1
}

// The paper (Sec. 4) requires at least 15 minutes for a partition, and files that hold the data written in 300 s.
// Release 2.1 requires 30 minutes. At least half of the written data must be read.
func TestCriteria(t *testing.T) {
	for name, c := range map[string]struct {
		config func(*beffio.Config)
		change func(*beffio.Measured, *beffio.Run)
		missed []string
	}{
		"all":           {func(*beffio.Config) {}, nil, nil},
		"15 minutes":    {func(c *beffio.Config) { c.Duration = 30 * time.Minute }, nil, nil},
		"a second less": {func(c *beffio.Config) { c.Duration = 30*time.Minute - 1 }, nil, []string{"time"}},
		"30 minutes": {func(c *beffio.Config) { c.Rules, c.Duration = beffio.Rules21, time.Hour },
			nil, nil},
		"a second less by 2.1": {func(c *beffio.Config) { c.Rules, c.Duration = beffio.Rules21, time.Hour-1 },
			nil, []string{"time"}},
		"quick":            {func(c *beffio.Config) { c.Quick = true }, nil, []string{"time"}},
		"without pointers": {func(c *beffio.Config) { c.NoShared = true }, nil, []string{"shared"}},
		"an error": {nil, func(m *beffio.Measured, _ *beffio.Run) { m.Samples[90].Errors = 1 },
			[]string{"data"}},
		"out of bytes": {nil, func(m *beffio.Measured, _ *beffio.Run) { m.Samples[90].OutOfBytes = true },
			[]string{"bytes"}},
		"ended": {nil, func(_ *beffio.Measured, r *beffio.Run) { r.Err = errors.New("stop") },
			[]string{"complete"}},
		"nothing to rate": {nil, func(m *beffio.Measured, _ *beffio.Run) { m.Samples = nil },
			[]string{"complete", "size"}},
		"a byte in seconds": {nil, func(m *beffio.Measured, _ *beffio.Run) {
			for i := range m.Samples {
				m.Samples[i].Seconds *= 1e8
			}
		}, nil},
		"half is read":     {nil, read(2, 0), nil},
		"less than half":   {nil, read(2, 1), []string{"read"}},
		"the rest again":   {nil, again, []string{"read"}},
		"300 s of writing": {nil, writing(300), nil},
		"less than 300 s":  {nil, writing(299.9), []string{"size"}},
		"no size by 2.1":   {func(c *beffio.Config) { c.Rules = beffio.Rules21 }, writing(1), nil},
	} {
		t.Run(name, func(t *testing.T) {
			whole := config()
			if c.config != nil {
				c.config(&whole)
			}
			if c.change == nil {
				c.change = func(*beffio.Measured, *beffio.Run) {}
			}
			r := judged(t, whole, c.change)
			var missed []string
			for _, x := range r.Criteria {
				if !x.Reached {
					missed = append(missed, x.Name)
				}
			}
			require.Equal(t, c.missed, missed)
			require.Equal(t, missed == nil, r.Valid)
			require.Equal(t, name == "ended", strings.Contains(r.Criteria[1].Text, "it ended with: stop"))
		})
	}
}

// read divides the bytes that partition 1 read, and subtracts some more.
func read(by, less int64) func(*beffio.Measured, *beffio.Run) {
	return func(m *beffio.Measured, _ *beffio.Run) {
		m.Samples = slices.Clone(m.Samples)
		for i := range m.Samples {
			if s := &m.Samples[i]; s.Partition == 1 && s.Access == beffio.Read {
				s.Bytes /= by
				if s.Pattern == 3 {
					s.Bytes -= less
				}
			}
		}
	}
}

// again reads the other half in a second pass, which may come from a cache.
func again(m *beffio.Measured, run *beffio.Run) {
	read(2, 1)(m, run)
	for _, s := range m.Samples {
		if s.Access == beffio.Read {
			s.Pass = 1
			m.Samples = append(m.Samples, s)
		}
	}
}

// writing sets the total seconds of partition 1's initial write, and 400 s for each pattern of the other partition.
func writing(seconds float64) func(*beffio.Measured, *beffio.Run) {
	return func(m *beffio.Measured, _ *beffio.Run) {
		m.Samples = slices.Clone(m.Samples)
		for i := range m.Samples {
			if s := &m.Samples[i]; s.Access == beffio.Write {
				if s.Seconds = 400; s.Partition == 1 {
					s.Seconds = seconds / 43
				}
			}
		}
	}
}

// A pattern's bandwidth is the first pass's. It is 0 if any pass had errors or the clock measured no time.
func TestBandwidthOfPasses(t *testing.T) {
	r := &beffio.Result{Samples: []beffio.Sample{
		{Partition: 1, Access: beffio.Read, Pattern: 4, Bytes: 600, Seconds: 3},
		{Partition: 1, Access: beffio.Read, Pattern: 4, Bytes: 600, Seconds: 1, Pass: 1},
		{Partition: 1, Access: beffio.Write, Pattern: 4, Bytes: 600},
		{Partition: 0, Access: beffio.Read, Pattern: 4, Bytes: 600, Seconds: 3},
		{Partition: 0, Access: beffio.Read, Pattern: 4, Bytes: 600, Seconds: 1, Pass: 1, Errors: 1},
	}}
	require.EqualValues(t, 200, r.Bandwidth(1, beffio.Read, 4))
	require.Zero(t, r.Bandwidth(1, beffio.Write, 4))
	require.Zero(t, r.Bandwidth(0, beffio.Read, 4))
	require.Zero(t, r.Bandwidth(0, beffio.Read, 5))
}

// "Bytes moved by all processes / time from open to close" of the first pass, except that the last pass closes and
// removes the file.
func TestTypeOfPasses(t *testing.T) {
	r := made(t, config())
	before := r.Derived.Partitions[1].Accesses[2]
	for _, f := range r.Files {
		if f.Access == beffio.Read && f.Partition == 1 {
			f.Pass, f.Open, f.Close = 1, 7, 3
			r.Files = append(r.Files, f)
		}
	}
	for _, s := range r.Samples {
		if s.Access == beffio.Read {
			s.Pass = 1
			r.Samples = append(r.Samples, s)
		}
	}
	after := beffio.Derive(r).Partitions[1].Accesses[2]
	require.InEpsilon(t, before.Seconds+5*(3-0.25), after.Seconds, 1e-12)
	require.Equal(t, before.Bytes, after.Bytes)
	require.InEpsilon(t, before.Types[0]*(seconds0+0.5)/(seconds0+0.25+3), after.Types[0], 1e-12)
}

// seconds0 is how long made reads the patterns of type 0: four MB of 2^20 bytes a second.
const seconds0 = (1 + 10*(4*2+4*2+4+2+2+2*(1+256./(1<<20))+2*(1+8192./(1<<20))+2*(1+8./(1<<20)))) / 4

// The partition with the best number is rated, or none if there is no number.
func TestRated(t *testing.T) {
	r := made(t, config())
	require.Equal(t, 1, r.Rated())
	r.Derived.BEffIO, r.Derived.Processes = 1, 2
	require.Equal(t, 0, r.Rated())
	r.Derived.BEffIO = 0
	require.Equal(t, -1, r.Rated())
	require.Equal(t, "it needs write, rewrite and read of all pattern types on one partition", r.NotComputed())
	r.Complete = false
	require.Contains(t, r.NotComputed(), "ended too early: it needs")
}

// Wrong chunks are counted for a partition or for all.
func TestWrongChunks(t *testing.T) {
	r := &beffio.Result{Samples: []beffio.Sample{{Errors: 1}, {Partition: 1, Errors: 2}, {Partition: 1, Errors: 4}}}
	for partition, want := range map[int]int64{-1: 7, 0: 1, 1: 6, 2: 0} {
		require.Equal(t, want, r.WrongChunks(partition), "partition %d", partition)
	}
	p := made(t, config()).Derived.Partitions[0]
	require.Equal(t, p.Accesses[2], p.Access(beffio.Read))
	p.Accesses = p.Accesses[:1]
	require.Equal(t, beffio.AccessMethod{Access: beffio.Read, Types: make([]float64, 5)}, p.Access(beffio.Read))
}
