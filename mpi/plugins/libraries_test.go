package plugins

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
)

// directories returns LibraryDirectories for an environment whose PATH has no mpirun.
func directories(t *testing.T, env map[string]string, launchers ...string) []string {
	t.Setenv("PATH", t.TempDir())
	return LibraryDirectories(func(key string) string { return env[key] }, launchers)
}

// TestLibraryDirectories checks the order: directories of launchers, of the variable, then of the loader. The current
// directory is never among them.
func TestLibraryDirectories(t *testing.T) {
	list := directories(t, map[string]string{"MPI_ABI_ROOT": "/opt/abi", "LD_LIBRARY_PATH": "/a::here:/b"},
		"/opt/mpi/bin")
	require.Equal(t, slices.Concat(LibraryDirectoriesIn("/opt/mpi"), LibraryDirectoriesIn("/opt/abi"),
		[]string{"/a", "/b"}), list[:10])
	require.Subset(t, list, []string{"/usr/lib64", "/usr/local/lib", "/lib"})
	for _, dir := range list {
		require.True(t, filepath.IsAbs(dir), dir)
	}
	bin := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(bin, "mpirun"), nil, 0o777))
	t.Setenv("PATH", bin)
	list = LibraryDirectories(func(string) string { return "" }, nil)
	require.Equal(t, filepath.Join(filepath.Dir(bin), "lib"), list[0])
}

// header returns the beginning of a library for a processor.
func header(t *testing.T, machine elf.Machine) string {
	var b bytes.Buffer
	h := elf.Header64{Type: uint16(elf.ET_DYN), Machine: uint16(machine), Version: uint32(elf.EV_CURRENT)}
	copy(h.Ident[:], elf.ELFMAG+string([]byte{byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)}))
	require.NoError(t, binary.Write(&b, binary.LittleEndian, h))
	return b.String()
}

// own is this machine's kind of processor.
var own = map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}[runtime.GOARCH]

// library makes a file with the name of an MPI's library.
func library(t *testing.T, dir, name, content string) string {
	if strings.HasPrefix(name, "lib") && !strings.HasPrefix(content, elf.ELFMAG) {
		content = header(t, own) + content
	}
	require.NoError(t, os.MkdirAll(dir, 0o755))
	path := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
	return path
}

// TestFindLibraries checks that Find lists a portable plug-in once for each library, in the order of the directories.
// It knows Debian's names, and lists a file with two names once.
func TestFindLibraries(t *testing.T) {
	t.Setenv("HOME", "/nonexistent")
	dir, one, two, open := t.TempDir(), t.TempDir(), t.TempDir(), t.TempDir()
	for name, family := range map[string]string{"abi": plugin.Standard, "mpich": plugin.MPICH,
		"openmpi": plugin.OpenMPI} {
		library(t, dir, name+".so", "beff plug-in of the engine over MPI\nv\n"+family+"\n\n\x00")
	}
	debian := library(t, one, "libmpich.so.12", "")
	require.NoError(t, os.Symlink("libmpich.so.12", filepath.Join(one, "libmpi.so.12")))
	intel := library(t, two, "libmpi.so.12", "")
	hydra := library(t, two, "libmpi_abi_mpich.so.1.0.0", "MPICH Version:      %s")
	orte := library(t, two, "libmpi_abi_openmpi.so.1.0.0", "Open MPI v%d, MPICH Version")
	other := library(t, two, "libmpi_abi.so.1", "another one")
	library(t, open, "libmpi.so.40", "")
	require.NoError(t, os.Chmod(open, 0o777))

	list, refused := Find([]string{dir}, []string{two, one, open})
	var rows [][3]string
	for _, p := range list {
		rows = append(rows, [3]string{p.Name, p.Library, p.Maker()})
		require.Equal(t, p.Name != "openmpi", p.Loads())
	}
	require.Equal(t, [][3]string{{"abi", other, ""}, {"abi", hydra, plugin.MPICH}, {"abi", orte, plugin.OpenMPI},
		{"mpich", intel, plugin.MPICH}, {"mpich", debian, plugin.MPICH}, {"openmpi", "", plugin.OpenMPI}}, rows)
	require.Len(t, refused, 1)
	require.ErrorContains(t, refused[0], "library is not loaded: "+open+"/libmpi.so.40 is not trusted")
	require.Equal(t, "abi, mpich, openmpi", Names(list))

	named := library(t, t.TempDir(), "libmpi.so.40.30.4", "")
	p, err := ForLibrary(list, named)
	require.NoError(t, err)
	require.Equal(t, plugin.Files{Path: filepath.Join(dir, "openmpi.so"), Library: named}, p.Files)
	_, err = ForLibrary(list, filepath.Join(open, "libmpi.so.40"))
	require.ErrorContains(t, err, "is not trusted")
	_, err = ForLibrary(list, filepath.Join(dir, "none", "libmpi.so.40"))
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = ForLibrary(list, library(t, dir, "libmpi.so.40", elf.ELFMAG+"no library"))
	require.ErrorContains(t, err, dir+"/libmpi.so.40: ")
	_, err = ForLibrary(list, library(t, dir, "libmpi.so.40", header(t, elf.EM_RISCV)))
	require.ErrorContains(t, err, "is a library for EM_RISCV, but this program is for "+own.String())
	list, _ = Find([]string{dir}, []string{dir})
	require.Empty(t, Named(list, "openmpi").Library, "libraries for other processors are skipped")
	_, err = ForLibrary(list, library(t, dir, "libmpi.so.1", ""))
	require.ErrorContains(t, err, "no plug-in is for a library of this name")
}

// TestDistributions checks that the library of each distribution is found from the directory of its launcher.
func TestDistributions(t *testing.T) {
	t.Setenv("HOME", "/nonexistent")
	debian := map[string]string{"amd64": "x86_64-linux-gnu", "arm64": "aarch64-linux-gnu"}[runtime.GOARCH]
	dir := t.TempDir()
	for _, family := range []string{plugin.MPICH, plugin.OpenMPI} {
		library(t, dir, strings.ReplaceAll(strings.ToLower(family), " ", "")+".so",
			"beff plug-in of the engine over MPI\nv\n"+family+"\n\n\x00")
	}
	for _, x := range []struct{ system, bin, lib, name, plugin string }{
		{"Debian 12 and 13, Ubuntu 22.04 and 24.04", "usr/bin", "usr/lib/" + debian, "libmpi.so.40", "openmpi"},
		{"the same", "usr/bin", "usr/lib/" + debian, "libmpich.so.12", "mpich"},
		{"RHEL 8 and 9, Fedora", "usr/lib64/openmpi/bin", "usr/lib64/openmpi/lib", "libmpi.so.40", "openmpi"},
		{"the same", "usr/lib64/mpich/bin", "usr/lib64/mpich/lib", "libmpi.so.12", "mpich"},
		{"SUSE", "usr/lib64/mpi/gcc/openmpi4/bin", "usr/lib64/mpi/gcc/openmpi4/lib64", "libmpi.so.40", "openmpi"},
		{"Intel MPI", "opt/intel/mpi/bin", "opt/intel/mpi/lib/release", "libmpi.so.12", "mpich"},
	} {
		root := t.TempDir()
		path := library(t, filepath.Join(root, x.lib), x.name, "")
		list, refused := Find([]string{dir}, directories(t, nil, filepath.Join(root, x.bin)))
		require.Empty(t, refused)
		require.Equal(t, path, Named(list, x.plugin).Library, "%s: %s", x.system, x.name)
	}
}

func TestCheckRoot(t *testing.T) {
	root := t.TempDir()
	check := func(dir string) error { return CheckRoot(func(string) string { return dir }) }
	require.NoError(t, check(""))
	require.EqualError(t, check("/nonexistent"), "MPI_ABI_ROOT=/nonexistent: there is no libmpi_abi.so.1 below it")
	path := library(t, filepath.Join(root, "lib"), "libmpi_abi.so.1", "")
	require.NoError(t, check(root))
	require.NoError(t, os.Chmod(path, 0o666))
	require.ErrorContains(t, check(root), "is not trusted")
}

func TestBelow(t *testing.T) {
	debian := map[string]string{"amd64": "/x/lib/x86_64-linux-gnu", "arm64": "/x/lib/aarch64-linux-gnu"}[runtime.GOARCH]
	require.Equal(t, []string{"/x/lib", "/x/lib64", debian, "/x/lib/release"}, LibraryDirectoriesIn("/x"))
}
