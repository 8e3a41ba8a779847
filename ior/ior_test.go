package ior

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/rating"
)

// measured returns the result of tests on processes of the embedded engine.
func measured(t *testing.T, processes int, dir string, tests ...Settings) (*Result, error) {
	plan, err := NewPlan(processes, Config{Tests: tests})
	require.NoError(t, err)
	plan.Directory = dir
	var r *Result
	err = local.Run(processes, func(e mpi.Engine) error {
		m, err := plan.Measure(e, rating.Observer[Measured]{})
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
		r, err := measured(t, 3, dir, s)
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
	for _, s := range []Settings{small(func(*Settings) {}), small(func(s *Settings) { s.Random = true }),
		small(func(s *Settings) { s.Scattered, s.Segments = true, 7 }), small(func(s *Settings) { s.Block = 512 }),
		small(func(s *Settings) { s.Block = 512 * (batch + 1) })} {
		seen, all := map[int64]bool{}, s.Transfers()
		for rank := range 3 {
			for at := int64(0); at < all; {
				of := s.steps(rank, 3, at, all)
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
	_, err := measured(t, 3, "", at(func(*Settings) {}))
	require.ErrorContains(t, err, file+" is there")
	r, err := measured(t, 3, "", at(func(s *Settings) { s.Write = false }))
	require.NoError(t, err)
	n, first := Wrong(r.Samples)
	require.Equal(t, 3*s512(r), n)
	require.Contains(t, first, file)
	require.False(t, r.Valid)
	_, err = measured(t, 3, "", at(func(s *Settings) { s.Write, s.Segments = false, 4 }))
	require.ErrorContains(t, err, file)
	_, err = measured(t, 3, "", at(func(s *Settings) { s.Existing, s.Keep = true, true }))
	require.NoError(t, err)
	r, err = measured(t, 3, "", at(func(s *Settings) { s.Write, s.API = false, MPIIO }))
	require.NoError(t, err)
	n, _ = Wrong(r.Samples)
	require.Zero(t, n, "an earlier run has written it")
	_, err = measured(t, 3, "", small(func(s *Settings) { s.File = filepath.Join(dir, "none", "f") }))
	require.ErrorContains(t, err, "none")
}

// s512 returns the transfers of a process.
func s512(r *Result) int64 { return r.Tests[0].Transfers() }

// An IO500-like set writes until the stonewall and on to equal shares, reads that, and leaves nothing. Its score has no
// total without the rates of metadata, and its rules say what is missing.
func TestIO500(t *testing.T) {
	dir := t.TempDir()
	tests := IO500(MPIIO, 1<<16, 0.05, 1, func(name string) string { return name })
	r, err := measured(t, 2, dir, tests...)
	require.NoError(t, err)
	require.Len(t, r.Samples, len(tests))
	for i, x := range r.Samples {
		require.Positive(t, x.Transfers, tests[i].Name)
		require.Zero(t, x.Wrong, tests[i].Name)
		if tests[i].WearOut {
			require.Equal(t, x.Least, x.Most, tests[i].Name)
		}
	}
	s := r.Derived.Score
	require.Positive(t, s.Bandwidth)
	require.Zero(t, s.Rate)
	require.Zero(t, s.Total)
	require.False(t, r.Valid)
	require.False(t, r.setCriteria()[0].Reached)
	require.False(t, r.setCriteria()[1].Reached)
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
