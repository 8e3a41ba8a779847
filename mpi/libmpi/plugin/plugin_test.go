package plugin

import (
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ebitengine/purego"
	"github.com/stretchr/testify/require"
)

// TestWarnings compiles all C with the wrapper that MPICC names. Warnings are errors here, but not in users' builds,
// because newer compilers have new warnings.
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

// TestLayout checks that the build fails if the layout of a record differs in C and Go.
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
	require.False(t, strings.Contains(text, "(beff_comm *)0)->comm)"), "a handle in C may be smaller than in Go")
}

func TestBuildErrors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.so")
	require.ErrorContains(t, Build("", path), "no compiler wrapper")
	none := filepath.Join(t.TempDir(), "none")
	require.ErrorContains(t, Build(none, path), none)
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
	_, err = ReadNote(filepath.Join(t.TempDir(), "none.so"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestOpenErrors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.so")
	require.NoError(t, os.WriteFile(path, []byte(mark+"\n"+Version()+"\n\nmpicc\n"), 0o666))
	_, err := Open(Files{Path: path})
	require.ErrorContains(t, err, "x.so") // the loader's words
	require.NoError(t, os.WriteFile(path, []byte(mark+"\nolder\n\n\n"), 0o666))
	_, err = Open(Files{Path: path})
	require.ErrorContains(t, err, "run beff mpi add again")
	require.NoError(t, os.WriteFile(path, []byte(mark+"\n"+Version()+"\nMPICH\n\n"), 0o666))
	_, err = Open(Files{Path: path})
	require.EqualError(t, err, "it is for any library of the interface MPICH, but no library is named")
	_, err = Open(Files{Path: path, Library: "/nonexistent/libmpi.so.12"})
	require.ErrorContains(t, err, "/nonexistent/libmpi.so.12")
	_, err = Open(Files{Path: path, Library: "libc.so.6"})
	require.EqualError(t, err, "libc.so.6 is not an MPI library: it has no MPI_Init")
}

// TestFits checks that a library is recognized by its symbols, whatever its file's name is.
func TestFits(t *testing.T) {
	for _, c := range []struct {
		symbols string
		fits    []string
	}{
		{"", nil},
		{"int MPI_Init, MPI_Send;", []string{MPICH}},
		{"int MPI_Init, ompi_mpi_comm_world;", []string{OpenMPI}},
		{"int MPI_Init, MPI_Abi_get_version;", []string{MPICH, Standard}},
		{"int MPI_Init, MPI_Abi_get_version, ompi_mpi_comm_world;", []string{OpenMPI, Standard}},
	} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(dir+"/x.c", []byte(c.symbols), 0o666))
		out, err := exec.Command("cc", "-shared", "-fPIC", "-o", dir+"/libmpi.so.12", dir+"/x.c").CombinedOutput()
		require.NoError(t, err, string(out))
		library, err := purego.Dlopen(dir+"/libmpi.so.12", purego.RTLD_NOW)
		require.NoError(t, err)
		for _, family := range []string{MPICH, OpenMPI, Standard} {
			err := Note{Family: family}.fits(library, "libmpi.so.12")
			require.Equal(t, slices.Contains(c.fits, family), err == nil, "%s: %q: %v", family, c.symbols, err)
		}
	}
}

// TestBuildPortable checks that a portable plug-in for the standard ABI is linked only with the C library, and loads
// with a library that lacks calls.
func TestBuildPortable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.so")
	require.NoError(t, BuildPortable("cc -Wall -Wextra -Wshadow -Werror -I"+standardDirectory(t), path))
	note, err := ReadNote(path)
	require.NoError(t, err)
	require.Equal(t, Note{Version(), Standard, ""}, note)
	require.True(t, note.Portable())
	f, err := elf.Open(path)
	require.NoError(t, err)
	defer f.Close()
	needs, err := f.ImportedLibraries()
	require.NoError(t, err)
	require.Equal(t, []string{"libc.so.6"}, needs)
	symbols, err := f.DynamicSymbols()
	require.NoError(t, err)
	calls := 0
	for _, s := range symbols {
		if strings.HasPrefix(s.Name, "MPI_") {
			require.Equal(t, elf.STB_WEAK, elf.ST_BIND(s.Info), s.Name)
			calls++
		}
	}
	require.Greater(t, calls, 100)
}

func standardDirectory(t *testing.T) string {
	dir, err := filepath.Abs("abi")
	require.NoError(t, err)
	return dir
}

// TestStandardHeader compares our header of the standard ABI with the headers of libraries, in the directories that
// BEFF_MPI_H names: each value, the layout of MPI_Status, and each call's binding.
func TestStandardHeader(t *testing.T) {
	theirs := filepath.SplitList(os.Getenv("BEFF_MPI_H"))
	if len(theirs) == 0 {
		t.Skip("BEFF_MPI_H names no directories of mpi.h: make test-abi does")
	}
	ours := standardDirectory(t)
	text, err := os.ReadFile(filepath.Join(ours, "mpi.h"))
	require.NoError(t, err)
	values := `printf("%zu %zu %zu %zu %zu\n", sizeof(MPI_Status), offsetof(MPI_Status, MPI_SOURCE),
		offsetof(MPI_Status, MPI_TAG), offsetof(MPI_Status, MPI_ERROR), sizeof(MPI_Aint) + sizeof(MPI_Offset));`
	for _, m := range regexp.MustCompile(`(?m)^#define (MPI_\w+) \S`).FindAllSubmatch(text, -1) {
		values += fmt.Sprintf("\nprintf(\"%[1]s %%ld\\n\", (long)%[1]s);", m[1])
	}
	_, declarations, _ := strings.Cut(string(text), "typedef intptr_t MPI_Aint;")
	bindings := regexp.MustCompile(`(?ms)^(int|double) MPI_.*?;$`).FindAllString(declarations, -1)
	require.Greater(t, len(bindings), 100)
	compileAndRun := func(include string) string {
		dir := t.TempDir()
		source := "#include <mpi.h>\n#include <stddef.h>\n#include <stdio.h>\n" + strings.Join(bindings, "\n") +
			"\nint main(void) {\n" + values + "\n}\n"
		require.NoError(t, os.WriteFile(filepath.Join(dir, "x.c"), []byte(source), 0o666))
		out, err := exec.Command("cc", "-w", "-I"+include, "-o", dir+"/x", dir+"/x.c",
			"-Wl,--unresolved-symbols=ignore-all").CombinedOutput()
		require.NoError(t, err, "%s: %s", include, out)
		out, err = exec.Command(dir + "/x").Output()
		require.NoError(t, err)
		return string(out)
	}
	want := compileAndRun(ours)
	require.Greater(t, strings.Count(want, "\n"), 50)
	for _, dir := range theirs {
		require.Equal(t, want, compileAndRun(dir), dir)
	}
}
