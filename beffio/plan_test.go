package beffio

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
)

// The small, medium and large partition of P processes are 2^round(0.35·log2 P), 2^round(0.70·log2 P) and P; 3 and 4
// processes are exceptions, and one or two processes have fewer partitions (release 2.1).
func TestDefaultPartitions(t *testing.T) {
	for _, want := range [][]int{
		{1}, {1, 2}, {1, 2, 3}, {2, 3, 4},
		{2, 4, 5},       // 2.32·0.35 = 0.81, ·0.70 = 1.63
		{2, 4, 8},       // 3·0.35 = 1.05, ·0.70 = 2.1
		{2, 8, 16},      // 1.4, 2.8
		{4, 16, 32},     // 1.75, 3.5: halves are rounded up
		{4, 16, 64},     // 2.1, 4.2
		{4, 32, 128},    // 2.45, 4.9
		{8, 64, 256},    // 2.8, 5.6
		{16, 128, 1024}, // 3.5, 7
	} {
		processes := want[len(want)-1]
		require.Equal(t, want, defaultPartitions(processes))
		plan, err := NewPlan(processes, small(func(c *Config) { c.MaxBytes = 1 << 50 }))
		require.NoError(t, err)
		require.Equal(t, want, plan.Partitions)
		require.InEpsilon(t, 0.5/float64(len(want)), plan.PartitionSeconds(), 1e-12, "T is 0.5 s")
	}
}

// bytesOfOneCallEach is the number of bytes that a process writes with one call of each pattern and M_PART = 2 MB,
// counted by hand from the paper's Table 2: type 0 moves 11 MB, 256 bytes, 8 kB and 8 bytes, types 1 and 2 each 5 MB,
// 66 kB and 24 bytes. Types 3 and 4 each write at most as much as type 2, in segments that are rounded up to 1 MB.
const bytesOfOneCallEach = 11<<20 + 256 + 8<<10 + 8 + (1+3)*(5<<20+66<<10+24) + 2<<20

func TestPlanRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Config)
		want   string // empty if nothing is wrong
	}{
		"nothing":       {func(*Config) {}, ""},
		"2.1":           {func(c *Config) { c.Rules = Rules21 }, ""},
		"rules":         {func(c *Config) { c.Rules = "2001" }, `unknown rules "2001": want paper or 2.1`},
		"10 partitions": {func(c *Config) { c.Partitions = []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10} }, ""},
		"11 partitions": {func(c *Config) { c.Partitions = []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11} },
			"11 partitions are more than 10"},
		"all processes": {func(c *Config) { c.Partitions = []int{12, 1} }, ""},
		"more processes": {func(c *Config) { c.Partitions = []int{13} },
			"a partition of 13 processes in a job of 12"},
		"no process": {func(c *Config) { c.Partitions = []int{0} }, "a partition of 0 processes"},
		"twice": {func(c *Config) { c.Partitions = []int{2, 3, 2} },
			"the partition of 2 processes is given twice"},
		"a tenth of a second": {func(c *Config) { c.Duration = 100 * time.Millisecond }, ""},
		"less": {func(c *Config) { c.Duration = 99 * time.Millisecond },
			"too short: want at least 0.1 s"},
		"1 MiB":           {func(c *Config) { c.Memory = 1 << 20 }, ""},
		"less than 1 MiB": {func(c *Config) { c.Memory = 1<<20 - 1 }, "want at least 1 MiB"},
		"hint":            {func(c *Config) { c.Hints = []HintRule{{Line: 3, Processes: 4}} }, ""},
		"hint for all":    {func(c *Config) { c.Hints = []HintRule{{Line: 3}} }, ""},
		"hint for no one": {func(c *Config) { c.Hints = []HintRule{{Line: 3, Processes: 5}} },
			"line 3: there is no partition of 5"},
		"just enough bytes": {func(c *Config) { c.MaxBytes = (4 + 12) * bytesOfOneCallEach }, ""},
		"one byte less": {func(c *Config) { c.MaxBytes = (4+12)*bytesOfOneCallEach - 1 },
			ErrMaxBytes.Error()},
		"just enough bytes of 1": {func(c *Config) { c.Partitions, c.MaxBytes = []int{1}, bytesOfOneCallEach },
			""},
	} {
		_, err := NewPlan(12, small(func(config *Config) {
			config.Partitions, config.MaxBytes = []int{4, 12}, 1<<40
			c.change(config)
		}))
		if c.want == "" {
			require.NoError(t, err, name)
		} else {
			require.ErrorContains(t, err, c.want, name)
		}
	}
}

// The error gives the bytes on disk in MB of 2^20.
func TestPlanMaxBytesWords(t *testing.T) {
	_, err := NewPlan(1, small(func(c *Config) { c.MaxBytes = 3 << 20 }))
	require.EqualError(t, err, "3 MiB on disk are too little for one call of each pattern: 33.27 MiB are needed")
}

// Buffers hold the longest chunk in memory: M_PART, but at least the 2 MB of pattern 2.
func TestBufferSize(t *testing.T) {
	for memory, want := range map[int64]int64{1 << 20: 2 << 20, 256 << 20: 2 << 20, 512 << 20: 4 << 20,
		1 << 40: 1 << 30} {
		plan, err := NewPlan(1, small(func(c *Config) { c.Memory = memory; c.MaxBytes = 1 << 50 }))
		require.NoError(t, err)
		require.Equal(t, want, plan.BufferSize())
	}
}

// A partition has one file of each type, but of type 2 one for each process.
func TestFiles(t *testing.T) {
	require.Equal(t, 4+1, Files(1))
	require.Equal(t, 4+7, Files(7))
}

// sameChunk holds, for each pattern of type 3 in Table 2, the numbers of the patterns of types 0, 1 and 2 with the same
// chunk. Type 0 has one more, number 2, of 1 MB on disk and 2 MB in memory.
var sameChunk = map[int][3]int{26: {1, 10, 18}, 27: {3, 11, 19}, 28: {4, 12, 20}, 29: {5, 13, 21}, 30: {6, 14, 22},
	31: {7, 15, 23}, 32: {8, 16, 24}}

// chunksOf0 holds the number of chunks in memory of each pattern of type 0: L/l.
var chunksOf0 = map[int]int64{1: 1, 3: 1, 4: 32, 5: 1024, 6: 32, 7: 1024, 8: 1}

// The repetitions of patterns of types 3 and 4 are the minimum of type 0's repetitions times its chunks, ten times type
// 1's, and type 2's (release 2.1).
func TestSizeDriven(t *testing.T) {
	for _, mpart := range []int64{2 << 20, 4 << 20} { // 2 MB is the L of pattern 2 as well
		plan, err := NewPlan(1, small(func(c *Config) { c.Memory = mpart * 128 }))
		require.NoError(t, err)
		for three, of := range sameChunk {
			for _, c := range []struct{ scatter, shared, separated, want int64 }{
				{7, 1e9, 1e9, 7 * chunksOf0[of[0]]},
				{1e9, 7, 1e9, 70},
				{1e9, 1e9, 7, 7},
				{0, 5, 5, 0},
			} {
				repetitions := func(number int) int64 {
					i := slices.Index(of[:], number)
					require.GreaterOrEqual(t, i, 0, "pattern %d is asked for %d", number, three)
					return []int64{c.scatter, c.shared, c.separated}[i]
				}
				for _, number := range []int{three, three + 9} {
					require.Equal(t, c.want, plan.sizeDriven(plan.Rows[number], repetitions), "pattern %d, %+v", number,
						c)
				}
			}
		}
		for _, first := range []int{25, 34} {
			require.EqualValues(t, 1, plan.sizeDriven(plan.Rows[first], nil), "the first pattern is one call")
		}
	}
}

// A segment holds the bytes of patterns 25 to 32, rounded up to 1 MB. The rest is filled up.
func TestSegment(t *testing.T) {
	const mb = 1 << 20
	plan, err := NewPlan(1, small(nil)) // M_PART is 2 MB
	require.NoError(t, err)
	for name, c := range map[string]struct {
		of            map[int]int64 // repetitions of patterns of type 3; 0 for others
		segment, fill int64
	}{
		"only the first call": {nil, mb, 0},
		"whole megabytes":     {map[int]int64{26: 3, 27: 5}, mb + 3*2*mb + 5*mb, 0},
		"8 bytes above":       {map[int]int64{32: 1}, 3 * mb, mb - 8},
		"8 bytes below":       {map[int]int64{32: mb/8 - 1}, (1 + mb/8) * mb, 8}, // 131071·(1 MB + 8)
		"8 bytes to nothing":  {map[int]int64{32: mb / 8}, (1 + mb/8 + 1) * mb, 0},
		"all once": {map[int]int64{26: 1, 27: 1, 28: 1, 29: 1, 30: 1, 31: 1, 32: 1},
			6 * mb, mb - (2*32<<10 + 2*1<<10 + 3*8)},
	} {
		segment, fill := plan.segment(func(number int) int64 {
			for three, of := range sameChunk {
				if slices.Contains(of[:], number) {
					return c.of[three]
				}
			}
			t.Fatalf("pattern %d is asked for", number)
			return 0
		})
		require.Equal(t, c.segment, segment, name)
		require.Equal(t, c.fill, fill, name)
	}
}

// The positions of chunks (paper, Sec. 4): in type 0 each P·l bytes of the file have a slot of l bytes for each
// process, and a call moves L/l slots. Type 1 has all processes' chunks one after the other in one file. Types 3 and 4
// have a process's chunks in its own segment, type 2 in its own file.
func TestRegions(t *testing.T) {
	const processes, rank, start, segment, kb = 4, 3, 1 << 30, 5 << 20, 1 << 10
	for _, noShared := range []bool{false, true} {
		plan, err := NewPlan(processes, small(func(c *Config) { c.NoShared = noShared }))
		require.NoError(t, err)
		slots := func(l int64) mpi.View { return mpi.View{Start: start, Block: l, Slots: processes, Slot: rank} }
		for number, want := range map[int]region{
			5:  {slots(kb), start + 3*kb, 4 << 20, 4 * kb},
			2:  {slots(1 << 20), start + 3<<20, 8 << 20, 4 << 20},
			12: {mpi.View{Start: start}, start + 3*32*kb, 4 * 32 * kb, 0},
			20: {mpi.View{Start: start}, start, 32 * kb, 0},
			28: {mpi.View{Start: start + 3*segment}, start + 3*segment, 32 * kb, 0},
			37: {mpi.View{Start: start + 3*segment}, start + 3*segment, 32 * kb, 0},
		} {
			if noShared && number == 12 {
				want = region{slots(32 * kb), start + 3*32*kb, 4 * 32 * kb, 4 * 32 * kb}
			}
			require.Equal(t, want, plan.region(plan.Rows[number], rank, processes, start, segment), "pattern %d",
				number)
		}
		for number, want := range map[int]int64{5: 4 << 20, 2: 8 << 20, 12: 4 * 32 * kb, 20: 32 * kb, 28: 32 * kb,
			37: 32 * kb} {
			require.Equal(t, 7*want, advance(plan.Rows[number], processes, 7), "7 calls of pattern %d", number)
		}
	}
}

// The calls of each type (paper, Sec. 4), and whether all processes make them together.
func TestCallsOfTypes(t *testing.T) {
	for typ, want := range map[patterns.IOType]struct {
		write, read mpi.Op
		together    bool
	}{
		patterns.Scatter:             {mpi.FileWriteAll, mpi.FileReadAll, true},
		patterns.Shared:              {mpi.FileWriteOrdered, mpi.FileReadOrdered, true},
		patterns.Separated:           {mpi.FileWrite, mpi.FileRead, false},
		patterns.Segmented:           {mpi.FileWrite, mpi.FileRead, false},
		patterns.SegmentedCollective: {mpi.FileWriteAll, mpi.FileReadAll, true},
	} {
		plan, err := NewPlan(2, small(nil))
		require.NoError(t, err)
		require.Equal(t, want.write, plan.call(Write, typ))
		require.Equal(t, want.write, plan.call(Rewrite, typ))
		require.Equal(t, want.read, plan.call(Read, typ))
		require.Equal(t, want.together, collective(typ))
		if plan.NoShared = true; typ == patterns.Shared {
			require.Equal(t, mpi.FileWriteAll, plan.call(Write, typ), "type 1 uses type 0's calls")
			require.Equal(t, mpi.FileReadAll, plan.call(Read, typ))
		}
	}
}

// A mark holds the access, pattern, partition and position of its chunk, in separate fields.
func TestMarks(t *testing.T) {
	row := patterns.IO(2 << 20)[5]
	where := region{offset: 8 * 1000, loop: 8 * 70, chunk: 8 * 9}
	m := mark(Write, 3, row, 1, where)
	require.Equal(t, mpi.Mark{Width: 8, Key: 1<<62 | 5<<56 | 3<<52 | 1000, PerLoop: 70, Chunk: 1024, PerChunk: 9}, m)
	require.Equal(t, uint64(2)<<62|5<<56|3<<52|1000, mark(Rewrite, 3, row, 1, where).Key)

	separated := patterns.IO(2 << 20)[20]
	seen := map[uint64]bool{}
	for rank := range 1000 {
		key := mark(Write, 3, separated, rank, where).Key
		require.EqualValues(t, 1<<10|20<<4|3, key>>52, "the numbers of a process's file stay in their field")
		require.False(t, seen[key])
		seen[key] = true
	}
	require.True(t, seen[1<<62|20<<56|3<<52|1000], "the key of rank 0")
}

// The length of files follows from the repetitions of the initial write. Files of types 0 and 1 hold all processes'
// chunks, files of type 2 one process's chunks, files of types 3 and 4 a segment for each process. Type 4 repeats type
// 3, except for a pattern that ran out of time.
func TestFileSizes(t *testing.T) {
	const processes = 3
	for _, noShared := range []bool{false, true} {
		r, sizes := measureKeepingFiles(t, processes, small(func(c *Config) {
			c.Partitions, c.NoShared = []int{processes}, noShared
			c.Duration = 500 * time.Millisecond
		}))
		of, late := map[patterns.IOType]int64{}, false // bytes that a process wrote
		for _, s := range r.Samples {
			if p := r.Pattern(s.Pattern); s.Access == Write {
				of[p.Type] += s.Repetitions * p.Memory
				late = late || p.Type == patterns.SegmentedCollective && s.OutOfTime
			}
		}
		for _, typ := range []patterns.IOType{patterns.Scatter, patterns.Shared} {
			require.Equal(t, processes*of[typ], sizes[fmt.Sprintf("data_3_%v", typ)])
		}
		for rank := range processes {
			require.Equal(t, of[patterns.Separated], sizes[fmt.Sprintf("data_3_%v.%d", patterns.Separated, rank)])
		}
		megabytes := int64(math.Ceil(float64(of[patterns.Segmented]) / (1 << 20)))
		if late {
			require.Less(t, of[patterns.SegmentedCollective], of[patterns.Segmented])
		} else {
			require.Equal(t, of[patterns.Segmented], of[patterns.SegmentedCollective])
		}
		for _, typ := range []patterns.IOType{patterns.Segmented, patterns.SegmentedCollective} {
			require.Equal(t, processes*megabytes<<20, sizes[fmt.Sprintf("data_3_%v", typ)])
		}
	}
}

// Written data can't be compressed, because their bytes look random.
func TestWrittenBytes(t *testing.T) {
	dir := t.TempDir()
	plan, err := NewPlan(1, small(func(c *Config) { c.Keep, c.Duration = true, 100*time.Millisecond }))
	require.NoError(t, err)
	require.NoError(t, local.Run(1, func(e mpi.Engine) error {
		_, err := measureIn(plan, dir, e, rating.Observer[Measured]{})
		return err
	}))
	for _, typ := range Types() {
		name := fmt.Sprintf("data_1_%v", typ)
		if typ == patterns.Separated {
			name += ".0"
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		var count [256]int
		for _, b := range data[:1<<20] {
			count[b]++
		}
		require.Greater(t, slices.Min(count[:]), 3500, "of 4096 expected")
		require.Less(t, slices.Max(count[:]), 16384, "with marks among them")
	}
}

// measureKeepingFiles runs a plan on the embedded engine. It returns the result, and the sizes of the files that are
// left, by name.
func measureKeepingFiles(t *testing.T, ranks int, c Config) (*Result, map[string]int64) {
	dir := t.TempDir()
	c.Keep = true
	plan, err := NewPlan(ranks, c)
	require.NoError(t, err)
	var measured *Measured
	require.NoError(t, local.Run(ranks, func(e mpi.Engine) error {
		m, err := measureIn(plan, dir, e, observer{})
		if e.World().Rank() == 0 {
			measured = m
		}
		return err
	}))
	sizes := map[string]int64{}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, entry := range entries {
		info, err := entry.Info()
		require.NoError(t, err)
		sizes[entry.Name()] = info.Size()
	}
	return NewResult(plan, measured, Run{}), sizes
}

func TestLongest(t *testing.T) {
	for T, want := range map[time.Duration]time.Duration{
		5 * time.Second: 65 * time.Second, 30 * time.Second: 90 * time.Second, 30 * time.Minute: 90 * time.Minute,
	} {
		require.Equal(t, want, (&Plan{Config: Config{Duration: T}}).Longest())
	}
}
