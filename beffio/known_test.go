package beffio

import (
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
)

// unlearned returns the schedule of a run of 100 s on 2 processes that knows no times yet. It has 64 units of writing,
// 22 of rewriting type 0, and 64 of reading.
func unlearned(t *testing.T) *schedule {
	s := ofHundred(t)
	return s
}

// at moves to a pattern of an access.
func (s *schedule) at(a Access, row int) *schedule {
	s.next = slices.Index(s.items, item{0, a, row})
	return s
}

// A pattern of U units gets U of the time's 150 units, whatever earlier patterns took. A pattern without units is one
// call. A pattern that repeats another one's calls gets its part of the time left until twice T, and a fiftieth of that
// time more.
func TestShareOfUnits(t *testing.T) {
	for _, elapsed := range []float64{0, 40, 1e6} {
		s := unlearned(t).at(Write, 1) // has 4 units
		s.constant[key{Read, 0}] = 10
		require.InEpsilon(t, 100*4./150, s.share(elapsed).Seconds, 1e-12)
	}
	require.EqualValues(t, 1, unlearned(t).at(Write, 0).share(0).Loops)
	require.EqualValues(t, math.MaxInt64, unlearned(t).at(Read, 0).share(0).Loops)

	s := unlearned(t).at(Write, 1)
	s.syncAlways = 1000
	require.InEpsilon(t, 100*4./150/2, s.share(40).Before, 1e-12, "syncs have half the share at most")
	s.syncAlways = 0.25
	require.InEpsilon(t, 0.25, s.share(40).Before, 1e-12)
	s.syncPerByte = 1e-9
	require.InEpsilon(t, 2e-9*(1<<20)*2, s.at(Write, 1).share(40).Later, 1e-12, "2 MB of each of 2 processes")
	require.Zero(t, s.at(Read, 1).share(40).Later)
	require.Zero(t, s.at(Read, 1).share(40).Before)

	s = unlearned(t).at(Read, 1)
	require.InEpsilon(t, 160*(4./64+0.02), s.share(40).Seconds, 1e-12)
	require.Positive(t, s.share(1e6).Seconds, "0 is no limit")
	s = unlearned(t).at(Read, 42) // the last one, whose time isn't known
	require.InEpsilon(t, 130., s.share(70).Seconds, 1e-12)
}

// A pattern that was faster than its base is expected to take as long as the base, and a slower one to be slower again.
func TestExpected(t *testing.T) {
	for ratio, want := range map[float64]float64{0.5: 1, 1: 1, 3: 3} {
		s := unlearned(t)
		s.ratio[key{Read, 1}] = ratio
		require.InEpsilon(t, 4*0.7*want, s.expected(item{0, Read, 1}, 0.7), 1e-12)
		s.took[item{0, Write, 1}] = 7
		require.InEpsilon(t, 7*want, s.expected(item{0, Read, 1}, 0.7), 1e-12)
	}
	s := unlearned(t)
	s.constant[key{Write, 25}] = 2
	require.EqualValues(t, 2, s.expected(item{0, Write, 25}, 0.7))
}

// A pattern's time is recorded as its ratio to its base, or as seconds if it has no units. Nothing is recorded if the
// base took no time.
func TestDone(t *testing.T) {
	s := unlearned(t).at(Write, 1)
	s.done(0.4, 100, 0)
	require.EqualValues(t, 1, s.ratio[key{Write, 1}])
	s.at(Read, 1).done(0.6, 100, 0)
	require.InEpsilon(t, 1.5, s.ratio[key{Read, 1}], 1e-12)
	s.at(Read, 3).done(6, 100, 0)
	require.NotContains(t, s.ratio, key{Read, 3}, "its base was not measured")
	s.at(Read, 0).done(2.5, 100, 0)
	require.EqualValues(t, 2.5, s.constant[key{Read, 0}])
	require.NotContains(t, s.ratio, key{Read, 0})

	for row, want := range map[int]int64{1: 100, 0: 100 + 2*2<<20, 10: 100, 18: 300, 26: 0} {
		s := unlearned(t).at(Write, row)
		before := s.bytes
		s.done(1, 100, 0)
		require.Equal(t, want, before-s.bytes, "pattern %d: type 2 counts three times, 2 MB are for rounding up", row)
	}
}

// The shortest sync is the constant part. The excess of one of 16 MB or more is due to its bytes, averaged with half
// weight for the newest one.
func TestLearnSync(t *testing.T) {
	s := unlearned(t)
	s.learnSync(1, 2)
	s.learnSync(16<<20-1, 3)
	require.Equal(t, []float64{2, 0}, []float64{s.syncAlways, s.syncPerByte})
	s.learnSync(16<<20, 2+16<<20)
	require.InEpsilon(t, float64(2+16<<20-2)/(16<<20), s.syncPerByte, 1e-12)
	s = unlearned(t)
	s.learnSync(1, 2)
	s.learnSync(1, 3)
	require.EqualValues(t, 2, s.syncAlways)
	s.learnSync(1, 1)
	require.EqualValues(t, 1, s.syncAlways)
	s.learnSync(32<<20, 1+32<<20)
	first := float64(1+32<<20-1) / (32 << 20)
	require.InEpsilon(t, first, s.syncPerByte, 1e-12)
	s.learnSync(32<<20, 1+3*32<<20)
	second := float64(1+3*32<<20-1) / (32 << 20)
	require.InEpsilon(t, (first+second)/2, s.syncPerByte, 1e-12)
}

// One call of each remaining pattern is reserved, with 2 MB of each process for rounding up if a first pattern remains.
// The rest is divided by units, counting type 2 three times.
func TestLoopsOfBytes(t *testing.T) {
	units := func(typ patterns.IOType) float64 {
		return map[patterns.IOType]float64{patterns.Scatter: 22, patterns.Shared: 12, patterns.Separated: 10}[typ]
	}
	all := units(patterns.Scatter) + units(patterns.Shared) + 3*units(patterns.Separated)
	const free = 1 << 40
	s := unlearned(t).at(Write, 1)
	// bytesOfOneCallEach, less the call of pattern 0, of 1 MB, and the bytes for rounding up.
	s.bytes = 2*(bytesOfOneCallEach-1<<20-2<<20) + free
	require.EqualValues(t, 1+int64(free*4/all/(2*2<<20)), s.share(0).Loops)
	s.at(Write, 18) // 1 MB and more, the first of type 2 with units
	rest := int64(0)
	for _, r := range s.plan.Rows[18:25] {
		rest += 2 * 3 * r.Memory
	}
	s.bytes = rest + free
	row := s.plan.Rows[18]
	require.EqualValues(t, 1+int64(free*float64(row.Units)/units(patterns.Separated)/float64(2*3*row.Memory)),
		s.share(0).Loops)
	s.bytes = rest - 1000
	require.EqualValues(t, 1, s.share(0).Loops, "one call is always made")
}

// lonely returns the measurer of process 0 of 2, whose files are scripted.
func lonely(t *testing.T) *measurer {
	plan, err := NewPlan(2, thousand(nil))
	require.NoError(t, err)
	e := &scripted.Engine{Processes: 2}
	m := &measurer{Process: rating.NewProcess[Measured](e, observer{}), plan: plan, files: e, out: &Measured{}}
	require.NoError(t, m.Begin(2, m.setUp))
	m.comms = []mpi.Comm{m.World}
	m.pass = pass{schedule: newSchedule(plan, plan.items(0)), layout: [][]layout{make([]layout, len(plan.Rows))},
		segment: []int64{64 << 20}, fill: []int64{0}}
	return m
}

// A sample's barriers include those in the loop and after it. Its last barriers are the last loop's, with the
// broadcast.
func TestPartsOfSample(t *testing.T) {
	m := lonely(t)
	m.pass.schedule.next = 5
	got := mpi.Measurement{Loops: 3, Wrong: 2, Laps: []mpi.LapTime{lapMarks: {Seconds: 1, Last: 0.1},
		lapIO: {Seconds: 20, Last: 2}, lapBarrier: {Seconds: 300, Last: 30}, lapBroadcast: {Seconds: 4000, Last: 400}}}
	row := m.plan.Rows[5]
	require.NoError(t, m.keep(Write, 0, row, outcome{Measurement: got, prepared: prepared{row: row,
		share: share{Seconds: 7, Loops: 9}}, barrier: 50000, view: 0.5,
		syncCall: OnceCall{Seconds: 600000}, seconds: 700000}))
	require.Equal(t, []Sample{{Access: Write, Pattern: 5, Bytes: 2 * 3 << 20, Seconds: 700000, Repetitions: 3, Calls: 6,
		Scheduled: 7, View: 0.5, Marks: 1, IO: 20, Barrier: 50300, Broadcast: 4000, Sync: 600000, LastIO: 2,
		LastBarrier: 430, Errors: 4}}, m.out.Samples)
	require.EqualValues(t, 700000, m.pass.schedule.took[item{0, Write, 5}])
}

// Only a pattern with units can end because of its bytes. Only a pattern that repeats another one's calls can end
// because of its time, in the first pass.
func TestEndsOfSample(t *testing.T) {
	for _, c := range []struct {
		access      Access
		row, pass   int
		made, limit int64
		bytes, time bool
	}{
		{Write, 5, 0, 9, 9, true, false}, {Write, 5, 0, 8, 9, false, false}, {Write, 0, 0, 1, 1, false, false},
		{Write, 26, 0, 9, 9, false, false}, {Write, 26, 0, 8, 9, false, true}, {Read, 5, 0, 9, 9, false, false},
		{Read, 5, 0, 8, 9, false, true}, {Read, 5, 1, 8, 9, false, false}, {Rewrite, 5, 0, 8, 9, false, true},
	} {
		m := lonely(t)
		m.pass.schedule.at(c.access, c.row)
		m.pass.number = c.pass
		row := m.plan.Rows[c.row]
		require.NoError(t, m.keep(c.access, 0, row, outcome{Measurement: mpi.Measurement{Loops: c.made},
			prepared: prepared{row: row, share: share{Loops: c.limit}}}))
		require.Equal(t, []bool{c.bytes, c.time}, []bool{m.out.Samples[0].OutOfBytes, m.out.Samples[0].OutOfTime},
			"%+v", c)
		require.Equal(t, c.bytes, m.pass.schedule.outOfBytes)
	}
}

// A wrong chunk has the position of its first or last 8 bytes, here for chunks of 1 kB of 2 processes in calls of 1 MB.
// At most 20 patterns with wrong chunks are listed.
func TestPositionOfWrongChunk(t *testing.T) {
	for atEnd, want := range map[bool]int64{false: 4096 + 3*2<<20 + 7*2<<10, true: 4096 + 3*2<<20 + 7*2<<10 + 1016} {
		m := lonely(t)
		m.pass.layout[0][5].start = 4096
		wrong := &mpi.Mismatch{Rank: 0, Loop: 3, Chunk: 7, AtEnd: atEnd, Expected: 0x12, Found: 0xabc}
		row := m.plan.Rows[5]
		for range 25 {
			require.NoError(t, m.keep(Read, 0, row, outcome{Measurement: mpi.Measurement{Loops: 4, Mismatch: wrong},
				prepared: prepared{row: row}}))
		}
		require.Len(t, m.out.Errors, 20)
		require.Equal(t, DataError{Access: Read, Pattern: 5, Repetition: 3, Chunk: 7, Offset: want,
			Expected: "0x0000000000000012", Found: "0x0000000000000abc"}, m.out.Errors[0])
	}
}

// sized is a file of some length.
type sized struct {
	mpi.File
	bytes int64
}

func (s sized) Length() (int64, error) { return s.bytes, nil }

// A pattern that made no call needs no bytes in the file. Otherwise all bytes must be there, in the last segment too.
func TestCheckLength(t *testing.T) {
	for _, c := range []struct {
		row   int
		calls int64
		bytes int64 // the smallest sufficient length
	}{
		{0, 1, 100 + 2<<20}, {5, 3, 100 + 3*2<<20}, {5, 0, 0}, {9, 1, 100 + 2<<20}, {34, 1, 100 + 1<<20 + 64<<20},
		{42, 0, 0},
	} {
		m := lonely(t)
		m.pass.layout[0][c.row].start = 100
		row := m.plan.Rows[c.row]
		o := outcome{Measurement: mpi.Measurement{Loops: c.calls}, prepared: prepared{row: row}}
		require.NoError(t, m.checkLength(0, row, sized{bytes: c.bytes}, o), "%+v", c)
		if c.calls > 0 {
			require.ErrorContains(t, m.checkLength(0, row, sized{bytes: c.bytes - 1}, o), "is the file system full?")
		}
	}
}

// After patterns that all processes write together, the first and the last one ask for the file's length. If one of
// them sees an older length, the other one's counts.
func TestLengthOfOthers(t *testing.T) {
	const ranks = 3
	for stale := range ranks {
		plan, err := NewPlan(ranks, small(func(c *Config) {
			c.Partitions, c.Duration = []int{ranks}, 300*time.Millisecond
		}))
		require.NoError(t, err)
		var lock sync.Mutex
		var asked [ranks]map[string]bool
		dir := t.TempDir()
		require.NoError(t, local.Run(ranks, func(e mpi.Engine) error {
			rank, doing := e.World().Rank(), ""
			seen := map[string]bool{}
			lock.Lock()
			asked[rank] = seen
			lock.Unlock()
			l := lengths{shortened{e, func() bool { return rank == stale }}, func() { seen[doing] = true }}
			_, err := measureIn(plan, dir, l, observer{Progress: func(p rating.Progress) { doing = p.Doing }})
			return err
		}))
		require.Empty(t, asked[1])
		for doing := range asked[0] {
			access, rest, _ := strings.Cut(doing, ", pattern ")
			number, _, _ := strings.Cut(rest, ",")
			require.Equal(t, "write", access)
			require.NotContains(t, []string{"17", "18", "20", "24", "25", "26", "30", "33"}, number)
		}
		require.Len(t, asked[0], 9+8+9, "the patterns of types 0, 1 and 4")
	}
}

// An engine without files is an error.
func TestNoFiles(t *testing.T) {
	for _, e := range []mpi.Engine{noFiles{&scripted.Engine{Processes: 2}}, filesOnly{&scripted.Engine{Processes: 2}}} {
		plan, err := NewPlan(2, thousand(nil))
		require.NoError(t, err)
		m, err := measureIn(plan, "nowhere", e, observer{})
		require.EqualError(t, err, "the engine scripted has no files")
		require.True(t, mpi.Agreed(err))
		require.Empty(t, m.Samples)
	}
}

// Communicators and buffers are freed after all errors, except an error of only one process, into whose memory others
// may still write: the two buffers, the process's own communicator and the partition's.
func TestFreed(t *testing.T) {
	for name, c := range map[string]struct {
		fail func(scripted.Step) (*mpi.Mismatch, error)
		stop bool
		left int
	}{
		"none":    {},
		"stopped": {stop: true},
		"own":     {func(scripted.Step) (*mpi.Mismatch, error) { return nil, errors.New("lost") }, false, 4},
	} {
		plan, err := NewPlan(2, thousand(nil))
		require.NoError(t, err)
		e := &scripted.Engine{Processes: 2, Fail: c.fail,
			Cost: func(s scripted.Step) float64 { return 2 * float64(s.Bytes) / 1e9 }}
		_, err = measureIn(plan, "nowhere", e, observer{Now: e.Now, Stop: func() bool { return c.stop }})
		require.Equal(t, name == "none", err == nil)
		require.Equal(t, c.left, e.Left(), name)
	}
}

// A formula splits into terms of single types in measuring order. The paper has a quarter, a quarter and a half of
// means over types. Release 2.1 has six types with the same weight.
func TestSplit(t *testing.T) {
	var want []Term
	for _, a := range Accesses() {
		for _, typ := range Types() {
			want = append(want, Term{map[Access]float64{Write: 0.25, Rewrite: 0.25, Read: 0.5}[a], a, typ, true})
		}
	}
	require.Equal(t, Factor{1, want}, RulesPaper.Formula().Factors[0].Split())
	want = nil
	for _, typ := range Types() {
		want = append(want, Term{1. / 6, Write, typ, false})
	}
	want = append(want, Term{1. / 6, Rewrite, patterns.Scatter, false})
	require.Equal(t, Factor{1, want}, Rules21.Formula().Factors[0].Split())
	require.Zero(t, AccessMethod{Types: make([]float64, 5)}.Share(patterns.Scatter), "nothing was measured")
}

// A new result has lists, not JSON's null.
func TestEmptyLists(t *testing.T) {
	plan, err := NewPlan(2, thousand(nil))
	require.NoError(t, err)
	r := NewResult(plan, &Measured{}, Run{})
	require.NotNil(t, r.Hints)
	require.NotNil(t, r.HintsInForce)
	require.NotNil(t, r.Errors)
	require.NotNil(t, r.Files)
	require.NotNil(t, r.Samples)
	kept := &Measured{Errors: []DataError{{}}, Files: []FileSample{{Type: "scatter"}}}
	require.Len(t, NewResult(plan, kept, Run{}).Errors, 1)
	require.Len(t, NewResult(plan, kept, Run{}).Files, 1)
}
