package flow

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/rating/journal"
)

// newJournal returns the journal of a measurement that is a number, and a function that returns the contents of its
// file.
func newJournal(t *testing.T) (*journalWriter[int], func() (inFile []int)) {
	prefix := filepath.Join(t.TempDir(), "results", "a")
	require.NoError(t, os.Mkdir(filepath.Dir(prefix), 0o755))
	out := &publish.Output{Endings: []string{".json"}}
	require.NoError(t, out.Open(prefix, io.Discard))
	t.Cleanup(func() { _ = out.Leave() })
	require.NoError(t, out.Journal.Begin(journal.Head{}))
	l := &journalWriter[int]{}
	l.begin(out, func(now, before *int) (int, bool) { return *now, *now > *before }, nil)
	return l, func() (inFile []int) {
		text, err := os.ReadFile(out.Journal.Path)
		require.NoError(t, err)
		left, err := journal.Parse(text)
		require.NoError(t, err)
		journal.Replay(left.Records, func(_ *int, n int) { inFile = append(inFile, n) })
		return inFile
	}
}

// New samples are written after half a second, before a long measurement, and at the end. Nothing is written twice.
func TestJournalWrites(t *testing.T) {
	l, inFile := newJournal(t)
	step := func(n int, mode writeMode, want bool) {
		written, err := l.keep(&n, mode)
		require.NoError(t, err)
		require.Equal(t, want, written)
	}
	step(1, whenDue, true)
	step(2, whenDue, false)
	step(2, atOnce, true)
	step(3, whenDue, false)
	l.written = l.written.Add(-writeEvery)
	step(3, whenDue, true)
	step(3, atEnd, false)
	step(4, atEnd, true)
	require.Equal(t, []int{1, 2, 3, 4}, inFile())
}

// Rank 0 waits for a fast disk. For a slow disk a goroutine waits, and all samples still get to the disk.
func TestJournalSyncs(t *testing.T) {
	l, inFile := newJournal(t)
	for n := range 3 {
		n++
		_, err := l.keep(&n, atOnce)
		require.NoError(t, err)
		if n == 1 {
			require.Nil(t, l.pending)
			l.cost = time.Hour // as if it had taken that long
			continue
		}
		require.NotNil(t, l.pending)
	}
	last := 4
	_, err := l.keep(&last, atEnd)
	require.NoError(t, err)
	require.Nil(t, l.pending)
	require.Less(t, l.cost, time.Hour)
	require.Equal(t, []int{1, 2, 3, 4}, inFile())
}

// Everything that was written during a slow sync is on the disk after the last write, even if the last write has
// nothing new.
func TestLastSync(t *testing.T) {
	for _, last := range []int{2, 3} {
		l, _ := newJournal(t)
		disk, begun, end := int64(0), make(chan struct{}), make(chan struct{})
		l.flush = func() error {
			size := l.out.Journal.Size()
			begun <- struct{}{}
			<-end
			disk = size
			return nil
		}
		l.cost, l.synced = time.Hour, time.Now() // a goroutine waits
		n := 1
		_, err := l.keep(&n, atOnce)
		require.NoError(t, err)
		<-begun
		n = 2
		_, err = l.keep(&n, atOnce) // while the goroutine syncs
		require.NoError(t, err)
		go func() {
			close(end)
			for range begun {
			}
		}()
		_, err = l.keep(&last, atEnd)
		require.NoError(t, err)
		require.Equal(t, l.out.Journal.Size(), disk)
		close(begun)
	}
}

// If a journal's directory is removed, or another run has taken its name, this is noticed, and the journal is written
// again with all samples.
func TestJournalLooks(t *testing.T) {
	l, inFile := newJournal(t)
	path := l.out.Journal.Path
	n := 1
	step := func() {
		_, err := l.keep(&n, atOnce)
		require.NoError(t, err)
		n++
	}
	look := func(want string) {
		told, err := l.checkName(false)
		require.NoError(t, err)
		require.Empty(t, told, "it has just looked")
		l.looked = l.looked.Add(-checkEvery)
		told, err = l.checkName(false)
		require.NoError(t, err)
		require.Regexp(t, want, told)
	}
	step()
	look("^$")
	require.NoError(t, os.RemoveAll(filepath.Dir(path)))
	step()
	look("^" + path + " was removed or moved: it is made anew, with all samples$")
	look("^$")
	step()
	require.Equal(t, []int{1, 2, 3}, inFile())

	require.NoError(t, os.Remove(path))
	prefix := strings.TrimSuffix(path, journal.Suffix)
	second := &publish.Output{Endings: []string{".json"}, Force: true}
	require.NoError(t, second.Open(prefix, io.Discard))
	step()
	look("^" + path + " is another file now: this run continues as " + prefix + "-[a-z2-7]{8}$")
	step()
	require.Equal(t, []int{1, 2, 3, 4, 5}, inFile())
	require.NotEqual(t, path, l.out.Journal.Path)
	require.NoError(t, second.Leave())

	require.NoError(t, os.RemoveAll(filepath.Dir(path)))
	require.NoError(t, os.WriteFile(filepath.Dir(path), nil, 0o600))
	_, err := l.checkName(true)
	require.ErrorContains(t, err, "was removed or moved, and can't be made anew: ")
	files := []publish.File{{Ending: ".json", Write: func(io.Writer) error { return nil }}}
	require.ErrorContains(t, l.out.End(files, nil), "; the journal is gone, too")
}

// All samples are on the disk before a long measurement begins, and as soon as a process hangs.
func TestLongMeasurement(t *testing.T) {
	require.NoError(t, local.Run(1, func(e mpi.Engine) error {
		r, err := newCounted(e, filepath.Join(t.TempDir(), "run"))
		require.NoError(t, err)
		kept := func() int { return r.journal.kept }
		r.keep(1)
		r.keep(2)
		require.Equal(t, 1, kept())
		r.stageBegins(rating.Stage{Expected: writeEvery / 2})
		require.Equal(t, 1, kept())
		r.stageBegins(rating.Stage{Expected: writeEvery})
		require.Equal(t, 2, kept())
		r.keep(3)
		r.keepWaits()
		require.Equal(t, 3, kept())
		return nil
	}))
}
