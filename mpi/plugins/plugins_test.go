package plugins

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
)

func TestDirectories(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	program := []string{filepath.Dir(self)} // not a bin directory, so lib/beff next to it isn't searched
	for _, c := range []struct {
		env           map[string]string
		before, after []string
	}{
		{nil, nil, nil},
		{map[string]string{"HOME": "/home/me"}, nil, []string{"/home/me/.local/share/beff"}},
		{map[string]string{"HOME": "/home/me", "XDG_DATA_HOME": "/data"}, nil, []string{"/data/beff"}},
		{map[string]string{"XDG_DATA_HOME": "no/absolute/path"}, nil, nil},
		{map[string]string{"BEFF_PLUGINS": "/a::/b"}, []string{"/a", "/b"}, nil},
	} {
		want := append(append(c.before, program...), c.after...)
		require.Equal(t, want, Directories(func(key string) string { return c.env[key] }))
	}
}

// write makes a file that has a plug-in's note.
func write(t *testing.T, dir, name, wrapper string) string {
	path := filepath.Join(dir, name)
	note := "\x7fELF beff plug-in of the engine over MPI\nversion\n" + plugin.MPICH + "\n" + wrapper + "\n\x00"
	require.NoError(t, os.WriteFile(path, []byte(note), 0o644))
	return path
}

// TestFind checks that the first of two plug-ins with one name counts, and that directories' names may have any
// characters.
func TestFind(t *testing.T) {
	first, second := filepath.Join(t.TempDir(), "a[b]*"), t.TempDir()
	require.NoError(t, os.Mkdir(first, 0o777))
	one, two := write(t, first, "mpich.so", "/one/mpicc"), write(t, second, "cray.so", "/two/cc")
	write(t, second, "mpich.so", "/hidden/mpicc")
	write(t, second, "mpich.txt", "/no/plugin")
	write(t, second, ".new-1.so", "/begun/mpicc")
	require.NoError(t, os.WriteFile(filepath.Join(second, "other.so"), []byte("another library"), 0o666))
	list, refused := Find([]string{"/nonexistent", first, second}, nil)
	require.Empty(t, refused)
	require.Equal(t, []Plugin{
		{"cray", plugin.Files{Path: two}, plugin.Note{Version: "version", Family: plugin.MPICH, Wrapper: "/two/cc"}},
		{"mpich", plugin.Files{Path: one}, plugin.Note{Version: "version", Family: plugin.MPICH,
			Wrapper: "/one/mpicc"}},
	}, list)
	require.Equal(t, "cray, mpich", Names(list))
	require.Equal(t, one, Named(list, "mpich").Path)
	require.Nil(t, Named(list, "openmpi"))
	require.Equal(t, "none", Names(nil))
}

// TestFindTrusted checks that a file that another user could have put there isn't loaded, and that Find reports it.
func TestFindTrusted(t *testing.T) {
	t.Setenv("HOME", "/nonexistent")
	mine, open, shared := t.TempDir(), t.TempDir(), t.TempDir()
	write(t, mine, "mpich.so", "/mine/mpicc")
	write(t, open, "mpich.so", "/open/mpicc")
	write(t, shared, "mpich.so", "/shared/mpicc")
	loose := write(t, mine, "loose.so", "/loose/mpicc")
	require.NoError(t, os.Chmod(loose, 0o666))
	require.NoError(t, os.Chmod(open, 0o775))
	require.NoError(t, os.Chmod(shared, 0o777|os.ModeSticky))
	const others = " is not trusted: its group or others may change it: chmod go-w "
	want := []string{"plug-ins are not loaded: " + open + others + open, "plug-ins are not loaded: " + shared +
		" is not trusted: it is a directory of all users: use your own directory",
		"plug-in is not loaded: " + loose + others + loose}
	if os.Geteuid() == 0 {
		his := write(t, mine, "his.so", "/his/mpicc")
		require.NoError(t, os.Chown(his, 65534, 65534))
		want = slices.Insert(want, 2, "plug-in is not loaded: "+his+" is not trusted: "+his+
			" belongs to user 65534: use your own copy")
	}
	list, refused := Find([]string{open, shared, mine}, nil)
	var said []string
	for _, err := range refused {
		said = append(said, err.Error())
	}
	require.Equal(t, want, said)
	require.Equal(t, "mpich", Names(list))
	require.Equal(t, mine+"/mpich.so", list[0].Path)

	made, err := create([]string{open, shared, mine})
	require.NoError(t, err)
	require.Equal(t, mine, filepath.Dir(made))
}

// TestCreate checks that a new plug-in goes to the first writable directory. Only the last directory, the user's, is
// made.
func TestCreate(t *testing.T) {
	missing, there := filepath.Join(t.TempDir(), "missing"), t.TempDir()
	path, err := create([]string{missing, there, filepath.Join(t.TempDir(), "user")})
	require.NoError(t, err)
	require.Equal(t, there, filepath.Dir(path))
	require.NoDirExists(t, missing)

	user := filepath.Join(t.TempDir(), "share", "beff")
	path, err = create([]string{missing, "/proc/self", user})
	require.NoError(t, err)
	require.Equal(t, user, filepath.Dir(path))

	_, err = create([]string{"/proc/self/beff"})
	require.ErrorContains(t, err, "set BEFF_PLUGINS")
	_, err = create(nil)
	require.EqualError(t, err, "no directory for plug-ins is known: set BEFF_PLUGINS to one")
}

// TestDescribeTooLong checks that a plug-in that loads too long is killed, and that the error has the time limit.
func TestDescribeTooLong(t *testing.T) {
	program := filepath.Join(t.TempDir(), "describer")
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\nexec sleep 1000\n"), 0o777))
	_, err := run(exec.Command(program), "slow.so", 50*time.Millisecond)
	require.EqualError(t, err, "slow.so: loading it took longer than 50ms")
}

// TestAddErrors checks that a failed Add leaves no files.
func TestAddErrors(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ wrapper, name, err string }{
		{"mpicc", "a/b", "want letters"},
		{"mpicc", ".hidden", "want letters"},
		{"/nonexistent/mpicc", "", "/nonexistent/mpicc"},
		{"cc", "", "mpi.h"},
	} {
		_, _, err := Add([]string{dir}, c.wrapper, c.name)
		require.ErrorContains(t, err, c.err)
	}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, entries)
}

func TestNameOf(t *testing.T) {
	for library, want := range map[string]string{
		"Open MPI": "openmpi", "MPICH": "mpich", "Intel MPI": "intelmpi", "Some MPI 1.0": "somempi1.0", "": "", "µ": "",
	} {
		require.Equal(t, want, nameOf(libmpi.Facts{Library: mpi.Library{Library: library}}, plugin.Note{}))
	}
	require.Equal(t, "abi", nameOf(libmpi.Facts{},
		plugin.Note{Family: plugin.Standard}))
}
