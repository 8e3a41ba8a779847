package plugin

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWarnings compiles all C with the wrapper that MPICC names. Warnings are errors here, but not where users build,
// whose compiler may know new warnings.
func TestWarnings(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.so")
	require.NoError(t, Build(wrapper(t), path, "-Wall", "-Wextra", "-Wshadow", "-Werror"))
	note, err := ReadNote(path)
	require.NoError(t, err)
	require.Equal(t, Version(), note.Version)
	require.NoError(t, note.Check())
	require.True(t, filepath.IsAbs(note.Wrapper), note.Wrapper)
	require.Contains(t, []string{OpenMPI, MPICH}, note.Family)
}

func wrapper(t *testing.T) string {
	name := os.Getenv("MPICC")
	if name == "" {
		t.Skip("MPICC names no compiler wrapper: make test-openmpi and make test-mpich do")
	}
	return name
}

// A record whose layout differs in C and Go ends the build.
func TestLayout(t *testing.T) {
	defer func(list []any) { records = list }(records)
	type Comm struct{ Comm, Rank, Size Handle }
	records = []any{Comm{}}
	err := Build(wrapper(t), filepath.Join(t.TempDir(), "x.so"))
	require.ErrorContains(t, err, "sizeof(beff_comm) is 24 in Go")
}

func TestLayoutNamesFields(t *testing.T) {
	text := layout()
	for _, line := range []string{
		`_Static_assert(sizeof(beff_comm) == 16, "sizeof(beff_comm) is 16 in Go");`,
		`_Static_assert(offsetof(beff_place, per_loop) == `,
		`_Static_assert(sizeof(((beff_place *)0)->per_loop) == 8, `,
	} {
		require.True(t, strings.Contains(text, line), line)
	}
	require.False(t, strings.Contains(text, "(beff_comm *)0)->comm)"), "a handle may be smaller than its room")
}

func TestBuildErrors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.so")
	require.ErrorContains(t, Build("", path), "no compiler wrapper")
	require.ErrorContains(t, Build("/nonexistent/mpicc", path), "/nonexistent/mpicc")
	// a compiler without an MPI
	require.ErrorContains(t, Build("cc", path), "cc: exit status 1: ")
	require.ErrorContains(t, Build("cc", path), "mpi.h")
	require.NoFileExists(t, path)
}

func TestReason(t *testing.T) {
	for output, want := range map[string]string{
		"": "",
		"cc1: warning\na.c:1: error: b\na.c:2: error": ": a.c:1: error: b",
		"one\ntwo\n": ": two",
	} {
		require.Equal(t, want, reason(output))
	}
}

func TestNotes(t *testing.T) {
	write := func(text string) string {
		path := filepath.Join(t.TempDir(), "x.so")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		return path
	}
	note, err := ReadNote(write("ELF…\x00" + mark + "\nolder\nMPICH\n/usr/bin/mpicc\n\x00more"))
	require.NoError(t, err)
	require.Equal(t, Note{"older", MPICH, "/usr/bin/mpicc"}, note)
	require.EqualError(t, note.Check(), "its interface is of version older and this program's is "+Version()+
		": run beff mpi add again")
	for _, text := range []string{"", mark, mark + "\n", mark + "\na\nb\nc", "a\nb\nc\nd\n"} {
		_, err := ReadNote(write(text))
		require.ErrorIs(t, err, ErrNoPlugin)
	}
	_, err = ReadNote("/nonexistent.so")
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestOpenErrors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.so")
	require.NoError(t, os.WriteFile(path, []byte(mark+"\n"+Version()+"\n\n\n"), 0o666))
	_, err := Open(path)
	require.ErrorContains(t, err, "x.so") // the loader's words
	require.NoError(t, os.WriteFile(path, []byte(mark+"\nolder\n\n\n"), 0o666))
	_, err = Open(path)
	require.ErrorContains(t, err, "run beff mpi add again")
}
