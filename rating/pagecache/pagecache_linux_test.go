package pagecache

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// TestWindows checks that the windows are inside of the file, at whole pages, from its beginning to its end.
func TestWindows(t *testing.T) {
	for _, size := range []int64{1, 4096, maxWhole - 1, maxWhole, maxWhole + 1, 5*maxWhole + 12345, 1 << 44} {
		offsets, length := windows(0, size, size)
		last := offsets[len(offsets)-1]
		require.Zero(t, offsets[0])
		require.LessOrEqual(t, last+length, size)
		require.LessOrEqual(t, size-last-length, int64(2*windowSize+maxWindows), "size %d", size)
		for i, at := range offsets {
			require.Zero(t, at%windowSize)
			require.True(t, i == 0 || at >= offsets[i-1]+length, "size %d: windows overlap", size)
		}
	}
	offsets, _ := windows(0, 0, 1)
	require.Empty(t, offsets)
	offsets, length := windows(4096, 3*windowSize/2, 4*maxWhole)
	require.Equal(t, []int64{4096}, offsets)
	require.EqualValues(t, windowSize, length, "a part has its share of the windows")
}

// TestParts checks which pages have bytes of a part, against its chunks one by one.
func TestParts(t *testing.T) {
	const page, size = 16, 400
	for _, p := range []Part{{Length: size, Count: 1}, {Offset: 5, Length: 3, Distance: 9, Count: 20},
		{Offset: 33, Length: 17, Distance: 51, Count: 4}, {Offset: 64, Length: 8, Distance: 8, Count: 9}, {Length: 1}} {
		for at := int64(0); at < size; at += page {
			want, end := false, int64(0)
			for k := range p.Count {
				begin := p.Offset + k*p.Distance
				end = begin + p.Length
				want = want || begin < at+page && end > at
			}
			require.Equal(t, want, p.overlaps(at, at+page), "%+v at %d", p, at)
			require.Equal(t, max(min(end, 300)-p.Offset*min(p.Count, 1), 0), p.span(300), "%+v", p)
		}
	}
}

// Only pages of the given parts count, whichever other pages are in memory.
func TestExamineParts(t *testing.T) {
	page := int64(os.Getpagesize())
	path := written(t, t.TempDir(), 100)
	require.NoError(t, Drop(path))
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	require.NoError(t, unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_RANDOM)) // nothing is read ahead
	for at := int64(0); at < 100; at += 4 {
		_, err := f.ReadAt(make([]byte, page), at*page)
		require.NoError(t, err)
	}
	held, err := Examine(path)
	require.NoError(t, err)
	if held.Held == held.Pages {
		t.Skip("this file system is memory")
	}
	for first, want := range []int64{25, 0, 0, 0} {
		seen, err := Examine(path, Part{Offset: int64(first)*page + 7, Length: 9, Distance: 4 * page, Count: 25})
		require.NoError(t, err)
		require.Equal(t, Residency{25, want}, seen, "starting with page %d", first)
	}
	seen, err := Examine(path, Part{Length: page, Count: 1}, Part{Offset: 8 * page, Length: 2 * page, Count: 1},
		Part{Offset: 1000 * page, Length: 1, Count: 1})
	require.NoError(t, err)
	require.Equal(t, Residency{3, 2}, seen)
}

// written returns a file with some pages of data.
func written(t *testing.T, folder string, pages int) string {
	path := filepath.Join(folder, "file")
	require.NoError(t, os.WriteFile(path, make([]byte, pages*os.Getpagesize()), 0o600))
	return path
}

// TestDrop checks on the disk that written pages are in memory, that none are after Drop, and that pages come back when
// they are read.
func TestDrop(t *testing.T) {
	const pages = 1000
	path := written(t, t.TempDir(), pages)
	var at unix.Statfs_t
	require.NoError(t, unix.Statfs(path, &at))
	seen, err := Examine(path)
	require.NoError(t, err)
	require.Equal(t, Residency{pages, pages}, seen)
	require.NoError(t, Drop(path))
	seen, err = Examine(path)
	require.NoError(t, err)
	if at.Type == unix.TMPFS_MAGIC {
		require.Equal(t, Residency{pages, pages}, seen, "tmpfs is memory")
		return
	}
	require.Equal(t, Residency{pages, 0}, seen)
	before, known := Fetched()
	require.True(t, known)
	_, err = os.ReadFile(path)
	require.NoError(t, err)
	seen, err = Examine(path)
	require.NoError(t, err)
	require.Equal(t, Residency{pages, pages}, seen)
	after, _ := Fetched()
	require.GreaterOrEqual(t, after-before, int64(pages*os.Getpagesize()))
}

// TestMemory checks that a file in memory stays there.
func TestMemory(t *testing.T) {
	folder, err := os.MkdirTemp("/dev/shm", "beff")
	if err != nil {
		t.Skip(err)
	}
	defer os.RemoveAll(folder)
	path := written(t, folder, 10)
	require.NoError(t, Drop(path))
	seen, err := Examine(path)
	require.NoError(t, err)
	require.Equal(t, Residency{10, 10}, seen)
}

// TestErrors checks that errors name the file, and that no symbolic link is followed.
func TestErrors(t *testing.T) {
	folder := t.TempDir()
	missing := filepath.Join(folder, "missing")
	_, err := Examine(missing)
	require.ErrorContains(t, err, missing)
	require.ErrorContains(t, Drop(missing), missing)
	link := filepath.Join(folder, "link")
	require.NoError(t, os.Symlink(written(t, folder, 1), link))
	require.ErrorContains(t, Drop(link), link)
	require.ErrorIs(t, Drop("/dev/null"), unix.EINVAL)
}
