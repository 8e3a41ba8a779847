package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/mutants"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/rating/journal"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ofbeff"
)

// beginning returns a result without samples, as the document that its run begins with.
func beginning(t testing.TB, r *beff.Result) []byte {
	b := *r
	b.Samples, b.Derived, b.Complete, b.Valid = []beff.Sample{}, beff.Derived{}, false, false
	b.Verdict, b.Ended = rating.NewVerdict(nil, nil, nil), rating.ErrUnderWay.Error()
	var text bytes.Buffer
	require.NoError(t, ofbeff.Form.Seal(&text, &b))
	return text.Bytes()
}

// kept writes the journal of a run that has these samples, in records of 100.
func kept(t testing.TB, path string, r *beff.Result) *journal.File {
	file, left, err := journal.Open(path, false)
	require.NoError(t, err)
	require.Nil(t, left)
	require.NoError(t, file.Begin(journal.Head{Owner: journal.Owner{Host: "n1", PID: 1}, Made: true,
		Document: beginning(t, r), Decided: []byte("{}")}))
	for some := range slices.Chunk(r.Samples, 100) {
		require.NoError(t, file.Append(journal.Data, beff.Measured{Samples: some, WallSeconds: r.WallSeconds,
			LoopSeconds: r.LoopSeconds}))
	}
	return file
}

// A result from a journal isn't complete, even if the journal's head says that it is. With a whole pass it is a valid
// rating, with one sample less it isn't.
func TestNeverComplete(t *testing.T) {
	whole := fixture.Cluster("").Result()
	require.True(t, whole.Valid)
	head := *whole
	head.Samples = []beff.Sample{}
	var begun bytes.Buffer
	require.NoError(t, ofbeff.Form.Write(&begun, &head))
	for lost, valid := range []bool{true, false} {
		name := filepath.Join(t.TempDir(), "a.journal")
		j, _, err := journal.Open(name, false)
		require.NoError(t, err)
		require.NoError(t, j.Begin(journal.Head{Owner: journal.Owner{Host: "n1", PID: 1}, Document: begun.Bytes(),
			Decided: []byte("{}")}))
		kept := whole.Samples[lost:]
		require.NoError(t, j.Append(journal.Data, beff.Measured{Samples: kept, WallSeconds: whole.WallSeconds,
			LoopSeconds: whole.LoopSeconds}))
		f := Read(name)
		require.NoError(t, f.Problem)
		require.False(t, f.Complete())
		require.Equal(t, valid, entry(t, f).Status.Valid(), "%d lost", lost)
	}
}

// text returns a report as text.
func text(t testing.TB, f *File) string {
	var b bytes.Buffer
	require.NoError(t, document.PlainText(&b, f.Document()))
	return strings.Join(strings.Fields(b.String()), " ")
}

// A run that has not ended is read from its journal, and has the same figures as a document with these samples.
func TestUnderWay(t *testing.T) {
	dir := t.TempDir()
	whole := fixture.Cluster("").Result()
	path := file(t, dir, "a.json", string(beginning(t, whole)))
	j := kept(t, filepath.Join(dir, "a.journal"), whole)
	read := func(name string) *File { return Read(filepath.Join(dir, name)) }
	for _, name := range []string{"a.json", "a.journal"} {
		f := read(name)
		require.NoError(t, f.Problem)
		require.Equal(t, filepath.Join(dir, "a.journal"), f.Journal)
		require.False(t, f.Complete())
		e := entry(t, f)
		require.Equal(t, whole.Derived.BEff, e.Rating())
		require.Contains(t, f.Document().Notices[0].Text, "still under way, or was killed")
		require.Equal(t, 1, strings.Count(text(t, f), "still under way, or was killed"))
	}
	require.NoError(t, os.Remove(path))
	require.NoError(t, read("a.json").Problem, "only the journal")
	require.NotContains(t, text(t, read("a.json")), "MPI_Sendrecv")
	require.NoError(t, j.Append(journal.Waits, []rating.Wait{{Rank: 1, Host: "n1", Seconds: 30, Call: "MPI_Sendrecv"}}))
	require.Contains(t, text(t, read("a.json")),
		"a process made no progress for some time: rank 1 on n1: 30 s in MPI_Sendrecv", "it hung, and was killed")

	// The document is read if it is complete, or if the journal has ended.
	file(t, dir, "a.json", sealed(t))
	require.True(t, read("a.json").Complete(), "it was killed before it had removed the journal")
	older := *whole
	older.Started = whole.Started.Add(-1)
	var text bytes.Buffer
	require.NoError(t, ofbeff.Form.Seal(&text, &older))
	file(t, dir, "a.json", text.String())
	require.True(t, read("a.json").Complete())
	require.Equal(t, []string{filepath.Join(dir, "a.journal") + " belongs to another run, a b_eff begun at " +
		whole.Started.Format(time.RFC3339) + ": ignored"}, read("a.json").Remarks)
	other := *whole
	other.Benchmark = "b_eff_io" // it can't be read: the journal isn't read in its place
	text.Reset()
	require.NoError(t, ofbeff.Form.Write(&text, &other))
	file(t, dir, "a.json", text.String())
	require.False(t, read("a.json").Usable)
	file(t, dir, "a.json", sealed(t))
	require.NoError(t, j.Append(journal.Ended, journal.Ending{}))
	require.True(t, read("a.json").Complete())
	require.Empty(t, read("a.json").Journal)
	require.NoError(t, j.Close())

	// A damaged record is an error, and the other samples still give a report.
	data, err := os.ReadFile(filepath.Join(dir, "a.journal"))
	require.NoError(t, err)
	second := bytes.LastIndex(data, []byte(" data:"))
	flipped := bytes.Clone(data)
	flipped[second+50] ^= 1
	file(t, dir, "b.journal", string(flipped))
	f := read("b.json")
	require.ErrorContains(t, f.Problem, "1 record of "+filepath.Join(dir, "b.journal")+" damaged")
	require.True(t, f.Usable)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "c.journal"), []byte("nonsense\n"), 0o600))
	require.EqualError(t, read("c.json").Problem,
		filepath.Join(dir, "c.journal")+": it is not a journal of beff; move it away")
}

// In a directory of all users, another user's files next to a result are ignored with a remark: a journal of the same
// run, and a system.yaml, even if that is a link or nonsense.
func TestFilesOfOtherUsers(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root makes files of other users")
	}
	dir := t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o777|os.ModeSticky))
	whole := fixture.Cluster("").Result()
	name := file(t, dir, "a.json", string(beginning(t, whole)))
	path, system := filepath.Join(dir, "a.journal"), filepath.Join(dir, "system.yaml")
	require.NoError(t, kept(t, path, whole).Close())
	file(t, dir, "system.yaml", "name: Hawk")
	f := Read(name)
	require.Equal(t, path, f.Journal)
	require.Equal(t, "Hawk", entry(t, f).System.Name)
	require.Equal(t, system, f.Named)

	for _, planted := range []string{path, system} {
		require.NoError(t, os.Lchown(planted, 65534, 65534))
	}
	require.Empty(t, Read(name).Journal)
	file(t, dir, "a.json", sealed(t))
	f = Read(name)
	require.NoError(t, f.Problem)
	require.Empty(t, f.Named)
	require.NotEqual(t, "Hawk", entry(t, f).System.Name)
	const of = " belongs to user 65534 in a directory of all users, and a.json doesn't: ignored"
	require.Equal(t, []string{path + of, system + of}, f.Remarks)
	require.NoError(t, os.Remove(system))
	require.NoError(t, os.Symlink("/etc/passwd", system))
	require.NoError(t, os.Lchown(system, 65534, 65534))
	require.NoError(t, Read(name).Problem)

	require.NoError(t, os.Lchown(name, 65534, 65534)) // all files are that user's
	require.Equal(t, path, Read(path).Journal)
	require.NoError(t, os.Remove(name))
	require.ErrorContains(t, Read(name).Problem, "give the journal itself")
	require.Equal(t, path, Read(path).Journal)
}

// A damaged copy of a journal's header gives a remark, and all samples are used. Next to a document, a journal without
// a readable header gives a remark, and a file that isn't a journal doesn't.
func TestDamagedHead(t *testing.T) {
	dir := t.TempDir()
	whole := fixture.Cluster("").Result()
	path := filepath.Join(dir, "a.journal")
	require.NoError(t, kept(t, path, whole).Close())
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	data[60] ^= 1
	require.NoError(t, os.WriteFile(path, data, 0o600))
	f := Read(path)
	require.NoError(t, f.Problem)
	require.Equal(t, whole.Derived.BEff, entry(t, f).Figures["b_eff"].Value)
	require.Equal(t, []string{path + ": one copy of its header is damaged, but nothing is lost"}, f.Remarks)
	require.Contains(t, text(t, f), "one copy of its header is damaged")

	data[bytes.LastIndex(data, []byte(" head "))+60] ^= 1
	require.NoError(t, os.WriteFile(path, data, 0o600))
	records := (len(whole.Samples) + 99) / 100
	damaged := fmt.Sprintf("%s: it is damaged: its header can't be read, %d records follow; move it away", path,
		records)
	require.EqualError(t, Read(filepath.Join(dir, "a.json")).Problem, damaged)
	file(t, dir, "a.json", sealed(t))
	f = Read(filepath.Join(dir, "a.json"))
	require.NoError(t, f.Problem)
	require.Equal(t, []string{damaged}, f.Remarks)
	require.Contains(t, f.Document().Notices[0].Text, "its header can't be read")

	require.NoError(t, os.WriteFile(path, []byte("notes\n"), 0o600))
	f = Read(filepath.Join(dir, "a.json"))
	require.NoError(t, f.Problem)
	require.Empty(t, f.Remarks)
}

// Whatever a journal contains, reading it gives a result or an error, and never panics.
func FuzzUnderWay(f *testing.F) {
	const between = "\x00"
	path := filepath.Join(f.TempDir(), "a.journal")
	require.NoError(f, kept(f, path, fixture.Cluster("").Result()).Close())
	data, err := os.ReadFile(path)
	require.NoError(f, err)
	whole, err := journal.Parse(data)
	require.NoError(f, err)
	for _, record := range []string{`{"Samples":[{"pattern":-1}]}`, string(whole.Records[0]),
		`{"Samples":[{"pattern":0,"length":0,"method":0,"repetition":0,"loops":1,"seconds":1e400}]}`} {
		f.Add(record + between + string(whole.Head.Document))
	}
	f.Add(`{"Blocks":[{}]}` + between + `{"benchmark":"probe","schema_version":1}`)
	mutants.Fuzz(f, func(t *testing.T, text string) {
		first, rest, _ := strings.Cut(text, between)
		record, document := []byte(first), json.RawMessage(rest)
		if !json.Valid(document) || !json.Valid(record) {
			return
		}
		x := &File{Path: "a.json"}
		err := x.completeFromJournal("a.journal", &journal.Journal{Head: journal.Head{Document: document},
			Records: [][]byte{record}})
		if err == nil {
			require.NoError(t, x.Document().Validate())
		}
	})
}
