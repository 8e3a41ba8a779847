package beffio

import (
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/fault"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
)

// small returns the configuration of a run of about a second.
func small(change func(*Config)) Config {
	c := Config{Rules: RulesPaper, Duration: time.Second / 2, Memory: 256 << 20, TotalMemory: 1 << 30,
		MaxBytes: 2 << 30}
	if change != nil {
		change(&c)
	}
	return c
}

type observer = rating.Observer[Measured]

// measureIn measures with files in a directory.
func measureIn(p *Plan, directory string, e mpi.Engine, watch observer) (*Measured, error) {
	in := *p
	in.Directory = directory
	return in.Measure(e, watch)
}

// measure runs a plan on ranks of the embedded engine. observe may be nil.
func measure(t *testing.T, ranks int, c Config, observe func(rank int, o *observer)) (*Result, error) {
	dir := t.TempDir()
	plan, err := NewPlan(ranks, c)
	require.NoError(t, err)
	var measured *Measured
	err = local.Run(ranks, func(e mpi.Engine) error {
		var o observer
		if observe != nil {
			observe(e.World().Rank(), &o)
		}
		m, err := measureIn(plan, dir, e, o)
		if e.World().Rank() == 0 {
			measured = m
		}
		return err
	})
	if err == nil && !c.Keep {
		require.Empty(t, filesIn(t, dir), "files are deleted when the read access closes them")
	}
	return NewResult(plan, measured, Run{Run: rating.Run{Started: time.Unix(1e9, 0), Err: err}}), err
}

// filesIn returns the names of all files in a directory.
func filesIn(t *testing.T, dir string) (names []string) {
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestMeasure(t *testing.T) {
	for name, c := range map[string]Config{
		"default":     small(nil),
		"rewrite all": small(func(c *Config) { c.RewriteAll = true }),
		"no shared":   small(func(c *Config) { c.NoShared, c.NoUnique = true, true }),
		"2.1": small(func(c *Config) {
			c.Rules, c.Partitions, c.Quantiles = Rules21, []int{3}, []float64{50, 99}
		}),
	} {
		t.Run(name, func(t *testing.T) {
			r, err := measure(t, 3, c, nil)
			require.NoError(t, err)
			require.Empty(t, r.Errors)
			require.Positive(t, r.Derived.BEffIO)
			units := map[Access]int{}
			for _, s := range r.Samples {
				p := r.Pattern(s.Pattern)
				if s.Pass == 0 {
					units[s.Access] += p.Units
				}
				require.Zero(t, s.Errors)
				if p.Memory > 0 {
					require.Positive(t, s.Bytes, "%+v", s)
					require.EqualValues(t, s.Calls*p.Memory, s.Bytes)
				}
				if s.Access != Read {
					continue
				}
				require.LessOrEqual(t, s.Bytes, find(r, s.Partition, Write, s.Pattern).Bytes)
			}
			rewritten := 22
			if c.RewriteAll {
				rewritten = 64
			}
			n := len(r.Partitions)
			require.Equal(t, map[Access]int{Write: 64 * n, Rewrite: rewritten * n, Read: 64 * n}, units)
			requireTails(t, r)
			require.False(t, r.Valid)
		})
	}
}

func find(r *Result, partition int, a Access, pattern int) *Sample {
	for i, s := range r.Samples {
		if s.Partition == partition && s.Access == a && s.Pattern == pattern {
			return &r.Samples[i]
		}
	}
	return &Sample{}
}

// One byte that changes on disk between write and read is found, and only its chunk, with its position.
func TestFlippedByte(t *testing.T) {
	types := Types()
	if testing.Short() {
		types = types[:2]
	}
	for _, typ := range types {
		t.Run(typ.String(), func(t *testing.T) {
			const ranks = 2
			var dir string
			var plan *Plan
			flipped := false
			at := int64(0)
			pattern := 0
			for _, row := range patterns.IO(2 << 20) {
				if row.Type == typ && row.Disk == 1032 {
					pattern = row.Number
				}
			}
			dir = t.TempDir()
			plan, err := NewPlan(ranks, small(func(c *Config) { c.Partitions = []int{ranks} }))
			require.NoError(t, err)
			var measured *Measured
			require.NoError(t, local.Run(ranks, func(e mpi.Engine) error {
				m, err := measureIn(plan, dir, e, observer{Progress: func(p rating.Progress) {
					if !strings.HasPrefix(p.Doing, "read") || flipped {
						return
					}
					flipped = true
					at = flip(t, dir, typ, uint64(pattern))
				}})
				if e.World().Rank() == 0 {
					measured = m
				}
				return err
			}))
			r := NewResult(plan, measured, Run{})
			require.NotEmpty(t, r.Errors)
			for _, e := range r.Errors { // once in each pass
				require.Equal(t, Read, e.Access)
				require.Equal(t, pattern, e.Pattern)
				require.Equal(t, at, e.Offset)
			}
			for _, s := range r.Samples {
				want := int64(0)
				if s.Access == Read && s.Pattern == pattern {
					want = 1
				}
				require.Equal(t, want, s.Errors, "%+v", s)
			}
			require.Zero(t, r.Bandwidth(0, Read, pattern), "a pattern with errors has no bandwidth")
			require.False(t, r.Valid)
		})
	}
}

// The result lists as many wrong chunks of a pattern as the user wants, the first process's first, and counts all.
func TestErrorsListed(t *testing.T) {
	const ranks, pattern, wrong = 2, 7, 3 // 1032 bytes, scattered: neighbouring chunks are of different processes
	for _, limit := range []int{1, 2, 5} {
		dir := t.TempDir()
		plan, err := NewPlan(ranks, small(func(c *Config) { c.Partitions, c.Errors = []int{ranks}, limit }))
		require.NoError(t, err)
		var measured *Measured
		flipped := false
		require.NoError(t, local.Run(ranks, func(e mpi.Engine) error {
			m, err := measureIn(plan, dir, e, observer{Progress: func(p rating.Progress) {
				for i := 0; i < wrong && !flipped && strings.HasPrefix(p.Doing, "read"); i++ {
					flip(t, dir, patterns.Scatter, pattern)
				}
				flipped = flipped || strings.HasPrefix(p.Doing, "read")
			}})
			if e.World().Rank() == 0 {
				measured = m
			}
			return err
		}))
		r := NewResult(plan, measured, Run{})
		require.NoError(t, r.Check())
		var listed []int // ranks, in the first pass
		for _, e := range r.Errors[:min(limit, wrong)] {
			require.Equal(t, [2]any{Read, pattern}, [2]any{e.Access, e.Pattern})
			listed = append(listed, e.Rank)
		}
		require.Equal(t, []int{0, 0, 1}[:min(limit, wrong)], listed)
		for _, s := range r.Samples {
			if s.Access == Read && s.Pattern == pattern {
				require.EqualValues(t, wrong, s.Errors)
			}
		}
	}
	for _, bad := range []int{-1, mpi.MaxMismatches + 1} {
		_, err := NewPlan(ranks, small(func(c *Config) { c.Errors = bad }))
		require.ErrorContains(t, err, "want 1 to 32")
	}
}

// flip changes the first byte of the first stamp that a pattern left in a file of its type, and returns its offset.
func flip(t *testing.T, dir string, typ patterns.IOType, pattern uint64) int64 {
	names, err := filepath.Glob(filepath.Join(dir, "data_*_"+typ.String()+"*"))
	require.NoError(t, err)
	require.NotEmpty(t, names)
	f, err := os.OpenFile(names[0], os.O_RDWR, 0)
	require.NoError(t, err)
	defer f.Close()
	text, err := io.ReadAll(f)
	require.NoError(t, err)
	for at := 0; at+8 <= len(text); at += 8 {
		// Between its marks a chunk may hold older ones, of other positions.
		v := binary.LittleEndian.Uint64(text[at:])
		writer, place := v>>62, int(v&(1<<52-1))
		if v>>52&0x3ff != pattern<<4 || writer == 0 || writer == 3 || place != at/8 {
			continue
		}
		_, err = f.WriteAt([]byte{text[at] ^ 1}, int64(at))
		require.NoError(t, err)
		return int64(at)
	}
	t.Fatal("no such stamp")
	return 0
}

// A request to stop ends the run on all ranks, with all samples so far.
func TestStop(t *testing.T) {
	var begun atomic.Bool
	r, err := measure(t, 2, small(nil), func(rank int, o *observer) {
		o.Stop = func() bool { return rank == 1 && begun.Load() }
		o.Progress = func(p rating.Progress) { begun.Store(strings.Contains(p.Doing, "pattern 20,")) }
	})
	require.ErrorIs(t, err, rating.ErrStopped)
	require.NotEmpty(t, r.Samples)
	require.False(t, r.Complete)
	require.False(t, r.Valid)
}

// A file that can't be opened is one error on all ranks, which names the call.
func TestVanished(t *testing.T) {
	plan, err := NewPlan(2, small(nil))
	require.NoError(t, err)
	err = local.Run(2, func(e mpi.Engine) error {
		_, err := measureIn(plan, filepath.Join(t.TempDir(), "gone"), e, observer{})
		return err
	})
	require.ErrorContains(t, err, "write of scatter on 1 process")
	require.True(t, mpi.Agreed(err))
}

// A disk that is full on one rank is one error on all, which names the call, the place and the bytes. All samples so
// far are kept.
func TestNoSpace(t *testing.T) {
	const ranks = 3
	var full atomic.Bool
	dir := t.TempDir()
	plan, err := NewPlan(ranks, small(func(c *Config) { c.Partitions = []int{ranks} }))
	require.NoError(t, err)
	errs := make([]error, ranks)
	var measured *Measured
	require.Error(t, local.Run(ranks, func(e mpi.Engine) error {
		rank := e.World().Rank()
		m, err := measureIn(plan, dir, fault.Inject(e, fault.NoSpace(1, full.Load)), observer{
			Progress: func(p rating.Progress) { full.Store(strings.HasPrefix(p.Doing, "write, pattern 20,")) },
		})
		if errs[rank] = err; rank == 0 {
			measured = m
		}
		return err
	}))
	for _, err := range errs {
		require.Regexp(t, `^write of pattern \d+ \(\w+\) on 3 processes: MPI_File_write failed on rank 1: `+
			`no space left on device: 512 of 1024 bytes were written; `+
			`\S+ MiB were written by this rank before this pattern$`, err.Error())
	}
	require.NotEmpty(t, measured.Samples)
	r := NewResult(plan, measured, Run{Run: rating.Run{Err: errs[0]}})
	require.False(t, r.Complete)
	require.False(t, r.Valid)
	require.NoError(t, r.Check())
}

// opening is an engine that can't open files of some names.
type opening struct {
	mpi.Engine
	fails string // part of the names, or empty to open all
}

func (o *opening) OpenFile(c mpi.Comm, path string, mode mpi.FileMode, hints []mpi.Hint) (mpi.File, error) {
	if o.fails != "" && strings.Contains(path, o.fails) {
		return nil, &mpi.Error{Call: "MPI_File_open", Rank: o.World().Rank(), Text: "too many open files"}
	}
	return o.Engine.(mpi.Files).OpenFile(c, path, mode, hints)
}

// unshared is an engine with a shared file that this process can't open.
type unshared struct{ mpi.Engine }

func (a unshared) OpenFile(c mpi.Comm, path string, mode mpi.FileMode, hints []mpi.Hint) (mpi.File, error) {
	file, err := a.Engine.(mpi.Files).OpenFile(c, path, mode, hints)
	if c.Size() > 1 && err == nil {
		err = &mpi.Error{Call: "MPI_File_open", Rank: a.World().Rank(), Text: "too many open files"}
	}
	return file, err
}

// A shared file that only some processes can open stays open on them, so the job must be aborted. If no process can
// open it, the job ends in order.
func TestOpenOfSharedFileFails(t *testing.T) {
	const ranks = 3
	plan, err := NewPlan(ranks, small(func(c *Config) { c.Partitions = []int{ranks} }))
	require.NoError(t, err)
	for failing := 1; failing <= ranks; failing++ {
		errs, dir := make([]error, ranks), t.TempDir()
		require.NoError(t, local.Run(ranks, func(e mpi.Engine) error {
			rank := e.World().Rank()
			if rank < failing {
				e = unshared{e}
			}
			_, errs[rank] = measureIn(plan, dir, e, observer{})
			return nil
		}))
		for _, err := range errs {
			require.ErrorContains(t, err, "MPI_File_open failed on rank 0: too many open files")
			require.Equal(t, failing == ranks, mpi.Agreed(err), "%d processes: %v", failing, err)
		}
	}
}

// openIn returns the files of a directory that this process has open.
func openIn(t *testing.T, dir string) (names []string) {
	const descriptors = "/proc/self/fd"
	for _, fd := range filesIn(t, descriptors) {
		if name, err := os.Readlink(filepath.Join(descriptors, fd)); err == nil && filepath.Dir(name) == dir {
			names = append(names, name)
		}
	}
	return names
}

// If one process can't open its own file, all processes return the error, and none leaves its file open.
func TestOpenFails(t *testing.T) {
	const ranks = 3
	plan, err := NewPlan(ranks, small(func(c *Config) { c.Partitions, c.Duration = []int{ranks}, time.Minute }))
	require.NoError(t, err)
	errs := make([]error, ranks)
	var made, open []string
	dir := t.TempDir()
	require.NoError(t, local.Run(ranks, func(e mpi.Engine) error {
		rank := e.World().Rank()
		o := &opening{Engine: e}
		if rank == 1 {
			o.fails = patterns.Separated.String()
		}
		_, errs[rank] = measureIn(plan, dir, o, observer{})
		if err := e.World().Barrier(); err != nil {
			return err
		}
		if rank == 0 {
			made, open = filesIn(t, dir), openIn(t, dir)
		}
		return nil
	}))
	require.Len(t, made, len([]string{"scatter", "shared"})+ranks-1)
	require.Empty(t, open)
	for _, err := range errs {
		require.ErrorContains(t, err,
			"write of separated on 3 processes: MPI_File_open failed on rank 1: too many open files")
	}
}

// The limit of bytes is kept, and reported.
func TestMaxBytes(t *testing.T) {
	const limit = 110 << 20
	written := int64(0)
	r, err := measure(t, 2, small(func(c *Config) { c.MaxBytes = limit; c.Duration = 2 * time.Second }), nil)
	require.NoError(t, err)
	for _, p := range r.Derived.Partitions {
		written += p.Bytes
	}
	require.LessOrEqual(t, written, int64(limit))
	require.Greater(t, written, int64(limit/4), "the limit is used")
	reached := map[string]bool{}
	for _, c := range r.Criteria {
		reached[c.Name] = c.Reached
	}
	require.False(t, reached["bytes"])
	require.True(t, reached["data"])
}
