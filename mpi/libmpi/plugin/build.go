package plugin

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed c/*.c c/*.h
var embedded embed.FS

// sources are the C files.
var sources, _ = fs.Sub(embedded, "c")

// Version returns the version of the interface: a digest of the sources, in twelve hexadecimal digits.
var Version = sync.OnceValue(func() string {
	digest := sha256.New()
	_ = fs.WalkDir(sources, ".", func(name string, d fs.DirEntry, err error) error {
		if d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(sources, name)
		fmt.Fprintf(digest, "%s %d\n%s", name, len(data), data)
		return err
	})
	return hex.EncodeToString(digest.Sum(nil)[:6])
})

// flags are for the compiler. Old compilers, as on some login nodes, don't compile C11 by default. Only the functions
// of plugin.h are visible, so that others are called directly.
var flags = []string{"-std=gnu99", "-O2", "-fPIC", "-shared", "-fvisibility=hidden"}

// shmemWrappers holds the beginnings of the names of OpenSHMEM's compiler wrappers (OpenSHMEM 1.4, Annex B).
var shmemWrappers = []string{"oshcc", "shmemcc"}

// kind returns the further flags for a wrapper. OpenSHMEM's wrappers build a plug-in for OpenSHMEM. Open MPI's
// OpenSHMEM takes all writable memory below the symbol _end for the program's variables and can register 32 such areas.
// A Go program has more, so _end is defined below all of them.
func kind(wrapper string) []string {
	command, _, _ := strings.Cut(strings.TrimSpace(wrapper), " ")
	name := filepath.Base(command)
	if slices.ContainsFunc(shmemWrappers, func(begin string) bool { return strings.HasPrefix(name, begin) }) {
		return []string{"-DBEFF_SHMEM", "-Wl,--defsym=_end=4096"}
	}
	return nil
}

// Build compiles the sources with an MPI's compiler wrapper, such as mpicc, into the plug-in at path. Words after the
// wrapper's name, and more, are further flags.
func Build(wrapper, path string, more ...string) error {
	named := func(compiler string) string { return "#define BEFF_WRAPPER " + strconv.Quote(compiler) }
	return build(wrapper, path, named, slices.Concat(kind(wrapper), more))
}

// BuildPortable compiles the sources with a C compiler that finds an mpi.h, such as gcc -I DIR, into a plug-in for all
// libraries with that header's binary interface. It isn't linked with any of them. MPI's functions are weak symbols, so
// that the plug-in also loads with a library that lacks some (Library.Has).
func BuildPortable(compiler, path string) error {
	return build(compiler, path, func(string) string {
		var b strings.Builder
		_ = fs.WalkDir(sources, ".", func(name string, _ fs.DirEntry, err error) error {
			text, _ := fs.ReadFile(sources, name)
			for _, call := range calls.FindAllSubmatch(text, -1) {
				fmt.Fprintf(&b, "#pragma weak %s\n", call[1])
			}
			for _, row := range collectives.FindAllSubmatch(text, -1) {
				fmt.Fprintf(&b, "#pragma weak MPI_%s\n#pragma weak MPI_I%s\n", row[1], row[2])
			}
			return err
		})
		return b.String() + "#define BEFF_WRAPPER \"\""
	}, []string{"-include", "build.h", "-s"})
}

// calls finds the names of called MPI functions in the sources, including USE(MPI_Scan)(…).
var calls = regexp.MustCompile(`\b(MPI_[A-Z]\w+)\)?\(`)

// collectives finds the rows of BEFF_COLLECTIVES, with the names of their blocking and nonblocking calls.
var collectives = regexp.MustCompile(`\bX\([A-Z_]+, (\w+), (\w+),`)

// build compiles the sources with a compiler's command. defines returns lines of build.h for the compiler's path.
func build(command, path string, defines func(compiler string) string, more []string) error {
	words := strings.Fields(command)
	if len(words) == 0 {
		return errors.New("no compiler wrapper is named")
	}
	compiler, err := exec.LookPath(words[0])
	if err != nil {
		return err
	}
	if compiler, err = filepath.Abs(compiler); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "beff-plugin")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := writeSources(dir, defines(compiler)); err != nil {
		return err
	}
	if path, err = filepath.Abs(path); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.c"))
	if err != nil {
		return err
	}
	args := slices.Concat(words[1:], flags, more, []string{"-o", path})
	c := exec.Command(compiler, append(args, files...)...)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w%s", command, err, reason(string(out)))
	}
	return nil
}

// reason returns the first line of a compiler's output with an error, or the last line.
func reason(output string) string {
	lines := strings.Split(strings.TrimSpace(output), "\n")
	for _, line := range lines {
		if strings.Contains(line, "error") {
			return ": " + line
		}
	}
	if last := lines[len(lines)-1]; last != "" {
		return ": " + last
	}
	return ""
}

// writeSources writes the sources, and build.h and layout.c, which depend on this program.
func writeSources(dir, defines string) error {
	if err := os.CopyFS(dir, sources); err != nil {
		return err
	}
	build := fmt.Sprintf("#define BEFF_MARK %s\n#define BEFF_VERSION %s\n%s\n", strconv.Quote(mark),
		strconv.Quote(Version()), defines)
	return errors.Join(os.WriteFile(filepath.Join(dir, "build.h"), []byte(build), 0o666),
		os.WriteFile(filepath.Join(dir, "layout.c"), []byte(layout()), 0o666))
}

// layout returns C that compiles only if the records have the layout of their Go types. A handle may be smaller than
// its eight bytes.
func layout() string {
	var b strings.Builder
	b.WriteString("#include \"plugin.h\"\n\n#include <stddef.h>\n\n")
	assert := func(what string, n uintptr) {
		fmt.Fprintf(&b, "_Static_assert(%[1]s == %[2]d, \"%[1]s is %[2]d in Go\");\n", what, n)
	}
	for _, r := range records {
		t := reflect.TypeOf(r)
		record := cName(t.Name())
		assert(fmt.Sprintf("sizeof(%s)", record), t.Size())
		for i := range t.NumField() {
			f := t.Field(i)
			name := strings.TrimPrefix(cName(f.Name), "beff_")
			assert(fmt.Sprintf("offsetof(%s, %s)", record, name), f.Offset)
			if f.Type != reflect.TypeFor[Handle]() {
				assert(fmt.Sprintf("sizeof(((%s *)0)->%s)", record, name), f.Type.Size())
			}
		}
	}
	return b.String()
}
