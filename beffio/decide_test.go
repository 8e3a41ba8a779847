package beffio

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/fault"
	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
)

// beforeReading returns the schedule of a run of 100 s on 2 processes before a pass over the read access. Its patterns
// took a second for each unit of time, together 64 s, and the 7 patterns without units took half a second each.
func beforeReading(t *testing.T) *schedule {
	s := ofHundred(t)
	for _, it := range s.items {
		r := s.plan.Rows[it.row]
		if s.next++; it.access == Write {
			s.took[it] = float64(r.Units)
		}
		s.ratio[key{it.access, it.row}] = 1
		if r.Units == 0 && it.access == Read {
			s.constant[key{it.access, it.row}] = 0.5
		}
	}
	return s
}

// A pass is the last one unless 3 % of the run's time will be left for another one. The first pass is always whole. A
// later pass with less time left only opens and closes the files.
func TestReadPass(t *testing.T) {
	const whole = 64 + 7*0.5
	for _, c := range []struct {
		number int
		left   float64
		want   readPass
		part   bool
	}{
		{0, whole + 3.1, readPass{}, false},
		{0, whole + 2.9, readPass{Last: true}, false},
		{0, whole - 0.1, readPass{Last: true}, false},
		{0, 2.9, readPass{Last: true}, false},
		{0, -1, readPass{Last: true}, false},
		{1, whole + 3.1, readPass{}, false},
		{1, whole + 2.9, readPass{Last: true}, false},
		{1, whole + 0.1, readPass{Last: true}, false},
		{1, whole - 0.1, readPass{Last: true}, true},
		{1, 3.1, readPass{Last: true}, true},
		{1, 2.9, readPass{Last: true, Bare: true}, true},
		{maxPasses - 2, whole + 3.1, readPass{}, false},
		{maxPasses - 1, whole + 3.1, readPass{Last: true}, false},
	} {
		s := beforeReading(t)
		before := len(s.items)
		if c.number == 0 {
			s.next -= s.reads
		}
		require.Equal(t, c.want, s.readPass(c.number, 100-c.left), "pass %d with %v s left", c.number, c.left)
		require.Equal(t, c.part, s.part, "pass %d with %v s left", c.number, c.left)
		require.Equal(t, Read, s.items[s.next].access)
		require.Equal(t, 0, s.items[s.next].row)
		require.Equal(t, 43, len(s.items)-s.next)
		require.Equal(t, c.number > 0, len(s.items) > before)
	}
	for _, ends := range []func(*schedule){
		func(s *schedule) { s.resumed = true },
	} {
		s := beforeReading(t)
		s.next -= s.reads
		ends(s)
		require.Equal(t, readPass{Last: true}, s.readPass(0, 0))
	}
}

// A run whose bytes were limited ends early, after it has read for 5 % more of its time.
func TestReadPassOfFewBytes(t *testing.T) {
	s := beforeReading(t)
	s.outOfBytes = true
	s.next -= s.reads
	require.Equal(t, readPass{}, s.readPass(0, 0))
	require.InEpsilon(t, 100., s.seconds, 1e-12)
	s = beforeReading(t)
	s.outOfBytes = true
	require.Equal(t, readPass{Last: true}, s.readPass(1, 40))
	require.True(t, s.part)
	require.InEpsilon(t, 42., s.seconds, 1e-12)
	require.InEpsilon(t, 2*0.5/67.5, s.share(40).Seconds, 1e-12)
	s = beforeReading(t)
	s.outOfBytes = true
	require.Equal(t, readPass{Last: true, Bare: true}, s.readPass(1, 99))
	require.InEpsilon(t, 100., s.seconds, 1e-12, "the time is limited, too")
}

// A pass with too little time divides it in proportion to the times of the patterns. A whole pass may take its part of
// twice T, and a fiftieth of the rest more.
func TestSharesOfPasses(t *testing.T) {
	s := beforeReading(t)
	require.Equal(t, readPass{Last: true}, s.readPass(1, 100-68))
	require.InEpsilon(t, 168*(0.5/67.5+0.02), s.share(200-168).Seconds, 1e-12)
	s.next++
	require.InEpsilon(t, 167.5*(4/67.+0.02), s.share(200-167.5).Seconds, 1e-12)
	s = beforeReading(t)
	require.Equal(t, readPass{Last: true}, s.readPass(1, 100-10))
	require.InEpsilon(t, 10*0.5/67.5, s.share(100-10).Seconds, 1e-12)
	s.next++
	require.InEpsilon(t, 10*4/67., s.share(100-10).Seconds, 1e-12)
}

// slowing returns the result of a run of 1000 s on a file system that reads and rewrites slower than it writes, by a
// factor.
func slowing(t *testing.T, factor float64) *Result {
	plan, err := NewPlan(2, thousand(nil))
	require.NoError(t, err)
	e, access := &scripted.Engine{Processes: 2}, ""
	e.Members = inTurn(1, 2)
	e.Cost = func(s scripted.Step) float64 {
		seconds := 2 * float64(s.Bytes) / 1e9
		if access != string(Write) {
			seconds *= factor
		}
		return seconds
	}
	m, err := measureIn(plan, "nowhere", e, observer{Now: e.Now, Progress: func(p rating.Progress) {
		access, _, _ = strings.Cut(p.Doing, ",")
	}})
	require.NoError(t, err)
	return NewResult(plan, m, Run{})
}

// A pattern that repeats another pattern's calls makes all of them, even if that takes twice as long. If the run would
// take more than twice T, the pattern is ended early, with as many calls as fit, and its sample records that.
func TestOutOfTime(t *testing.T) {
	r := slowing(t, 2)
	require.InEpsilon(t, 1000*(64+2*(22+64))/150., r.WallSeconds, 0.01)
	for _, s := range r.Samples {
		require.False(t, s.OutOfTime)
	}
	r = slowing(t, 10)
	require.InEpsilon(t, 2000, r.WallSeconds, 0.05)
	write, cut := passOf(r, 0, Write), 0
	for _, s := range r.Samples {
		if s.Access == Write {
			require.False(t, s.OutOfTime)
			continue
		}
		p := r.Pattern(s.Pattern)
		call := 10 * 2 * float64(p.Memory) / 1e9
		want := min(max(int64(s.Scheduled/call), 1), write[s.Pattern].Repetitions)
		require.Equal(t, want, s.Repetitions, "%s of pattern %d", s.Access, s.Pattern)
		less := want < write[s.Pattern].Repetitions
		require.Equal(t, less, s.OutOfTime, "%s of pattern %d", s.Access, s.Pattern)
		if p.Memory > 0 { // the table lacks the fill
			require.InDelta(t, s.Seconds, call*float64(want), 1e-6)
		}
		if less {
			cut++
		}
	}
	require.Greater(t, cut, 20)
	require.Equal(t, "overrun", r.Warnings[1].Code)
	require.Equal(t, "cut", r.Warnings[2].Code)
	require.Contains(t, r.Warnings[2].Text, fmt.Sprintf("%d of the patterns ended", cut))
}

// If the first pass over reading has used up the time, a last one only opens and closes the files, which removes them.
func TestBarePass(t *testing.T) {
	r := slowing(t, 1)
	files, samples := map[int]int{}, map[int]int{}
	for _, f := range r.Files {
		files[f.Pass]++
	}
	for _, s := range r.Samples {
		samples[s.Pass]++
	}
	require.Equal(t, map[int]int{0: 5 + 1 + 5, 1: 5}, files)
	require.Equal(t, map[int]int{0: 43 + 9 + 43}, samples)
}

// The error of a full disk gives the amount that this process had written before, in the calls of all earlier patterns.
func TestWrittenBefore(t *testing.T) {
	for _, where := range []string{"write, pattern 0,", "write, pattern 1,", "write, pattern 2,", "write, pattern 40,",
		"rewrite, pattern 3,"} {
		plan, err := NewPlan(2, thousand(nil))
		require.NoError(t, err)
		e, full := &scripted.Engine{Processes: 2}, false
		e.Members = inTurn(1, 2)
		e.Cost = func(s scripted.Step) float64 { return 2 * float64(s.Bytes) / 1e9 }
		m, err := measureIn(plan, "nowhere", fault.Inject(e, fault.NoSpace(0, func() bool { return full })),
			observer{Now: e.Now, Progress: func(p rating.Progress) { full = strings.HasPrefix(p.Doing, where) }})
		sum := int64(0)
		for _, s := range m.Samples {
			sum += s.Bytes / 2
		}
		require.ErrorContains(t, err, fmt.Sprintf("of 1024 bytes were written; %s were written by this rank before",
			rating.Mebibytes(sum)), where)
		require.Equal(t, where == "write, pattern 0,", sum == 0)
		require.ErrorContains(t, err, strings.ReplaceAll(strings.TrimSuffix(where, ","), ", ", " of "))
	}
}

// If one process can't set a view, all return an error that names the place. Programs are closed nevertheless.
func TestViewFails(t *testing.T) {
	const ranks = 3
	plan, err := NewPlan(ranks, small(func(c *Config) { c.Partitions = []int{2} }))
	require.NoError(t, err)
	errs, engines, dir := make([]error, ranks), make([]*viewless, ranks), t.TempDir()
	require.NoError(t, local.Run(ranks, func(e mpi.Engine) error {
		rank := e.World().Rank()
		engines[rank] = &viewless{Engine: e}
		if rank == 1 {
			engines[rank].fails = 4
		}
		_, errs[rank] = measureIn(plan, dir, engines[rank], observer{})
		return nil
	}))
	for rank, err := range errs {
		require.EqualError(t, err,
			"write of pattern 3 on 2 processes: MPI_File_set_view failed on rank 1: no view", "rank %d",
			rank)
		require.True(t, mpi.Agreed(err))
		require.Zero(t, engines[rank].open)
	}
}

// A pattern with nothing to fill up makes no call, and has no program to close if its view fails.
func TestNothingToFill(t *testing.T) {
	for _, fails := range []int{0, 1} {
		plan, err := NewPlan(1, small(nil))
		require.NoError(t, err)
		v := &viewless{Engine: &scripted.Engine{Processes: 1}, fails: fails}
		m := &measurer{Process: rating.NewProcess[Measured](v, observer{}), plan: plan, files: v, out: &Measured{}}
		require.NoError(t, m.Begin(1, m.setUp))
		s := newSchedule(plan, plan.items(0))
		s.next = 33
		m.pass = pass{schedule: s, layout: [][]layout{make([]layout, len(plan.Rows))}, segment: []int64{1 << 20},
			fill: []int64{0}}
		file, err := v.OpenFile(m.World, "nowhere", mpi.Create, nil)
		require.NoError(t, err)
		err = m.pattern(Write, 0, plan.Rows[33], file)
		if fails > 0 {
			require.ErrorContains(t, err, "write of pattern 33 on 1 process: MPI_File_set_view failed")
			continue
		}
		require.NoError(t, err)
		require.Len(t, m.out.Samples, 1)
		require.Zero(t, m.out.Samples[0].Calls+m.out.Samples[0].Repetitions+m.out.Samples[0].Bytes)
		require.False(t, m.out.Samples[0].OutOfTime)
	}
}

// A process outside of all partitions may stop the run as well, and gets the error of a partition.
func TestOutside(t *testing.T) {
	const ranks = 3
	for _, stopped := range []bool{true, false} {
		plan, err := NewPlan(ranks, small(func(c *Config) { c.Partitions = []int{1, 2} }))
		require.NoError(t, err)
		errs := make([]error, ranks)
		dir := t.TempDir()
		require.NoError(t, local.Run(ranks, func(e mpi.Engine) error {
			rank := e.World().Rank()
			full := fault.NoSpace(1, func() bool { return !stopped })
			_, errs[rank] = measureIn(plan, dir, fault.Inject(e, full),
				observer{Stop: func() bool { return stopped && rank == 2 }})
			return nil
		}))
		for rank, err := range errs {
			require.True(t, mpi.Agreed(err))
			require.Equal(t, stopped, errors.Is(err, rating.ErrStopped), "rank %d", rank)
			require.Equal(t, errs[0].Error(), err.Error())
		}
		if !stopped {
			require.ErrorContains(t, errs[2], "no space left")
		}
	}
}

// After each pattern that all processes write together, the file's length must be the number of written bytes. If 8
// bytes are missing, the disk is full.
func TestShortFile(t *testing.T) {
	const ranks = 3
	for number, call := range map[int]string{0: "MPI_File_write_all", 2: "MPI_File_write_all", 8: "MPI_File_write_all",
		9: "MPI_File_write_ordered", 16: "MPI_File_write_ordered", 34: "MPI_File_write_all", 38: "MPI_File_write_all",
		42: "MPI_File_write_all"} {
		plan, err := NewPlan(ranks, small(func(c *Config) {
			c.Partitions, c.Duration = []int{ranks}, 300*time.Millisecond
		}))
		require.NoError(t, err)
		var full atomic.Bool
		dir, errs := t.TempDir(), make([]error, ranks)
		require.NoError(t, local.Run(ranks, func(e mpi.Engine) error {
			_, errs[e.World().Rank()] = measureIn(plan, dir, shortened{e, full.Load}, observer{
				Progress: func(p rating.Progress) {
					full.Store(strings.HasPrefix(p.Doing, fmt.Sprintf("write, pattern %d,", number)))
				}})
			return nil
		}))
		for _, err := range errs {
			require.ErrorContains(t, err, fmt.Sprintf("write of pattern %d ", number))
			_, text, found := strings.Cut(err.Error(), " returned success, but the file has ")
			require.True(t, found, "%v", err)
			require.ErrorContains(t, err, call+" on "+dir)
			var has, wants int64
			_, err := fmt.Sscanf(text, "%d of %d bytes: is the file system full?", &has, &wants)
			require.NoError(t, err)
			require.EqualValues(t, 8, wants-has)
		}
	}
}

// A pattern with a chunk that no other pattern has matches none.
func TestNoMatch(t *testing.T) {
	plan, err := NewPlan(1, small(nil))
	require.NoError(t, err)
	require.Negative(t, plan.matching(patterns.IORow{Disk: 24, Units: 1}, patterns.Separated).Number)
}

// Hints in force are recorded if there are any, and if they differ from the last ones of the type.
func TestHintsInForce(t *testing.T) {
	plan, err := NewPlan(1, small(nil))
	require.NoError(t, err)
	e := &scripted.Engine{Processes: 1}
	m := &measurer{Process: rating.NewProcess[Measured](e, observer{}), plan: plan, out: &Measured{}}
	require.NoError(t, m.Begin(1, m.setUp))
	a, b := []mpi.Hint{{Key: "a", Value: "1"}}, []mpi.Hint{{Key: "a", Value: "2"}}
	for _, step := range []struct {
		access Access
		typ    patterns.IOType
		list   []mpi.Hint
		noted  int
	}{
		{Write, patterns.Scatter, nil, 0},
		{Write, patterns.Scatter, a, 1},
		{Write, patterns.Shared, a, 2},
		{Rewrite, patterns.Scatter, a, 2},
		{Read, patterns.Scatter, b, 3},
		{Read, patterns.Shared, a, 3},
		{Read, patterns.Scatter, a, 4},
	} {
		require.NoError(t, m.hintsInForce(step.access, 0, step.typ, hinted{list: step.list}))
		require.Len(t, m.out.Hints, step.noted)
	}
	require.Equal(t, HintsInForce{Partition: 0, Access: Read, Type: "scatter", Hints: b}, m.out.Hints[2])
}

// Processes write different bytes.
func TestScramble(t *testing.T) {
	var a, b [64]byte
	scramble(a[:], 1)
	scramble(b[:], 2)
	require.NotEqual(t, a, b)
	for i := 0; i < len(a); i += 8 {
		require.NotEqual(t, a[:8], b[i:i+8])
	}
}

// Check refuses figures beyond any run and any machine.
func TestLargestFigures(t *testing.T) {
	require.True(t, isTime(1e12) && isTime(0) && isRate(1e30) && isRate(0))
	require.False(t, isTime(1.01e12) || isTime(-1) || isRate(1.01e30) || isRate(-1))
}

// Progress is relative to T, 1000 s.
func TestProgress(t *testing.T) {
	plan, err := NewPlan(2, thousand(nil))
	require.NoError(t, err)
	e := &scripted.Engine{Processes: 2, Cost: func(s scripted.Step) float64 { return 2 * float64(s.Bytes) / 1e9 }}
	e.Members = func(_, size int) int { return size }
	begin, seen := e.Now(), 0
	_, err = measureIn(plan, "nowhere", e, observer{Now: e.Now, Progress: func(p rating.Progress) {
		elapsed := e.Now().Sub(begin)
		require.InDelta(t, max(plan.Duration-elapsed, elapsed/99).Seconds(), p.Left.Seconds(), 1)
		require.InDelta(t, min(elapsed.Seconds()/1000, 0.99), p.Part, 1e-3)
		seen++
	}})
	require.NoError(t, err)
	require.Equal(t, 43+9+43, seen)
}

// A run whose bytes are limited ends before T. Once the schedule has noticed, progress is relative to the time left.
func TestProgressOfFewBytes(t *testing.T) {
	plan, err := NewPlan(2, thousand(func(c *Config) { c.MaxBytes = 4 << 30 }))
	require.NoError(t, err)
	e := &scripted.Engine{Processes: 2, Cost: func(s scripted.Step) float64 { return 2 * float64(s.Bytes) / 1e9 }}
	e.Members = func(_, size int) int { return size }
	var all []rating.Progress
	begin := e.Now()
	watch := observer{Now: e.Now, Progress: func(p rating.Progress) { all = append(all, p) }}
	_, err = measureIn(plan, "nowhere", e, watch)
	require.NoError(t, err)
	whole := e.Now().Sub(begin).Seconds()
	require.Less(t, whole, plan.Duration.Seconds()/2)
	for _, p := range all {
		if at := p.Elapsed.Seconds() / whole; at > 0.5 {
			require.InDelta(t, at, p.Part, 0.25, "%+v of %v s", p, whole)
		}
	}
}
