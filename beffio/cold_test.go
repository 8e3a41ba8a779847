package beffio

import (
	"cmp"
	"math"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
)

// typeOfFiles returns the type of the file system of a directory, as far as the tests ask for it.
func typeOfFiles(t *testing.T, dir string) string {
	var s unix.Statfs_t
	require.NoError(t, unix.Statfs(dir, &s))
	if s.Type == unix.TMPFS_MAGIC {
		return "tmpfs"
	}
	return "ext4"
}

// measuredOn returns the result of a run of the embedded engine in a directory.
func measuredOn(t *testing.T, dir string, c Config) *Result {
	plan, err := NewPlan(3, c)
	require.NoError(t, err)
	var r *Result
	require.NoError(t, local.Run(plan.Processes, func(e mpi.Engine) error {
		m, err := measureIn(plan, dir, e, observer{})
		if e.World().Rank() == 0 {
			r = NewResult(plan, m, Run{Run: rating.Run{Library: e.Library()},
				FileSystem: FileSystem{Directory: dir, Type: typeOfFiles(t, dir)}})
		}
		return err
	}))
	require.NoError(t, r.Check())
	for _, s := range r.Samples {
		require.Zero(t, s.Errors, "%+v", s)
	}
	return r
}

// memorySign returns the sign of data that were read from memory.
func memorySign(t *testing.T, r *Result) rating.Sign {
	i := slices.IndexFunc(r.Signs, func(s rating.Sign) bool { return s.Name == "memory" })
	require.GreaterOrEqual(t, i, 0)
	return r.Signs[i]
}

// In an ordinary run, data are read from memory just after they were written, and there is a sign of it. A cold run
// reads the data of another process, finds them right, and reads nothing from memory. On tmpfs everything is in memory.
func TestCold(t *testing.T) {
	config := small(func(c *Config) { c.Partitions, c.Duration = []int{3, 1}, 300*time.Millisecond })
	warm := measuredOn(t, t.TempDir(), config)
	require.InDelta(t, 1, warm.FromMemory(), 0.02)
	require.False(t, memorySign(t, warm).Quiet)
	require.Equal(t, readMemory, warm.Reading())
	require.Nil(t, warm.coldCriterion())

	require.NoError(t, config.ReadCold(3, []job.Placement{job.NewPlacement("a", []int{0, 1}),
		job.NewPlacement("b", []int{2})}, 1<<20))
	config.Cold.Times, config.TotalMemory = 2, 10<<20 // 2 times the 7 MiB that aren't filled
	require.Equal(t, &Cold{Filled: 1 << 20, Times: 2, Shifts: []int{1, 0}, Elsewhere: []int{2, 0}}, config.Cold)
	config.Verify = VerifyFull
	cold := measuredOn(t, t.TempDir(), config)
	if cold.FileSystem.Type != "tmpfs" {
		require.Zero(t, cold.FromMemory())
		require.True(t, memorySign(t, cold).Quiet)
		require.Equal(t, readCold, cold.Reading())
		require.True(t, cold.coldCriterion()[0].Reached)
	}
	data := cold.coldCriterion()[1]
	require.Equal(t, cold.Derived.Partitions[cold.Main()].Bytes >= 14<<20, data.Reached, data.Text)
	require.Contains(t, data.Text, "2 times the memory that isn't filled, 14 MiB")
	config.Cold.Times = 1e3
	_, err := NewPlan(3, config)
	require.ErrorContains(t, err, "must hold 6.8")
	config.TotalMemory = 0
	_, err = NewPlan(3, config)
	require.ErrorContains(t, err, "isn't known")
	config.Cold.Times = math.NaN()
	_, err = NewPlan(3, config)
	require.ErrorContains(t, err, "want up to 1000")
	config.Cold.Times = 0

	dir, err := os.MkdirTemp("/dev/shm", "beff")
	if err != nil {
		t.Skip(err)
	}
	defer os.RemoveAll(dir)
	memory := measuredOn(t, dir, config)
	require.Equal(t, 1.0, memory.FromMemory())
	require.Contains(t, memorySign(t, memory).Text, "tmpfs is memory itself")
	require.False(t, memory.coldCriterion()[0].Reached)
	require.Equal(t, readMemory, memory.Reading())
}

// Processes examine only the parts of a type's file that they read. Together they examine each written byte once.
func TestPartsThatAreRead(t *testing.T) {
	plan, err := NewPlan(3, small(func(c *Config) { c.Partitions = []int{3} }))
	require.NoError(t, err)
	m := &measurer{plan: plan, pass: pass{layout: [][]layout{make([]layout, len(plan.Rows))}}}
	calls := func(number int) int64 { return m.pass.layout[0][number].mine }
	ends := map[patterns.IOType]int64{}
	for _, r := range plan.Rows {
		place := &m.pass.layout[0][r.Number]
		if place.mine = int64(1 + r.Number%3); r.Type > patterns.Separated {
			place.mine = plan.sizeDriven(r, calls)
		}
		if r.Type == patterns.Segmented && r.Number == plan.rows(r.Type)[0].Number {
			segment, fill := plan.segment(calls)
			m.pass.segment, m.pass.fill = []int64{segment}, []int64{fill}
		}
		if r.Fill {
			r.Memory = m.pass.fill[0]
		}
		place.start = ends[r.Type]
		ends[r.Type] += advance(r, 3, place.mine)
	}
	for _, kind := range Types() {
		read := map[int][][2]int64{} // begin and end of each chunk, for each file
		for rank := range 3 {
			file := 0
			if kind == patterns.Separated {
				file = rank
			}
			for _, p := range m.parts(rank, 0, kind) {
				for k := range p.Count {
					begin := p.Offset + k*p.Distance
					read[file] = append(read[file], [2]int64{begin, begin + p.Length})
				}
			}
		}
		for _, chunks := range read {
			slices.SortFunc(chunks, func(a, b [2]int64) int { return cmp.Compare(a[0], b[0]) })
			end := int64(0)
			for _, c := range chunks {
				require.Equal(t, end, c[0], "%v", kind)
				end = c[1]
			}
			if want := ends[kind]; kind <= patterns.Separated {
				require.Equal(t, want, end, "%v", kind)
			} else {
				require.Equal(t, 3*m.pass.segment[0], end, "%v", kind)
			}
		}
	}
}

// Readers are shifted so that as many as possible read data of another node.
func TestShift(t *testing.T) {
	for _, c := range []struct {
		nodes            []int
		shift, elsewhere int
	}{
		{nil, 0, 0}, {[]int{0}, 0, 0}, {[]int{0, 0, 0}, 1, 0}, {[]int{0, 1}, 1, 2}, {[]int{0, 0, 1, 1}, 2, 4},
		{[]int{0, 1, 0, 1}, 1, 4}, {[]int{0, 0, 0, 1, 1, 1, 2, 2, 2}, 3, 9}, {[]int{0, 0, 1}, 1, 2},
		{[]int{0, 1, 1, 1, 0, 0}, 3, 6},
	} {
		shift, elsewhere := shiftOf(c.nodes)
		require.Equal(t, []int{c.shift, c.elsewhere}, []int{shift, elsewhere}, "%v", c.nodes)
	}
}

// The part read from memory isn't known without pages, and if a file system doesn't use the page cache.
func TestFromMemoryUnknown(t *testing.T) {
	r := &Result{Rules: RulesPaper, Partitions: []int{2}, Cold: &Cold{Shifts: []int{1}, Elsewhere: []int{2}}}
	for i, p := range Types() {
		r.Patterns = append(r.Patterns, Pattern{Number: i, Type: p, Disk: 8, Memory: 8})
		for _, a := range Accesses() {
			if r.measures(a, p) {
				r.Samples = append(r.Samples, Sample{Access: a, Pattern: i, Bytes: 1e6, Seconds: 1})
				r.Files = append(r.Files, FileSample{Access: a, Type: p.String(), Open: 1, Close: 1})
			}
		}
	}
	r.Derived = Derive(r)
	require.True(t, math.IsNaN(r.FromMemory()))
	require.Empty(t, r.memorySigns())
	require.True(t, r.coldEnough(), "all processes read data of another node")
	r.Cold.Elsewhere[0] = 1
	require.False(t, r.coldEnough())
	for i := range r.Files {
		if r.Files[i].Access == Read {
			r.Files[i].Pages = &rating.Pages{Looked: 100}
		}
	}
	require.True(t, math.IsNaN(r.FromMemory()), "the page cache isn't used")
	for i := range r.Files {
		if p := r.Files[i].Pages; p != nil {
			p.Fetched = 1e6
		}
	}
	require.Zero(t, r.FromMemory(), "all data came from storage")
	for i := range r.Files {
		if p := r.Files[i].Pages; p != nil {
			p.Before, p.After = 25, 100
		}
	}
	require.InDelta(t, 0.25, r.FromMemory(), 1e-12)
}
