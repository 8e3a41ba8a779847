package plugins

import (
	"bytes"
	"debug/elf"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/input"
	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
)

// forms holds patterns for the names of libraries, by binary interface. Debian calls MPICH's library libmpich.so.12,
// and has a library with the standard ABI for each of its MPIs.
var forms = map[string][]string{
	plugin.OpenMPI:  {"libmpi.so.40"},
	plugin.MPICH:    {"libmpi.so.12", "libmpich.so.12"},
	plugin.Standard: {"libmpi_abi.so.1", "libmpi_abi_*.so.1.*.*"},
}

// RootVariable is the environment variable with the directory in which an MPI with the standard ABI is installed.
const RootVariable = "MPI_ABI_ROOT"

// maxBytes is the largest size of a library that is read. Libraries have up to some dozen MB.
const maxBytes = 256 << 20

// LibraryDirectories returns the directories to search for the libraries of portable plug-ins. First come the MPIs with
// programs in the directories launchers or with their mpirun on the PATH, then RootVariable, then the loader's
// directories (ld.so(8)).
func LibraryDirectories(getenv func(string) string, launchers []string) (list []string) {
	if mpirun, err := exec.LookPath("mpirun"); err == nil {
		if mpirun, err = filepath.EvalSymlinks(mpirun); err == nil {
			launchers = append(launchers, filepath.Dir(mpirun))
		}
	}
	for _, bin := range launchers {
		list = append(list, LibraryDirectoriesIn(filepath.Dir(bin))...)
	}
	if root := getenv(RootVariable); root != "" {
		list = append(list, LibraryDirectoriesIn(root)...)
	}
	list = append(list, filepath.SplitList(getenv("LD_LIBRARY_PATH"))...)
	configured, _ := filepath.Glob("/etc/ld.so.conf.d/*.conf")
	for _, name := range configured {
		text, _ := input.ReadTrusted(name, maxBytes) // lines that aren't paths are dropped below
		list = append(list, strings.Fields(string(text))...)
	}
	for _, prefix := range []string{"/usr", "/usr/local", "/"} {
		list = append(list, LibraryDirectoriesIn(prefix)...)
	}
	return slices.DeleteFunc(list, func(dir string) bool { return !filepath.IsAbs(dir) })
}

// LibraryDirectoriesIn returns the directories that may have the libraries of an installation below prefix, including
// the directories of Debian and Intel MPI.
func LibraryDirectoriesIn(prefix string) []string {
	processor := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH]
	var list []string
	for _, dir := range []string{"lib", "lib64", "lib/" + processor + "-linux-gnu", "lib/release"} {
		list = append(list, filepath.Join(prefix, dir))
	}
	return list
}

// libraries returns the libraries with a binary interface in directories, each file once. For each file that another
// user could have put there, it returns an error instead.
func libraries(family string, directories []string) (list []string, refused []error) {
	var seen []string
	for _, dir := range directories {
		for _, form := range forms[family] {
			paths, _ := filepath.Glob(filepath.Join(escape(dir), form))
			for _, path := range paths {
				real, err := filepath.EvalSymlinks(path)
				if err != nil || slices.Contains(seen, real) {
					continue
				}
				seen = append(seen, real)
				if _, err := input.Trusted(path); err != nil {
					refused = append(refused, fmt.Errorf("library is not loaded: %w", err))
				} else if checkProcessor(real) == nil { // not a library for another processor
					list = append(list, real)
				}
			}
		}
	}
	return list, refused
}

// checkProcessor returns an error unless a file is a library for this processor.
func checkProcessor(path string) error {
	f, err := elf.Open(path)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer f.Close()
	own := map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}[runtime.GOARCH]
	if f.Machine != own {
		return fmt.Errorf("%s is a library for %v, but this program is for %v", path, f.Machine, own)
	}
	return nil
}

// CheckRoot returns an error if RootVariable is set and there is no library with the standard ABI below it.
func CheckRoot(getenv func(string) string) error {
	root := getenv(RootVariable)
	if root == "" {
		return nil
	}
	found, refused := libraries(plugin.Standard, LibraryDirectoriesIn(root))
	switch {
	case len(found) > 0:
		return nil
	case len(refused) > 0:
		return fmt.Errorf("%s=%s: %w", RootVariable, root, refused[0])
	}
	return fmt.Errorf("%s=%s: there is no %s below it", RootVariable, root, forms[plugin.Standard][0])
}

// ForLibrary returns the portable plug-in of a list that fits a library by the library's file name, combined with the
// library.
func ForLibrary(list []Plugin, path string) (*Plugin, error) {
	real, err := input.Trusted(path)
	if err == nil {
		err = checkProcessor(real)
	}
	if err != nil {
		return nil, err
	}
	for _, p := range list {
		fits := func(form string) bool {
			ok, _ := filepath.Match(form, filepath.Base(path))
			return ok || strings.HasPrefix(filepath.Base(path), form+".")
		}
		if p.Portable() && slices.ContainsFunc(forms[p.Family], fits) {
			p.Library = real
			return &p, nil
		}
	}
	return nil, fmt.Errorf("%s: no plug-in is for a library of this name: run beff mpi add with the mpicc of its MPI",
		path)
}

// Loads reports whether a plug-in has a library: its own or, if it is portable, one that was found.
func (p Plugin) Loads() bool { return !p.Portable() || p.Library != "" }

// Maker returns the family of the MPI whose library a plug-in loads, and whose launchers its processes need, or "" if
// the family isn't known. A library with the standard ABI is recognized by its text for MPI_Get_library_version.
func (p Plugin) Maker() string {
	if p.Family != plugin.Standard || p.Library == "" {
		return p.Family
	}
	content, _ := input.ReadTrusted(p.Library, maxBytes)
	for _, maker := range []string{plugin.OpenMPI, plugin.MPICH} {
		if bytes.Contains(content, []byte(maker+" v")) || bytes.Contains(content, []byte(maker+" Version")) {
			return maker
		}
	}
	return ""
}
