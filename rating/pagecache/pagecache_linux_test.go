package pagecache

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// TestLooked checks that the windows are inside of the file, at whole pages, from its begin to its end.
func TestLooked(t *testing.T) {
	for _, size := range []int64{1, 4096, whole - 1, whole, whole + 1, 5*whole + 12345, 1 << 44} {
		offsets, length := looked(size)
		last := offsets[len(offsets)-1]
		require.Zero(t, offsets[0])
		require.LessOrEqual(t, last+length, size)
		require.LessOrEqual(t, size-last-length, int64(2*window+windows), "size %d", size)
		for i, at := range offsets {
			require.Zero(t, at%window)
			require.True(t, i == 0 || at >= offsets[i-1]+length, "size %d: windows overlap", size)
		}
	}
	offsets, _ := looked(0)
	require.Empty(t, offsets)
}

// written returns a file with some pages of data.
func written(t *testing.T, folder string, pages int) string {
	path := filepath.Join(folder, "file")
	require.NoError(t, os.WriteFile(path, make([]byte, pages*os.Getpagesize()), 0o600))
	return path
}

// TestDrop checks on the disk that written pages are in memory, that none are after Drop, and that those come back that
// are read.
func TestDrop(t *testing.T) {
	const pages = 1000
	path := written(t, t.TempDir(), pages)
	var at unix.Statfs_t
	require.NoError(t, unix.Statfs(path, &at))
	seen, err := Look(path)
	require.NoError(t, err)
	require.Equal(t, Seen{pages, pages}, seen)
	require.NoError(t, Drop(path))
	seen, err = Look(path)
	require.NoError(t, err)
	if at.Type == unix.TMPFS_MAGIC {
		require.Equal(t, Seen{pages, pages}, seen, "tmpfs is memory")
		return
	}
	require.Equal(t, Seen{pages, 0}, seen)
	before, known := Fetched()
	require.True(t, known)
	_, err = os.ReadFile(path)
	require.NoError(t, err)
	seen, err = Look(path)
	require.NoError(t, err)
	require.Equal(t, Seen{pages, pages}, seen)
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
	seen, err := Look(path)
	require.NoError(t, err)
	require.Equal(t, Seen{10, 10}, seen)
}

// TestErrors checks that errors name the file, and that no symbolic link is followed.
func TestErrors(t *testing.T) {
	folder := t.TempDir()
	missing := filepath.Join(folder, "missing")
	_, err := Look(missing)
	require.ErrorContains(t, err, missing)
	require.ErrorContains(t, Drop(missing), missing)
	link := filepath.Join(folder, "link")
	require.NoError(t, os.Symlink(written(t, folder, 1), link))
	require.ErrorContains(t, Drop(link), link)
	require.ErrorIs(t, Drop("/dev/null"), unix.EINVAL)
}
