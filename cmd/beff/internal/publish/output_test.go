package publish

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating/journal"
)

// writes returns files with a text.
func texts(text string) []File {
	return []File{{".json", func(w io.Writer) error { _, err := io.WriteString(w, text); return err }}}
}

// begun returns the output of a run that has begun, with a number of records.
func begun(t *testing.T, prefix string, records int) *Output {
	o := &Output{Endings: []string{".json"}}
	require.NoError(t, o.Open(prefix, io.Discard))
	owner := journal.Owner{Host: "n1", PID: 17}
	require.NoError(t, o.Begin(journal.Head{Owner: owner, Document: []byte("{}"), Decided: []byte("1")}, 100,
		texts("beginning")))
	for i := range records {
		require.NoError(t, o.Journal.Append(journal.Data, i))
	}
	return o
}

func contents(t *testing.T, path string) string {
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(data)
}

// names returns the names in a directory.
func listed(t *testing.T, dir string) (list []string) {
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// While a run uses a prefix, no other run can use it, even with --force.
func TestInUse(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "a")
	first := begun(t, prefix, 1)
	for _, force := range []bool{false, true} {
		second := &Output{Endings: []string{".json"}, Force: force}
		require.ErrorContains(t, second.Open(prefix, io.Discard),
			"is in use by process 17 on n1: choose another --output")
	}
	_, err := (&Output{Endings: []string{".json"}}).Resume(prefix, io.Discard)
	require.ErrorContains(t, err, "is in use by process 17 on n1")
	require.Equal(t, "beginning", contents(t, prefix+".json"))
	require.NoError(t, first.End(texts("all"), nil))
	require.Equal(t, "all", contents(t, prefix+".json"))
	require.Equal(t, []string{"a.json"}, listed(t, filepath.Dir(prefix)))
}

// The samples of a run are not overwritten without --force, and can be resumed.
func TestLeft(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "a")
	require.NoError(t, begun(t, prefix, 1).Leave()) // as if it were killed
	next := &Output{Endings: []string{".json"}}
	require.ErrorContains(t, next.Open(prefix, io.Discard), "resume it with --resume "+prefix)
	left, err := next.Resume(prefix, io.Discard)
	require.NoError(t, err)
	require.Len(t, left.Records, 1)
	require.NoError(t, next.BeginNext(journal.Head{Owner: journal.Owner{Host: "n2"}, Document: []byte("{}"),
		Decided: []byte("1")}, 8))
	require.NoError(t, next.End(texts("part"), io.EOF))
	require.NoError(t, next.Leave())
	again := &Output{Endings: []string{".json"}}
	left, err = again.Resume(prefix, io.Discard)
	require.NoError(t, err)
	require.True(t, left.Ended)
	require.Equal(t, "8", string(left.Records[0]))
	require.Equal(t, "n2", left.Head.Owner.Host)
	require.NoError(t, again.Leave())

	forced := &Output{Endings: []string{".json"}, Force: true}
	require.NoError(t, forced.Open(prefix, io.Discard))
	require.True(t, forced.Old())
	require.Equal(t, "part", contents(t, prefix+".json"), "until there is something new")
	require.NoError(t, forced.Keep(texts("new")))
	require.False(t, forced.Old())
}

// A new run takes the name of a run that was killed before it had measured anything, and prints that.
func TestStale(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "a")
	require.NoError(t, begun(t, prefix, 0).Leave())
	var told stringWriter
	next := &Output{Endings: []string{".json"}}
	require.NoError(t, next.Open(prefix, &told))
	require.Equal(t, "beff: "+prefix+".journal was left by process 17 on n1, which is gone: it is taken\n", told.text)
	next.Discard()
	require.Empty(t, listed(t, filepath.Dir(prefix)))
}

type stringWriter struct{ text string }

func (w *stringWriter) Write(p []byte) (int, error) { w.text += string(p); return len(p), nil }

// A journal with an unreadable head, and a file that is no journal, stay unchanged in a run without --force, whatever
// other files there are. With --force the first is overwritten, but never the second.
func TestUnreadable(t *testing.T) {
	for _, there := range []bool{false, true} {
		dir := t.TempDir()
		prefix := filepath.Join(dir, "a")
		require.NoError(t, begun(t, prefix, 3).Leave())
		// both copies of the head
		damaged := []byte(strings.ReplaceAll(contents(t, prefix+".journal"), `"pid":17`, `"pid":18`))
		other := filepath.Join(dir, "notes")
		require.NoError(t, os.WriteFile(prefix+".journal", damaged, 0o600))
		require.NoError(t, os.WriteFile(other+".journal", []byte("notes"), 0o600))
		require.NoError(t, os.Remove(prefix+".json"))
		if there {
			require.NoError(t, os.WriteFile(prefix+".json", []byte("{}"), 0o600))
			require.NoError(t, os.WriteFile(other+".json", []byte("{}"), 0o600))
		}
		o := &Output{Endings: []string{".json"}}
		names := listed(t, dir)
		const says = ".journal: it is damaged: its header can't be read, 3 records follow; move it away"
		require.EqualError(t, o.Open(prefix, io.Discard), "output: "+prefix+says)
		_, err := o.Resume(prefix, io.Discard)
		require.EqualError(t, err, "output: "+prefix+says)
		for _, force := range []bool{false, true} {
			o := &Output{Endings: []string{".json"}, Force: force}
			require.EqualError(t, o.Open(other, io.Discard),
				"output: "+other+".journal: it is not a journal of beff; move it away")
		}
		require.Equal(t, string(damaged), contents(t, prefix+".journal"))
		require.Equal(t, "notes", contents(t, other+".journal"))
		require.Equal(t, names, listed(t, dir))
		forced := &Output{Endings: []string{".json"}, Force: true}
		require.NoError(t, forced.Open(prefix, io.Discard))
		require.Empty(t, contents(t, prefix+".journal"))
		require.NoError(t, forced.Leave())
	}
}

// No run writes through a link next to a journal, which may come from a stranger.
func TestJournalBesideLinks(t *testing.T) {
	for _, records := range []int{0, 1} {
		dir := t.TempDir()
		prefix, precious := filepath.Join(dir, "a"), filepath.Join(dir, "precious")
		require.NoError(t, begun(t, prefix, records).Leave())
		require.NoError(t, os.WriteFile(precious, []byte("precious"), 0o600))
		require.NoError(t, os.Remove(prefix+".json"))
		require.NoError(t, os.Symlink("precious", prefix+".json"))
		o := &Output{Endings: []string{".json"}}
		if records == 0 {
			require.ErrorContains(t, o.Open(prefix, io.Discard), "a.json exists")
		}
		for _, force := range []bool{false, true} {
			_, err := (&Output{Endings: []string{".json"}, Force: force}).Resume(prefix, io.Discard)
			require.ErrorContains(t, err, "a.json is a link, which a resumed run doesn't follow: remove it")
		}
		require.Equal(t, "precious", contents(t, precious))
		require.Equal(t, []string{"a.journal", "a.json", "precious"}, listed(t, dir))
	}
}

// An empty file that existed before is kept if nothing is written.
func TestEmptyStays(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "a")
	require.NoError(t, os.WriteFile(prefix+".json", nil, 0o600))
	o := &Output{Endings: []string{".json"}}
	require.NoError(t, o.Documents(prefix))
	o.Discard()
	require.FileExists(t, prefix+".json")
}

// A document without text isn't created, and an empty journal of somebody else is kept.
func TestNothingEmpty(t *testing.T) {
	dir := t.TempDir()
	prefix := filepath.Join(dir, "a")
	require.NoError(t, os.WriteFile(prefix+".journal", nil, 0o600))
	require.NoError(t, (&Output{Endings: []string{".json"}}).Documents(prefix))
	require.Equal(t, []string{"a.journal"}, listed(t, dir))
	require.NoError(t, os.WriteFile(prefix+".json", []byte("{}"), 0o600))
	require.ErrorContains(t, (&Output{Endings: []string{".json"}}).Open(prefix, io.Discard), "exists")
	require.Equal(t, []string{"a.journal", "a.json"}, listed(t, dir))
}

// If a killed process has left the next version of a file, the next process that writes the file removes it. It keeps a
// version that is still being written, and files with other names.
func TestPartsLeft(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.json")
	stay := []string{"a.json.abcdefg1.part", "a.json.part", "b.a.json.abcdefgh.part", "b.json.abcdefgh.part"}
	for _, name := range append(stay, "a.json.abcdefgh.part") {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "a.json.abcdefgi.part"), 0o700))
	stay = append(stay, "a.json.abcdefgi.part")
	own, err := NewPart(path)
	require.NoError(t, err)
	live := filepath.Base(own.Name())
	require.ElementsMatch(t, append(stay, live), listed(t, dir))
	unfinished.left = map[string][]string{} // as another process
	require.NoError(t, Replace(path, func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }))
	require.ElementsMatch(t, append(stay, live, "a.json"), listed(t, dir))
	require.NoError(t, own.Keep())
	require.ElementsMatch(t, append(stay, "a.json"), listed(t, dir))
	require.Empty(t, unfinished.own)
}

// A link stays a link, and its target is written, whether the target existed or not.
func TestLinks(t *testing.T) {
	for _, there := range []bool{false, true} {
		dir := t.TempDir()
		prefix, target := filepath.Join(dir, "link"), filepath.Join(dir, "target")
		require.NoError(t, os.Symlink("target", prefix+".json"))
		if there {
			require.NoError(t, os.WriteFile(target, nil, 0o600))
		}
		o := begun(t, prefix, 0)
		require.Equal(t, "beginning", contents(t, target))
		require.NoError(t, o.End(texts("all"), nil))
		require.Equal(t, "all", contents(t, target))
		name, err := os.Readlink(prefix + ".json")
		require.NoError(t, err)
		require.Equal(t, "target", name)

		require.NoError(t, os.Remove(target))
		begun(t, prefix, 0).Discard()
		require.Equal(t, []string{"link.json"}, listed(t, dir), "the user's link stays")
	}
	prefix := filepath.Join(t.TempDir(), "loop")
	require.NoError(t, os.Symlink("loop.json", prefix+".json"))
	o := &Output{Endings: []string{".json"}}
	require.ErrorContains(t, o.Open(prefix, io.Discard), "too many levels of symbolic links")
	require.Equal(t, []string{"loop.json"}, listed(t, filepath.Dir(prefix)))
}

// Documents that can't be written leave the samples in the journal.
func TestDocumentsFail(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "a")
	o := begun(t, prefix, 1)
	fails := []File{{".json", func(io.Writer) error { return fmt.Errorf("full") }}}
	require.ErrorContains(t, o.End(fails, nil), "full; the samples are in "+prefix+".journal")
	require.NoError(t, o.Leave())
	left, err := o.Resume(prefix, io.Discard)
	require.NoError(t, err)
	require.Len(t, left.Records, 1)
	require.False(t, left.Ended)
	require.Equal(t, "beginning", contents(t, prefix+".json"))
}

// If several processes write a file at once, it has the whole text of one of them, and no other files are left.
func TestWritersAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.json")
	errs := make([]error, 20)
	var writers sync.WaitGroup
	for i := range errs {
		writers.Go(func() {
			errs[i] = Replace(path, func(w io.Writer) error { _, err := fmt.Fprint(w, "text ", i%10); return err })
		})
	}
	writers.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	require.Regexp(t, "^text [0-9]$", contents(t, path))
	require.Equal(t, []string{"a.json"}, listed(t, filepath.Dir(path)))
}
