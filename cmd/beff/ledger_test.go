package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/rating/journal"
)

// newLedger returns the ledger of a measurement that is a number, and a function that returns what is in its file.
func newLedger(t *testing.T) (*ledger[int], func() (inFile []int)) {
	path := filepath.Join(t.TempDir(), "a.journal")
	file, _, err := journal.Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { file.Close() })
	require.NoError(t, file.Append(journal.Heads, journal.Head{}))
	l := &ledger[int]{file: file, since: func(now, before *int) (int, bool) { return *now, *now > *before }}
	return l, func() (inFile []int) {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		left, err := journal.Parse(text)
		require.NoError(t, err)
		journal.Replay(left.Records, func(_ *int, n int) { inFile = append(inFile, n) })
		return inFile
	}
}

// News are written after half a second, before a long measurement, and at the end; the same twice never.
func TestLedgerWrites(t *testing.T) {
	l, inFile := newLedger(t)
	step := func(n int, why urgency, want bool) {
		written, err := l.keep(&n, why)
		require.NoError(t, err)
		require.Equal(t, want, written)
	}
	step(1, inTurn, true)
	step(2, inTurn, false)
	step(2, atOnce, true)
	step(3, inTurn, false)
	l.written = l.written.Add(-writeEvery)
	step(3, inTurn, true)
	step(3, atLast, false)
	step(4, atLast, true)
	require.Equal(t, []int{1, 2, 3, 4}, inFile())
}

// Rank 0 waits for a fast disk, and never longer than its part of the time for a slow one, which still gets all.
func TestLedgerSyncs(t *testing.T) {
	l, inFile := newLedger(t)
	for n := range 3 {
		n++
		_, err := l.keep(&n, atOnce)
		require.NoError(t, err)
		if n == 1 {
			require.Nil(t, l.flight)
			l.cost = time.Hour // as if it had taken that long
			continue
		}
		require.NotNil(t, l.flight)
	}
	last := 4
	_, err := l.keep(&last, atLast)
	require.NoError(t, err)
	require.Nil(t, l.flight)
	require.Less(t, l.cost, time.Hour)
	require.Equal(t, []int{1, 2, 3, 4}, inFile())
}

// What is known is on disk before a measurement begins that takes long, and as soon as a process hangs.
func TestLongMeasurement(t *testing.T) {
	require.NoError(t, local.Run(1, func(e mpi.Engine) error {
		r, err := newCounted(e, filepath.Join(t.TempDir(), "run"))
		require.NoError(t, err)
		kept := func() int { return r.ledger.kept }
		r.keep(1)
		r.keep(2)
		require.Equal(t, 1, kept())
		r.enter(rating.Stage{Expected: writeEvery / 2})
		require.Equal(t, 1, kept())
		r.enter(rating.Stage{Expected: writeEvery})
		require.Equal(t, 2, kept())
		r.keep(3)
		r.note()
		require.Equal(t, 3, kept())
		return nil
	}))
}
