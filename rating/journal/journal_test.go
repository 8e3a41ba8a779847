package journal

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
)

// sums is the least that is a measurement.
type sums struct {
	List []int `json:"list"`
}

func (s *sums) add(news sums) { s.List = append(s.List, news.List...) }

func head(pid int) Head {
	return Head{Owner: Owner{Host: "n1", PID: pid}, Document: []byte(`{"benchmark":"b"}`), Decided: []byte(`{}`)}
}

// text returns a journal of a head and of n records.
func text(t testing.TB, n int) []byte {
	var all bytes.Buffer
	write := func(kind Kind, value any) {
		l, err := line(kind, value)
		require.NoError(t, err)
		all.Write(l)
	}
	write(Heads, head(7))
	for i := range n {
		write(Data, sums{[]int{i}})
	}
	return all.Bytes()
}

// The form stays: a later program reads the journals of an earlier one. The check is that of RFC 3720, B.4.
func TestForm(t *testing.T) {
	l, err := line(Data, sums{[]int{1}})
	require.NoError(t, err)
	require.Equal(t, `09442e82 data {"list":[1]}`+"\n", string(l))
	require.EqualValues(t, 0xe3069283, checksum([]byte("123456789")), "the check value of CRC-32C")
}

// A journal that is cut anywhere has all records whose lines are whole, and is not damaged.
func TestCut(t *testing.T) {
	all := text(t, 3)
	lines := bytes.SplitAfter(all, []byte("\n"))
	for n := range len(all) + 1 {
		whole, at := -1, 0
		for _, l := range lines[:len(lines)-1] {
			if at += len(l); at <= n {
				whole++
			}
		}
		j, err := Parse(all[:n])
		if whole < 0 {
			require.ErrorIs(t, err, errEmpty, "%d bytes", n)
			continue
		}
		require.NoError(t, err)
		require.Zero(t, j.Damaged)
		require.Len(t, j.Records, whole, "%d bytes", n)
	}
}

// A changed byte loses the record that it is in, or the two that a line's end parts, and no other one.
func TestFlipped(t *testing.T) {
	all := text(t, 4)
	for i := range all {
		for _, flip := range []byte{1, 0x20, 0x80} {
			changed := bytes.Clone(all)
			changed[i] ^= flip
			j, err := Parse(changed)
			if err != nil {
				require.ErrorIs(t, err, errHead)
				continue
			}
			m, unread := Replay(j.Records, (*sums).add)
			require.Zero(t, unread)
			require.NotEqual(t, []int{0, 1, 2, 3}, m.List, "byte %d", i)
			require.GreaterOrEqual(t, len(m.List), 2)
			require.Subset(t, []int{0, 1, 2, 3}, m.List)
		}
	}
}

func TestKinds(t *testing.T) {
	j := &Journal{}
	take := func(kind Kind, value any) bool {
		l, err := line(kind, value)
		require.NoError(t, err)
		return j.take(bytes.TrimSuffix(l, []byte("\n")))
	}
	require.True(t, take(Heads, head(1)))
	require.True(t, take(Data, sums{[]int{1}}))
	require.False(t, j.Ended)
	require.True(t, take(Ended, Ending{"stopped"}))
	require.True(t, j.Ended)
	require.True(t, take(Heads, head(2)))
	require.False(t, j.Ended, "it goes on")
	require.Equal(t, 2, j.Head.Owner.PID)
	require.True(t, take(Whole, sums{[]int{8}}))
	require.True(t, take(Data, sums{[]int{9}}))
	m, unread := Replay(j.Records, (*sums).add)
	require.Equal(t, []int{8, 9}, m.List)
	require.Zero(t, unread)
	require.True(t, take(Waits, []rating.Wait{{Rank: 1}}))
	require.True(t, take(Waits, []rating.Wait{{Rank: 1, Seconds: 30}}))
	require.True(t, take(Heads, head(3)))
	require.Equal(t, []rating.Wait{{Rank: 1, Seconds: 30}}, j.Waits, "the last list, also of earlier parts")
	require.False(t, take(Waits, 1))
	require.False(t, take("other", 1))
	_, unread = Replay([][]byte{[]byte(`{"list":[1],"more":1}`), []byte(`{"list":"a"}`)}, (*sums).add)
	require.Equal(t, 2, unread)
}

func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a"+Suffix)
	j, left, err := Open(path)
	require.NoError(t, err)
	require.Nil(t, left)
	require.NoError(t, j.Append(Heads, head(os.Getpid())))
	require.NoError(t, j.Reserve(1<<16))
	require.NoError(t, j.Append(Data, sums{[]int{1}}))
	require.NoError(t, j.Sync())

	_, left, err = Open(path)
	require.ErrorIs(t, err, ErrInUse, "this process has the lock")
	require.Equal(t, os.Getpid(), left.Head.Owner.PID)
	require.NoError(t, j.Close())

	// a process was killed in the middle of a line
	require.NoError(t, os.WriteFile(path, append(read(t, path), "5e3f0c1a da"...), 0o600))
	j, left, err = Open(path)
	require.NoError(t, err)
	require.Len(t, left.Records, 1)
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

func read(t *testing.T, path string) []byte {
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return data
}

// A journal that is taken away while another process waits for it is made anew.
func TestRemovedMeanwhile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a"+Suffix)
	j, _, err := Open(path)
	require.NoError(t, err)
	require.True(t, same(j.f, path))
	require.NoError(t, os.Remove(path))
	require.False(t, same(j.f, path))
	other, left, err := Open(path)
	require.NoError(t, err)
	require.Nil(t, left)
	require.NoError(t, other.Remove())
	require.NoError(t, j.Close())
}

// Where there are no locks, the owner's process tells whether a journal is in use.
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
	_, _, err := Open(dir)
	require.Error(t, err)
	_, _, err = Open(filepath.Join(dir, "missing", "a"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

func FuzzParse(f *testing.F) {
	all := text(f, 3)
	f.Add(all)
	f.Add(all[:len(all)-5])
	f.Add([]byte(strings.Replace(string(all), "1", "2", 1)))
	f.Add([]byte(""))
	f.Add([]byte("\n\n"))
	f.Add(fmt.Appendf(nil, "%08x head {}\n", checksum([]byte("head {}"))))
	f.Fuzz(func(t *testing.T, data []byte) {
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
