package ior

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/rating"
)

// made returns the result of tests on processes of the embedded engine.
func made(t *testing.T, processes int, dir string, tests ...Settings) (*Result, error) {
	return resumed(t, processes, dir, Config{Tests: tests}, nil)
}

// resumed is made of a run with an earlier part.
func resumed(t *testing.T, processes int, dir string, c Config, earlier *Measured) (*Result, error) {
	plan, err := NewPlan(processes, c)
	require.NoError(t, err)
	plan.Directory = dir
	var r *Result
	err = local.Run(processes, func(e mpi.Engine) error {
		m, err := plan.Measure(e, rating.Observer[Measured]{Earlier: earlier})
		if e.World().Rank() == 0 {
			r = NewResult(plan, m, Run{Run: rating.Run{Library: e.Library(), Err: err}})
		}
		return err
	})
	require.NoError(t, r.Check())
	return r, err
}

// small returns a test that writes and reads, with a change.
func small(change func(*Settings)) Settings {
	s := Settings{API: POSIX, Transfer: 512, Block: 2048, Segments: 3, Repetitions: 1, Write: true, Read: true,
		Compare: true, Seed: 1, File: "f"}
	change(&s)
	return s
}

// Each layout has all bytes, and what is read is what the process has written whose data it should be. Nothing stays.
func TestLayouts(t *testing.T) {
	for name, s := range map[string]Settings{
		"shared":     small(func(*Settings) {}),
		"own":        small(func(s *Settings) { s.FilePerProcess = true }),
		"one block":  small(func(s *Settings) { s.Segments = 1 }),
		"hard":       small(func(s *Settings) { s.Block, s.Segments = 512, 20 }),
		"MPI-IO":     small(func(s *Settings) { s.API = MPIIO }),
		"collective": small(func(s *Settings) { s.API, s.Collective = MPIIO, true }),
		"own calls":  small(func(s *Settings) { s.API, s.Collective, s.FilePerProcess = MPIIO, true, true }),
		"own MPI-IO": small(func(s *Settings) { s.API, s.FilePerProcess, s.SyncEach = MPIIO, true, true }),
		"synced":     small(func(s *Settings) { s.API, s.Sync = MPIIO, true }),
		"shifted":    small(func(s *Settings) { s.Shift, s.Barriers, s.Cold = 2, true, true }),
		"own shift":  small(func(s *Settings) { s.Shift, s.FilePerProcess, s.Cold = 1, true, true }),
		"random":     small(func(s *Settings) { s.Random = true }),
		"scattered":  small(func(s *Settings) { s.Scattered, s.Shift = true, 1 }),
		"long":       small(func(s *Settings) { s.Block, s.Segments = 512*(batch+3), 2 }),
		"again":      small(func(s *Settings) { s.Repetitions = 3 }),
	} {
		dir := t.TempDir()
		r, err := made(t, 3, dir, s)
		require.NoError(t, err, name)
		require.Len(t, r.Samples, 2*s.Repetitions, name)
		for _, x := range r.Samples {
			require.Equal(t, s.Bytes(3), x.Bytes, name)
			require.Zero(t, x.Wrong, "%s: %s", name, x.FirstWrong)
			require.GreaterOrEqual(t, x.Seconds+1e-8, x.Move, name)
		}
		left, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Empty(t, left, name)
	}
}

// The file of a layout has each byte once.
func TestOffsets(t *testing.T) {
	for i, s := range []Settings{small(func(*Settings) {}), small(func(s *Settings) { s.Random = true }),
		small(func(s *Settings) { s.Scattered, s.Segments = true, 7 }), small(func(s *Settings) { s.Block = 512 }),
		small(func(s *Settings) { s.Block = 512 * (batch + 1) }), small(func(*Settings) {}),
		small(func(s *Settings) { s.Scattered, s.Segments = true, 7 })} {
		seen, all, loop := map[int64]bool{}, s.Transfers(), int64(batch)
		if i > 4 {
			loop = 3
		}
		for rank := range 3 {
			for at := int64(0); at < all; {
				of := s.steps(rank, 3, at, all, loop)
				require.LessOrEqual(t, int64(len(of.offsets)), loop)
				for loop := range of.loops {
					for _, offset := range of.offsets {
						offset += loop * of.advance
						require.False(t, seen[offset], "%+v: %d twice", s, offset)
						seen[offset] = true
					}
				}
				at += of.loops * int64(len(of.offsets))
				require.LessOrEqual(t, at, all)
			}
		}
		for at := int64(0); at < s.Bytes(3); at += s.Transfer {
			require.True(t, seen[at], "%+v: %d is missing", s, at)
		}
	}
}

// A file that is there is not written over, and one of another size, or with other data, is told with its path.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "f")
	require.NoError(t, os.WriteFile(file, make([]byte, 3*6144), 0o600))
	at := func(change func(*Settings)) Settings {
		return small(func(s *Settings) { s.File = file; change(s) })
	}
	_, err := made(t, 3, "", at(func(*Settings) {}))
	require.ErrorContains(t, err, file+" is there")
	r, err := made(t, 3, "", at(func(s *Settings) { s.Write = false }))
	require.NoError(t, err)
	wrong := WrongIn(r.Tests, r.Samples)
	require.Equal(t, 3*s512(r), wrong.Transfers)
	require.Contains(t, wrong.First, file)
	require.False(t, r.Valid)
	_, err = made(t, 3, "", at(func(s *Settings) { s.Write, s.Segments = false, 4 }))
	require.ErrorContains(t, err, file)
	_, err = made(t, 3, "", at(func(s *Settings) { s.Existing, s.Keep = true, true }))
	require.NoError(t, err)
	r, err = made(t, 3, "", at(func(s *Settings) { s.Write, s.API = false, MPIIO }))
	require.NoError(t, err)
	require.Zero(t, WrongIn(r.Tests, r.Samples), "an earlier run has written it")
	for api, left := range map[API]int64{POSIX: 5 * 6144, MPIIO: 3 * 6144} { // MPI-IO cuts the file before it writes
		require.NoError(t, os.WriteFile(file, make([]byte, 5*6144), 0o600))
		_, err = made(t, 3, "", at(func(s *Settings) { s.API, s.Existing, s.Keep, s.Read = api, true, true, false }))
		require.NoError(t, err)
		info, err := os.Stat(file)
		require.NoError(t, err)
		require.Equal(t, left, info.Size(), api)
	}
	_, err = made(t, 3, "", small(func(s *Settings) { s.File = filepath.Join(dir, "none", "f") }))
	require.ErrorContains(t, err, "none")
}

// What was just written is read from memory, and a sign says so, in each layout; not where it is dropped before. Each
// process has looked at all pages that it reads, and at no other ones.
func TestFromMemory(t *testing.T) {
	dir := t.TempDir()
	var at unix.Statfs_t
	require.NoError(t, unix.Statfs(dir, &at))
	page := int64(os.Getpagesize())
	for name, change := range map[string]func(*Settings){
		"one file":   func(*Settings) {},
		"own files":  func(s *Settings) { s.FilePerProcess = true },
		"shifted":    func(s *Settings) { s.Shift, s.API = 1, MPIIO },
		"collective": func(s *Settings) { s.API, s.Collective = MPIIO, true },
		"random":     func(s *Settings) { s.Random = true },
		"scattered":  func(s *Settings) { s.Scattered = true },
	} {
		for _, cold := range []bool{false, true} {
			r, err := made(t, 3, dir, small(func(s *Settings) {
				s.Transfer, s.Block, s.Cold = page, 4*page, cold
				change(s)
			}))
			require.NoError(t, err)
			i := slices.IndexFunc(r.Signs, func(s rating.Sign) bool { return s.Name == "memory" })
			require.GreaterOrEqual(t, i, 0, name)
			require.Equal(t, cold && at.Type != unix.TMPFS_MAGIC, r.Signs[i].Quiet, "%s: %s", name, r.Signs[i].Text)
			is := slices.IndexFunc(r.Criteria, func(c rating.Criterion) bool { return c.Name == rating.Cold })
			require.True(t, is >= 0 == cold && (!cold || r.Criteria[is].Reached == r.Signs[i].Quiet), "%v", r.Criteria)
			pages := r.Samples[1].Pages
			require.Equal(t, r.Samples[1].Bytes/page, pages.Looked, name)
			require.Equal(t, pages.Looked, pages.After, name)
		}
	}
}

// s512 returns the transfers of a process.
func s512(r *Result) int64 { return r.Tests[0].Transfers() }

// Collective calls on files of their own are of each process alone: one that can't open its file stops no other one.
func TestOwnCollectiveFails(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "f")
	for _, name := range []string{file + ".00000000", file + ".00000002"} {
		require.NoError(t, os.WriteFile(name, make([]byte, 6144), 0o600))
	}
	_, err := made(t, 3, "", small(func(s *Settings) {
		s.API, s.Collective, s.FilePerProcess, s.Write, s.File = MPIIO, true, true, false, file
	}))
	require.ErrorContains(t, err, file+".00000001")
}

// What a stonewall has left is read as it was written: by chance, and collectively in several programs, whose
// processes end together.
func TestStonewalls(t *testing.T) {
	for name, s := range map[string]Settings{
		"scattered": small(func(s *Settings) { s.Scattered, s.Segments, s.Stonewall = true, 1<<14, 0.02 }),
		"own":       small(func(s *Settings) { s.FilePerProcess, s.Segments, s.Stonewall = true, 1<<40, 0.02 }),
		"blocks":    small(func(s *Settings) { s.Segments, s.Stonewall, s.WearOut = 1<<40, 0.02, true }),
		"collective": small(func(s *Settings) {
			s.API, s.Collective, s.Segments, s.Stonewall = MPIIO, true, 1<<40, 0.05
		}),
	} {
		r, err := made(t, 3, t.TempDir(), s)
		require.NoError(t, err, name)
		for _, x := range r.Samples {
			require.Zero(t, x.Wrong, "%s: %s", name, x.FirstWrong)
			require.Positive(t, x.Least, name)
			require.True(t, !s.WearOut && !s.Collective || x.Least == x.Most, "%s: %d to %d", name, x.Least, x.Most)
		}
	}
}

// The room for files ends a stonewall's writing, on all processes alike; the result says so.
func TestRoom(t *testing.T) {
	s := small(func(s *Settings) { s.FilePerProcess, s.Segments, s.Stonewall, s.WearOut = true, 1<<40, 5, true })
	r, err := resumed(t, 3, t.TempDir(), Config{Tests: []Settings{s}, Room: 3 * 512 * 20}, nil)
	require.NoError(t, err)
	require.True(t, r.Samples[0].Full)
	require.Equal(t, int64(20), r.Samples[0].Least)
	require.Equal(t, int64(60), r.Samples[1].Transfers)
	require.Contains(t, r.Warnings[len(r.Warnings)-1].Text, "not at the stonewall of 5 s")
	r = &Result{Tests: IO500(POSIX, 1<<16, 2, 1, 2, func(name string) string { return name }), Samples: []Sample{
		{Full: true, WallSeconds: 0.5, Seconds: 1}, {Test: 1, Full: true, Seconds: 0.2}}}
	require.Contains(t, r.filled()[0].Text, EasyWrite+" after 0.5 s, "+MetaEasyWrite+" after 0.2 s; ")
	_, err = resumed(t, 3, t.TempDir(), Config{Tests: []Settings{s}, Room: 10}, nil)
	require.ErrorContains(t, err, "no room for more files")
}

// A run that keeps its files goes on with those that its earlier part has made, and with no others.
func TestResumeKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f")
	s := small(func(s *Settings) { s.File, s.Keep, s.Repetitions = file, true, 2 })
	first, err := made(t, 3, "", s)
	require.NoError(t, err)
	for kept := range len(first.Samples) {
		was := &Measured{Samples: first.Samples[:kept], Begun: []int{0}}
		plan, err := NewPlan(3, Config{Tests: []Settings{s}})
		require.NoError(t, err)
		plan.Trim(was)
		require.Len(t, was.Samples, kept/2*2, "whole repetitions: the file may be that of a later one")
		require.Equal(t, []string{file}, plan.Left(was))
		if kept%2 == 1 {
			require.NoError(t, os.Remove(file))
		}
		r, err := resumed(t, 3, "", Config{Tests: []Settings{s}}, was)
		require.NoError(t, err)
		require.Len(t, r.Samples, 4)
	}
	_, err = resumed(t, 3, "", Config{Tests: []Settings{s}}, &Measured{})
	require.ErrorContains(t, err, file+" is there")
}

// The mean is that of the interval.
func TestMean(t *testing.T) {
	r := &Result{Tests: []Settings{small(func(s *Settings) { s.Repetitions = 3 })}}
	for i, seconds := range []float64{1, 2, 4} {
		r.Samples = append(r.Samples, Sample{Repetition: i, Access: Write, Bytes: 800, Seconds: seconds})
	}
	p := Derive(r).Phases[0]
	require.InEpsilon(t, 400, p.Mean, 1e-9)
	require.Less(t, p.Interval.Low, p.Mean)
}

// An IO500-like set writes until the stonewall and on to equal shares, reads and finds that, and leaves no small files.
// It has a score, and its rules say that it was too short.
func TestIO500(t *testing.T) {
	dir := t.TempDir()
	tests := IO500(MPIIO, 1<<16, 0.05, 1, 2, func(name string) string { return name })
	r, err := made(t, 2, dir, tests...)
	require.NoError(t, err)
	require.Len(t, r.Samples, len(tests))
	for i, x := range r.Samples {
		require.Positive(t, x.Transfers, tests[i].Name)
		require.Zero(t, x.Wrong, "%s: %s", tests[i].Name, x.FirstWrong)
		if tests[i].WearOut {
			require.Equal(t, x.Least, x.Most, tests[i].Name)
		}
	}
	require.Equal(t, r.Samples[3].Transfers, r.Samples[10].Transfers, "hard files are read as they were made")
	find := r.Samples[4]
	require.Equal(t, r.Samples[1].Transfers+r.Samples[3].Transfers+3, find.Transfers, "and three large files")
	if r.Samples[3].Least > 102 {
		require.Positive(t, find.Found)
	}
	require.Equal(t, Wrong{Files: 3, First: "lost"}, WrongIn(tests, []Sample{{Test: 4, Wrong: 3, FirstWrong: "lost"}}))
	s := r.Derived.Score
	require.InEpsilon(t, math.Sqrt(s.Bandwidth/(1<<30)*s.Rate/1000), s.Total, 1e-9)
	require.Positive(t, s.Total)
	require.False(t, r.Valid)
	require.False(t, r.setCriteria()[0].Reached)
	require.True(t, r.setCriteria()[1].Reached)
	left, err := filepath.Glob(filepath.Join(dir, "mdtest_tree*", "*"))
	require.NoError(t, err)
	require.Empty(t, left)

	for i := range tests { // on a large machine, too
		require.NoError(t, tests[i].Check(100_000), tests[i].Name)
	}
	plan, err := NewPlan(2, Config{Tests: tests})
	require.NoError(t, err)
	was := &Measured{Samples: r.Samples[:5]}
	plan.Trim(was)
	require.Empty(t, was.Samples, "its files are gone")
	_, err = NewPlan(2, Config{Tests: tests[4:]})
	require.ErrorContains(t, err, `no test "mdtest-hard-write" before "find"`)
}

// TestScore checks the score of a known submission: √(bandwidth in GiB/s · thousands of operations per second).
func TestScore(t *testing.T) {
	const gibi, thousand = 1 << 30, 1000
	s := NewScore([]float64{4 * gibi, gibi, 4 * gibi, gibi}, []float64{9e3, 9e3, 9e3, 9e3, 9e3, 9e3, 9e3, 9e3})
	require.InEpsilon(t, 2*gibi, s.Bandwidth, 1e-9)
	require.InEpsilon(t, 9*thousand, s.Rate, 1e-9)
	require.InEpsilon(t, 4.242640687, s.Total, 1e-9)
	require.Zero(t, NewScore([]float64{gibi}, nil))
}
