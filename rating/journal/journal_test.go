package journal

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/effective-bandwidth/beff/internal/mutants"
	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
)

// sums is a minimal measurement.
type sums struct {
	List []int `json:"list"`
}

func (s *sums) add(news sums) { s.List = append(s.List, news.List...) }

func head(pid int) Head {
	return Head{Owner: Owner{Host: "n1", PID: pid}, Document: []byte(`{"benchmark":"b"}`), Decided: []byte(`{}`)}
}

// begun returns a journal with a head, and a function that returns its text.
func begun(t testing.TB) (j *File, text func() []byte) {
	path := filepath.Join(t.TempDir(), "a"+Suffix)
	j, _, err := Open(path, false)
	require.NoError(t, err)
	t.Cleanup(func() { j.Close() })
	require.NoError(t, j.Begin(head(7)))
	return j, func() []byte { return read(t, path) }
}

// text returns a journal of two parts with n records, the end of each record, and the number of each, which is -1 for a
// head.
func text(t testing.TB, n int) (all []byte, ends []int, numbers []int) {
	j, text := begun(t)
	ended := func(number int) { ends, numbers = append(ends, int(j.size)), append(numbers, number) }
	ended(-1)
	for i := range n {
		if i == n/2 {
			require.NoError(t, j.Begin(head(8)))
			ended(-1)
		}
		require.NoError(t, j.Append(Data, sums{[]int{i}}))
		ended(i)
	}
	return text(), ends, numbers
}

// The form doesn't change: a later program reads the journals of an earlier one. The checksum is RFC 3720's (B.4).
func TestForm(t *testing.T) {
	l, err := line(Data, "k3", sums{[]int{1}})
	require.NoError(t, err)
	require.Equal(t, "\n66ac6ee8 data:k3 {\"list\":[1]}\n", string(l))
	require.EqualValues(t, 0xe3069283, checksum([]byte("123456789")), "the check value of CRC-32C")
}

// A journal of the earlier form, whose records don't name their head, is read, and a further part has the present form.
func TestEarlierForm(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a"+Suffix)
	first, err := line(Heads, "", head(1))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, append(first[1:], `09442e82 data {"list":[1]}`+"\n"...), 0o600))
	j, left, err := Open(path, false)
	require.NoError(t, err)
	require.Len(t, left.Records, 1)
	require.NoError(t, j.Begin(head(2)))
	require.NoError(t, j.Append(Data, sums{[]int{2}}))
	left, err = Parse(read(t, path))
	require.NoError(t, err)
	m, _ := Replay(left.Records, (*sums).add)
	require.Equal(t, []int{1, 2}, m.List)
	require.Zero(t, left.Damaged+left.Halved)
	require.NoError(t, j.Close())
}

// parseChanged returns the data left in a journal that may be damaged, and the number of records counted as damaged.
func parseChanged(t *testing.T, changed []byte) (data [][]byte, lost int) {
	j, err := Parse(changed)
	if err != nil {
		require.NoError(t, err, "%q", changed)
	}
	return j.Records, j.Damaged
}

// One damaged bit anywhere, or one record cut at any of its bytes, loses only that record, and nothing if it is a head.
func TestDamage(t *testing.T) {
	const records, least = 30, 100_000
	f, text := begun(t)
	var ends []int // of records, and of copies of heads
	var whole [][]byte
	heads := map[int]bool{}
	begin := func() {
		from := 0
		if len(ends) > 0 {
			from = ends[len(ends)-1]
		}
		heads[len(ends)], heads[len(ends)+1] = true, true
		ends = append(ends, from+(int(f.size)-from)/2, int(f.size))
	}
	begin()
	for i := range records {
		if i == records/2 {
			require.NoError(t, f.Begin(head(8)))
			begin()
		}
		require.NoError(t, f.Append(Data, fmt.Sprint(i, strings.Repeat(" JUNK*", 60))))
		ends = append(ends, int(f.size))
	}
	all := text()
	whole, lost := parseChanged(t, all)
	require.Len(t, whole, records)
	require.Zero(t, lost)
	cases, start, data := 0, 0, 0
	for r, end := range ends {
		check := func(changed []byte) {
			cases++
			left, lost := parseChanged(t, changed)
			if slices.EqualFunc(left, whole, bytes.Equal) && (lost == 0 || !heads[r]) {
				return // an empty line, or a head
			}
			if !heads[r] && slices.EqualFunc(left, slices.Delete(slices.Clone(whole), data, data+1), bytes.Equal) {
				return
			}
			t.Fatalf("record %d from %d to %d: %d left, %d lost: %q", r, start, end, len(left), lost, changed)
		}
		changed := bytes.Clone(all)
		for i := start; i < end; i++ {
			for bit := range 8 {
				changed[i] ^= 1 << bit
				check(changed)
				changed[i] ^= 1 << bit
			}
			check(slices.Concat(all[:i], all[end:]))
		}
		if start = end; !heads[r] {
			data++
		}
	}
	require.GreaterOrEqual(t, cases, least)
	t.Logf("%d cases", cases)
}

// A journal that is cut anywhere has all records whose lines are whole, and is not damaged.
func TestCut(t *testing.T) {
	all, ends, _ := text(t, 4)
	for n := ends[0]; n <= len(all); n++ {
		want := 0
		for _, end := range ends {
			if n >= end && end != ends[0] {
				want++
			}
		}
		if n >= ends[3] {
			want-- // the second head
		}
		j, err := Parse(all[:n])
		require.NoError(t, err)
		require.Zero(t, j.Damaged+j.Halved, "%d bytes", n)
		require.Len(t, j.Records, want, "%d bytes", n)
	}
}

// A damaged copy of a head is distinguished from a damaged record, whose samples are lost.
func TestHalved(t *testing.T) {
	all, ends, _ := text(t, 4)
	for _, c := range []struct {
		at              []int
		damaged, halved int
	}{
		{nil, 0, 0},
		{[]int{20}, 0, 1},
		{[]int{ends[0] - 20}, 0, 1},
		{[]int{ends[2] + 20}, 0, 1},
		{[]int{ends[3] - 20}, 0, 1},
		{[]int{ends[1] - 5}, 1, 0},
		{[]int{ends[2] - 5}, 1, 0},
		{[]int{ends[2] - 5, ends[2] + 20}, 1, 1},
		{[]int{20, ends[3] - 20}, 0, 2},
		{[]int{ends[2] + 20, ends[3] - 20}, 4, 0}, // both copies, and the two records whose head they are
	} {
		changed := bytes.Clone(all)
		for _, i := range c.at {
			changed[i] ^= 1
		}
		j, err := Parse(changed)
		require.NoError(t, err)
		require.Equal(t, [2]int{c.damaged, c.halved}, [2]int{j.Damaged, j.Halved}, "%v", c.at)
	}
}

// The error for a text without a head names its kind, and the file is not changed. A journal of beff is opened with
// force, and then has only new records.
func TestNoHead(t *testing.T) {
	all, ends, _ := text(t, 4)
	headless := bytes.Clone(all[:ends[2]])
	headless[20] ^= 1
	headless[ends[0]-20] ^= 1
	later, err := line(Heads, "", Head{Form: form + 1, ID: "x"})
	require.NoError(t, err)
	for _, c := range []struct {
		text, want string
		own        bool
	}{
		{string(headless), "it is damaged: its header can't be read, 2 records follow; move it away", true},
		{string(all[ends[0]:ends[1]]), "it is damaged: its header can't be read, 1 record follows; move it away", true},
		{string(all[:40]), "it is damaged: its header can't be read, 0 records follow; move it away", true},
		{string(later), "a later beff wrote it (form 3, this program reads up to 2); move it away", true},
		{string(later) + string(all), "a later beff wrote it (form 3, this program reads up to 2); move it away", true},
		{"my notes\n", "it is not a journal of beff; move it away", false},
		{"my notes", "it is not a journal of beff; move it away", false},
		{"\n", "it is not a journal of beff; move it away", false},
	} {
		path := filepath.Join(t.TempDir(), "a"+Suffix)
		require.NoError(t, os.WriteFile(path, []byte(c.text), 0o600))
		_, _, err := Open(path, false)
		require.EqualError(t, err, path+": "+c.want)
		require.Equal(t, c.text, string(read(t, path)))
		j, left, err := Open(path, true)
		if !c.own {
			require.EqualError(t, err, path+": "+c.want)
			continue
		}
		require.NoError(t, err)
		require.Nil(t, left)
		require.Equal(t, c.text, string(read(t, path)))
		require.Error(t, j.Append(Data, sums{}), "without a head")
		require.NoError(t, j.Begin(head(9)))
		left, err = Parse(read(t, path))
		require.NoError(t, err)
		require.Empty(t, left.Records)
		require.Zero(t, left.Damaged)
		require.NoError(t, j.Close())
	}
}

// Records of an earlier run that follow a head, undamaged, are refused and counted.
func TestStrangers(t *testing.T) {
	other, ends, _ := text(t, 3)
	j, text := begun(t)
	require.NoError(t, j.Append(Data, sums{[]int{9}}))
	left, err := Parse(append(text(), other[ends[0]:ends[1]]...))
	require.NoError(t, err)
	require.Len(t, left.Records, 1)
	require.Equal(t, 1, left.Damaged)
}

func TestKinds(t *testing.T) {
	f, text := begun(t)
	parsed := func() *Journal {
		j, err := Parse(text())
		require.NoError(t, err)
		return j
	}
	require.NoError(t, f.Append(Data, sums{[]int{1}}))
	require.False(t, parsed().Ended)
	require.NoError(t, f.Append(Ended, Ending{"stopped"}))
	require.True(t, parsed().Ended)
	require.NoError(t, f.Begin(head(2)))
	j := parsed()
	require.False(t, j.Ended, "the run continues")
	require.Equal(t, 2, j.Head.Owner.PID)
	require.Equal(t, 2, j.Parts)
	require.NoError(t, f.Append(Whole, sums{[]int{8}}))
	require.NoError(t, f.Append(Data, sums{[]int{9}}))
	m, unread := Replay(parsed().Records, (*sums).add)
	require.Equal(t, []int{8, 9}, m.List)
	require.Zero(t, unread)
	require.NoError(t, f.Append(Waits, []rating.Wait{{Rank: 1}}))
	require.NoError(t, f.Append(Waits, []rating.Wait{{Rank: 1, Seconds: 30}}))
	require.NoError(t, f.Begin(head(3)))
	require.Equal(t, []rating.Wait{{Rank: 1, Seconds: 30}}, parsed().Waits, "the last list, also of earlier parts")
	require.Zero(t, parsed().Damaged)
	require.NoError(t, f.Append(Waits, 1))
	require.NoError(t, f.Append("other", 1))
	require.Equal(t, 2, parsed().Damaged)
	_, unread = Replay([][]byte{[]byte(`{"list":[1],"more":1}`), []byte(`{"list":"a"}`)}, (*sums).add)
	require.Equal(t, 2, unread)
}

func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a"+Suffix)
	j, left, err := Open(path, false)
	require.NoError(t, err)
	require.Nil(t, left)
	require.NoError(t, j.Begin(head(os.Getpid())))
	require.NoError(t, j.Reserve(1<<16))
	require.NoError(t, j.Append(Data, sums{[]int{1}}))
	require.NoError(t, j.Sync())

	_, left, err = Open(path, false)
	require.ErrorIs(t, err, ErrInUse, "this process has the lock")
	require.Equal(t, os.Getpid(), left.Head.Owner.PID)
	require.NoError(t, j.Close())

	// a process was killed in the middle of a line
	require.NoError(t, os.WriteFile(path, append(read(t, path), "5e3f0c1a da"...), 0o600))
	j, left, err = Open(path, false)
	require.NoError(t, err)
	require.Len(t, left.Records, 1)
	require.NoError(t, j.Begin(head(os.Getpid())))
	require.NoError(t, j.Append(Data, sums{[]int{2}}))
	require.NoError(t, j.Trim())
	left, err = Parse(read(t, path))
	require.NoError(t, err)
	require.Zero(t, left.Damaged)
	m, _ := Replay(left.Records, (*sums).add)
	require.Equal(t, []int{1, 2}, m.List)

	require.NoError(t, j.Clear())
	require.Empty(t, read(t, path))
	require.NoError(t, j.Remove())
	require.NoFileExists(t, path)
}

// The name of a new journal is written to the disk, too, once, in its directory.
func TestName(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a")
	require.NoError(t, os.Mkdir(dir, 0o700))
	j, _, err := Open(filepath.Join(dir, "a"+Suffix), false)
	require.NoError(t, err)
	defer j.Close()
	require.NoError(t, os.Rename(dir, dir+"b"))
	require.ErrorIs(t, j.Sync(), os.ErrNotExist, "Sync opens the directory")
	require.NoError(t, os.Rename(dir+"b", dir))
	require.NoError(t, j.Sync())
	require.NoError(t, os.Rename(dir, dir+"b"))
	require.NoError(t, j.Sync(), "the name was synced before")
}

func read(t testing.TB, path string) []byte {
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return data
}

// A journal that is removed while another process waits for it is created anew.
func TestRemovedMeanwhile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a"+Suffix)
	j, _, err := Open(path, false)
	require.NoError(t, err)
	require.True(t, same(j.f, path))
	require.NoError(t, os.Remove(path))
	require.False(t, same(j.f, path))
	other, left, err := Open(path, false)
	require.NoError(t, err)
	require.Nil(t, left)
	require.NoError(t, j.Remove())
	require.FileExists(t, path, "the file is the other journal's")
	require.NoError(t, other.Remove())
	require.NoFileExists(t, path)
}

// A journal whose name is gone is created anew with all of its records, and continues there. It takes no other file's
// place.
func TestRenew(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "results")
	require.NoError(t, os.Mkdir(dir, 0o755))
	path := filepath.Join(dir, "a"+Suffix)
	j, _, err := Open(path, false)
	require.NoError(t, err)
	require.NoError(t, j.Begin(head(1)))
	require.NoError(t, j.Append(Data, sums{[]int{1}}))
	require.False(t, j.Lost())
	require.NoError(t, os.RemoveAll(dir))
	require.True(t, j.Lost())
	require.Error(t, j.Sync(), "the name is not on the disk")
	require.NoError(t, j.Renew(path))
	require.False(t, j.Lost())
	require.NoError(t, j.Append(Data, sums{[]int{2}}))
	left, err := Parse(read(t, path))
	require.NoError(t, err)
	m, _ := Replay(left.Records, (*sums).add)
	require.Equal(t, []int{1, 2}, m.List)
	_, _, err = Open(path, false)
	require.ErrorIs(t, err, ErrInUse)

	require.NoError(t, os.Remove(path))
	other, _, err := Open(path, false)
	require.NoError(t, err)
	require.True(t, j.Lost())
	require.ErrorIs(t, j.Renew(path), os.ErrExist)
	require.NoError(t, j.Renew(path+"-2"))
	require.NoError(t, j.Remove())
	require.NoError(t, other.Remove())
	require.Empty(t, listed(t, dir))
}

func listed(t *testing.T, dir string) []os.DirEntry {
	list, err := os.ReadDir(dir)
	require.NoError(t, err)
	return list
}

// An empty file that existed before, and to which nothing was written, is not removed.
func TestNotMine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a"+Suffix)
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	j, _, err := Open(path, false)
	require.NoError(t, err)
	require.NoError(t, j.Remove())
	require.FileExists(t, path)
}

// Without locks, a journal is in use if its owner's process exists.
func TestAlive(t *testing.T) {
	host, err := os.Hostname()
	require.NoError(t, err)
	owned := func(host string, pid int, ended bool) *Journal {
		return &Journal{Head: Head{Owner: Owner{host, pid}}, Ended: ended}
	}
	require.True(t, alive(owned(host, os.Getpid(), false)))
	require.False(t, alive(owned(host, os.Getpid(), true)))
	require.False(t, alive(owned(host, 1<<30, false)), "there is no such process")
	require.True(t, alive(owned("another", 1<<30, false)), "not known")
	require.False(t, alive(nil))
}

func TestNoFile(t *testing.T) {
	dir := t.TempDir()
	_, _, err := Open(dir, false)
	require.Error(t, err)
	_, _, err = Open(filepath.Join(dir, "missing", "a"), false)
	require.ErrorIs(t, err, os.ErrNotExist)
}

func FuzzParse(f *testing.F) {
	all, _, _ := text(f, 3)
	f.Add(all)
	f.Add(all[:len(all)-5])
	f.Add([]byte(strings.Replace(string(all), "1", "2", 1)))
	f.Add([]byte(""))
	f.Add([]byte("\n\n"))
	f.Add(fmt.Appendf(nil, "%08x head {}\n", checksum([]byte("head {}"))))
	f.Add(fmt.Appendf(nil, "%08x head {\"form\":3}\n", checksum([]byte("head {\"form\":3}"))))
	mutants.Fuzz(f, func(t *testing.T, data []byte) {
		j, err := Parse(data)
		require.LessOrEqual(t, j.end, int64(len(data)))
		if err != nil {
			return
		}
		again, err := Parse(data[:j.end])
		require.NoError(t, err)
		require.Equal(t, j, again, "the rest of a line adds nothing")
		Replay(j.Records, (*sums).add)
	})
}
